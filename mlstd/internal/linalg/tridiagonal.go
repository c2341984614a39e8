package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	reflectorPanel = 32 // reflections that are collected before the rest is updated
	reflectorBlock = 64 // reflections that are applied to vectors together
)

// tridiagonal reduces the symmetric a, n x n in rows of n, to the tridiagonal QᵀaQ with the
// diagonal d and the subdiagonal e. It uses only the lower triangle of a. Q is the product of the
// reflections I − tau[j]·v·vᵀ. The vector of reflection j begins with j+1 zeros and a 1; its part
// from the 1 on replaces row j of a to the right of the diagonal. Updates are deferred until
// several reflections have been found, so that half of the work is matrix products [Dongarra1989].
func tridiagonal(a []float64, n int) (d, e, tau []float64) {
	d, e, tau = make([]float64, n), make([]float64, max(0, n-1)), make([]float64, max(0, n-1))
	x := make([]float64, n)
	// The reflections v of a panel, and w such that the matrix after them is
	// a − Σ(v·wᵀ + w·vᵀ). In each panel they are indexed from its first row on.
	wv := make([]float64, 2*reflectorPanel*n)
	parts := make([]float64, sweepParts*n)
	for j0 := 0; j0 < n-1; {
		m := n - j0
		k := min(reflectorPanel, m-1)
		w, v := wv[:k*m], wv[k*m:2*k*m]
		clear(wv[:2*k*m])
		for t := range k {
			j := j0 + t
			col := x[:m-t] // column j of the matrix after the first t reflections
			for i := range col {
				col[i] = a[(j+i)*n+j]
			}
			for s := range t {
				floats.AddScaled(col, -w[s*m+t], v[s*m+t:(s+1)*m])
				floats.AddScaled(col, -v[s*m+t], w[s*m+t:(s+1)*m])
			}
			d[j] = col[0]
			e[j], tau[j] = reflect(col[1:])
			at := t + 1 // start of the reflection
			vt, wt := v[t*m+at:(t+1)*m], w[t*m+at:(t+1)*m]
			copy(vt, col[1:])
			copy(a[j*n+j+1:(j+1)*n], col[1:])
			if tau[j] == 0 {
				continue
			}
			timesLower(wt, a[(j+1)*n+j+1:], n, vt, parts)
			for s := range t {
				vs, ws := v[s*m+at:(s+1)*m], w[s*m+at:(s+1)*m]
				inV, inW := floats.Dot(vs, vt), floats.Dot(ws, vt)
				floats.AddScaled(wt, -inW, vs)
				floats.AddScaled(wt, -inV, ws)
			}
			floats.Scale(tau[j], wt)
			floats.AddScaled(wt, -tau[j]/2*floats.Dot(wt, vt), vt)
		}
		rest := m - k
		subtractPairs(a[(j0+k)*n+j0+k:], n, rest, wv[:2*k*m], 2*k, m, k)
		j0 += k
	}
	d[n-1] = a[n*n-1]
	return d, e, tau
}

// reflect replaces x by the vector v, with first entry 1, of the reflection I − tau·v·vᵀ that maps
// x to (first, 0, … 0).
func reflect(x []float64) (first, tau float64) {
	alpha, rest := x[0], floats.Norm(x[1:], 2)
	x[0] = 1
	if rest == 0 {
		return alpha, 0
	}
	first = -math.Copysign(math.Hypot(alpha, rest), alpha)
	floats.Scale(1/(alpha-first), x[1:])
	return first, (first - alpha) / first
}

const (
	sweepParts = 8   // parts into which a triangle is divided
	sweepSmall = 256 // rows of a triangle that is not divided
)

