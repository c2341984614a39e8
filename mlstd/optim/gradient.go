package optim

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// NumericalGradient returns the gradient of f at x, computed by central differences, with an error
// of order h² for h = 1e-6·max(1, |xᵢ|).
//
//	∂f/∂xᵢ ≈ (f(x + h·eᵢ) − f(x − h·eᵢ)) / 2h
//
// Course: OPT-18, OPT-33.
func NumericalGradient(f func(x []float64) float64, x []float64) []float64 {
	y := append([]float64(nil), x...)
	g := make([]float64, len(x))
	for i, v := range x {
		h := 1e-6 * max(1, math.Abs(v))
		y[i] = v + h
		up := f(y)
		y[i] = v - h
		g[i] = (up - f(y)) / (2 * h)
		y[i] = v
	}
	return g
}

// GradientCheck returns the largest difference between an analytic gradient and the numerical
// gradient, relative to max(1, |gᵢ|). A difference below about 1e-6 means that the derivation and
// the code are very likely right.
//
// Course: OPT-33.
func GradientCheck(f func(x []float64) float64, gradient func(dst, x []float64), x []float64) float64 {
	g := make([]float64, len(x))
	gradient(g, x)
	worst := 0.0
	for i, v := range NumericalGradient(f, x) {
		worst = max(worst, math.Abs(v-g[i])/max(1, math.Abs(v)))
	}
	return worst
}

// DirectionalDerivative returns the derivative of f at x along d, ∇f(x)·d, with d scaled to length
// 1. Its maximum, ‖∇f‖, is along the gradient. It is zero along the level set, because the gradient
// is normal to it.
//
// Course: OPT-18.
func DirectionalDerivative(f func(x []float64) float64, x, d []float64) float64 {
	n := Norm(d, 2)
	if n == 0 || len(d) != len(x) {
		panic(model.Errorf("DirectionalDerivative", "d must have %d entries (as x has) and not be zero, got %d entries of norm %v", len(x), len(d), n))
	}
	s := 0.0
	for i, g := range NumericalGradient(f, x) {
		s += g * d[i] / n
	}
	return s
}

// NumericalHessian returns the matrix of second derivatives, computed by central differences.
//
// Course: OPT-16.
func NumericalHessian(f func(x []float64) float64, x []float64) *mat.SymDense {
	n := len(x)
	h := mat.NewSymDense(n, nil)
	y := append([]float64(nil), x...)
	step := make([]float64, n)
	for i := range step {
		step[i] = 1e-4 * max(1, math.Abs(x[i]))
	}
	at := func(i, j int, a, b float64) float64 {
		copy(y, x)
		y[i] += a * step[i]
		y[j] += b * step[j]
		return f(y)
	}
	for i := range n {
		for j := i; j < n; j++ {
			v := (at(i, j, 1, 1) - at(i, j, 1, -1) - at(i, j, -1, 1) + at(i, j, -1, -1)) / (4 * step[i] * step[j])
			h.SetSym(i, j, v)
		}
	}
	return h
}
