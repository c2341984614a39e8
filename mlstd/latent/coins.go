package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CoinMixture is a mixture of coins: each example consists of several tosses of one coin, and the
// choice of the coin is hidden. It is an [EMModel]: fit it with [EM].
//
//	p(h, t, k) = πₖ·pₖʰ·(1 − pₖ)ᵗ
//
// for h heads and t tails in a known order; the M step takes the expected fraction of heads
//
//	pₖ ← Σᵢ qᵢₖ·hᵢ / Σᵢ qᵢₖ·(hᵢ + tᵢ)
//
// If all P are equal at the start, the coins stay equal forever.
//
// Cost: O(n·K) per iteration.
//
// References: [DoBatzoglou2008]. Course: LAT-01.
type CoinMixture struct {
	Heads, Tails []int
	P            []float64 // of heads, for each coin: the start, and the result
	Shares       []float64 // π; nil means equal weights
	FreeShares   bool      // estimate π too
}

// LogJoint returns log p(hᵢ, tᵢ, k).
func (c *CoinMixture) LogJoint() *mat.Dense {
	c.mustBe("CoinMixture.LogJoint")
	out := mat.NewDense(len(c.Heads), len(c.P), nil)
	for i, h := range c.Heads {
		for k, p := range c.P {
			out.Set(i, k, math.Log(c.share(k))+times(h, math.Log(p))+times(c.Tails[i], math.Log1p(-p)))
		}
	}
	return out
}

// times is n·v, where 0·(−∞) is 0.
func times(n int, v float64) float64 {
	if n == 0 {
		return 0
	}
	return float64(n) * v
}

func (c *CoinMixture) share(k int) float64 {
	if c.Shares == nil {
		return 1 / float64(len(c.P))
	}
	return c.Shares[k]
}

func (c *CoinMixture) mustBe(op string) {
	if len(c.Heads) == 0 || len(c.Heads) != len(c.Tails) {
		panic(model.Errorf(op, "Heads and Tails must have the same length, got %d and %d", len(c.Heads), len(c.Tails)))
	}
	if len(c.P) == 0 || c.Shares != nil && len(c.Shares) != len(c.P) {
		panic(model.Errorf(op, "P and Shares must have the same length, got %d and %d", len(c.P), len(c.Shares)))
	}
	for _, p := range slices.Concat(c.P, c.Shares) {
		if !(p >= 0 && p <= 1) {
			panic(model.Errorf(op, "probabilities must be between 0 and 1, got %v", p))
		}
	}
	for i, h := range c.Heads {
		if h < 0 || c.Tails[i] < 0 {
			panic(model.Errorf(op, "the counts of example %d must not be negative, got %d heads and %d tails", i, h, c.Tails[i]))
		}
	}
}

// Maximize sets P and, with FreeShares, π to the expected fractions.
func (c *CoinMixture) Maximize(q *mat.Dense) error {
	p, shares := slices.Clone(c.P), make([]float64, len(c.P))
	for k := range c.P {
		heads, tosses := 0.0, 0.0
		for i, h := range c.Heads {
			v := q.At(i, k)
			heads += v * float64(h)
			tosses += v * float64(h+c.Tails[i])
			shares[k] += v / float64(len(c.Heads))
		}
		if tosses > 0 { // a coin without tosses keeps its P
			p[k] = heads / tosses
		}
	}
	c.P = p
	if c.FreeShares {
		c.Shares = shares
	}
	return nil
}

// Parameters returns P and, with FreeShares, π.
func (c *CoinMixture) Parameters() []float64 {
	if c.FreeShares {
		return slices.Concat(c.P, c.Shares)
	}
	return slices.Clone(c.P)
}
