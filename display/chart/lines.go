package chart

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// line draws a line, or one that goes across before it goes up; points without neighbors,
// which have no line, become dots.
func (p *panel) line(f *figure.Figure, m *mark, s figure.Style) {
	m.drawn = p.course(m)
	p.polyline(f, m.drawn, s)
	broken := func(i int) bool {
		return i < 0 || i >= len(m.drawn) || !isFinite(m.drawn[i].X+m.drawn[i].Y)
	}
	dots := 0
	for i, q := range m.drawn {
		if !broken(i) && broken(i-1) && broken(i+1) && p.area.contains(q.X, q.Y) && dots < manyPoints {
			f.Marker(q.X, q.Y, 1.6*s.Width, figure.Circle, figure.Style{Fill: s.Stroke})
			dots++
		}
	}
}

// course returns the pixels of a line or of steps, thinned where they are many.
func (p *panel) course(m *mark) []figure.Point {
	n := len(m.x)
	if m.kind == step {
		n *= 2
	}
	t := thinner{whole: n < 5000, out: make([]figure.Point, 0, min(n, 4096))}
	var before figure.Point
	for k := range m.x {
		q := p.pt(m.x[k], m.y[k])
		if k > 0 && m.kind == step {
			if p.transposed {
				t.add(figure.Point{X: before.X, Y: q.Y})
			} else {
				t.add(figure.Point{X: q.X, Y: before.Y})
			}
		}
		t.add(q)
		before = q
	}
	t.flush()
	return t.out
}

// thinner leaves out points of a long line that no one can see: of those that fall on the
// same half pixel from left to right, the first, lowest, highest and last remain.
type thinner struct {
	out    []figure.Point
	whole  bool // all points remain
	column float64
	n      int             // points of the column so far
	kept   [4]figure.Point // the first, the lowest, the highest, the last
	place  [4]int          // among the points of the column
}

func (t *thinner) add(q figure.Point) {
	column := math.Floor(2 * q.X)
	switch {
	case t.whole:
		t.out = append(t.out, q)
		return
	case math.IsNaN(q.X + q.Y): // a gap
		t.flush()
		t.out = append(t.out, q)
		return
	case t.n == 0 || column != t.column:
		t.flush()
		t.column = column
		t.kept = [4]figure.Point{q, q, q, q}
	case q.Y < t.kept[1].Y:
		t.kept[1], t.place[1] = q, t.n
	case q.Y > t.kept[2].Y:
		t.kept[2], t.place[2] = q, t.n
	}
	t.kept[3], t.place[3] = q, t.n
	t.n++
}

// flush ends a column.
func (t *thinner) flush() {
	if t.n == 0 {
		return
	}
	if t.place[1] > t.place[2] {
		t.kept[1], t.kept[2], t.place[1], t.place[2] = t.kept[2], t.kept[1], t.place[2], t.place[1]
	}
	for i, q := range t.kept {
		if i == 0 || t.place[i] != t.place[i-1] {
			t.out = append(t.out, q)
		}
	}
	t.n, t.place = 0, [4]int{}
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
	if p.c.y.log {
		// What goes down to zero goes down to the end of the axis.
		whole := *m
		whole.lo = slices.Clone(m.lo)
		for i, lo := range m.lo {
			if lo <= 0 {
				whole.lo[i] = p.y.lo
			}
		}
		m = &whole
	}
	style := figure.Style{Fill: figure.Opacity(color, orElse(m.alpha, 0.22))}
	for start, i := 0, 0; i <= len(m.x); i++ {
		if i < len(m.x) && isFinite(m.x[i]) && isFinite(m.lo[i]) && isFinite(m.hi[i]) && !(p.c.y.log && m.hi[i] <= 0) && !(p.c.x.log && m.x[i] <= 0) {
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
