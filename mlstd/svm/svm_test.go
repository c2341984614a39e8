package svm_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// exact is for values that a few roundings separate from the true ones.
const exact = 1e-12

// The two points of the worked example: w = (½, ½), b = 0, margin √2, α = ¼.
var (
	pair, pairClass = mat.NewDense(2, 2, []float64{1, 1, -1, -1}), []int{1, -1}
	xor, xorClass   = mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{-1, 1, 1, -1}
	quadratic       = kernel.PolynomialKernel{Degree: 2, C: 1}
)

// separable draws two clouds that a line separates, and labels −1 and +1.
func separable(n int, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 2*(i%2) - 1
		x.SetRow(i, []float64{rng.Float64()*2 + 1.3*float64(y[i]), 2 * rng.NormFloat64()})
	}
	return x, y
}

// blurred draws two clouds that overlap, and labels −1 and +1.
func blurred(n int, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 2*(i%2) - 1
		x.SetRow(i, []float64{rng.NormFloat64() + 0.8*float64(y[i]), rng.NormFloat64()})
	}
	return x, y
}

func TestConformance(t *testing.T) {
	order := "the order of the examples decides which are drawn"
	t.Run("SVC", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.SVC{Tol: 1e-10} }, modeltest.Options{Tolerance: 1e-6})
	})
	t.Run("SVC of two classes", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.SVC{Tol: 1e-10, Kernel: kernel.LinearKernel{}} },
			modeltest.Options{Binary: true, Tolerance: 1e-6})
	})
	t.Run("CalibratedSVC", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.CalibratedSVC{} },
			modeltest.Options{Skip: map[string]string{"row permutation": "the order of the examples decides the folds"}})
	})
	t.Run("PlattSMO", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.PlattSMO{Tol: 1e-8} }, modeltest.Options{Binary: true, Tolerance: 1e-5})
	})
	t.Run("HardMarginSVM", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.HardMarginSVM{} }, modeltest.Options{Binary: true, Tolerance: 1e-6})
	})
	t.Run("LinearSVC", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.LinearSVC{Tol: 1e-11, MaxIter: 100000} }, modeltest.Options{Tolerance: 1e-6})
	})
	t.Run("SubgradientSVM", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.SubgradientSVM{} }, modeltest.Options{Binary: true, Tolerance: 1e-6})
	})
	t.Run("Pegasos", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.Pegasos{} },
			modeltest.Options{Binary: true, Skip: map[string]string{"row permutation": order}})
	})
	t.Run("NuSVC", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &svm.NuSVC{Nu: 0.3, Tol: 1e-9} }, modeltest.Options{Tolerance: 1e-6})
	})
	units := map[string]string{"target scale": "C limits coefficients that have the unit of the target"}
	t.Run("NuSVR", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &svm.NuSVR{Kernel: kernel.LinearKernel{}, C: 10, Tol: 1e-10} },
			modeltest.Options{Tolerance: 1e-6, Skip: units})
	})
	t.Run("SVR", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &svm.SVR{Kernel: kernel.LinearKernel{}, C: 10, Tol: 1e-10} },
			modeltest.Options{Tolerance: 1e-6, Skip: units})
	})
}

func TestSVM01_Margins(t *testing.T) {
	r := svm.MeasureMargin([]float64{0.5, 0.5}, 0, pair, pairClass)
	mltest.NearAll(t, "functional", r.Functional, []float64{1, 1}, exact)
	mltest.Near(t, "margin", r.Margin, math.Sqrt2, exact)
	scaled := svm.MeasureMargin([]float64{5, 5}, 0, pair, pairClass)
	mltest.Near(t, "scaled margin", scaled.Margin, math.Sqrt2, exact)
	mltest.Near(t, "scaled functional margin", scaled.Functional[0], 10, exact)
}

