package linear_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

// chosen holds the results that testdata/oracles/glm.py computed with scikit-learn.
type chosen struct {
	fitted
	Sigma, Lambda float64
	Outliers      []bool
	Errors        []float64
}

type glmSet struct {
	Name                  string
	X                     [][]float64
	Y, W                  []float64
	Counts, Costs, Wild   []float64
	Poisson, Gamma, Huber map[string]chosen
	Ridge                 map[string]chosen
}

func readGLM(t *testing.T) []glmSet {
	t.Helper()
	var sets []glmSet
	mltest.ReadOracle(t, "glm", &sets)
	if len(sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return sets
}

// fitTo fits with weights if there are any, and compares the coefficients.
func fitTo(t *testing.T, what string, m model.WeightedRegressor, x mat.Matrix, y, w []float64, want chosen, tol float64, got func() ([]float64, float64)) {
	t.Helper()
	err := error(nil)
	if w == nil {
		err = m.Fit(x, y)
	} else {
		err = m.FitWeighted(x, y, w)
	}
	if err != nil {
		t.Fatal(what, err)
	}
	coef, b := got()
	mltest.NearAll(t, what, coef, want.Coef, tol)
	mltest.Near(t, what+" intercept", b, want.Intercept, tol)
}

// largest divides columns by their largest absolute value.
func largest(x *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(x)
	n, p := x.Dims()
	for j := range p {
		top := 0.0
		for i := range n {
			top = max(top, math.Abs(x.At(i, j)))
		}
		for i := range n {
			out.Set(i, j, x.At(i, j)/top)
		}
	}
	return out
}

func TestOracleGeneralized(t *testing.T) {
	for _, o := range readGLM(t) {
		x := data.Rows(o.X)
		for key, c := range map[string]struct {
			lambda float64
			w      []float64
			x      *mat.Dense
			none   bool
		}{
			"one": {0, nil, x, false}, "none": {model.Zero, nil, x, false}, "weighted": {0.3, o.W, x, false}, "through0": {0.3, nil, largest(x), true},
		} {
			p := &linear.PoissonRegressor{Lambda: c.lambda, NoIntercept: c.none}
			g := &linear.GammaRegressor{Lambda: c.lambda, NoIntercept: c.none}
			fitTo(t, o.Name+" Poisson "+key, p, c.x, o.Counts, c.w, o.Poisson[key], 1e-6, func() ([]float64, float64) { return p.Coef, p.Intercept })
			fitTo(t, o.Name+" gamma "+key, g, c.x, o.Costs, c.w, o.Gamma[key], 1e-6, func() ([]float64, float64) { return g.Coef, g.Intercept })
			if !p.Trace.Converged || !g.Trace.Converged {
				t.Errorf("%s %s: not converged", o.Name, key)
			}
		}
	}
}

func TestOracleHuber(t *testing.T) {
	sets := 0
	for _, o := range readGLM(t) {
		if o.Huber == nil {
			continue
		}
		sets++
		x := data.Rows(o.X)
		for key, c := range map[string]struct {
			m linear.HuberRegressor
			w []float64
		}{
			"one": {}, "weighted": {linear.HuberRegressor{Epsilon: 1.8, Lambda: 0.5}, o.W}, "through0": {linear.HuberRegressor{NoIntercept: true}, nil},
		} {
			m, want := &c.m, o.Huber[key]
			fitTo(t, o.Name+" "+key, m, x, o.Wild, c.w, want, 2e-4, func() ([]float64, float64) { return m.Coef, m.Intercept })
			mltest.Near(t, o.Name+" "+key+" σ", m.Sigma, want.Sigma, 2e-4)
			for i, v := range want.Outliers {
				if m.Outliers[i] != v {
					t.Errorf("%s %s: outlier %d: got %v", o.Name, key, i, m.Outliers[i])
				}
			}
			for k := 1; k < len(m.Trace.Loss); k++ {
				if m.Trace.Loss[k] > m.Trace.Loss[k-1]*(1+1e-12) {
					t.Errorf("%s %s: the objective rises from %v to %v", o.Name, key, m.Trace.Loss[k-1], m.Trace.Loss[k])
				}
			}
		}
	}
	if sets < 5 {
		t.Fatal("the oracle lacks data sets")
	}
}

func TestOracleRidgeCV(t *testing.T) {
	for _, o := range readGLM(t) {
		x := data.Rows(o.X)
		for key, c := range map[string]struct {
			none bool
			w    []float64
		}{"one": {}, "weighted": {false, o.W}, "through0": {true, nil}} {
			m, want := &linear.RidgeCV{Lambdas: []float64{0.01, 0.1, 1, 10, 100}, NoIntercept: c.none}, o.Ridge[key]
			fitTo(t, o.Name+" "+key, m, x, o.Y, c.w, want, 1e-6, func() ([]float64, float64) { return m.Coef, m.Intercept })
			mltest.Near(t, o.Name+" λ", m.Lambda, want.Lambda, 0)
			mltest.NearAll(t, o.Name+" errors "+key, m.Errors, want.Errors, 1e-6)
		}
	}
}

// Leave-one-out errors equal those of fits without each example.
func TestRidgeCVByRefitting(t *testing.T) {
	o := readGLM(t)[1]
	x, n := data.Rows(o.X), len(o.Y)
	m := &linear.RidgeCV{Lambdas: []float64{2}}
	if err := m.Fit(x, o.Y); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range n {
		w := make([]float64, n)
		for k := range w {
			w[k] = 1
		}
		w[i] = 0
		r := &linear.Ridge{Lambda: 2}
		if err := r.FitWeighted(x, o.Y, w); err != nil {
			t.Fatal(err)
		}
		e := o.Y[i] - r.Predict(x)[i]
		sum += e * e / float64(n)
	}
	mltest.Near(t, "error", m.Errors[0], sum, 1e-10)
}

// positives returns examples whose targets are the exponential of a linear function.
func positives() modeltest.Options {
	x, y := mat.NewDense(60, 3, nil), make([]float64, 60)
	rng := model.Rand(6, 0)
	for i := range y {
		for j := range 3 {
			x.Set(i, j, rng.NormFloat64())
		}
		y[i] = math.Exp(1+0.5*x.At(i, 0)-0.3*x.At(i, 1)) * (1 + 0.05*rng.Float64())
	}
	return modeltest.Options{X: x, Target: y, Tolerance: 1e-6}
}

// withSkip leaves a check out, with the reason.
func withSkip(o modeltest.Options, check, reason string) modeltest.Options {
	o.Skip = map[string]string{check: reason}
	return o
}

func TestGeneralizedConformance(t *testing.T) {
	t.Run("PoissonRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.PoissonRegressor{Lambda: 0.01} }, withSkip(positives(), "target scale", "Lambda weighs against deviances in the unit of the target"))
	})
	t.Run("GammaRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.GammaRegressor{Lambda: 0.01} }, positives())
	})
	t.Run("PoissonRegressor without a penalty", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.PoissonRegressor{Lambda: model.Zero} }, positives())
	})
	t.Run("HuberRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.HuberRegressor{} },
			withSkip(modeltest.Options{Tolerance: 1e-6}, "target scale", "Lambda weighs squares of coefficients against sizes of residuals"))
	})
	t.Run("HuberRegressor without a penalty", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.HuberRegressor{Lambda: model.Zero} }, modeltest.Options{Tolerance: 1e-6})
	})
	t.Run("RidgeCV", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.RidgeCV{} }, modeltest.Options{})
	})
}

