package prob

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Bernoulli is the distribution of one toss of a coin: 1 with probability P, and 0 otherwise.
//
//	p(x) = θˣ·(1−θ)¹⁻ˣ
//
// Course: PROB-09, PROB-30.
type Bernoulli struct {
	P float64 // probability of 1
}

func (b Bernoulli) binomial() Binomial { return Binomial{N: 1, P: b.P} }

func (b Bernoulli) Prob(x float64) float64     { return b.binomial().Prob(x) }     // the probability of x
func (b Bernoulli) LogProb(x float64) float64  { return b.binomial().LogProb(x) }  // log of Prob
func (b Bernoulli) CDF(x float64) float64      { return b.binomial().CDF(x) }      // P(X ≤ x)
func (b Bernoulli) Tail(x float64) float64     { return b.binomial().Tail(x) }     // P(X > x)
func (b Bernoulli) Quantile(p float64) float64 { return b.binomial().Quantile(p) } // smallest x with CDF(x) ≥ p
func (b Bernoulli) Mean() float64              { return b.binomial().Mean() }      // P
func (b Bernoulli) Variance() float64          { return b.binomial().Variance() }  // P·(1−P)
func (b Bernoulli) Entropy() float64           { return b.binomial().Entropy() }   // in nats
func (b Bernoulli) Discrete() bool             { return true }

// Sample returns n independent draws.
func (b Bernoulli) Sample(n int, seed uint64) []float64 {
	mustProbability("Bernoulli", "P", b.P)
	return draws("Bernoulli", n, seed, func(rng *rand.Rand) float64 {
		if rng.Float64() < b.P {
			return 1
		}
		return 0
	})
}

// Binomial is the distribution of the number of successes in N independent trials.
//
//	p(k) = (N choose k)·θᵏ·(1−θ)ᴺ⁻ᵏ
//
// Course: PROB-30.
type Binomial struct {
	N int     // tosses
	P float64 // probability of success
}

func (b Binomial) check() {
	if b.N < 0 {
		panic(model.Errorf("Binomial", "N must not be negative, got %d", b.N))
	}
	mustProbability("Binomial", "P", b.P)
}

// Prob returns the probability of x successes.
func (b Binomial) Prob(x float64) float64 { return math.Exp(b.LogProb(x)) }

// LogProb returns the logarithm of Prob.
func (b Binomial) LogProb(x float64) float64 {
	b.check()
	n := float64(b.N)
	if x < 0 || x > n || !isWhole(x) {
		return math.Inf(-1)
	}
	return logChoose(n, x) + times(x, math.Log(b.P)) + times(n-x, math.Log1p(-b.P))
}

// times is a·b, 0 where a is 0.
func times(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a * b
}

func logChoose(n, k float64) float64 {
	if k == 0 || k == n {
		return 0
	}
	return -math.Log1p(n) - mathext.Lbeta(n-k+1, k+1)
}

// CDF returns P(X ≤ x).
func (b Binomial) CDF(x float64) float64 {
	b.check()
	x = math.Floor(x)
	switch {
	case x < 0:
		return 0
	case x >= float64(b.N):
		return 1
	}
	return tails.BinomialUpTo(x, float64(b.N), b.P)
}

// Tail returns P(X > x).
func (b Binomial) Tail(x float64) float64 {
	b.check()
	x = math.Floor(x)
	switch {
	case x < 0:
		return 1
	case x >= float64(b.N):
		return 0
	}
	return tails.BinomialAbove(x, float64(b.N), b.P)
}

// Quantile returns the smallest x with CDF(x) ≥ p.
func (b Binomial) Quantile(p float64) float64 {
	b.check()
	mustQuantile("Binomial", p)
	if p == 0 {
		return 0
	}
	return discreteQuantile(p, b.Mean()+math.Sqrt(b.Variance())*Gaussian{}.Quantile(min(max(p, 1e-300), 1-1e-16)), b.CDF)
}

func (b Binomial) Mean() float64     { b.check(); return float64(b.N) * b.P }             // N·P
func (b Binomial) Variance() float64 { b.check(); return float64(b.N) * b.P * (1 - b.P) } // N·P·(1−P)
func (b Binomial) Discrete() bool    { return true }

// Entropy returns the entropy in nats.
func (b Binomial) Entropy() float64 {
	return discreteEntropy(b.Mean(), math.Sqrt(b.Variance()), float64(b.N), b.LogProb)
}

// Sample returns n independent draws.
func (b Binomial) Sample(n int, seed uint64) []float64 {
	b.check()
	return draws("Binomial", n, seed, func(rng *rand.Rand) float64 {
		switch {
		case b.P == 0 || b.N == 0:
			return 0
		case b.P == 1:
			return float64(b.N)
		}
		return distuv.Binomial{N: float64(b.N), P: b.P, Src: rng}.Rand()
	})
}

// Poisson is the distribution of the number of events that happen independently at a constant rate.
//
//	p(k) = λᵏ·e^(−λ) / k!
//
// Course: PROB-30.
type Poisson struct {
	Lambda float64 // mean number of events; 0 means 1
}

