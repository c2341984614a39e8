package inference_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/inference"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"gonum.org/v1/gonum/stat"
)

// Under the null hypothesis, P is uniform: of 500 tests, the fraction below 0.1 is within 4
// standard errors, 0.054, of 0.1.
func TestLevelsHold(t *testing.T) {
	draws := map[string]func(a, b, c []float64) float64{
		"TTest":           func(a, b, _ []float64) float64 { return inference.TTest(a, b).P },
		"MannWhitney":     func(a, b, _ []float64) float64 { return inference.MannWhitney(a, b).P },
		"WilcoxonTest":    func(a, b, _ []float64) float64 { return inference.WilcoxonTest(a, b).P },
		"KruskalWallis":   func(a, b, c []float64) float64 { return inference.KruskalWallis(a, b, c).P },
		"OneWayANOVA":     func(a, b, c []float64) float64 { return inference.OneWayANOVA(a, b, c).P },
		"WelchANOVA":      func(a, b, c []float64) float64 { return inference.WelchANOVA(a, b, c).P },
		"BartlettTest":    func(a, b, c []float64) float64 { return inference.BartlettTest(a, b, c).P },
		"ShapiroWilk":     func(a, _, _ []float64) float64 { return inference.ShapiroWilk(a).P },
		"AndersonDarling": func(a, _, _ []float64) float64 { return inference.AndersonDarling(a).P },
		"KSTest": func(a, _, _ []float64) float64 {
			return inference.KSTest(a, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }).P
		},
		"PearsonTest":  func(a, b, _ []float64) float64 { return inference.PearsonTest(a, b).P },
		"SpearmanTest": func(a, b, _ []float64) float64 { return inference.SpearmanTest(a, b).P },
		"KendallTest":  func(a, b, _ []float64) float64 { return inference.KendallTest(a, b).P },
	}
	for name, p := range draws {
		rng, low := model.Rand(7, 0), 0
		for range 500 {
			s := make([][]float64, 3)
			for k := range s {
				s[k] = make([]float64, 24)
				for i := range s[k] {
					s[k][i] = rng.NormFloat64()
				}
			}
			if v := p(s[0], s[1], s[2]); v < 0.1 {
				low++
			}
		}
		if share := float64(low) / 500; share < 0.046 || share > 0.154 {
			t.Errorf("%s: %v of the P are below 0.1", name, share)
		}
	}
}

// One-sided probabilities: exchanging the samples exchanges the sides; shifts and monotone maps
// change what they should.
func TestSymmetries(t *testing.T) {
	rng := model.Rand(3, 0)
	for range 20 {
		a, b := make([]float64, 9), make([]float64, 9)
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()+0.5
		}
		for _, f := range []func(a, b []float64, s ...string) eval.TestResult{inference.TTest, inference.MannWhitney, inference.WilcoxonTest} {
			mltest.Near(t, f(a, b).Name, f(a, b, "less").P, f(b, a, "greater").P, 1e-12)
			mltest.Near(t, f(a, b).Name+" effect", f(a, b).Effect, -f(b, a).Effect, 1e-12)
			mltest.Near(t, f(a, b).Name+" estimate", f(a, b).Estimate.Low, -f(b, a).Estimate.High, 1e-12)
		}
		cube := func(v []float64) []float64 {
			out := slices.Clone(v)
			for i, x := range out {
				out[i] = x*x*x + 1
			}
			return out
		}
		mltest.Near(t, "ranks of cubes", inference.MannWhitney(cube(a), cube(b)).P, inference.MannWhitney(a, b).P, 0)
		mltest.Near(t, "two groups", inference.OneWayANOVA(a, b).P, inference.TTest(a, b).P, 1e-10)
		mltest.Near(t, "Kendall of cubes", inference.KendallTest(cube(a), b).P, inference.KendallTest(a, b).P, 0)
	}
}

// Exact and approximate P of rank tests agree at the sample size where the method changes.
func TestExactMeetsApproximate(t *testing.T) {
	rng := model.Rand(5, 0)
	a, b := make([]float64, 50), make([]float64, 50)
	for i := range a {
		a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()+0.4
	}
	exact := inference.MannWhitney(a, b).P
	rough := inference.MannWhitney(append(slices.Clone(a), 0.1), b).P
	if math.Abs(math.Log(exact/rough)) > 0.3 {
		t.Errorf("exact %v, approximate with one value more %v", exact, rough)
	}
}

func TestPermutationsFindWhatTTestFinds(t *testing.T) {
	a := []float64{5.1, 4.9, 6.2, 5.8, 6.0, 5.5, 6.4, 5.2}
	b := []float64{5.9, 6.6, 6.9, 6.1, 7.0, 6.3, 7.2, 6.8}
	diff := func(a, b []float64) float64 { return stat.Mean(a, nil) - stat.Mean(b, nil) }
	p := inference.Permutations{Seed: 1}
	if got, want := p.TwoSample(a, b, diff).P, eval.TwoSamplePermutationTest(a, b, 1).P; math.Abs(got-want) > 0.002 {
		t.Errorf("two samples: %v, all permutations %v", got, want)
	}
	if got, want := p.Paired(a, b, diff).P, eval.PermutationTest(a, b, 1).P; math.Abs(got-want) > 0.006 {
		t.Errorf("pairs: %v, all permutations %v", got, want)
	}
	same := func(x, y []float64) float64 { return stat.Correlation(x, y, nil) }
	if got, want := p.Association(a, b, same).P, inference.PearsonTest(a, b).P; math.Abs(got-want) > 0.03 {
		t.Errorf("association: %v, Pearson %v", got, want)
	}
	if x, y := p.Association(a, b, same), p.Association(a, b, same); x != y {
		t.Error("one seed gives two results")
	}
}

