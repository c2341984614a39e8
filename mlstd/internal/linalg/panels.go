// Package linalg implements the dense linear algebra that determines the speed of kernel matrices,
// distances and products: a packed, register-blocked product for rows of float64, with AVX2 and FMA
// if the processor has them.
//
// Every element of a result is one sum over the columns, in an order that does not depend on the
// shapes or the number of processors. So the result for a row is bit-identical whether or not other
// rows are computed with it, and a·b equals b·a.
package linalg

import "github.com/gokernel/gokernel/mlstd/internal/par"

const (
	width = 8   // rows in a panel of the right operand
	tall  = 6   // rows of the left operand that a micro-kernel takes
	deep  = 256 // columns that are summed before the result is updated
)

// Panels holds the rows of a matrix in the order in which the products read them.
// There are blocks of up to 256 columns, each block has panels of 8 rows, and each
// panel has the 8 values of a column side by side. It is the right operand Bᵀ of
// products.
type Panels struct {
	rows, cols int
	data       []float64
}

// Pack returns the panels of the rows of b, a matrix of the given shape whose rows have the given
// stride.
func Pack(b []float64, rows, cols, stride int) *Panels {
	p := new(Panels)
	p.Pack(b, rows, cols, stride)
	return p
}

// Pack stores the panels of the rows of b in p and reuses p's memory.
func (p *Panels) Pack(b []float64, rows, cols, stride int) {
	p.resize(rows, cols)
	p.each(func(panel []float64, r0, high, c0, k int) {
		for r := range high {
			at := (r0+r)*stride + c0
			for c, v := range b[at : at+k] {
				panel[c*width+r] = v
			}
		}
	})
}

// PackColumns returns the panels of the columns of b, for products A·B.
func PackColumns(b []float64, rows, cols, stride int) *Panels {
	p := new(Panels)
	p.PackColumns(b, rows, cols, stride)
	return p
}

// PackColumns stores the panels of the columns of b in p and reuses p's memory.
func (p *Panels) PackColumns(b []float64, rows, cols, stride int) {
	p.resize(cols, rows)
	if rows*cols <= alone {
		p.packColumns(b, stride, 0, cols)
		return
	}
	p.packShares(b, stride)
}

// packShares calls packColumns for all columns, on all processors.
func (p *Panels) packShares(b []float64, stride int) {
	const grain = 4 // panels
	par.Range((p.rows+width-1)/width, grain, func(lo, hi int) { p.packColumns(b, stride, lo*width, min(hi*width, p.rows)) })
}

// packColumns packs columns from to to of b; from must be the first column of a panel.
func (p *Panels) packColumns(b []float64, stride, from, to int) {
	for c0 := 0; c0 < p.cols; c0 += deep {
		k := min(deep, p.cols-c0)
		panels := p.panels(c0, k, 0)
		for r0 := from; r0 < to; r0 += width {
			panel, high := panels[r0*k:r0*k+width*k], min(width, p.rows-r0)
			if high == width {
				for c := range k {
					to, v := (*[width]float64)(panel[c*width:]), (*[width]float64)(b[(c0+c)*stride+r0:])
					to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7] = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
				}
				continue
			}
			for c := range k {
				copy(panel[c*width:c*width+high], b[(c0+c)*stride+r0:])
			}
		}
	}
}

// resize allocates space for rows of cols values. Values that only fill up the last panel are zero.
func (p *Panels) resize(rows, cols int) {
	padded := (rows + width - 1) / width * width
	p.rows, p.cols = rows, cols
	if cap(p.data) < padded*cols {
		p.data = make([]float64, padded*cols)
		return
	}
	p.data = p.data[:padded*cols]
	if padded > rows {
		clear(p.data)
	}
}

// each calls f with every panel, which has high rows starting at r0 and k columns starting at c0.
func (p *Panels) each(f func(panel []float64, r0, high, c0, k int)) {
	for c0 := 0; c0 < p.cols; c0 += deep {
		k := min(deep, p.cols-c0)
		panels := p.panels(c0, k, 0)
		for r0 := 0; r0 < p.rows; r0 += width {
			f(panels[r0*k:r0*k+width*k], r0, min(width, p.rows-r0), c0, k)
		}
	}
}

// panels returns columns c0 to c0+k of the panels, starting with the panel that begins at row r0.
func (p *Panels) panels(c0, k, r0 int) []float64 {
	padded := (p.rows + width - 1) / width * width
	return p.data[c0*padded+r0*k : (c0+k)*padded]
}

// Dots writes the dot product of v with each packed row into dst.
func (p *Panels) Dots(dst, v []float64) {
	whole := len(dst) &^ (width - 1)
	var edge [width]float64
	clear(dst)
	for c0 := 0; c0 < p.cols; c0 += deep {
		k := min(deep, p.cols-c0)
		part := v[c0 : c0+k]
		if whole > 0 {
			dots(dst[:whole], part, p.panels(c0, k, 0), k*width)
		}
		if whole < len(dst) {
			dots(edge[:], part, p.panels(c0, k, whole), k*width)
		}
	}
	copy(dst[whole:], edge[:])
}