// E2-20: the margin is the distance to the nearest point.
// E2-21: the primal is minimized over w and b.
// E3-39: ½‖w‖² is minimized.
func TestSVM02_HardMargin(t *testing.T) {
	h := svm.HardMarginSVM{}
	if err := h.Fit(pair, pairClass); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "w", h.Coef, []float64{0.5, 0.5}, exact)
	mltest.Near(t, "b", h.Intercept, 0, exact)
	mltest.Near(t, "margin", h.Margin, math.Sqrt2, exact)
	mltest.NearAll(t, "alpha", h.Alpha, []float64{0.25, 0.25}, exact)
	// No other direction has a larger margin.
	x, y := separable(60, 1)
	if err := h.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	best := svm.MeasureMargin(h.Coef, h.Intercept, x, y)
	mltest.Near(t, "margin by 1/‖w‖", best.Margin, h.Margin, 1e-9)
	for k := range 360 {
		w := []float64{math.Cos(float64(k) * math.Pi / 180), math.Sin(float64(k) * math.Pi / 180)}
		low, high := math.Inf(-1), math.Inf(1)
		for i, c := range y {
			if v := floats.Dot(w, x.RawRowView(i)); c < 0 {
				low = max(low, v)
			} else {
				high = min(high, v)
			}
		}
		if (high-low)/2 > h.Margin+1e-9 {
			t.Errorf("direction %v has the margin %v, the maximum is said to be %v", w, (high-low)/2, h.Margin)
		}
	}
	x, y = blurred(60, 1)
	if err := h.Fit(x, y); err == nil || h.Coef != nil {
		t.Error("classes that no line separates were accepted")
	}
}

func TestSVM03_QuadraticProgram(t *testing.T) {
	// min (x−1)² + (y−2.5)² in a polygon: the minimum is (1.4, 1.7), worked in
	// [NocedalWright2006] example 16.4.
	qp := svm.QuadraticProgram{
		P: mat.NewSymDense(2, []float64{2, 0, 0, 2}), Q: []float64{-2, -5},
		G: mat.NewDense(5, 2, []float64{-1, 2, 1, 2, 1, -2, -1, 0, 0, -1}), H: []float64{2, 6, 2, 0, 0},
	}
	s, err := qp.Solve([]float64{2, 0})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "x", s.X, []float64{1.4, 1.7}, 1e-9)
	mltest.Near(t, "multiplier", s.Inequality[0], 0.8, 1e-9)
	if _, err := qp.Solve([]float64{9, 9}); err == nil {
		t.Error("an infeasible start was accepted")
	}
	// It agrees with SMO on the hard and on the soft margin.
	x, y := separable(40, 2)
	h, m := svm.HardMarginSVM{}, svm.SVC{C: 1e6, Kernel: kernel.LinearKernel{}, Tol: 1e-9}
	if err := h.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	w, b := m.Hyperplane(0)
	mltest.NearAll(t, "w of SMO", w, h.Coef, 1e-6)
	mltest.Near(t, "b of SMO", b, h.Intercept, 1e-6)
	x, y = blurred(30, 3)
	n := 30
	g, hi, q, signs := mat.NewDense(2*n, n, nil), make([]float64, 2*n), make([]float64, n), make([]float64, n)
	p := mat.NewSymDense(n, nil)
	for i := range n {
		g.Set(i, i, -1)
		g.Set(n+i, i, 1)
		hi[n+i], q[i], signs[i] = 1, -1, float64(y[i])
		for j := i; j < n; j++ {
			p.SetSym(i, j, float64(y[i]*y[j])*quadratic.Eval(x.RawRowView(i), x.RawRowView(j)))
		}
	}
	s, err = (&svm.QuadraticProgram{P: p, Q: q, A: mat.NewDense(1, n, signs), B: []float64{0}, G: g, H: hi}).Solve(make([]float64, n))
	if err != nil {
		t.Fatal(err)
	}
	m = svm.SVC{Kernel: quadratic, Tol: 1e-10}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "objective of SMO", -m.Machines[0].Objective, s.Value, 1e-8)
	mltest.NearAll(t, "alpha of SMO", m.Multipliers(0, n), s.X, 1e-6)
}

// E3-36: the soft margin adds C·Σξ.
func TestSVM04_SoftMargin(t *testing.T) {
	x, y := separable(50, 4)
	h := svm.HardMarginSVM{}
	if err := h.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for _, c := range []float64{1e-3, 1e-2, 0.1, 1, 10, 1e4} {
		m := svm.SVC{C: c, Kernel: kernel.LinearKernel{}, Tol: 1e-8}
		if err := m.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		w, _ := m.Hyperplane(0)
		margin := 1 / floats.Norm(w, 2)
		if margin > last+1e-6 {
			t.Errorf("C = %v: the margin %v grew from %v", c, margin, last)
		}
		last = margin
	}
	mltest.Near(t, "margin for a large C", last, h.Margin, 1e-5)
}

