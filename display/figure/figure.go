// Package figure implements a drawing that can be rendered as SVG, PNG and PDF. Charts, trees and
// graphs draw on it with lines, shapes, text and images. All three formats are rendered from the
// same list of operations, so that they show the same picture.
//
// Lengths are in CSS pixels, the origin is the upper left corner, and y grows downwards. The PNG
// has two pixels per CSS pixel. It is drawn with gonum/plot's image canvas and its Liberation
// Sans font. The SVG uses only features that every frontend keeps: an opaque background,
// presentation attributes, and text elements, but no style sheets, clipping or references. The
// PDF is for print: with it, nbconvert does not need a program that converts SVG.
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
	// Title and Desc describe the figure for readers who cannot see it; see Alt.
	Title, Desc string
	// Text is shown where images cannot be shown.
	Text string
	// Zoom enlarges the drawing: the figure is shown at Zoom times W and H. New takes it from the
	// theme; 0 means 1.
	Zoom float64
	ops  []op
}

// New returns an empty figure of w×h CSS pixels with the background of the theme. The scale of
// the theme enlarges it.
func New(w, h float64) *Figure { return &Figure{W: w, H: h, Zoom: display.CurrentTheme().Zoom()} }

// Color is a color with an opacity; the zero value draws nothing.
type Color = color.NRGBA

// Style is the fill and the outline of a shape. A zero color omits the fill or the outline.
type Style struct {
	Fill, Stroke Color
	Width        float64   // width of the outline; 0 means 1
	Dash         []float64 // lengths of dashes and gaps; nil is a solid line
}

// Anchor selects the part of a label that lies at the label's position: the start, the middle or
// the end.
type Anchor int

// The anchors of a label along its baseline.
const (
	Start Anchor = iota
	Middle
	End
)

// Font is a size and a style of Liberation Sans.
type Font struct {
	Size         float64
	Bold, Italic bool
}

// TextStyle is the font, color and alignment of a label, whose position is on its baseline.
type TextStyle struct {
	Font
	Color  Color
	Anchor Anchor
	Up     bool // rotated by 90 degrees, read from bottom to top
}

// Point is a position on a figure.
type Point struct{ X, Y float64 }

// op is a drawing operation.
type op interface {
	svg(w *svgWriter)
	raster(c *canvas)
	pdf(w *pdfWriter)
	scaled(z float64) op // returns the operation with all lengths multiplied by z
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

// Rect draws a rectangle with corners of the given radius.
func (f *Figure) Rect(x, y, w, h, round float64, s Style) {
	if finite(x, y, w, h) && w >= 0 && h >= 0 {
		f.ops = append(f.ops, rectangle{x, y, w, h, round, s})
	}
}

// Marker draws a marker of the given shape and radius around a point.
func (f *Figure) Marker(x, y, r float64, shape Shape, s Style) {
	if finite(x, y, r) && r > 0 {
		f.ops = append(f.ops, marker{x, y, r, shape, s})
	}
}

// Line draws a straight line.
func (f *Figure) Line(x0, y0, x1, y1 float64, s Style) {
	f.Polyline([]Point{{x0, y0}, {x1, y1}}, s)
}

// Polyline draws a line through the points. A point that is not finite breaks the line.
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

// Polygon draws a closed shape. All points must be finite.
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

// Area draws one shape with several closed outlines, whose points must be finite. An outline
// inside another one is a hole if it has the opposite orientation.
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

// Label draws one line of text. Superscripts and subscripts (x², 10⁻³, w₁) are typeset as such.
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

// Picture draws an image whose pixels are half a CSS pixel wide, so the image should have 2w×2h
// pixels; use Stretch to get this size. x, y, w and h are rounded to this grid.
func (f *Figure) Picture(x, y, w, h float64, img *image.NRGBA) {
	if finite(x, y, w, h) && w > 0 && h > 0 {
		f.ops = append(f.ops, picture{snap(x), snap(y), snap(w), snap(h), img})
	}
}

func snap(x float64) float64 { return math.Round(2*x) / 2 }

// Stretch scales an image to the pixels of a w×h area of a figure, without smoothing.
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

// Display renders the figure as SVG, as PNG with its size in CSS pixels, as PDF for print, and as
// text. Alt is in the SVG, in the metadata of both images and at the start of the text.
func (f *Figure) Display() (display.Bundle, error) {
	if err := f.checkSize(); err != nil {
		return display.Bundle{}, err
	}
	// From here on the drawing is only read, so the formats can be rendered concurrently.
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

// Vector renders the figure only as SVG. Use it for figures that are soon replaced.
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
		return fmt.Errorf("figure: each side must be between %[3]d and %[4]d pixels, got %[1]g×%[2]g", w, h, MinSide, MaxSide)
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
