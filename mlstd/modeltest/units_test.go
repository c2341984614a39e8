package modeltest_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/semi"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// The unit of a column is a matter of taste. The tests of this file change it to about 1e-12 and
// 1e12 of the old unit. The factors are powers of two, so the numbers keep all their digits.
var units = []float64{0x1p-40, 0x1p40}

// inUnits returns f with all features times x and the target times y.
func inUnits(f *frame.Frame, x, y float64) *frame.Frame {
	for name, by := range map[string]float64{"a": x, "b": x, "c": x, "y": y} {
		v := f.Col(name).Floats()
		for i := range v {
			v[i] *= by
		}
		f = f.With(name, v)
	}
	return f
}

// withUnits lists models with parameters in the unit of the data: how to change the parameters with
// the units of the features and the target.
var withUnits = map[string]func(x, y float64) any{
	"decomp.SoftImpute":         func(x, _ float64) any { return &decomp.SoftImpute{Lambda: x} },
	"latent.GaussianHMM":        func(x, _ float64) any { return &latent.GaussianHMM{K: 2, Ridge: 1e-6 * x * x} },
	"latent.GaussianMixture":    func(x, _ float64) any { return &latent.GaussianMixture{K: 3, Ridge: 1e-6 * x * x} },
	"linear.ElasticNet":         func(x, y float64) any { return &linear.ElasticNet{Lambda: 0.01 * x * y, L1Ratio: 1} },
	"linear.HuberRegressor":     func(x, y float64) any { return &linear.HuberRegressor{Lambda: 1e-4 * x * x / y} },
	"linear.Lasso":              func(x, y float64) any { return &linear.Lasso{Lambda: 0.01 * x * y} },
	"linear.LogisticRegression": func(x, _ float64) any { return &linear.LogisticRegression{C: 1 / (x * x)} },
	"linear.GammaRegressor":     func(x, _ float64) any { return &linear.GammaRegressor{Lambda: 0.1 * x * x} },
	"linear.PoissonRegressor":   func(x, y float64) any { return &linear.PoissonRegressor{Lambda: 0.1 * x * x * y} },
	"linear.Ridge":              func(x, _ float64) any { return &linear.Ridge{Lambda: x * x / 2} },
	"linear.RidgeCV":            func(x, _ float64) any { return &linear.RidgeCV{Lambdas: []float64{x * x / 8, x * x}} },
	"linear.SoftmaxRegression":  func(x, _ float64) any { return &linear.SoftmaxRegression{C: 1 / (x * x)} },
	"prep.IterativeImputer":     func(x, _ float64) any { return &prep.IterativeImputer{Lambda: x * x} },
	"semi.TransductiveSVM":      func(x, _ float64) any { return &semi.TransductiveSVM{C: 2 / (x * x)} },
	"svm.LinearSVC":             func(x, _ float64) any { return &svm.LinearSVC{C: 2 / (x * x), NoIntercept: true, Tol: 1e-9} },
	"svm.NuSVR":                 func(_, y float64) any { return &svm.NuSVR{C: 2 * y, Tol: 1e-7 * y} },
	"svm.PlattSMO":              func(x, _ float64) any { return &svm.PlattSMO{C: 2 / (x * x), Kernel: kernel.LinearKernel{}} },
	"svm.SVC":                   func(x, _ float64) any { return &svm.SVC{C: 2 / (x * x), Kernel: kernel.LinearKernel{}, Tol: 1e-7} },
	"svm.SVR":                   func(_, y float64) any { return &svm.SVR{C: 2 * y, Epsilon: 0.01 * y, Tol: 1e-7 * y} },
}

// law is how a result follows the unit: got = want·unit^power + shift.
type law struct{ power, shift float64 }

// lawOf returns the law with which got follows from want, if there is one.
func lawOf(got, want []float64, unit float64) (law, bool) {
	if len(got) != len(want) {
		return law{}, false
	}
	most := 0.0
	for _, v := range want {
		if !math.IsInf(v, 0) && v == v {
			most = max(most, math.Abs(v))
		}
	}
	for _, p := range []float64{0, 1, 2, -1, -2, 0.5} {
		factor := math.Pow(unit, p)
		fits := true
		for i := range got {
			g, w := got[i]/factor, want[i]
			fits = fits && (math.Abs(g-w) <= 1e-6*most || g == w || g != g && w != w)
		}
		if fits {
			return law{power: p}, true
		}
	}
	shift := got[0] - want[0] // of log densities
	for i := range got {
		if !(math.Abs(got[i]-want[i]-shift) <= 1e-6*max(most, math.Abs(shift))) {
			return law{}, false
		}
	}
	return law{shift: shift}, true
}

