// Package figure is a drawing that becomes SVG, PNG and PDF. Charts, trees and graphs
// draw on it with lines, shapes, text and pictures; it renders what was drawn
// three times, so that all always show the same.
//
// Lengths are CSS pixels, the origin is the upper left corner, y grows downwards.
// The PNG has two pixels for each, drawn by gonum/plot's image canvas with its
// Liberation Sans font. The SVG keeps to what every frontend leaves intact: an
// opaque background, presentation attributes, text as text, no style sheets, no
// clipping, no references. The PDF is for print: nbconvert takes it where it would
// ask for a program that converts SVG.
package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/gokernel/gokernel/display"
)

// Limits of a figure's width and height, in CSS pixels.
const (
	MinSide = 16
	MaxSide = 8192
)

// Figure is a drawing of a fixed size.
type Figure struct {
	W, H float64
	// Title and Desc say what the figure shows, for readers who do not see it; see Alt.
	Title, Desc string
	// Text stands for the figure where images cannot be shown.
	Text string
	// Zoom enlarges all that is drawn: the figure is shown Zoom times as large as W and H.
	// New takes it from the theme; 0 means 1.
	Zoom float64
	ops  []op
}

// New starts a figure of w×h CSS pixels on white paper, which the scale of the theme
// enlarges.
func New(w, h float64) *Figure { return &Figure{W: w, H: h, Zoom: display.CurrentTheme().Zoom()} }

// Color is a color with its opacity; the zero value draws nothing.
type Color = color.NRGBA

// Style is how a shape looks: a zero color leaves out the filling or the outline.
type Style struct {
	Fill, Stroke Color
	Width        float64   // of the outline; 0 means 1
	Dash         []float64 // lengths of dashes and gaps; nil is a solid line
}

// Anchor says which point of a text stands at its position.
type Anchor int

// The anchors of a text along its line.
const (
	Start Anchor = iota
	Middle
	End
)

// Font is a size and a cut of Liberation Sans.
type Font struct {
	Size         float64
	Bold, Italic bool
}

// TextStyle is how a text looks. Its position is on the base line.
type TextStyle struct {
	Font
	Color  Color
	Anchor Anchor
	Up     bool // turned by 90 degrees, to be read from below
}

// Point is a position on a figure.
type Point struct{ X, Y float64 }

// op is one thing that was drawn.
type op interface {
	svg(w *svgWriter)
	raster(c *canvas)
	pdf(w *pdfWriter)
	scaled(z float64) op // with all lengths z times as long
	moved(dx, dy float64) op
}

type (
	rectangle struct {
		x, y, w, h, round float64
		style             Style
	}
	marker struct {
		x, y, r float64
		shape   Shape
		style   Style
	}
	polyline struct {
		points []Point
		closed bool
		style  Style
	}
	area struct {
		outlines [][]Point
		style    Style
	}
	curve struct {
		p     [4]Point
		style Style
	}
	label struct {
		x, y  float64
		text  string
		style TextStyle
	}
	picture struct {
		x, y, w, h float64
		img        *image.NRGBA
	}
)

// Rect draws a rectangle whose corners are rounded with the given radius.
func (f *Figure) Rect(x, y, w, h, round float64, s Style) {
	if finite(x, y, w, h) && w >= 0 && h >= 0 {
		f.ops = append(f.ops, rectangle{x, y, w, h, round, s})
	}
}

// Marker draws a shape of the given radius around a point.
func (f *Figure) Marker(x, y, r float64, shape Shape, s Style) {
	if finite(x, y, r) && r > 0 {
		f.ops = append(f.ops, marker{x, y, r, shape, s})
	}
}

// Line draws a straight line.
func (f *Figure) Line(x0, y0, x1, y1 float64, s Style) {
	f.Polyline([]Point{{x0, y0}, {x1, y1}}, s)
}

// Polyline draws a line through the points. Points that are not finite break it.
func (f *Figure) Polyline(points []Point, s Style) {
	s.Fill = Color{}
	start := 0
	for i := 0; i <= len(points); i++ {
		if i < len(points) && finite(points[i].X, points[i].Y) {
			continue
		}
		if i-start > 1 {
			f.ops = append(f.ops, polyline{points[start:i:i], false, s})
		}
		start = i + 1
	}
}

// Polygon draws a closed shape; all its points must be finite.
func (f *Figure) Polygon(points []Point, s Style) {
	for _, p := range points {
		if !finite(p.X, p.Y) {
			return
		}
	}
	if len(points) > 1 {
		f.ops = append(f.ops, polyline{points, true, s})
	}
}

