package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/stat"
)

// densityPlaces is at how many places a density is computed.
const densityPlaces = 256

// KDE draws kernel density estimates: KDE(values), KDE(f, "x") of a column, and of more
// than one over the same axis; By tells groups apart. KDE2D draws the density of two
// variables. See [Chart.KDE].
func KDE(values ...any) *Chart {
	return variables("KDE", values, func(c *Chart, v any) { c.KDE(v) })
}

// KDE adds the density of the values by Gaussian kernels,
//
//	f(x) = 1/(n h) Σ φ((x - xᵢ)/h),
//
// with the bandwidth h of D. W. Scott (1992), the standard deviation times n^(-1/5);
// Bandwidth and Adjust set another. Each class of By has a density of its own, whose
// area is 1. The curve ends three bandwidths beyond the data, or where Cut says. On a
// logarithmic axis the density is that of the logarithms.
func (c *Chart) KDE(values any) *Chart {
	c.oneVariable(density, "KDE", "density", values).est.cut = 3
	return c
}

// factor is the bandwidth of n rows of d variables as a multiple of their deviation.
func (e estimate) factor(n, d int) float64 {
	f := stat.Scott(n, d)
	if e.rule == "silverman" {
		f = stat.Silverman(n, d)
	}
	return f * orElse(e.adjust, 1)
}

// curve is a density at its places.
type curve struct {
	x, y   []float64
	sorted []float64 // the sample
}

// densityOf computes the density of a sample; why says what stands against it. With
// log it is that of the logarithms, at places that are powers of ten.
func (e estimate) densityOf(v []float64, log bool, places int) (d curve, why string) {
	d.sorted = slices.Clone(v)
	sort.Float64s(d.sorted)
	n := len(v)
	if n < 2 || d.sorted[0] == d.sorted[n-1] {
		first := 0.0
		if n > 0 {
			first = v[0]
		}
		return d, constant(n, first)
	}
	at := d.sorted
	if log {
		at = make([]float64, n)
		for i, x := range d.sorted {
			at[i] = math.Log10(x)
		}
	}
	sd := stat.Deviation(at)
	if !isFinite(sd) || sd == 0 {
		return d, "its values are too far apart, or too close"
	}
	h := e.bandwidth(n, sd)
	lo, hi := at[0]-e.cut*h, at[n-1]+e.cut*h
	d.x = make([]float64, places)
	for i := range d.x {
		d.x[i] = lo + (hi-lo)*float64(i)/float64(places-1)
	}
	d.x[places-1] = hi
	d.y = stat.NewKDE(at, h).At(d.x)
	if log {
		for i, x := range d.x {
			d.x[i] = math.Pow(10, x)
		}
	}
	return d, ""
}

// densityParts draws densities as lines, with areas when they are filled.
func (m mark) densityParts(c *Chart) ([]mark, error) {
	all, left := m.eachClass()
	var parts []mark
	var notes []string
	shown := 0
	for _, s := range all {
		rows, bad := s.finiteRows(c)
		left.add(bad)
		d, why := m.est.densityOf(rows.x, c.x.log, densityPlaces)
		if why != "" {
			if len(rows.x) > 0 || m.class != nil && !m.part {
				notes = append(notes, without("density", s.name, why))
			}
			continue
		}
		shown++
		if m.est.fill {
			fill := s.look(mark{kind: area, x: d.x, lo: make([]float64, len(d.x)), hi: d.y, ground: true})
			fill.alpha = orElse(m.alpha, 0.3)
			parts = append(parts, fill)
		}
		parts = append(parts, s.look(mark{kind: line, name: s.name, x: d.x, y: d.y, width: m.width, dash: m.dash, ground: true, peak: true}))
	}
	if shown == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("chart.KDE: %s; a density needs two different values. Show them with Strip or Hist", notes[0])
	}
	if c.x.log && c.y.defaultTitle == "density" {
		c.y.defaultTitle = "density of log₁₀"
	}
	return said(parts, left, notes), nil
}

// said returns the first part what is left out and what is to be said.
func said(parts []mark, left leftOut, notes []string) []mark {
	left.notes = append(left.notes, notes...)
	if !left.any() {
		return parts
	}
	if len(parts) == 0 {
		parts = []mark{{kind: texts}}
	}
	parts[0].lost.add(left)
	return parts
}

// Violin draws the density of each group: Violin(groups, values), Violin(f, "zone",
// "fare") of a frame, values alone, a map to slices, or a matrix; see [Chart.Violin].
func Violin(data ...any) *Chart {
	c, data := dataOf(data)
	return c.Violin(data...)
}

// Violin adds the densities of groups on both sides of their middles, all of the same
// area, from the smallest to the largest value (or beyond, as Cut says). Inside are the
// quartiles as a bar, whiskers to the furthest values within 1.5 times its length, and
// a point at the median (J. L. Hintze and R. D. Nelson, 1998). Classes of By stand
// beside each other, or, when they are two, on both sides after Split.
func (c *Chart) Violin(data ...any) *Chart { return c.grouped(violin, "Violin", data) }

// Split draws the violins of two classes as the halves of one.
func (c *Chart) Split() *Chart {
	c.needs("Split", "has no halves", violin).est.split = true
	return c
}

// Ridgeline draws the densities of groups above each other: Ridgeline(groups, values)
// or Ridgeline(f, "month", "temperature"); see [Chart.Ridgeline].
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
	c.fail(fmt.Errorf("chart.Ridgeline: %d arguments; give the group of each value and the values", len(data)))
	return c
}

// inRows returns groups as the group of each value and the values. Groups without a value
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

// Ridgeline adds a density for each group, the first on top, so close that they reach
// into each other. All have the same scale. Classes of By share the line of their group.
func (c *Chart) Ridgeline(groups, values any) *Chart {
	col, err := c.column("Ridgeline", "the groups", groups)
	named, ok := col.named()
	if err == nil && !ok {
		err = fmt.Errorf("chart.Ridgeline: the groups measure something; give names or whole numbers")
	}
	var v column
	if err == nil {
		v, err = c.column("Ridgeline", "the values", values)
	}
	switch {
	case err != nil:
	case v.levels != nil:
		err = fmt.Errorf("chart.Ridgeline: the values are names; densities are of numbers")
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

// ridgeParts draws the densities from the first line on, so that the next cover them.
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
		fill := r.s.look(mark{kind: area, x: r.x, lo: lo, hi: hi, ridge: true})
		fill.alpha = orElse(m.alpha, 0.75)
		edge := figure.Mix(r.s.color, figure.Ink(), 0.35)
		border := mark{kind: line, x: r.x, y: hi, color: &edge, width: orElse(m.width, 1.3), ridge: true}
		if name := r.s.name; name != "" && !named[name] {
			fill.name, named[name] = name, true
		}
		parts = append(parts, fill, border)
	}
	return said(parts, left, notes), nil
}
