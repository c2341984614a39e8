package linear_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/optim"
)

const tol = 1e-12

func TestConformance(t *testing.T) {
	t.Run("LinearRegression", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.LinearRegression{} }, modeltest.Options{})
	})
	t.Run("LinearRegression by descent", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &linear.LinearRegression{Gradient: true, Rate: optim.ConstantRate(0.05)}
		},
			modeltest.Options{Skip: map[string]string{"weights": "descent knows none"}})
	})
	t.Run("Ridge", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.Ridge{} }, modeltest.Options{})
	})
	t.Run("Lasso", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.Lasso{Lambda: 0.01} },
			modeltest.Options{Tolerance: 1e-6, Skip: map[string]string{"target scale": "Lambda weighs coefficients against squares of residuals"}})
	})
	t.Run("ElasticNet", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.ElasticNet{Lambda: 0.01} },
			modeltest.Options{Tolerance: 1e-6, Skip: map[string]string{"target scale": "Lambda weighs coefficients against squares of residuals"}})
	})
	t.Run("LMS", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.LMS{} },
			modeltest.Options{Skip: map[string]string{"row permutation": "the rule takes the examples in their order"}})
	})
	t.Run("PolynomialRegression", func(t *testing.T) {
		x := mat.NewDense(20, 1, nil)
		y := make([]float64, 20)
		for i := range 20 {
			v := float64(i)/5 - 2
			x.Set(i, 0, v)
			y[i] = v*v*v - v
		}
		p := linear.PolynomialRegression{}
		if err := p.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		if err := p.Fit(mat.NewDense(2, 2, nil), []float64{1, 2}); err == nil || p.Coef != nil {
			t.Errorf("two columns: error %v, coefficients %v", err, p.Coef)
		}
	})
	t.Run("SigmoidUnit", func(t *testing.T) {
		x, y := mat.NewDense(30, 2, nil), make([]float64, 30)
		rng := model.Rand(5, 0)
		for i := range y {
			x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
			y[i] = linear.Sigmoid(2*x.At(i, 0) - x.At(i, 1))
		}
		modeltest.Regressor(t, func() model.Regressor { return &linear.SigmoidUnit{} },
			modeltest.Options{X: x, Target: y, Skip: map[string]string{"target scale": "its values are between 0 and 1"}})
	})
	t.Run("LogisticRegression", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &linear.LogisticRegression{} }, modeltest.Options{Tolerance: 1e-5})
	})
	t.Run("SoftmaxRegression", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &linear.SoftmaxRegression{} }, modeltest.Options{Tolerance: 1e-5})
	})
	t.Run("MaxEntropy", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &linear.MaxEntropy{Sigma2: 1} }, modeltest.Options{Tolerance: 1e-5})
	})
	t.Run("LogisticMLE", func(t *testing.T) {
		x, y := overlapping(80)
		modeltest.Classifier(t, func() model.Classifier { return &linear.LogisticMLE{} },
			modeltest.Options{Binary: true, X: x, Y: y, MinScore: 0.7, Tolerance: 1e-6, Skip: map[string]string{
				"constant column": "a constant column is dependent on the intercept, so there is no unique maximum: refused",
			}})
	})
}

func overlapping(n int) (*mat.Dense, []int) {
	rng := model.Rand(9, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		y[i] = i % 2
		x.SetRow(i, []float64{rng.NormFloat64() + 1.5*float64(y[i]), rng.NormFloat64()})
	}
	return x, y
}

var line = mat.NewDense(3, 1, []float64{1, 2, 3})

func TestLIN01_GradientDescent(t *testing.T) {
	m := &linear.LinearRegression{Gradient: true, NoIntercept: true}
	if err := m.Fit(line, []float64{2, 4, 6}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "theta", m.Coef[0], 2, 1e-6)
	if !slices.IsSortedFunc(m.Trace.Loss, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) || !m.Trace.Converged {
		t.Errorf("the loss is not falling: %v", m.Trace.Loss)
	}
	m.Rate = optim.ConstantRate(10)
	if err := m.Fit(line, []float64{2, 4, 6}); err == nil {
		t.Error("divergence was not reported")
	}
}

