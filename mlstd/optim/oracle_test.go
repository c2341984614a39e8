package optim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// oracle holds the results that testdata/oracles/optim.py computed. Parameters are weights and,
// last, the bias.
type oracle struct {
	Classification []struct {
		Name                   string
		X                      [][]float64
		Y                      []float64
		Losses                 map[string][]float64
		Sqrt, Inverse, Average []float64
	}
	Regression []struct {
		Name      string
		X         [][]float64
		Y, Signs  []float64
		Losses    map[string][]float64
		Momentum  [][]float64
		Minibatch []float64
		AdaGrad   struct{ W, Rates []float64 }
		Minimum   struct{ OLS, Ridge []float64 }
		Convex    []float64
		Gradient  struct {
			At, G, Numeric []float64
			Value          float64
		}
		Risk struct {
			Q                                         []float64
			Squared, Absolute, Huber, Hinge, Logistic float64
			ZeroOne                                   float64 `json:"zero_one"`
		}
	}
	Norms []struct {
		Name  string
		W     []float64
		Norms [][2]float64 // p, norm; p = −1 stands for infinity
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "optim", &o)
	if len(o.Classification) < 5 || len(o.Regression) < 5 || len(o.Norms) < 5 {
		t.Fatal("the oracle has fewer than five data sets of a kind")
	}
	return o
}

// The oracle made four passes over the rows in their order. The same steps in
// the same order differ by rounding alone.
const (
	oraclePasses = 4
	rounding     = 1e-10
)

func risk(x [][]float64, y []float64, l optim.Loss, lambda float64, intercept bool) *optim.LinearRisk {
	r := &optim.LinearRisk{X: mat.NewDense(len(x), len(x[0]), nil), Y: y, Loss: l, Intercept: intercept}
	for i, row := range x {
		r.X.SetRow(i, row)
	}
	if lambda > 0 {
		r.Penalty = optim.L2Penalty{Lambda: lambda}
	}
	return r
}

