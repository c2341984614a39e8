package optim_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

const tol = 1e-12

func TestOPT01_ZeroOne(t *testing.T) {
	l := optim.ZeroOneLoss{}
	// E0-24: a positive margin costs nothing; E0-25: a tie is a mistake.
	for _, tt := range []struct{ y, s, want float64 }{{1, 2, 0}, {1, -2, 1}, {-1, -2, 0}, {1, 0, 1}, {-1, 0, 1}} {
		mltest.Near(t, "0-1", l.Value(tt.y, tt.s), tt.want, 0)
	}
}

// E0-57, E2-09: max{0, 1−ys} is 0 from ys = 1 on, with slope −y before; E4-06: at
// the kink a subgradient is chosen.
func TestOPT02_Hinge(t *testing.T) {
	l := optim.HingeLoss{}
	mltest.Near(t, "s=.3", l.Value(1, 0.3), 0.7, tol)
	mltest.Near(t, "slope inside", l.Derivative(1, 0.3), -1, 0)
	mltest.Near(t, "slope inside, negative", l.Derivative(-1, 0.3), 1, 0)
	mltest.Near(t, "slope outside", l.Derivative(1, 1.5), 0, 0)
	if k := l.Derivative(1, 1); k < -1 || k > 0 {
		t.Errorf("%v is no subgradient at the kink", k)
	}
}

func TestOPT03_Logistic(t *testing.T) {
	mltest.Near(t, "nats", optim.LogisticLoss{}.Value(1, 0), 0.6931, 1e-4)
	mltest.Near(t, "bits", optim.LogisticLoss{Base2: true}.Value(-1, 0), 1, tol)
	mltest.Near(t, "far right", optim.LogisticLoss{}.Value(1, 800), 0, tol)
	mltest.Near(t, "far wrong", optim.LogisticLoss{}.Value(-1, 800), 800, tol)
	// E1-19: it is called logistic.
	if name := (optim.LogisticLoss{}).Name(); name != "logistic" {
		t.Errorf("it is called %q", name)
	}
}

func TestOPT04_Exponential(t *testing.T) {
	mltest.Near(t, "s=0", optim.ExponentialLoss{}.Value(1, 0), 1, 0)
	if (optim.ExponentialLoss{}).Value(1, 20) <= 0 {
		t.Error("reached zero")
	}
}

// The derivative of every loss agrees with differences away from its kinks.
func TestOPT05_LossDerivatives(t *testing.T) {
	losses := append(optim.MarginLosses()[1:], optim.LogisticLoss{}, optim.SquaredLoss{}, optim.AbsoluteLoss{},
		optim.HuberLoss{}, optim.HuberLoss{Delta: 0.3}, optim.EpsilonInsensitiveLoss{Epsilon: 0.1})
	for _, l := range losses {
		for _, y := range []float64{-1, 1} {
			for _, s := range []float64{-2.3, -0.77, 0.21, 0.64, 3.1} {
				h := 1e-6
				want := (l.Value(y, s+h) - l.Value(y, s-h)) / (2 * h)
				mltest.Near(t, l.Name(), l.Derivative(y, s), want, 1e-7)
			}
		}
	}
	mltest.Near(t, "squared", optim.SquaredLoss{}.Value(3, 1), 2, tol) // E2-08: half the square
}

func TestOPT06_AbsoluteMedian(t *testing.T) {
	y := []float64{1, 2, 3, 10, 50}
	risk := func(c float64) float64 {
		return optim.EmpiricalRisk(optim.AbsoluteLoss{}, y, slices.Repeat([]float64{c}, 5))
	}
	for _, c := range []float64{2.9, 3.1, 13.2, 1} {
		if risk(c) <= risk(3) {
			t.Errorf("%v is as good as the median", c)
		}
	}
}

