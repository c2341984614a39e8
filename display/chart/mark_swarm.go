package chart

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// swarmKind is the kind of marks that show the values of groups as points that do not cover
// each other.
type swarmKind struct{ basic }

var swarm kind = &swarmKind{basic{traits{
	name: "swarm", chart: "swarm plot", part: "swarms",
	options: "Name Color ClassColor Radius Opacity Rings ByClass",
	series:  true, cycles: true,
}}}

// Swarm draws the values of each group as points that do not overlap. It takes the same arguments
// as Strip; see [Chart.Swarm].
func Swarm(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Swarm(data...)
}

// Swarm adds the values of groups as points, each as close to the middle of its group as the other
// points allow. Points become smaller if that makes them fit. If they still do not fit, points at
// the border overlap, and a note on the chart counts them. A line marks the median of each group,
// as in Strip.
func (c *Chart) Swarm(data ...any) *Chart { return c.grouped(swarm, "Swarm", data) }

// placePoints places the points of swarms, whose radius is in pixels, and counts very many points.
// The axes must already have their positions.
func (p *panel) placePoints() {
	p.leftOut.crowded = 0
	for i := range p.c.marks {
		m := &p.c.marks[i]
		if m.isBinned() {
			b := p.bin(m)
			edit(m, func(d *pointsData) { d.bin = b })
			p.leftOut.binned = b.note(len(m.x))
		}
		d := *m.asPoints()
		if d.swarm == 0 {
			continue
		}
		if d.middles == nil {
			d.middles = m.x
		}
		unit := math.Abs(p.x.at(1) - p.x.at(0)) // width of a slot in pixels
		largest := m.radius
		if largest == 0 {
			largest = math.Min(4, radius(m.count())+0.6)
			d.grown = true
		}
		if d.grown {
			m.radius = 0
		}
		y := make([]float64, len(m.y))
		for k, v := range m.y {
			y[k] = p.y.at(v)
		}
		x, r, crowded := swarmOf(d.middles, y, d.swarm*unit, largest)
		for k := range x {
			x[k] = d.middles[k] + x[k]/unit
		}
		m.own = &d
		m.x, m.radius, p.leftOut.crowded = x, r, p.leftOut.crowded+crowded
		if m.alpha == 0 {
			m.alpha = 0.9
		}
	}
}

// smallest is the minimum radius of the points of a swarm.
const smallest = 1.2

// swarmOf returns the distance of each point from the middle of its group, in pixels. It also
// returns the radius at which the points fit into half the width, and the number of points that do
// not fit.
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

// place goes through the rows in ascending order of y and puts each point as close to the middle as
// possible without covering an earlier one. It counts the points for which there is no room, or
// stops at the first.
func (s *swarmer) place(rows []int, once bool) (crowded int) {
	d := 2*s.r + 0.4 // with a small gap
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

// nearest returns the free position nearest to zero.
func (s *swarmer) nearest() float64 {
	slices.SortFunc(s.taken, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	// The taken positions around zero form an interval, which grows until no other interval touches
	// it.
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

// swarmParts draws the rows as points that are placed when the size of a slot is known.
func (m mark) swarmParts(c *Chart) ([]mark, error) {
	return m.rowPoints(c, func(part *mark, half float64) { part.own = &pointsData{swarm: half} }), nil
}

func (*swarmKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.swarmParts) }