func TestSVM05_HingeForm(t *testing.T) {
	// Without a bias in either, the hinge form at Lambda = 1/(n·C) has the w of the
	// soft margin.
	x, y := blurred(80, 5)
	l := svm.LinearSVC{Hinge: true, NoIntercept: true, C: 0.5, Tol: 1e-10, MaxIter: 100000}
	if err := l.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	lambda := svm.LambdaOfC(0.5, 80)
	least := svm.HingeObjective(l.Coef.RawRowView(0), x, y, lambda, true)
	rng := model.Rand(6, 0)
	for range 200 { // it is a minimum of the hinge form
		w := slices.Clone(l.Coef.RawRowView(0))
		w[0] += 0.1 * rng.NormFloat64()
		w[1] += 0.1 * rng.NormFloat64()
		if v := svm.HingeObjective(w, x, y, lambda, true); v < least-1e-9 {
			t.Fatalf("J(%v) = %v is below the minimum %v", w, v, least)
		}
	}
	// And SVC's objective over n·C equals it when its bias is left out.
	w := l.Coef.RawRowView(0)
	hinge := 0.0
	for i, c := range y {
		hinge += max(0, 1-float64(c)*floats.Dot(w, x.RawRowView(i)))
	}
	mltest.Near(t, "both forms", (floats.Dot(w, w)/2+0.5*hinge)/(80*0.5), least, exact)
}

func TestSVM06_Dual(t *testing.T) {
	m := svm.SVC{Kernel: kernel.LinearKernel{}, Tol: 1e-10}
	if err := m.Fit(pair, pairClass); err != nil {
		t.Fatal(err)
	}
	alpha := m.Multipliers(0, 2)
	mltest.NearAll(t, "alpha", alpha, []float64{0.25, 0.25}, exact)
	o := svm.CheckOptimality(alpha, m.Machines[0].Intercept, 1, kernel.LinearKernel{}, pair, pairClass)
	mltest.Near(t, "gap", o.Gap, 0, exact)
	mltest.Near(t, "dual", o.Dual, m.Machines[0].Objective, exact)
	x, y := blurred(100, 7)
	m = svm.SVC{Kernel: kernel.RBF(0.5), Tol: 1e-9}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	o = svm.CheckOptimality(m.Multipliers(0, 100), m.Machines[0].Intercept, 1, kernel.RBF(0.5), x, y)
	mltest.Near(t, "gap", o.Gap, 0, 1e-6)
	mltest.Near(t, "dual objective", o.Dual, m.Machines[0].Objective, 1e-9)
}

func TestSVM07_XOR(t *testing.T) {
	m := svm.SVC{C: 10, Kernel: quadratic, Tol: 1e-12}
	if err := m.Fit(xor, xorClass); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "alpha", m.Multipliers(0, 4), []float64{0.125, 0.125, 0.125, 0.125}, 1e-10)
	x, _ := blurred(20, 8)
	for i, f := range m.Decision(x).RawMatrix().Data {
		mltest.Near(t, "f = −x₁x₂", f, -x.At(i, 0)*x.At(i, 1), 1e-9)
	}
}

// E3-40: with a soft margin a support vector of α = C may lie inside the margin.
func TestSVM08_SupportVectors(t *testing.T) {
	x, y := blurred(80, 9)
	m := svm.SVC{Tol: 1e-10, Kernel: kernel.RBF(0.5)}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if len(m.Support) == 0 || len(m.Support) == 80 {
		t.Fatalf("%d of 80 are support vectors", len(m.Support))
	}
	inside, scores := 0, m.Decision(x)
	for i, a := range m.Multipliers(0, 80) {
		if a == 1 && float64(y[i])*scores.At(i, 0) < 1-1e-6 {
			inside++
		}
	}
	if inside == 0 {
		t.Error("no support vector of α = C is inside the margin")
	}
	var sub []int
	for _, i := range m.Support {
		sub = append(sub, y[i])
	}
	alone := svm.SVC{Tol: 1e-10, Kernel: kernel.RBF(0.5)}
	if err := alone.Fit(m.SupportVectors, sub); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "decision without the others", alone.Decision(x).RawMatrix().Data, m.Decision(x).RawMatrix().Data, 1e-6)
}

