package eval_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

func TestEVAL31_Scatter(t *testing.T) {
	s := eval.CompareOnDataSets([]string{"a", "b", "c"}, []float64{.9, .8, .7}, []float64{.8, .8, .75})
	if s.WinsA != 1 || s.WinsB != 1 || s.Ties != 1 {
		t.Errorf("wins %d, %d, ties %d", s.WinsA, s.WinsB, s.Ties)
	}
	mltest.Near(t, "mean", s.MeanDifference, 0.05/3, 1e-9)
}

func TestEVAL32_Ablation(t *testing.T) {
	x, y := clouds(200, 3, 6)
	a, err := eval.AblateColumns(fresh, x, y, 5)
	if err != nil {
		t.Fatal(err)
	}
	// Column 0 separates the classes; column 1 is noise.
	if a.Lesions[0].Removed != "x1" || a.Lesions[0].Drop < 0.2 || math.Abs(a.Lesions[1].Drop) > 0.05 {
		t.Errorf("got %+v", a.Lesions)
	}
}

func TestEVAL33_Curves(t *testing.T) {
	x, y := clouds(400, 1.5, 7)
	c, err := eval.LearningCurve(fresh, x, y, []int{6, 20, 80, 300}, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := c.TestMean()
	if m[3] < m[0] {
		t.Errorf("more examples made it worse: %v", m)
	}
	if n := c.ExamplesToReach(m[2]); n > 80 {
		t.Errorf("reaches the accuracy of 80 examples with %v", n)
	}
	if !math.IsInf(c.ExamplesToReach(1), 1) {
		t.Error("perfect accuracy was reached on overlapping classes")
	}
	v, err := eval.ValidationCurve(func(s float64) model.Classifier { return &centroid{Shrink: s} }, "shrink", []float64{0, 0.9}, x, y, 5)
	if err != nil {
		t.Fatal(err)
	}
	if best, _ := v.Best(); best != 0 {
		t.Errorf("best shrinkage %v, want 0", best)
	}
}

func TestEVAL34_Regression(t *testing.T) {
	y := []float64{1, 2, 3, 6}
	mean := slices.Repeat([]float64{3}, 4)
	// CORE-02, E2-08: the constant predictor "mean" has the variance as its MSE: the
	// mean of the squares, not half their sum.
	mltest.Near(t, "variance", eval.MSE(y, mean), 3.5, tol)
	mltest.Near(t, "R2 of the mean", eval.R2(y, mean), 0, tol)
	mltest.Near(t, "R2 of the truth", eval.R2(y, y), 1, tol)
	mltest.Near(t, "constant", eval.R2([]float64{2, 2}, []float64{2, 3}), 0, 0)
	mltest.Near(t, "constant whose mean is rounded", eval.R2([]float64{0.1, 0.1, 0.1}, []float64{0.1, 0.1, 0.2}), 0, 0)
}

// A NaN would be sorted to an end, never be larger, or count as a defeat: a number
// would come out that says nothing.
func TestNaNIsRefused(t *testing.T) {
	good, bad := []float64{1, 2, 3}, []float64{1, math.NaN(), 3}
	for name, f := range map[string]func(a, b []float64){
		"MSE":                 func(a, b []float64) { eval.MSE(a, b) },
		"MAE":                 func(a, b []float64) { eval.MAE(a, b) },
		"MedianAbsoluteError": func(a, b []float64) { eval.MedianAbsoluteError(a, b) },
		"R2":                  func(a, b []float64) { eval.R2(a, b) },
		"ExplainedVariance":   func(a, b []float64) { eval.ExplainedVariance(a, b) },
		"PairedTTest":         func(a, b []float64) { eval.PairedTTest(a, b) },
		"SignTest":            func(a, b []float64) { eval.SignTest(a, b) },
		"PermutationTest":     func(a, b []float64) { eval.PermutationTest(a, b, 1) },
		"CompareOnDataSets":   func(a, b []float64) { eval.CompareOnDataSets([]string{"a", "b", "c"}, a, b) },
	} {
		for _, lists := range [][2][]float64{{good, bad}, {bad, good}} {
			func() {
				defer func() {
					if e, ok := recover().(*model.Error); !ok || e.What != "value 1 must be finite, got NaN" {
						t.Errorf("%s of a NaN: got %v", name, e)
					}
				}()
				f(lists[0], lists[1])
			}()
		}
	}
}

func TestEVAL35_BiasVariance(t *testing.T) {
	a, mu, n := 0.8, 2.0, 10
	want := eval.ShrunkenMean(a, mu, 1, n)
	got := eval.EstimatorBiasVariance([]float64{mu}, func(r *rand.Rand) []float64 {
		s := 0.0
		for range n {
			s += mu + r.NormFloat64()
		}
		return []float64{a * s / float64(n)}
	}, 20000, 1)
	mltest.Near(t, "closed form", want.Bias2, (1-a)*(1-a)*mu*mu, tol)
	mltest.Near(t, "closed form", want.Variance, a*a/float64(n), tol)
	// Four standard errors of 20,000 repeats.
	mltest.Near(t, "bias2", got.Bias2, want.Bias2, 0.006)
	mltest.Near(t, "variance", got.Variance, want.Variance, 0.003)
	mltest.Near(t, "sum", got.MSE, got.Bias2+got.Variance, 1e-9)
	if eval.ShrunkenMean(0.9, 0.5, 1, 4).MSE >= eval.ShrunkenMean(1, 0.5, 1, 4).MSE {
		t.Error("shrinkage does not pay")
	}
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	b, err := eval.RegressionBiasVariance(func() model.Regressor { return &meanOf{} },
		func(r *rand.Rand) (mat.Matrix, []float64) {
			y := make([]float64, 5)
			for i := range y {
				y[i] = float64(i) + r.NormFloat64()
			}
			return x, y
		}, x, []float64{0, 1, 2, 3, 4}, 1, 4000, 2)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "bias of the constant", b.Bias2, 2, 0.05)
	mltest.Near(t, "its variance", b.Variance, 0.2, 0.1)
	mltest.Near(t, "with noise", b.MSE, 3.2, 0.05)
}

