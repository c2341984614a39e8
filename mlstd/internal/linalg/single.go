package linalg

import (
	"sync"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	singleWidth = 32   // rows in a panel of the right operand, in single precision
	singleBand  = band // rows of the left operand that are packed at a time
)

// SinglePanels holds the rows of a matrix rounded to single precision, in the order in which
// [AddSingle] reads them: like [Panels], with 32 rows per panel.
type SinglePanels struct {
	rows, cols int
	data       []float32
}

// Pack stores the panels of the rows of b, a matrix of the given shape, in p.
func (p *SinglePanels) Pack(b []float64, rows, cols int) {
	p.resize(rows, cols)
	p.each(func(panel []float32, r0, high, c0, k int) {
		for r := range high {
			at := (r0+r)*cols + c0
			for c, v := range b[at : at+k] {
				panel[c*singleWidth+r] = float32(v)
			}
		}
	})
}

// PackColumns stores the panels of the columns of b in p, for products A·B.
func (p *SinglePanels) PackColumns(b []float64, rows, cols int) {
	p.resize(cols, rows)
	if rows*cols <= alone {
		p.packColumns(b, 0, cols)
		return
	}
	p.packShares(b)
}

// packShares calls packColumns for all columns, on all processors.
func (p *SinglePanels) packShares(b []float64) {
	par.Range((p.rows+singleWidth-1)/singleWidth, 1, func(lo, hi int) {
		p.packColumns(b, lo*singleWidth, min(hi*singleWidth, p.rows))
	})
}

// packColumns packs columns from to to of b; from must be the first column of a panel.
func (p *SinglePanels) packColumns(b []float64, from, to int) {
	for c0 := 0; c0 < p.cols; c0 += deep {
		k := min(deep, p.cols-c0)
		for r0 := from; r0 < to; r0 += singleWidth {
			panel, high := p.panel(r0, c0, k), min(singleWidth, p.rows-r0)
			for c := range k {
				at := (c0+c)*p.rows + r0
				out := panel[c*singleWidth : c*singleWidth+high]
				for r, v := range b[at : at+high] {
					out[r] = float32(v)
				}
			}
		}
	}
}

// resize allocates space for rows of cols values. Values that only fill up the last panel are zero.
func (p *SinglePanels) resize(rows, cols int) {
	padded := (rows + singleWidth - 1) / singleWidth * singleWidth
	p.rows, p.cols = rows, cols
	if cap(p.data) < padded*cols {
		p.data = make([]float32, padded*cols)
		return
	}
	p.data = p.data[:padded*cols]
	if padded > rows {
		clear(p.data)
	}
}

// each calls f with every panel, which has high rows starting at r0 and k columns starting at c0.
func (p *SinglePanels) each(f func(panel []float32, r0, high, c0, k int)) {
	for c0 := 0; c0 < p.cols; c0 += deep {
		k := min(deep, p.cols-c0)
		for r0 := 0; r0 < p.rows; r0 += singleWidth {
			f(p.panel(r0, c0, k), r0, min(singleWidth, p.rows-r0), c0, k)
		}
	}
}

// panel returns the panel of the rows starting at r0, with k columns starting at c0.
func (p *SinglePanels) panel(r0, c0, k int) []float32 {
	padded := (p.rows + singleWidth - 1) / singleWidth * singleWidth
	at := c0*padded + r0*k
	return p.data[at : at+singleWidth*k]
}

var singlePacks = sync.Pool{New: func() any { return new([singleBand * deep]float32) }}

// AddSingle adds A·Bᵀ to c for the m rows of a and the rows of b. Products, and sums of up to 256
// products, are in single precision. If left is set, it uses the columns of a instead of its rows;
// a then has as many rows as b has columns.
func AddSingle(c []float64, a []float64, m int, left bool, b *SinglePanels) {
	rows := Share(m, b.rows*b.cols)
	if rows >= m {
		AddSingleRows(c, a, m, left, b)
		return
	}
	par.Range(m, rows, func(lo, hi int) { addSingle(c, a, m, lo, hi, left, b) })
}

// AddSingleRows is AddSingle on the calling goroutine.
func AddSingleRows(c []float64, a []float64, m int, left bool, b *SinglePanels) {
	for lo := 0; lo < m; lo += singleBand {
		addSingle(c, a, m, lo, min(lo+singleBand, m), left, b)
	}
}

// addSingle computes rows lo to hi of the m rows of c.
func addSingle(c, a []float64, m, lo, hi int, left bool, b *SinglePanels) {
	buf := singlePacks.Get().(*[singleBand * deep]float32)
	defer singlePacks.Put(buf)
	for c0 := 0; c0 < b.cols; c0 += deep {
		k := min(deep, b.cols-c0)
		if left {
			packSingleColumns(buf[:], a[c0*m:], m, lo, hi, k)
		} else {
			packSingleRows(buf[:], a[c0:], b.cols, lo, hi, k)
		}
		for r0 := 0; r0 < b.rows; r0 += singleWidth {
			panel, wide := b.panel(r0, c0, k), min(singleWidth, b.rows-r0)
			for i := lo; i < hi; i += tall {
				block := buf[(i-lo)*k : (i-lo+tall)*k]
				addSingleBlock(c[i*b.rows+r0:], b.rows, block, panel, k, min(tall, hi-i), wide)
			}
		}
	}
}

// packSingleRows packs rows lo to hi of a, which have the given stride, in blocks of 6, each with
// the 6 values of a column side by side. Missing rows are zero.
func packSingleRows(buf []float32, a []float64, stride, lo, hi, k int) {
	for i := lo; i < hi; i += tall {
		block := buf[(i-lo)*k : (i-lo+tall)*k]
		for s := range tall {
			if i+s >= hi {
				for t := range k {
					block[t*tall+s] = 0
				}
				continue
			}
			for t, v := range a[(i+s)*stride : (i+s)*stride+k] {
				block[t*tall+s] = float32(v)
			}
		}
	}
}

// packSingleColumns packs columns lo to hi of a, whose rows have the given stride, in the same way.
func packSingleColumns(buf []float32, a []float64, stride, lo, hi, k int) {
	for i := lo; i < hi; i += tall {
		block, high := buf[(i-lo)*k:(i-lo+tall)*k], min(tall, hi-i)
		if high < tall {
			clear(block)
		}
		for t := range k {
			out := block[t*tall : t*tall+high]
			for s, v := range a[t*stride+i : t*stride+i+high] {
				out[s] = float32(v)
			}
		}
	}
}

// addSingleBlock adds a high×wide part of the product of a packed block and a panel to c.
func addSingleBlock(c []float64, ldc int, block, panel []float32, k, high, wide int) {
	if high == tall && wide == singleWidth {
		single(c, ldc, block, panel, k)
		return
	}
	var edge [tall * singleWidth]float64
	single(edge[:], singleWidth, block, panel, k)
	for s := range high {
		out := c[s*ldc:]
		for j := range wide {
			out[j] += edge[s*singleWidth+j]
		}
	}
}

// singleGo is single without assembly.
func singleGo(c []float64, stride int, a, b []float32, k int) {
	var s [tall * singleWidth]float32
	for t := range k {
		col, row := a[t*tall:t*tall+tall], b[t*singleWidth:t*singleWidth+singleWidth]
		for i, x := range col {
			out := s[i*singleWidth : i*singleWidth+singleWidth]
			for j, y := range row {
				out[j] += x * y
			}
		}
	}
	for i := range tall {
		for j := range singleWidth {
			c[i*stride+j] += float64(s[i*singleWidth+j])
		}
	}
}