func made(n, p int) (*mat.Dense, []float64) {
	rng := model.Rand(3, 0)
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range n {
		for j := range p {
			x.Set(i, j, rng.NormFloat64())
			y[i] += float64(j-1) * x.At(i, j)
		}
		y[i] += 3 + rng.NormFloat64()
	}
	return x, y
}

func TestLIN02_NormalEquationsAgainstQR(t *testing.T) {
	x, y := made(50, 4)
	m := &linear.LinearRegression{NoIntercept: true}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	var qr mat.QR
	qr.Factorize(x)
	var want mat.VecDense
	if err := qr.SolveVecTo(&want, false, mat.NewVecDense(50, y)); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "coefficients", m.Coef, want.RawVector().Data, 1e-10)
	// More columns than rows: the solution of least norm fits exactly.
	x, y = made(5, 9)
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "exact", m.Predict(x), y, 1e-9)
}

func TestLIN03_LeastSquaresIsMaximumLikelihood(t *testing.T) {
	x, y := made(40, 3)
	m := &linear.LinearRegression{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	best := linear.GaussianLikelihood(y, m.Predict(x))
	rss := 0.0
	for i, p := range m.Predict(x) {
		rss += (y[i] - p) * (y[i] - p)
	}
	mltest.Near(t, "sigma2", best.Sigma2, rss/40, tol)
	for j := range m.Coef {
		for _, d := range []float64{-0.01, 0.01} {
			m.Coef[j] += d
			if linear.GaussianLikelihood(y, m.Predict(x)).Log >= best.Log {
				t.Error("another theta is more likely")
			}
			m.Coef[j] -= d
		}
	}
}

// E3-29: the partial derivative for each weight of a linear unit.
func TestLIN04_LMS(t *testing.T) {
	m := &linear.LMS{Rate: optim.ConstantRate(0.1), Epochs: 1, NoIntercept: true}
	if err := m.Fit(mat.NewDense(1, 2, []float64{1, 2}), []float64{3}); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "one step", m.Coef, []float64{.3, .6}, tol)
	x, y := made(200, 3)
	slow := &linear.LMS{Rate: optim.InverseRate{A: 30, B: 600}, Epochs: 200}
	ols := &linear.LinearRegression{}
	if err := slow.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := ols.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "approaches least squares", slow.Coef, ols.Coef, 0.05)
	if err := (&linear.LMS{Rate: optim.ConstantRate(50)}).Fit(x, y); err == nil {
		t.Error("divergence was not reported")
	}
}

func TestLIN05_Ridge(t *testing.T) {
	x, y := made(40, 3)
	m := &linear.Ridge{Lambda: 4, NoIntercept: true}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	want, err := optim.Tikhonov(x, y, 4)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "closed form", m.Coef, want.Coef, 1e-10)
	// E2-29: both terms have the factor, and the intercept is not penalized: shifting y changes
	// only the intercept.
	free, up := &linear.Ridge{Lambda: 4}, &linear.Ridge{Lambda: 4}
	if err := free.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	high := slices.Clone(y)
	floats.AddConst(1000, high)
	if err := up.Fit(x, high); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "coefficients after moving y", up.Coef, free.Coef, 1e-9)
	mltest.Near(t, "intercept after moving y", up.Intercept, free.Intercept+1000, 1e-9)
	p, err := linear.RidgePath(x, y, []float64{0.1, 1, 10, 100, 1e4})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(p.Coef); i++ {
		if floats.Norm(p.Coef[i], 2) >= floats.Norm(p.Coef[i-1], 2) {
			t.Error("a larger penalty gives a larger norm")
		}
	}
}

