package figure

import (
	"image"
	"math"
)

// Shape is the form of a marker.
type Shape int

// The shapes, in the order in which classes use them. At the same radius they look equally large.
const (
	Circle Shape = iota
	Square
	Triangle
	Diamond
	TriangleDown
	Pentagon
	Cross
	Plus
	shapes
)

// Shapes is the number of shapes.
const Shapes = int(shapes)

// Path returns the outline of a shape around (0, 0) as SVG path data.
func (s Shape) Path(r float64) string {
	if s == Circle {
		return "M" + num(-r) + " 0a" + num(r) + " " + num(r) + " 0 1 0 " + num(2*r) + " 0a" + num(r) + " " + num(r) + " 0 1 0 " + num(-2*r) + " 0z"
	}
	path := "M"
	for i, p := range s.outline(0, 0, r) {
		if i > 0 {
			path += "L"
		}
		path += num(p.X) + " " + num(p.Y)
	}
	return path + "z"
}

// outline returns the corners of a shape whose area is about that of a circle of radius r.
func (s Shape) outline(x, y, r float64) []Point {
	regular := func(n int, r, turn float64) []Point {
		out := make([]Point, n)
		for i := range out {
			a := turn + 2*math.Pi*float64(i)/float64(n)
			out[i] = Point{x + r*math.Sin(a), y - r*math.Cos(a)}
		}
		return out
	}
	switch s {
	case Square:
		return regular(4, 1.25*r, math.Pi/4)
	case Triangle:
		return regular(3, 1.4*r, 0)
	case Diamond:
		return regular(4, 1.3*r, 0)
	case TriangleDown:
		return regular(3, 1.4*r, math.Pi)
	case Pentagon:
		return regular(5, 1.15*r, 0)
	case Cross, Plus:
		a, b := 0.4*r, 1.15*r
		out := []Point{{-a, -b}, {a, -b}, {a, -a}, {b, -a}, {b, a}, {a, a}, {a, b}, {-a, b}, {-a, a}, {-b, a}, {-b, -a}, {-a, -a}}
		turn := 0.0
		if s == Cross {
			turn = math.Pi / 4
		}
		sin, cos := math.Sincos(turn)
		for i, p := range out {
			out[i] = Point{x + p.X*cos - p.Y*sin, y + p.X*sin + p.Y*cos}
		}
		return out
	}
	return regular(32, r, 0)
}

// A stamp is the pixel coverage of a marker, from 0 to 255.
type stamp struct {
	size int // width and height in pixels
	fill []uint8
	line []uint8 // coverage of the outline; nil if there is none
}

// stampKey identifies a stamp. Positions are rounded to a quarter of a pixel.
type stampKey struct {
	shape    Shape
	r, width float64
	fx, fy   int
}

type stamps map[stampKey]*stamp

// at returns the stamp of a marker at (x, y), in pixels, and the position of its upper left
// pixel.
func (s stamps) at(shape Shape, x, y, r, width float64) (st *stamp, left, top int) {
	qx, qy := int(math.Round(4*x)), int(math.Round(4*y))
	k := stampKey{shape, r, width, qx & 3, qy & 3}
	half := int(math.Ceil(1.5*r+width/2)) + 1
	st = s[k]
	if st == nil {
		st = newStamp(k, half)
		s[k] = st
	}
	return st, (qx-k.fx)/4 - half, (qy-k.fy)/4 - half
}

// newStamp computes the coverage of each pixel from its distance to the outline. This is exact for
// edges along the pixel grid, and approximate for other edges.
func newStamp(k stampKey, half int) *stamp {
	n := 2*half + 1
	st := &stamp{size: n, fill: make([]uint8, n*n)}
	if k.width > 0 {
		st.line = make([]uint8, n*n)
	}
	cx, cy := float64(half)+float64(k.fx)/4, float64(half)+float64(k.fy)/4
	var corners []Point
	if k.shape != Circle {
		corners = k.shape.outline(cx, cy, k.r)
	}
	for j := range n {
		for i := range n {
			x, y := float64(i)+0.5, float64(j)+0.5
			var d float64 // distance from the outline, negative inside
			if corners == nil {
				d = math.Hypot(x-cx, y-cy) - k.r
			} else {
				d = distance(corners, x, y)
			}
			st.fill[j*n+i] = coverage(0.5 - d)
			if st.line != nil {
				st.line[j*n+i] = coverage(0.5 + k.width/2 - math.Abs(d))
			}
		}
	}
	return st
}

