package chart

import (
	"image"
	"math"
	"strconv"

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
	cw, ch := p.area.w()*dx/(p.x.hi-p.x.lo), p.area.h()*dy/(p.y.hi-p.y.lo)
	apart := g.X0 == -0.5 && cw >= 22 && ch >= 14
	font := figure.Font{Size: math.Max(11, math.Min(15, 0.2*math.Min(cw, ch)))}
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
				c = figure.Shade
			}
			// A little under the next cells: viewers would show gaps as lines.
			right, bottom := math.Min(x1+0.5, p.area.x1), math.Min(y1+0.5, p.area.y1)
			if apart {
				right, bottom = x1-1, y1-1
			}
			f.Rect(x0, y0, right-x0, bottom-y0, 0, figure.Style{Fill: c})
			if g.X0 != -0.5 || x1-x0 < 24 || y1-y0 < 14 || g.NX*g.NY > 400 {
				continue
			}
			text := cellText(g, z)
			if font.Width(text) < x1-x0-2 {
				f.Label((x0+x1)/2, (y0+y1)/2+0.36*font.Size, text, figure.TextStyle{Font: font, Color: figure.On(c), Anchor: figure.Middle})
			}
		}
	}
}

// cellText writes the value of a cell: whole if all of them are, else with two
// digits behind the point.
func cellText(g Field, z float64) string {
	counts := true
	for _, v := range g.Z {
		counts = counts && (v == math.Trunc(v) || math.IsNaN(v)) && math.Abs(v) < 1e6
	}
	switch {
	case !isFinite(z):
		return "–"
	case counts:
		return minus(strconv.FormatFloat(z, 'f', 0, 64))
	case math.Abs(z) >= 1000 || z != 0 && math.Abs(z) < 0.005:
		return minus(strconv.FormatFloat(z, 'g', 2, 64))
	}
	return minus(strconv.FormatFloat(z, 'f', 2, 64))
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
			return figure.Paper
		}
		t := 0.3
		if m.sure != nil && isFinite(m.sure[k]) {
			t = 0.08 + 0.34*math.Max(0, math.Min(1, m.sure[k]))
		}
		return figure.Mix(figure.Paper, figure.Class(int(z)), t)
	})
}
