package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// heatColumns adds cells for the pairs of two columns of classes: the mean of a third
// column, or the number of rows.
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
	title := "count"
	if len(data) == 3 {
		col, err := c.column("Heatmap", "values", data[2])
		if err == nil && (col.levels != nil || len(col.v) != len(values)) {
			err = fmt.Errorf("chart.Heatmap: the values must be %d numbers", len(values))
		}
		if err != nil {
			c.fail(err)
			return c
		}
		values, title = col.v, ""
		if col.name != "" {
			title = "mean of " + col.name
		}
	}
	rows, columns := cols[0], cols[1]
	r, k := len(rows.levels), len(columns.levels)
	if r == 0 || k == 0 {
		return c.add(mark{kind: points}) // the empty frame
	}
	groups := make([][]float64, r*k)
	left := 0
	for i, z := range values {
		a, b := rows.v[i], columns.v[i]
		if a < 0 || b < 0 || !isFinite(z) {
			left++
			continue
		}
		cell := int(a)*k + int(b)
		groups[cell] = append(groups[cell], z)
	}
	t := table{r: r, c: k, v: make([]float64, r*k)}
	for i, g := range groups {
		switch {
		case len(data) == 2:
			t.v[i] = float64(len(g))
		case len(g) == 0:
			t.v[i] = math.NaN()
		default:
			t.v[i], _ = aggregate(mean, g)
		}
	}
	c.Heat(t).XNames(columns.levels...).YNames(rows.levels...)
	c.x.defaultTitle, c.y.defaultTitle = columns.name, rows.name
	m := c.last("Heatmap")
	m.left = left
	if len(data) == 2 {
		m.scheme = figure.Blues
	}
	if c.legendTitle == "" {
		c.legendTitle = title
	}
	return c
}
