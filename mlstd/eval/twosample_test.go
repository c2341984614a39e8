package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

func TestOracleTwoSamples(t *testing.T) {
	var oracle struct {
		Divisions []struct {
			Name         string
			A, B         []float64
			Statistic, P float64
		}
	}
	mltest.ReadOracle(t, "eval", &oracle)
	if len(oracle.Divisions) < 5 {
		t.Fatalf("%d cases", len(oracle.Divisions))
	}
	for _, c := range oracle.Divisions {
		r, back := eval.TwoSamplePermutationTest(c.A, c.B, 1), eval.TwoSamplePermutationTest(c.B, c.A, 2)
		mltest.Near(t, c.Name+" statistic", r.Statistic, c.Statistic, 1e-10)
		mltest.Near(t, c.Name+" p", r.P, c.P, 1e-10)
		mltest.Near(t, c.Name+" p, samples changed about", back.P, r.P, 1e-15)
	}
}

// Samples of 50 and 50 values have too many divisions to try. The random ones must agree with
// Welch's test on normal samples, and a difference that is hardly due to chance has the smallest p.
func TestTwoSamplesDrawn(t *testing.T) {
	rng := model.Rand(7, 0)
	a, b, far := make([]float64, 50), make([]float64, 50), make([]float64, 50)
	for i := range a {
		a[i] = 1e6 + rng.NormFloat64()
	}
	for i := range b {
		b[i] = 1e6 + 0.4 + rng.NormFloat64()
		far[i] = b[i] + 100
	}
	r, w := eval.TwoSamplePermutationTest(a, b, 1), eval.WelchTest(a, b)
	mltest.Near(t, "p of drawn divisions", r.P, w.P, 0.005)
	if again := eval.TwoSamplePermutationTest(a, b, 1); again != r {
		t.Errorf("the same seed gives %v and %v", r, again)
	}
	mltest.Near(t, "least p", eval.TwoSamplePermutationTest(a, far, 1).P, 1.0/100_001, 1e-12)
	if r := eval.TwoSamplePermutationTest([]float64{2, 2, 2}, []float64{2, 2}, 1); r.P != 1 || r.Statistic != 0 {
		t.Errorf("equal constants: %v", r)
	}
}

func TestTwoSamplesRefused(t *testing.T) {
	for want, do := range map[string]func(){
		"sample 2 must not be empty": func() { eval.TwoSamplePermutationTest([]float64{1}, nil, 1) },
		"+Inf":                       func() { eval.TwoSamplePermutationTest([]float64{math.Inf(1)}, []float64{1}, 1) },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			}()
			do()
		}()
	}
}
