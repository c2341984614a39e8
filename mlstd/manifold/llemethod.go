package manifold

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LLEMethod determines which property of the rows' neighborhoods [LLE] preserves.
type LLEMethod int

const (
	StandardLLE LLEMethod = iota // the weights of a row as a mean of its neighbors
	ModifiedLLE                  // several independent weight vectors per row
	HessianLLE                   // the curvature of functions in the tangent plane
)

// String returns the name of the method.
func (m LLEMethod) String() string {
	switch m {
	case StandardLLE:
		return "standard"
	case ModifiedLLE:
		return "modified"
	case HessianLLE:
		return "Hessian"
	}
	return "unknown"
}

// check returns an error if there are fewer neighbors than the method needs.
func (m LLEMethod) check(op string, near, k int) error {
	least := 1
	switch m {
	case StandardLLE:
	case ModifiedLLE:
		least = k + 1
	case HessianLLE:
		least = k*(k+3)/2 + 1
	default:
		return model.Errorf(op, "Method must be one of the constants of ml.LLEMethod, got %d", m)
	}
	if near < least {
		return model.Errorf(op, "Neighbors must be at least %d for %d components and the %v method, got %d", least, k, m, near)
	}
	return nil
}

// matrix returns M for the m neighbors of each row.
func (m LLEMethod) matrix(op string, d *mat.Dense, near []int32, size, k int, share float64) ([]float64, error) {
	n, _ := d.Dims()
	a := make([]float64, n*n)
	switch m {
	case ModifiedLLE:
		all, ok := neighborhoods(d, near, size, share)
		if !ok {
			return nil, model.Errorf(op, "the eigenvalues of a neighborhood could not be computed").WithHint("scale the columns first")
		}
		addModified(a, all, near, k)
	case HessianLLE:
		if !addHessian(a, d, near, size, k) {
			return nil, model.Errorf(op, "the eigenvalues of a neighborhood could not be computed").WithHint("scale the columns first")
		}
	default:
		addBarycenters(a, d, near, size, share)
	}
	return a, nil
}

// addBarycenters adds (I − W)ᵀ(I − W).
func addBarycenters(a []float64, d *mat.Dense, near []int32, m int, share float64) {
	n, _ := d.Dims()
	weights := make([]float64, n*m)
	par.Range(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			barycenter(weights[i*m:(i+1)*m], d.RawRowView(i), d, near[i*m:(i+1)*m], share)
		}
	})
	for i := range n {
		// Row i of I − W, times itself.
		js, ws := near[i*m:(i+1)*m], weights[i*m:(i+1)*m]
		a[i*n+i]++
		for e, j := range js {
			a[i*n+int(j)] -= ws[e]
			a[int(j)*n+i] -= ws[e]
			for f, l := range js {
				a[int(j)*n+int(l)] += ws[e] * ws[f]
			}
		}
	}
}

// neighborhood is the singular value decomposition of a row's neighbors, centered at the row.
type neighborhood struct {
	squares []float64   // of the singular values, descending
	vectors [][]float64 // one for each neighbor, those of squares first
	weights []float64   // of the row as a mean of its neighbors
}

// neighborhoods decomposes all neighborhoods. For the weights, fraction times the sum of squares is
// added to each square.
func neighborhoods(d *mat.Dense, near []int32, m int, share float64) ([]neighborhood, bool) {
	n, cols := d.Dims()
	all := make([]neighborhood, n)
	par.Range(n, 8, func(lo, hi int) {
		gaps := make([]float64, m*cols)
		for i := lo; i < hi; i++ {
			for e, r := range near[i*m : (i+1)*m] {
				floats.SubTo(gaps[e*cols:(e+1)*cols], d.RawRowView(int(r)), d.RawRowView(i))
			}
			squares, vectors, ok := linalg.Eigen(inner(gaps, m, cols), m, m)
			if !ok {
				continue
			}
			squares = squares[:min(m, cols)]
			for j, v := range squares {
				squares[j] = max(0, v)
			}
			h := neighborhood{squares, vectors, make([]float64, m)}
			ridge := share * floats.Sum(squares)
			if ridge == 0 {
				ridge = 1
			}
			for j, v := range vectors {
				by := ridge
				if j < len(squares) {
					by += squares[j]
				}
				floats.AddScaled(h.weights, floats.Sum(v)/by, v)
			}
			floats.Scale(1/floats.Sum(h.weights), h.weights)
			all[i] = h
		}
	})
	return all, !slices.ContainsFunc(all, func(h neighborhood) bool { return h.vectors == nil })
}

