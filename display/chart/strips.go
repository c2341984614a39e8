package chart

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// Strip draws the values of each group as points: Strip(groups, values), Strip(f,
// "zone", "fare") of a frame, values alone, a map to slices, or a matrix; see
// [Chart.Strip].
func Strip(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Strip(data...)
}

// Strip adds the values of groups as points, moved to the side by even amounts so that
// equal ones can be told apart. Classes of By stand beside each other. A line marks the
// median of each group of three values and more, where the chart shows nothing else.
func (c *Chart) Strip(data ...any) *Chart { return c.grouped(strip, "Strip", data) }

// Swarm draws the values of each group as points that do not cover each other, with
// the arguments of Strip; see [Chart.Swarm].
func Swarm(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Swarm(data...)
}

// Swarm adds the values of groups as points, each as close to the middle of its group
// as the others let it. Points become smaller where that makes them fit; where they
// still do not, those at the border cover each other, and the chart says how many. A
// line marks the median of each group as in Strip.
func (c *Chart) Swarm(data ...any) *Chart { return c.grouped(swarm, "Swarm", data) }

// slots tells where the classes of a mark stand beside each other: offset from the
// middle of a group and half of the width. Classes that never meet in a group need no
// place of their own.
func (m mark) slots() (offset func(class int) float64, half float64) {
	if m.class == nil || !m.meet() {
		return func(int) float64 { return 0 }, 0.4
	}
	n := float64(len(m.names))
	width := 0.84 / n
	return func(k int) float64 { return width * (float64(k) - (n-1)/2) }, 0.46 * width
}

// meet reports whether some group has rows of several classes.
func (m mark) meet() bool {
	of := map[float64]int{}
	for i, k := range m.class {
		if k < 0 || i >= len(m.x) || !isFinite(m.x[i]) {
			continue
		}
		if known, ok := of[m.x[i]]; ok && known != k {
			return true
		}
		of[m.x[i]] = k
	}
	return false
}

// alone leaves out the legend when the names of the x axis say the same.
func (m mark) alone(c *Chart) {
	if m.class != nil && len(c.marks) == 0 && slices.Equal(m.names, c.x.levels) && !m.meet() {
		c.noLegend = true
	}
}

// stripParts draws the rows as points.
func (m mark) stripParts(c *Chart) ([]mark, error) {
	c.x.standBeside()
	m.alone(c)
	part := m.known()
	part, left := part.finiteRows(c)
	part.lost.add(left)
	offset, half := m.slots()
	x := make([]float64, len(part.x))
	for i, at := range part.x {
		x[i] = at
		if part.class != nil {
			x[i] += offset(part.class[i])
		}
	}
	part.x, part.slot = x, true
	medians := part.medians()
	if m.kind == swarm {
		part.swarm = half
	} else {
		part.jitter(0.55 * half)
	}
	part.kind, part.labels, part.half = points, nil, 0
	if part.radius == 0 && m.kind == strip {
		part.radius = math.Min(3, radius(part.count()))
	}
	return []mark{part, medians}, nil
}

// medians are lines at the medians of the groups of at least three values.
func (m mark) medians() mark {
	ink := figure.Ink()
	out := mark{kind: line, color: &ink, width: 1.6, slot: true, summary: true}
	half := 0.24
	if m.class != nil && m.meet() {
		_, half = m.slots()
	}
	for _, at := range distinct(m.x) {
		var v []float64
		for i, x := range m.x {
			if x == at {
				v = append(v, m.y[i])
			}
		}
		if len(v) < 3 {
			continue
		}
		sort.Float64s(v)
		q := quantile(v, 0.5)
		if len(out.x) > 0 {
			out.x, out.y = append(out.x, math.NaN()), append(out.y, math.NaN())
		}
		out.x, out.y = append(out.x, at-half, at+half), append(out.y, q, q)
	}
	return out
}

// jitter moves points to the side by at most half, each time by the same amounts.
func (m *mark) jitter(half float64) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range m.x {
		m.x[i] += half * (2*r.Float64() - 1)
	}
}

