package linear_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// thin draws rows with few nonzero entries, a target that depends on them, and weights.
func thin(n, cols, entries int) (x *sparse.CSR, y, weights []float64) {
	rng := model.Rand(5, 0)
	x = sparse.NewCSR(cols)
	slope := make([]float64, cols)
	for j := range slope {
		slope[j] = rng.NormFloat64()
	}
	for range n {
		var index []int
		var values []float64
		target := 3 + 0.1*rng.NormFloat64()
		seen := map[int]bool{}
		for range entries {
			j := rng.IntN(cols)
			if seen[j] {
				continue
			}
			seen[j] = true
			v := 1 + rng.Float64()
			index, values = append(index, j), append(values, v)
			target += v * slope[j]
		}
		x.AppendRow(index, values)
		y = append(y, target)
		weights = append(weights, float64(rng.IntN(4)))
	}
	return x, y, weights
}

// signs returns the signs of targets as classes.
func signs(y []float64, k int) []int {
	out := make([]int, len(y))
	for i, v := range y {
		out[i] = min(max(int(math.Floor(v/2)), 0), k-1)
	}
	return out
}

// A sparse x has the same fit as the equal dense x: with more rows than columns, and with fewer,
// where the solution without a penalty is the minimum-norm solution.
func TestSparseIsDense(t *testing.T) {
	for _, size := range [][2]int{{120, 30}, {40, 90}} {
		x, y, weights := thin(size[0], size[1], 6)
		d := mat.DenseCopyOf(x)
		for name, fresh := range map[string]func() model.WeightedRegressor{
			"least squares":         func() model.WeightedRegressor { return &linear.LinearRegression{} },
			"through the origin":    func() model.WeightedRegressor { return &linear.LinearRegression{NoIntercept: true} },
			"ridge":                 func() model.WeightedRegressor { return &linear.Ridge{Lambda: 0.5} },
			"ridge through 0":       func() model.WeightedRegressor { return &linear.Ridge{NoIntercept: true} },
			"ridge without penalty": func() model.WeightedRegressor { return &linear.Ridge{Lambda: model.Zero} },
			"lasso":                 func() model.WeightedRegressor { return &linear.Lasso{Lambda: 0.05, Tol: 1e-13} },
			"lasso through 0":       func() model.WeightedRegressor { return &linear.Lasso{Lambda: 0.05, Tol: 1e-13, NoIntercept: true} },
			"elastic net":           func() model.WeightedRegressor { return &linear.ElasticNet{Lambda: 0.1, Tol: 1e-13} },
			"half a net":            func() model.WeightedRegressor { return &linear.ElasticNet{Lambda: 0.1, L1Ratio: model.Zero} },
		} {
			for _, w := range [][]float64{nil, weights} {
				fit := func(m model.WeightedRegressor, x mat.Matrix) model.WeightedRegressor {
					t.Helper()
					err := m.Fit(x, y)
					if w != nil {
						err = m.FitWeighted(x, y, w)
					}
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					return m
				}
				a, b := fit(fresh(), x), fit(fresh(), d)
				mltest.NearAll(t, name, a.Predict(d), b.Predict(d), 1e-7)
				mltest.NearAll(t, name, a.Predict(x), a.Predict(d), 1e-12)
				if l, ok := a.(*linear.LinearRegression); ok {
					mltest.NearAll(t, name, l.Coef, b.(*linear.LinearRegression).Coef, 1e-7)
				}
			}
		}
		for _, k := range []int{2, 4} {
			for name, fresh := range map[string]func() model.ProbClassifier{
				"logistic": func() model.ProbClassifier { return &linear.LogisticRegression{} },
				"softmax":  func() model.ProbClassifier { return &linear.SoftmaxRegression{} },
			} {
				a, b, class := fresh(), fresh(), signs(y, k)
				if err := a.Fit(x, class); err != nil {
					t.Fatal(err)
				}
				if err := b.Fit(d, class); err != nil {
					t.Fatal(err)
				}
				mltest.NearAll(t, name, a.PredictProba(x).RawMatrix().Data, b.PredictProba(d).RawMatrix().Data, 1e-6)
			}
		}
	}
}

// A matrix that would take 1.6 GB if it were dense is fitted in a fraction of that.
func TestSparseStaysSparse(t *testing.T) {
	x, y, _ := thin(1000, 200000, 10)
	var before, after runtime.MemStats
	for name, fit := range map[string]func() error{
		"least squares": func() error { return (&linear.LinearRegression{}).Fit(x, y) },
		"ridge":         func() error { return (&linear.Ridge{}).Fit(x, y) },
		"lasso":         func() error { return (&linear.Lasso{Lambda: 0.01, Tol: 1e-4}).Fit(x, y) },
		"logistic":      func() error { return (&linear.LogisticRegression{Tol: 1e-4}).Fit(x, signs(y, 2)) },
	} {
		runtime.ReadMemStats(&before)
		if err := fit(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 400<<20 {
			t.Errorf("%s takes %d MB", name, took>>20)
		}
	}
}

func TestSparseRefusals(t *testing.T) {
	x := sparse.NewCSR(2)
	x.AppendRow([]int{0}, []float64{1})
	x.AppendRow([]int{1}, []float64{2})
	huge := sparse.NewCSR(1)
	huge.AppendRow([]int{0}, []float64{1e200})
	huge.AppendRow([]int{0}, []float64{2e200})
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"descent": {(&linear.LinearRegression{Gradient: true}).Fit(x, []float64{1, 2}), "x must be dense if Gradient is set"},
		"length":  {(&linear.Ridge{}).Fit(x, []float64{1}), "y must have 2 entries (the number of rows of x), got 1"},
		"classes": {(&linear.Ridge{}).Fit(x, nil), "AsClasses"},
		"size":    {(&linear.Ridge{}).Fit(huge, []float64{1, 2}), "the normal equations must be finite"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
}
