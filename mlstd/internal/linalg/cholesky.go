package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	panelCols = 96 // columns that are factored before the rest is updated
	leafCols  = 16 // columns that are solved for without products
)

// Cholesky replaces the lower triangle of the symmetric n x n matrix a, stored in row-major order,
// with L such that a = L·Lᵀ. The values above the diagonal are not used, and are undefined
// afterwards. It returns false, and a is undefined, if a is not positive definite.
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

// factor is like Cholesky, for a few columns and without blocked products; lda is the stride of the
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

// subtractSquare subtracts b·bᵀ, where b has n rows of k columns, from the lower triangle of c.
func subtractSquare(c, b []float64, n, k, lda int) {
	negative := make([]float64, n*k)
	for i := range n {
		for j, v := range b[i*lda : i*lda+k] {
			negative[i*k+j] = -v
		}
	}
	addLower(c, lda, b, n, lda, Pack(negative, n, k, k))
}

// addLower adds A·Bᵀ to the lower triangle of c, for n rows of each. The values above the diagonal
// are undefined afterwards.
func addLower(c []float64, ldc int, a []float64, n, lda int, b *Panels) {
	// The rows of a band need only the columns up to the band's last one.
	bands := (n + band - 1) / band
	par.Range(bands, 1, func(lo, hi int) {
		for at := (bands - hi) * band; at < (bands-lo)*band && at < n; at += band { // longest bands first
			end := min(at+band, n)
			addProduct(c[at*ldc:], ldc, a[at*lda:], end-at, lda, false, b, end)
		}
	})
}

// SolveCholesky replaces b with (L·Lᵀ)⁻¹·b, for L from [Cholesky].
func SolveCholesky(l, b []float64) {
	n := len(b)
	for i := range n {
		b[i] = (b[i] - floats.Dot(l[i*n:i*n+i], b[:i])) / l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		b[i] /= l[i*n+i]
		floats.AddScaled(b[:i], -b[i], l[i*n:i*n+i])
	}
}

// SolveLower replaces each row v of b with L⁻¹·v. l is a lower triangular n x n matrix; l and b are
// stored in row-major order.
func SolveLower(l, b []float64, n int) {
	const grain = 64
	par.Range(len(b)/n, grain, func(lo, hi int) { solveRight(b[lo*n:hi*n], hi-lo, l, n, n) })
}
