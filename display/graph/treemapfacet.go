package graph

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/facet"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a treemap for each class of the given labels, or of the column with the given name.
// Each panel shows the rows of its class. Equal amounts have equal areas in all panels, so a
// smaller total has a smaller treemap. A group has the same color in all panels. With two
// arguments, the panels form a grid with a row for each class of the first argument and a column
// for each class of the second argument. Rows with a missing label are omitted.
func (t *Treemap) Facet(labels ...any) *facet.Panels {
	if t.err != nil {
		return facet.Fail(t.err)
	}
	groups, err := variable.Reader{Verb: "graph.Facet", Table: t.reader.Table}.Split(labels)
	if err == nil && groups.Labels != len(t.amount) {
		err = fmt.Errorf("graph.Facet: there are %d labels for %d amounts", groups.Labels, len(t.amount))
	}
	if err != nil {
		return facet.Fail(err)
	}
	var parts []*Treemap
	var roots []*tile
	plan := facet.Plan{Title: t.title, Kind: "treemap", Rows: groups.Rows, Columns: groups.Columns}
	missing, nothing := 0, 0
	most := 0.0
	ends := [2]float64{math.Inf(1), math.Inf(-1)}
	for _, g := range groups.Panels {
		part := t.part(g.Keep)
		root, err := part.tiles()
		if err != nil {
			return facet.Fail(err)
		}
		missing, nothing = missing+part.missing, nothing+part.nothing
		if p := part.painter(root); t.by.V != nil && t.by.Levels == nil {
			ends = [2]float64{math.Min(ends[0], p.lo), math.Max(ends[1], p.hi)}
		}
		most = math.Max(most, root.amount)
		parts, roots, plan.Names = append(parts, part), append(roots, root), append(plan.Names, g.Name)
	}
	whole, err := t.tiles()
	if err != nil {
		return facet.Fail(err)
	}
	colors := map[string]int{}
	for i, c := range whole.children {
		colors[c.name] = i
	}
	for _, part := range parts {
		part.colors, part.note = colors, ""
		if ends[0] <= ends[1] {
			part.ends = &ends
		}
	}
	plan.Legend = t.facetLegend(whole, ends)
	plan.Note = facet.Missing(groups.Missing, leftOut(missing, nothing))
	plan.Height = func(w float64) float64 { return 0.75 * w }
	plan.Draw = func(k int, w, h float64) (*figure.Figure, error) {
		return parts[k].panel(roots[k], w, h, most), nil
	}
	return facet.New(plan)
}

// part returns the treemap of the rows for which keep returns true.
func (t *Treemap) part(keep func(row int) bool) *Treemap {
	part := *t
	part.title, part.path = "", nil
	for _, c := range t.path {
		c.V = variable.Kept(c.V, keep)
		part.path = append(part.path, c)
	}
	part.amount, part.by.V = variable.Kept(t.amount, keep), variable.Kept(t.by.V, keep)
	return &part
}

// facetLegend returns the legend of all panels. It lists groups even if their names are in the
// rectangles, because no panel may have all of them.
func (t *Treemap) facetLegend(whole *tile, ends [2]float64) guide.Legend {
	if t.by.V == nil && len(t.path) == 1 {
		return guide.Legend{}
	}
	one := *t
	if ends[0] <= ends[1] {
		one.ends = &ends
	}
	legend := one.painter(whole).legend
	legend.Title = t.path[0].Name
	if t.by.V != nil {
		legend.Title = t.by.Name
	}
	return legend
}

// panel draws a treemap whose area relative to the panel is its amount relative to most.
func (t *Treemap) panel(root *tile, w, h, most float64) *figure.Figure {
	f := figure.New(w, h)
	share := 0.0
	if most > 0 {
		share = math.Sqrt(root.amount / most)
	}
	root.r = rectangle{w * (1 - share) / 2, h * (1 - share) / 2, w * share, h * share}
	if root.amount == 0 {
		f.Label(w/2, h/2, "there are no amounts to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
	}
	root.squarify()
	t.painter(root).draw(f, root)
	f.Text = t.text(root)
	if small := root.tooSmall(); small != "" {
		guide.Note(f, small)
		f.Text += "\n" + small
	}
	return f
}
