package chart

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// cells draws the part of a field inside the area, pixel by pixel.
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

// infiniteCells returns a note about the number of cells of a field that are infinite and have no
// color.
func infiniteCells(n int) string {
	if n == 1 {
		return "1 infinite value has no color"
	}
	return fmt.Sprintf("%d infinite values have no color", n)
}

// Field is a function of two variables on a grid: Z holds NY rows of NX values, the lowest row
// first. The grid covers the rectangle from (X0, Y0) to (X1, Y1); each value belongs to the center
// of its cell.
type Field struct {
	NX, NY         int
	X0, X1, Y0, Y1 float64
	Z              []float64
}

// NewField evaluates f at the centers of n×n cells of a rectangle.
func NewField(f func(x, y float64) float64, x0, x1, y0, y1 float64, n int) Field {
	g := Field{NX: n, NY: n, X0: x0, X1: x1, Y0: y0, Y1: y1, Z: make([]float64, n*n)}
	for j := range n {
		for i := range n {
			x, y := g.Center(i, j)
			g.Z[j*n+i] = f(x, y)
		}
	}
	return g
}

// Center returns the middle of the cell in column i and row j.
func (g Field) Center(i, j int) (x, y float64) {
	return g.X0 + (g.X1-g.X0)*(float64(i)+0.5)/float64(g.NX), g.Y0 + (g.Y1-g.Y0)*(float64(j)+0.5)/float64(g.NY)
}

func (g Field) check(verb string) error {
	switch {
	case g.NX < 1 || g.NY < 1:
		return fmt.Errorf("chart.%s: the field has %d×%d cells; it needs at least one", verb, g.NX, g.NY)
	case len(g.Z) != g.NX*g.NY:
		return fmt.Errorf("chart.%s: the field has %d values for %d×%d cells", verb, len(g.Z), g.NX, g.NY)
	case !(g.X0 < g.X1 && g.Y0 < g.Y1) || !isFinite(g.X1-g.X0) || !isFinite(g.Y1-g.Y0):
		return fmt.Errorf("chart.%s: x and y of the field must ascend, got x from %g to %g and y from %g to %g", verb, g.X0, g.X1, g.Y0, g.Y1)
	}
	return nil
}

// moved returns the field with its columns, or its rows, in other places.
func (g Field) moved(to []int, x bool) Field {
	out := g
	out.Z = make([]float64, len(g.Z))
	for j := range g.NY {
		for i := range g.NX {
			a, b := i, j
			if x {
				a = to[i]
			} else {
				b = to[j]
			}
			out.Z[b*g.NX+a] = g.Z[j*g.NX+i]
		}
	}
	return out
}

// coarse returns the number of cells of a field that a specification keeps in each direction.
func (v *vegaPanel) coarse(g Field) (nx, ny int) {
	const most = 70
	if nx, ny = min(g.NX, most), min(g.NY, most); nx < g.NX || ny < g.NY {
		v.sampled = fmt.Sprintf("interactive: a coarser grid of %d×%d instead of %d×%d cells", nx, ny, g.NX, g.NY)
	}
	return nx, ny
}

// coarseAt returns the index of the cell that represents cell (i, j) of an nx×ny grid.
func (g Field) coarseAt(i, j, nx, ny int) int { return (j*g.NY/ny)*g.NX + i*g.NX/nx }

// cells adds a layer of a field's cells, whose positions are computed from their indexes.
func (v *vegaPanel) cells(rows []any, g Field, nx, ny int, cell, enc object, tips ...tip) {
	layer := v.add(rows, cell, enc, tips...)
	last, _ := layer["transform"].([]any)
	split := len(last)
	for i, t := range last { // the tooltips are made of what follows
		if c, ok := t.(object)["as"].(string); ok && strings.HasSuffix(c, "text") {
			split = i
			break
		}
	}
	transform := slices.Clone(last[:split])
	for _, c := range []struct {
		as     string
		number string
		lo, hi float64
		n      int
	}{
		{"x", fmt.Sprintf("datum.k%%%d", nx), g.X0, g.X1, nx}, {"x2", fmt.Sprintf("(datum.k%%%d+1)", nx), g.X0, g.X1, nx},
		{"y", fmt.Sprintf("floor(datum.k/%d)", nx), g.Y0, g.Y1, ny}, {"y2", fmt.Sprintf("(floor(datum.k/%d)+1)", nx), g.Y0, g.Y1, ny},
	} {
		transform = append(transform, object{"calculate": fmt.Sprintf("%g+%s*%g", c.lo, c.number, (c.hi-c.lo)/float64(c.n)), "as": c.as})
	}
	transform = append(transform, object{"calculate": fmt.Sprintf("datum.k%%%d", nx), "as": "column"}, object{"calculate": fmt.Sprintf("floor(datum.k/%d)", nx), "as": "row"})
	layer["transform"] = append(transform, last[split:]...)
}