// Area draws one shape with several closed outlines, all of whose points must be finite.
// An outline within another is a hole when it runs the other way around.
func (f *Figure) Area(outlines [][]Point, s Style) {
	for _, points := range outlines {
		for _, p := range points {
			if !finite(p.X, p.Y) {
				return
			}
		}
	}
	if len(outlines) > 0 {
		f.ops = append(f.ops, area{outlines, s})
	}
}

// Curve draws a cubic Bézier curve from a to b with control points c and d.
func (f *Figure) Curve(a, c, d, b Point, s Style) {
	if finite(a.X, a.Y, b.X, b.Y, c.X, c.Y, d.X, d.Y) {
		s.Fill = Color{}
		f.ops = append(f.ops, curve{[4]Point{a, c, d, b}, s})
	}
}

// Label writes one line of text. Raised and lowered digits (x², 10⁻³, w₁) are set
// as such.
func (f *Figure) Label(x, y float64, text string, s TextStyle) {
	if !finite(x, y) || text == "" || s.Size <= 0 {
		return
	}
	text = printable(text)
	if parts := runs(text); parts != nil {
		f.script(x, y, parts, s)
		return
	}
	f.ops = append(f.ops, label{x, y, text, s})
}

// Picture places an image whose pixels are half a CSS pixel wide: it should be
// 2w×2h pixels large; Stretch makes one so. x, y, w and h are rounded to that grid.
func (f *Figure) Picture(x, y, w, h float64, img *image.NRGBA) {
	if finite(x, y, w, h) && w > 0 && h > 0 {
		f.ops = append(f.ops, picture{snap(x), snap(y), snap(w), snap(h), img})
	}
}

func snap(x float64) float64 { return math.Round(2*x) / 2 }

// Stretch enlarges or shrinks an image to the pixels of a w×h area of a figure,
// without smoothing.
func Stretch(img *image.NRGBA, w, h float64) *image.NRGBA {
	dw, dh := int(2*snap(w)), int(2*snap(h))
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, dw, dh))
	for y := range dh {
		src := img.Pix[(y*b.Dy()/dh)*img.Stride:]
		dst := out.Pix[y*out.Stride:]
		for x := range dw {
			copy(dst[4*x:4*x+4], src[4*(x*b.Dx()/dw):])
		}
	}
	return out
}

// Display renders the figure: SVG, PNG with its size in CSS pixels, PDF for
// print, and Text. The sentence of Alt is in the SVG, in the metadata of both images
// and at the head of the text.
func (f *Figure) Display() (display.Bundle, error) {
	if err := f.checkSize(); err != nil {
		return display.Bundle{}, err
	}
	// What was drawn is only read from here on: all can be rendered at once.
	type vector struct {
		svg string
		pdf []byte
	}
	f = f.shown()
	drawn := make(chan vector, 1)
	go func() { drawn <- vector{f.SVG(), f.PDF()} }()
	png := f.PNG()
	document := <-drawn
	return display.Bundle{
		Data: map[string]any{
			display.MIMESVG:  document.svg,
			display.MIMEPDF:  document.pdf,
			display.MIMEPNG:  png,
			display.MIMEText: f.plain(),
		},
		Metadata: map[string]any{
			display.MIMEPNG: map[string]any{"width": int(math.Ceil(f.W)), "height": int(math.Ceil(f.H)), "alt": f.Alt()},
			display.MIMESVG: map[string]any{"alt": f.Alt()},
		},
	}, nil
}

// Vector renders the figure as SVG alone, for one that others will soon replace.
func (f *Figure) Vector() (display.Bundle, error) {
	if err := f.checkSize(); err != nil {
		return display.Bundle{}, err
	}
	f = f.shown()
	return display.Bundle{
		Data:     map[string]any{display.MIMESVG: f.SVG(), display.MIMEText: f.plain()},
		Metadata: map[string]any{display.MIMESVG: map[string]any{"width": int(math.Ceil(f.W)), "height": int(math.Ceil(f.H)), "alt": f.Alt()}},
	}, nil
}

func (f *Figure) checkSize() error {
	if w, h := f.Size(); !(w >= MinSide && h >= MinSide && w <= MaxSide && h <= MaxSide) {
		return fmt.Errorf("figure: a size of %g×%g pixels cannot be drawn; each side must be between %d and %d", w, h, MinSide, MaxSide)
	}
	return nil
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.Abs(x) > 1e7 {
			return false
		}
	}
	return true
}