// violinParts draws violins as outlines with their quartiles inside.
func (m mark) violinParts(c *Chart) ([]mark, error) {
	c.x.standBeside()
	if m.est.split && len(m.names) != 2 {
		return nil, fmt.Errorf("chart.Split: violins have two halves, and By gives %d classes", len(m.names))
	}
	m.alone(c)
	all, left := m.eachClass()
	offset, half := m.slots()
	type body struct {
		curve
		s     series
		class int
		at    float64
	}
	var found []body
	var notes []string
	top := 0.0
	for k, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		for _, at := range distinct(rows.x) {
			own := rows.subset(func(i int) bool { return rows.x[i] == at })
			d, why := m.est.densityOf(own.y, c.y.log, densityPlaces/2)
			if why != "" {
				notes = append(notes, without("violin", groupName(c, at, s.name), why))
			} else {
				_, hi := bounds(d.y)
				top = math.Max(top, hi)
			}
			found = append(found, body{d, s, k, at})
		}
	}
	var parts []mark
	for _, b := range found {
		middle, width := b.at+offset(b.class), half*0.95
		if m.est.split {
			middle, width = b.at, 0.4
		}
		if b.x == nil {
			// A group of one value is a line there.
			flat := b.s.look(mark{kind: line, name: b.s.name, x: []float64{middle - width/3, middle + width/3}, y: []float64{b.sorted[0], b.sorted[0]}, slot: true})
			parts = append(parts, flat)
			continue
		}
		parts = append(parts, b.s.violin(b.curve, middle, width/top, b.class, m.est.split)...)
	}
	return said(parts, left, notes), nil
}

// groupName names a group, and a class in it.
func groupName(c *Chart, at float64, class string) string {
	name := ""
	if k := int(math.Round(at)); k >= 0 && k < len(c.x.levels) {
		name = c.x.levels[k]
	}
	if class != "" && class != name {
		name += ", " + class
	}
	return name
}

// distinct returns the different values, ascending.
func distinct(v []float64) []float64 {
	out := slices.Clone(v)
	sort.Float64s(out)
	return slices.Compact(out)
}

// violin draws one violin, or a half of it, around the middle.
func (s series) violin(d curve, middle, scale float64, class int, split bool) []mark {
	var x, y []float64
	sides := []float64{-1, 1}
	if split {
		sides = []float64{[]float64{-1, 1}[class]}
	}
	for _, side := range sides {
		for i := range d.x {
			k := i
			if side > 0 && len(sides) == 2 {
				k = len(d.x) - 1 - i
			}
			x, y = append(x, middle+side*scale*d.y[k]), append(y, d.x[k])
		}
	}
	if split {
		x, y = append(x, middle, middle), append(y, d.x[len(d.x)-1], d.x[0])
	}
	out := s.look(mark{kind: polygon, name: s.name, x: x, y: y, width: orElse(s.width, 1.1), slot: true})
	out.alpha = orElse(s.alpha, 0.42)
	ink := figure.Mix(s.color, figure.Ink(), 0.55)
	part := func(x0, x1, y0, y1, width float64) mark {
		return mark{kind: line, x: []float64{x0, x1}, y: []float64{y0, y1}, color: &ink, width: width, slot: true}
	}
	box := boxOf(d.sorted)
	if split {
		// Quartiles as lines up to the border of the half.
		parts := []mark{out}
		for i, q := range []float64{box.q1, box.q2, box.q3} {
			edge := middle + sides[0]*scale*at(d, q)
			quartile := part(middle, edge, q, q, 1.1)
			quartile.dash = i != 1
			if i == 1 {
				quartile.width = 1.8
			}
			parts = append(parts, quartile)
		}
		return parts
	}
	paper := figure.Paper()
	return []mark{out, part(middle, middle, box.lo, box.hi, 1.2), part(middle, middle, box.q1, box.q3, 5),
		{kind: points, x: []float64{middle}, y: []float64{box.q2}, color: &paper, alpha: 1, radius: 2, slot: true}}
}

// at interpolates a density.
func at(d curve, x float64) float64 {
	i := sort.SearchFloat64s(d.x, x)
	if i == 0 || i == len(d.x) {
		return 0
	}
	t := (x - d.x[i-1]) / (d.x[i] - d.x[i-1])
	return (1-t)*d.y[i-1] + t*d.y[i]
}