func sgd(t *testing.T, s optim.SGD, r *optim.LinearRisk) *optim.SGDResult {
	t.Helper()
	s.NoShuffle, s.Epochs = true, oraclePasses
	m, err := s.Minimize(r, make([]float64, r.Parameters()))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOracleSGDClassification(t *testing.T) {
	losses := map[string]optim.Loss{"hinge": optim.HingeLoss{}, "log_loss": optim.LogisticLoss{},
		"perceptron": optim.PerceptronLoss{}, "squared_hinge": optim.SquaredHingeLoss{}}
	for _, o := range readOracle(t).Classification {
		for name, l := range losses {
			got := sgd(t, optim.SGD{Rate: optim.ConstantRate(0.05)}, risk(o.X, o.Y, l, 0.1, true))
			mltest.NearAll(t, o.Name+" "+name, got.X, o.Losses[name], rounding)
		}
		hinge := risk(o.X, o.Y, optim.HingeLoss{}, 0, true)
		mltest.NearAll(t, o.Name+" rate falling with the root", sgd(t, optim.SGD{Rate: optim.InverseSqrtRate(0.3)}, hinge).X, o.Sqrt, rounding)
		mltest.NearAll(t, o.Name+" rate falling with the step", sgd(t, optim.SGD{Rate: optim.InverseRate{A: 0.9}}, hinge).X, o.Inverse, rounding)
		logistic := risk(o.X, o.Y, optim.LogisticLoss{}, 0.01, true)
		mltest.NearAll(t, o.Name+" average", sgd(t, optim.SGD{Rate: optim.ConstantRate(0.05), Average: true}, logistic).X, o.Average, rounding)
	}
}

func TestOracleSGDRegression(t *testing.T) {
	losses := map[string]optim.Loss{"squared_error": optim.SquaredLoss{}, "huber": optim.HuberLoss{Delta: 0.3},
		"epsilon_insensitive": optim.EpsilonInsensitiveLoss{Epsilon: 0.3}}
	for _, o := range readOracle(t).Regression {
		for name, l := range losses {
			got := sgd(t, optim.SGD{Rate: optim.ConstantRate(0.02)}, risk(o.X, o.Y, l, 0.05, true))
			mltest.NearAll(t, o.Name+" "+name, got.X, o.Losses[name], rounding)
		}
		r := risk(o.X, o.Y, optim.SquaredLoss{}, 0, true)
		mltest.NearAll(t, o.Name+" batches of 7", sgd(t, optim.SGD{Batch: 7}, r).X, o.Minibatch, rounding)
		ada := sgd(t, optim.SGD{Rate: optim.ConstantRate(0.5), AdaGrad: true}, r)
		mltest.NearAll(t, o.Name+" AdaGrad", ada.X, o.AdaGrad.W, rounding)
		mltest.NearAll(t, o.Name+" AdaGrad's rates", ada.Rates, o.AdaGrad.Rates, rounding)
	}
}

func TestOracleGradientDescent(t *testing.T) {
	for _, o := range readOracle(t).Regression {
		r := risk(o.X, o.Y, optim.SquaredLoss{}, 0, true)
		m, err := (&optim.GradientDescent{Momentum: 0.6, MaxIter: len(o.Momentum), KeepPath: true}).Minimize(r, make([]float64, r.Parameters()))
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range o.Momentum {
			mltest.NearAll(t, o.Name+" path with momentum", m.Path[k+1], want, rounding)
		}
		// Where it ends, with a gradient of 1e-9 and curvatures above 1e-3.
		for _, c := range []struct {
			name   string
			risk   *optim.LinearRisk
			lambda float64
			want   []float64
		}{
			{"least squares", r, 0, o.Minimum.OLS},
			{"ridge", risk(o.X, o.Y, optim.SquaredLoss{}, 0.2, true), 0.2, o.Minimum.Ridge},
			{"logistic", risk(o.X, o.Signs, optim.LogisticLoss{}, 0.1, false), 0.1, o.Convex},
		} {
			m, err := (&optim.GradientDescent{Rate: optim.ConstantRate(0.2), Momentum: 0.8, MaxIter: 100000, Tol: 1e-9}).
				Minimize(c.risk, make([]float64, c.risk.Parameters()))
			if err != nil {
				t.Fatal(err)
			}
			if m.Reason != optim.StopGradient {
				t.Errorf("%s %s: stopped because %s", o.Name, c.name, m.Reason)
			}
			mltest.NearAll(t, o.Name+" "+c.name, m.X, c.want, 1e-6)
			d, err := (&optim.CoordinateDescent{MaxIter: 20000}).Minimize(c.risk.Value, make([]float64, c.risk.Parameters()))
			if err != nil {
				t.Fatal(err)
			}
			// Line searches by values alone see differences of the square root of the
			// precision.
			mltest.NearAll(t, o.Name+" "+c.name+" by coordinates", d.X, c.want, 1e-4)
		}
	}
}

func TestOracleGradient(t *testing.T) {
	for _, o := range readOracle(t).Regression {
		r := risk(o.X, o.Signs, optim.LogisticLoss{}, 0.1, false)
		g := make([]float64, len(o.Gradient.At))
		r.Gradient(g, o.Gradient.At)
		mltest.NearAll(t, o.Name+" gradient", g, o.Gradient.G, rounding)
		mltest.Near(t, o.Name+" value", r.Value(o.Gradient.At), o.Gradient.Value, rounding)
		// SciPy's are forward differences with a step of 1e-7.
		mltest.NearAll(t, o.Name+" numerical gradient", optim.NumericalGradient(r.Value, o.Gradient.At), o.Gradient.Numeric, 1e-6)
	}
}

func TestOracleLosses(t *testing.T) {
	for _, o := range readOracle(t).Regression {
		for _, c := range []struct {
			name string
			loss optim.Loss
			y    []float64
			want float64
		}{
			{"squared", optim.SquaredLoss{}, o.Y, o.Risk.Squared}, {"absolute", optim.AbsoluteLoss{}, o.Y, o.Risk.Absolute},
			{"Huber", optim.HuberLoss{Delta: 0.7}, o.Y, o.Risk.Huber}, {"hinge", optim.HingeLoss{}, o.Signs, o.Risk.Hinge},
			{"0-1", optim.ZeroOneLoss{}, o.Signs, o.Risk.ZeroOne}, {"logistic", optim.LogisticLoss{}, o.Signs, o.Risk.Logistic},
		} {
			mltest.Near(t, o.Name+" "+c.name, optim.EmpiricalRisk(c.loss, c.y, o.Risk.Q), c.want, rounding)
		}
	}
}

func TestOracleNorm(t *testing.T) {
	for _, o := range readOracle(t).Norms {
		for _, c := range o.Norms {
			p := c[0]
			if p < 0 {
				p = math.Inf(1)
			}
			mltest.Near(t, o.Name, optim.Norm(o.W, p)/c[1], 1, rounding)
		}
	}
}
