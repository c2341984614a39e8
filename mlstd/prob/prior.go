package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Posterior is the distribution of the probability of success after so many
// successes and failures.
//
//	Beta(α, β) → Beta(α + successes, β + failures)
//
// Its [Beta.Mode] is the MAP estimate: 0.8 after 3 heads of 3 with Beta(2, 2), where
// maximum likelihood returns 1.
//
// Course: PROB-12, PROB-13.
func (b Beta) Posterior(successes, failures float64) Beta {
	d := b.beta()
	if !(successes >= 0 && failures >= 0) {
		panic(model.Errorf("Beta.Posterior", "successes and failures must not be negative, got %v and %v", successes, failures))
	}
	return Beta{d.Alpha + successes, d.Beta + failures}
}

// Posterior is the distribution of the probabilities after so many examples of each
// outcome.
//
//	Dir(α) → Dir(α + n)
//
// Its mean with αₖ = m·pₖ is the m-estimate, its mode the MAP estimate.
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

// Posterior is the distribution of a rate after events were counted for some time
// (for [Poisson] counts: their sum, and how many there are; for [Exponential] times:
// how many there are, and their sum).
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

// Posterior is the distribution of a mean after values with normal noise of the
// known deviation sigma.
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

// NormalInverseGamma is a distribution of means and variances, the conjugate prior
// of [Gaussian].
//
//	σ² ~ InvGamma(α, β),   μ|σ² ~ N(m, σ²/κ)
//
// Course: PROB-12.
type NormalInverseGamma struct {
	Mu    float64 // m, where the mean is expected
	Kappa float64 // how many examples that is worth; 0 means 1
	Alpha float64 // half the examples that the variance is worth; 0 means 1
	Beta  float64 // α·variance expected; 0 means 1
}

// Posterior is the distribution after the values x.
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

// Mode is the most probable mean and deviation, the MAP estimate when p is a
// posterior.
func (p NormalInverseGamma) Mode() Gaussian {
	q := p.Posterior(nil)
	return Gaussian{q.Mu, math.Sqrt(q.Beta / (q.Alpha + 1.5))}
}