// inner returns the inner products of m rows.
func inner(rows []float64, m, cols int) []float64 {
	g := make([]float64, m*m)
	for a := range m {
		for b := range a + 1 {
			v := floats.Dot(rows[a*cols:(a+1)*cols], rows[b*cols:(b+1)*cols])
			g[a*m+b], g[b*m+a] = v, v
		}
	}
	return g
}

// addModified adds the weights of [ZhangWang2007]. The number of weight vectors of a row is the
// number of directions in which its neighbors hardly spread, relative to the median over rows.
func addModified(a []float64, all []neighborhood, near []int32, k int) {
	n, m := len(all), len(all[0].weights)
	ratio := make([]float64, n)
	for i, h := range all {
		ratio[i] = floats.Sum(h.squares[min(k, len(h.squares)):]) / floats.Sum(h.squares[:min(k, len(h.squares))])
	}
	slices.Sort(ratio)
	eta := (ratio[(n-1)/2] + ratio[n/2]) / 2
	w := make([]float64, m)
	for i, h := range all {
		s, total, sum := m-len(h.squares), floats.Sum(h.squares), 0.0
		for _, v := range h.squares[:len(h.squares)-1] {
			if sum += v; total/sum-1 < eta {
				s++
			}
		}
		if s == 0 {
			continue
		}
		js := near[i*m : (i+1)*m]
		last := h.vectors[m-s:]
		sums, square := make([]float64, s), 0.0
		for c, v := range last {
			sums[c] = floats.Sum(v)
			square += sums[c] * sums[c]
		}
		alpha := math.Sqrt(square / float64(s))
		reflect := make([]float64, s) // the vector of Householder
		for c := range reflect {
			reflect[c] = alpha - sums[c]
		}
		if norm := floats.Norm(reflect, 2); norm < 1e-12 {
			clear(reflect)
		} else {
			floats.Scale(1/norm, reflect)
		}
		along := make([]float64, m)
		for c, v := range last {
			floats.AddScaled(along, reflect[c], v)
		}
		for c, v := range last {
			copy(w, v)
			floats.AddScaled(w, -2*reflect[c], along)
			floats.AddScaled(w, 1-alpha, h.weights)
			addOuter(a, n, js, w)
			for e, j := range js {
				a[i*n+int(j)] -= w[e]
				a[int(j)*n+i] -= w[e]
			}
		}
		a[i*n+i] += float64(s)
	}
}

// addOuter adds w·wᵀ at the rows and columns js.
func addOuter(a []float64, n int, js []int32, w []float64) {
	for e, j := range js {
		for f, l := range js {
			a[int(j)*n+int(l)] += w[e] * w[f]
		}
	}
}

// addHessian adds the estimates of second derivatives of [DonohoGrimes2003].
func addHessian(a []float64, d *mat.Dense, near []int32, m, k int) bool {
	n, cols := d.Dims()
	products := k * (k + 1) / 2
	rows, mean := make([]float64, m*cols), make([]float64, cols)
	for i := range n {
		js := near[i*m : (i+1)*m]
		clear(mean)
		for e, j := range js {
			copy(rows[e*cols:(e+1)*cols], d.RawRowView(int(j)))
			floats.AddScaled(mean, 1/float64(m), d.RawRowView(int(j)))
		}
		for e := range m {
			floats.Sub(rows[e*cols:(e+1)*cols], mean)
		}
		_, tangent, ok := linalg.Eigen(inner(rows, m, cols), m, k)
		if !ok {
			return false
		}
		basis := make([][]float64, 0, 1+k+products)
		one := make([]float64, m)
		floats.AddConst(1, one)
		basis = append(append(basis, one), tangent...)
		for p := range k {
			for q := p; q < k; q++ {
				basis = append(basis, floats.MulTo(make([]float64, m), tangent[p], tangent[q]))
			}
		}
		orthonormal(basis)
		for _, w := range basis[1+k:] {
			sum := floats.Sum(w)
			if math.Abs(sum) < 1e-4 {
				sum = 1
			}
			floats.Scale(1/sum, w)
			addOuter(a, n, js, w)
		}
	}
	return true
}

// orthonormal orthonormalizes vectors by the Gram–Schmidt method, applied twice to reduce rounding
// errors.
func orthonormal(vs [][]float64) {
	for i, v := range vs {
		for range 2 {
			for _, u := range vs[:i] {
				floats.AddScaled(v, -floats.Dot(u, v), u)
			}
		}
		if norm := floats.Norm(v, 2); norm > 0 {
			floats.Scale(1/norm, v)
		}
	}
}