func TestOPT07_Huber(t *testing.T) {
	h := optim.HuberLoss{Delta: 1}
	mltest.Near(t, "r=3", h.Value(3, 0), 2.5, tol)
	mltest.Near(t, "r=-3", h.Value(-3, 0), 2.5, tol) // E2-28: the absolute value
	mltest.Near(t, "continuous", h.Value(1+1e-9, 0), h.Value(1-1e-9, 0), 1e-8)
	mltest.Near(t, "smooth", h.Derivative(1+1e-9, 0), h.Derivative(1-1e-9, 0), 1e-8)
}

// Stochastic descent on the perceptron loss with step 1 is the perceptron (E4-04:
// what it descends on is not the 0-1 loss).
func TestOPT08_PerceptronIsSGD(t *testing.T) {
	rng := model.Rand(2, 0)
	x, y := mat.NewDense(40, 3, nil), make([]float64, 40)
	for i := range y {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64(), 1})
		y[i] = 1
		if x.At(i, 0)+0.5*x.At(i, 1) < 0.2 {
			y[i] = -1
		}
	}
	s := optim.SGD{Rate: optim.ConstantRate(1), Epochs: 5, NoShuffle: true, KeepPath: true}
	got, err := s.Minimize(&optim.LinearRisk{X: x, Y: y, Loss: optim.PerceptronLoss{}}, make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, 3)
	step := 0
	for range 5 {
		for i := range y {
			if dot := w[0]*x.At(i, 0) + w[1]*x.At(i, 1) + w[2]*x.At(i, 2); y[i]*dot <= 0 {
				for j := range w {
					w[j] += y[i] * x.At(i, j)
				}
			}
			step++
			mltest.NearAll(t, "weights", got.Path[step], w, tol)
		}
	}
}

func TestOPT09_SurrogatesBoundZeroOne(t *testing.T) {
	for _, l := range optim.MarginLosses()[2:] {
		for z := -3.0; z <= 3; z += 0.1 {
			if l.Value(1, z) < (optim.ZeroOneLoss{}).Value(1, z)-tol {
				t.Errorf("%s at margin %v is below the 0-1 loss", l.Name(), z)
			}
		}
		if c := optim.ConvexChord(func(x []float64) float64 { return l.Value(1, x[0]) }, onLine(-4, 4), 2000, 1); c != nil {
			t.Errorf("%s is not convex: %+v", l.Name(), c)
		}
	}
	mltest.NearAll(t, "curve", optim.LossCurve(optim.HingeLoss{}, []float64{-1, 0, 1, 2}), []float64{2, 1, 0, 0}, 0)
}

func onLine(lo, hi float64) func(*rand.Rand) []float64 {
	return func(r *rand.Rand) []float64 { return []float64{lo + r.Float64()*(hi-lo)} }
}

func TestOPT10_EpsilonInsensitive(t *testing.T) {
	e := optim.EpsilonInsensitiveLoss{Epsilon: 0.1}
	mltest.Near(t, "r=.3", e.Value(0.3, 0), 0.2, tol)
	mltest.Near(t, "inside", e.Value(0.05, 0), 0, 0)
}

func regression(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			y[i] += float64(j+1) * v
		}
		y[i] += 0.5 * rng.NormFloat64()
	}
	return x, y
}

func TestOPT11_ThreeForms(t *testing.T) {
	x, y := regression(40, 3, 1)
	ti, err := optim.Tikhonov(x, y, 7)
	if err != nil {
		t.Fatal(err)
	}
	iv, err := optim.Ivanov(x, y, ti.Norm)
	if err != nil {
		t.Fatal(err)
	}
	mo, err := optim.Morozov(x, y, ti.Loss)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "norm-constrained", iv.Coef, ti.Coef, 1e-9)
	mltest.NearAll(t, "loss-constrained", mo.Coef, ti.Coef, 1e-6) // the loss is flat in lambda to first order
	mltest.Near(t, "multiplier", iv.Lambda, 7, 1e-8)
	// Normal equations: (X'X + lambda I) w = X'y.
	var a mat.Dense
	a.Mul(x.T(), x)
	for j := range 3 {
		a.Set(j, j, a.At(j, j)+7)
	}
	var l, r mat.VecDense
	l.MulVec(&a, mat.NewVecDense(3, ti.Coef))
	r.MulVec(x.T(), mat.NewVecDense(40, y))
	for j := range 3 {
		mltest.Near(t, "normal equation", l.AtVec(j), r.AtVec(j), 1e-9)
	}
	if iv, _ = optim.Ivanov(x, y, 1e9); iv.Lambda != 0 {
		t.Errorf("a loose constraint has multiplier %v", iv.Lambda)
	}
	if _, err := optim.Morozov(x, y, 0); err == nil {
		t.Error("an unreachable loss was accepted")
	}
}