func TestLIN06_LassoOnOrthonormalColumns(t *testing.T) {
	// Columns of a scaled Hadamard matrix: x'x/n = I.
	h := mat.NewDense(4, 3, []float64{1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1})
	y := []float64{3, 1, -2, 0.5}
	m := &linear.Lasso{Lambda: 0.4, NoIntercept: true}
	if err := m.Fit(h, y); err != nil {
		t.Fatal(err)
	}
	for j := range 3 {
		dot := 0.0
		for i := range 4 {
			dot += h.At(i, j) * y[i] / 4
		}
		mltest.Near(t, "soft threshold", m.Coef[j], optim.SoftThreshold(dot, 0.4), 1e-10)
	}
	if len(m.Trace.Loss) > 2 {
		t.Errorf("took %d sweeps", len(m.Trace.Loss))
	}
	x, t2 := made(60, 6)
	p, err := linear.LassoPath(x, t2, []float64{0.001, 0.5, 100})
	if err != nil {
		t.Fatal(err)
	}
	n := func(w []float64) float64 { return optim.Norm(w, 0) }
	if n(p.Coef[2]) != 0 || n(p.Coef[1]) >= n(p.Coef[0]) {
		t.Errorf("zeros along the path: %v %v %v", n(p.Coef[0]), n(p.Coef[1]), n(p.Coef[2]))
	}
}

func TestLIN07_08_BothLabelings(t *testing.T) {
	x, y := overlapping(100)
	m := &linear.LogisticRegression{NoPenalty: true, Tol: 1e-10}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	// The cross-entropy gradient with labels 0 and 1 vanishes.
	grad := make([]float64, 3)
	for i, p := range col(m.PredictProba(x), 1) {
		e := p - float64(y[i])
		floats.AddScaled(grad, e, []float64{x.At(i, 0), x.At(i, 1), 1})
	}
	mltest.NearAll(t, "gradient", grad, []float64{0, 0, 0}, 1e-6)
	// Labels −1 and +1 give the same weights.
	pm := make([]int, len(y))
	for i, v := range y {
		pm[i] = 2*v - 1
	}
	m2 := &linear.LogisticRegression{NoPenalty: true, Tol: 1e-10}
	if err := m2.Fit(x, pm); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "weights", m2.Coef.RawRowView(0), m.Coef.RawRowView(0), tol)
	risk := &optim.LinearRisk{X: x, Y: floatsOf(pm), Loss: optim.LogisticLoss{}, Intercept: true}
	w := append(slices.Clone(m.Coef.RawRowView(0)), m.Intercept[0])
	mltest.Near(t, "loss", m.Trace.Loss[len(m.Trace.Loss)-1], 100*risk.Value(w), 1e-9)
	// A certain prediction has loss 0 if it is right, and unbounded loss if it is wrong.
	for _, s := range []float64{50, 500} {
		mltest.Near(t, "right", optim.LogisticLoss{}.Value(1, s), 0, 1e-20)
		mltest.Near(t, "wrong", optim.LogisticLoss{}.Value(-1, s), s, tol)
	}
}

func col(m *mat.Dense, j int) []float64 { return mat.Col(nil, j, m) }

func floatsOf(y []int) []float64 {
	var out []float64
	for _, v := range y {
		out = append(out, float64(v))
	}
	return out
}

func TestLIN09_IRLS(t *testing.T) {
	x, y := overlapping(100)
	newton, descent := &linear.LogisticMLE{}, &linear.LogisticRegression{NoPenalty: true, Tol: 1e-11}
	if err := newton.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := descent.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "same maximum", newton.Coef, descent.Coef.RawRowView(0), 1e-6)
	// Intercept only: a column of zeros would be dependent, so the constant is
	// the only feature.
	ones, y3 := mat.NewDense(10, 1, slices.Repeat([]float64{1}, 10)), []int{1, 1, 1, 0, 0, 0, 0, 0, 0, 0}
	c := &linear.LogisticMLE{NoIntercept: true}
	if err := c.Fit(ones, y3); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "log-odds", c.Coef[0], linear.Logit(0.3), 1e-9)
	mltest.Near(t, "standard error", c.StdErr[0], 1/math.Sqrt(10*0.3*0.7), 1e-9)
	if err := c.Fit(mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), []int{0, 0, 1, 1}); err == nil {
		t.Error("separable classes were fitted")
	}
}

