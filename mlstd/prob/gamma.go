package prob

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Gamma is the distribution of the time until the α-th event if events happen at rate β. It is also
// the conjugate prior of rates.
//
//	p(x) = βᵅ·xᵅ⁻¹·e^(−βx) / Γ(α),   x > 0
//
// Course: PROB-30.
type Gamma struct {
	Alpha float64 // shape; 0 means 1
	Beta  float64 // rate, 1/scale; 0 means 1
}

func (g Gamma) gamma() distuv.Gamma {
	d := distuv.Gamma{Alpha: model.Or(g.Alpha, 1), Beta: model.Or(g.Beta, 1)}
	mustPositive("Gamma", "Alpha", d.Alpha)
	mustPositive("Gamma", "Beta", d.Beta)
	return d
}

func (g Gamma) Prob(x float64) float64 { return math.Exp(g.LogProb(x)) } // the density at x
func (g Gamma) CDF(x float64) float64 {
	d := g.gamma()
	return mathext.GammaIncReg(d.Alpha, d.Beta*max(0, x))
}
func (g Gamma) Tail(x float64) float64 {
	d := g.gamma()
	return mathext.GammaIncRegComp(d.Alpha, d.Beta*max(0, x))
}
func (g Gamma) Mean() float64     { return g.gamma().Mean() }     // Alpha/Beta
func (g Gamma) Variance() float64 { return g.gamma().Variance() } // Alpha/Beta²
func (g Gamma) Discrete() bool    { return false }

// LogProb returns the logarithm of Prob.
func (g Gamma) LogProb(x float64) float64 {
	d := g.gamma()
	if x < 0 {
		return math.Inf(-1)
	}
	lg, _ := math.Lgamma(d.Alpha)
	return d.Alpha*math.Log(d.Beta) - lg + times(d.Alpha-1, math.Log(x)) - d.Beta*x
}

