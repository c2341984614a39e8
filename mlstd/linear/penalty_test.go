package linear_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

type linePenalty struct {
	Coef                  []float64
	Intercept, Lambda     float64
	Q, Alpha, Loss, Ratio float64
	Weighted, None        bool
	Path                  []float64
}

type logisticPenalty struct {
	Coef      [][]float64
	Intercept []float64
	Proba     [][]float64
	Loss      float64
}

// penaltyOracle holds the results that testdata/oracles/penalty.py computed with scikit-learn.
type penaltyOracle struct {
	Regression []struct {
		Name        string
		X           [][]float64
		Y, W        []float64
		Lasso, Zero struct {
			linePenalty
			Errors []float64
		}
		Net struct {
			linePenalty
			Errors [][]float64
		}
		Quantile []linePenalty
	}
	Classification []struct {
		Name                                   string
		X                                      [][]float64
		Y                                      []int
		W                                      []float64
		Lasso, Strong, Net, Weighted, Through0 logisticPenalty
	}
}

func readPenalty(t *testing.T) penaltyOracle {
	t.Helper()
	var o penaltyOracle
	mltest.ReadOracle(t, "penalty", &o)
	if len(o.Regression) < 5 || len(o.Classification) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

func TestOracleLassoCV(t *testing.T) {
	for _, o := range readPenalty(t).Regression {
		x := data.Rows(o.X)
		m := &linear.LassoCV{Tol: 1e-12, MaxIter: 200000}
		if err := m.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" path", m.Path, o.Lasso.Path, 1e-10)
		mltest.NearAll(t, o.Name+" errors", m.Errors, o.Lasso.Errors, 1e-6)
		mltest.Near(t, o.Name+" λ", m.Lambda, o.Lasso.Lambda, 1e-10)
		mltest.NearAll(t, o.Name+" coefficients", m.Coef, o.Lasso.Coef, 1e-5)
		mltest.Near(t, o.Name+" intercept", m.Intercept, o.Lasso.Intercept, 1e-5)
		z := &linear.LassoCV{Lambdas: []float64{0.01, 0.1, 0.5, 2}, Folds: 4, NoIntercept: true, Tol: 1e-12, MaxIter: 200000}
		if err := z.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" errors through 0", z.Errors, o.Zero.Errors, 1e-6)
		mltest.NearAll(t, o.Name+" coefficients through 0", z.Coef, o.Zero.Coef, 1e-5)
	}
}

func TestOracleElasticNetCV(t *testing.T) {
	for _, o := range readPenalty(t).Regression {
		m := &linear.ElasticNetCV{L1Ratios: []float64{0.2, 0.7, 1}, Tol: 1e-12, MaxIter: 200000}
		if err := m.Fit(data.Rows(o.X), o.Y); err != nil {
			t.Fatal(err)
		}
		for r := range m.Errors {
			mltest.NearAll(t, o.Name+" errors", m.Errors[r], o.Net.Errors[r], 1e-6)
		}
		mltest.Near(t, o.Name+" λ", m.Lambda, o.Net.Lambda, 1e-10)
		mltest.Near(t, o.Name+" ρ", m.L1Ratio, o.Net.Ratio, 0)
		mltest.NearAll(t, o.Name+" coefficients", m.Coef, o.Net.Coef, 1e-5)
		mltest.Near(t, o.Name+" intercept", m.Intercept, o.Net.Intercept, 1e-5)
	}
}

// The path with warm starts agrees with single fits, a sparse x agrees with a dense
// one, and λ = 0 among the choices is least squares.
func TestPathOfLassoCV(t *testing.T) {
	x, y, _ := thin(90, 20, 5)
	lambdas := []float64{0, 0.003, 0.1, 1}
	a := &linear.LassoCV{Lambdas: lambdas, Tol: 1e-12, Shuffle: true, Seed: 3}
	b := &linear.LassoCV{Lambdas: lambdas, Tol: 1e-12, Shuffle: true, Seed: 3}
	if err := a.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := b.Fit(mat.DenseCopyOf(x), y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "errors", a.Errors, b.Errors, 1e-7)
	mltest.NearAll(t, "coefficients", a.Coef, b.Coef, 1e-6)
	if !slices.Equal(a.Path, []float64{1, 0.1, 0.003, 0}) {
		t.Errorf("the path is %v", a.Path)
	}
	one := &linear.Lasso{Lambda: a.Lambda, Tol: 1e-12}
	if a.Lambda == 0 {
		one.Lambda = model.Zero
	}
	if err := one.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "the last fit", a.Coef, one.Coef, 1e-7)
}