func TestLIN10_PenaltyShrinks(t *testing.T) {
	x, y := overlapping(100)
	last := math.Inf(1)
	for _, c := range []float64{100, 1, 0.01} {
		m := &linear.LogisticRegression{C: c}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		n := mat.Norm(m.Coef, 2)
		if n >= last {
			t.Errorf("C = %v: norm %v, not below %v", c, n, last)
		}
		last = n
	}
	if err := (&linear.LogisticRegression{C: -1}).Fit(x, y); err == nil {
		t.Error("a negative C was accepted")
	}
}

func TestLIN11_Softmax(t *testing.T) {
	p := linear.Softmax([]float64{1, 2, 3})
	mltest.NearAll(t, "softmax", p, []float64{.0900, .2447, .6652}, 1e-4) // E3-33: e to the score
	mltest.NearAll(t, "shift", linear.Softmax([]float64{1001, 1002, 1003}), p, tol)
	// Two classes: the difference of the weights is logistic regression with the
	// penalty halved.
	x, y := overlapping(100)
	s, l := &linear.SoftmaxRegression{C: 1, Tol: 1e-10}, &linear.LogisticRegression{C: 2, Tol: 1e-10}
	if err := s.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := l.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	diff := make([]float64, 2)
	floats.SubTo(diff, s.Coef.RawRowView(1), s.Coef.RawRowView(0))
	mltest.NearAll(t, "difference", diff, l.Coef.RawRowView(0), 1e-6)
	mltest.NearAll(t, "sum", []float64{s.Coef.At(0, 0) + s.Coef.At(1, 0)}, []float64{0}, 1e-6)
}

func TestLIN12_MaxEntropy(t *testing.T) {
	x, y := overlapping(60)
	m := &linear.MaxEntropy{Tol: 1e-9}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	o, e := linear.FeatureExpectations(x, y, m.Classes(), m.PredictProba(x))
	if !mat.EqualApprox(o, e, 1e-5) {
		t.Errorf("expectations differ:\n%v\n%v", mat.Formatted(o), mat.Formatted(e))
	}
	// E0-42: the dual problem is logistic regression.
	l := &linear.LogisticRegression{NoPenalty: true, Tol: 1e-9}
	if err := l.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(l.PredictProba(x), m.PredictProba(x), 1e-6) {
		t.Error("logistic regression is another model")
	}
	// Iterative scaling reaches the same model.
	var shifted mat.Dense
	shifted.Apply(func(_, _ int, v float64) float64 { return v + 5 }, x)
	g := &linear.MaxEntropy{IterativeScaling: true, MaxIter: 100000, Tol: 1e-7}
	if err := g.Fit(&shifted, y); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(g.PredictProba(&shifted), m.PredictProba(x), 1e-3) {
		t.Error("iterative scaling found another model")
	}
	if err := g.Fit(x, y); err == nil {
		t.Error("iterative scaling accepted negative features")
	}
	// E0-40, E0-41: a conditional model for each x, which sums to 1 over y.
	for i := range y {
		mltest.Near(t, "Σ p(y|x)", mat.Sum(m.PredictProba(x).RowView(i)), 1, tol)
	}
	// No information: constant features give a uniform model over balanced classes.
	u := &linear.MaxEntropy{}
	if err := u.Fit(mat.NewDense(4, 1, nil), []int{0, 1, 0, 1}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "uniform", u.PredictProba(mat.NewDense(1, 1, nil)).At(0, 0), 0.5, 1e-9)
	// It has the maximum entropy of all models with the same expectations: a mixture with the
	// observed labels has the same expectations and less entropy.
	p := m.PredictProba(x)
	mixed := mat.DenseCopyOf(p)
	for i, v := range y {
		for c := range 2 {
			t := 0.0
			if c == v {
				t = 1
			}
			mixed.Set(i, c, 0.9*p.At(i, c)+0.1*t)
		}
	}
	if linear.ConditionalEntropy(mixed) >= linear.ConditionalEntropy(p) {
		t.Error("a model with the same expectations has more entropy")
	}
}