func TestOPT12_Norms(t *testing.T) {
	w := []float64{3, -4, 0}
	for _, tt := range []struct{ p, want float64 }{{0, 2}, {1, 7}, {2, 5}, {math.Inf(1), 4}, {0.5, math.Pow(math.Sqrt(3)+2, 2)}} {
		mltest.Near(t, "norm", optim.Norm(w, tt.p), tt.want, tol)
	}
	for _, p := range []float64{0.5, 1, 2, math.Inf(1)} {
		x, y := optim.UnitBall(p, 64)
		for i := range x {
			mltest.Near(t, "on the ball", optim.Norm([]float64{x[i], y[i]}, p), 1, 1e-12)
		}
		c := optim.ConvexSet(func(v []float64) bool { return optim.Norm(v, p) <= 1 },
			func(r *rand.Rand) []float64 { return []float64{2*r.Float64() - 1, 2*r.Float64() - 1} }, 3000, 1)
		if (c == nil) != optim.IsConvexNorm(p) {
			t.Errorf("p = %v: counterexample %+v", p, c)
		}
	}
	// E0-30: the corner of the diamond lies on an axis.
	x, y := optim.UnitBall(1, 4)
	mltest.NearAll(t, "corners", append(x, y...), []float64{1, 0, -1, 0, 0, 1, 0, -1}, 1e-12)
}

func TestOPT13_Shrinkage(t *testing.T) {
	// Orthonormal design: each coordinate of the minimizer is thresholded (l1) or
	// divided (l2); compare with brute-force minimization.
	for _, v := range []float64{-2, -0.3, 0, 0.4, 1.7} {
		l1, l2 := math.Inf(1), math.Inf(1)
		var w1, w2 float64
		for w := -3.0; w <= 3; w += 1e-4 {
			if f := (w-v)*(w-v)/2 + 0.5*math.Abs(w); f < l1 {
				l1, w1 = f, w
			}
			if f := (w-v)*(w-v)/2 + 0.25*w*w; f < l2 {
				l2, w2 = f, w
			}
		}
		mltest.Near(t, "soft threshold", optim.SoftThreshold(v, 0.5), w1, 2e-4)
		mltest.Near(t, "shrinkage", optim.Shrink(v, 0.5), w2, 2e-4)
	}
	// l2 does not change under rotation, l1 does.
	a, b := []float64{1, 0}, []float64{math.Sqrt(0.5), math.Sqrt(0.5)}
	mltest.Near(t, "l2", optim.L2Penalty{Lambda: 1}.Value(a), optim.L2Penalty{Lambda: 1}.Value(b), tol)
	if (optim.L1Penalty{Lambda: 1}).Value(a) >= (optim.L1Penalty{Lambda: 1}).Value(b) {
		t.Error("l1 does not prefer the sparse vector")
	}
}

func TestOPT14_PredictionChange(t *testing.T) {
	w := []float64{3, -4}
	bound := optim.PredictionChange(w, 0.1)
	mltest.Near(t, "bound", bound, 0.5, tol) // E0-29: large weights, not weights at all, make large changes
	mltest.Near(t, "met along w", w[0]*0.06+w[1]*-0.08, bound, tol)
}

