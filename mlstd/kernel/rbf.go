package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// RBF is the Gaussian (radial basis function) kernel with the given γ > 0; for example, RBF(0.5)
// has γ = 0.5.
//
//	K(a, b) = exp(−γ‖a − b‖²), γ = 1/c = 1/(2σ²)
//
// It is 1 for equal vectors and near 0 for distant vectors. With a large γ, every Gram matrix is
// close to the identity, and each example is similar only to itself. With a small γ, all entries
// are close to one, and all examples look the same. Its feature space has infinitely many
// dimensions; [RBFSeries] shows why it is a kernel.
//
// Course: KER-13, KER-14, KER-15.
type RBF float64

// RBFWidth returns the RBF with standard deviation sigma, that is, with γ = 1/(2σ²).
func RBFWidth(sigma float64) RBF { return RBF(1 / (2 * sigma * sigma)) }

func (k RBF) check() error {
	if !(k > 0) || math.IsInf(float64(k), 0) {
		return fmt.Errorf("γ of the RBF kernel must be positive, got %v", float64(k))
	}
	return nil
}

// Eval returns exp(−γ‖a − b‖²).
func (k RBF) Eval(a, b []float64) float64 {
	return math.Exp(-float64(k) * squaredDistance("RBF", a, b))
}

// OfDots replaces each dot product with exp(−γ(a·a + b·b − 2a·b)).
func (k RBF) OfDots(dots []float64, aa float64, bb []float64) {
	gamma := float64(k)
	bb = bb[:len(dots)]
	for j, s := range dots {
		dots[j] = -gamma * max(0, aa+bb[j]-2*s)
	}
	linalg.Exp(dots)
}

// ScaleGamma returns a γ that fits the spread of the data: 1/(d·variance), where d is the number of
// columns and variance is the variance of all entries of x. It returns 1 if all entries are equal.
// It is the default of the learners that use an RBF.
func ScaleGamma(x mat.Matrix) float64 {
	r, c := x.Dims()
	n, mean, m2 := 0.0, 0.0, 0.0
	for i := range r {
		for j := range c {
			n++
			v := x.At(i, j)
			d := v - mean
			mean += d / n
			m2 += d * (v - mean)
		}
	}
	if variance := m2 / n; variance > 0 {
		return 1 / (float64(c) * variance)
	}
	return 1
}

// OrDefault returns k or, if k is nil, the RBF with the γ of [ScaleGamma].
func OrDefault(k Kernel, x mat.Matrix) Kernel {
	if k == nil {
		return RBF(ScaleGamma(x))
	}
	return k
}

// RBFSeries returns the partial sums of the RBF kernel as a sum of polynomial
// kernels: entry t has the terms n = 0 … t of
//
//	K(a, b) = e^(−γ‖a‖²) · e^(−γ‖b‖²) · Σₙ (2γ·a·b)ⁿ/n!
//
// Each term is a kernel, namely a power of the linear kernel with a positive factor. Sums of
// kernels are kernels, and for every kernel k and function f, f(a)·k(a,b)·f(b) is a kernel too.
// This proves that the RBF is a kernel, with features of every degree.
//
// Course: KER-14.
func RBFSeries(gamma float64, a, b []float64, terms int) []float64 {
	s := 2 * gamma * dot("RBFSeries", a, b)
	f := math.Exp(-gamma*dot("RBFSeries", a, a)) * math.Exp(-gamma*dot("RBFSeries", b, b))
	out := ExpSeries(s, terms)
	for i := range out {
		out[i] *= f
	}
	return out
}

// ExpSeries returns the first partial sums of Σ sⁿ/n!. They come close to e^s only after more than
// |s| terms: for s = 3, the error is 1.7e-9 after 20 terms and 5e-13 after 24.
//
// Course: KER-14.
func ExpSeries(s float64, terms int) []float64 {
	if terms < 1 {
		panic(model.Errorf("ExpSeries", "terms must be at least 1, got %d", terms))
	}
	out := make([]float64, terms)
	sum, term := 0.0, 1.0
	for n := range out {
		sum += term
		out[n] = sum
		term *= s / float64(n+1)
	}
	return out
}
