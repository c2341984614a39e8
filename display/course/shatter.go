package course

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/mlstd/theory"
)

// mostPanels is the maximum number of labelings, which is the number for five points.
const mostPanels = 32

// Shatter draws all labelings of at most five points, in the plane or on a line, as small panels.
// Filled points are inside the concept that is drawn with them. A labeling that the hypothesis
// class cannot realize has a red frame.
func Shatter(s *theory.Shattering) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) { return shatter(s) }}
}

func shatter(s *theory.Shattering) (*figure.Figure, error) {
	if s == nil || len(s.Points) == 0 {
		return nil, fmt.Errorf("Shatter: there are no points: pass ml.Shatter(ml.HalfSpaces{}, points)")
	}
	if d := len(s.Points[0]); d > 2 {
		return nil, fmt.Errorf("Shatter: the points have %d coordinates; at most 2 can be drawn", d)
	}
	if n := len(s.Labels); n > mostPanels {
		return nil, fmt.Errorf("Shatter: there must be at most %[2]d labelings (five points), got %[1]d", n, mostPanels)
	}
	const side, gap, margin, head = 96.0, 12.0, 12.0, 30.0
	columns := min(len(s.Labels), 8)
	rows := (len(s.Labels) + columns - 1) / columns
	f := figure.New(2*margin+float64(columns)*(side+gap)-gap, margin+head+float64(rows)*(side+gap)-gap+margin)
	title := fmt.Sprintf("%v: %d of %d labelings", s.Class, s.Count(), len(s.Labels))
	f.Label(margin, margin+14, title, figure.TextStyle{Font: figure.Font{Size: 14, Bold: true}, Color: figure.Ink()})
	v := viewOf(s.Points, side)
	for i := range s.Labels {
		x := margin + float64(i%columns)*(side+gap)
		y := margin + head + float64(i/columns)*(side+gap)
		v.panel(f, x, y, s, i)
	}
	f.Text = title
	return f, nil
}

// view maps points to a panel.
type view struct {
	side           float64
	x0, y0, extent float64
	flat           bool // whether the points are on a line
}

func viewOf(points [][]float64, side float64) *view {
	v := &view{side: side, flat: len(points[0]) == 1}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x, y := v.xy(p)
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	v.extent = max(x1-x0, y1-y0)
	if v.extent == 0 {
		v.extent = 1
	}
	v.extent *= 1.8
	v.x0, v.y0 = (x0+x1-v.extent)/2, (y0+y1-v.extent)/2
	return v
}

func (v *view) xy(p []float64) (x, y float64) {
	if v.flat {
		return p[0], 0
	}
	return p[0], p[1]
}

// at returns the position of a point in the panel at (px, py).
func (v *view) at(px, py, x, y float64) figure.Point {
	return figure.Point{X: px + (x-v.x0)/v.extent*v.side, Y: py + v.side - (y-v.y0)/v.extent*v.side}
}

// cells is the resolution at which the inside of a concept is filled.
const cells = 64

// panel draws one labeling.
func (v *view) panel(f *figure.Figure, px, py float64, s *theory.Shattering, i int) {
	c := s.Concepts[i]
	if c != nil {
		v.inside(f, px, py, c)
	}
	frame := figure.Style{Stroke: figure.Faint(), Width: 1}
	if c == nil {
		frame = figure.Style{Stroke: figure.Accent(), Width: 2}
	}
	f.Rect(px, py, v.side, v.side, 0, frame)
	for j, p := range s.Points {
		x, y := v.xy(p)
		at := v.at(px, py, x, y)
		style := figure.Style{Fill: figure.Paper(), Stroke: figure.Ink(), Width: 1.4}
		if s.Labels[i][j] {
			style.Fill = figure.Ink()
		}
		f.Marker(at.X, at.Y, 4.5, figure.Circle, style)
	}
}

// inside fills the part of the panel that the concept contains.
func (v *view) inside(f *figure.Figure, px, py float64, c theory.Concept) {
	step := v.side / cells
	fill := figure.Style{Fill: figure.Mix(figure.Paper(), figure.Class(0), 0.25)}
	for row := range cells {
		from := -1
		for col := 0; col <= cells; col++ {
			in := false
			if col < cells {
				x := v.x0 + (float64(col)+0.5)/cells*v.extent
				y := v.y0 + v.extent - (float64(row)+0.5)/cells*v.extent
				if v.flat {
					in = c.Contains([]float64{x})
				} else {
					in = c.Contains([]float64{x, y})
				}
			}
			switch {
			case in && from < 0:
				from = col
			case !in && from >= 0:
				f.Rect(px+float64(from)*step, py+float64(row)*step, float64(col-from)*step, step, 0, fill)
				from = -1
			}
		}
	}
}