func TestOPT15_ConvexSets(t *testing.T) {
	box := func(r *rand.Rand) []float64 { return []float64{6*r.Float64() - 3, 6*r.Float64() - 3} }
	for _, tt := range []struct {
		name     string
		contains func(x []float64) bool
		convex   bool
	}{
		// E0-26: the open ball is convex, |x| > √2 is not.
		{"open ball", func(x []float64) bool { return optim.Norm(x, 2) < 1 }, true},
		{"half plane and ball", func(x []float64) bool { return optim.Norm(x, 2) < 2 && x[0]+x[1] > 0 }, true},
		{"affine image of a ball", func(x []float64) bool { return optim.Norm([]float64{x[0] + x[1], 2 * x[1]}, 2) < 1 }, true},
		{"x^2 > 2", func(x []float64) bool { return x[0]*x[0] > 2 }, false},
		{"ring", func(x []float64) bool { n := optim.Norm(x, 2); return n > 1 && n < 2 }, false},
	} {
		if c := optim.ConvexSet(tt.contains, box, 2000, 3); (c == nil) != tt.convex {
			t.Errorf("%s: counterexample %+v, want convex %v", tt.name, c, tt.convex)
		}
	}
}

func TestOPT16_17_ConvexFunctions(t *testing.T) {
	for _, e := range optim.ConvexExamples() {
		f := func(x []float64) float64 { return e.F(x[0]) }
		draw := onLine(e.Low, e.High)
		for test, c := range map[string]*optim.Counterexample{
			"chord": optim.ConvexChord(f, draw, 3000, 1), "tangent": optim.ConvexTangent(f, draw, 3000, 1),
		} {
			if (c == nil) != e.Convex {
				t.Errorf("%s: %s test found %+v, want convex %v", e.Name, test, c, e.Convex)
			}
		}
	}
	// E0-28: 1/log x is not convex on (e^-2, 1).
	mltest.Near(t, "f''(.3)", optim.SecondDerivative(func(x float64) float64 { return 1 / math.Log(x) }, 0.3), -5.07, 1e-3)
	quad := func(x []float64) float64 { return x[0]*x[0] - x[1]*x[1] }
	box := func(r *rand.Rand) []float64 { return []float64{r.NormFloat64(), r.NormFloat64()} }
	if optim.ConvexCurvature(quad, box, 200, 1) == nil {
		t.Error("a saddle passed the curvature test")
	}
	// E0-27: x^4 is strictly convex with f'' = 0 at 0.
	four := func(x []float64) float64 { return math.Pow(x[0], 4) + math.Pow(x[1], 4) }
	if c := optim.ConvexCurvature(four, box, 500, 1); c != nil {
		t.Errorf("x^4: %+v", c)
	}
}

func cone(x []float64) float64 { return math.Hypot(x[0], x[1]) }

func TestOPT18_Gradient(t *testing.T) {
	at := []float64{3, 4}
	g := optim.NumericalGradient(cone, at)
	mltest.NearAll(t, "gradient", g, []float64{0.6, 0.8}, 1e-8)
	mltest.Near(t, "steepest", optim.DirectionalDerivative(cone, at, g), 1, 1e-8)
	mltest.Near(t, "along the level set", optim.DirectionalDerivative(cone, at, []float64{-4, 3}), 0, 1e-8)
	h := optim.NumericalHessian(func(x []float64) float64 { return x[0]*x[0] + 3*x[0]*x[1] }, at)
	mltest.Near(t, "hessian", h.At(0, 1), 3, 1e-5)
	mltest.Near(t, "hessian", h.At(0, 0), 2, 1e-5)
}

var parabola = optim.Function{F: func(x []float64) float64 { return x[0] * x[0] }, G: func(d, x []float64) { d[0] = 2 * x[0] }}

func TestOPT19_GradientDescent(t *testing.T) {
	g := optim.GradientDescent{Rate: optim.ConstantRate(0.1), KeepPath: true}
	m, err := g.Minimize(parabola, []float64{5})
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k < 10; k++ {
		mltest.Near(t, "factor", m.Path[k][0]/m.Path[k-1][0], 0.8, 1e-12)
	}
	if m.Reason != optim.StopGradient || !m.Trace.Converged {
		t.Errorf("ended by %v", m.Reason)
	}
	g = optim.GradientDescent{Rate: optim.ConstantRate(1.1), MaxIter: 100000}
	if m, _ = g.Minimize(parabola, []float64{5}); m.Reason != optim.StopDiverged || math.IsInf(m.X[0], 0) {
		t.Errorf("step 1.1: %v", m)
	}
}

