package linalg

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Eigen returns the k largest eigenvalues of the symmetric n x n matrix a in descending order, and
// their unit eigenvectors. a is stored in row-major order and is undefined afterwards. It returns
// false if an entry of a is not finite.
//
// Cost: O(n³), or O(n²·k) by the Lanczos method for a few well-separated eigenvalues.
func Eigen(a []float64, n, k int) (values []float64, vectors [][]float64, ok bool) {
	if k <= n/20 {
		if values, vectors, ok := Lanczos(func(vs []float64) []float64 { return timesRows(a, n, vs) }, n, k); ok {
			return values, vectors, true
		}
	}
	s, ok := symmetric(a, n, k)
	if !ok {
		return nil, nil, false
	}
	slices.Reverse(s.values)
	slices.Reverse(s.vectors)
	return s.values[:k], s.vectors[:k], true
}

// symmetric decomposes the symmetric a through a tridiagonal matrix. It returns the vectors of only
// the keep largest values.
func symmetric(a []float64, n, keep int) (spectral, bool) {
	largest := 0.0
	for i := range n {
		for _, v := range a[i*n : i*n+i+1] {
			if v = math.Abs(v); !(v <= largest) {
				largest = v
			}
		}
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return spectral{}, false
	}
	// Squares must neither overflow nor underflow.
	_, power := math.Frexp(largest)
	power = max(power, -1000) // so that the inverse is still finite
	floats.Scale(math.Ldexp(1, -power), a)
	d, e, tau := tridiagonal(a, n)
	s, ok := divide(d, e, keep)
	if !ok {
		return spectral{}, false
	}
	z := make([]float64, 0, keep*n)
	for _, v := range s.vectors[n-keep:] {
		z = append(z, v...)
	}
	backTransform(z, keep, a, tau, n)
	for i := range keep {
		s.vectors[n-keep+i] = z[i*n : (i+1)*n : (i+1)*n]
	}
	for i := range s.values {
		s.values[i] = math.Ldexp(s.values[i], power)
	}
	return s, true
}

// Lanczos is like [Eigen] for a matrix a that is available only through its products: times returns
// a·v for each row v of vs, in row-major order. It uses the block Lanczos method with full
// orthogonalization. Residuals are below 1e-11 of the largest absolute eigenvalue. It returns false
// if the Krylov space would need more than n/2 dimensions; then a full decomposition is faster.
//
// Cost: O(n²·k) per block, about ten blocks for well-separated eigenvalues.
func Lanczos(times func(vs []float64) []float64, n, k int) (values []float64, vectors [][]float64, ok bool) {
	const tol = 1e-11
	block := min(max(k+3, 8), 32) // larger than the usual multiplicities
	rng := rand.New(rand.NewPCG(1, 2))
	next := make([]float64, block*n)
	for i := range next {
		next[i] = rng.NormFloat64()
	}
	next, _ = orthonormal(nil, 0, next, n)
	var basis []float64 // rows of n
	var h [][]float64   // h[j][i] is basisᵢ·a·basisⱼ, for i ≤ j
	size := 0           // of the basis
	for check := 0; len(next) > 0 && size+len(next)/n <= n/2; {
		from, p := size, len(next)/n
		basis = append(basis, next...)
		size += p
		images := times(next)
		coef := project(basis, size, images, n)
		for j := range p {
			column := make([]float64, from+j+1)
			for i := range column {
				column[i] = coef[i*p+j]
			}
			h = append(h, column)
		}
		var r *mat.Dense
		next, r = orthonormal(basis, size, images, n)
		if size < max(check, k) && len(next) > 0 {
			continue
		}
		check = size * 5 / 4 // the small problem is not solved in each step
		values, small, ok := eigenOf(h, k)
		if !ok {
			return nil, nil, false
		}
		if size < k {
			continue
		}
		// The residual of an eigenvector of the small problem is r times the vector's last block.
		var rest mat.Dense
		rest.Mul(r, small.Slice(from, size, 0, k))
		if mat.Max(columnNorms(&rest)) <= tol*math.Abs(values[0]) {
			return values[:k], combined(basis, size, small, k, n), true
		}
	}
	return nil, nil, false
}