// Quantile returns the x with CDF(x) = p.
func (g Gamma) Quantile(p float64) float64 {
	mustQuantile("Gamma", p)
	d := g.gamma()
	switch p {
	case 0:
		return 0
	case 1:
		return math.Inf(1)
	}
	q := d.Quantile(p)
	if math.Abs(g.CDF(q)-p) <= 1e-12*p {
		return q
	}
	// Far in the lower tail, bisection starts from CDF ≈ (βx)ᵅ/Γ(α+1).
	lg, _ := math.Lgamma(d.Alpha + 1)
	lo := (math.Log(p)+lg)/d.Alpha - math.Log(d.Beta)
	hi := lo
	for g.CDF(math.Exp(lo)) > p {
		lo--
	}
	for g.CDF(math.Exp(hi)) < p {
		hi++
	}
	for range 100 {
		if mid := (lo + hi) / 2; g.CDF(math.Exp(mid)) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp(hi)
}

// Mode returns the value with the highest density; it is 0 for Alpha below 1.
func (g Gamma) Mode() float64 {
	d := g.gamma()
	return max(0, d.Alpha-1) / d.Beta
}

// Entropy returns the entropy in nats.
func (g Gamma) Entropy() float64 {
	d := g.gamma()
	lg, _ := math.Lgamma(d.Alpha)
	return d.Alpha - math.Log(d.Beta) + lg + (1-d.Alpha)*mathext.Digamma(d.Alpha)
}

// Sample returns n independent draws.
func (g Gamma) Sample(n int, seed uint64) []float64 {
	d := g.gamma()
	return draws("Gamma", n, seed, func(rng *rand.Rand) float64 { d.Src = rng; return d.Rand() })
}

// ChiSquared is the distribution of the sum of the squares of Nu independent standard normal
// variables.
//
//	p(x) = x^(ν/2−1)·e^(−x/2) / (2^(ν/2)·Γ(ν/2)),   x > 0
//
// Course: PROB-30.
type ChiSquared struct {
	Nu float64 // degrees of freedom; 0 means 1
}

func (c ChiSquared) gamma() Gamma {
	nu := model.Or(c.Nu, 1)
	mustPositive("ChiSquared", "Nu", nu)
	return Gamma{Alpha: nu / 2, Beta: 0.5}
}

func (c ChiSquared) Prob(x float64) float64     { return c.gamma().Prob(x) }     // the density at x
func (c ChiSquared) LogProb(x float64) float64  { return c.gamma().LogProb(x) }  // log of Prob
func (c ChiSquared) CDF(x float64) float64      { return c.gamma().CDF(x) }      // P(X ≤ x)
func (c ChiSquared) Tail(x float64) float64     { return c.gamma().Tail(x) }     // P(X > x)
func (c ChiSquared) Quantile(p float64) float64 { return c.gamma().Quantile(p) } // the x with CDF(x) = p
func (c ChiSquared) Mean() float64              { return c.gamma().Mean() }      // Nu
func (c ChiSquared) Variance() float64          { return c.gamma().Variance() }  // 2·Nu
func (c ChiSquared) Entropy() float64           { return c.gamma().Entropy() }   // in nats
func (c ChiSquared) Discrete() bool             { return false }

// Sample returns n independent draws.
func (c ChiSquared) Sample(n int, seed uint64) []float64 { return c.gamma().Sample(n, seed) }

// Beta is a distribution of probabilities, and the conjugate prior of [Bernoulli].
//
//	p(x) = x^(α−1)·(1−x)^(β−1) / B(α, β),   0 ≤ x ≤ 1
//
// The zero value is uniform. α−1 and β−1 act like numbers of earlier successes and failures.
//
// Course: PROB-12, PROB-13, PROB-30.
type Beta struct {
	Alpha float64 // 0 means 1
	Beta  float64 // 0 means 1
}

func (b Beta) beta() distuv.Beta {
	d := distuv.Beta{Alpha: model.Or(b.Alpha, 1), Beta: model.Or(b.Beta, 1)}
	mustPositive("Beta", "Alpha", d.Alpha)
	mustPositive("Beta", "Beta", d.Beta)
	return d
}

func (b Beta) Prob(x float64) float64 { return math.Exp(b.LogProb(x)) } // the density at x
func (b Beta) CDF(x float64) float64 { // P(X ≤ x)
	d := b.beta()
	return tails.Beta(d.Alpha, d.Beta, x, 1-x)
}
func (b Beta) Tail(x float64) float64 { // P(X > x)
	d := b.beta()
	return tails.Beta(d.Beta, d.Alpha, 1-x, x)
}
func (b Beta) Mean() float64     { return b.beta().Mean() }     // α/(α+β)
func (b Beta) Variance() float64 { return b.beta().Variance() } // αβ/((α+β)²(α+β+1))
func (b Beta) Entropy() float64  { return b.beta().Entropy() }  // in nats
func (b Beta) Discrete() bool    { return false }

// LogProb returns the logarithm of Prob.
func (b Beta) LogProb(x float64) float64 {
	d := b.beta()
	if !(x >= 0 && x <= 1) {
		return math.Inf(-1)
	}
	return times(d.Alpha-1, math.Log(x)) + times(d.Beta-1, math.Log1p(-x)) - mathext.Lbeta(d.Alpha, d.Beta)
}

// Quantile returns the x with CDF(x) = p.
func (b Beta) Quantile(p float64) float64 {
	mustQuantile("Beta", p)
	d := b.beta()
	return tails.QuantileBeta(d.Alpha, d.Beta, p)
}

// Mode returns the value with the highest density, (α−1)/(α+β−2): the MAP estimate when b is a
// posterior. If b is uniform, or if 0 and 1 are both modes, Mode returns the mean.
func (b Beta) Mode() float64 {
	d := b.beta()
	switch {
	case d.Alpha <= 1 && d.Beta <= 1:
		if d.Alpha == 1 && d.Beta < 1 {
			return 1
		}
		if d.Beta == 1 && d.Alpha < 1 {
			return 0
		}
		return d.Mean()
	case d.Alpha <= 1:
		return 0
	case d.Beta <= 1:
		return 1
	}
	return (d.Alpha - 1) / (d.Alpha + d.Beta - 2)
}

// Sample returns n independent draws.
func (b Beta) Sample(n int, seed uint64) []float64 {
	d := b.beta()
	return draws("Beta", n, seed, func(rng *rand.Rand) float64 { d.Src = rng; return d.Rand() })
}

// FisherF is the F distribution: the distribution of the ratio of two variance estimates, each with
// its degrees of freedom, as in an analysis of variance.
//
//	p(x) = √((ν₁x)^ν₁·ν₂^ν₂ / (ν₁x+ν₂)^(ν₁+ν₂)) / (x·B(ν₁/2, ν₂/2)),   x > 0
//
// Its .95 quantile for 2 and 10 degrees of freedom is 4.103. Tail is accurate even where 1 − CDF
// has no correct digits; the Survival method of gonum's distuv.F returns 1 − CDF.
//
// Course: PROB-30.
type FisherF struct {
	Nu1 float64 // degrees of freedom of the numerator; 0 means 1
	Nu2 float64 // degrees of freedom of the denominator; 0 means 1
}

func (f FisherF) f() (a, b float64) {
	a, b = model.Or(f.Nu1, 1), model.Or(f.Nu2, 1)
	mustPositive("FisherF", "Nu1", a)
	mustPositive("FisherF", "Nu2", b)
	return a, b
}

func (f FisherF) Prob(x float64) float64 { return math.Exp(f.LogProb(x)) } // the density at x
func (f FisherF) Discrete() bool         { return false }

// LogProb returns the logarithm of Prob.
func (f FisherF) LogProb(x float64) float64 {
	a, b := f.f()
	if x < 0 {
		return math.Inf(-1)
	}
	r := a * x / b
	return a/2*math.Log(a/b) + times(a/2-1, math.Log(x)) - (a+b)/2*math.Log1p(r) - mathext.Lbeta(a/2, b/2)
}

// CDF returns P(X ≤ x).
func (f FisherF) CDF(x float64) float64 {
	a, b := f.f()
	return tails.BelowF(x, a, b)
}

// Tail returns P(X > x), accurate even far out in the tail.
func (f FisherF) Tail(x float64) float64 {
	a, b := f.f()
	return tails.F(x, a, b)
}

// Quantile returns the x with CDF(x) = p.
func (f FisherF) Quantile(p float64) float64 {
	mustQuantile("FisherF", p)
	a, b := f.f()
	switch {
	case p == 1:
		return math.Inf(1)
	case p <= 0.5:
		z := tails.QuantileBeta(a/2, b/2, p)
		return b / a * z / (1 - z)
	}
	z := tails.QuantileBeta(b/2, a/2, 1-p)
	return b / a * (1 - z) / z
}

// Mean returns ν₂/(ν₂−2); it is infinite for Nu2 ≤ 2.
func (f FisherF) Mean() float64 {
	_, b := f.f()
	if b <= 2 {
		return math.Inf(1)
	}
	return b / (b - 2)
}

// Variance returns 2ν₂²(ν₁+ν₂−2)/(ν₁(ν₂−2)²(ν₂−4)); it is infinite for 2 < Nu2 ≤ 4, and NaN
// for Nu2 ≤ 2.
func (f FisherF) Variance() float64 {
	a, b := f.f()
	switch {
	case b <= 2:
		return math.NaN()
	case b <= 4:
		return math.Inf(1)
	}
	return 2 * b * b * (a + b - 2) / (a * (b - 2) * (b - 2) * (b - 4))
}

// Entropy returns the entropy in nats.
func (f FisherF) Entropy() float64 {
	a, b := f.f()
	half := (a + b) / 2
	return math.Log(b/a) + mathext.Lbeta(a/2, b/2) + (1-a/2)*mathext.Digamma(a/2) - (1+b/2)*mathext.Digamma(b/2) + half*mathext.Digamma(half)
}

// Sample returns n independent draws.
func (f FisherF) Sample(n int, seed uint64) []float64 {
	a, b := f.f()
	return draws("FisherF", n, seed, func(rng *rand.Rand) float64 {
		above := distuv.ChiSquared{K: a, Src: rng}.Rand() / a
		return above / (distuv.ChiSquared{K: b, Src: rng}.Rand() / b)
	})
}

// StudentT is the t distribution: the distribution of the mean of normal values, divided by its
// estimated standard error. Its tails are heavier with fewer degrees of freedom.
//
//	p(x) ∝ (1 + z²/ν)^(−(ν+1)/2),   z = (x−μ)/σ
//
// The .975 quantile for ν = 4 is 2.776.
//
// Course: PROB-30.
type StudentT struct {
	Nu    float64 // degrees of freedom; 0 means 1
	Mu    float64 // center
	Sigma float64 // scale; 0 means 1
}

func (s StudentT) t() distuv.StudentsT {
	d := distuv.StudentsT{Nu: model.Or(s.Nu, 1), Mu: s.Mu, Sigma: model.Or(s.Sigma, 1)}
	mustPositive("StudentT", "Nu", d.Nu)
	mustFinite("StudentT", "Mu", d.Mu)
	mustPositive("StudentT", "Sigma", d.Sigma)
	return d
}

func (s StudentT) Prob(x float64) float64    { return math.Exp(s.LogProb(x)) } // the density at x
func (s StudentT) LogProb(x float64) float64 { return s.t().LogProb(x) }       // log of Prob
func (s StudentT) Discrete() bool            { return false }

// CDF returns P(X ≤ x), accurate even far out in the tail.
func (s StudentT) CDF(x float64) float64 {
	d := s.t()
	return StudentT{Nu: d.Nu, Mu: -d.Mu, Sigma: d.Sigma}.Tail(-x)
}

// Tail returns P(X > x), accurate even far out in the tail.
func (s StudentT) Tail(x float64) float64 {
	d := s.t()
	t := (x - d.Mu) / d.Sigma
	if t < 0 {
		return 1 - tails.TwoSidedT(t, d.Nu)/2
	}
	return tails.TwoSidedT(t, d.Nu) / 2
}

// Quantile returns the x with CDF(x) = p.
func (s StudentT) Quantile(p float64) float64 {
	mustQuantile("StudentT", p)
	d := s.t()
	return d.Mu - d.Sigma*tails.QuantileT(p, d.Nu)
}

// Mean returns Mu. For Nu ≤ 1 the mean does not exist, and Mean returns NaN.
func (s StudentT) Mean() float64 {
	d := s.t()
	if d.Nu <= 1 {
		return math.NaN()
	}
	return d.Mu
}

// Variance returns σ²·ν/(ν−2), infinite for 1 < ν ≤ 2, and NaN for ν ≤ 1.
func (s StudentT) Variance() float64 {
	d := s.t()
	switch {
	case d.Nu <= 1:
		return math.NaN()
	case d.Nu <= 2:
		return math.Inf(1)
	}
	return d.Sigma * d.Sigma * d.Nu / (d.Nu - 2)
}

// Entropy returns the entropy in nats.
func (s StudentT) Entropy() float64 {
	d := s.t()
	half := (d.Nu + 1) / 2
	return half*(mathext.Digamma(half)-mathext.Digamma(d.Nu/2)) + math.Log(d.Nu)/2 + mathext.Lbeta(d.Nu/2, 0.5) + math.Log(d.Sigma)
}

// Sample returns n independent draws.
func (s StudentT) Sample(n int, seed uint64) []float64 {
	d := s.t()
	return draws("StudentT", n, seed, func(rng *rand.Rand) float64 { d.Src = rng; return d.Rand() })
}