func TestSamplesOfFrame(t *testing.T) {
	f := frame.FromRows(map[string]any{"y": []float64{1, 2, math.NaN(), 4, 5, 6}, "g": []string{"b", "a", "a", "b", "a", "c"}})
	if got := fmt.Sprint(inference.Samples(f, "y", "g")); got != "[[2 5] [1 4] [6]]" {
		t.Error(got)
	}
	f = f.With("g", f.Col("g").Category("c", "b", "a"))
	if got := fmt.Sprint(inference.Samples(f, "y", "g")); got != "[[6] [1 4] [2 5]]" {
		t.Error(got)
	}
}

func TestInferenceRefuses(t *testing.T) {
	one, two := []float64{1}, []float64{1, 2, 4}
	for want, f := range map[string]func(){
		"sample 1 must have at least 2 values":                         func() { inference.TTest(one, two) },
		"value 1 of sample 1 must be finite, got NaN":                  func() { inference.TTest([]float64{1, math.NaN()}, two) },
		"the alternative must be":                                      func() { inference.TTest(two, two, "more") },
		"equal lengths, got 3 and 1":                                   func() { inference.WilcoxonTest(two, one) },
		"at least 2 groups, got 1":                                     func() { inference.KruskalWallis(two) },
		"sample 2 must vary, got only 1":                               func() { inference.PearsonTest(two, []float64{1, 1, 1}) },
		`holm, bh or by, got "fdr"`:                                    func() { inference.AdjustP([]float64{0.1}, "fdr") },
		"p[0] must be between 0 and 1, got 2":                          func() { inference.AdjustP([]float64{2}, "holm") },
		"at most 5000 values":                                          func() { inference.ShapiroWilk(make([]float64, 6000)) },
		"at least 2 rows and 2 columns":                                func() { inference.ChiSquareCounts([][]int{{1, 2}, {0, 0}}) },
		"treatment 2 must have 3 values (the number of blocks), got 1": func() { inference.FriedmanTest(two, one) },
		"got 2 probabilities and 3 counts":                             func() { inference.GoodnessOfFit([]int{1, 2, 3}, 0.5, 0.5) },
	} {
		func() {
			defer func() {
				e, _ := recover().(error)
				var m *model.Error
				if !errors.As(e, &m) || !strings.Contains(e.Error(), want) {
					t.Errorf("got %v, want %q", e, want)
				}
			}()
			f()
		}()
	}
	for want, s := range map[string]inference.TTestPower{
		"exactly two of the effect, N and Power must be set, got 3": {Effect: 1, N: 10, Power: 0.8},
		"N must be at least 2":  {Effect: 1, N: 1},
		"Power must be above":   {Effect: 1, Power: 0.01},
		"Alpha must be between": {Effect: 1, N: 10, Alpha: 2},
	} {
		if _, err := s.Solve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Tails beyond 1e-100.
func TestTailsOfInference(t *testing.T) {
	a, b := make([]float64, 400), make([]float64, 400)
	rng := model.Rand(1, 0)
	for i := range a {
		a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()+3.5
	}
	g := make([]string, 0, 800)
	for i := range 800 {
		g = append(g, string(rune('a'+i/400)))
	}
	tukey, err := inference.TukeyHSD(frame.FromRows(map[string]any{"y": append(slices.Clone(a), b...), "g": g}), "y", "g")
	if err != nil {
		t.Fatal(err)
	}
	p := inference.TTest(a, b).P
	mltest.Near(t, "log P of Tukey and t", math.Log(tukey.Col("P").Floats()[0]), math.Log(p), 1e-7)
	for name, v := range map[string]float64{"TTest": p, "OneWayANOVA": inference.OneWayANOVA(a, b).P, "MannWhitney": inference.MannWhitney(a, b).P,
		"KruskalWallis": inference.KruskalWallis(a, b).P, "KSTwoSample": inference.KSTwoSample(a, b).P} {
		if !(v > 0 && v < 1e-100) {
			t.Errorf("%s: %v", name, v)
		}
	}
}

func ExampleMannWhitney() {
	old, new := []float64{1.9, 2.4, 3.1, 2.2, 2.8}, []float64{3.3, 4.1, 2.9, 3.8, 4.4}
	r := inference.MannWhitney(old, new)
	fmt.Printf("p = %.5f\n%s %v\n%s %.2f\n", r.P, r.Of, r.Estimate, r.EffectOf, r.Effect)
	// Output:
	// p = 0.01587
	// median difference -1.3 [-2.2, -0.2]
	// rank-biserial correlation -0.92
}
