package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Spectrum is the result of [Validity] for a Gram matrix.
type Spectrum struct {
	Eigenvalues []float64 // ascending
	// Witness is a vector v with vᵀGv < 0 if such a vector exists, and nil otherwise.
	Witness []float64
	// Asymmetry is the largest |K(a, b) − K(b, a)|.
	Asymmetry float64
	// Valid reports whether G is symmetric and has no eigenvalue below zero, up to a rounding error
	// of 1e-10 times the largest absolute eigenvalue.
	Valid bool
}

// Validity tests a function on a sample: a kernel has a symmetric positive
// semidefinite Gram matrix on every sample,
//
//	vᵀGv = Σᵢⱼ vᵢ·vⱼ·K(xᵢ, xⱼ) ≥ 0 for every v
//
// and, by Mercer's theorem, a function with this property is the dot product of some feature map. A
// sample can disprove that a function is a kernel (the Witness is the disproof), but it cannot
// prove it.
//
// Cost: O(n³).
//
// References: [Mercer1909]. Course: KER-17.
func Validity(k Kernel, x mat.Matrix) (*Spectrum, error) {
	const op = "Validity"
	if k == nil {
		return nil, model.Errorf(op, "the kernel must not be nil")
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	g := mat.NewSymDense(n, nil)
	worst, scale := 0.0, 0.0
	for i := range n {
		for j := i; j < n; j++ {
			u, v := k.Eval(d.RawRowView(i), d.RawRowView(j)), k.Eval(d.RawRowView(j), d.RawRowView(i))
			if math.IsNaN(u) || math.IsInf(u, 0) {
				return nil, model.Errorf(op, "the kernel of rows %d and %d must be finite, got %v", i, j, u)
			}
			worst, scale = max(worst, math.Abs(u-v)), max(scale, math.Abs(u))
			g.SetSym(i, j, (u+v)/2)
		}
	}
	s := PositiveSemidefinite(g)
	s.Asymmetry = worst
	s.Valid = s.Valid && worst <= 1e-12*scale
	return s, nil
}

// PositiveSemidefinite searches for a negative eigenvalue of g.
//
//	vᵀ·G·v ≥ 0 for every v  ⇔  no eigenvalue is negative
//
// (The sign is ≥, not ≤: a nonnegative number a has x·a·x ≥ 0 for every x.)
//
// Course: KER-17.
func PositiveSemidefinite(g mat.Symmetric) *Spectrum {
	if g == nil || g.SymmetricDim() == 0 {
		panic(model.Errorf("PositiveSemidefinite", "the matrix must not be empty"))
	}
	var eig mat.EigenSym
	if !eig.Factorize(g, true) {
		panic(model.Errorf("PositiveSemidefinite", "the eigenvalues could not be computed").
			WithHint("check the matrix for NaN and Inf"))
	}
	s := &Spectrum{Eigenvalues: eig.Values(nil)}
	n := len(s.Eigenvalues)
	largest := max(math.Abs(s.Eigenvalues[0]), math.Abs(s.Eigenvalues[n-1]))
	s.Valid = s.Eigenvalues[0] >= -1e-10*largest
	if !s.Valid {
		var v mat.Dense
		eig.VectorsTo(&v)
		s.Witness = mat.Col(nil, 0, &v)
	}
	return s
}

// MercerIntegral approximates the condition of Mercer for functions of one real
// variable by Gauss-Legendre quadrature with 200 nodes on [lo, hi]:
//
//	∫∫ f(x)·K(x, z)·f(z) dx dz ≥ 0
//
// Course: KER-17.
func MercerIntegral(k Kernel, f func(float64) float64, lo, hi float64) float64 {
	mustInterval("MercerIntegral", lo, hi)
	const nodes = 200
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(x, w, lo, hi)
	s := 0.0
	for i, u := range x {
		for j, v := range x {
			s += w[i] * f(u) * k.Eval([]float64{u}, []float64{v}) * f(v) * w[j]
		}
	}
	return s
}

// L2Dot is the dot product of two functions on [lo, hi], which makes the square integrable
// functions a Hilbert space: the points of a feature space may be functions. It uses Gauss-Legendre
// quadrature with 200 nodes.
//
//	⟨f, g⟩ = ∫ f(t)·g(t) dt
//
// Course: KER-29.
func L2Dot(f, g func(float64) float64, lo, hi float64) float64 {
	mustInterval("L2Dot", lo, hi)
	return quad.Fixed(func(t float64) float64 { return f(t) * g(t) }, lo, hi, 200, quad.Legendre{}, 0)
}

// L2Norm is the norm √⟨f, f⟩ of a function on [lo, hi].
//
// Course: KER-29.
func L2Norm(f func(float64) float64, lo, hi float64) float64 { return math.Sqrt(L2Dot(f, f, lo, hi)) }

func mustInterval(op string, lo, hi float64) {
	if !(lo < hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		panic(model.Errorf(op, "lo and hi must be finite, and lo less than hi, got %v and %v", lo, hi))
	}
}

// FeatureDistance returns the distance of two vectors in feature space,
//
//	‖φ(a) − φ(b)‖ = √(K(a,a) + K(b,b) − 2·K(a,b))
//
// which it computes without the features. The kernel itself is a similarity: it grows as this
// distance falls.
//
// Course: KER-30.
func FeatureDistance(k Kernel, a, b []float64) float64 {
	return math.Sqrt(max(0, k.Eval(a, a)+k.Eval(b, b)-2*k.Eval(a, b)))
}

// FeatureSpace returns one representation of the rows of x in feature space: n vectors in at most n
// dimensions whose dot products are the Gram matrix, X·Xᵀ = G. It computes them from the
// eigenvectors of G. The columns are in order of descending variance; columns of zeros are left
// out.
//
// Course: KER-17, KER-30.
func FeatureSpace(k Kernel, x mat.Matrix) (*mat.Dense, error) {
	if err := CheckKernel("FeatureSpace", k); err != nil {
		return nil, err
	}
	if _, err := model.CheckX("FeatureSpace", x); err != nil {
		return nil, err
	}
	g := Gram(k, x)
	var eig mat.EigenSym
	if !eig.Factorize(g, true) {
		return nil, model.Errorf("FeatureSpace", "the eigenvalues of the Gram matrix could not be computed")
	}
	values := eig.Values(nil)
	n := len(values)
	largest := values[n-1]
	if values[0] < -1e-10*math.Abs(largest) {
		return nil, model.Errorf("FeatureSpace", "the kernel must be positive semidefinite, got the eigenvalue %v of the Gram matrix", values[0])
	}
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	var cols [][]float64
	for j := n - 1; j >= 0 && values[j] > 1e-12*largest; j-- {
		c := mat.Col(nil, j, &vectors)
		floats.Scale(math.Sqrt(values[j]), c)
		cols = append(cols, c)
	}
	if len(cols) == 0 {
		cols = append(cols, make([]float64, n))
	}
	out := mat.NewDense(n, len(cols), nil)
	for j, c := range cols {
		out.SetCol(j, c)
	}
	return out, nil
}
