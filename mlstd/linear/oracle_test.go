package linear_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol*max(1, math.Abs(want)) {
		t.Errorf("%s: got %.12g, want %.12g", what, got, want)
	}
}

func nearAll(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
	for i := range got {
		near(t, what, got[i], want[i], tol)
	}
}

func dense(rows [][]float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		d.SetRow(i, r)
	}
	return d
}

type fitted struct {
	Coef      []float64
	Intercept float64
	Pred      []float64
}

type fittedClassifier struct {
	Coef      [][]float64
	Intercept []float64
	Proba     [][]float64
	Pred      []int
}

// oracle holds what testdata/oracles/linear.py computed with scikit-learn.
type oracle struct {
	Regression []struct {
		Name                             string
		X                                [][]float64
		Y                                []float64
		OLS, Ridge, Lasso, Net, Through0 fitted
	}
	Classification []struct {
		Name                        string
		X                           [][]float64
		Y                           []int
		Weights                     []float64
		C1, C01, Weighted, Through0 fittedClassifier
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	data, err := os.ReadFile("../../testdata/oracles/linear.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Regression) < 5 || len(o.Classification) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

func TestOracleRegression(t *testing.T) {
	// Direct solutions agree to rounding; coordinate descent to its own gap.
	const direct, iterated = 1e-8, 2e-5
	for _, o := range readOracle(t).Regression {
		t.Run(o.Name, func(t *testing.T) {
			x := dense(o.X)
			ols, through := &linear.LinearRegression{}, &linear.LinearRegression{NoIntercept: true}
			ridge := &linear.Ridge{Lambda: 2.5}
			lasso := &linear.Lasso{Lambda: 0.3, Tol: 1e-13, MaxIter: 200000}
			net := &linear.ElasticNet{Lambda: 0.2, L1Ratio: 0.4, Tol: 1e-13, MaxIter: 200000}
			for _, m := range []struct {
				name  string
				model model.Regressor
				want  fitted
				got   func() ([]float64, float64)
				tol   float64
			}{
				{"least squares", ols, o.OLS, func() ([]float64, float64) { return ols.Coef, ols.Intercept }, direct},
				{"through the origin", through, o.Through0, func() ([]float64, float64) { return through.Coef, through.Intercept }, direct},
				{"ridge", ridge, o.Ridge, func() ([]float64, float64) { return ridge.Coef, ridge.Intercept }, direct},
				{"lasso", lasso, o.Lasso, func() ([]float64, float64) { return lasso.Coef, lasso.Intercept }, iterated},
				{"elastic net", net, o.Net, func() ([]float64, float64) { return net.Coef, net.Intercept }, iterated},
			} {
				if err := m.model.Fit(x, o.Y); err != nil {
					t.Fatal(m.name, err)
				}
				coef, b := m.got()
				nearAll(t, m.name, coef, m.want.Coef, m.tol)
				near(t, m.name+" intercept", b, m.want.Intercept, m.tol)
				nearAll(t, m.name+" predictions", m.model.Predict(x.Slice(0, 5, 0, len(coef))), m.want.Pred, m.tol)
			}
			if !slices.Equal(zeros(lasso.Coef), zeros(o.Lasso.Coef)) {
				t.Errorf("lasso zeros: got %v, want %v", lasso.Coef, o.Lasso.Coef)
			}
		})
	}
}

func zeros(w []float64) []bool {
	var out []bool
	for _, v := range w {
		out = append(out, v == 0)
	}
	return out
}

func TestOracleLogistic(t *testing.T) {
	const tol = 2e-4 // both stop at a gradient of about 1e-9; the Hessian is as small as 1e-5
	for _, o := range readOracle(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			x := dense(o.X)
			for _, m := range []struct {
				name  string
				model *linear.LogisticRegression
				want  fittedClassifier
			}{
				{"C=1", &linear.LogisticRegression{}, o.C1},
				{"C=.1", &linear.LogisticRegression{C: 0.1}, o.C01},
				{"weighted", &linear.LogisticRegression{}, o.Weighted},
				{"through the origin", &linear.LogisticRegression{NoIntercept: true}, o.Through0},
			} {
				m.model.Tol = 1e-10
				var err error
				if m.name == "weighted" {
					err = m.model.FitWeighted(x, o.Y, o.Weights)
				} else {
					err = m.model.Fit(x, o.Y)
				}
				if err != nil {
					t.Fatal(m.name, err)
				}
				for k, row := range m.want.Coef {
					nearAll(t, m.name+" coefficients", m.model.Coef.RawRowView(k), row, tol)
				}
				nearAll(t, m.name+" intercepts", m.model.Intercept, m.want.Intercept, tol)
				p := m.model.PredictProba(x)
				for i, row := range m.want.Proba {
					nearAll(t, m.name+" probabilities", p.RawRowView(i), row, tol)
				}
				if got := m.model.Predict(x); !slices.Equal(got, m.want.Pred) {
					t.Errorf("%s: predictions differ:\n%v\n%v", m.name, got, m.want.Pred)
				}
			}
		})
	}
}
