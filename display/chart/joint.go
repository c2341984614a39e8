package chart

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// JointPlot shows two variables, with the distribution of each variable at the margins; [Joint]
// returns a JointPlot.
type JointPlot struct {
	c       *Chart
	x, y    any
	by      any
	kind    string
	density bool
	title   string
	w, h    float64
	err     error
}

// Joint draws two variables against each other, with the histogram of the first above them and the
// histogram of the second on the right: Joint(x, y), or Joint(f, "x", "y") for a frame.
func Joint(data ...any) *JointPlot {
	c, data := dataOf(data)
	p := &JointPlot{c: c, kind: "scatter"}
	if len(data) != 2 {
		p.err = fmt.Errorf("chart.Joint: there are %d variables; give x and y", len(data))
		return p
	}
	p.x, p.y = data[0], data[1]
	return p
}

// Kind sets how the two variables are drawn: "scatter" (the default), "hex", "kde" or "regression".
func (p *JointPlot) Kind(kind string) *JointPlot {
	switch kind {
	case "scatter", "hex", "kde", "regression":
		p.kind = kind
	default:
		if p.err == nil {
			p.err = fmt.Errorf("chart.Kind: the kind must be scatter, hex, kde or regression, got %q", kind)
		}
	}
	return p
}

// By colors the rows by the given labels, or by the column with the given name.
func (p *JointPlot) By(labels any) *JointPlot { p.by = labels; return p }

// Density draws densities at the margins instead of histograms.
func (p *JointPlot) Density() *JointPlot { p.density = true; return p }

// Title sets the title above the figure.
func (p *JointPlot) Title(s string) *JointPlot { p.title = guide.Typeset(s); return p }

// Size sets the width and height of the whole figure in CSS pixels.
func (p *JointPlot) Size(w, h float64) *JointPlot { p.w, p.h = w, h; return p }

// Display renders the figure.
func (p *JointPlot) Display() (display.Bundle, error) { return displayed(p.Figure()) }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (p *JointPlot) Save(path string) error { return figure.Save(p, path) }

// start creates one of the charts.
func (p *JointPlot) start() *Chart {
	c := New()
	c.data = p.c.data
	return c
}

// center returns the chart of both variables.
func (p *JointPlot) center() *Chart {
	c := p.start()
	c.shape = 1
	switch p.kind {
	case "hex":
		c.Hexbin(p.x, p.y)
	case "kde":
		c.KDE2D(p.x, p.y)
		if p.by == nil {
			c.Fill()
		}
	case "regression":
		c.Regression(p.x, p.y)
	default:
		c.Points(p.x, p.y)
		if m := &c.marks[len(c.marks)-1]; m.kind == points {
			m.radius = radius(len(m.x)) // the panel is nearly the whole figure
		}
	}
	if p.by != nil {
		c.By(p.by)
	}
	return c
}

// side returns the chart of one variable.
func (p *JointPlot) side(v any) *Chart {
	c := p.start()
	switch {
	case p.density || p.by != nil || p.kind == "kde":
		c.KDE(v).Fill()
	default:
		c.Hist(v)
	}
	if p.by != nil {
		c.By(p.by)
	}
	c.noLegend, c.y.hidden = true, true
	return c
}

// Figure draws the panels without rendering them to a format.
func (p *JointPlot) Figure() (*figure.Figure, error) {
	if p.err != nil {
		return nil, p.err
	}
	right := p.side(p.y)
	right.horizontal, right.x.reverse = true, true // its variable grows upwards
	var panels [3]*panel
	for i, c := range []*Chart{p.center(), p.side(p.x), right} {
		q, err := newPanel(c)
		if err != nil {
			return nil, err
		}
		panels[i] = q
	}
	center, above, beside := panels[0], panels[1], panels[2]
	for _, e := range []struct{ a, b *extent }{{&center.xe, &above.xe}, {&center.ye, &beside.xe}} {
		e.a.join(*e.b)
		*e.b = *e.a
	}
	for _, q := range panels {
		if err := q.measure(); err != nil {
			return nil, err
		}
	}
	above.leftOut, beside.leftOut = leftOut{}, leftOut{} // the center says so
	above.hideXLabels, beside.hideYLabels = true, true
	lines := center.legend
	legendWidth := 0.0
	if !lines.empty() {
		legendWidth = lines.width()
	}
	w, h := p.w, p.h
	if w <= 0 {
		w = 480 + legendWidth
	}
	if h <= 0 {
		h = 470
	}
	f := figure.New(w, h)
	top := titled(f, p.title, "")
	m := mosaic{same: true, cells: [][]*panel{{above, nil}, {center, beside}}, wide: []float64{5.2, 1}, high: []float64{1, 5.2}, gap: 8}
	m.draw(f, rect{0, top, w - legendWidth, h})
	if !lines.empty() {
		lines.draw(f, w-legendWidth+4, math.Max(center.area.y0, top+20), center.area.h())
	}
	f.Text = withTitle(p.title, center.text())
	return f, nil
}