// ownUnits lists models whose results depend on the unit, with the reason. For these, the test
// only requires an answer without NaN, or an error.
var ownUnits = map[string]string{
	"bayesnet.ChowLiuClassifier":  "it takes codes of states",
	"bayesnet.NaiveNetwork":       "it takes codes of states",
	"bayesnet.TAN":                "it takes codes of states",
	"prep.ConjunctionFeatures":    "it takes 0 and 1",
	"prob.CategoricalNB":          "it takes codes of levels",
	"ensemble.BaggingRegressor":   "its inner model has a penalty",
	"ensemble.Stacking":           "its inner model has a penalty",
	"ensemble.StackingRegressor":  "its inner model has a penalty",
	"ensemble.Voting":             "its inner model has a penalty",
	"ensemble.VotingRegressor":    "its inner model has a penalty",
	"eval.ProbPipeline":           "its inner model has a penalty",
	"eval.RegressorPipeline":      "its inner model has a penalty",
	"eval.RegressorSearch":        "its inner model has a penalty",
	"kernel.GaussianProcess":      "the lengths of its kernel are between 1e-5 and 1e5, and its noise is a variance",
	"kernel.KernelPerceptron":     "its kernel has a constant term",
	"latent.MultinomialMixture":   "it takes counts",
	"linear.ElasticNetCV":         "its two penalties have different units",
	"linear.LMS":                  "it has a step size",
	"linear.SGDClassifier":        "it has a step size",
	"linear.SGDRegressor":         "it has a step size",
	"linear.SigmoidUnit":          "it predicts numbers from 0 to 1",
	"nn.Autoencoder":              "it has random weights and a step size",
	"nn.MLPClassifier":            "it has random weights and a step size",
	"nn.MLPRegressor":             "it has random weights and a step size",
	"nn.NetworkClassifier":        "it has random weights and a step size",
	"nn.NetworkRegressor":         "it has random weights and a step size",
	"nn.StackedAutoencoder":       "it has random weights and a step size",
	"nn.VAE":                      "it has random weights and a step size",
	"online.MulticlassPerceptron": "it has a column of ones",
	"online.PassiveAggressive":    "it has a column of ones",
	"online.Perceptron":           "it has a column of ones",
	"online.ThresholdPerceptron":  "its threshold and margin are absolute",
	"online.VotedPerceptron":      "it has a column of ones",
	"online.Winnow":               "it multiplies weights by powers of a number",
	"prep.Columns":                "some columns pass, and others are scaled",
	"prep.PolynomialFeatures":     "its columns are products of up to two factors",
	"prep.PowerTransformer":       "its power adds 1",
	"prob.BernoulliNB":            "it has a threshold",
	"prob.ComplementNB":           "it takes counts",
	"prob.MultinomialNB":          "it takes counts",
	"reduce.OneVsAll":             "its inner model has a penalty",
	"reduce.PairwiseRanker":       "its inner model has a penalty",
	"semi.SemiNaiveBayes":         "it takes counts",
	"svm.Pegasos":                 "it has a column of ones and a step size",
}

// Results follow the units of the features and the target. An absolute tolerance anywhere in a fit
// breaks this law.
func TestUnits(t *testing.T) {
	used, tested := map[string]bool{}, 0
	for _, s := range subjects(t) {
		if strings.HasSuffix(s.name, " encoded") || s.name == "prep.Columns" || s.name == "prep.TextEncoder" {
			continue // they need a column of names
		}
		name, _, _ := strings.Cut(s.name, "#")
		if s.columns = s.columns[:min(3, len(s.columns))]; oneColumn[name] {
			s.columns = s.columns[:1]
		}
		fresh := s.fresh
		build := func(_, _ float64) any { return fresh() }
		if f := withUnits[name]; f != nil {
			build = f
		}
		s.fresh = func() any { return build(1, 1) }
		m, f, err := s.fitted()
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		used[name] = true
		tested++
		want, refusal := answers(m, f.Matrix(s.columns...))
		if refusal != nil {
			t.Errorf("%s: %v", s.name, refusal)
			continue
		}
		check := func(x, y float64) {
			t.Helper()
			g, again := inUnits(f, x, y), build(x, y)
			if err := s.fitTo(again, g); err != nil {
				if e := (*model.Error)(nil); !errors.As(err, &e) || ownUnits[name] == "" {
					t.Errorf("%s in units of %g and %g: %v", s.name, x, y, err)
				}
				return
			}
			got, refusal := answers(again, g.Matrix(s.columns...))
			if refusal != nil {
				t.Errorf("%s in units of %g and %g: %v", s.name, x, y, refusal)
				return
			}
			for k := range want {
				if i := slices.IndexFunc(got[k], math.IsNaN); i >= 0 && !math.IsNaN(want[k][i]) {
					t.Errorf("%s in units of %g and %g: result %d of row %d is NaN", s.name, x, y, k, i)
				}
				unit := x * y
				l, ok := lawOf(got[k], want[k], unit)
				if y != 1 && k == 0 && l != (law{power: 1}) { // predictions have the unit of the target
					ok = false
				}
				if !ok && ownUnits[name] == "" {
					t.Errorf("%s in units of %g and %g: result %d is %v, in the first units %v", s.name, x, y, k, first(got[k]), first(want[k]))
				}
			}
		}
		_, regressor := m.(model.Regressor)
		for _, u := range units {
			check(u, 1)
			if regressor {
				check(1, u)
			}
		}
	}
	t.Logf("%d models in %d forms", len(used), tested)
	for name := range withUnits {
		if !used[name] {
			t.Errorf("%s is in withUnits and was not tested", name)
		}
	}
	for name := range ownUnits {
		if !used[name] || withUnits[name] != nil {
			t.Errorf("%s is in ownUnits, but has a law or was not tested", name)
		}
	}
	if len(used) < 130 {
		t.Errorf("%d models were tested", len(used))
	}
}

func first(v []float64) []float64 { return v[:min(len(v), 4)] }
