package linalg

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TopEigen gives the k largest eigenvalues of the symmetric a, n x n in rows of n,
// falling, and their unit eigenvectors, by the block Lanczos method with full
// orthogonalization: residuals are below 1e-11 of the largest eigenvalue in size.
// It gives false when the space would have to grow beyond half of n; then a full
// decomposition is the faster way.
//
// Cost: O(n²·k) a block, some ten blocks for well separated eigenvalues.
func TopEigen(a []float64, n, k int) (values []float64, vectors [][]float64, ok bool) {
	const tol = 1e-11
	block := min(max(k+3, 8), 32) // larger than the multiplicities that occur
	rng := rand.New(rand.NewPCG(1, 2))
	var basis [][]float64
	var h [][]float64 // h[j][i] is basisᵢ·a·basisⱼ, for i ≤ j
	next := make([][]float64, block)
	for j := range next {
		next[j] = make([]float64, n)
		for i := range next[j] {
			next[j][i] = rng.NormFloat64()
		}
	}
	next, _ = orthonormal(basis, next)
	for check := 0; len(next) > 0 && len(basis)+len(next) <= n/2; {
		from := len(basis)
		basis = append(basis, next...)
		images := times(a, n, next)
		// Twice is enough to make the rest orthogonal to the basis in spite of
		// rounding.
		for pass := range 2 {
			for j, w := range images {
				column := make([]float64, from+j+1)
				for i, q := range basis {
					c := floats.Dot(q, w)
					floats.AddScaled(w, -c, q)
					if i < len(column) {
						column[i] = c
					}
				}
				if pass == 0 {
					h = append(h, column)
				}
			}
		}
		var r *mat.Dense
		next, r = orthonormal(basis, images)
		if len(basis) < max(check, k) && len(next) > 0 {
			continue
		}
		check = len(basis) * 5 / 4 // the small problem is solved now and then
		values, small, ok := eigenOf(h)
		if !ok {
			return nil, nil, false
		}
		if len(basis) < k {
			continue
		}
		// The residual of a vector of the small problem is r times its last part.
		var rest mat.Dense
		rest.Mul(r, small.Slice(from, len(basis), 0, k))
		if mat.Max(columnNorms(&rest)) <= tol*math.Abs(values[0]) {
			return values[:k], combined(basis, small, k, n), true
		}
	}
	return nil, nil, false
}

// times gives a·v for each v.
func times(a []float64, n int, vs [][]float64) [][]float64 {
	flat := make([]float64, 0, len(vs)*n)
	for _, v := range vs {
		flat = append(flat, v...)
	}
	p := len(vs)
	product := make([]float64, n*p)
	AddProduct(product, p, a, n, n, Pack(flat, p, n, n))
	for j := range p {
		for i := range n {
			flat[j*n+i] = product[i*p+j]
		}
	}
	out := make([][]float64, p)
	for j := range out {
		out[j] = flat[j*n : (j+1)*n]
	}
	return out
}

// orthonormal makes the vectors orthogonal to each other and to the basis, and of
// length 1; those that are combinations of others fall away. r has the lengths and
// inner products that were taken out: vᵢ = Σⱼ qⱼ·rⱼᵢ.
func orthonormal(basis, vs [][]float64) (q [][]float64, r *mat.Dense) {
	coef := make([][]float64, len(vs))
	for i, v := range vs {
		whole := floats.Norm(v, 2)
		coef[i] = make([]float64, len(vs))
		for range 2 {
			for j, u := range q {
				c := floats.Dot(u, v)
				floats.AddScaled(v, -c, u)
				coef[i][j] += c
			}
			for _, u := range basis {
				floats.AddScaled(v, -floats.Dot(u, v), u)
			}
		}
		length := floats.Norm(v, 2)
		if !(length > 1e-13*whole) {
			continue
		}
		coef[i][len(q)] = length
		floats.Scale(1/length, v)
		q = append(q, v)
	}
	r = mat.NewDense(len(vs), len(vs), nil)
	for i, c := range coef {
		r.SetCol(i, c)
	}
	return q, r
}

// eigenOf gives the eigenvalues of h, falling, and its eigenvectors as columns.
func eigenOf(h [][]float64) ([]float64, *mat.Dense, bool) {
	m := len(h)
	s := mat.NewSymDense(m, nil)
	for j, column := range h {
		for i, v := range column {
			s.SetSym(i, j, v)
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(s, true) {
		return nil, nil, false
	}
	values := eig.Values(nil)
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	falling := mat.NewDense(m, m, nil)
	for j := range m {
		falling.SetCol(j, mat.Col(nil, m-1-j, &vectors))
	}
	slices.Reverse(values)
	return values, falling, true
}

func columnNorms(m *mat.Dense) *mat.VecDense {
	_, c := m.Dims()
	out := mat.NewVecDense(c, nil)
	for j := range c {
		out.SetVec(j, floats.Norm(mat.Col(nil, j, m), 2))
	}
	return out
}

// combined gives the first k columns of the small problem as vectors of the large
// one.
func combined(basis [][]float64, small *mat.Dense, k, n int) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, n)
		for i, q := range basis {
			floats.AddScaled(out[j], small.At(i, j), q)
		}
	}
	return out
}
