package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// heatColumns adds cells for the pairs of two columns of classes: the mean of a third
// column, or what Aggregate says of it, or the number of rows.
func (c *Chart) heatColumns(data []any) *Chart {
	if len(data) < 2 || len(data) > 3 {
		c.fail(fmt.Errorf("chart.Heatmap: %d columns; give those of the rows and the columns, and perhaps that of the values", len(data)))
		return c
	}
	var cols [2]column
	for i, what := range []string{"rows", "columns"} {
		col, err := c.column("Heatmap", what, data[i])
		named, ok := col.named()
		if err == nil && !ok {
			err = fmt.Errorf("chart.Heatmap: %s measure something; give names or whole numbers", what)
		}
		if err == nil && i == 1 && len(col.v) != len(cols[0].v) {
			err = fmt.Errorf("chart.Heatmap: there are %d rows and %d columns for them; they must be equally many", len(cols[0].v), len(col.v))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		cols[i] = named
	}
	values := make([]float64, len(cols[0].v))
	name := ""
	if len(data) == 3 {
		col, err := c.column("Heatmap", "values", data[2])
		if err == nil && (col.levels != nil || len(col.v) != len(values)) {
			err = fmt.Errorf("chart.Heatmap: the values must be %d numbers", len(values))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		values, name = col.v, col.name
	}
	rows, columns := cols[0], cols[1]
	if len(rows.levels) == 0 || len(columns.levels) == 0 {
		return c.add(mark{kind: points}) // the empty frame
	}
	m := mark{kind: heat, x: columns.v, y: rows.v, value: values, yName: name, scheme: figure.Viridis, how: mean}
	if len(data) == 2 {
		m.how, m.scheme = count, figure.Blues
	}
	c.x.whole, c.y.whole, c.y.reverse = true, true, true
	c.add(m)
	c.x.levels, c.x.given, c.y.levels, c.y.given = columns.levels, columns.given(), rows.levels, rows.given()
	c.x.defaultTitle, c.y.defaultTitle = columns.name, rows.name
	return c
}

// cellParts makes the cells of a heat map of rows.
func (m mark) cellParts(c *Chart) []mark {
	r, k := len(c.y.levels), len(c.x.levels)
	groups := make([][]float64, r*k)
	left := 0
	for i, z := range m.value {
		a, b := m.y[i], m.x[i]
		if !(a >= 0 && b >= 0) || !isFinite(z) {
			left++
			continue
		}
		cell := int(a)*k + int(b)
		groups[cell] = append(groups[cell], z)
	}
	field := Field{NX: k, NY: r, X0: -0.5, X1: float64(k) - 0.5, Y0: -0.5, Y1: float64(r) - 0.5, Z: make([]float64, r*k)}
	for i, g := range groups {
		switch {
		case m.how == count:
			field.Z[i] = float64(len(g))
		case len(g) == 0:
			field.Z[i] = math.NaN()
		default:
			field.Z[i], _ = aggregate(m.how, g)
		}
	}
	if c.legendTitle == "" && m.how == count {
		c.legendTitle = count
	} else if c.legendTitle == "" && m.yName != "" {
		c.legendTitle = m.how + " of " + m.yName
	}
	return []mark{{kind: heat, field: field, scheme: m.scheme, left: m.left + left, span: m.span, part: m.part}}
}