func TestOPT20_StochasticGradientIsUnbiased(t *testing.T) {
	x, y := regression(30, 4, 3)
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}, Penalty: optim.L2Penalty{Lambda: 0.2}, Intercept: true}
	p := []float64{1, -1, 0.5, 2, 0.3}
	// E1-16: the gradient is by the weights, at one w for all examples; E4-05: one
	// example has it only on average.
	sum := make([]float64, 5)
	for i := range 30 {
		r.AddGradient(sum, p, i)
	}
	for j := range sum {
		sum[j] /= 30
	}
	mltest.NearAll(t, "mean of example gradients", sum, optim.BatchGradient(r, p), tol)
	mltest.NearAll(t, "gradient of the risk", optim.NumericalGradient(r.Value, p), sum, 1e-7)
}

func TestOPT21_FullBatchIsBatchDescent(t *testing.T) {
	x, y := regression(20, 2, 4)
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}
	s := optim.SGD{Batch: 99, Epochs: 15, KeepPath: true, Rate: optim.ConstantRate(0.3)}
	a, err := s.Minimize(r, make([]float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	g := optim.GradientDescent{MaxIter: 15, KeepPath: true, Rate: optim.ConstantRate(0.3)}
	b, err := g.Minimize(r, make([]float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	for k := range b.Path {
		mltest.NearAll(t, "iterate", a.Path[k], b.Path[k], 1e-12)
	}
}

func TestOPT22_Schedules(t *testing.T) {
	s := optim.InverseRate{}
	var sum, squares float64
	for k := 1; k <= 200000; k++ {
		sum += s.Rate(k)
		squares += s.Rate(k) * s.Rate(k)
	}
	mltest.Near(t, "sum of squares", squares, math.Pi*math.Pi/6, 1e-5)
	mltest.Near(t, "sum grows like log", sum, math.Log(200000)+0.5772, 1e-4)
	mltest.Near(t, "sqrt", optim.InverseSqrtRate(2).Rate(4), 1, 0)
	mltest.Near(t, "a/(b+k)", optim.InverseRate{A: 3, B: 2}.Rate(1), 1, 0)
	mltest.Near(t, "strongly convex", optim.StrongConvexRate{Lambda: 0.1}.Rate(1), 10, tol) // E4-11
}

func TestOPT23_SubgradientBound(t *testing.T) {
	// E0-58: the squares of 1/√k have no finite sum, and the bound still goes to 0,
	// like log k/√k.
	root := optim.InverseSqrtRate(1)
	for k := 100; k <= 1000000; k *= 100 {
		bound := optim.SubgradientBound(1, 1, root, k)
		mltest.Near(t, "bound for 1/√k", bound*4*math.Sqrt(float64(k))/(1+math.Log(float64(k))), 1, 0.2)
	}
	for _, s := range []optim.Schedule{optim.ConstantRate(0.1), optim.InverseSqrtRate(0.3), optim.InverseRate{}} {
		x, best := 1.0, 1.0
		for k := 1; k <= 500; k++ {
			if x > 0 {
				x -= s.Rate(k)
			} else if x < 0 {
				x += s.Rate(k)
			}
			if best > optim.SubgradientBound(1, 1, s, k)+tol {
				t.Fatalf("%v: gap %v after %d steps is above the bound", s, best, k)
			}
			best = min(best, math.Abs(x))
		}
	}
}

func TestOPT24_WeightDecayIsL2(t *testing.T) {
	x, y := regression(25, 2, 5)
	decay := optim.SGD{Decay: 0.3, Epochs: 3, NoShuffle: true, Rate: optim.ConstantRate(0.05)}
	a, err := decay.Minimize(&optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	penalty := optim.SGD{Epochs: 3, NoShuffle: true, Rate: optim.ConstantRate(0.05)}
	b, err := penalty.Minimize(&optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}, Penalty: optim.L2Penalty{Lambda: 0.3}}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "weights", a.X, b.X, 1e-12)
}

func TestOPT25_HingeSGD(t *testing.T) {
	// With λ = 0, η = 1 and the hinge at 0 the steps are those of the perceptron,
	// TestOPT08. With λ and the hinge at 1: update where y·w·x < 1, then decay.
	one := &optim.LinearRisk{X: mat.NewDense(3, 2, []float64{1, 2, -1, 0.5, 4, 4}), Y: []float64{1, -1, 1}, Loss: optim.HingeLoss{}, Penalty: optim.L2Penalty{Lambda: 0.5}}
	byHand := optim.SGD{Rate: optim.ConstantRate(0.1), Epochs: 1, NoShuffle: true, KeepPath: true}
	path, err := byHand.Minimize(one, make([]float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	// (0, 0) → 0.1·(1, 2). Score 0 < 1 of y = −1: 0.95·(0.1, 0.2) − 0.1·(−1, 0.5).
	// Score 0.195·4 + 0.14·4 = 1.34 > 1: only decay.
	for step, want := range [][]float64{{0, 0}, {0.1, 0.2}, {0.195, 0.14}, {0.18525, 0.133}} {
		mltest.NearAll(t, "step by hand", path.Path[step], want, tol)
	}
	rng := model.Rand(6, 0)
	x, y := mat.NewDense(200, 2, nil), make([]float64, 200)
	for i := range y {
		y[i] = float64(2*(i%2) - 1)
		x.SetRow(i, []float64{2*y[i] + rng.NormFloat64(), rng.NormFloat64()})
	}
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.HingeLoss{}, Penalty: optim.L2Penalty{Lambda: 0.1}}
	s := optim.SGD{Rate: optim.StrongConvexRate{Lambda: 0.1}, Epochs: 200, Average: true, Seed: 1}
	got, err := s.Minimize(r, make([]float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	c := optim.CoordinateDescent{}
	best, err := c.Minimize(r.Value, []float64{0.5, 0})
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "objective", got.Value, best.Value, 0.01)
}

func TestOPT26_AdaGrad(t *testing.T) {
	r := optim.AdaGradRates(1, [][]float64{{1, 0}, {1, 2}})
	mltest.NearAll(t, "after two", r[1], []float64{1 / math.Sqrt2, 0.5}, tol)
	if !math.IsInf(r[0][1], 1) { // E1-17
		t.Errorf("rate of an unseen feature: %v", r[0][1])
	}
	x, y := regression(50, 2, 7)
	for i := range 50 {
		x.Set(i, 1, 100*x.At(i, 1)) // badly scaled
	}
	s := optim.SGD{AdaGrad: true, Rate: optim.ConstantRate(0.5), Epochs: 300, Seed: 1}
	got, err := s.Minimize(&optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}, make([]float64, 2))
	if err != nil {
		t.Fatal(err)
	}
	best, err := optim.Tikhonov(x, y, 0)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "objective", got.Value, best.Loss/50, 0.05)
	if got.Rates[0] < 10*got.Rates[1] {
		t.Errorf("rates %v: the small-scale feature should have much the larger", got.Rates)
	}
}

func TestOPT27_Momentum(t *testing.T) {
	ravine := optim.Function{F: func(x []float64) float64 { return x[0]*x[0]/2 + 50*x[1]*x[1] },
		G: func(d, x []float64) { d[0], d[1] = x[0], 100*x[1] }}
	iters := func(alpha float64) int {
		g := optim.GradientDescent{Rate: optim.ConstantRate(0.01), Momentum: alpha, MaxIter: 5000, Tol: 1e-6}
		m, err := g.Minimize(ravine, []float64{10, 1})
		if err != nil || !m.Trace.Converged {
			t.Fatal(m, err)
		}
		return m.Iter
	}
	// E3-31: it speeds up; the learning rate is the same.
	if plain, heavy := iters(0), iters(0.8); heavy*3 > plain {
		t.Errorf("momentum took %d steps, plain %d", heavy, plain)
	}
}

func TestOPT28_EarlyStopping(t *testing.T) {
	x, y := regression(12, 10, 8)
	vx, vy := regression(200, 10, 9)
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}
	val := &optim.LinearRisk{X: vx, Y: vy, Loss: optim.SquaredLoss{}}
	s := optim.SGD{Rate: optim.ConstantRate(0.02), Epochs: 3000, Validation: val.Value, Patience: 20, Seed: 1}
	got, err := s.Minimize(r, make([]float64, 10))
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "value at the returned weights", val.Value(got.X), slices.Min(got.Validation), tol)
	mltest.Near(t, "best epoch", got.Validation[got.BestEpoch-1], slices.Min(got.Validation), 0)
	if got.Reason != optim.StopEarly {
		t.Errorf("ended by %v", got.Reason)
	}
}

