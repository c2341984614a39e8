package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The orders of names that XOrder takes.
const (
	ascending  = "ascending"
	descending = "descending"
	frequency  = "frequency"
	byName     = "name"
)

var categoryOrders = []string{ascending, descending, frequency, byName}

// XOrder orders the names of the x axis: by "ascending" or "descending" values, by "frequency"
// (the name with the most rows first), or by "name" (the alphabet). Names with equal values keep
// their order. The value of a name is the height of its bar or bars, the median of its box, violin,
// strip, swarm or ridgeline, or the mean of its other marks. To choose the order yourself, call
// XNames.
func (c *Chart) XOrder(by string) *Chart { c.setErr(c.x.setOrder("XOrder", by)); return c }

// YOrder orders the names of the y axis, as XOrder does for the x axis.
func (c *Chart) YOrder(by string) *Chart { c.setErr(c.y.setOrder("YOrder", by)); return c }

func (a *axis) setOrder(option, by string) error {
	if !slices.Contains(categoryOrders, by) {
		return fmt.Errorf("chart.%s: the order must be one of %s, got %q; list names with %sNames", option, strings.Join(categoryOrders, ", "), by, option[:1])
	}
	a.orderBy, a.ordered = option, by
	return nil
}

// sorted turns the orders of both axes into lists of names.
func (c *Chart) sorted() error {
	for _, d := range []struct {
		a *axis
		x bool
	}{{&c.x, true}, {&c.y, false}} {
		a := d.a
		switch {
		case a.ordered == "":
			continue
		case a.asked != nil:
			return fmt.Errorf("chart.%s: %s already sets the order; leave one of them out", a.orderBy, a.askedBy)
		case a.levels == nil:
			return fmt.Errorf("chart.%s: this axis has no names to order", a.orderBy)
		}
		names := c.used(a, d.x)
		keys := make([]float64, len(names))
		if a.ordered != byName {
			values, rows, err := c.valuesOfNames(a, d.x)
			if err != nil {
				return err
			}
			for i, s := range names {
				k := slices.Index(a.levels, s)
				keys[i] = values[k]
				switch a.ordered {
				case frequency:
					keys[i] = -float64(rows[k])
				case descending:
					keys[i] = -values[k]
				}
			}
		}
		place := make([]int, len(names))
		for i := range place {
			place[i] = i
		}
		slices.SortStableFunc(place, func(i, j int) int {
			if a.ordered == byName {
				return cmp.Compare(names[i], names[j])
			}
			// A name without values comes last.
			if p, q := math.IsNaN(keys[i]), math.IsNaN(keys[j]); p || q {
				return cmp.Compare(map[bool]int{true: 1}[p], map[bool]int{true: 1}[q])
			}
			return cmp.Compare(keys[i], keys[j])
		})
		a.asked, a.askedBy, a.ordered = make([]string, len(names)), a.orderBy, ""
		for i, k := range place {
			a.asked[i] = names[k]
		}
	}
	return nil
}

// valuesOfNames returns, for each name on an axis, the value and the number of rows that decide its
// place.
func (c *Chart) valuesOfNames(a *axis, x bool) (values []float64, rows []int, err error) {
	values, rows = make([]float64, len(a.levels)), make([]int, len(a.levels))
	for i := range values {
		values[i] = math.NaN()
	}
	add := func(k int, v float64) {
		if math.IsNaN(values[k]) {
			values[k] = 0
		}
		values[k] += v
	}
	measured := false
	for i := range c.marks {
		m := &c.marks[i]
		if groups := m.asBox().groups; groups != nil && x {
			measured = true
			for k, g := range groups {
				if v := finite(g); k < len(rows) && len(v) > 0 {
					rows[k] += len(v)
					center, _ := aggregate(median, v)
					add(k, center)
				}
			}
			continue
		}
		at, of := m.x, m.y
		if !x {
			at, of = m.y, m.x
		}
		if m.value != nil && m.kind == heat {
			of = m.value
		}
		if !m.kind.about().series || m.kind.ownLevels(m) || m.kind == slope || len(at) != len(of) || len(at) == 0 || m.asLine().f != nil {
			continue
		}
		measured = true
		groups := map[[2]int][]float64{}
		for j, p := range at {
			k := int(p)
			if !isFinite(p) || k < 0 || k >= len(rows) || !isFinite(of[j]) {
				continue
			}
			rows[k]++
			class := 0
			if m.kind == bars && j < len(m.class) {
				class = m.class[j]
			}
			groups[[2]int{k, class}] = append(groups[[2]int{k, class}], of[j])
		}
		// Maps have no order, and sums of floats depend on it.
		keys := make([][2]int, 0, len(groups))
		for k := range groups {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
		for _, k := range keys {
			add(k[0], m.ordering(groups[k]))
		}
	}
	if !measured {
		option := a.orderBy
		return nil, nil, fmt.Errorf("chart.%s: no mark has a value for each name of the axis; list the names with %sNames (possible for: bars, lines, points, boxes, violins, strips, swarms, ridgelines and heat maps of columns)", option, option[:1])
	}
	return values, rows, nil
}

// ordering returns the number that stands for the values of a name.
func (m *mark) ordering(v []float64) float64 {
	how := m.how
	switch m.kind {
	case box, violin, strip, swarm, ridges:
		how = median
	case bars:
		if how == asIs {
			how = sum
		}
	}
	x, _ := aggregate(orText(how, mean), slices.Clone(v))
	return x
}

func finite(v []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return !isFinite(x) })
}
