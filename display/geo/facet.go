package geo

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/facet"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a map for each class of the given labels, or of the column with the given name. Each
// panel shows the rows of its class. All maps have the same regions, projection and colors. With
// two arguments, the panels form a grid with a row for each class of the first argument and a
// column for each class of the second argument. Points and region values that have no labels are
// repeated in every map. Rows with a missing label are omitted. Panels are not interactive.
func (m *Map) Facet(labels ...any) *facet.Panels {
	if m.interactive {
		return facet.Fail(errors.New("geo.Facet: panels are not interactive; leave Interactive out"))
	}
	whole, err := m.sheet()
	if err != nil {
		return facet.Fail(err)
	}
	groups, err := variable.Reader{Verb: "geo.Facet", Table: m.reader.Table}.Split(labels)
	if n := groups.Labels; err == nil && n != len(m.points) && n != len(m.rows[0].V) {
		err = fmt.Errorf("geo.Facet: there are %d labels for %s", n, m.counted())
	}
	if err != nil {
		return facet.Fail(err)
	}
	plan := facet.Plan{Title: m.title, Kind: "map", Rows: groups.Rows, Columns: groups.Columns}
	var parts []*Map
	var sheets []*sheet
	ends := [2]float64{math.Inf(1), math.Inf(-1)}
	left := 0
	for _, g := range groups.Panels {
		part := m.part(g.Keep, groups.Labels)
		s, err := part.sheet()
		if err != nil {
			return facet.Fail(err)
		}
		if s.lo <= s.hi {
			ends = [2]float64{math.Min(ends[0], s.lo), math.Max(ends[1], s.hi)}
		}
		left += part.left + s.unplaced()
		parts, sheets, plan.Names = append(parts, part), append(sheets, s), append(plan.Names, g.Name)
	}
	for _, s := range sheets {
		if ends[0] <= ends[1] {
			s.m.ends = &ends
		}
		s.legend = guide.Legend{}
		s.colors() // from the common scale
	}
	plan.Legend = facetLegend(sheets)
	whole.m = &Map{size: m.size, sizeOf: m.sizeOf, left: left}
	plan.Note = facet.Missing(groups.Missing, whole.note())
	plan.Height = func(w float64) float64 { return m.heightAt(w) }
	plan.Draw = func(k int, w, h float64) (*figure.Figure, error) {
		zoom := display.CurrentTheme().Zoom()
		parts[k].w, parts[k].h = w*zoom, h*zoom
		s, err := parts[k].sheet()
		if err != nil {
			return nil, err
		}
		f := figure.New(w, h)
		s.draw(f)
		f.Text = s.text()
		return f, nil
	}
	return facet.New(plan)
}

// counted returns the number of rows as text.
func (m *Map) counted() string {
	if m.points != nil {
		return guide.Plural(len(m.points), "point", "points")
	}
	return guide.Plural(len(m.rows[0].V), "row", "rows")
}

// part returns the map with the rows for which keep returns true, if there are n rows.
func (m *Map) part(keep func(row int) bool, n int) *Map {
	part := *m
	part.title, part.whole = "", m
	if len(m.rows[0].V) == n {
		part.rows[0].V, part.rows[1].V = variable.Kept(m.rows[0].V, keep), variable.Kept(m.rows[1].V, keep)
		part.take()
	}
	if len(m.points) == n {
		part.points, part.class = variable.Kept(m.points, keep), variable.Kept(m.class, keep)
		part.shade, part.size = variable.Kept(m.shade, keep), variable.Kept(m.size, keep)
	}
	return &part
}

// facetLegend explains the colors of all panels.
func facetLegend(sheets []*sheet) guide.Legend {
	legend := guide.Legend{}
	for _, s := range sheets {
		if legend.Title == "" || s.several {
			legend.Title = s.legend.Title
		}
		if b := s.legend.Bar; b != nil {
			whole := b.Whole && (legend.Bar == nil || legend.Bar.Whole)
			legend.Bar = &guide.Bar{Scheme: b.Scheme, Lo: b.Lo, Hi: b.Hi, Whole: whole}
		}
		for _, e := range s.legend.Entries {
			if !slices.Contains(legend.Entries, e) {
				legend.Entries = append(legend.Entries, e)
			}
		}
	}
	return legend
}

// heightAt returns the height of a panel with the given width.
func (m *Map) heightAt(w float64) float64 {
	part := *m
	part.title, part.whole, part.w, part.h = "", m, w*display.CurrentTheme().Zoom(), 0
	s, err := part.sheet()
	if err != nil {
		return w // Draw reports the error
	}
	return s.h
}