func TestOPT29_Multinomial(t *testing.T) {
	theta, lambda := optim.MultinomialMLE([]float64{2, 3, 5})
	mltest.NearAll(t, "theta", theta, []float64{.2, .3, .5}, tol) // E0-33: all n examples count, and the θ sum to 1
	mltest.Near(t, "lambda", lambda, 10, tol)
	like := func(p []float64) float64 { return 2*math.Log(p[0]) + 3*math.Log(p[1]) + 5*math.Log(p[2]) }
	rng := model.Rand(1, 0)
	for range 200 {
		p := []float64{rng.ExpFloat64(), rng.ExpFloat64(), rng.ExpFloat64()}
		s := p[0] + p[1] + p[2]
		if like([]float64{p[0] / s, p[1] / s, p[2] / s}) > like(theta)+tol {
			t.Fatal("a random point of the simplex is more likely")
		}
	}
}

func TestOPT30_Sphere(t *testing.T) {
	theta, lambda := optim.SphereMLE([]float64{1, 4, 4})
	mltest.NearAll(t, "theta", theta, []float64{1. / 3, 2. / 3, 2. / 3}, tol)
	// E0-34, E0-35: stationarity of L = Σ x log θ + λ(Σ θ² − 1) with θ ≥ 0.
	mltest.Near(t, "lambda", lambda, -4.5, tol)
	for d, x := range []float64{1, 4, 4} {
		mltest.Near(t, "stationary", x/theta[d]+2*lambda*theta[d], 0, 1e-12)
	}
}

