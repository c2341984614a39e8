package plot3d

import (
	"errors"
	"fmt"

	"github.com/gokernel/gokernel/display/facet"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a chart for each class of the given labels, or of the column with the given name.
// Each panel shows the points of its class. All charts have the same axes, view and colors. With
// two arguments, the panels form a grid with a row for each class of the first argument and a
// column for each class of the second argument. A surface, and points without labels, are repeated
// in every panel. Points with a missing label are omitted. Panels cannot be rotated.
func (c *Chart) Facet(labels ...any) *facet.Panels {
	whole, err := c.scene()
	if err != nil {
		return facet.Fail(err)
	}
	if c.interactive {
		return facet.Fail(errors.New("plot3d.Facet: panels cannot be rotated: omit Interactive"))
	}
	groups, err := variable.Reader{Verb: "plot3d.Facet", Table: c.reader.Table}.Split(labels)
	if err != nil {
		return facet.Fail(err)
	}
	fits, points := false, 0
	for _, s := range c.sets {
		fits, points = fits || len(s.p[0]) == groups.Labels, points+len(s.p[0])
	}
	switch {
	case len(c.sets) == 0:
		return facet.Fail(errors.New("plot3d.Facet: a surface has no rows to label: add points, or draw the surfaces separately"))
	case !fits:
		return facet.Fail(fmt.Errorf("plot3d.Facet: there are %d labels, but no mark has as many points", groups.Labels))
	}
	var parts []*scene
	plan := facet.Plan{Title: c.title, Kind: "chart in space", Rows: groups.Rows, Columns: groups.Columns, Legend: whole.legend}
	left := 0
	for _, g := range groups.Panels {
		part, err := c.part(g.Keep, groups.Labels, whole.ranges, usualRadius(points)).scene()
		if err != nil {
			return facet.Fail(err)
		}
		left += part.left
		part.legend, part.note = guide.Legend{}, ""
		parts, plan.Names = append(parts, part), append(plan.Names, g.Name)
	}
	plan.Note = facet.Missing(groups.Missing, notFinite(left))
	plan.Height = func(w float64) float64 { return 0.86 * w }
	plan.Draw = func(k int, w, h float64) (*figure.Figure, error) {
		parts[k].c.w, parts[k].c.h = w, h
		return parts[k].figure(), nil
	}
	return facet.New(plan)
}

// part returns the chart with the points for which keep returns true, in the sets of n points.
func (c *Chart) part(keep func(row int) bool, n int, ranges [3]range3, radius float64) *Chart {
	part := *c
	part.title, part.sets, part.ranges = "", nil, &ranges
	for _, s := range c.sets {
		if s.radius <= 0 {
			s.radius = radius
		}
		if s.by.V != nil {
			lo, hi := guide.Span(s.by.V)
			s.ends = &[2]float64{lo, hi}
		}
		if len(s.p[0]) == n {
			for k := range s.p {
				s.p[k] = variable.Kept(s.p[k], keep)
			}
			s.by.V, s.class = variable.Kept(s.by.V, keep), variable.Kept(s.class, keep)
		}
		part.sets = append(part.sets, s)
	}
	return &part
}
