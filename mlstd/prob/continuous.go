package prob

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Gaussian is the normal distribution.
//
//	p(x) = exp(−(x−μ)²/2σ²) / (σ√2π)
//
// The zero value is the standard normal distribution. Its .975 quantile is 1.96.
//
// Course: PROB-11, PROB-30.
type Gaussian struct {
	Mu    float64 // mean
	Sigma float64 // standard deviation; 0 means 1
}

func (g Gaussian) normal() distuv.Normal {
	s := model.Or(g.Sigma, 1)
	mustFinite("Gaussian", "Mu", g.Mu)
	mustPositive("Gaussian", "Sigma", s)
	return distuv.Normal{Mu: g.Mu, Sigma: s}
}

func (g Gaussian) Prob(x float64) float64    { return g.normal().Prob(x) }    // the density at x
func (g Gaussian) LogProb(x float64) float64 { return g.normal().LogProb(x) } // log of Prob
func (g Gaussian) CDF(x float64) float64     { return g.normal().CDF(x) }     // P(X ≤ x)
func (g Gaussian) Mean() float64             { return g.normal().Mu }         // Mu
func (g Gaussian) Variance() float64         { return g.normal().Variance() } // Sigma²
func (g Gaussian) Entropy() float64          { return g.normal().Entropy() }  // in nats
func (g Gaussian) Discrete() bool            { return false }

// Tail returns P(X > x), accurate even far out in the tail.
func (g Gaussian) Tail(x float64) float64 {
	n := g.normal()
	return math.Erfc((x-n.Mu)/(n.Sigma*math.Sqrt2)) / 2
}

// Quantile returns the x with CDF(x) = p.
func (g Gaussian) Quantile(p float64) float64 {
	mustQuantile("Gaussian", p)
	return g.normal().Quantile(p)
}

// Sample returns n independent draws.
func (g Gaussian) Sample(n int, seed uint64) []float64 {
	d := g.normal()
	return draws("Gaussian", n, seed, func(rng *rand.Rand) float64 { return d.Mu + d.Sigma*rng.NormFloat64() })
}

// KL returns the Kullback-Leibler divergence from g to other, in nats.
//
//	KL(g‖o) = log(σₒ/σ) + (σ² + (μ−μₒ)²)/2σₒ² − ½
//
// Course: PROB-05.
func (g Gaussian) KL(other Gaussian) float64 {
	a, b := g.normal(), other.normal()
	d := a.Mu - b.Mu
	return math.Log(b.Sigma/a.Sigma) + (a.Sigma*a.Sigma+d*d)/(2*b.Sigma*b.Sigma) - 0.5
}

// Exponential is the distribution of the time until the next event if events happen at a constant
// rate.
//
//	p(x) = λ·e^(−λx),   x ≥ 0
//
// Course: PROB-30.
type Exponential struct {
	Lambda float64 // events per unit of time; 0 means 1
}

func (e Exponential) lambda() float64 {
	l := model.Or(e.Lambda, 1)
	mustPositive("Exponential", "Lambda", l)
	return l
}

func (e Exponential) Prob(x float64) float64 { return math.Exp(e.LogProb(x)) } // the density at x
func (e Exponential) CDF(x float64) float64  { return -math.Expm1(-e.lambda() * max(0, x)) }
func (e Exponential) Tail(x float64) float64 { return math.Exp(-e.lambda() * max(0, x)) }
func (e Exponential) Mean() float64          { return 1 / e.lambda() }
func (e Exponential) Variance() float64      { return 1 / (e.lambda() * e.lambda()) }
func (e Exponential) Entropy() float64       { return 1 - math.Log(e.lambda()) } // in nats
func (e Exponential) Discrete() bool         { return false }

// LogProb returns the logarithm of Prob.
func (e Exponential) LogProb(x float64) float64 {
	l := e.lambda()
	if x < 0 {
		return math.Inf(-1)
	}
	return math.Log(l) - l*x
}

// Quantile returns the x with CDF(x) = p.
func (e Exponential) Quantile(p float64) float64 {
	mustQuantile("Exponential", p)
	return -math.Log1p(-p) / e.lambda()
}

// Sample returns n independent draws.
func (e Exponential) Sample(n int, seed uint64) []float64 {
	l := e.lambda()
	return draws("Exponential", n, seed, func(rng *rand.Rand) float64 { return rng.ExpFloat64() / l })
}