func TestGeneralizedRefuse(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1, 2, 3})
	twice := mat.NewDense(4, 2, []float64{1, 1, 2, 2, 3, 3, 5, 5})
	for want, f := range map[string]func() error{
		"y[1] must not be negative, got -1":                   func() error { return (&linear.PoissonRegressor{}).Fit(x, []float64{1, -1, 2}) },
		"y[2] must be positive, got 0":                        func() error { return (&linear.GammaRegressor{}).Fit(x, []float64{1, 1, 0}) },
		"at least one target must be above 0, got only zeros": func() error { return (&linear.PoissonRegressor{}).Fit(x, []float64{0, 0, 0}) },
		"the columns of x must be linearly independent":       func() error { return (&linear.PoissonRegressor{Lambda: model.Zero}).Fit(twice, []float64{1, 2, 2, 4}) },
		"Epsilon must be above 1 and finite, got 0.5":         func() error { return (&linear.HuberRegressor{Epsilon: 0.5}).Fit(x, []float64{1, 2, 4}) },
		"Lambdas must be finite and not negative, got -1":     func() error { return (&linear.RidgeCV{Lambdas: []float64{-1}}).Fit(x, []float64{1, 2, 4}) },
		"Lambdas must be nil or not empty":                    func() error { return (&linear.RidgeCV{Lambdas: []float64{}}).Fit(x, []float64{1, 2, 4}) },
		"every fit interpolates all examples, so leave-one-out": func() error {
			return (&linear.RidgeCV{Lambdas: []float64{0}}).Fit(twice.Slice(0, 2, 0, 1), []float64{1, 2})
		},
	} {
		var e *model.Error
		if err := f(); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func BenchmarkPoissonRegressor(b *testing.B) {
	o := positives()
	for b.Loop() {
		if err := (&linear.PoissonRegressor{}).Fit(o.X, o.Target); err != nil {
			b.Fatal(err)
		}
	}
}