// E3-38: α ≥ 0 with y explicit; Platt subtracts the threshold, all others add b.
// E3-46: the conditions on the margin are implications.
func TestSVM09_Optimality(t *testing.T) {
	x, y := blurred(150, 10)
	const tol = 1e-3
	m, p := svm.SVC{Kernel: kernel.RBF(1), Tol: tol}, svm.PlattSMO{Kernel: kernel.RBF(1), Tol: tol}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := p.Fit(x, y); err != nil || !p.Converged {
		t.Fatal(err, p.Converged)
	}
	for name, o := range map[string]*svm.Optimality{
		"SVC":      svm.CheckOptimality(m.Multipliers(0, 150), m.Machines[0].Intercept, 1, kernel.RBF(1), x, y),
		"PlattSMO": svm.CheckOptimality(p.Alpha, -p.Threshold, 1, kernel.RBF(1), x, y),
	} {
		// SVC bounds the sum of the violations of two examples, Platt each by Tol.
		if o.Worst > tol*1.0001 || o.Balance > 1e-9 || o.Outside > 0 || o.Gap < -1e-9 {
			t.Errorf("%s: worst violation %v, balance %v, outside %v, gap %v", name, o.Worst, o.Balance, o.Outside, o.Gap)
		}
	}
	wrong := svm.CheckOptimality(make([]float64, 150), 0, 1, kernel.RBF(1), x, y)
	mltest.Near(t, "violation at zero", wrong.Worst, 1, exact)
	// E3-47: Karush's, Kuhn's and Tucker's conditions hold at the optimum and nowhere
	// else: there primal and dual meet; away from it a condition fails and the gap opens.
	m.Tol = 1e-10
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	alpha := m.Multipliers(0, 150)
	at := svm.CheckOptimality(alpha, m.Machines[0].Intercept, 1, kernel.RBF(1), x, y)
	mltest.Near(t, "worst violation at the optimum", at.Worst, 0, 1e-9)
	mltest.Near(t, "gap at the optimum", at.Gap, 0, 1e-7) // the violations of 150 examples
	for i := range alpha {
		alpha[i] *= 0.9
	}
	if off := svm.CheckOptimality(alpha, m.Machines[0].Intercept, 1, kernel.RBF(1), x, y); off.Worst < 1e-3 || off.Gap < 1e-3 {
		t.Errorf("away from the optimum the worst violation is %v, the gap %v", off.Worst, off.Gap)
	}
}

// E3-45: H = min(C, C + α₂ − α₁) for different labels.
func TestSVM10_PairStep(t *testing.T) {
	p := svm.PlattSMO{Kernel: kernel.LinearKernel{}}
	if err := p.Fit(pair, pairClass); err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 1 {
		t.Fatalf("%d steps: %+v", len(p.Steps), p.Steps)
	}
	s := p.Steps[0]
	mltest.Near(t, "α₁", s.New1, 0.25, exact)
	mltest.Near(t, "α₂", s.New2, 0.25, exact)
	mltest.Near(t, "η", s.Eta, 8, exact) // 2 + 2 + 4
	mltest.Near(t, "L", s.Low, 0, exact)
	mltest.Near(t, "H", s.High, 1, exact)
	mltest.NearAll(t, "alpha", p.Alpha, []float64{0.25, 0.25}, exact)
	// With C below 0.25 the step is clipped.
	p.C = 0.1
	if err := p.Fit(pair, pairClass); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "free α₂", p.Steps[0].Free2, 0.25, exact)
	mltest.Near(t, "clipped α₂", p.Steps[0].New2, 0.1, exact)
}

func TestSVM11_ObjectiveNeverFalls(t *testing.T) {
	x, y := blurred(120, 11)
	p := svm.PlattSMO{Kernel: kernel.RBF(1), C: 3}
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	last, how := 0.0, map[string]int{}
	for k, s := range p.Steps {
		if s.Objective < last-1e-12 {
			t.Errorf("step %d: the objective fell from %v to %v", k, last, s.Objective)
		}
		last = s.Objective
		how[s.Choice]++
	}
	if how["largest |E1 - E2|"] == 0 || how["any"] == 0 {
		t.Errorf("choices: %v", how)
	}
	o := svm.CheckOptimality(p.Alpha, -p.Threshold, 3, kernel.RBF(1), x, y)
	mltest.Near(t, "recorded objective", last, o.Dual, 1e-9)
	m := svm.SVC{Kernel: kernel.RBF(1), C: 3, Tol: 1e-6}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "objective of SVC", m.Machines[0].Objective, last, 1e-3)
	if !slices.IsSortedFunc(m.Trace.Loss, func(a, b float64) int {
		if b <= a {
			return -1
		}
		return 1
	}) {
		t.Errorf("the loss of SVC rises: %v", m.Trace.Loss)
	}
}

