package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// mostPanels is how many panels can be read.
const mostPanels = 36

// Facet draws a panel for each class of the labels, or of the column of that name,
// with the rows of that class in it and the axes shared. Two labels make a table of
// panels: a row for each class of the first, a column for each class of the second.
// Marks that have no label for each row are repeated in every panel; rows whose label
// is missing are left out.
func (c *Chart) Facet(labels ...any) *Panels {
	p := &Panels{share: true, faceted: true, title: c.title, interactive: c.interactive}
	if len(labels) < 1 || len(labels) > 2 {
		p.err = fmt.Errorf("chart.Facet: %d labels; give one, or one for the rows and one for the columns", len(labels))
		return p
	}
	var by []facets
	panels := 1
	for _, l := range labels {
		f, err := c.facets(l)
		if err == nil && len(by) > 0 && len(f.class) != len(by[0].class) {
			err = fmt.Errorf("chart.Facet: there are %d labels for rows and %d for columns", len(by[0].class), len(f.class))
		}
		if err != nil {
			p.err = err
			return p
		}
		by = append(by, f)
		panels *= len(f.names)
	}
	if panels > mostPanels {
		what := fmt.Sprintf("the labels have %d classes", panels)
		if len(by) == 2 {
			what = fmt.Sprintf("the labels have %d and %d classes", len(by[0].names), len(by[1].names))
		}
		p.err = fmt.Errorf("chart.Facet: %s; at most %d panels can be read", what, mostPanels)
		return p
	}
	edges := c.allEdges()
	f := faceting{c: c, rows: len(by[0].class), edges: edges}
	for i := range by[0].class {
		for _, b := range by {
			if b.class[i] < 0 {
				f.missing++
				break
			}
		}
	}
	if len(by) == 1 {
		for k, name := range by[0].names {
			p.charts = append(p.charts, f.panel(name, func(i int) bool { return by[0].class[i] == k }))
		}
	} else {
		p.rowNames, p.columnNames = by[0].names, by[1].names
		for a, row := range by[0].names {
			for b, column := range by[1].names {
				p.charts = append(p.charts, f.panel(row+", "+column, func(i int) bool { return by[0].class[i] == a && by[1].class[i] == b }))
			}
		}
	}
	if len(p.charts) == 0 {
		p.charts = append(p.charts, f.panel("", func(int) bool { return true })) // without rows, the empty chart
	}
	if !f.fits && c.err == nil {
		p.err = fmt.Errorf("chart.Facet: there are %d labels, but no mark has as many points", f.rows)
	}
	return p
}

// facets are the classes of one label.
type facets struct {
	class []int
	names []string
}

func (c *Chart) facets(labels any) (facets, error) {
	col, err := c.column("Facet", "labels", labels)
	if err != nil {
		return facets{}, err
	}
	class, names, ok := col.classes()
	if !ok {
		return facets{}, errors.New("chart.Facet: the labels are measurements; give names or whole numbers")
	}
	return facets{class, names}, nil
}

// faceting makes the panels of a chart.
type faceting struct {
	c       *Chart
	rows    int
	missing int // rows without a label, which the first panel mentions
	fits    bool
	edges   []float64
}

// panel is the chart with the rows for which keep holds.
func (f *faceting) panel(title string, keep func(i int) bool) *Chart {
	d := *f.c
	d.title, d.marks, d.edges = title, nil, f.edges
	for _, m := range f.c.marks {
		if len(m.x) == f.rows && m.rowwise() {
			m = m.subset(keep)
			m.part = true
			m.left, f.missing = f.missing, 0
			f.fits = true
		}
		d.marks = append(d.marks, m)
	}
	return &d
}

// allEdges gives the bins of the histograms of the whole chart, which its panels share.
func (c *Chart) allEdges() []float64 {
	p := &panel{c: c}
	if c.err != nil || p.prepareBins() != nil {
		return nil // an error that each panel reports
	}
	return p.edges
}

// table draws panels in rows and columns with their names outside.
func (p *Panels) table(panels []*panel, shared legend) (*figure.Figure, error) {
	n := len(p.columnNames)
	m := mosaic{gap: 10, top: p.columnNames, side: p.rowNames, common: true}
	for i := range p.rowNames {
		m.cells = append(m.cells, panels[i*n:(i+1)*n])
	}
	for _, q := range panels {
		if err := q.measure(); err != nil {
			return nil, err
		}
	}
	legendWidth := 0.0
	if !shared.empty() {
		legendWidth = shared.width()
	}
	w, h := p.w, p.h
	if w <= 0 {
		w = math.Min(820, math.Max(420, 60+200*float64(n))+legendWidth)
	}
	if h <= 0 {
		h = math.Max(300, 70+165*float64(len(p.rowNames)))
	}
	f := figure.New(w, h)
	top := titled(f, p.title)
	m.draw(f, rect{0, top, w - legendWidth, h})
	for i, q := range panels {
		q.c.title = p.charts[i].title
		f.Text += q.text() + "\n\n"
	}
	f.Text = withTitle(p.title, f.Text)
	if !shared.empty() {
		shared.draw(f, w-legendWidth+4, top+28, h-top-40)
	}
	return f, nil
}

// uniteColors gives the quantities of all panels one scale of colors.
func uniteColors(panels []*panel) {
	for i := range panels[0].c.marks {
		all := [2]float64{math.Inf(1), math.Inf(-1)}
		var of []*mark
		for _, q := range panels {
			if i < len(q.c.marks) && q.c.marks[i].value != nil {
				m := &q.c.marks[i]
				lo, hi := m.valueRange(m.value)
				all[0], all[1] = math.Min(all[0], lo), math.Max(all[1], hi)
				of = append(of, m)
			}
		}
		if all[0] > all[1] {
			continue
		}
		for _, m := range of {
			m.span = &all
		}
	}
	for _, q := range panels {
		q.legend = newLegend(q)
		q.labelDirectly()
	}
}

// oneLegend explains what any of the panels shows.
func oneLegend(panels []*panel) legend {
	out := panels[0].legend
	out.entries = slices.Clone(out.entries)
	for _, q := range panels[1:] {
		for _, e := range q.legend.entries {
			if !slices.Contains(out.entries, e) {
				out.entries = append(out.entries, e)
			}
		}
		if out.title == "" {
			out.title = q.legend.title
		}
		if out.bar == nil {
			out.bar = q.legend.bar
		}
		out.more = max(out.more, q.legend.more)
	}
	return out
}

// titled writes a title on top of several panels and gives the height that it takes.
func titled(f *figure.Figure, title string) float64 {
	if title == "" {
		return 0
	}
	f.Label(12, 22, titleFont.Fit(title, f.W-24), figure.TextStyle{Font: titleFont, Color: figure.Ink()})
	return 30
}

func withTitle(title, text string) string {
	text = strings.TrimRight(text, "\n")
	if title == "" {
		return text
	}
	return title + "\n\n" + text
}