func coverage(c float64) uint8 { return uint8(math.Round(255 * math.Max(0, math.Min(1, c)))) }

// distance returns the distance of a point from a polygon, negative inside.
func distance(corners []Point, x, y float64) float64 {
	d, inside := math.Inf(1), false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		dx, dy := b.X-a.X, b.Y-a.Y
		t := math.Max(0, math.Min(1, ((x-a.X)*dx+(y-a.Y)*dy)/(dx*dx+dy*dy)))
		d = math.Min(d, math.Hypot(x-a.X-t*dx, y-a.Y-t*dy))
		if (a.Y > y) != (b.Y > y) && x < a.X+(y-a.Y)/dy*dx {
			inside = !inside
		}
	}
	if inside {
		return -d
	}
	return d
}

// blend draws one layer of a stamp over an opaque image.
func blend(dst *image.RGBA, mask []uint8, size, left, top int, c Color) {
	b := dst.Bounds()
	for j := max(0, b.Min.Y-top); j < min(size, b.Max.Y-top); j++ {
		lo, hi := max(0, b.Min.X-left), min(size, b.Max.X-left)
		if lo >= hi {
			return
		}
		row := dst.Pix[dst.PixOffset(left+lo, top+j):]
		for i, m := range mask[j*size+lo : j*size+hi] {
			if m == 0 {
				continue
			}
			a := uint32(m) * uint32(c.A)
			p := row[4*i : 4*i+4 : 4*i+4]
			p[0] = mix(p[0], c.R, a)
			p[1] = mix(p[1], c.G, a)
			p[2] = mix(p[2], c.B, a)
		}
	}
}

// mix moves old towards new by the fraction a/255².
func mix(old, new uint8, a uint32) uint8 {
	return uint8((uint32(old)*(65025-a) + uint32(new)*a + 32512) / 65025)
}

// Cloud is a layer for a large number of markers. An SVG with one shape per marker would be too
// large, so the layer becomes an image.
type Cloud struct {
	img    *image.NRGBA
	x, y   float64
	stamps stamps
}

// NewCloud returns an empty layer for the w×h area at (x, y).
func NewCloud(x, y, w, h float64) *Cloud {
	x, y = math.Floor(x), math.Floor(y)
	return &Cloud{
		img: image.NewNRGBA(image.Rect(0, 0, int(2*math.Ceil(w+1)), int(2*math.Ceil(h+1)))),
		x:   x, y: y, stamps: stamps{},
	}
}

// Marker draws a marker without an outline on the layer.
func (c *Cloud) Marker(x, y, r float64, shape Shape, fill Color) {
	if !finite(x, y, r) || r <= 0 {
		return
	}
	st, left, top := c.stamps.at(shape, 2*(x-c.x), 2*(y-c.y), 2*r, 0)
	b := c.img.Bounds()
	for j := max(0, -top); j < min(st.size, b.Max.Y-top); j++ {
		lo, hi := max(0, -left), min(st.size, b.Max.X-left)
		if lo >= hi {
			return
		}
		row := c.img.Pix[c.img.PixOffset(left+lo, top+j):]
		for i, m := range st.fill[j*st.size+lo : j*st.size+hi] {
			if m == 0 {
				continue
			}
			// Opacities add up, and the topmost marker sets the color. Mixed colors would have no
			// meaning and would multiply the size of the image.
			p := row[4*i : 4*i+4 : 4*i+4]
			a := uint32(m) * uint32(fill.A) / 255
			if p[3] == 0 || m >= 128 {
				p[0], p[1], p[2] = fill.R, fill.G, fill.B
			}
			p[3] = uint8(a + uint32(p[3])*(255-a)/255)
		}
	}
}

// opacitySteps is the number of opacities in a layer: few enough for a palette, and more than a
// reader can distinguish between points.
const opacitySteps = 15

// Place draws the layer on the figure.
func (c *Cloud) Place(f *Figure) {
	b := c.img.Bounds()
	const step = 255 / opacitySteps
	for i := 3; i < len(c.img.Pix); i += 4 {
		a := (c.img.Pix[i] + step/2) / step * step
		if c.img.Pix[i] > 255-step/2 {
			a = 255
		}
		if c.img.Pix[i] = a; a == 0 {
			copy(c.img.Pix[i-3:i], []uint8{0, 0, 0})
		}
	}
	f.Picture(c.x, c.y, float64(b.Dx())/2, float64(b.Dy())/2, c.img)
}