// E3-48: the threshold moves with the changes of the multipliers.
// E3-49: b is b₁ or b₂ of a multiplier inside the box, else their mean.
func TestSVM12_Threshold(t *testing.T) {
	p := svm.PlattSMO{Kernel: kernel.LinearKernel{}}
	if err := p.Fit(pair, pairClass); err != nil {
		t.Fatal(err)
	}
	s := p.Steps[0]
	mltest.NearAll(t, "b1, b2, b", []float64{s.B1, s.B2, s.B}, []float64{0, 0, 0}, exact)
	for i, u := range p.Decision(pair).RawMatrix().Data {
		mltest.Near(t, "error after the step", u-float64(pairClass[i]), 0, exact)
	}
	// b is the one of the multiplier inside the box.
	x, y := blurred(60, 12)
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for k, s := range p.Steps {
		want := (s.B1 + s.B2) / 2
		if s.New1 > 0 && s.New1 < 1 {
			want = s.B1
		} else if s.New2 > 0 && s.New2 < 1 {
			want = s.B2
		}
		if s.B != want {
			t.Errorf("step %d: b = %v, want %v", k, s.B, want)
		}
	}
}

// E3-43: with E = u − y the step is α₂ + y₂(E₁ − E₂)/η.
// E3-44: η is K₁₁ + K₂₂ − 2K₁₂, by which the step is divided.
func TestSVM13_EqualityHolds(t *testing.T) {
	x, y := blurred(60, 13)
	p := svm.PlattSMO{}
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	alpha := make([]float64, 60)
	for k, s := range p.Steps {
		alpha[s.First], alpha[s.Second] = s.New1, s.New2
		sum := 0.0
		for i, a := range alpha {
			sum += a * float64(y[i])
		}
		if math.Abs(sum) > 1e-10 || s.New2 < s.Low || s.New2 > s.High {
			t.Errorf("step %d: Σαy = %v, α₂ = %v in [%v, %v]", k, sum, s.New2, s.Low, s.High)
		}
		if s.Free2 >= s.Low && s.Free2 <= s.High && s.Eta > 0 { // the rate is 1/η
			mltest.Near(t, "step", (s.New2-s.Old2)*float64(y[s.Second]), (s.E1-s.E2)/s.Eta, 1e-9)
		}
	}
	mltest.NearAll(t, "alpha", alpha, p.Alpha, 0)
}

// E3-41: support vector regression is minimized, over all slacks.
func TestSVM14_Tube(t *testing.T) {
	rng := model.Rand(14, 0)
	x, y := mat.NewDense(80, 1, nil), make([]float64, 80)
	for i := range y {
		v := float64(i)/10 - 4
		x.Set(i, 0, v)
		y[i] = math.Sin(v) + 0.15*rng.NormFloat64()
	}
	m := svm.SVR{C: 5, Epsilon: 0.2, Kernel: kernel.RBF(0.5), Tol: 1e-8}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	beta := make([]float64, 80)
	sum := 0.0
	for t, i := range m.Support {
		beta[i] = m.DualCoef[t]
		sum += m.DualCoef[t]
	}
	mltest.Near(t, "Σβ", sum, 0, 1e-9)
	for i, f := range m.Predict(x) {
		e := math.Abs(y[i] - f)
		if e < 0.2-1e-6 && beta[i] != 0 {
			t.Errorf("example %d is inside the tube by %v and a support vector", i, 0.2-e)
		}
		if e > 0.2+1e-6 {
			mltest.Near(t, "multiplier outside", math.Abs(beta[i]), 5, 1e-12)
		}
	}
	if len(m.Support) == 0 || len(m.Support) > 50 {
		t.Errorf("%d support vectors of 80", len(m.Support))
	}
	m.Epsilon = 3
	if err := m.Fit(x, y); err != nil || m.Support != nil {
		t.Errorf("a wide tube has the support vectors %v, %v", m.Support, err)
	}
}

