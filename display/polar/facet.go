package polar

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/facet"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a circle for each class of the given labels, or of the column with the given name.
// Each panel shows the rows of its class. All circles have the same scales of distances and colors.
// With two arguments, the panels form a grid with a row for each class of the first argument and a
// column for each class of the second argument. Marks without a label for each row are repeated in
// every circle. Rows with a missing label are omitted.
func (c *Chart) Facet(labels ...any) *facet.Panels {
	if c.err != nil {
		return facet.Fail(c.err)
	}
	groups, err := variable.Reader{Verb: "polar.Facet", Table: c.reader.Table}.Split(labels)
	if err != nil {
		return facet.Fail(err)
	}
	var parts []*Chart
	var names []string
	far, left, fits := 0.0, 0, false
	for _, g := range groups.Panels {
		part := c.part(g.Keep, groups.Labels)
		far, left = math.Max(far, part.farthest()), left+part.missing()
		parts, names = append(parts, part), append(names, g.Name)
	}
	for i := range c.marks {
		fits = fits || len(c.marks[i].r) == groups.Labels
	}
	if !fits {
		return facet.Fail(fmt.Errorf("polar.Facet: there are %d labels, but no mark has as many points", groups.Labels))
	}
	plan := facet.Plan{Title: c.title, Kind: "polar chart", Names: names, Rows: groups.Rows, Columns: groups.Columns, Legend: c.legend(), Below: c.radial}
	whole := Chart{left: left}
	if left > 0 {
		plan.Note = whole.note()
	}
	plan.Note = facet.Missing(groups.Missing, plan.Note)
	plan.Height = func(w float64) float64 { return w }
	plan.Draw = func(k int, w, h float64) (*figure.Figure, error) {
		part := parts[k]
		part.far = far
		return part.panel(math.Min(w, h))
	}
	return facet.New(plan)
}

// part returns the chart with the rows for which keep returns true, in the marks that have n
// rows.
func (c *Chart) part(keep func(row int) bool, n int) *Chart {
	part := *c
	part.title, part.marks = "", nil
	for _, m := range c.marks {
		if m.value != nil {
			lo, hi := guide.Span(m.value)
			m.ends = &[2]float64{lo, hi}
		}
		if len(m.r) == n {
			m.theta, m.r = variable.Kept(m.theta, keep), variable.Kept(m.r, keep)
			m.class, m.value = variable.Kept(m.class, keep), variable.Kept(m.value, keep)
		}
		part.marks = append(part.marks, m)
	}
	return &part
}

// panel draws the chart without title, legend and note.
func (c *Chart) panel(side float64) (*figure.Figure, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.left = c.missing()
	f := figure.New(side, side)
	f.Text = c.text(c.paint(f, 0, side), guide.Legend{})
	return f, nil
}