// timesRows returns a·v for each row v of vs.
func timesRows(a []float64, n int, vs []float64) []float64 {
	p := len(vs) / n
	product := make([]float64, n*p)
	AddProduct(product, p, a, n, n, Pack(vs, p, n, n))
	out := make([]float64, p*n)
	for j := range p {
		for i := range n {
			out[j*n+i] = product[i*p+j]
		}
	}
	return out
}

// project subtracts from each row of vs its projection onto the basis, which has size orthonormal
// rows of n. It returns the inner products, one row for each basis vector.
func project(basis []float64, size int, vs []float64, n int) []float64 {
	p := len(vs) / n
	coef := make([]float64, size*p)
	if size == 0 {
		return coef
	}
	AddProduct(coef, p, basis, size, n, Pack(vs, p, n, n))
	// The basis is the packed operand, so its rows are not copied for the few rows of vs.
	away := make([]float64, n*p)
	AddProductLeft(away, p, basis, n, n, PackColumns(coef, size, p, p))
	for j := range p {
		v := vs[j*n : (j+1)*n]
		for i := range v {
			v[i] -= away[i*p+j]
		}
	}
	return coef
}

// orthonormal makes the rows of vs, which were projected once, orthonormal, and orthogonal to the
// basis. Projecting twice is enough despite rounding. Rows that are linear combinations of others
// are removed. r has the lengths and inner products: vᵢ = Σⱼ qⱼ·rⱼᵢ, except for the part in the
// space of the basis.
func orthonormal(basis []float64, size int, vs []float64, n int) (q []float64, r *mat.Dense) {
	p := len(vs) / n
	whole := make([]float64, p)
	for i := range whole {
		whole[i] = floats.Norm(vs[i*n:(i+1)*n], 2)
	}
	project(basis, size, vs, n)
	r = mat.NewDense(p, p, nil)
	for i := range p {
		v := vs[i*n : (i+1)*n]
		at := len(q) / n
		for range 2 {
			for j := range at {
				u := q[j*n : (j+1)*n]
				c := floats.Dot(u, v)
				floats.AddScaled(v, -c, u)
				r.Set(j, i, r.At(j, i)+c)
			}
		}
		length := floats.Norm(v, 2)
		if !(length > 1e-13*whole[i]) {
			continue
		}
		r.Set(at, i, length)
		floats.Scale(1/length, v)
		q = append(q, v...)
	}
	// If a length was small, normalizing has amplified the part in the space of the basis.
	project(basis, size, q, n)
	for j := range len(q) / n {
		u := q[j*n : (j+1)*n]
		floats.Scale(1/floats.Norm(u, 2), u)
	}
	return q, r
}

// eigenOf returns the eigenvalues of h, descending, and the eigenvectors of the k
// largest, if there are so many, as columns.
func eigenOf(h [][]float64, k int) ([]float64, *mat.Dense, bool) {
	m := len(h)
	k = min(k, m)
	a := make([]float64, m*m)
	for j, column := range h { // the rows of the lower triangle
		copy(a[j*m:], column)
	}
	s, ok := symmetric(a, m, k)
	if !ok {
		return nil, nil, false
	}
	falling := mat.NewDense(m, k, nil)
	for j := range k {
		falling.SetCol(j, s.vectors[m-1-j])
	}
	slices.Reverse(s.values)
	return s.values, falling, true
}

func columnNorms(m *mat.Dense) *mat.VecDense {
	_, c := m.Dims()
	out := mat.NewVecDense(c, nil)
	for j := range c {
		out.SetVec(j, floats.Norm(mat.Col(nil, j, m), 2))
	}
	return out
}

// combined returns the first k eigenvectors of the small problem as vectors of the large problem.
func combined(basis []float64, size int, small *mat.Dense, k, n int) [][]float64 {
	flat, first := make([]float64, k*n), make([]float64, k*size)
	for j := range k {
		mat.Col(first[j*size:(j+1)*size], j, small)
	}
	AddProduct(flat, n, first, k, size, PackColumns(basis, size, n, n))
	out := make([][]float64, k)
	for j := range out {
		out[j] = flat[j*n : (j+1)*n : (j+1)*n]
	}
	return out
}