func TestLIN13_Sigmoid(t *testing.T) {
	mltest.Near(t, "at 0", linear.Sigmoid(0), 0.5, 0)
	mltest.Near(t, "slope at 0", linear.SigmoidDerivative(0), 0.25, 0)
	for _, z := range []float64{-800, -3, 0.2, 5, 800} {
		mltest.Near(t, "symmetry", linear.Sigmoid(-z), 1-linear.Sigmoid(z), tol)
		h := 1e-5
		mltest.Near(t, "derivative", linear.SigmoidDerivative(z), (linear.Sigmoid(z+h)-linear.Sigmoid(z-h))/(2*h), 1e-9)
		if (z > 0) != (linear.Sigmoid(z) > 0.5) {
			t.Errorf("sigma(%v) is on the wrong side of 1/2", z)
		}
	}
	mltest.Near(t, "inverse", linear.Logit(linear.Sigmoid(1.3)), 1.3, 1e-12)
}

func TestLIN14_Polynomial(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{-1, 0, 2, 3}), []float64{4, -1, 5, 7}
	m := &linear.PolynomialRegression{Degree: 3}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "through four points", m.Predict(x), y, 1e-9)
	v := linear.Vandermonde([]float64{-1, 0, 2, 3}, 3)
	for i := range 4 {
		mltest.Near(t, "coefficients of x itself", floats.Dot(v.RawRowView(i), m.Coef), y[i], 1e-9)
	}
}

func TestLIN15_Margins(t *testing.T) {
	theta := []float64{3, 4}
	x := mat.NewDense(3, 2, []float64{1, 1, -1, -1, 4, -3})
	p := linear.SignClassify(theta, 0, x)
	if p[0].Label != 1 || p[1].Label != -1 || p[2].Score != 0 || p[2].Label != linear.TieLabel {
		t.Errorf("got %+v", p)
	}
	mltest.Near(t, "distance", p[0].Distance, 7.0/5, tol)
	mltest.NearAll(t, "margins", linear.Margins(theta, 0, x, []int{1, 1, -1}), []float64{7, -7, 0}, tol)
}

func TestLIN16_SigmoidUnit(t *testing.T) {
	x, y := overlapping(40)
	f := linear.SigmoidUnitError{X: x, Y: floatsOf(y)}
	if e := optim.GradientCheck(f.Value, f.Gradient, []float64{0.3, -0.7, 0.2}); e > 1e-6 {
		t.Errorf("gradient error %v", e)
	}
	// E3-28: not convex: some chord passes below.
	if optim.ConvexChord(f.Value, func(r *randSource) []float64 {
		return []float64{8 * r.NormFloat64(), 8 * r.NormFloat64(), 8 * r.NormFloat64()}
	}, 2000, 1) == nil {
		t.Error("found no chord below the surface")
	}
	u := &linear.SigmoidUnit{}
	if err := u.Fit(x, []float64{2: 7, 39: 0}); err == nil {
		t.Error("a target of 7 was accepted")
	}
	// One step by hand, from w = 0: o = ½, and each w moves by η·(y − ½)·¼·x.
	one := &linear.SigmoidUnit{MaxIter: 1, Rate: optim.ConstantRate(2)}
	if err := one.Fit(mat.NewDense(1, 2, []float64{3, -1}), []float64{1}); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "one step", append(slices.Clone(one.Coef), one.Intercept), []float64{0.75, -0.25, 0.25}, tol)
	// Targets computed by a unit are recovered: the error falls to 0 at its weights.
	made := make([]float64, 40)
	for i := range made {
		made[i] = linear.Sigmoid(1.5*x.At(i, 0) - x.At(i, 1) + 0.5)
	}
	again := &linear.SigmoidUnit{Rate: optim.ConstantRate(10), MaxIter: 20000, Tol: 1e-10}
	if err := again.Fit(x, made); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "weights", append(slices.Clone(again.Coef), again.Intercept), []float64{1.5, -1, 0.5}, 1e-6)
	// Saturated on the wrong side it learns nothing: the plateau of the squared error.
	stuck := &linear.SigmoidUnit{Start: []float64{0, 0, 60}, MaxIter: 100}
	if err := stuck.Fit(x, make([]float64, 40)); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "on the plateau", append(slices.Clone(stuck.Coef), stuck.Intercept), []float64{0, 0, 60}, 1e-9)
}

