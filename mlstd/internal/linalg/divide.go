package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// spectral is the decomposition of a symmetric matrix: eigenvalues, ascending, and
// their unit eigenvectors.
type spectral struct {
	values  []float64
	vectors [][]float64
}

// wholeSize is the maximum size of a tridiagonal matrix that is not divided.
const wholeSize = 24

// divide decomposes the symmetric tridiagonal matrix with the diagonal d and the subdiagonal e by
// Cuppen's divide-and-conquer method [Cuppen1981]. Only the vectors of the keep largest values are
// computed; the others are nil. It returns false if a value is not finite.
func divide(d, e []float64, keep int) (spectral, bool) {
	n := len(d)
	if n <= wholeSize {
		s := mat.NewSymDense(n, nil)
		for i, v := range d {
			s.SetSym(i, i, v)
			if i > 0 {
				s.SetSym(i-1, i, e[i-1])
			}
		}
		return decompose(s)
	}
	// T is the sum of a block diagonal matrix with two blocks and |rho|·u·uᵀ, where u is 1 just
	// before and ±1 just after the cut.
	half := n / 2
	rho := e[half-1]
	d = slices.Clone(d)
	d[half-1] -= math.Abs(rho)
	d[half] -= math.Abs(rho)
	left, ok := divide(d[:half], e[:half-1], half)
	if !ok {
		return spectral{}, false
	}
	right, ok := divide(d[half:], e[half:], n-half)
	if !ok {
		return spectral{}, false
	}
	return join(left, right, rho, keep)
}

// decompose decomposes a small matrix directly.
func decompose(s *mat.SymDense) (spectral, bool) {
	for _, v := range s.RawSymmetric().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return spectral{}, false
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(s, true) {
		return spectral{}, false
	}
	out := spectral{values: eig.Values(nil)}
	var q mat.Dense
	eig.VectorsTo(&q)
	for j := range out.values {
		out.vectors = append(out.vectors, mat.Col(nil, j, &q))
	}
	return out, true
}

// joint is D + rho·z·zᵀ in the basis of the eigenvectors of the two halves.
type joint struct {
	n, cut  int
	rho     float64
	d, z    []float64
	vectors []float64 // rows of n
	part    []int     // 0: the vector is 0 after the cut, 2: before it, 1: neither
}

// join returns the decomposition of the matrix whose halves are left and right.
func join(left, right spectral, rho float64, keep int) (spectral, bool) {
	cut := len(left.values)
	n := cut + len(right.values)
	m := &joint{n: n, cut: cut, rho: 2 * math.Abs(rho), d: slices.Concat(left.values, right.values),
		z: make([]float64, n), vectors: make([]float64, n*n), part: make([]int, n)}
	for i, v := range left.vectors {
		copy(m.vectors[i*n:], v)
		m.z[i] = v[cut-1] / math.Sqrt2
	}
	for i, v := range right.vectors {
		copy(m.vectors[(cut+i)*n+cut:], v)
		m.z[cut+i] = math.Copysign(1, rho) * v[0] / math.Sqrt2
		m.part[cut+i] = 2
	}
	kept, done := m.deflate()
	roots, ok := m.roots(kept)
	if !ok {
		return spectral{}, false
	}
	// Merge the values of both kinds in order. Possibly only few of the vectors are needed.
	type place struct {
		value float64
		at    int // index in done or, from len(done) on, in the roots
	}
	places := make([]place, 0, n)
	for i, t := range done {
		places = append(places, place{m.d[t], i})
	}
	for i, v := range roots.values {
		places = append(places, place{v, len(done) + i})
	}
	slices.SortFunc(places, func(a, b place) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return a.at - b.at
	})
	first := len(roots.values) // first root whose vector is needed
	for _, p := range places[n-keep:] {
		if p.at >= len(done) {
			first = min(first, p.at-len(done))
		}
	}
	vectors := m.rootVectors(kept, roots, first)
	out := spectral{values: make([]float64, n), vectors: make([][]float64, n)}
	for i, p := range places {
		out.values[i] = p.value
		switch {
		case i < n-keep:
		case p.at < len(done):
			t := done[p.at]
			out.vectors[i] = m.vectors[t*n : (t+1)*n]
		default:
			r := p.at - len(done) - first
			out.vectors[i] = vectors[r*n : (r+1)*n]
		}
	}
	return out, true
}

const epsilon = 0x1p-53

