package linalg

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	panelCols = 96 // columns that are factored before the rest is updated
	leafCols  = 16 // columns that are solved for without products
)

// Cholesky replaces the lower triangle of the symmetric a, n x n in rows of n, by
// L with a = L·Lᵀ. What is above the diagonal is neither read nor changed. It
// gives false, and a of no meaning, when a is not positive definite.
func Cholesky(a []float64, n int) bool {
	for j := 0; j < n; j += panelCols {
		k := min(panelCols, n-j)
		if !factor(a[j*n+j:], k, n) {
			return false
		}
		below := n - j - k
		if below == 0 {
			break
		}
		const grain = 64
		par.Range(below, grain, func(lo, hi int) {
			solveRight(a[(j+k+lo)*n+j:], hi-lo, a[j*n+j:], k, n)
		})
		subtractSquare(a[(j+k)*n+j+k:], a[(j+k)*n+j:], below, k, n)
	}
	return true
}

// factor is Cholesky for a few columns, without products; lda is the distance of
// rows.
func factor(a []float64, n, lda int) bool {
	for i := range n {
		row := a[i*lda : i*lda+i+1]
		for j := range row {
			other := a[j*lda : j*lda+j+1]
			s := row[j]
			for t, v := range row[:j] {
				s -= v * other[t]
			}
			if j < i {
				row[j] = s / other[j]
				continue
			}
			if !(s > 0) || math.IsInf(s, 1) {
				return false
			}
			row[j] = math.Sqrt(s)
		}
	}
	return true
}

// solveRight replaces the rows of b, k columns each, by b·L⁻ᵀ for the lower
// triangular l.
func solveRight(b []float64, rows int, l []float64, k, lda int) {
	if k > leafCols {
		// (b₁ b₂)·L⁻ᵀ: first b₁, then b₂ − b₁·L₂₁ᵀ.
		half := (k/2 + leafCols - 1) / leafCols * leafCols
		solveRight(b, rows, l, half, lda)
		product := make([]float64, rows*(k-half))
		AddProduct(product, k-half, b, rows, lda, Pack(l[half*lda:], k-half, half, lda))
		for i := range rows {
			out := b[i*lda+half : i*lda+k]
			for j, v := range product[i*(k-half) : (i+1)*(k-half)] {
				out[j] -= v
			}
		}
		solveRight(b[half:], rows, l[half*lda+half:], k-half, lda)
		return
	}
	for i := range rows {
		row := b[i*lda : i*lda+k]
		for j := range row {
			s := row[j]
			for t, v := range l[j*lda : j*lda+j] {
				s -= row[t] * v
			}
			row[j] = s / l[j*lda+j]
		}
	}
}

// subtractSquare takes b·bᵀ, for n rows of k columns, from the lower triangle of
// c.
func subtractSquare(c, b []float64, n, k, lda int) {
	negative := make([]float64, n*k)
	for i := range n {
		for j, v := range b[i*lda : i*lda+k] {
			negative[i*k+j] = -v
		}
	}
	panels := Pack(negative, n, k, k)
	// The rows of a band need the columns up to their last one.
	bands := (n + band - 1) / band
	par.Range(bands, 1, func(lo, hi int) {
		for at := (bands - hi) * band; at < (bands-lo)*band && at < n; at += band { // the longest first
			end := min(at+band, n)
			addProduct(c[at*lda:], lda, b[at*lda:], end-at, lda, panels, 0, end)
		}
	})
}

// Transposed gives the transpose of a, n x n.
func Transposed(a []float64, n int) []float64 {
	const block = 32 // small enough for both sides to stay in the cache
	out := make([]float64, n*n)
	par.Range(n, block, func(lo, hi int) {
		for at := 0; at < n; at += block {
			for i := lo; i < hi; i++ {
				for j := at; j < min(at+block, n); j++ {
					out[i*n+j] = a[j*n+i]
				}
			}
		}
	})
	return out
}