func TestOPT31_WeakDuality(t *testing.T) {
	g := optim.WeakDuality(mat.NewDense(2, 2, []float64{1, -1, -1, 1}))
	if g.MaxMin != -1 || g.MinMax != 1 || g.Gap != 2 {
		t.Errorf("matching pennies: %+v", g)
	}
	rng := model.Rand(3, 0)
	for range 100 {
		m := mat.NewDense(4, 5, nil)
		for i := range 20 {
			m.Set(i/5, i%5, rng.NormFloat64())
		}
		if optim.WeakDuality(m).Gap < 0 {
			t.Fatal("max min exceeds min max")
		}
	}
	if g := optim.WeakDuality(mat.NewDense(2, 2, []float64{4, 2, 1, 0})); g.Gap != 0 {
		t.Errorf("a saddle point has a gap: %+v", g)
	}
}

func TestOPT32_CoordinateDescentIsGaussSeidel(t *testing.T) {
	a := [][]float64{{4, 1, 0.5}, {1, 3, -0.7}, {0.5, -0.7, 2}}
	b := []float64{1, -2, 0.5}
	f := func(x []float64) float64 {
		s := 0.0
		for i := range x {
			for j := range x {
				s += x[i] * a[i][j] * x[j] / 2
			}
			s -= b[i] * x[i]
		}
		return s
	}
	c := optim.CoordinateDescent{KeepPath: true}
	m, err := c.Minimize(f, make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 3)
	for k := range 9 {
		j := k % 3
		x[j] = b[j]
		for i := range x {
			if i != j {
				x[j] -= a[j][i] * x[i]
			}
		}
		x[j] /= a[j][j]
		mltest.NearAll(t, "sweep", m.Path[k+1], x, 1e-7)
	}
	if !m.Trace.Converged {
		t.Errorf("ended by %v", m.Reason)
	}
	if m, _ = c.Minimize(func(x []float64) float64 { return -x[0] }, []float64{0}); m.Reason != optim.StopDiverged {
		t.Errorf("unbounded: %v", m.Reason)
	}
}

