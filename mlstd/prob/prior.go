package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Posterior returns the posterior distribution of the probability of success after the given
// numbers of successes and failures.
//
//	Beta(α, β) → Beta(α + successes, β + failures)
//
// Its [Beta.Mode] is the MAP estimate. After 3 heads in 3 tosses with the prior Beta(2, 2), the MAP
// estimate is 0.8, while the maximum likelihood estimate is 1.
//
// Course: PROB-12, PROB-13.
func (b Beta) Posterior(successes, failures float64) Beta {
	d := b.beta()
	if !(successes >= 0 && failures >= 0) {
		panic(model.Errorf("Beta.Posterior", "successes and failures must not be negative, got %v and %v", successes, failures))
	}
	return Beta{d.Alpha + successes, d.Beta + failures}
}

// Posterior returns the posterior distribution of the probabilities after the given numbers of
// examples of each outcome.
//
//	Dir(α) → Dir(α + n)
//
// With αₖ = m·pₖ, its mean is the m-estimate. Its mode is the MAP estimate.
//
// Course: PROB-12.
func (d Dirichlet) Posterior(counts []float64) Dirichlet {
	d.check()
	if len(counts) != len(d.Alpha) {
		panic(model.Errorf("Dirichlet.Posterior", "counts must have %d entries, as Alpha has, got %d", len(d.Alpha), len(counts)))
	}
	for k, c := range counts {
		if !(c >= 0) {
			panic(model.Errorf("Dirichlet.Posterior", "count %d must not be negative, got %v", k, c))
		}
	}
	return Dirichlet{floats.AddTo(make([]float64, len(counts)), d.Alpha, counts)}
}

// Posterior returns the posterior distribution of a rate after the given number of events in the
// given time. For [Poisson] counts, events is the sum of the counts and time is the number of
// counts. For [Exponential] waiting times, events is the number of waiting times and time is their
// sum.
//
//	Gamma(α, β) → Gamma(α + events, β + time)
//
// Course: PROB-12.
func (g Gamma) Posterior(events, time float64) Gamma {
	d := g.gamma()
	if err := limits.Check("Gamma.Posterior", limits.NotNegative("events", events), limits.NotNegative("time", time)); err != nil {
		panic(err)
	}
	return Gamma{d.Alpha + events, d.Beta + time}
}

// Posterior returns the posterior distribution of a mean after values x with normal noise of known
// standard deviation sigma.
//
//	1/σₙ² = 1/σ₀² + n/σ²,   μₙ = σₙ²·(μ₀/σ₀² + Σx/σ²)
//
// The same prior on the coefficients of a linear model turns least squares into ridge
// regression, with λ = σ²/σ₀².
//
// Course: PROB-12, PROB-13.
func (g Gaussian) Posterior(x []float64, sigma float64) Gaussian {
	n := g.normal()
	mustPositive("Gaussian.Posterior", "sigma", sigma)
	precision := 1/(n.Sigma*n.Sigma) + float64(len(x))/(sigma*sigma)
	mean := (n.Mu/(n.Sigma*n.Sigma) + floats.Sum(x)/(sigma*sigma)) / precision
	return Gaussian{mean, math.Sqrt(1 / precision)}
}

// NormalInverseGamma is a joint distribution of a mean and a variance, the conjugate prior of
// [Gaussian].
//
//	σ² ~ InvGamma(α, β),   μ|σ² ~ N(m, σ²/κ)
//
// Course: PROB-12.
type NormalInverseGamma struct {
	Mu    float64 // m, the expected mean
	Kappa float64 // number of examples that Mu counts as; 0 means 1
	Alpha float64 // half the number of examples that the variance counts as; 0 means 1
	Beta  float64 // α times the expected variance; 0 means 1
}

// Posterior returns the posterior distribution after the values x.
func (p NormalInverseGamma) Posterior(x []float64) NormalInverseGamma {
	const op = "NormalInverseGamma"
	p.Kappa, p.Alpha, p.Beta = model.Or(p.Kappa, 1), model.Or(p.Alpha, 1), model.Or(p.Beta, 1)
	mustPositive(op, "Kappa", p.Kappa)
	mustPositive(op, "Alpha", p.Alpha)
	mustPositive(op, "Beta", p.Beta)
	if len(x) == 0 {
		return p
	}
	n := float64(len(x))
	mean, square := moments2(x)
	kappa := p.Kappa + n
	return NormalInverseGamma{
		Mu:    (p.Kappa*p.Mu + n*mean) / kappa,
		Kappa: kappa,
		Alpha: p.Alpha + n/2,
		Beta:  p.Beta + square/2 + p.Kappa*n*(mean-p.Mu)*(mean-p.Mu)/(2*kappa),
	}
}

// Mode returns the most probable mean and standard deviation: the MAP estimate when p is a
// posterior.
func (p NormalInverseGamma) Mode() Gaussian {
	q := p.Posterior(nil)
	return Gaussian{q.Mu, math.Sqrt(q.Beta / (q.Alpha + 1.5))}
}