// timesLower writes the product of a symmetric matrix and x into dst. The lower triangle a of the
// matrix has rows with the given stride. parts is space for sweepParts vectors.
func timesLower(dst, a []float64, stride int, x, parts []float64) {
	n := len(x)
	if n < sweepSmall {
		clear(dst)
		sweepRows(dst, a, stride, x, 0, n)
		return
	}
	// The parts have the same number of elements.
	edge := func(p int) int { return int(float64(n)*math.Sqrt(float64(p)/sweepParts)) &^ 3 }
	par.Range(sweepParts, 1, func(p, _ int) {
		end := n
		if p < sweepParts-1 {
			end = edge(p + 1)
		}
		own := parts[p*n : p*n+end]
		clear(own)
		sweepRows(own, a, stride, x, edge(p), end)
	})
	copy(dst, parts[(sweepParts-1)*n:sweepParts*n])
	for p := range sweepParts - 1 {
		end := edge(p + 1)
		floats.Add(dst[:end], parts[p*n:p*n+end])
	}
}

// sweepRows adds to dst the contribution of rows lo to hi of the lower triangle a, and of the
// mirrored columns, to the product with x.
func sweepRows(dst, a []float64, stride int, x []float64, lo, hi int) {
	i := lo
	for ; i+4 <= hi; i += 4 {
		var dots [4]float64
		sweep(a[i*stride:], stride, x[:i], dst[:i], (*[4]float64)(x[i:]), &dots)
		for r, v := range dots {
			dst[i+r] += v
		}
		for r := range 4 {
			addRow(dst, a[(i+r)*stride:], x, i, i+r)
		}
	}
	for ; i < hi; i++ {
		addRow(dst, a[i*stride:], x, 0, i)
	}
}

// addRow is sweepRows for row i and its columns starting at c.
func addRow(dst, row, x []float64, c, i int) {
	for ; c < i; c++ {
		dst[c] += row[c] * x[i]
		dst[i] += row[c] * x[c]
	}
	dst[i] += row[i] * x[i]
}

// subtractPairs subtracts Σ(v·wᵀ + w·vᵀ) from the lower triangle of a, which has n rows with the
// given stride. w and then v are the rows of wv, which have the given length; their entries before
// from are ignored.
func subtractPairs(a []float64, stride, n int, wv []float64, rows, length, from int) {
	if n == 0 {
		return
	}
	left := make([]float64, n*rows) // −v and −w side by side in each row
	half := rows / 2
	for s := range rows {
		to := (s + half) % rows
		for i, u := range wv[s*length+from : (s+1)*length] {
			left[i*rows+to] = -u
		}
	}
	addLower(a, stride, left, n, rows, PackColumns(wv[from:], rows, n, length))
}

// backTransform replaces each row z of length n by Q·z, for the reflections that
// [tridiagonal] left in a and tau.
func backTransform(z []float64, rows int, a, tau []float64, n int) {
	if n < 2 {
		return
	}
	for end := n - 1; end > 0; {
		k := (end-1)%reflectorBlock + 1 // only the first block is short
		j := end - k
		end = j
		length := n - j - 1
		v := make([]float64, k*length)
		for t := range k {
			copy(v[t*length+t:(t+1)*length], a[(j+t)*n+j+t+1:(j+t+1)*n])
		}
		// The product of the reflections is I − vᵀ·T·v, T being upper triangular
		// [SchreiberVanLoan1989].
		packed := Pack(v, k, length, length)
		inner := make([]float64, k*k)
		AddProduct(inner, k, v, k, length, packed)
		upper := make([]float64, k*k)
		for t := range k {
			for i := range t {
				s := 0.0
				for l := i; l < t; l++ {
					s += upper[i*k+l] * inner[l*k+t]
				}
				upper[i*k+t] = -tau[j+t] * s
			}
			upper[t*k+t] = tau[j+t]
		}
		x := make([]float64, rows*k)
		AddProduct(x, k, z[j+1:], rows, n, packed)
		par.Range(rows, 64, func(lo, hi int) {
			for r := lo; r < hi; r++ {
				row := x[r*k : (r+1)*k]
				for i := range row { // in ascending order, because later entries are still needed
					row[i] = -floats.Dot(upper[i*k+i:(i+1)*k], row[i:])
				}
			}
		})
		AddProduct(z[j+1:], n, x, rows, k, PackColumns(v, k, length, length))
	}
}