func TestOracleSparseLogistic(t *testing.T) {
	for _, o := range readPenalty(t).Classification {
		x := data.Rows(o.X)
		for key, c := range map[string]struct {
			m    linear.LogisticRegression
			w    []float64
			want logisticPenalty
		}{
			"lasso":    {linear.LogisticRegression{C: 1, L1Ratio: 1}, nil, o.Lasso},
			"strong":   {linear.LogisticRegression{C: 0.1, L1Ratio: 1}, nil, o.Strong},
			"net":      {linear.LogisticRegression{C: 0.5, L1Ratio: 0.4}, nil, o.Net},
			"weighted": {linear.LogisticRegression{C: 0.7, L1Ratio: 0.8}, o.W, o.Weighted},
			"through0": {linear.LogisticRegression{C: 0.5, L1Ratio: 1, NoIntercept: true}, nil, o.Through0},
		} {
			for _, x := range []mat.Matrix{x, sparse.FromDense(x)} {
				m := c.m
				err := m.Fit(x, o.Y)
				if c.w != nil {
					err = m.FitWeighted(x, o.Y, c.w)
				}
				if err != nil {
					t.Fatal(err)
				}
				name := o.Name + " " + key
				if !m.Trace.Converged {
					t.Errorf("%s: not converged after %d steps", name, len(m.Trace.Loss))
				}
				p := m.PredictProba(x)
				for i, row := range c.want.Proba {
					mltest.NearAll(t, name+" probabilities", p.RawRowView(i), row, 2e-6)
				}
				last := m.Trace.Loss[len(m.Trace.Loss)-1]
				mltest.Near(t, name+" objective", last, c.want.Loss, 1e-8)
				for r, row := range c.want.Coef {
					for j, v := range row {
						if v == 0 && len(row) < 50 && math.Abs(m.Coef.At(r, j)) > 1e-5 {
							t.Errorf("%s: coefficient %d, %d is %v, not 0", name, r, j, m.Coef.At(r, j))
						}
					}
				}
			}
		}
	}
}

func TestPenaltyConformance(t *testing.T) {
	t.Run("LassoCV", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.LassoCV{} },
			modeltest.Options{Skip: map[string]string{"row permutation": "the folds are blocks of neighbors"}})
	})
	t.Run("ElasticNetCV", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.ElasticNetCV{L1Ratios: []float64{0.5, 1}} },
			modeltest.Options{Skip: map[string]string{"row permutation": "the folds are blocks of neighbors"}})
	})
	t.Run("sparse logistic", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &linear.LogisticRegression{L1Ratio: 1} }, modeltest.Options{Tolerance: 1e-6})
	})
}

func TestPenaltyRefusals(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{1, 2, 4, 3}
	for want, f := range map[string]func() error{
		"L1Ratios must be above 0 and at most 1, got 0":                func() error { return (&linear.ElasticNetCV{L1Ratios: []float64{0}}).Fit(x, y) },
		"L1Ratios must be nil or not empty":                            func() error { return (&linear.ElasticNetCV{L1Ratios: []float64{}}).Fit(x, y) },
		"Lambdas must be finite and not negative, got -1":              func() error { return (&linear.LassoCV{Folds: 2, Lambdas: []float64{-1}}).Fit(x, y) },
		"Lambdas must be nil or not empty":                             func() error { return (&linear.LassoCV{Folds: 2, Lambdas: []float64{}}).Fit(x, y) },
		"Folds must be between 2 and 4 (the number of examples), got":  func() error { return (&linear.LassoCV{}).Fit(x, y) },
		"L1Ratio must be between 0 and 1, and 0 with NoPenalty, got 2": func() error { return (&linear.LogisticRegression{L1Ratio: 2}).Fit(x, []int{0, 1, 0, 1}) },
		"L1Ratio must be between 0 and 1, and 0 with NoPenalty, got 1": func() error {
			return (&linear.LogisticRegression{L1Ratio: 1, NoPenalty: true}).Fit(x, []int{0, 1, 0, 1})
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
