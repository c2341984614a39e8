package linalg

import (
	"sync"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// band is the number of rows of A that are packed at a time: with 256 columns
// they fit into the second-level cache beside a panel of B.
const band = 8 * tall

// alone is the number of multiplications up to which starting goroutines costs more than
// they save.
const alone = 1 << 17

var packs = sync.Pool{New: func() any { return new([band * deep]float64) }}

// AddProduct adds A·Bᵀ to c: c[i·ldc+j] += Σₖ a[i·lda+k]·bⱼₖ for the m rows of a,
// whose rows begin lda apart, and the rows of b.
func AddProduct(c []float64, ldc int, a []float64, m, lda int, b *Panels) {
	if m <= band || m*b.rows*b.cols <= alone {
		for lo := 0; lo < m; lo += band {
			addProduct(c[lo*ldc:], ldc, a[lo*lda:], min(band, m-lo), lda, b, b.rows)
		}
		return
	}
	par.Range(m, band, func(lo, hi int) {
		addProduct(c[lo*ldc:], ldc, a[lo*lda:], hi-lo, lda, b, b.rows)
	})
}

// addProduct is AddProduct on one processor, for up to band rows of a and the
// first rows of b.
func addProduct(c []float64, ldc int, a []float64, m, lda int, b *Panels, rows int) {
	buf := packs.Get().(*[band * deep]float64)
	defer packs.Put(buf)
	for c0 := 0; c0 < b.cols; c0 += deep {
		k := min(deep, b.cols-c0)
		packBand(buf[:], a, m, lda, c0, k)
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

// packBand lays m rows of a out in blocks of 6, in each the 6 values of a column
// side by side; missing rows are zero.
func packBand(buf, a []float64, m, lda, c0, k int) {
	for i := 0; i < m; i += tall {
		block := buf[i*k : (i+tall)*k]
		for s := range tall {
			if i+s >= m {
				for t := range k {
					block[t*tall+s] = 0
				}
				continue
			}
			row := a[(i+s)*lda+c0:]
			for t, v := range row[:k] {
				block[t*tall+s] = v
			}
		}
	}
}
