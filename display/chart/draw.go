package chart

import (
	"github.com/gokernel/gokernel/display/figure"
)

// dashes are the ways to draw a line: solid, as Dashed asks, and those that tell series
// of similar colors apart.
var dashes = [][]float64{nil, {6, 4}, {2, 3}, {9, 3, 2, 3}, {12, 5}}

// colors is how many series differ by their color alone.
const colors = 12

// dashes is the number of the dashes of a mark of the given series: those beyond the
// colors of the palette are dashed.
func (m *mark) dashes(order int) int {
	if m.dash {
		return 1
	}
	if m.series > 0 {
		order = m.series - 1
	} else if m.color != nil {
		return 0
	}
	return order / colors % len(dashes)
}

// pt returns the pixel of a pair of values.
func (p *panel) pt(x, y float64) figure.Point {
	if p.transposed {
		return figure.Point{X: p.y.at(y), Y: p.x.at(x)}
	}
	return figure.Point{X: p.x.at(x), Y: p.y.at(y)}
}

func (p *panel) pts(xs, ys []float64) []figure.Point {
	out := make([]figure.Point, len(xs))
	for i := range xs {
		out[i] = p.pt(xs[i], ys[i])
	}
	return out
}

func orElse(x, otherwise float64) float64 {
	if x > 0 {
		return x
	}
	return otherwise
}

// mark draws the i-th mark.
func (p *panel) mark(f *figure.Figure, m *mark, i int) {
	color := m.colorOf(p.order(i))
	stroke := figure.Style{Stroke: figure.Opacity(color, orElse(m.alpha, 1)), Width: orElse(m.width, 1.8)}
	stroke.Dash = dashes[m.dashes(p.order(i))]
	switch m.kind {
	case line:
		if m.lo != nil {
			p.band(f, m, color)
		}
		p.line(f, m, stroke)
	case step:
		if m.lo != nil {
			p.errorBars(f, m, stroke)
		}
		p.line(f, m, stroke)
	case points:
		p.points(f, m, color)
	case area:
		p.band(f, m, color)
	case bars:
		p.barMark(f, m, p.stacks[i], color)
	case hist:
		p.histogram(f, m, i, color)
	case errs:
		p.errorBars(f, m, stroke)
	case box:
		p.boxes(f, m, color)
	case heat:
		p.heat(f, m)
	case contour:
		p.contours(f, m, stroke)
	case region:
		p.region(f, m)
	case vectors:
		p.vectors(f, m)
	case texts:
		p.texts(f, m)
	case rule:
		p.rules(f, m, stroke)
	case polygon:
		p.polygon(f, m, color, stroke)
	case hexes:
		p.hexagons(f, m)
	}
}

// errorBars draws intervals with a cap at each end.
func (p *panel) errorBars(f *figure.Figure, m *mark, stroke figure.Style) {
	stroke.Width = orElse(m.width, 1.2)
	for k := range m.x {
		a, b := p.pt(m.x[k], m.lo[k]), p.pt(m.x[k], m.hi[k])
		if m.across {
			a, b = p.pt(m.lo[k], m.y[k]), p.pt(m.hi[k], m.y[k])
		}
		p.segment(f, a, b, stroke)
		for _, e := range []figure.Point{a, b} {
			if p.area.contains(e.X, e.Y) {
				if p.transposed != m.across {
					f.Line(e.X, e.Y-3, e.X, e.Y+3, stroke)
				} else {
					f.Line(e.X-3, e.Y, e.X+3, e.Y, stroke)
				}
			}
		}
	}
}

// contours draws level lines, in the colors of their levels unless the mark has one.
func (p *panel) contours(f *figure.Figure, m *mark, stroke figure.Style) {
	lo, hi := bounds(m.level)
	for _, level := range m.level {
		s := stroke
		s.Width = orElse(m.width, 1.3)
		if m.color == nil {
			s.Stroke = figure.Opacity(m.paint(level, lo, hi), orElse(m.alpha, 1))
		}
		for _, path := range m.field.levelLines(level) {
			p.polyline(f, p.pts(path.x, path.y), s)
		}
	}
}
