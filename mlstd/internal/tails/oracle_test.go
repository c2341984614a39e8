package tails

import (
	"fmt"
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

type tailsOracle struct {
	F              [][4]float64 `json:"f"`
	BelowF         [][4]float64 `json:"below f"`
	T              [][3]float64 `json:"t"`
	ChiSquared     [][3]float64 `json:"chi squared"`
	Beta           [][4]float64 `json:"beta"`
	TQuantiles     [][3]float64 `json:"t quantiles"`
	BetaQuantiles  [][4]float64 `json:"beta quantiles"`
	Binomial       [][6]float64 `json:"binomial"`
	Hypergeometric [][7]float64 `json:"hypergeometric"`
}

func TestOracleTails(t *testing.T) {
	var o tailsOracle
	mltest.ReadOracle(t, "tails", &o)
	compared, least := 0, 1.0
	near := func(got, want float64, what string, args ...any) {
		t.Helper()
		compared++
		least = min(least, want)
		if !(math.Abs(got-want) <= 1e-10*want) {
			t.Errorf("%s: got %.17g, want %.17g, off by a share of %.1e", fmt.Sprintf(what, args...), got, want, got/want-1)
		}
	}
	for _, r := range o.F {
		near(F(r[2], r[0], r[1]), r[3], "F with %v and %v degrees of freedom above %v", r[0], r[1], r[2])
	}
	for _, r := range o.BelowF {
		near(BelowF(r[2], r[0], r[1]), r[3], "F with %v and %v degrees of freedom up to %v", r[0], r[1], r[2])
	}
	for _, r := range o.T {
		near(TwoSidedT(r[1], r[0]), r[2], "t with %v degrees of freedom beyond %v", r[0], r[1])
		near(TwoSidedT(-r[1], r[0]), r[2], "t with %v degrees of freedom beyond %v", r[0], -r[1])
	}
	for _, r := range o.ChiSquared {
		near(ChiSquared(r[1], r[0]), r[2], "χ² with %v degrees of freedom above %v", r[0], r[1])
	}
	for _, r := range o.Beta {
		near(Beta(r[0], r[1], r[2], 1-r[2]), r[3], "I(%v, %v) at %v", r[0], r[1], r[2])
	}
	for _, r := range o.Binomial {
		n, p, k := r[0], r[1], r[2]
		near(Binomial(k, n, p), r[3], "%v of %v at %v", k, n, p)
		near(BinomialUpTo(k, n, p), r[4], "up to %v of %v at %v", k, n, p)
		near(BinomialAbove(k, n, p), r[5], "more than %v of %v at %v", k, n, p)
	}
	for _, r := range o.Hypergeometric {
		near(Hypergeometric(r[3], r[0], r[1], r[2]), r[4], "%v of %v drawn, %v of %v marked", r[3], r[0], r[1], r[2])
	}
	for _, r := range o.TQuantiles {
		near(QuantileT(r[1], r[0]), r[2], "t with %v degrees of freedom at %v", r[0], r[1])
		near(-QuantileT(1-0.25, r[0]), QuantileT(0.25, r[0]), "t with %v degrees of freedom at a quarter", r[0])
	}
	for _, r := range o.BetaQuantiles {
		near(QuantileBeta(r[0], r[1], r[2]), r[3], "quantile %v of a beta distribution of %v and %v", r[2], r[0], r[1])
	}
	if compared < 1000 || least > 1e-200 {
		t.Errorf("%d values, the least %g", compared, least)
	}
}

// A value at which gonum's F.Survival, computed as 1 minus the distribution function, is 1.1e-16.
func TestTailOfF(t *testing.T) {
	if got := F(98.54, 2, 395); !(math.Abs(got-1.9e-35) < 0.05e-35) {
		t.Errorf("got %g", got)
	}
}

func TestEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"F above 0", F(0, 2, 3), 1}, {"F above ∞", F(inf, 2, 3), 0}, {"F above NaN", F(nan, 2, 3), nan},
		{"F up to 0", BelowF(0, 2, 3), 0}, {"F up to ∞", BelowF(inf, 2, 3), 1},
		{"t beyond 0", TwoSidedT(0, 5), 1}, {"t beyond ∞", TwoSidedT(-inf, 5), 0}, {"t beyond NaN", TwoSidedT(nan, 5), nan},
		{"χ² above 0", ChiSquared(0, 5), 1}, {"χ² above ∞", ChiSquared(inf, 5), 0},
		{"I at 0", Beta(1, 2, 0, 1), 0}, {"I at 1", Beta(1, 2, 1, 0), 1}, {"I of NaN", Beta(nan, 2, 0.5, 0.5), nan},
		{"no success of none", Binomial(0, 0, 0.3), 1}, {"a certain success", Binomial(4, 4, 1), 1}, {"an impossible one", Binomial(1, 4, 0), 0},
		{"more than all", BinomialAbove(4, 4, 0.3), 0}, {"up to all", BinomialUpTo(4, 4, 0.3), 1}, {"fewer than none", BinomialUpTo(-1, 4, 0.3), 0},
		{"t at 0", QuantileT(0, 3), inf}, {"t at ½", QuantileT(0.5, 3), 0}, {"t at 1", QuantileT(1, 3), -inf}, {"t at 2", QuantileT(2, 3), nan},
		{"beta at 0", QuantileBeta(2, 3, 0), 0}, {"beta at 1", QuantileBeta(2, 3, 1), 1}, {"beta at 2", QuantileBeta(2, 3, 2), nan},
		{"nothing drawn", Hypergeometric(0, 0, 3, 9), 1},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
	// The distribution is normal with infinitely many degrees of freedom, and Cauchy with one,
	// tested far out.
	if got, want := TwoSidedT(2, inf), math.Erfc(math.Sqrt2); !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := TwoSidedT(1e200, 1), 2/(math.Pi*1e200); !(math.Abs(got-want) <= 1e-10*want) {
		t.Errorf("got %g, want %g", got, want)
	}
}
