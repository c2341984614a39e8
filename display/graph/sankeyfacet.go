package graph

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/facet"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a diagram for each class of the given labels, or of the column with the given name.
// Each panel shows the flows of its class. In all diagrams, equal amounts have the same width and a
// node has the same color. With two arguments, the panels form a grid with a row for each class of
// the first argument and a column for each class of the second argument. Flows with a missing label
// are omitted.
func (s *Sankey) Facet(labels ...any) *facet.Panels {
	if s.err != nil {
		return facet.Fail(s.err)
	}
	groups, err := variable.Reader{Verb: "graph.Facet", Table: s.reader.Table}.Split(labels)
	if err == nil && groups.Labels != len(s.amounts) {
		err = fmt.Errorf("graph.Facet: there are %d labels for %d flows", groups.Labels, len(s.amounts))
	}
	if err != nil {
		return facet.Fail(err)
	}
	colors := map[string]int{}
	for i, n := range s.nodes {
		colors[n.name] = i
	}
	var parts []*Sankey
	plan := facet.Plan{Title: s.title, Kind: "Sankey diagram", Rows: groups.Rows, Columns: groups.Columns, Width: 390, Cols: min(2, len(groups.Panels))}
	missing, nothing, unbalanced, most := 0, 0, 0, 0
	for _, g := range groups.Panels {
		part := &Sankey{unit: s.unit, colors: colors, from: s.from, to: s.to, amounts: variable.Kept(s.amounts, g.Keep)}
		part.from.V, part.to.V = variable.Kept(s.from.V, g.Keep), variable.Kept(s.to.V, g.Keep)
		if part.read(); part.err != nil {
			return facet.Fail(part.err)
		}
		if part.unbalanced() != "" {
			unbalanced++
		}
		missing, nothing = missing+part.missing, nothing+part.nothing
		most = max(most, part.layout().most())
		part.amount = s.amount
		parts, plan.Names = append(parts, part), append(plan.Names, g.Name)
	}
	plan.Note = facet.Missing(groups.Missing, leftOut(missing, nothing))
	if unbalanced > 0 {
		plan.Note = facet.Missing(groups.Missing, leftOut(missing, nothing),
			guide.Plural(unbalanced, "panel has nodes that do not pass on what they get", "panels have nodes that do not pass on what they get"))
	}
	plan.Height = func(float64) float64 { return math.Min(600, math.Max(220, 60+30*float64(most))) }
	plan.Draw = func(k int, w, h float64) (*figure.Figure, error) {
		f := figure.New(w, h)
		l := parts[k].layout()
		l.limit = sharedScale(parts, h)
		l.place(8, h-8)
		l.draw(f)
		f.Text = parts[k].text()
		return f, nil
	}
	return facet.New(plan)
}

// sharedScale returns the pixels per unit at which all diagrams fit into the height.
func sharedScale(parts []*Sankey, h float64) float64 {
	scale := math.Inf(1)
	for _, s := range parts {
		if len(s.flows) > 0 {
			l := s.layout()
			l.place(8, h-8)
			scale = math.Min(scale, l.scale)
		}
	}
	return scale
}
