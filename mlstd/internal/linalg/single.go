package linalg

import (
	"sync"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	singleWidth = 32   // rows in a panel of the right operand, in single precision
	singleBand  = band // rows of the left operand that are packed at a time
)

// SinglePanels holds the rows of a matrix rounded to single precision, in the order in
// which [AddSingle] reads them: as [Panels] does, with 32 rows a panel.
type SinglePanels struct {
	rows, cols int
	data       []float32
}

// Pack makes p the panels of the rows of b, a matrix of the given shape.
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

// PackColumns makes p the panels of the columns of b, for products A·B.
func (p *SinglePanels) PackColumns(b []float64, rows, cols int) {
	p.resize(cols, rows)
	if rows*cols <= alone {
		p.packColumns(b, 0, cols)
		return
	}
	p.packShares(b)
}

// packShares is packColumns of all columns, on all processors.
func (p *SinglePanels) packShares(b []float64) {
	par.Range((p.rows+singleWidth-1)/singleWidth, 1, func(lo, hi int) {
		p.packColumns(b, lo*singleWidth, min(hi*singleWidth, p.rows))
	})
}

// packColumns packs the columns of b from from on, which begins a panel, to to.
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

// resize makes room for rows of cols values; those beyond the rows are zero.
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

// each calls f with every panel: of high rows from r0 on and k columns from c0 on.
func (p *SinglePanels) each(f func(panel []float32, r0, high, c0, k int)) {
	for c0 := 0; c0 < p.cols; c0 += deep {
		k := min(deep, p.cols-c0)
		for r0 := 0; r0 < p.rows; r0 += singleWidth {
			f(p.panel(r0, c0, k), r0, min(singleWidth, p.rows-r0), c0, k)
		}
	}
}

// panel is that of the rows from r0 on, of k columns from c0 on.
func (p *SinglePanels) panel(r0, c0, k int) []float32 {
	padded := (p.rows + singleWidth - 1) / singleWidth * singleWidth
	at := c0*padded + r0*k
	return p.data[at : at+singleWidth*k]
}

var singlePacks = sync.Pool{New: func() any { return new([singleBand * deep]float32) }}

// AddSingle adds A·Bᵀ to c for the m rows of a and the rows of b. Products, and
// sums of up to 256 of them, are in single precision. left takes the columns of a,
// which has as many rows as b has columns.
func AddSingle(c []float64, a []float64, m int, left bool, b *SinglePanels) {
	rows := Share(m, b.rows*b.cols)
	if rows >= m {
		AddSingleRows(c, a, m, left, b)
		return
	}
	par.Range(m, rows, func(lo, hi int) { addSingle(c, a, m, lo, hi, left, b) })
}

// AddSingleRows is AddSingle on the processor that calls it.
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

// packSingleRows lays rows lo to hi of a, stride apart, out in blocks of 6, in each
// the 6 values of a column side by side; missing rows are zero.
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

// packSingleColumns lays columns lo to hi of a, whose rows begin stride apart, out in
// the same way.
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

// addSingleBlock adds the product of a packed block and a panel to c, high x wide of it.
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
