package linear_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

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

type regressionSet struct {
	Name                             string
	Awkward                          bool // the oracle has only the direct solutions and the lassos
	X                                [][]float64
	Y                                []float64
	OLS, Ridge, Lasso, Net, Through0 fitted
	Ridge0, Lasso0, LMS, LMSFalling  fitted
	LassoPath, RidgePath             [][]float64
	Likelihood                       *struct{ Log, Sigma2 float64 }
	Poly                             []struct {
		Degree            int
		Coef, Pred, Ridge []float64
	}
	Unit struct{ Target, W, Out []float64 }
}

// oracle holds the results that testdata/oracles/linear.py computed with scikit-learn, statsmodels
// and NumPy.
type oracle struct {
	Regression     []regressionSet
	Classification []struct {
		Name                                 string
		X                                    [][]float64
		Y                                    []int
		Weights                              []float64
		C1, C01, Weighted, Through0, Softmax fittedClassifier
	}
	Units []struct {
		Name  string
		Size  []float64
		X     [][]float64 // empty for a classic set
		Y     []int
		Proba [][]float64
	}
	Overlapping []struct {
		Name         string
		X            [][]float64
		Y            []int
		Proba, Prior [][]float64
		MLE          *struct {
			Coef, BSE      []float64
			Intercept, LLF float64
		}
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "linear", &o)
	if len(o.Regression) < 5 || len(o.Classification) < 5 || len(o.Overlapping) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

// tame are the data sets for regression that every model can be fitted to.
func tame(t *testing.T) []regressionSet {
	t.Helper()
	return slices.DeleteFunc(readOracle(t).Regression, func(r regressionSet) bool { return r.Awkward })
}

func TestOracleRegression(t *testing.T) {
	// Direct solutions and stochastic descent in the same order agree up to rounding; coordinate
	// descent agrees up to its duality gap.
	const direct, iterated, steps = 1e-8, 2e-5, 1e-10
	for _, o := range readOracle(t).Regression {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			ols, through := &linear.LinearRegression{}, &linear.LinearRegression{NoIntercept: true}
			ridge := &linear.Ridge{Lambda: 2.5}
			lasso := &linear.Lasso{Lambda: 0.3, Tol: 1e-13, MaxIter: 200000}
			ridge0 := &linear.Ridge{Lambda: 2.5, NoIntercept: true}
			lasso0 := &linear.Lasso{Lambda: 0.3, Tol: 1e-13, MaxIter: 200000, NoIntercept: true}
			lms := &linear.LMS{Rate: optim.ConstantRate(0.01), Epochs: 3}
			falling := &linear.LMS{Rate: optim.InverseSqrtRate(0.05), Epochs: 2}
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
				{"ridge through the origin", ridge0, o.Ridge0, func() ([]float64, float64) { return ridge0.Coef, ridge0.Intercept }, direct},
				{"lasso through the origin", lasso0, o.Lasso0, func() ([]float64, float64) { return lasso0.Coef, lasso0.Intercept }, iterated},
				{"LMS", lms, o.LMS, func() ([]float64, float64) { return lms.Coef, lms.Intercept }, steps},
				{"LMS with a falling rate", falling, o.LMSFalling, func() ([]float64, float64) { return falling.Coef, falling.Intercept }, steps},
				{"elastic net", net, o.Net, func() ([]float64, float64) { return net.Coef, net.Intercept }, iterated},
			} {
				if m.want.Coef == nil {
					continue
				}
				if err := m.model.Fit(x, o.Y); err != nil {
					t.Fatal(m.name, err)
				}
				coef, b := m.got()
				mltest.NearAll(t, m.name, coef, m.want.Coef, m.tol)
				mltest.Near(t, m.name+" intercept", b, m.want.Intercept, m.tol)
				mltest.NearAll(t, m.name+" predictions", m.model.Predict(x.Slice(0, 5, 0, len(coef))), m.want.Pred, m.tol)
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
	// L-BFGS stops at a gradient of 1e-10 per example, and the Hessian is as small as 1e-3 per
	// example; the oracle uses Newton's method.
	for _, o := range readOracle(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			tol := 1e-6
			if o.Name == "sizes" {
				tol = 1e-4 // its columns differ by 1e4, its curvatures by the square of that
			}
			x := data.Rows(o.X)
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
					mltest.NearAll(t, m.name+" coefficients", m.model.Coef.RawRowView(k), row, tol)
				}
				mltest.NearAll(t, m.name+" intercepts", m.model.Intercept, m.want.Intercept, tol)
				p := m.model.PredictProba(x)
				for i, row := range m.want.Proba {
					mltest.NearAll(t, m.name+" probabilities", p.RawRowView(i), row, tol)
				}
				if got := m.model.Predict(x); !slices.Equal(got, m.want.Pred) {
					t.Errorf("%s: predictions differ:\n%v\n%v", m.name, got, m.want.Pred)
				}
			}
		})
	}
}

