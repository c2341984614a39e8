package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Facet draws a panel for each class of the given labels, or of the column with the given name.
// Each panel shows the rows of its class. All panels have the same axes. With two arguments, the
// panels form a grid with a row for each class of the first argument and a column for each class of
// the second argument. Marks without a label for each row are repeated in every panel. Rows with a
// missing label are left out.
func (c *Chart) Facet(labels ...any) *Panels {
	p := &Panels{share: true, faceted: true, title: c.title, subtitle: c.subtitle, interactive: c.interactive}
	r := variable.Reader{Verb: "chart.Facet"}
	if c.data != nil {
		r.Table = c.data
	}
	groups, err := r.Split(labels)
	if err != nil {
		p.err = err
		return p
	}
	p.rowNames, p.columnNames = groups.Rows, groups.Columns
	// All panels have the order of the whole chart.
	d := *c
	d.setErr(d.sorted())
	c = &d
	f := faceting{c: c, rows: groups.Labels, missing: groups.Missing, edges: c.allEdges()}
	for _, g := range groups.Panels {
		p.charts = append(p.charts, f.panel(g.Name, g.Keep))
	}
	p.crowd()
	if !f.fits && c.err == nil {
		p.err = c.noRows(f.rows)
	}
	return p
}

// crowd sets the radius and the opacity of the points in all panels by the panel with the most
// points.
func (p *Panels) crowd() {
	if len(p.charts) == 0 {
		return
	}
	for i := range p.charts[0].marks {
		most := 0
		for _, c := range p.charts {
			most = max(most, len(c.marks[i].x))
		}
		for _, c := range p.charts {
			c.marks[i].crowd = most
		}
	}
}

// noRows returns an error that says why the labels fit no mark.
func (c *Chart) noRows(labels int) error {
	for i := range c.marks {
		if m := &c.marks[i]; m.kind.rowwise(m) {
			return fmt.Errorf("chart.Facet: there are %d labels, but no mark has as many points", labels)
		}
	}
	m := &mark{kind: points}
	if len(c.marks) > 0 {
		m = &c.marks[0]
	}
	return m.kind.noRows(m, "Facet")
}

// faceting makes the panels of a chart.
type faceting struct {
	c       *Chart
	rows    int
	missing int // rows without a label, which the first panel mentions
	fits    bool
	edges   []float64
}

// panel returns the chart with only the rows for which keep returns true.
func (f *faceting) panel(title string, keep func(i int) bool) *Chart {
	d := *f.c
	d.title, d.subtitle, d.marks, d.edges = title, "", nil, f.edges
	for _, m := range f.c.marks {
		if len(m.x) == f.rows*max(1, m.asSlope().moments) && m.kind.rowwise(&m) {
			m.kind.facet(&m, f.c)
			m = m.subset(func(i int) bool { return keep(i % f.rows) })
			m.part = true
			m.left, f.missing = f.missing, 0
			f.fits = true
		}
		d.marks = append(d.marks, m)
	}
	return &d
}

// allEdges returns the bins that the histograms of all panels share.
func (c *Chart) allEdges() []float64 {
	p := &panel{c: c}
	if c.err != nil || p.prepareBins() != nil {
		return nil // each panel reports the error
	}
	return p.edges
}

// table draws panels in rows and columns with their names outside.
func (p *Panels) table(panels []*panel, l *arrangement) (*figure.Figure, error) {
	shared := l.legend
	n := len(p.columnNames)
	m := mosaic{wide: p.wide, high: p.high, gap: 10, top: p.columnNames, side: p.rowNames, common: true}
	for i := range p.rowNames {
		m.cells = append(m.cells, panels[i*n:(i+1)*n])
	}
	for _, q := range panels {
		if err := q.measure(); err != nil {
			return nil, err
		}
	}
	legendWidth, legendHeight := 0.0, 0.0
	if !shared.empty() && !shared.place.level() {
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
	top := titled(f, p.title, p.subtitle)
	inside := rect{0, top, w - legendWidth, h}
	if !shared.empty() && shared.place.level() {
		_, _, legendHeight = shared.flow(w - 2*legendSide)
		y := top + 6
		if shared.place == legendTop {
			inside.y0 += legendHeight + levelGap
		} else {
			inside.y1 -= legendHeight + levelGap
			y = h - legendHeight - 4
		}
		shared.drawLevel(f, legendSide, y, w-2*legendSide)
	}
	m.draw(f, inside)
	for i, q := range panels {
		q.c.title = p.charts[i].title
		f.Text += q.text() + "\n\n"
	}
	f.Text = withTitle(p.title, withTitle(p.subtitle, f.Text))
	if !shared.empty() && !shared.place.level() {
		shared.draw(f, w-legendWidth+4, top+28, h-top-40)
	}
	return f, nil
}

// uniteColors makes all panels share one color scale.
func uniteColors(panels []*panel) {
	for i := range panels[0].c.marks {
		all := [2]float64{math.Inf(1), math.Inf(-1)}
		var shared []*mark
		for _, q := range panels {
			if i >= len(q.c.marks) {
				continue
			}
			m := &q.c.marks[i]
			if of := m.kind.quantity(m); of != nil {
				lo, hi := m.valueRange(of)
				all[0], all[1] = math.Min(all[0], lo), math.Max(all[1], hi)
				shared = append(shared, m)
			}
		}
		if all[0] > all[1] {
			continue
		}
		for _, m := range shared {
			m.span = &all
		}
	}
	for _, q := range panels {
		q.legend = newLegend(q)
		q.labelDirectly()
	}
}

// oneLegend returns a legend for all panels.
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

// titled writes a title and a subtitle above several panels and returns their height.
func titled(f *figure.Figure, title, subtitle string) float64 {
	if title == "" {
		return 0
	}
	low := guide.Title(f, title, f.W)
	for i, s := range tickFont.Wrap(subtitle, f.W-24, subtitleLines) {
		f.Label(12, low-2+subtitleLine*float64(i+1), s, figure.TextStyle{Font: tickFont, Color: figure.Soft()})
	}
	return 6 + low + subtitleHeight(subtitle, f.W)
}

// subtitleHeight returns the height of a subtitle above several panels.
func subtitleHeight(subtitle string, w float64) float64 {
	return subtitleLine * float64(len(tickFont.Wrap(subtitle, w-24, subtitleLines)))
}

func withTitle(title, text string) string {
	text = strings.TrimRight(text, "\n")
	if title == "" {
		return text
	}
	return title + "\n\n" + text
}
