package chart

import (
	"math"
	"slices"
	"sort"

	"github.com/gokernel/gokernel/display/figure"
)

// line draws a line; points without neighbors, which have no line, become dots.
func (p *panel) line(f *figure.Figure, pts []figure.Point, m *mark, s figure.Style) {
	m.drawn = thin(pts)
	p.polyline(f, m.drawn, s)
	if len(pts) > 1 && !slices.ContainsFunc(pts, func(q figure.Point) bool { return !isFinite(q.X + q.Y) }) {
		return
	}
	broken := func(i int) bool {
		return i < 0 || i >= len(pts) || math.IsNaN(pts[i].X+pts[i].Y) || math.IsInf(pts[i].X+pts[i].Y, 0)
	}
	dots := 0
	for i, q := range pts {
		if !broken(i) && broken(i-1) && broken(i+1) && p.area.contains(q.X, q.Y) && dots < manyPoints {
			f.Marker(q.X, q.Y, 1.6*s.Width, figure.Circle, figure.Style{Fill: s.Stroke})
			dots++
		}
	}
}

// steps draws a line that goes across before it goes up.
func (p *panel) steps(f *figure.Figure, m *mark, stroke figure.Style) {
	out := make([]figure.Point, 0, 2*len(m.x))
	var before figure.Point
	for k := range m.x {
		q := p.pt(m.x[k], m.y[k])
		switch {
		case k > 0 && p.transposed:
			out = append(out, figure.Point{X: before.X, Y: q.Y})
		case k > 0:
			out = append(out, figure.Point{X: q.X, Y: before.Y})
		}
		out = append(out, q)
		before = q
	}
	p.line(f, out, m, stroke)
}

// thin leaves out points of a long line that no one can see: of those that fall
// on the same half pixel from left to right, the first, lowest, highest and last
// remain.
func thin(pts []figure.Point) []figure.Point {
	if len(pts) < 5000 {
		return pts
	}
	out := make([]figure.Point, 0, 4096)
	for i := 0; i < len(pts); {
		column := math.Floor(2 * pts[i].X)
		j, lo, hi := i, i, i
		for j < len(pts) && math.Floor(2*pts[j].X) == column && !math.IsNaN(pts[j].Y) {
			if pts[j].Y < pts[lo].Y {
				lo = j
			}
			if pts[j].Y > pts[hi].Y {
				hi = j
			}
			j++
		}
		if j == i { // a gap
			out = append(out, pts[i])
			i++
			continue
		}
		keep := []int{i, lo, hi, j - 1}
		sort.Ints(keep)
		for n, k := range keep {
			if n == 0 || k != keep[n-1] {
				out = append(out, pts[k])
			}
		}
		i = j
	}
	return out
}

// polyline draws the part of a line that lies in the area.
func (p *panel) polyline(f *figure.Figure, pts []figure.Point, s figure.Style) {
	var run []figure.Point
	flush := func() {
		if len(run) > 1 {
			f.Polyline(run, s)
		}
		run = nil
	}
	for i := 1; i < len(pts); i++ {
		a, b, ok := clipSegment(pts[i-1], pts[i], p.area)
		if !ok {
			flush()
			continue
		}
		if len(run) == 0 || run[len(run)-1] != a {
			flush()
			run = append(run, a)
		}
		run = append(run, b)
		if b != pts[i] {
			flush()
		}
	}
	flush()
}

func (p *panel) segment(f *figure.Figure, a, b figure.Point, s figure.Style) {
	if a, b, ok := clipSegment(a, b, p.area); ok {
		f.Line(a.X, a.Y, b.X, b.Y, s)
	}
}

func (p *panel) band(f *figure.Figure, m *mark, color figure.Color) {
	style := figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 0.22))}
	for start, i := 0, 0; i <= len(m.x); i++ {
		if i < len(m.x) && isFinite(m.x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) {
			continue
		}
		if i-start > 1 {
			shape := p.pts(m.x[start:i], m.hi[start:i])
			low := p.pts(m.x[start:i], m.lo[start:i])
			for k := len(low) - 1; k >= 0; k-- {
				shape = append(shape, low[k])
			}
			if shape = clipPolygon(shape, p.area); len(shape) > 2 {
				f.Polygon(shape, style)
			}
		}
		start = i + 1
	}
}

// rules draws lines across the whole panel.
func (p *panel) rules(f *figure.Figure, m *mark, stroke figure.Style) {
	stroke.Width = orElse(m.width, 1.2)
	for _, x := range m.x {
		p.segment(f, p.pt(x, p.y.lo), p.pt(x, p.y.hi), stroke)
	}
	for _, y := range m.y {
		p.segment(f, p.pt(p.x.lo, y), p.pt(p.x.hi, y), stroke)
	}
}

// polygon draws a filled outline, cut at the panel.
func (p *panel) polygon(f *figure.Figure, m *mark, color figure.Color, stroke figure.Style) {
	fill := figure.Opacity(color, orElse(m.alpha, 0.25))
	s := figure.Style{Stroke: color, Width: orElse(m.width, 1.5), Fill: fill, Dash: stroke.Dash}
	if m.plain {
		s = figure.Style{Fill: fill}
	}
	if shape := clipPolygon(p.pts(m.x, m.y), p.area); len(shape) > 2 {
		f.Polygon(shape, s)
	}
}
