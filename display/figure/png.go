package figure

import (
	"image"
	"image/draw"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// dpi makes a vg length of 1, which is 1/72 inch, two pixels long.
const dpi = 144

// canvas is gonum/plot's image canvas with two additions: markers drawn with stamps, and images
// drawn pixel by pixel.
type canvas struct {
	*vgimg.Canvas
	img    *image.RGBA
	h      float64
	stamps stamps
}

// PNG renders the figure with two pixels per CSS pixel.
func (f *Figure) PNG() []byte { return f.png(usualDPI) }

// usualDPI is the number of pixels per inch of a PNG: two pixels per CSS pixel, of which an inch
// has 96.
const usualDPI = 192

// png renders the figure with two pixels per CSS pixel, and says in the file how many pixels an
// inch has.
func (f *Figure) png(dpi float64) []byte {
	img := f.Image()
	return withDensity(encodePNG(img.Pix, img.Stride, img.Rect.Dx(), img.Rect.Dy(), true), dpi)
}

// Image renders the figure as an opaque image with two pixels per CSS pixel.
func (f *Figure) Image() *image.RGBA {
	f = f.shown()
	w, h := math.Ceil(f.W), math.Ceil(f.H)
	vgc := vgimg.NewWith(vgimg.UseWH(vg.Length(w), vg.Length(h)), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(Paper()))
	c := &canvas{Canvas: vgc, img: vgc.Image().(*image.RGBA), h: h, stamps: stamps{}}
	for _, o := range append(f.ops[:len(f.ops):len(f.ops)], f.undrawn()...) {
		o.raster(c)
	}
	return c.img
}

func (c *canvas) at(p Point) vg.Point { return vg.Point{X: vg.Length(p.X), Y: vg.Length(c.h - p.Y)} }

// paint fills and strokes a path.
func (c *canvas) paint(path vg.Path, s Style, lineOnly bool) {
	if s.Fill.A != 0 && !lineOnly {
		c.SetColor(s.Fill)
		c.Fill(path)
	}
	if s.Stroke.A != 0 {
		c.SetColor(s.Stroke)
		c.SetLineWidth(vg.Length(s.width()))
		dash := make([]vg.Length, len(s.Dash))
		for i, d := range s.Dash {
			dash[i] = vg.Length(d)
		}
		c.SetLineDash(dash, 0)
		c.Stroke(path)
	}
}

func (r rectangle) raster(c *canvas) {
	if r.round <= 0 && r.style.Stroke.A == 0 && r.style.Fill.A == 255 && whole(2*r.x, 2*r.y, 2*r.w, 2*r.h) {
		draw.Draw(c.img, image.Rect(int(2*r.x), int(2*r.y), int(2*(r.x+r.w)), int(2*(r.y+r.h))), image.NewUniform(r.style.Fill), image.Point{}, draw.Src)
		return
	}
	var p vg.Path
	q := math.Min(r.round, math.Min(r.w, r.h)/2)
	x0, y0, x1, y1 := r.x, r.y, r.x+r.w, r.y+r.h
	if q <= 0 {
		p.Move(c.at(Point{x0, y0}))
		p.Line(c.at(Point{x1, y0}))
		p.Line(c.at(Point{x1, y1}))
		p.Line(c.at(Point{x0, y1}))
	} else {
		p.Move(c.at(Point{x0 + q, y0}))
		p.Line(c.at(Point{x1 - q, y0}))
		p.QuadTo(c.at(Point{x1, y0}), c.at(Point{x1, y0 + q}))
		p.Line(c.at(Point{x1, y1 - q}))
		p.QuadTo(c.at(Point{x1, y1}), c.at(Point{x1 - q, y1}))
		p.Line(c.at(Point{x0 + q, y1}))
		p.QuadTo(c.at(Point{x0, y1}), c.at(Point{x0, y1 - q}))
		p.Line(c.at(Point{x0, y0 + q}))
		p.QuadTo(c.at(Point{x0, y0}), c.at(Point{x0 + q, y0}))
	}
	p.Close()
	c.paint(p, r.style, false)
}

func whole(xs ...float64) bool {
	for _, x := range xs {
		if x != math.Trunc(x) {
			return false
		}
	}
	return true
}

func (m marker) raster(c *canvas) {
	width := 0.0
	if m.style.Stroke.A != 0 {
		width = 2 * m.style.width()
	}
	st, left, top := c.stamps.at(m.shape, 2*m.x, 2*m.y, 2*m.r, width)
	if m.style.Fill.A != 0 {
		blend(c.img, st.fill, st.size, left, top, m.style.Fill)
	}
	if st.line != nil {
		blend(c.img, st.line, st.size, left, top, m.style.Stroke)
	}
}

// A line of more than longLine points is drawn in pieces. The rasterizer's time grows with the
// square of the number of times that a line crosses a row of pixels. This number is large for noisy
// lines.
const (
	longLine  = 256
	linePiece = 64
)

func (p polyline) raster(c *canvas) {
	if n := len(p.points); n > longLine && !p.closed && p.style.Stroke.A == 255 && len(p.style.Dash) == 0 {
		for i := 0; i < n-2; i += linePiece - 1 {
			// Consecutive pieces share a segment, so that one of them joins its ends.
			polyline{p.points[i:min(n, i+linePiece+1)], false, p.style}.raster(c)
		}
		return
	}
	c.paint(c.trace(make(vg.Path, 0, len(p.points)+1), p.points, p.closed), p.style, !p.closed)
}

// trace adds a line through the points to a path.
func (c *canvas) trace(path vg.Path, points []Point, closed bool) vg.Path {
	for i, q := range points {
		if i == 0 {
			path.Move(c.at(q))
		} else {
			path.Line(c.at(q))
		}
	}
	if closed {
		path.Close()
	}
	return path
}

func (a area) raster(c *canvas) {
	var path vg.Path
	for _, points := range a.outlines {
		path = c.trace(path, points, true)
	}
	c.paint(path, a.style, false)
}

func (v curve) raster(c *canvas) {
	var path vg.Path
	path.Move(c.at(v.p[0]))
	path.CubeTo(c.at(v.p[1]), c.at(v.p[2]), c.at(v.p[3]))
	c.paint(path, v.style, true)
}

func (l label) raster(c *canvas) {
	pieces := []piece{{l.style.face(), drawable(l.text)}}
	width := l.style.Width(l.text)
	if l.style.foreign(l.text) {
		pieces, width = l.style.pieces(l.text), 0
		for i, p := range pieces {
			width += p.width() * l.style.Size
			pieces[i].text = drawable(p.text)
		}
	}
	x := 0.0
	switch l.style.Anchor {
	case Middle:
		x = -width / 2
	case End:
		x = -width
	}
	c.SetColor(l.style.Color)
	if l.style.Up {
		c.Push()
		defer c.Pop()
		c.Translate(c.at(Point{l.x, l.y}))
		c.Rotate(math.Pi / 2)
	}
	for _, p := range pieces {
		at := c.at(Point{l.x + x, l.y})
		if l.style.Up {
			// The canvas measures y from its lower edge, even when it is rotated.
			at = vg.Point{X: vg.Length(x), Y: 0}
		}
		c.FillString(p.face.vg(l.style.Size), at, p.text)
		x += p.width() * l.style.Size
	}
}

func (p picture) raster(c *canvas) {
	x, y := int(2*p.x), int(2*p.y)
	img := p.img
	if b := img.Bounds(); b.Dx() != int(2*p.w) || b.Dy() != int(2*p.h) {
		img = Stretch(img, p.w, p.h)
	}
	draw.Draw(c.img, image.Rect(x, y, x+int(2*p.w), y+int(2*p.h)), img, img.Bounds().Min, draw.Over)
}