func (d Poisson) lambda() float64 {
	l := model.Or(d.Lambda, 1)
	mustPositive("Poisson", "Lambda", l)
	return l
}

// Prob returns the probability of x events.
func (d Poisson) Prob(x float64) float64 { return math.Exp(d.LogProb(x)) }

// LogProb returns the logarithm of Prob.
func (d Poisson) LogProb(x float64) float64 {
	l := d.lambda()
	if x < 0 || !isWhole(x) {
		return math.Inf(-1)
	}
	g, _ := math.Lgamma(x + 1)
	return times(x, math.Log(l)) - l - g
}

// CDF returns P(X ≤ x).
func (d Poisson) CDF(x float64) float64 {
	l := d.lambda()
	if x < 0 {
		return 0
	}
	return mathext.GammaIncRegComp(math.Floor(x)+1, l)
}

// Tail returns P(X > x).
func (d Poisson) Tail(x float64) float64 {
	l := d.lambda()
	if x < 0 {
		return 1
	}
	return mathext.GammaIncReg(math.Floor(x)+1, l)
}

// Quantile returns the smallest x with CDF(x) ≥ p.
func (d Poisson) Quantile(p float64) float64 {
	mustQuantile("Poisson", p)
	switch p {
	case 0:
		return 0
	case 1:
		return math.Inf(1)
	}
	return discreteQuantile(p, d.Mean()+math.Sqrt(d.Variance())*Gaussian{}.Quantile(p), d.CDF)
}

func (d Poisson) Mean() float64     { return d.lambda() } // Lambda
func (d Poisson) Variance() float64 { return d.lambda() } // Lambda
func (d Poisson) Discrete() bool    { return true }

// Entropy returns the entropy in nats.
func (d Poisson) Entropy() float64 {
	return discreteEntropy(d.Mean(), math.Sqrt(d.Variance()), math.Inf(1), d.LogProb)
}

// Sample returns n independent draws.
func (d Poisson) Sample(n int, seed uint64) []float64 {
	l := d.lambda()
	return draws("Poisson", n, seed, func(rng *rand.Rand) float64 { return distuv.Poisson{Lambda: l, Src: rng}.Rand() })
}

// Categorical is the distribution of one throw of a die: the value k, from 0 on, has probability
// P[k].
//
//	p(k) = θₖ,   Σₖ θₖ = 1
//
// P is divided by its sum, so it can also hold counts.
//
// Course: PROB-10, PROB-30.
type Categorical struct {
	P []float64 // of each value
}

func (c Categorical) total() float64 { return total("Categorical", c.P) }

// Prob returns the probability of x.
func (c Categorical) Prob(x float64) float64 {
	n := c.total()
	if x < 0 || x >= float64(len(c.P)) || !isWhole(x) {
		return 0
	}
	return c.P[int(x)] / n
}

// LogProb returns the logarithm of Prob.
func (c Categorical) LogProb(x float64) float64 { return math.Log(c.Prob(x)) }

func (c Categorical) upTo(from, to float64) float64 {
	n, sum := c.total(), 0.0
	for k, p := range c.P {
		if v := float64(k); v > from && v <= to {
			sum += p / n
		}
	}
	return min(sum, 1)
}

func (c Categorical) CDF(x float64) float64  { return c.upTo(-1, x) }          // P(X ≤ x)
func (c Categorical) Tail(x float64) float64 { return c.upTo(x, math.Inf(1)) } // P(X > x)

// Quantile returns the smallest x with CDF(x) ≥ p.
func (c Categorical) Quantile(p float64) float64 {
	mustQuantile("Categorical", p)
	n, sum := c.total(), 0.0
	last := 0
	for k, v := range c.P {
		sum += v / n
		if v > 0 {
			last = k
		}
		if sum >= p && sum > 0 {
			return float64(k)
		}
	}
	return float64(last)
}

// Mean returns the mean of the values.
func (c Categorical) Mean() float64 {
	n, mean := c.total(), 0.0
	for k, p := range c.P {
		mean += float64(k) * p / n
	}
	return mean
}

// Variance returns the variance of the values.
func (c Categorical) Variance() float64 {
	n, mean, v := c.total(), c.Mean(), 0.0
	for k, p := range c.P {
		v += (float64(k) - mean) * (float64(k) - mean) * p / n
	}
	return v
}

// Entropy returns the entropy in nats.
func (c Categorical) Entropy() float64 { return Entropy(c.P, Nats) }

func (c Categorical) Discrete() bool { return true }

// Sample returns n independent draws.
func (c Categorical) Sample(n int, seed uint64) []float64 {
	sum := c.total()
	return draws("Categorical", n, seed, func(rng *rand.Rand) float64 { return float64(drawOf(c.P, sum, rng)) })
}

// drawOf draws an index k with probability p[k]/sum.
func drawOf(p []float64, sum float64, rng *rand.Rand) int {
	u, last := rng.Float64()*sum, 0
	for k, v := range p {
		if v > 0 {
			last = k
		}
		if u -= v; u < 0 {
			return k
		}
	}
	return last
}