// deflate finds the entries of D that are already eigenvalues, up to rounding: entries with a tiny
// z and, after a rotation, one of two almost equal entries. It returns the other entries in
// ascending order.
func (m *joint) deflate() (kept, done []int) {
	order := make([]int, m.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case m.d[a] < m.d[b]:
			return -1
		case m.d[a] > m.d[b]:
			return 1
		}
		return 0
	})
	tol := 8 * epsilon * max(floats.Norm(m.d, math.Inf(1)), floats.Norm(m.z, math.Inf(1)))
	last := -1
	for _, i := range order {
		if m.rho*math.Abs(m.z[i]) <= tol {
			done = append(done, i)
			continue
		}
		if last >= 0 {
			length := math.Hypot(m.z[i], m.z[last])
			c, s := m.z[i]/length, -m.z[last]/length
			if gap := m.d[i] - m.d[last]; math.Abs(gap*c*s) <= tol {
				m.rotate(last, i, c, s)
				m.z[i], m.z[last] = length, 0
				done = append(done, last)
			} else {
				kept = append(kept, last)
			}
		}
		last = i
	}
	if last >= 0 {
		kept = append(kept, last)
	}
	return kept, done
}

// rotate rotates two vectors in their plane.
func (m *joint) rotate(a, b int, c, s float64) {
	u, v := m.vectors[a*m.n:(a+1)*m.n], m.vectors[b*m.n:(b+1)*m.n]
	for i, x := range u {
		u[i], v[i] = c*x+s*v[i], c*v[i]-s*x
	}
	da, db := m.d[a], m.d[b]
	m.d[a], m.d[b] = da*c*c+db*s*s, da*s*s+db*c*c
	if m.part[a] != m.part[b] {
		m.part[a], m.part[b] = 1, 1
	}
}

// rootSet holds D and z of the entries that were not deflated, their eigenvalues in ascending
// order, and gaps[j·k+i] = dᵢ − λⱼ. The gaps are accurate to the last digits, however close the two
// values are.
type rootSet struct {
	d, z, values, gaps []float64
}

// roots solves the secular equation of the kept entries,
//
//	1 + rho·Σᵢ zᵢ²/(dᵢ − λ) = 0,
//
// which has one root after each dᵢ.
func (m *joint) roots(kept []int) (rootSet, bool) {
	k := len(kept)
	out := rootSet{make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k*k)}
	for i, t := range kept {
		out.d[i], out.z[i] = m.d[t], m.z[t]
	}
	good := make([]bool, k)
	par.Range(k, 16, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			out.values[j], good[j] = secular(out.d, out.z, m.rho, j, out.gaps[j*k:(j+1)*k])
		}
	})
	return out, !slices.Contains(good, false)
}

// secular finds the root after d[j] [BunchNielsenSorensen1978]. It steps to the root of a rational
// function with the two adjacent poles, and bisects if such a step leaves the bracket. It writes d
// − λ into gaps.
func secular(d, z []float64, rho float64, j int, gaps []float64) (lambda float64, ok bool) {
	last := j == len(d)-1
	// The root is searched for as the distance from the nearer pole.
	origin, lo, hi := d[j], 0.0, 0.0
	f := secularAt{z: z, inverse: 1 / rho, j: j}
	var x float64
	if last {
		hi = rho * floats.Dot(z, z) * (1 + 8*epsilon)
		x = hi / 2
		shift(gaps, d, origin)
	} else {
		width := d[j+1] - d[j]
		shift(gaps, d, origin)
		f.at(gaps, width/2)
		// The other poles enter with their contribution at the midpoint.
		c := f.value + (z[j]*z[j]-z[j+1]*z[j+1])/(width/2)
		a, b := z[j]*z[j]+z[j+1]*z[j+1], z[j]*z[j]*width
		if f.value >= 0 {
			hi = width / 2
			a += c * width
		} else {
			origin, lo, hi = d[j+1], -width/2, 0
			a -= c * width
			b = -z[j+1] * z[j+1] * width
			shift(gaps, d, origin)
		}
		x = quadratic(a, b, c)
	}
	for range 400 {
		if !(x > lo && x < hi) {
			x = lo + (hi-lo)/2
			if x == lo || x == hi {
				return finish(gaps, origin, x)
			}
		}
		f.at(gaps, x)
		if math.Abs(f.value) <= epsilon*f.bound {
			return finish(gaps, origin, x)
		}
		if f.value < 0 {
			lo = x
		} else {
			hi = x
		}
		var step float64
		if left := gaps[j] - x; last {
			step = left + left*left*f.slopeLeft/(f.value-left*f.slopeLeft)
		} else {
			right := gaps[j+1] - x
			c := f.value - left*f.slopeLeft - right*f.slopeRight
			a := (left+right)*f.value - left*right*(f.slopeLeft+f.slopeRight)
			step = quadratic(a, left*right*f.value, c)
		}
		if x+step == x {
			return finish(gaps, origin, x)
		}
		x += step
	}
	return 0, false
}