// Uniform is the uniform distribution between Low and High.
//
//	p(x) = 1 / (b − a),   a ≤ x ≤ b
//
// The zero value is the distribution between 0 and 1.
//
// Course: PROB-30.
type Uniform struct {
	Low, High float64 // both 0 mean 0 and 1
}

func (u Uniform) ends() (lo, hi float64) {
	if u == (Uniform{}) {
		return 0, 1
	}
	mustFinite("Uniform", "Low", u.Low)
	mustFinite("Uniform", "High", u.High)
	if !(u.Low < u.High) {
		panic(model.Errorf("Uniform", "Low must be less than High, got %v and %v", u.Low, u.High))
	}
	return u.Low, u.High
}

func (u Uniform) Prob(x float64) float64 { return math.Exp(u.LogProb(x)) } // the density at x
func (u Uniform) CDF(x float64) float64  { lo, hi := u.ends(); return min(max((x-lo)/(hi-lo), 0), 1) }
func (u Uniform) Tail(x float64) float64 { lo, hi := u.ends(); return min(max((hi-x)/(hi-lo), 0), 1) }
func (u Uniform) Mean() float64          { lo, hi := u.ends(); return (lo + hi) / 2 }
func (u Uniform) Variance() float64      { lo, hi := u.ends(); return (hi - lo) * (hi - lo) / 12 }
func (u Uniform) Entropy() float64       { lo, hi := u.ends(); return math.Log(hi - lo) } // in nats
func (u Uniform) Discrete() bool         { return false }

// LogProb returns the logarithm of Prob.
func (u Uniform) LogProb(x float64) float64 {
	lo, hi := u.ends()
	if !(x >= lo && x <= hi) {
		return math.Inf(-1)
	}
	return -math.Log(hi - lo)
}

// Quantile returns the x with CDF(x) = p.
func (u Uniform) Quantile(p float64) float64 {
	mustQuantile("Uniform", p)
	lo, hi := u.ends()
	return lo + p*(hi-lo)
}

// Sample returns n independent draws.
func (u Uniform) Sample(n int, seed uint64) []float64 {
	lo, hi := u.ends()
	return draws("Uniform", n, seed, func(rng *rand.Rand) float64 { return lo + rng.Float64()*(hi-lo) })
}

// Laplace is the double exponential distribution, with heavier tails than the normal distribution.
//
//	p(x) = e^(−|x−μ|/b) / 2b
//
// Course: PROB-30.
type Laplace struct {
	Mu    float64 // mean and median
	Scale float64 // b, the mean distance from Mu; 0 means 1
}

func (l Laplace) scale() float64 {
	b := model.Or(l.Scale, 1)
	mustFinite("Laplace", "Mu", l.Mu)
	mustPositive("Laplace", "Scale", b)
	return b
}

func (l Laplace) Prob(x float64) float64 { return math.Exp(l.LogProb(x)) } // the density at x
func (l Laplace) Tail(x float64) float64 { return Laplace{-l.Mu, l.Scale}.CDF(-x) }
func (l Laplace) Mean() float64          { l.scale(); return l.Mu }
func (l Laplace) Variance() float64      { b := l.scale(); return 2 * b * b }
func (l Laplace) Entropy() float64       { return 1 + math.Log(2*l.scale()) } // in nats
func (l Laplace) Discrete() bool         { return false }

// LogProb returns the logarithm of Prob.
func (l Laplace) LogProb(x float64) float64 {
	b := l.scale()
	return -math.Abs(x-l.Mu)/b - math.Log(2*b)
}

// CDF returns P(X ≤ x).
func (l Laplace) CDF(x float64) float64 {
	z := (x - l.Mu) / l.scale()
	if z < 0 {
		return math.Exp(z) / 2
	}
	return 1 - math.Exp(-z)/2
}

// Quantile returns the x with CDF(x) = p.
func (l Laplace) Quantile(p float64) float64 {
	mustQuantile("Laplace", p)
	b := l.scale()
	if p < 0.5 {
		return l.Mu + b*math.Log(2*p)
	}
	return l.Mu - b*math.Log(2*(1-p))
}

// Sample returns n independent draws.
func (l Laplace) Sample(n int, seed uint64) []float64 {
	b := l.scale()
	return draws("Laplace", n, seed, func(rng *rand.Rand) float64 { return l.Mu + b*(rng.ExpFloat64()-rng.ExpFloat64()) })
}