// E4-10: one full step a pass, over the violations of the margin.
func TestSVM15_Subgradient(t *testing.T) {
	x, y := blurred(200, 15)
	lambda := 0.05
	s := svm.SubgradientSVM{Lambda: lambda, MaxIter: 5000}
	if err := s.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	l := svm.LinearSVC{Hinge: true, C: 1 / (lambda * 200), Tol: 1e-9, MaxIter: 100000}
	if err := l.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	least := svm.HingeObjective(append(slices.Clone(l.Coef.RawRowView(0)), l.Intercept[0]), x, y, lambda, false)
	got := svm.HingeObjective(append(slices.Clone(s.Coef), s.Intercept), x, y, lambda, false)
	if got < least-1e-9 || got > least*1.001 {
		t.Errorf("objective %v, the minimum is %v", got, least)
	}
	s.Rate = 1e9
	if err := s.Fit(x, y); err == nil {
		t.Error("divergence was not reported")
	}
}

func TestSVM16_Pegasos(t *testing.T) {
	p := svm.Pegasos{Lambda: 0.1}
	if !p.Learn([]float64{2, -1}, -1) {
		t.Error("the first example is no violation")
	}
	mltest.NearAll(t, "θ = 10·y·x", append(slices.Clone(p.Coef), p.Intercept), []float64{-20, 10, -10}, exact)
	if p.Learn([]float64{2, -1}, -1) {
		t.Error("a safe example is a violation")
	}
	mltest.NearAll(t, "θ shrinks by 1 − 1/2", append(slices.Clone(p.Coef), p.Intercept), []float64{-10, 5, -5}, exact)
	projected := svm.Pegasos{Lambda: 0.1, Project: true}
	projected.Learn([]float64{2, -1}, -1)
	mltest.Near(t, "radius", math.Hypot(floats.Norm(projected.Coef, 2), projected.Intercept), 1/math.Sqrt(0.1), exact)
	x, y := blurred(200, 16)
	p = svm.Pegasos{Lambda: 0.05, Epochs: 300}
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	l := svm.LinearSVC{Hinge: true, C: 1 / (0.05 * 200), Tol: 1e-9, MaxIter: 100000}
	if err := l.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	least := svm.HingeObjective(append(slices.Clone(l.Coef.RawRowView(0)), l.Intercept[0]), x, y, 0.05, false)
	if got := svm.HingeObjective(append(slices.Clone(p.Coef), p.Intercept), x, y, 0.05, false); got > 1.02*least {
		t.Errorf("objective %v after 60,000 examples, the minimum is %v", got, least)
	}
}

