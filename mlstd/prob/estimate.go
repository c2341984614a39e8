package prob

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Smooth estimates probabilities from counts as if alpha more examples of each
// outcome had been seen.
//
//	θₖ = (nₖ + α) / (n + K·α)
//
// alpha = 0 is maximum likelihood, nₖ/n; alpha = 1 is Laplace's rule, the posterior mean under a
// uniform prior. An outcome that was never seen keeps a positive probability, which depends on n:
// with two outcomes, it is 1/52 after 50 examples and 1/152 after 150.
//
// Course: PROB-10, PROB-12, PROB-22.
func Smooth(counts []float64, alpha float64) []float64 {
	const op = "Smooth"
	if !(alpha >= 0) || math.IsInf(alpha, 0) {
		panic(model.Errorf(op, "alpha must not be negative, got %v", alpha))
	}
	n := alpha * float64(len(counts))
	for k, c := range counts {
		if !(c >= 0) || math.IsInf(c, 0) {
			panic(model.Errorf(op, "count %d must not be negative, got %v", k, c))
		}
		n += c
	}
	if n == 0 {
		panic(model.Errorf(op, "alpha or at least one count must be positive, got only zeros"))
	}
	theta := make([]float64, len(counts))
	for k, c := range counts {
		theta[k] = (c + alpha) / n
	}
	return theta
}

// MEstimate estimates a probability as if m more examples had been seen, a fraction p
// of them favorable.
//
//	(nₓ + p·m) / (n + m)
//
// With m = 0 it is nₓ/n; with large m it approaches p. It is the posterior mean under a Dirichlet
// prior with parameters m·p.
//
// References: [Cestnik1990]. Course: PROB-12.
func MEstimate(favorable, n, p, m float64) float64 {
	const op = "MEstimate"
	switch {
	case !(favorable >= 0 && favorable <= n):
		panic(model.Errorf(op, "favorable must be between 0 and n, got %v of %v", favorable, n))
	case !(p >= 0 && p <= 1):
		panic(model.Errorf(op, "p must be between 0 and 1, got %v", p))
	case !(m >= 0) || n+m == 0:
		panic(model.Errorf(op, "m must not be negative, and must be positive if there are no examples, got %v", m))
	}
	return (favorable + p*m) / (n + m)
}

// LogLikelihood returns the logarithm of the probability, or density, of independent
// observations.
//
//	ℓ(θ) = Σᵢ log p(xᵢ|θ)
//
// The likelihood is a function of the parameters for fixed data; it is not the probability of the
// parameters.
//
// Course: PROB-08.
func LogLikelihood(d Distribution, x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += d.LogProb(v)
	}
	return sum
}

// MaximizeLikelihood returns the maximum likelihood estimate of one parameter between lo and hi, by
// golden-section search. The log-likelihood must have only one maximum in this interval. family
// returns the distribution for a value of the parameter.
//
//	θ̂ = argmax_θ Σᵢ log p(xᵢ|θ)
//
// Course: PROB-08.
func MaximizeLikelihood(family func(theta float64) Distribution, x []float64, lo, hi float64) (theta, logLikelihood float64, err error) {
	const op = "MaximizeLikelihood"
	if err := checkSample(op, x); err != nil {
		return 0, 0, err
	}
	if !(lo < hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return 0, 0, model.Errorf(op, "lo and hi must be finite, and lo less than hi, got %v and %v", lo, hi)
	}
	f := func(theta float64) float64 {
		v := LogLikelihood(family(theta), x)
		if math.IsNaN(v) {
			return math.Inf(-1)
		}
		return v
	}
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for range 200 {
		if hi-lo <= 1e-12*max(1, math.Abs(lo)+math.Abs(hi)) {
			break
		}
		if fa < fb {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		} else {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		}
	}
	theta = (lo + hi) / 2
	logLikelihood = f(theta)
	if math.IsInf(logLikelihood, -1) {
		return 0, 0, model.Errorf(op, "at least one parameter in the interval must give the data a positive likelihood")
	}
	return theta, logLikelihood, nil
}

// TargetLikelihood returns the log-likelihood of real targets under a hypothesis that predicts
// their means, with normal noise of standard deviation sigma.
//
//	Σᵢ log N(yᵢ; h(xᵢ), σ²) = −Σᵢ (yᵢ − h(xᵢ))²/2σ² − n·log(σ√2π)
//
// For every σ, the most likely hypothesis is the one with the smallest squared
// error.
//
// References: [Mitchell1997] §6.4. Course: PROB-15.
func TargetLikelihood(y, predicted []float64, sigma float64) float64 {
	const op = "TargetLikelihood"
	if len(y) != len(predicted) {
		panic(model.Errorf(op, "y and predicted must have the same length, got %d and %d", len(y), len(predicted)))
	}
	mustPositive(op, "sigma", sigma)
	sum := 0.0
	for i, v := range y {
		sum += Gaussian{Mu: predicted[i], Sigma: sigma}.LogProb(v)
	}
	return sum
}

// ClassLikelihood returns the log-likelihood of classes 0 and 1 under a hypothesis that predicts
// the probability of class 1. It is the negative cross entropy.
//
//	Σᵢ yᵢ·log h(xᵢ) + (1−yᵢ)·log(1−h(xᵢ))
//
// A model that predicts probabilities should maximize this log-likelihood rather than minimize the
// squared error.
//
// References: [Mitchell1997] §6.5. Course: PROB-15.
func ClassLikelihood(y []int, probability []float64) float64 {
	const op = "ClassLikelihood"
	if len(y) != len(probability) {
		panic(model.Errorf(op, "y and probability must have the same length, got %d and %d", len(y), len(probability)))
	}
	sum := 0.0
	for i, p := range probability {
		if !(p >= 0 && p <= 1) {
			panic(model.Errorf(op, "prediction %d must be between 0 and 1, got %v", i, p))
		}
		switch y[i] {
		case 0:
			sum += math.Log1p(-p)
		case 1:
			sum += math.Log(p)
		default:
			panic(model.Errorf(op, "y[%d] must be 0 or 1, got %d", i, y[i]))
		}
	}
	return sum
}
