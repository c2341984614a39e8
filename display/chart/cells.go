package chart

import (
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// manyCells is how many cells of a heat map are drawn as shapes.
const manyCells = 2500

func (p *panel) heat(f *figure.Figure, m *mark) {
	g := m.field
	lo, hi := m.valueRange(g.Z)
	if lo > hi {
		return
	}
	if g.NX*g.NY > manyCells {
		p.cells(f, g, func(k int) figure.Color { return m.paint(g.Z[k], lo, hi) })
		return
	}
	snap := func(x float64) float64 { return math.Round(2*x) / 2 }
	dx, dy := (g.X1-g.X0)/float64(g.NX), (g.Y1-g.Y0)/float64(g.NY)
	// Cells that can be counted stand apart.
	cw, ch := p.cellSize(g)
	apart := g.X0 == -0.5 && cw >= 22 && ch >= 14
	texts, font := annotation(g, cw, ch)
	for j := range g.NY {
		for i := range g.NX {
			z := g.Z[j*g.NX+i]
			a := p.pt(g.X0+dx*float64(i), g.Y0+dy*float64(j))
			b := p.pt(g.X0+dx*float64(i+1), g.Y0+dy*float64(j+1))
			x0, x1 := snap(math.Max(p.area.x0, math.Min(a.X, b.X))), snap(math.Min(p.area.x1, math.Max(a.X, b.X)))
			y0, y1 := snap(math.Max(p.area.y0, math.Min(a.Y, b.Y))), snap(math.Min(p.area.y1, math.Max(a.Y, b.Y)))
			if !(x0 < x1 && y0 < y1) {
				continue
			}
			c := m.paint(z, lo, hi)
			if c.A == 0 {
				c = figure.Shade()
			}
			// A little under the next cells: viewers would show gaps as lines.
			right, bottom := math.Min(x1+0.5, p.area.x1), math.Min(y1+0.5, p.area.y1)
			if apart {
				right, bottom = x1-1, y1-1
			}
			f.Rect(x0, y0, right-x0, bottom-y0, 0, figure.Style{Fill: c})
			if texts != nil {
				f.Label((x0+x1)/2, (y0+y1)/2+0.36*font.Size, texts[j*g.NX+i], figure.TextStyle{Font: font, Color: figure.On(c), Anchor: figure.Middle})
			}
		}
	}
}

// cellSize is the width and height of the cells of a field in pixels.
func (p *panel) cellSize(g Field) (w, h float64) {
	dx, dy := (g.X1-g.X0)/float64(g.NX), (g.Y1-g.Y0)/float64(g.NY)
	return p.area.w() * dx / (p.x.hi - p.x.lo), p.area.h() * dy / (p.y.hi - p.y.lo)
}

// annotation writes the values of all cells of the given size, or none when not all fit
// at a size that can be read.
func annotation(g Field, cw, ch float64) ([]string, figure.Font) {
	largest := figure.Font{Size: math.Max(11, math.Min(15, 0.2*math.Min(cw, ch)))}
	if g.X0 != -0.5 || cw < 18 || ch < 12 || g.NX*g.NY > 400 {
		return nil, largest
	}
	for digits := 2; digits >= 1; digits-- {
		texts := make([]string, len(g.Z))
		whole := wholeNumbers(g.Z)
		widest := 0.0
		lo, hi := bounds(g.Z)
		for k, z := range g.Z {
			if math.Abs(z) < 1e-12*math.Max(-lo, hi) {
				z = 0 // an error of the arithmetic
			}
			texts[k] = cellText(z, whole, digits)
			widest = math.Max(widest, largest.Width(texts[k]))
		}
		if size := math.Min(largest.Size, largest.Size*(cw-2)/widest); size >= 8 {
			return texts, figure.Font{Size: size}
		}
	}
	return nil, largest
}

// cellText writes the value of a cell: whole if all of them are, else with some digits
// behind the point, very large and small ones with a power of ten.
func cellText(z float64, whole bool, digits int) string {
	abs := math.Abs(z)
	switch {
	case !isFinite(z):
		return "–"
	case whole && abs < 1e6:
		return minus(thousands(strconv.FormatFloat(z, 'f', 0, 64)))
	case abs >= 1e4 || z != 0 && abs < 1e-4:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(z, 'e', 1, 64), "e")
		e, _ := strconv.Atoi(exponent)
		return minus(mantissa) + "×10" + superscript(e)
	case z != 0 && abs < 0.5*math.Pow10(-digits):
		return minus(strconv.FormatFloat(z, 'g', 1, 64))
	case abs >= 1000:
		return minus(strconv.FormatFloat(z, 'f', 0, 64))
	case abs >= 100:
		return minus(strconv.FormatFloat(z, 'f', min(digits, 1), 64))
	}
	return minus(strconv.FormatFloat(z, 'f', digits, 64))
}

// cells draws the part of a field that lies in the area pixel by pixel.
func (p *panel) cells(f *figure.Figure, g Field, color func(k int) figure.Color) {
	w, h := int(2*p.area.w()), int(2*p.area.h())
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	index := func(v, lo, hi float64, n int) int {
		if v < lo || v > hi {
			return -1
		}
		return min(n-1, int((v-lo)/(hi-lo)*float64(n)))
	}
	hs, vs := p.scales()
	cols := make([]int, w)
	n, lo, hi := g.NX, g.X0, g.X1
	if p.transposed {
		n, lo, hi = g.NY, g.Y0, g.Y1
	}
	for i := range cols {
		cols[i] = index(hs.value(p.area.x0+(float64(i)+0.5)/2), lo, hi, n)
	}
	n, lo, hi = g.NY, g.Y0, g.Y1
	if p.transposed {
		n, lo, hi = g.NX, g.X0, g.X1
	}
	palette := make([]figure.Color, len(g.Z))
	for k := range palette {
		palette[k] = color(k)
	}
	previous := -2
	for j := range h {
		row := img.Pix[j*img.Stride : (j+1)*img.Stride]
		b := index(vs.value(p.area.y0+(float64(j)+0.5)/2), lo, hi, n)
		if b == previous {
			copy(row, img.Pix[(j-1)*img.Stride:j*img.Stride])
			continue
		}
		previous = b
		if b < 0 {
			continue
		}
		for i, a := range cols {
			if a < 0 {
				continue
			}
			k := b*g.NX + a
			if p.transposed {
				k = a*g.NX + b
			}
			c := palette[k]
			row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = c.R, c.G, c.B, c.A
		}
	}
	f.Picture(p.area.x0, p.area.y0, p.area.w(), p.area.h(), img)
}

func (p *panel) region(f *figure.Figure, m *mark) {
	p.cells(f, m.field, func(k int) figure.Color {
		z := m.field.Z[k]
		if !isFinite(z) || z < 0 {
			return figure.Paper()
		}
		t := 0.3
		if m.sure != nil && isFinite(m.sure[k]) {
			t = 0.08 + 0.34*math.Max(0, math.Min(1, m.sure[k]))
		}
		return figure.Mix(figure.Paper(), figure.Class(int(z)), t)
	})
}
