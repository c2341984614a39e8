package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// ridgesKind is the kind of marks that show densities of groups above each other.
type ridgesKind struct{ basic }

var ridges kind = &ridgesKind{basic{traits{
	name: "ridgeline", chart: "ridgeline plot", part: "ridgelines",
	options: "Name Color ClassColor Width Opacity ByClass Bandwidth Adjust Cut",
	series:  true, cycles: true,
}}}

// Ridgeline draws the densities of groups one above the other: Ridgeline(groups, values) or
// Ridgeline(f, "month", "temperature"); see [Chart.Ridgeline].
func Ridgeline(data ...any) *Chart {
	c, data := dataOf(data)
	switch len(data) {
	case 1:
		groups, names, err := groupsOf("Ridgeline", data[0])
		if err == nil && groups == nil {
			err = fmt.Errorf("chart.Ridgeline: one argument of type %T; give a map to slices or a matrix, or the group of each value and the values", data[0])
		}
		if err != nil {
			c.fail(err)
			return c
		}
		of, values := inRows(groups, names)
		return c.Ridgeline(of, values)
	case 2:
		return c.Ridgeline(data[0], data[1])
	}
	c.fail(fmt.Errorf("chart.Ridgeline: give the group of each value and the values, got %d arguments", len(data)))
	return c
}

// inRows converts groups to rows: the group of each value, and the values. Groups without a value
// keep their place.
func inRows(groups [][]float64, names []string) (of Coded, values []float64) {
	of.Levels = names
	for k, g := range groups {
		for _, x := range g {
			of.Codes, values = append(of.Codes, int32(k)), append(values, x)
		}
	}
	return of, values
}

// Ridgeline adds a density for each group, the first group at the top, so close together that the
// densities overlap. All densities have the same scale. The classes of a group, set with By, are
// drawn on one baseline.
func (c *Chart) Ridgeline(groups, values any) *Chart {
	col, err := c.column("Ridgeline", "the groups", groups)
	named, ok := col.named()
	if err == nil && !ok {
		err = fmt.Errorf("chart.Ridgeline: the groups must be names or whole numbers, got other numbers or times")
	}
	var v column
	if err == nil {
		v, err = c.column("Ridgeline", "the values", values)
	}
	switch {
	case err != nil:
	case v.levels != nil:
		err = fmt.Errorf("chart.Ridgeline: the values must be numbers, got names")
	case len(v.v) != len(named.v):
		err = fmt.Errorf("chart.Ridgeline: there are %d groups for %d values", len(named.v), len(v.v))
	}
	if err != nil {
		c.fail(err)
		return c
	}
	c.y.reverse = true
	m := mark{kind: ridges, x: c.x.take(v), y: c.y.take(named), est: estimate{cut: 3}}
	c.x.whole = false
	return c.add(m)
}

// overlap is how far the highest density of a ridgeline reaches, in lines.
const overlap = 1.7

// ridgeParts draws the densities from top to bottom, so that each covers the previous one.
func (m mark) ridgeParts(c *Chart) ([]mark, error) {
	c.y.standBeside()
	all, left := m.eachClass()
	type ridge struct {
		curve
		s    series
		line float64
	}
	var found []ridge
	var notes []string
	top := 0.0
	for line := range c.y.levels {
		for _, s := range all {
			rows, bad := s.finiteRows(c)
			if line == 0 {
				left.add(bad)
			}
			rows = rows.subset(func(i int) bool { return rows.y[i] == float64(line) })
			d, why := m.est.densityOf(rows.x, c.x.log, densityPlaces)
			if why != "" {
				if len(rows.x) > 0 || m.class == nil && !m.part {
					notes = append(notes, without("density", c.y.levels[line], why))
				}
				continue
			}
			_, hi := bounds(d.y)
			top = math.Max(top, hi)
			found = append(found, ridge{d, s, float64(line)})
		}
	}
	if len(found) == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.Ridgeline: %s; a density needs two different values", notes[0])
	}
	var parts []mark
	named := map[string]bool{}
	for _, r := range found {
		lo, hi := make([]float64, len(r.x)), make([]float64, len(r.x))
		for i, y := range r.y {
			lo[i], hi[i] = r.line, r.line-overlap*y/top
		}
		fill := r.s.look(mark{kind: area, x: r.x, lo: lo, hi: hi, measured: measured{ridge: true}})
		fill.alpha, fill.sample = orElse(m.alpha, 0.75), &sample{x: r.sorted, y: slices.Repeat([]float64{r.line}, len(r.sorted))}
		edge := figure.Mix(r.s.color, figure.Ink(), 0.35)
		border := mark{kind: line, x: r.x, y: hi, style: style{color: &edge, width: orElse(m.width, 1.3)}, measured: measured{ridge: true}}
		if name := r.s.name; name != "" && !named[name] {
			fill.name, named[name] = name, true
		}
		parts = append(parts, fill, border)
	}
	return said(parts, left, notes), nil
}

func (*ridgesKind) parts(m mark, c *Chart) ([]mark, error) { return m.computed(c, mark.ridgeParts) }