func TestOPT33_GradientCheck(t *testing.T) {
	x, y := regression(20, 3, 10)
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.LogisticLoss{}, Penalty: optim.L2Penalty{Lambda: 1}, Intercept: true}
	p := []float64{0.3, -0.2, 0.1, 0.5}
	if e := optim.GradientCheck(r.Value, r.Gradient, p); e > 1e-6 {
		t.Errorf("error %v", e)
	}
	wrong := func(d, x []float64) { r.Gradient(d, x); d[1] = -d[1] }
	if e := optim.GradientCheck(r.Value, wrong, p); e < 1e-3 {
		t.Errorf("a wrong sign passed with error %v", e)
	}
}

func TestOPT34_ReadLossCurve(t *testing.T) {
	x, y := regression(60, 2, 11)
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}
	for _, tt := range []struct {
		eta  float64
		n    int
		want optim.LossPattern
	}{
		{0.5, 100, optim.PatternConverged}, {0.002, 60, optim.PatternFalling}, {3, 60, optim.PatternDiverging},
	} {
		g := optim.GradientDescent{Rate: optim.ConstantRate(tt.eta), MaxIter: tt.n}
		m, err := g.Minimize(r, make([]float64, 2))
		if err != nil {
			t.Fatal(err)
		}
		if got := optim.ReadLossCurve(m.Trace.Loss); got != tt.want {
			t.Errorf("rate %v: %q, want %q", tt.eta, got, tt.want)
		}
	}
	// A step that overshoots |x| from both sides.
	var loss []float64
	for k := range 40 {
		loss = append(loss, 1+0.3*float64(k%2)-0.001*float64(k)+3*math.Exp(-float64(k)))
	}
	if got := optim.ReadLossCurve(loss); got != optim.PatternOscillating {
		t.Errorf("zigzag: %q", got)
	}
}

func TestOPT35_Smoothed(t *testing.T) {
	// E0-05: smoothed analysis: exponential without noise, few steps with it.
	for n := 2; n <= 8; n++ {
		p, err := optim.SmoothedSimplex(n, 0, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if p[0] != 1<<n-1 {
			t.Errorf("Klee-Minty cube of %d dimensions: %d pivots, want %d", n, p[0], 1<<n-1)
		}
	}
	p, err := optim.SmoothedSimplex(10, 0.1, 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	var f []float64
	for _, v := range p {
		f = append(f, float64(v))
	}
	if m := stat.Mean(f, nil); m > 100 { // 1023 without noise
		t.Errorf("mean of %v pivots with noise", m)
	}
	its, err := optim.SmoothedLloyd([]float64{0, 1, 2, 10, 11, 12}, []float64{0, 1}, 0.1, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Max(its) > 5 || slices.Min(its) < 2 {
		t.Errorf("passes of Lloyd's algorithm: %v", its)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := optim.GradientDescent{Control: model.Control{Context: ctx}}
	if _, err := g.Minimize(parabola, []float64{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	x, y := regression(5, 1, 1)
	s := optim.SGD{Control: model.Control{Context: ctx}}
	if _, err := s.Minimize(&optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}, []float64{0}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkSGD(b *testing.B) {
	x, y := regression(2000, 20, 1)
	r := &optim.LinearRisk{X: x, Y: y, Loss: optim.SquaredLoss{}}
	s := optim.SGD{Epochs: 5, Rate: optim.ConstantRate(0.01)}
	for b.Loop() {
		if _, err := s.Minimize(r, make([]float64, 20)); err != nil {
			b.Fatal(err)
		}
	}
}
