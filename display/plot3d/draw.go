package plot3d

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// view positions the box in the figure.
type view struct {
	camera camera
	x, y   float64 // position of the center of the box
	scale  float64
}

func (v view) at(p vec) figure.Point {
	q := v.camera.at(p)
	return figure.Point{X: v.x + v.scale*q.X, Y: v.y + v.scale*q.Y}
}

// size returns the size of the figure.
func (s *scene) size() (w, h float64) {
	w, h = s.c.w, s.c.h
	if w <= 0 {
		w = 560
	}
	if h <= 0 {
		h = 410
	}
	return w, h
}

// frame starts the figure with the parts that do not rotate: title, legend and note.
func (s *scene) frame() *figure.Figure {
	f := figure.New(s.size())
	top := guide.Title(f, s.c.title, f.W)
	if !s.legend.Empty() {
		s.legend.Draw(f, f.W-s.legend.Width()+4, top+20, math.Min(f.H-top-60, 220))
	}
	guide.Note(f, s.note)
	return f
}

func (s *scene) figure() *figure.Figure {
	f := s.frame()
	v := s.viewOf(f)
	s.box(f, v)
	for _, it := range s.painted() {
		if it.face != nil {
			s.drawFace(f, v, it.face)
			continue
		}
		q := v.at(it.dot.at)
		f.Marker(q.X, q.Y, it.dot.radius, it.dot.shape, figure.Style{Fill: figure.Opacity(it.dot.color, 0.9), Stroke: figure.Paper(), Width: 0.6})
	}
	if len(s.faces)+len(s.dots) == 0 {
		f.Label(v.x, v.y, "there are no values to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
	}
	f.Text = s.text()
	guide.Describe(f, s.c.title, "Chart in space")
	return f
}

// viewOf positions the box in the figure.
func (s *scene) viewOf(f *figure.Figure) view {
	top := 0.0
	if s.c.title != "" {
		top = 24
	}
	return s.view(f.W-s.legend.Width(), f.H, top)
}

// view makes the box as large as the figure allows in all directions, so that a chart keeps its
// size when it is rotated.
func (s *scene) view(w, h, top float64) view {
	const labels = 46 // space around the box
	across := math.Sqrt2
	high := flat*math.Cos(math.Min(0.6, math.Abs(s.c.elevation)*math.Pi/180)) + across*math.Sin(math.Max(0.35, math.Abs(s.c.elevation)*math.Pi/180))
	scale := math.Min((w-2*labels)/across, (h-top-1.5*labels)/high)
	return view{camera: s.camera, x: w / 2, y: top + (h-top)/2 - 8, scale: scale}
}

// drawFace fills a cell and draws the grid lines around it.
func (s *scene) drawFace(f *figure.Figure, v view, g *face) {
	points := make([]figure.Point, 4)
	for k, p := range g.corner {
		points[k] = v.at(p)
	}
	f.Polygon(points, figure.Style{Fill: g.color, Stroke: figure.Mix(g.color, figure.Ink(), 0.25), Width: 0.5})
}

// far returns -1/2 or 1/2: the end of axis k that is far from the eye.
func (s *scene) far(k int) float64 {
	if s.camera.eye[k] > 0 {
		return -0.5
	}
	return 0.5
}

// box draws the three far sides of the box with their grid, and ticks on the edges of the near
// sides.
func (s *scene) box(f *figure.Figure, v view) {
	line := figure.Style{Stroke: figure.Faint(), Width: 0.8}
	edge := figure.Style{Stroke: figure.Frame(), Width: 0.8}
	back := vec{s.far(0), s.far(1), s.far(2)}
	for k := range 3 { // the side at the far end of axis k
		a, b := (k+1)%3, (k+2)%3
		place := func(x, y float64) figure.Point {
			var p vec
			p[k], p[a], p[b] = back[k], x, y
			return v.at(p)
		}
		f.Polygon([]figure.Point{place(-0.5, -0.5), place(0.5, -0.5), place(0.5, 0.5), place(-0.5, 0.5)}, figure.Style{Fill: figure.Shade(), Stroke: line.Stroke, Width: 0.8})
		for _, t := range s.ticks(a) {
			f.Polyline([]figure.Point{place(s.ranges[a].unit(t), -0.5), place(s.ranges[a].unit(t), 0.5)}, line)
		}
		for _, t := range s.ticks(b) {
			f.Polyline([]figure.Point{place(-0.5, s.ranges[b].unit(t)), place(0.5, s.ranges[b].unit(t))}, line)
		}
	}
	for k := range 3 {
		s.axis(f, v, k, edge)
	}
}

func (s *scene) ticks(k int) []float64 { return guide.Ticks(s.ranges[k].lo, s.ranges[k].hi, 5) }

// axisAt returns the positions along the edge of the box at which axis k has its ticks, and the
// direction away from the box. The ticks of x and y are on the near edges of the floor (or of the
// ceiling, seen from below), and the ticks of z are on the left edge.
func (s *scene) axisAt(k int, v view) (place func(t float64) vec, out figure.Point) {
	near := vec{-s.far(0), -s.far(1), -s.far(2)}
	var at vec
	switch k {
	case 0:
		at = vec{0, near[1], s.far(2)}
	case 1:
		at = vec{near[0], 0, s.far(2)}
	default:
		a, b := vec{near[0], s.far(1), 0}, vec{s.far(0), near[1], 0}
		at = a
		if v.at(b).X < v.at(a).X {
			at = b
		}
	}
	place = func(t float64) vec {
		p := at
		p[k] = t
		return p
	}
	middle := v.at(place(0))
	dx, dy := middle.X-v.x, middle.Y-v.y
	if k < 2 {
		// At right angles to the edge, away from the center.
		a, b := v.at(place(-0.5)), v.at(place(0.5))
		nx, ny := b.Y-a.Y, a.X-b.X
		if nx*dx+ny*dy < 0 {
			nx, ny = -nx, -ny
		}
		dx, dy = nx, ny
	} else {
		dy = 0
	}
	l := math.Max(math.Hypot(dx, dy), 1e-9)
	return place, figure.Point{X: dx / l, Y: dy / l}
}

func (s *scene) axis(f *figure.Figure, v view, k int, edge figure.Style) {
	place, out := s.axisAt(k, v)
	a, b := v.at(place(-0.5)), v.at(place(0.5))
	if math.Hypot(b.X-a.X, b.Y-a.Y) < 30 {
		return // the axis is seen from its end
	}
	f.Line(a.X, a.Y, b.X, b.Y, edge)
	ticks := s.ticks(k)
	labels, _ := guide.Labels(ticks, s.ranges[k].largest())
	anchor := figure.Middle
	if out.X < -0.35 {
		anchor = figure.End
	} else if out.X > 0.35 {
		anchor = figure.Start
	}
	widest := 0.0
	corner := v.at(vec{-s.far(0), -s.far(1), s.far(2)})
	for i, t := range ticks {
		q := v.at(place(s.ranges[k].unit(t)))
		if k == 1 && math.Hypot(q.X-corner.X, q.Y-corner.Y) < 14 {
			continue // the labels of the x axis end here
		}
		f.Line(q.X, q.Y, q.X+4*out.X, q.Y+4*out.Y, edge)
		f.Label(q.X+8*out.X, q.Y+9*out.Y+4, labels[i], guide.Text(guide.TickFont, figure.Soft(), anchor))
		widest = math.Max(widest, guide.TickFont.Width(labels[i]))
	}
	title := s.axisTitle(k)
	style := guide.Text(guide.AxisFont, figure.Ink(), figure.Middle)
	m := figure.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	if k == 2 {
		style.Up = true
		f.Label(m.X+(widest+16)*out.X, m.Y, title, style)
		return
	}
	away := 20 + math.Abs(out.X)*widest + 12*math.Abs(out.Y)
	style.Anchor = anchor
	f.Label(m.X+away*out.X, m.Y+away*out.Y+6, title, style)
}

// axisTitle returns the title of axis k.
func (s *scene) axisTitle(k int) string {
	title := s.c.axes[k]
	if title == "" {
		title = "xyz"[k : k+1]
	}
	if _, unit := guide.Labels(s.ticks(k), s.ranges[k].largest()); unit != "" {
		title += " (" + unit + ")"
	}
	return title
}

// text describes the chart.
func (s *scene) text() string {
	var b strings.Builder
	if s.c.title != "" {
		b.WriteString(s.c.title + "\n")
	}
	var what []string
	if len(s.faces) > 0 {
		what = append(what, fmt.Sprintf("a surface of %d×%d cells", len(s.xs)-1, len(s.ys)-1))
	}
	if n := len(s.dots); n > 0 {
		what = append(what, guide.Plural(n, "point", "points"))
	}
	if what == nil {
		what = []string{"there are no values to draw"}
	}
	b.WriteString(strings.Join(what, " and ") + " in space\n")
	for k, name := range s.c.axes {
		if name == "" {
			name = "xyz"[k : k+1]
		}
		fmt.Fprintf(&b, "%s from %s to %s\n", name, guide.Short(s.ranges[k].lo), guide.Short(s.ranges[k].hi))
	}
	if t := s.legend.Text(); t != "" {
		b.WriteString(t + "\n")
	}
	if s.note != "" {
		b.WriteString(s.note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
