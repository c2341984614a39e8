package figure

import (
	"math"
	"strconv"
	"sync/atomic"

	"github.com/gokernel/gokernel/display"
)

// Size returns the size at which the figure is shown, in CSS pixels: W and H times Zoom.
func (f *Figure) Size() (w, h float64) { return f.W * f.zoom(), f.H * f.zoom() }

func (f *Figure) zoom() float64 {
	if f.Zoom == 0 {
		return 1
	}
	return f.Zoom
}

// shown returns the figure with all lengths multiplied by Zoom.
func (f *Figure) shown() *Figure {
	z := f.zoom()
	if z == 1 {
		return f
	}
	g := *f
	g.W, g.H = f.Size()
	g.Zoom = 1
	g.ops = make([]op, len(f.ops))
	for i, o := range f.ops {
		g.ops[i] = o.scaled(z)
	}
	return &g
}

func (s Style) scaled(z float64) Style {
	s.Width = z * s.width()
	if s.Dash != nil {
		dash := make([]float64, len(s.Dash))
		for i, d := range s.Dash {
			dash[i] = z * d
		}
		s.Dash = dash
	}
	return s
}

func (r rectangle) scaled(z float64) op {
	return rectangle{z * r.x, z * r.y, z * r.w, z * r.h, z * r.round, r.style.scaled(z)}
}

func (m marker) scaled(z float64) op {
	return marker{z * m.x, z * m.y, z * m.r, m.shape, m.style.scaled(z)}
}

func (p polyline) scaled(z float64) op {
	points := make([]Point, len(p.points))
	for i, q := range p.points {
		points[i] = Point{z * q.X, z * q.Y}
	}
	return polyline{points, p.closed, p.style.scaled(z)}
}

func (a area) scaled(z float64) op {
	outlines := make([][]Point, len(a.outlines))
	for i, points := range a.outlines {
		outlines[i] = polyline{points: points}.scaled(z).(polyline).points
	}
	return area{outlines, a.style.scaled(z)}
}

func (c curve) scaled(z float64) op {
	for i, q := range c.p {
		c.p[i] = Point{z * q.X, z * q.Y}
	}
	c.style = c.style.scaled(z)
	return c
}

func (l label) scaled(z float64) op {
	l.x, l.y, l.style.Size = z*l.x, z*l.y, z*l.style.Size
	return l
}

func (p picture) scaled(z float64) op {
	x, y, w, h := snap(z*p.x), snap(z*p.y), snap(z*p.w), snap(z*p.h)
	return picture{x, y, math.Max(w, 0.5), math.Max(h, 0.5), Stretch(p.img, math.Max(w, 0.5), math.Max(h, 0.5))}
}

// themed is the parsed palette of a theme.
type themed struct {
	of     *display.Theme
	colors []Color
}

var lastTheme atomic.Pointer[themed]

// themePalette returns the colors that the theme sets for the first classes.
func themePalette() []Color {
	t := display.CurrentTheme()
	if p := lastTheme.Load(); p != nil && p.of == t {
		return p.colors
	}
	p := &themed{of: t}
	for _, s := range t.Palette {
		if v, err := strconv.ParseUint(s[1:], 16, 32); err == nil { // SetTheme has checked it
			p.colors = append(p.colors, rgb(uint32(v)))
		}
	}
	lastTheme.Store(p)
	return p.colors
}
