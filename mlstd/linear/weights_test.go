package linear_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
)

// The values are the results that testdata/oracles/weights.py computed with scikit-learn, for the
// data sets of linear.json.
func TestOracleWeightedRegression(t *testing.T) {
	var sets []struct {
		Name                             string
		W                                []float64
		OLS, Ridge, Through0, Lasso, Net fitted
	}
	mltest.ReadOracle(t, "weights", &sets)
	at := map[string]regressionSet{}
	for _, r := range tame(t) {
		at[r.Name] = r
	}
	if len(sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	for _, o := range sets {
		ols, ridge, through := &linear.LinearRegression{}, &linear.Ridge{Lambda: 2.5}, &linear.Ridge{Lambda: 2.5, NoIntercept: true}
		lasso := &linear.Lasso{Lambda: 0.3, Tol: 1e-13, MaxIter: 200000}
		net := &linear.ElasticNet{Lambda: 0.2, L1Ratio: 0.4, Tol: 1e-13, MaxIter: 200000}
		for _, m := range []struct {
			name  string
			model model.WeightedRegressor
			want  fitted
			got   func() ([]float64, float64)
			tol   float64
		}{
			{"least squares", ols, o.OLS, func() ([]float64, float64) { return ols.Coef, ols.Intercept }, 1e-8},
			{"ridge", ridge, o.Ridge, func() ([]float64, float64) { return ridge.Coef, ridge.Intercept }, 1e-8},
			{"ridge through the origin", through, o.Through0, func() ([]float64, float64) { return through.Coef, through.Intercept }, 1e-8},
			{"lasso", lasso, o.Lasso, func() ([]float64, float64) { return lasso.Coef, lasso.Intercept }, 2e-5},
			{"elastic net", net, o.Net, func() ([]float64, float64) { return net.Coef, net.Intercept }, 2e-5},
		} {
			if err := m.model.FitWeighted(data.Rows(at[o.Name].X), at[o.Name].Y, o.W); err != nil {
				t.Fatal(m.name, err)
			}
			coef, b := m.got()
			mltest.NearAll(t, o.Name+" "+m.name, coef, m.want.Coef, m.tol)
			mltest.Near(t, o.Name+" "+m.name+" intercept", b, m.want.Intercept, m.tol)
		}
	}
}

// Without an l₁ part the elastic net is ridge regression, where n is the sum of the weights.
func TestWeightedSmoothNet(t *testing.T) {
	x, c := overlapping(30)
	y, w, total := floatsOf(c), make([]float64, 30), 0.0
	for i := range w {
		w[i] = 0.1 + float64(i%4)
		total += w[i]
	}
	net, ridge := &linear.ElasticNet{Lambda: 0.2, L1Ratio: model.Zero}, &linear.Ridge{Lambda: 0.2 * total}
	if err := net.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	if err := ridge.FitWeighted(x, y, w); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "coefficients", net.Coef, ridge.Coef, 1e-10)
}
