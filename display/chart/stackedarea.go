package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// StackedArea draws amounts on top of each other: StackedArea(x, y1, y2 ...) for
// slices, or StackedArea(f, "year", "tons").By("crop") for a frame. See
// [Chart.StackArea].
func StackedArea(data ...any) *Chart {
	c, data := dataOf(data)
	if len(data) < 2 {
		c.fail(fmt.Errorf("chart.StackedArea: give x and the amounts of each area, or a frame and its columns, got %d arguments", len(data)))
		return c
	}
	for _, y := range data[1:] {
		c.StackArea(data[0], y)
	}
	return c
}

// StackArea adds an area with the amounts y over x, on top of the areas that were added before.
// Amounts with the same x are added up. If only other areas have an amount at some x, the amount of
// this area is 0 at that x. Negative amounts are errors, because areas cannot be negative.
// Normalized shows the amounts as percentages of their sum.
func (c *Chart) StackArea(x, y any) *Chart {
	xs, ys, ok := c.pair("StackArea", x, y)
	if !ok {
		return c
	}
	m := mark{kind: area, x: xs, y: ys, means: means{how: sum}, measured: measured{ground: true}, own: &areaData{pile: true}}
	if name, ok := y.(string); ok {
		m.yName = name
	}
	return c.add(m)
}

// Normalized shows stacked areas and bars as percentages of their sum at each x.
func (c *Chart) Normalized() *Chart { c.normalized, c.stacked = true, true; return c }

// pileUp puts the areas of a chart on top of each other, and normalizes areas and bars if
// Normalized is set.
func (c *Chart) pileUp() error {
	var areas, barred []*mark
	for i := range c.marks {
		switch m := &c.marks[i]; {
		case m.asArea().pile:
			areas = append(areas, m)
		case m.kind.about().stacks && c.normalized:
			barred = append(barred, m)
		}
	}
	if c.y.log && len(areas) > 0 {
		return errors.New("chart.StackArea: stacked amounts cannot have a logarithmic axis, on which equal amounts differ in height; leave LogY out")
	}
	if c.y.log && c.stacked && slices.ContainsFunc(c.marks, func(m mark) bool { return m.kind.about().stacks }) {
		return errors.New("chart.Stacked: stacked bars cannot have a logarithmic axis, on which equal amounts differ in height; leave LogY or Stacked out")
	}
	if c.normalized && len(areas)+len(barred) == 0 {
		return errors.New("chart.Normalized: the chart has neither bars nor stacked areas")
	}
	if c.normalized {
		c.y.whole = false
		if !c.y.fixed {
			c.y.lo, c.y.hi, c.y.fixed = 0, 100, true
		}
		of := c.y.label()
		c.y.title, c.y.defaultTitle = "", "share (%)"
		if of != "" {
			c.y.defaultTitle = "share of " + of + " (%)"
		}
	}
	for _, m := range barred {
		m.lo, m.hi = nil, nil
	}
	if err := c.shares(barred); err != nil {
		return err
	}
	return c.pileAreas(areas)
}

// shares divides the heights of marks by their sum at each x.
func (c *Chart) shares(marks []*mark) error {
	sums := map[float64]float64{}
	for _, m := range marks {
		for i, x := range m.x {
			if m.y[i] < 0 {
				return fmt.Errorf("chart.Normalized: the amounts of %s must not be negative, got %s", m.called(), short(m.y[i]))
			}
			if isFinite(m.y[i]) {
				sums[x] += m.y[i]
			}
		}
	}
	for _, m := range marks {
		m.y = slices.Clone(m.y)
		for i, x := range m.x {
			if sums[x] > 0 {
				m.y[i] *= 100 / sums[x]
			}
		}
	}
	return nil
}

// called returns the name of a mark for errors.
func (m *mark) called() string {
	if m.name != "" {
		return fmt.Sprintf("%q", m.name)
	}
	return fmt.Sprintf("one of the %s", m.kind)
}

// pileAreas sets the lower and upper ends of the areas at every x that one of them has. Where an
// amount is missing, its area and the areas on top of it have a gap.
func (c *Chart) pileAreas(areas []*mark) error {
	if len(areas) == 0 {
		return nil
	}
	var xs []float64
	at := map[float64]int{}
	for _, m := range areas {
		for i, x := range m.x {
			if m.y[i] < 0 {
				return fmt.Errorf("chart.StackArea: the amounts of %s must not be negative, got %s", m.called(), short(m.y[i]))
			}
			if !isFinite(x) {
				continue
			}
			if _, ok := at[x]; !ok {
				at[x] = 0
				xs = append(xs, x)
			}
		}
	}
	sort.Float64s(xs)
	for i, x := range xs {
		at[x] = i
	}
	if c.normalized {
		if err := c.shares(areas); err != nil {
			return err
		}
	}
	top := make([]float64, len(xs))
	for _, m := range areas {
		lo, hi := slices.Clone(top), slices.Clone(top)
		for i, x := range m.x {
			switch {
			case !isFinite(x):
				m.lost.notFinite++
			case !isFinite(m.y[i]):
				m.lost.add(leftOut{notFinite: 1, notes: []string{"areas have gaps there"}})
				hi[at[x]] = math.NaN()
			default:
				hi[at[x]] += m.y[i]
			}
		}
		m.x, m.y, m.lo, m.hi = xs, nil, lo, hi
		m.alpha = orElse(m.alpha, 0.85)
		top = slices.Clone(hi)
	}
	if slices.ContainsFunc(top, func(y float64) bool { return math.IsInf(y, 0) }) {
		return errors.New("chart.StackArea: the amounts are too large to add up")
	}
	return nil
}

// piled reports whether the chart has stacked areas, whose names are listed in the order of the
// areas.
func (c *Chart) piled() bool {
	return slices.ContainsFunc(c.marks, func(m mark) bool { return m.asArea().pile })
}
