package chart

import (
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// thinner drops points of a long line that are not visible: of the points in the same half
// pixel column it keeps the first, lowest, highest and last.
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

// polyline draws the part of a line inside the area.
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