// settle places the points of swarms, whose radius is in pixels, and counts very many
// points: the axes must be in place.
func (p *panel) settle() {
	p.leftOut.crowded = 0
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.isBinned() {
			m.bin = p.bin(m)
			p.leftOut.binned = m.bin.note(len(m.x))
		}
		if m.swarm == 0 {
			continue
		}
		if m.middles == nil {
			m.middles = m.x
		}
		unit := math.Abs(p.x.at(1) - p.x.at(0)) // pixels of a slot
		largest := m.radius
		if largest == 0 {
			largest = math.Min(4, radius(m.count())+0.6)
			m.grown = true
		}
		if m.grown {
			m.radius = 0
		}
		y := make([]float64, len(m.y))
		for k, v := range m.y {
			y[k] = p.y.at(v)
		}
		x, r, crowded := swarmOf(m.middles, y, m.swarm*unit, largest)
		for k := range x {
			x[k] = m.middles[k] + x[k]/unit
		}
		m.x, m.radius, p.leftOut.crowded = x, r, p.leftOut.crowded+crowded
		if m.alpha == 0 {
			m.alpha = 0.9
		}
	}
}

// smallest radius of the points of a swarm.
const smallest = 1.2

// swarmOf returns for each point how far it is from the middle of its group, in pixels,
// the radius with which the points fit into half of the width, and how many do not.
func swarmOf(middle, y []float64, half, largest float64) (x []float64, r float64, crowded int) {
	groups := map[float64][]int{}
	for i, v := range middle {
		groups[v] = append(groups[v], i)
	}
	for _, rows := range groups {
		sort.SliceStable(rows, func(a, b int) bool { return y[rows[a]] < y[rows[b]] })
	}
	for r = largest; ; r = math.Max(smallest, 0.9*r) {
		x, crowded = make([]float64, len(y)), 0
		for _, at := range distinct(middle) {
			s := swarmer{y: y, x: x, half: half, r: r}
			crowded += s.place(groups[at], r > smallest)
			if crowded > 0 && r > smallest {
				break
			}
		}
		if crowded == 0 || r <= smallest {
			return x, r, crowded
		}
	}
}

// swarmer places the points of one group.
type swarmer struct {
	y, x    []float64
	half, r float64
	taken   [][2]float64 // places where a point would cover an earlier one
}

// place goes through the rows, ascending by y, and puts each where it covers no earlier
// one and is nearest to the middle. It counts the points that have no place, or ends at
// the first of them.
func (s *swarmer) place(rows []int, once bool) (crowded int) {
	d := 2*s.r + 0.4 // with a little air
	first := 0
	for n, i := range rows {
		for s.y[i]-s.y[rows[first]] >= d {
			first++
		}
		s.taken = s.taken[:0]
		for _, k := range rows[first:n] {
			dy := s.y[i] - s.y[k]
			away := math.Sqrt(d*d - dy*dy)
			s.taken = append(s.taken, [2]float64{s.x[k] - away, s.x[k] + away})
		}
		at := s.nearest()
		if math.Abs(at) <= math.Max(0, s.half-s.r) {
			s.x[i] = at
			continue
		}
		if crowded++; once {
			return crowded
		}
		s.x[i] = math.Copysign(math.Max(0, s.half-s.r), at)
	}
	return crowded
}

// nearest returns the place nearest to zero that is not taken.
func (s *swarmer) nearest() float64 {
	slices.SortFunc(s.taken, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	// What is taken around zero is one interval, which grows until nothing touches it.
	lo, hi := 0.0, 0.0
	for _, t := range s.taken { // ascending by the lower end: all that reach hi
		if t[0] < hi && t[1] > hi {
			hi = t[1]
		}
	}
	slices.SortFunc(s.taken, func(a, b [2]float64) int { return cmp.Compare(b[1], a[1]) })
	for _, t := range s.taken {
		if t[1] > lo && t[0] < lo {
			lo = t[0]
		}
	}
	if hi <= -lo {
		return hi
	}
	return lo
}

// boxed is what a box plot shows of a sample.
type boxed struct{ lo, q1, q2, q3, hi float64 }

// boxOf returns the quartiles of ascending values, and the furthest values within 1.5
// times the distance of the outer ones from them (J. W. Tukey, 1977).
func boxOf(v []float64) boxed {
	b := boxed{q1: quantile(v, 0.25), q2: quantile(v, 0.5), q3: quantile(v, 0.75)}
	fence := 1.5 * (b.q3 - b.q1)
	b.lo, b.hi = b.q1, b.q3
	for _, x := range v {
		if x >= b.q1-fence {
			b.lo = math.Min(b.lo, x)
			break
		}
	}
	for i := len(v) - 1; i >= 0; i-- {
		if v[i] <= b.q3+fence {
			b.hi = math.Max(b.hi, v[i])
			break
		}
	}
	return b
}
