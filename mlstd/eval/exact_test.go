package eval_test

import (
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

// Exact tests by whole numbers: sums of all outcomes that are no more likely.
func TestOracleExactTests(t *testing.T) {
	var o struct {
		Tests [][4]float64 `json:"binomial tests"`
		Draws [][7]float64 `json:"hypergeometric"`
	}
	mltest.ReadOracle(t, "tails", &o)
	if len(o.Tests) < 20 || len(o.Draws) < 20 {
		t.Fatalf("%d and %d tests", len(o.Tests), len(o.Draws))
	}
	near := func(what any, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-10*want) {
			t.Errorf("%v: got %.15g, want %.15g", what, got, want)
		}
	}
	for _, r := range o.Tests {
		near(r, eval.BinomialTest(int(r[2]), int(r[0]), r[1]).P, r[3])
	}
	for _, r := range o.Draws {
		drawn, marked, whole, k := int(r[0]), int(r[1]), int(r[2]), int(r[3])
		two, one := eval.FisherExact(k, marked-k, drawn-k, whole-marked-drawn+k)
		near(r, two.P, r[5])
		near(r, one.P, r[6])
	}
}

// A difference that is certain by any standard has a small p, and not 0.
func TestSmallP(t *testing.T) {
	a, b := make([]float64, 60), make([]float64, 60)
	for i := range a {
		a[i], b[i] = 100+float64(i%7), float64(i%5)
	}
	for what, p := range map[string]float64{
		"paired t-test": eval.PairedTTest(a, b).P, "Welch": eval.WelchTest(a, b).P, "sign test": eval.SignTest(a, b).P,
		"McNemar": eval.McNemarCounts(600, 3).ChiSquare.P, "McNemar exact": eval.McNemarCounts(600, 3).Exact.P,
	} {
		if !(p > 0 && p < 1e-16) {
			t.Errorf("%s: p is %g", what, p)
		}
	}
	// 2000 of 2000: 2·2⁻²⁰⁰⁰ is below what float64 holds; 1000 of 1000 is not.
	if p := eval.BinomialTest(1000, 1000, 0.5).P; !(math.Abs(p/math.Ldexp(1, -999)-1) < 1e-10) {
		t.Errorf("p is %g", p)
	}
}
