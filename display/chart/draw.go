package chart

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// wide reports whether a bar from x0 to x1 is wide enough for an outline in the background color.
// The outline would hide a narrow bar.
func (p *panel) wide(x0, x1 float64) bool { return math.Abs(p.x.at(x1)-p.x.at(x0)) >= 3 }

// bar draws the rectangle between two values of x and two values of y.
func (p *panel) bar(f *figure.Figure, x0, x1, y0, y1 float64, s figure.Style) {
	a, b := p.pt(x0, y0), p.pt(x1, y1)
	r := p.area
	left, right := math.Max(r.x0, math.Min(a.X, b.X)), math.Min(r.x1, math.Max(a.X, b.X))
	top, bottom := math.Max(r.y0, math.Min(a.Y, b.Y)), math.Min(r.y1, math.Max(a.Y, b.Y))
	if left < right && top < bottom {
		f.Rect(left, top, right-left, bottom-top, 0, s)
	}
}

// dashes are the dash patterns of lines: solid, the pattern of Dashed, and patterns that
// distinguish series of the same color.
var dashes = [][]float64{nil, {6, 4}, {2, 3}, {9, 3, 2, 3}, {12, 5}}

// colors is the number of series that differ in color.
const colors = 12

// dashes returns the dash pattern of a mark of the given series: series beyond the
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

// pt returns the position of a pair of values in pixels.
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

// inOrder returns the indices of the marks in the order in which they are drawn. Spans come first,
// so that other marks keep their colors, unless a field would cover the spans.
func (p *panel) inOrder() []int {
	order := make([]int, len(p.c.marks))
	for i := range order {
		order[i] = i
	}
	if covered, _ := p.raster(); !covered {
		last := func(i int) int {
			if p.c.marks[i].kind == spanned {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(order, func(i, k int) int { return last(i) - last(k) })
	}
	return order
}

// mark draws the i-th mark.
func (p *panel) mark(f *figure.Figure, m *mark, i int) {
	order := p.order(i)
	l := look{color: m.colorOf(order)}
	l.stroke = figure.Style{Stroke: figure.Opacity(l.color, orElse(m.alpha, 1)), Width: orElse(m.width, 1.8), Dash: dashes[m.dashes(order)]}
	m.kind.draw(p, f, m, i, l)
}
