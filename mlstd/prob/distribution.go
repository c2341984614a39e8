package prob

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Distribution is the distribution of one real number. Methods panic with a [*model.Error] if a
// parameter of the distribution is not allowed.
//
// Course: PROB-30.
type Distribution interface {
	Prob(x float64) float64     // the density at x, or the probability of a discrete x
	LogProb(x float64) float64  // the natural logarithm of Prob
	CDF(x float64) float64      // P(X ≤ x)
	Tail(x float64) float64     // P(X > x), accurate even where it is small
	Quantile(p float64) float64 // the smallest x with CDF(x) ≥ p
	Mean() float64
	Variance() float64
	Entropy() float64                    // in nats; of a density it may be negative
	Sample(n int, seed uint64) []float64 // n independent draws
	Discrete() bool                      // reports whether all values are whole numbers
}

func mustPositive(op, name string, v float64) {
	if !(v > 0) || math.IsInf(v, 0) {
		panic(model.Errorf(op, "%s must be positive, got %v", name, v))
	}
}

func mustFinite(op, name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		panic(model.Errorf(op, "%s must be finite, got %v", name, v))
	}
}

func mustProbability(op, name string, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(model.Errorf(op, "%s must be between 0 and 1, got %v", name, p))
	}
}

// mustQuantile checks the argument of a quantile.
func mustQuantile(op string, p float64) { mustProbability(op+".Quantile", "p", p) }

// draws returns n values, each from one call of draw.
func draws(op string, n int, seed uint64, draw func(rng *rand.Rand) float64) []float64 {
	if n < 0 {
		panic(model.Errorf(op+".Sample", "n must not be negative, got %d", n))
	}
	rng := model.Rand(seed, 0)
	x := make([]float64, n)
	for i := range x {
		x[i] = draw(rng)
	}
	return x
}

// checkSample returns an error for a sample that is empty or not finite.
func checkSample(op string, x []float64) error {
	if len(x) == 0 {
		return model.Errorf(op, "there must be at least one value")
	}
	if i := finite.First(x); i >= 0 {
		return model.Errorf(op, "value %d must be finite, got %v", i, x[i]).WithHint("leave out missing values")
	}
	return nil
}

func isWhole(x float64) bool { return x == math.Floor(x) && !math.IsInf(x, 0) }

// discreteQuantile finds the smallest whole number from 0 on with cdf ≥ p, near
// guess.
func discreteQuantile(p, guess float64, cdf func(float64) float64) float64 {
	lo, step := math.Max(-1, math.Floor(guess)), 1.0 // cdf(lo) < p
	for lo >= 0 && cdf(lo) >= p {
		lo = math.Max(-1, lo-step)
		step *= 2
	}
	hi := lo + 1
	for step = 1; cdf(hi) < p; step *= 2 {
		lo, hi = hi, hi+step
	}
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); cdf(mid) >= p {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// discreteEntropy adds up −p log p over whole numbers around the mean until nothing
// is left.
func discreteEntropy(mean, deviation float64, top float64, logProb func(float64) float64) float64 {
	lo, hi := math.Max(0, math.Floor(mean-40*deviation-40)), math.Min(top, math.Ceil(mean+40*deviation+40))
	h := 0.0
	for k := lo; k <= hi; k++ {
		if l := logProb(k); !math.IsInf(l, -1) {
			h -= l * math.Exp(l)
		}
	}
	return max(0, h)
}