func shift(gaps, d []float64, origin float64) {
	for i, v := range d {
		gaps[i] = v - origin
	}
}

func finish(gaps []float64, origin, x float64) (float64, bool) {
	for i := range gaps {
		gaps[i] -= x
	}
	lambda := origin + x
	return lambda, !math.IsNaN(lambda) && !math.IsInf(lambda, 0)
}

// quadratic returns the root of cη² − aη + b that stays finite as c goes to 0.
func quadratic(a, b, c float64) float64 {
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	if a > 0 {
		return 2 * b / (a + root)
	}
	return (a - root) / (2 * c)
}

// secularAt holds the left side of the secular equation, divided by rho, at a point.
type secularAt struct {
	z       []float64
	inverse float64 // 1/rho
	j       int

	value                 float64
	slopeLeft, slopeRight float64 // slopes of the poles up to j and after j
	bound                 float64 // magnitude to which the rounding error of value is relative
}

func (f *secularAt) at(poles []float64, x float64) {
	var left, right, bound float64
	f.slopeLeft, f.slopeRight = 0, 0
	for i, p := range poles[:f.j+1] {
		t := f.z[i] / (p - x)
		left += f.z[i] * t
		f.slopeLeft += t * t
		bound -= left
	}
	for i := len(poles) - 1; i > f.j; i-- {
		t := f.z[i] / (poles[i] - x)
		right += f.z[i] * t
		f.slopeRight += t * t
		bound += right
	}
	f.value = f.inverse + left + right
	f.bound = 8*(right-left) + bound + f.inverse + math.Abs(x)*(f.slopeLeft+f.slopeRight)
}

// rootVectors returns the eigenvectors of the roots from first on, in rows of n. It recomputes z so
// that the roots are exact for it, which makes the vectors orthogonal to the last digits
// [GuEisenstat1994].
func (m *joint) rootVectors(kept []int, roots rootSet, first int) []float64 {
	k, n := len(kept), m.n
	if first == k {
		return nil
	}
	z := make([]float64, k)
	par.Range(k, 128, func(lo, hi int) {
		part := z[lo:hi]
		for i := range part {
			part[i] = -1
		}
		for j := range k {
			gaps := roots.gaps[j*k+lo : j*k+hi]
			for i, g := range gaps {
				if lo+i == j {
					part[i] *= g
				} else {
					part[i] *= g / (roots.d[lo+i] - roots.d[j])
				}
			}
		}
		for i, v := range part {
			part[i] = math.Copysign(math.Sqrt(math.Abs(v)), roots.z[lo+i])
		}
	})
	// The vectors of one half come first and the vectors of the other half last, so that products
	// can skip zeros.
	order := make([]int, 0, k)
	var counts [3]int
	for part := range counts {
		for i, t := range kept {
			if m.part[t] == part {
				order = append(order, i)
				counts[part]++
			}
		}
	}
	wanted := k - first
	inner := make([]float64, wanted*k)
	par.Range(wanted, 16, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			row, gaps := inner[r*k:(r+1)*k], roots.gaps[(first+r)*k:(first+r+1)*k]
			for c, i := range order {
				row[c] = z[i] / gaps[i]
			}
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	})
	basis := make([]float64, k*n)
	for c, i := range order {
		copy(basis[c*n:(c+1)*n], m.vectors[kept[i]*n:])
	}
	out := make([]float64, wanted*n)
	if upper := counts[0] + counts[1]; upper > 0 {
		AddProduct(out, n, inner, wanted, k, PackColumns(basis, upper, m.cut, n))
	}
	if from := counts[0]; from < k {
		AddProduct(out[m.cut:], n, inner[from:], wanted, k, PackColumns(basis[from*n+m.cut:], k-from, n-m.cut, n))
	}
	return out
}