func TestSVM17_MaximumMarginGeneralizes(t *testing.T) {
	best, others := 0.0, 0.0
	for seed := range uint64(20) {
		trials, err := svm.CompareSeparators(30, 2000, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		for k, tr := range trials {
			if tr.TrainErrors != 0 {
				t.Errorf("separator %d has %d training errors", k, tr.TrainErrors)
			}
			if tr.Margin > trials[0].Margin+1e-9 {
				t.Errorf("separator %d has the margin %v, the maximum is %v", k, tr.Margin, trials[0].Margin)
			}
			if k == 0 {
				best += tr.TestError / 20
			} else {
				others += tr.TestError / 100
			}
		}
	}
	if best >= others {
		t.Errorf("mean test error: maximum margin %v, others %v", best, others)
	}
}

// More columns than rows take the dual, fewer the primal; padding with columns of
// zeros changes the way but not the solution.
func TestLinearSVCBothWays(t *testing.T) {
	x, y := blurred(40, 18)
	wide := mat.NewDense(40, 60, nil)
	wide.Slice(0, 40, 0, 2).(*mat.Dense).Copy(x)
	a, b := svm.LinearSVC{Tol: 1e-10}, svm.LinearSVC{Tol: 1e-10, MaxIter: 100000}
	if err := a.Fit(x, y); err != nil || !a.Trace.Converged {
		t.Fatal(err, a.Trace.Converged)
	}
	if err := b.Fit(wide, y); err != nil || !b.Trace.Converged {
		t.Fatal(err, b.Trace.Converged)
	}
	mltest.NearAll(t, "w", a.Coef.RawRowView(0), b.Coef.RawRowView(0)[:2], 1e-7)
	mltest.Near(t, "b", a.Intercept[0], b.Intercept[0], 1e-7)
}

func TestShrinkingChangesNothing(t *testing.T) {
	x, y := overlapping(600, 5, 2)
	a, b, c := svm.SVC{Tol: 1e-6}, svm.SVC{Tol: 1e-6, NoShrinking: true}, svm.SVC{Tol: 1e-6, CacheMB: 1}
	for _, m := range []*svm.SVC{&a, &b, &c} {
		if err := m.Fit(x, y); err != nil || !m.Machines[0].Converged {
			t.Fatal(err)
		}
	}
	mltest.Near(t, "objective", a.Machines[0].Objective, b.Machines[0].Objective, 1e-8)
	mltest.NearAll(t, "decision", a.Decision(x).RawMatrix().Data, b.Decision(x).RawMatrix().Data, 1e-5)
	mltest.NearAll(t, "decision with a small cache", c.Decision(x).RawMatrix().Data, a.Decision(x).RawMatrix().Data, 1e-5)

	// With ν each class, and each side of the tube, is shrunk by its own extremes; the
	// machines with the C and Epsilon that were found are not shrunk.
	for _, m := range []*svm.NuSVC{{Nu: 0.4, Tol: 1e-7}, {Nu: 0.4, Tol: 1e-7, CacheMB: 1}} {
		if err := m.Fit(x, y); err != nil || !m.Machine.Machines[0].Converged {
			t.Fatal(err)
		}
		s := svm.SVC{C: 1 / m.Rho[0], Tol: 1e-7, NoShrinking: true}
		if err := s.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, "objective with ν", m.Machine.Machines[0].Objective, s.Machines[0].Objective, 1e-6)
		mltest.NearAll(t, "decision with ν", m.Decision(x).RawMatrix().Data, s.Decision(x).RawMatrix().Data, 1e-4)
	}
	target := mat.Col(nil, 0, x)
	for i := range target {
		target[i] = math.Sin(3*target[i]) + x.At(i, 1)
	}
	m := svm.NuSVR{Nu: 0.3, Tol: 1e-7}
	if err := m.Fit(x, target); err != nil || !m.Machine.Trace.Converged {
		t.Fatal(err)
	}
	s := svm.SVR{Epsilon: m.Epsilon, Tol: 1e-7, NoShrinking: true}
	if err := s.Fit(x, target); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "predictions with ν", m.Predict(x), s.Predict(x), 1e-5)
}

func TestErrors(t *testing.T) {
	x, y := blurred(10, 17)
	three := []int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0}
	huge := new(mat.Dense) // whose squares overflow
	huge.Scale(1e160, x)
	for name, err := range map[string]error{
		"negative C":           (&svm.SVC{C: -1}).Fit(x, y),
		"infinite C":           (&svm.SVC{C: math.Inf(1)}).Fit(x, y),
		"negative Tol":         (&svm.SVC{Tol: -1}).Fit(x, y),
		"negative cache":       (&svm.SVC{CacheMB: -1}).Fit(x, y),
		"bad kernel":           (&svm.SVC{Kernel: kernel.RBF(-1)}).Fit(x, y),
		"bad kernel of SVR":    (&svm.SVR{Kernel: kernel.RBF(-1)}).Fit(x, make([]float64, 10)),
		"one fold":             (&svm.CalibratedSVC{Folds: 1}).Fit(x, y),
		"three classes, Platt": (&svm.PlattSMO{}).Fit(x, three),
		"three classes, hard":  (&svm.HardMarginSVM{}).Fit(x, three),
		"negative Epsilon":     (&svm.SVR{Epsilon: -1}).Fit(x, make([]float64, 10)),
		"negative Lambda":      (&svm.Pegasos{Lambda: -1}).Fit(x, y),
		"negative Rate":        (&svm.SubgradientSVM{Rate: -1}).Fit(x, y),
		"negative C, linear":   (&svm.LinearSVC{C: -1}).Fit(x, y),
		"huge":                 (&svm.SVC{Kernel: kernel.LinearKernel{}}).Fit(huge, y),
		"huge, ν":              (&svm.NuSVC{Kernel: kernel.LinearKernel{}}).Fit(huge, y),
		"huge, SVR":            (&svm.SVR{Kernel: kernel.LinearKernel{}}).Fit(huge, make([]float64, 10)),
		"huge, Platt":          (&svm.PlattSMO{Kernel: kernel.LinearKernel{}}).Fit(huge, y),
		"huge, hard":           (&svm.HardMarginSVM{}).Fit(huge, y),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an RBF machine has a hyperplane")
		}
	}()
	m := svm.SVC{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	m.Hyperplane(0)
}