func TestEVAL36_Profiles(t *testing.T) {
	x, y := clouds(200, 3, 8)
	ps, err := eval.Profiles(map[string]func() model.Classifier{
		"good": fresh, "shrunken": func() model.Classifier { return &centroid{Shrink: 0.9} },
	}, x, y, 1)
	if err != nil {
		t.Fatal(err)
	}
	if ps[0].Name != "good" || ps[0].Accuracy <= ps[1].Accuracy || ps[0].NoisyAccuracy < 0.8 || ps[0].ExamplesToReach > 80 {
		t.Errorf("got %+v", ps)
	}
	lines := strings.Split(eval.ProfileText(ps), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "noisy") || !strings.Contains(lines[1], fmt.Sprintf("%.4f", ps[0].Accuracy)) {
		t.Errorf("as text:\n%s", eval.ProfileText(ps))
	}
}

// A question without an answer is refused, by an error or a panic that says what is
// wrong.
func TestWithoutAnAnswer(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1}
	fresh := func() model.Classifier { return &centroid{} }
	proba := func(p float64) mat.Matrix { return mat.NewDense(1, 2, []float64{p, 1 - p}) }
	for name, f := range map[string]func() error{
		"no model": func() error {
			_, err := eval.CrossValidateWith(nil, x, y, eval.StratifiedKFold{K: 2}, "accuracy", eval.Accuracy)
			return err
		},
		"no splitter": func() error {
			_, err := eval.CrossValidateWith(fresh, x, y, nil, "accuracy", eval.Accuracy)
			return err
		},
		"no metric": func() error { _, err := eval.CrossValidateWith(fresh, x, y, eval.KFold{K: 2}, "", nil); return err },
		"no sizes":  func() error { _, err := eval.LearningCurve(fresh, x, y, nil, 2, 1); return err },
		"no values": func() error {
			_, err := eval.ValidationCurve(func(float64) model.Classifier { return fresh() }, "a", nil, x, y, 2)
			return err
		},
		"negative Repeats": func() error { _, err := eval.ShuffleSplit{Repeats: -1}.Split(4, y); return err },
		"a score that is NaN": func() error {
			return (&eval.Search{New: func(eval.Params) model.Classifier { return fresh() }, Split: eval.StratifiedKFold{K: 2}, Points: []eval.Params{{"a": 1}}, By: eval.ByPredictions("NaN", func(_, _ []int) float64 { return math.NaN() })}).Fit(x, y)
		},
		"negative repeats":  func() error { eval.Bootstrap{Repeats: -1}.Of(3, func([]int) float64 { return 1 }); return nil },
		"a negative number": func() error { eval.RandomPoints(map[string]eval.Interval{"a": {Low: 1, High: 2}}, -1, 1); return nil },
		"whole numbers of half": func() error {
			eval.RandomPoints(map[string]eval.Interval{"a": {Low: 0.5, High: 2, Integer: true}}, 1, 1)
			return nil
		},
		"a negative beta":        func() error { eval.FBeta(y, y, 1, -1); return nil },
		"R² of one":              func() error { eval.R2([]float64{1}, []float64{1}); return nil },
		"a probability of 5":     func() error { eval.LogLoss([]int{0}, proba(5), []int{0, 1}); return nil },
		"a probability of NaN":   func() error { eval.LogLoss([]int{0}, proba(math.NaN()), []int{0, 1}); return nil },
		"a score as probability": func() error { eval.BrierScore([]int{0}, []float64{-2}, 1); return nil },
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					if _, ok := r.(*model.Error); !ok {
						t.Errorf("%s: panic %v", name, r)
					}
				}
			}()
			err := f()
			var e *model.Error
			if !errors.As(err, &e) {
				t.Errorf("%s: got %v", name, err)
			}
		}()
	}
}

// Whole numbers on a logarithmic scale: small ones are as likely as large ones.
func TestIntegerLogIntervals(t *testing.T) {
	small := 0
	for _, p := range eval.RandomPoints(map[string]eval.Interval{"trees": {Low: 1, High: 1023, Integer: true, Log: true}}, 2000, 3) {
		v := p["trees"]
		if v != math.Trunc(v) || v < 1 || v > 1023 {
			t.Fatalf("drew %v", v)
		}
		if v < 32 {
			small++
		}
	}
	// Half of the range of the logarithm; four standard deviations of 2,000 draws.
	if small < 910 || small > 1090 {
		t.Errorf("%d of 2000 are below 32", small)
	}
}