func benchData(n, p int) (*mat.Dense, []int) {
	rng := model.Rand(1, 0)
	x, y := mat.NewDense(n, p, nil), make([]int, n)
	for i := range n {
		row, s := x.RawRowView(i), rng.NormFloat64()
		for j := range row {
			row[j] = rng.NormFloat64()
			s += row[j] / float64(j+1)
		}
		if s > 0 {
			y[i] = 1
		}
	}
	return x, y
}

func BenchmarkLogisticRegression(b *testing.B) {
	x, y := benchData(100000, 50)
	for b.Loop() {
		if err := (&linear.LogisticRegression{}).Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLinearRegression(b *testing.B) {
	x, y := benchData(100000, 50)
	for b.Loop() {
		if err := (&linear.LinearRegression{}).Fit(x, floatsOf(y)); err != nil {
			b.Fatal(err)
		}
	}
}

// Columns in units that differ by sixteen powers of ten are still columns: the normal
// equations are solved in units of their own.
func TestUnitsOfColumns(t *testing.T) {
	x, _ := overlapping(60)
	n, p := x.Dims()
	want := []float64{3, -2}
	for _, units := range [][]float64{{1e-8, 1e8}, {1e-80, 1e80}, {1e160, 1e160}, {1e-160, 1e-160}} {
		z, y := mat.NewDense(n, p, nil), make([]float64, n)
		for i := range n {
			y[i] = 1
			for j := range p {
				z.Set(i, j, x.At(i, j)*units[j])
				y[i] += want[j] * x.At(i, j)
			}
		}
		m := &linear.LinearRegression{}
		if err := m.Fit(z, y); err != nil {
			t.Fatal(units, err)
		}
		for j, w := range m.Coef {
			mltest.Near(t, fmt.Sprint("coefficient in units ", units), w*units[j], want[j], 1e-9)
		}
		mltest.NearAll(t, fmt.Sprint("predictions in units ", units), m.Predict(z), y, 1e-9)
	}
}

func TestLassoRefusesSquaresThatOverflow(t *testing.T) {
	x, y := overlapping(20)
	for _, unit := range []float64{1e170, 1e-170} {
		var z mat.Dense
		z.Scale(unit, x)
		target := make([]float64, len(y))
		for i, v := range y {
			target[i] = float64(v)
		}
		if err := (&linear.Lasso{}).Fit(&z, target); err == nil {
			t.Errorf("columns in units of %v were accepted", unit)
		}
	}
}

// Weights that sum to 1, as those of boosting do, lead to the same optimum as equal
// ones of 1 with a penalty that much smaller: the tolerance is for the mean.
func TestToleranceIsOfTheMean(t *testing.T) {
	x, y := overlapping(200)
	small := make([]float64, len(y))
	for i := range small {
		small[i] = 1.0 / 200
	}
	a, b := &linear.LogisticRegression{C: 200}, &linear.LogisticRegression{}
	if err := a.FitWeighted(x, y, small); err != nil {
		t.Fatal(err)
	}
	if err := b.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "coefficients", a.Coef.RawRowView(0), b.Coef.RawRowView(0), 1e-4)
}

// In a path λ = 0 means no penalty, not the default of 1.
func TestPathsFromZero(t *testing.T) {
	x, c := overlapping(40)
	y := make([]float64, len(c))
	for i, v := range c {
		y[i] = float64(v) + x.At(i, 1)
	}
	least := &linear.LinearRegression{}
	if err := least.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]func(mat.Matrix, []float64, []float64) (*linear.CoefPath, error){"ridge": linear.RidgePath, "lasso": linear.LassoPath} {
		p, err := path(x, y, []float64{0, 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, name+" at 0", p.Coef[0], least.Coef, 0)
		mltest.NearAll(t, name+" near 0", p.Coef[1], least.Coef, 1e-4)
	}
}

// The classes are separated equally well in any units and with any zero of the columns; with a
// penalty as weak as here, the predictions are the same.
func TestUnitsOfClassifiers(t *testing.T) {
	x, y := overlapping(80)
	n, p := x.Dims()
	const weak = 1e12 // C in the units of x
	for name, fresh := range map[string]func(c float64) model.ProbClassifier{
		"logistic":        func(c float64) model.ProbClassifier { return &linear.LogisticRegression{C: c, Tol: 1e-8} },
		"softmax":         func(c float64) model.ProbClassifier { return &linear.SoftmaxRegression{C: c, Tol: 1e-8} },
		"maximum entropy": func(float64) model.ProbClassifier { return &linear.MaxEntropy{Tol: 1e-8} },
	} {
		plain := fresh(weak)
		if err := plain.Fit(x, y); err != nil {
			t.Fatal(name, err)
		}
		want := plain.PredictProba(x)
		for what, change := range map[string]func(j int, v float64) float64{
			"far away": func(_ int, v float64) float64 { return v + 1e6 },
			"apart":    func(j int, v float64) float64 { return v * []float64{1e-4, 1e5}[j] },
			"tiny":     func(_ int, v float64) float64 { return v * 1e-100 },
			"constant": func(_ int, v float64) float64 { return v },
		} {
			z := mat.NewDense(n, p, nil)
			z.Apply(func(_, j int, v float64) float64 { return change(j, v) }, x)
			if what == "constant" {
				var wide mat.Dense
				three := mat.NewDense(n, 1, nil)
				three.Apply(func(int, int, float64) float64 { return 3.7 }, three)
				wide.Augment(z, three)
				z = &wide
			}
			c := weak
			if what == "tiny" || what == "apart" {
				c = 1e300 // the penalty is of the units too
			}
			m := fresh(c)
			if err := m.Fit(z, y); err != nil {
				t.Fatal(name, what, err)
			}
			// A sixth of the digits is lost if all columns start at a million.
			mltest.NearAll(t, name+", columns "+what, m.PredictProba(z).RawMatrix().Data, want.RawMatrix().Data, 1e-5)
		}
	}
}

func TestParametersThatCannotBe(t *testing.T) {
	x, y := overlapping(20)
	target := make([]float64, len(y))
	for name, err := range map[string]error{
		"Lasso, infinite":     (&linear.Lasso{Lambda: math.Inf(1)}).Fit(x, target),
		"Ridge, infinite":     (&linear.Ridge{Lambda: math.Inf(1)}).Fit(x, target),
		"Lasso, Tol":          (&linear.Lasso{Tol: math.NaN()}).Fit(x, target),
		"logistic, Tol":       (&linear.LogisticRegression{Tol: -1}).Fit(x, y),
		"softmax, Tol":        (&linear.SoftmaxRegression{Tol: math.NaN()}).Fit(x, y),
		"maximum entropy Tol": (&linear.MaxEntropy{Tol: math.NaN()}).Fit(x, y),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
