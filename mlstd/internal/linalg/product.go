package linalg

import (
	"runtime"
	"sync"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// band is the number of rows of A that are packed at a time: with 256 columns they fit into the
// second-level cache together with a panel of B.
const band = 12 * tall

// alone is the maximum number of multiplications for which starting goroutines costs more than it
// saves.
const alone = 1 << 17

// Share returns the number of rows that one goroutine should process, for m rows with work
// multiplications each. It returns m if starting goroutines would cost more than it saves.
// Otherwise the rows fit into the cache, and all processors have the same number of shares. Rows
// are independent, so the results do not depend on the number of processors.
func Share(m, work int) int {
	if m*work <= alone {
		return m
	}
	procs := runtime.GOMAXPROCS(0)
	shares := ((m+band-1)/band + procs - 1) / procs * procs
	rows := (m + shares - 1) / shares
	return (rows + tall - 1) / tall * tall
}

var packs = sync.Pool{New: func() any { return new([band * deep]float64) }}

// AddProduct adds A·Bᵀ to c: c[i·ldc+j] += Σₖ a[i·lda+k]·bⱼₖ for the m rows of a, which have the
// stride lda, and the rows of b.
func AddProduct(c []float64, ldc int, a []float64, m, lda int, b *Panels) {
	rows := Share(m, b.rows*b.cols)
	if rows >= m {
		AddRows(c, ldc, a, m, lda, b)
		return
	}
	par.Range(m, rows, func(lo, hi int) {
		addProduct(c[lo*ldc:], ldc, a[lo*lda:], hi-lo, lda, false, b, b.rows)
	})
}

// AddRows is AddProduct on the calling goroutine.
func AddRows(c []float64, ldc int, a []float64, m, lda int, b *Panels) {
	for lo := 0; lo < m; lo += band {
		addProduct(c[lo*ldc:], ldc, a[lo*lda:], min(band, m-lo), lda, false, b, b.rows)
	}
}

// AddProductLeft is AddProduct with the m columns of a as rows: c[i·ldc+j] += Σₖ a[k·lda+i]·bⱼₖ. a
// has as many rows as b has columns.
func AddProductLeft(c []float64, ldc int, a []float64, m, lda int, b *Panels) {
	rows := Share(m, b.rows*b.cols)
	if rows >= m {
		for lo := 0; lo < m; lo += band {
			addProduct(c[lo*ldc:], ldc, a[lo:], min(band, m-lo), lda, true, b, b.rows)
		}
		return
	}
	par.Range(m, rows, func(lo, hi int) {
		addProduct(c[lo*ldc:], ldc, a[lo:], hi-lo, lda, true, b, b.rows)
	})
}

// addProduct is AddProduct on one processor, or AddProductLeft, for up to band rows of c
// and the first rows of b.
func addProduct(c []float64, ldc int, a []float64, m, lda int, left bool, b *Panels, rows int) {
	buf := packs.Get().(*[band * deep]float64)
	defer packs.Put(buf)
	for c0 := 0; c0 < b.cols; c0 += deep {
		k := min(deep, b.cols-c0)
		if left {
			packColumns(buf[:], a[c0*lda:], m, lda, k)
		} else {
			packBand(buf[:], a, m, lda, c0, k)
		}
		panels := b.panels(c0, k, 0)
		for r0 := 0; r0 < rows; r0 += width {
			panel := panels[r0*k : r0*k+width*k]
			cols := min(width, rows-r0)
			for i := 0; i < m; i += tall {
				addBlock(c[i*ldc+r0:], ldc, buf[i*k:(i+tall)*k], panel, k, min(tall, m-i), cols)
			}
		}
	}
}

// packBand packs m rows of a in blocks of 6, each with the 6 values of a column side by side;
// missing rows are zero.
func packBand(buf, a []float64, m, lda, c0, k int) {
	for i := 0; i < m; i += tall {
		block := buf[i*k : (i+tall)*k]
		at := i*lda + c0
		if i+tall <= m {
			r0, r1, r2 := a[at:][:k], a[at+lda:][:k], a[at+2*lda:][:k]
			r3, r4, r5 := a[at+3*lda:][:k], a[at+4*lda:][:k], a[at+5*lda:][:k]
			for t, v := range r0 {
				out := (*[tall]float64)(block[t*tall:])
				out[0], out[1], out[2], out[3], out[4], out[5] = v, r1[t], r2[t], r3[t], r4[t], r5[t]
			}
			continue
		}
		clear(block)
		for s := range m - i {
			for t, v := range a[at+s*lda:][:k] {
				block[t*tall+s] = v
			}
		}
	}
}

// packColumns packs m columns of the first k rows of a in the same way.
func packColumns(buf, a []float64, m, lda, k int) {
	for i := 0; i < m; i += tall {
		block, high := buf[i*k:(i+tall)*k], min(tall, m-i)
		if high == tall {
			for t := range k {
				to, v := (*[tall]float64)(block[t*tall:]), (*[tall]float64)(a[t*lda+i:])
				to[0], to[1], to[2], to[3], to[4], to[5] = v[0], v[1], v[2], v[3], v[4], v[5]
			}
			continue
		}
		clear(block)
		for t := range k {
			copy(block[t*tall:t*tall+high], a[t*lda+i:])
		}
	}
}