// Softmax regression has one weight vector per class even for two classes; scikit-learn fits their
// difference.
func TestOracleSoftmax(t *testing.T) {
	for _, o := range readOracle(t).Classification {
		x := data.Rows(o.X)
		m := &linear.SoftmaxRegression{C: 0.5, Tol: 1e-10}
		if err := m.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		p := m.PredictProba(x)
		for i, row := range o.Softmax.Proba {
			mltest.NearAll(t, o.Name+" probabilities", p.RawRowView(i), row, 1e-6)
		}
		if got := m.Predict(x); !slices.Equal(got, o.Softmax.Pred) {
			t.Errorf("%s: predictions differ:\n%v\n%v", o.Name, got, o.Softmax.Pred)
		}
		k, d := m.Coef.Dims()
		for j := range d {
			if k == 2 {
				mltest.Near(t, o.Name+" difference of the weights", m.Coef.At(1, j)-m.Coef.At(0, j), o.Softmax.Coef[0][j], 1e-6)
				continue
			}
			for c := range k {
				mltest.Near(t, o.Name+" weights", m.Coef.At(c, j), o.Softmax.Coef[c][j], 1e-6)
			}
		}
	}
}

func TestOraclePaths(t *testing.T) {
	lambdas := []float64{5, 1, 0.3, 0.05}
	for _, o := range tame(t) {
		x := data.Rows(o.X)
		lasso, err := linear.LassoPath(x, o.Y, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		ridge, err := linear.RidgePath(x, o.Y, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		for i := range lambdas {
			// LassoPath stops at a relative duality gap of 1e-8; coefficients agree up to its
			// square root.
			mltest.NearAll(t, o.Name+" lasso path", lasso.Coef[i], o.LassoPath[i], 5e-3)
			mltest.NearAll(t, o.Name+" ridge path", ridge.Coef[i], o.RidgePath[i], 1e-8)
		}
	}
}

func TestOracleLikelihood(t *testing.T) {
	for _, o := range tame(t) {
		if o.Likelihood == nil { // more columns than rows: the residuals are 0
			continue
		}
		m := &linear.LinearRegression{}
		if err := m.Fit(data.Rows(o.X), o.Y); err != nil {
			t.Fatal(err)
		}
		l := linear.GaussianLikelihood(o.Y, m.Predict(data.Rows(o.X)))
		mltest.Near(t, o.Name+" log-likelihood", l.Log, o.Likelihood.Log, 1e-9)
		mltest.Near(t, o.Name+" variance", l.Sigma2, o.Likelihood.Sigma2, 1e-9)
	}
}

// Descent ends where the direct solution is.
func TestOracleDescent(t *testing.T) {
	for _, o := range tame(t) {
		if o.Likelihood == nil { // no unique minimum
			continue
		}
		m := &linear.LinearRegression{Gradient: true, Rate: optim.ConstantRate(0.1), MaxIter: 100000, Tol: 1e-10}
		if err := m.Fit(data.Rows(o.X), o.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" coefficients", m.Coef, o.OLS.Coef, 1e-6)
		mltest.Near(t, o.Name+" intercept", m.Intercept, o.OLS.Intercept, 1e-6)
	}
}

func TestOraclePolynomialRegression(t *testing.T) {
	for _, o := range tame(t) {
		x := mat.DenseCopyOf(data.Rows(o.X).Slice(0, len(o.Y), 0, 1))
		for _, p := range o.Poly {
			plain, ridge := &linear.PolynomialRegression{Degree: p.Degree}, &linear.PolynomialRegression{Degree: p.Degree, Lambda: 0.5}
			for _, m := range []*linear.PolynomialRegression{plain, ridge} {
				if err := m.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
			}
			mltest.NearAll(t, o.Name+" predictions", plain.Predict(x), p.Pred, 1e-8)
			// Powers of x itself are nearly dependent: the coefficients lose digits on
			// both sides.
			mltest.NearAll(t, o.Name+" coefficients", plain.Coef, p.Coef, 1e-6)
			mltest.NearAll(t, o.Name+" ridge", ridge.Predict(x), p.Ridge, 1e-8)
		}
	}
}

func TestOracleSigmoidUnit(t *testing.T) {
	for _, o := range tame(t) {
		m := &linear.SigmoidUnit{MaxIter: 60}
		if err := m.Fit(data.Rows(o.X), o.Unit.Target); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" weights", append(slices.Clone(m.Coef), m.Intercept), o.Unit.W, 1e-10)
		mltest.NearAll(t, o.Name+" outputs", m.Predict(data.Rows(o.X[:5])), o.Unit.Out, 1e-10)
	}
}

func TestOracleLogisticMLE(t *testing.T) {
	for _, o := range readOracle(t).Overlapping {
		if o.MLE == nil {
			continue
		}
		m := &linear.LogisticMLE{}
		if err := m.Fit(data.Rows(o.X), o.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" coefficients", m.Coef, o.MLE.Coef, 1e-8)
		mltest.Near(t, o.Name+" intercept", m.Intercept, o.MLE.Intercept, 1e-8)
		mltest.NearAll(t, o.Name+" standard errors", m.StdErr, o.MLE.BSE, 1e-7)
		mltest.Near(t, o.Name+" log-likelihood", m.LogLikelihood, o.MLE.LLF, 1e-9)
	}
}

// Without a penalty logistic regression, softmax regression and the maximum
// entropy model are one.
func TestOracleUnpenalized(t *testing.T) {
	for _, o := range readOracle(t).Overlapping {
		x := data.Rows(o.X)
		for _, c := range []struct {
			name string
			m    interface {
				Fit(x mat.Matrix, y []int) error
				PredictProba(x mat.Matrix) *mat.Dense
			}
			want [][]float64
		}{
			{"logistic", &linear.LogisticRegression{NoPenalty: true, Tol: 1e-10}, o.Proba},
			{"softmax", &linear.SoftmaxRegression{NoPenalty: true, Tol: 1e-10}, o.Proba},
			{"maximum entropy", &linear.MaxEntropy{Tol: 1e-10}, o.Proba},
			{"maximum entropy with a prior", &linear.MaxEntropy{Sigma2: 2, Tol: 1e-10}, o.Prior},
		} {
			if err := c.m.Fit(x, o.Y); err != nil {
				t.Fatal(c.name, err)
			}
			p := c.m.PredictProba(x)
			for i, row := range c.want {
				mltest.NearAll(t, o.Name+" "+c.name, p.RawRowView(i), row, 1e-6)
			}
		}
	}
}

// Iterative scaling converges slowly. It gets features in [0, 1], which change no probability, and
// comes close if the likelihood has a maximum.
func TestOracleIterativeScaling(t *testing.T) {
	compared := 0
	for _, o := range readOracle(t).Overlapping {
		if o.MLE == nil {
			continue
		}
		compared++
		x := data.Rows(o.X)
		n, d := x.Dims()
		for j := range d {
			c := mat.Col(nil, j, x)
			for i := range n {
				x.Set(i, j, (c[i]-slices.Min(c))/(slices.Max(c)-slices.Min(c)))
			}
		}
		m := &linear.MaxEntropy{IterativeScaling: true, Tol: 1e-9, MaxIter: 20000}
		if err := m.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		p := m.PredictProba(x)
		for i, row := range o.Proba {
			mltest.NearAll(t, o.Name, p.RawRowView(i), row, 1e-3)
		}
	}
	if compared < 5 {
		t.Errorf("compared %d data sets", compared)
	}
}
