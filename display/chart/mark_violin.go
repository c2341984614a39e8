package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// violinKind is the kind of marks that show densities of groups on both sides of their middles.
type violinKind struct{ basic }

var violin kind = &violinKind{basic{traits{
	name: "violin", chart: "violin plot", part: "violins",
	options: "Name Color ClassColor Width Opacity ByClass Bandwidth Adjust Cut Split",
	series:  true, cycles: true,
}}}

// Violin draws the density of each group: Violin(groups, values), or Violin(f, "zone", "fare") for
// a frame. It also accepts values without groups, a map of slices, or a matrix; see [Chart.Violin].
func Violin(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Violin(data...)
}

// Violin adds a violin for each group: its density, drawn on both sides of a middle line. All
// violins have the same area and range from the smallest to the largest value; Cut extends them.
// Inside are the quartiles as a bar, whiskers to the furthest values within 1.5 times the length of
// the bar, and a point at the median (J. L. Hintze and R. D. Nelson, 1998). The classes of By are
// side by side; to draw two classes as the two halves of one violin, call Split.
func (c *Chart) Violin(data ...any) *Chart { return c.grouped(violin, "Violin", data) }

// Split draws the violins of two classes as the two halves of one violin.
func (c *Chart) Split() *Chart {
	c.needs("Split", "has no halves").est.split = true
	return c
}

// violinParts draws violins as outlines with their quartiles inside.
func (m mark) violinParts(c *Chart) ([]mark, error) {
	c.x.standBeside()
	if m.est.split && len(m.names) != 2 {
		return nil, fmt.Errorf("chart.Split: violins have two halves, so By must have 2 classes, got %d", len(m.names))
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
			// A group with a single value is drawn as a line.
			flat := b.s.look(mark{kind: line, name: b.s.name, x: []float64{middle - width/3, middle + width/3}, y: []float64{b.sorted[0], b.sorted[0]}, measured: measured{slot: true}})
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

// violin draws one violin, or half of it, around the middle.
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
	out := s.look(mark{kind: polygon, name: s.name, x: x, y: y, style: style{width: orElse(s.width, 1.1)}, measured: measured{slot: true}})
	out.alpha, out.sample = orElse(s.alpha, 0.42), &sample{x: slices.Repeat([]float64{middle}, len(d.sorted)), y: d.sorted}
	ink := figure.Mix(s.color, figure.Ink(), 0.55)
	part := func(x0, x1, y0, y1, width float64) mark {
		return mark{kind: line, x: []float64{x0, x1}, y: []float64{y0, y1}, style: style{color: &ink, width: width}, measured: measured{slot: true}}
	}
	box := boxOf(d.sorted)
	if split {
		// Quartiles are lines up to the border of the half.
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
		{kind: points, x: []float64{middle}, y: []float64{box.q2}, style: style{color: &paper, alpha: 1, radius: 2}, measured: measured{slot: true}}}
}

// at returns an interpolated density.
func at(d curve, x float64) float64 {
	i := sort.SearchFloat64s(d.x, x)
	if i == 0 || i == len(d.x) {
		return 0
	}
	t := (x - d.x[i-1]) / (d.x[i] - d.x[i-1])
	return (1-t)*d.y[i-1] + t*d.y[i]
}

func (*violinKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.violinParts) }
