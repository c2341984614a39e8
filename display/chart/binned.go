package chart

import (
	"fmt"
	"image"
	"math"

	"github.com/gokernel/gokernel/display/figure"
)

// manyBinned is the maximum number of points with the same color, shape and size that are drawn one
// by one. More points would hide each other, so they are counted in cells.
const manyBinned = 50000

// binCell is the side length of the cells in which points are counted, in CSS pixels.
const binCell = 2

// binned are the numbers of points in the cells of an area.
type binned struct {
	w, h   int
	counts []int32
	most   int32
}

// isBinned reports whether the points of a mark are counted in cells: very many points
// that share one color, shape and size.
func (m *mark) isBinned() bool {
	return m.kind == points && m.count() > manyBinned && m.class == nil && m.value == nil && m.asPoints().size == nil && m.asPoints().swarm == 0 && !m.ring
}

// bin counts points of the area.
func (p *panel) bin(m *mark) *binned {
	a := p.area
	b := &binned{w: int(math.Ceil(a.w() / binCell)), h: int(math.Ceil(a.h() / binCell))}
	b.counts = make([]int32, b.w*b.h)
	for i, x := range m.x {
		q := p.pt(x, m.y[i])
		u, v := (q.X-a.x0)/binCell, (q.Y-a.y0)/binCell
		if !(u >= 0 && v >= 0 && u <= float64(b.w) && v <= float64(b.h)) {
			continue
		}
		k := min(b.h-1, int(v))*b.w + min(b.w-1, int(u))
		b.counts[k]++
		b.most = max(b.most, b.counts[k])
	}
	return b
}

// binSteps is the number of colors for the counts.
const binSteps = 14

// note returns a sentence about how the points are shown.
func (b *binned) note(n int) string {
	return fmt.Sprintf("%s points counted in cells of %d pixels: from 1, pale, to %s, by the logarithm",
		thousands(fmt.Sprint(n)), binCell, thousands(fmt.Sprint(b.most)))
}

// draw colors the cells by the logarithm of their counts.
func (b *binned) draw(p *panel, f *figure.Figure, color figure.Color) {
	img := image.NewNRGBA(image.Rect(0, 0, int(2*p.area.w()), int(2*p.area.h())))
	var colors [binSteps + 1]figure.Color
	for i := range colors {
		t := float64(i) / binSteps
		if colors[i] = figure.Mix(figure.Mix(figure.Paper(), color, 0.28), color, math.Min(1, 1.5*t)); t > 0.67 {
			colors[i] = figure.Mix(color, figure.Ink(), 2*(t-0.67))
		}
	}
	scale := binSteps / math.Max(math.Log(float64(b.most)), 1e-9)
	const px = 2 * binCell
	for j := range b.h {
		for i := range b.w {
			n := b.counts[j*b.w+i]
			if n == 0 {
				continue
			}
			c := colors[min(binSteps, int(math.Round(scale*math.Log(float64(n)))))]
			for y := px * j; y < min(px*(j+1), img.Rect.Dy()); y++ {
				row := img.Pix[y*img.Stride:]
				for x := px * i; x < min(px*(i+1), img.Rect.Dx()); x++ {
					row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = c.R, c.G, c.B, 255
				}
			}
		}
	}
	f.Picture(p.area.x0, p.area.y0, p.area.w(), p.area.h(), img)
}
