package install

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// The logo, in a square of 64 units: a G that is also an orbit around the kernel, at which the
// bar of the G ends.
const (
	logoSize   = 64.0
	logoCorner = 14.0 // radius of the plate's corners
	ringRadius = 17.5 // to the middle of the G's stroke
	ringWidth  = 7.0
	gapFrom    = -48.0 // degrees clockwise from the right at which the G opens
	gapTo      = 0.0
	dotRadius  = 6.5
)

var (
	plateColor = color.RGBA{0x0b, 0x5d, 0x7a, 0xff}
	ringColor  = color.RGBA{0xff, 0xff, 0xff, 0xff}
	dotColor   = color.RGBA{0xff, 0xb7, 0x3b, 0xff}
)

// onRing returns the point of the ring at an angle in degrees.
func onRing(deg float64) (x, y float64) {
	s, c := math.Sincos(deg * math.Pi / 180)
	return logoSize/2 + ringRadius*c, logoSize/2 + ringRadius*s
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// logoSVG returns the logo as SVG.
func logoSVG() string {
	x0, y0 := onRing(gapFrom)
	x1, y1 := onRing(gapTo)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g">`+"\n", logoSize, logoSize, logoSize, logoSize)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="%g" fill="%s"/>`+"\n", logoSize, logoSize, logoCorner, hex(plateColor))
	fmt.Fprintf(&b, `<path d="M%.2f %.2fA%g %g 0 1 0 %.2f %.2fH%g" fill="none" stroke="%s" stroke-width="%g" stroke-linecap="round" stroke-linejoin="round"/>`+"\n",
		x0, y0, ringRadius, ringRadius, x1, y1, logoSize/2, hex(ringColor), ringWidth)
	fmt.Fprintf(&b, `<circle cx="%g" cy="%g" r="%g" fill="%s"/>`+"\n</svg>\n", logoSize/2, logoSize/2, dotRadius, hex(dotColor))
	return b.String()
}

// logoPNG returns the logo as PNG, size pixels wide and high.
func logoPNG(size int) ([]byte, error) {
	const samples = 8 // per pixel and direction
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	step := logoSize / float64(size) / samples
	for py := range size {
		for px := range size {
			var r, g, b, a float64
			for sy := range samples {
				for sx := range samples {
					x := (float64(px*samples+sx) + 0.5) * step
					y := (float64(py*samples+sy) + 0.5) * step
					if c, ok := logoAt(x, y); ok {
						r, g, b, a = r+float64(c.R), g+float64(c.G), b+float64(c.B), a+1
					}
				}
			}
			if a > 0 {
				img.SetNRGBA(px, py, color.NRGBA{
					uint8(r/a + 0.5), uint8(g/a + 0.5), uint8(b/a + 0.5),
					uint8(255*a/(samples*samples) + 0.5),
				})
			}
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, img)
	return out.Bytes(), err
}

// logoAt returns the color of the logo at a point, and false outside of the logo.
func logoAt(x, y float64) (color.RGBA, bool) {
	cx, cy := x-logoSize/2, y-logoSize/2
	// The distance to the square around which the rounded corners are drawn.
	in := logoSize/2 - logoCorner
	dx, dy := math.Max(math.Abs(cx)-in, 0), math.Max(math.Abs(cy)-in, 0)
	if math.Hypot(dx, dy) > logoCorner {
		return color.RGBA{}, false
	}
	dist := math.Hypot(cx, cy)
	if dist <= dotRadius {
		return dotColor, true
	}
	if cx >= 0 && cx <= ringRadius && math.Abs(cy) <= ringWidth/2 {
		return ringColor, true
	}
	deg := math.Atan2(cy, cx) * 180 / math.Pi
	if math.Abs(dist-ringRadius) <= ringWidth/2 && (deg < gapFrom || deg > gapTo) {
		return ringColor, true
	}
	for _, end := range []float64{gapFrom, gapTo} {
		if ex, ey := onRing(end); math.Hypot(x-ex, y-ey) <= ringWidth/2 {
			return ringColor, true
		}
	}
	return plateColor, true
}
