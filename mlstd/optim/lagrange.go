package optim

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// MultinomialMLE returns the probabilities that maximize the likelihood of counts.
//
//	max_θ Σₖ nₖ log θₖ  subject to  Σₖ θₖ = 1
//
// The Lagrangian Σ nₖ log θₖ + λ(1 − Σ θₖ) is stationary where nₖ/θₖ = λ, and λ = N
// follows from the constraint: θₖ = nₖ/N.
//
// Course: OPT-29.
func MultinomialMLE(counts []float64) (theta []float64, lambda float64) {
	for k, n := range counts {
		if !(n >= 0) {
			panic(model.Errorf("MultinomialMLE", "count %d must not be negative, got %v", k, n))
		}
		lambda += n
	}
	if lambda == 0 {
		panic(model.Errorf("MultinomialMLE", "at least one count must be positive, got only zeros"))
	}
	for _, n := range counts {
		theta = append(theta, n/lambda)
	}
	return theta, lambda
}

// SphereMLE maximizes a product of powers over the part of the unit sphere where
// no coordinate is negative.
//
//	max_θ Π_d θ_d^{x_d}  subject to  Σ_d θ_d² = 1, θ_d ≥ 0
//
// With L = Σ x_d log θ_d + λ(Σ θ_d² − 1), λ = −½Σx and θ_d = √(x_d/Σx) follow from stationarity,
// −x_d/θ_d = 2λθ_d, and the constraint. (The derivation in the lecture notes loses a sign and a
// power of θ, but its result is right.)
//
// Course: OPT-30.
func SphereMLE(x []float64) (theta []float64, lambda float64) {
	sum := 0.0
	for d, v := range x {
		if !(v >= 0) {
			panic(model.Errorf("SphereMLE", "exponent %d must not be negative, got %v", d, v))
		}
		sum += v
	}
	if sum == 0 {
		panic(model.Errorf("SphereMLE", "at least one exponent must be positive, got only zeros"))
	}
	for _, v := range x {
		theta = append(theta, math.Sqrt(v/sum))
	}
	return theta, -sum / 2
}

// MinMax holds the values of a matrix game for the two orders of play.
type MinMax struct {
	MaxMin float64 // max over rows of the smallest entry: the row player moves first
	MinMax float64 // min over columns of the largest entry: the column player moves first
	Gap    float64 // MinMax − MaxMin, never negative
}

// WeakDuality compares max min with min max of a payoff matrix. The player who
// moves second knows more, so
//
//	max_θ min_λ L(θ, λ) ≤ min_λ max_θ L(θ, λ)
//
// always. For the Lagrangian, the order matters: the inner minimum over λ is −∞ wherever the
// constraint is violated, so max_θ min_λ is the constrained problem itself. The order min_λ max_θ
// is the dual problem. Its value is an upper bound on the constrained maximum; the two are equal if
// the problem is concave (strong duality). (The lecture notes leave open why the order matters.)
//
// References: [BoydVandenberghe2004] §5.4. Course: OPT-31.
func WeakDuality(payoff mat.Matrix) MinMax {
	r, c := payoff.Dims()
	g := MinMax{MaxMin: math.Inf(-1), MinMax: math.Inf(1)}
	for i := range r {
		least := math.Inf(1)
		for j := range c {
			least = min(least, payoff.At(i, j))
		}
		g.MaxMin = max(g.MaxMin, least)
	}
	for j := range c {
		most := math.Inf(-1)
		for i := range r {
			most = max(most, payoff.At(i, j))
		}
		g.MinMax = min(g.MinMax, most)
	}
	g.Gap = g.MinMax - g.MaxMin
	return g
}
