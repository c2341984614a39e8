package online_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

const tol = 1e-12

func fit(t *testing.T, m model.Classifier, x mat.Matrix, y []int) {
	t.Helper()
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
}

// Learners that process the examples in order depend on the order by design.
var inOrder = map[string]string{"row permutation": "an on-line learner takes the examples in their order"}

func TestConformance(t *testing.T) {
	binary := modeltest.Options{Binary: true, Skip: inOrder}
	t.Run("Perceptron", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &online.Perceptron{} }, binary)
	})
	t.Run("averaged Perceptron", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &online.Perceptron{Average: true, Shuffle: true, Seed: 3} }, binary)
	})
	t.Run("ThresholdPerceptron", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &online.ThresholdPerceptron{} }, binary)
	})
	t.Run("PassiveAggressive", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &online.PassiveAggressive{} }, binary)
	})
	t.Run("VotedPerceptron", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &online.VotedPerceptron{} }, binary)
	})
	t.Run("Winnow", func(t *testing.T) {
		x, y := online.RandomExamples(func(x []float64) int {
			if x[0] > 0 || x[1] > 0 {
				return 1
			}
			return -1
		}, 6, 60, 0.3, 1)
		modeltest.Classifier(t, func() model.Classifier { return &online.Winnow{} },
			modeltest.Options{Binary: true, X: x, Y: y, Skip: inOrder})
	})
	t.Run("MulticlassPerceptron", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &online.MulticlassPerceptron{} }, modeltest.Options{Skip: inOrder})
	})
}

// OR of two ±1 variables; a third one is constant.
var (
	orX = mat.NewDense(4, 3, []float64{1, 1, 1, -1, 1, 1, 1, -1, 1, -1, -1, 1})
	orY = []int{1, 1, 1, -1}
)

func reversed(x *mat.Dense, y []int) (*mat.Dense, []int) {
	n, p := x.Dims()
	rx, ry := mat.NewDense(n, p, nil), make([]int, n)
	for i := range n {
		rx.SetRow(i, x.RawRowView(n-1-i))
		ry[i] = y[n-1-i]
	}
	return rx, ry
}

// E0-09: the update is for a wrong sign; E4-04: the perceptron counts the 0-1 loss, and a correct
// example changes nothing.
func TestONL12_Perceptron(t *testing.T) {
	p := &online.Perceptron{NoIntercept: true}
	fit(t, p, orX, orY)
	mltest.NearAll(t, "w", p.Coef, []float64{1, 1, 1}, 0)
	if floats.Sum(p.Trace.Mistakes) != 1 || !p.Trace.Converged {
		t.Errorf("trace %+v, want 1 mistake", p.Trace)
	}
	if !slices.Equal(p.Predict(orX), orY) {
		t.Error("does not predict what it learned")
	}
}

func TestONL13_14_Threshold(t *testing.T) {
	p := &online.ThresholdPerceptron{}
	x := mat.NewDense(2, 1, []float64{1, 3})
	fit(t, p, x, []int{0, 1})
	mltest.Near(t, "w", p.Coef[0], 1, 0)
	mltest.Near(t, "theta", -p.Intercept, 1, 0) // E1-08: theta moves against w
	if len(p.Trace.Mistakes) != 4 || !p.Trace.Converged {
		t.Errorf("took %d epochs, want 4", len(p.Trace.Mistakes))
	}
	// E1-07: the sample is m pairs of a row and one of two labels.
	if err := p.Fit(x, []int{1}); err == nil {
		t.Error("two rows with one label were accepted")
	}
	if err := p.Fit(mat.NewDense(3, 1, []float64{1, 2, 3}), []int{-1, 0, 1}); err == nil {
		t.Error("three labels were accepted")
	}
	// From a small random start it finds a separator too.
	r := &online.ThresholdPerceptron{RandomStart: true, Seed: 5, Rate: 0.1}
	fit(t, r, orX, orY)
	if !slices.Equal(r.Predict(orX), orY) {
		t.Error("the random start did not learn OR")
	}
}

func TestONL15_Rate(t *testing.T) {
	x, y := noisy(60, 2.5)
	a, b := &online.Perceptron{Epochs: 5}, &online.Perceptron{Epochs: 5, Rate: 0.1}
	fit(t, a, x, y)
	fit(t, b, x, y)
	for j := range a.Coef {
		mltest.Near(t, "only the length changes", b.Coef[j], a.Coef[j]/10, 1e-9)
	}
	// E0-10: from another start the rate matters.
	start := []float64{3, -1, 0.5}
	a.Start, b.Start = start, start
	fit(t, a, x, y)
	fit(t, b, x, y)
	if online.AngleBetween(a.Coef, b.Coef) < 1e-6 {
		t.Error("the rate made no difference from a start other than zero")
	}
	// While the weights grow, later updates turn them less.
	sx, sy := separable(300, 0.02)
	p := &online.Perceptron{Epochs: 1000}
	fit(t, p, sx, sy)
	if !p.Trace.Converged {
		t.Fatal("the separable data were not learned")
	}
	ang := online.UpdateAngles(p.Trace)
	if m := len(ang) / 4; m < 6 || floats.Sum(ang[3*m:4*m]) > floats.Sum(ang[:m])/2 {
		t.Errorf("on separable data the updates do not slow down: %v", ang)
	}
	// On data that cannot be separated the weights stay bounded and the updates turn them as much
	// as before (an error in the notes that section B omits).
	p.Epochs = 100
	fit(t, p, x, y)
	ang = online.UpdateAngles(p.Trace)
	if m := len(ang) / 4; p.Trace.Converged || m < 100 || floats.Sum(ang[3*m:4*m]) < 0.8*floats.Sum(ang[m:2*m]) {
		t.Errorf("%d updates on data that cannot be separated slow down: %v, then %v", len(ang), floats.Sum(ang[m:2*m]), floats.Sum(ang[3*m:4*m]))
	}
}

// separable returns points on both sides of a line, none of them within gap of it.
func separable(n int, gap float64) (*mat.Dense, []int) {
	rng := model.Rand(12, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := 0; i < n; {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		if s := 0.6*a - 0.8*b + 0.1; math.Abs(s) > gap {
			x.SetRow(i, []float64{a, b})
			y[i] = int(math.Copysign(1, s))
			i++
		}
	}
	return x, y
}

func noisy(n int, gap float64) (*mat.Dense, []int) {
	rng := model.Rand(4, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		y[i] = 2*(i%2) - 1
		x.SetRow(i, []float64{gap/2*float64(y[i]) + rng.NormFloat64(), rng.NormFloat64()})
	}
	return x, y
}

// E1-09: at most (R/γ)² mistakes, equality included.
func TestONL16_Novikoff(t *testing.T) {
	gamma, r := online.DataMargin(orX, orY, []float64{1, 1, 1})
	mltest.Near(t, "R^2", r*r, 3, tol)
	mltest.Near(t, "gamma", gamma, 1/math.Sqrt(3), tol)
	mltest.Near(t, "bound", online.NovikoffBound(r, gamma), 9, tol)
	for seed := range uint64(20) {
		rng := model.Rand(seed, 0)
		u := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		var rows []float64
		var y []int
		for len(y) < 100 {
			v := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			if s := floats.Dot(u, v); math.Abs(s) > 0.3 {
				rows = append(rows, v...)
				y = append(y, int(math.Copysign(1, s)))
			}
		}
		x := mat.NewDense(len(y), 3, rows)
		p := &online.Perceptron{NoIntercept: true, Epochs: 10000}
		fit(t, p, x, y)
		g, r := online.DataMargin(x, y, u)
		if m := floats.Sum(p.Trace.Mistakes); m > online.NovikoffBound(r, g) || !p.Trace.Converged {
			t.Errorf("%v mistakes exceed the bound %v", m, online.NovikoffBound(r, g))
		}
	}
}

func TestONL17_NoisyBound(t *testing.T) {
	x, y := noisy(200, 2)
	u := []float64{1, 0}
	// E1-10: R bounds the lengths of the examples, not their squares.
	one := mat.NewDense(1, 2, []float64{3, 0})
	bound, d2 := online.NoisyBound(one, []int{1}, u, 1)
	mltest.Near(t, "bound of one example without slack", bound, 9, tol)
	mltest.Near(t, "its slack", d2, 0, 0)
	for _, g := range []float64{0.1, 0.5, 1} {
		bound, d2 := online.NoisyBound(x, y, u, g)
		p := &online.Perceptron{NoIntercept: true, Epochs: 1}
		fit(t, p, x, y)
		if p.Trace.Mistakes[0] > bound || d2 <= 0 {
			t.Errorf("gamma %v: %v mistakes, bound %v", g, p.Trace.Mistakes[0], bound)
		}
	}
}

func TestONL18_Cycle(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{-1, -1, 1, -1, 1, 1, 1, -1, 1, 1, 1, 1})
	first, again, orbit, ok := online.PerceptronCycle(x, []int{-1, 1, 1, -1}, 100)
	if !ok || first != 0 || again != 1 {
		t.Errorf("first %d, again %d, ok %v; want back at the start after one epoch", first, again, ok)
	}
	mltest.NearAll(t, "orbit", orbit[0], []float64{0, 0, 0}, 0)
	if _, _, _, ok := online.PerceptronCycle(orX, orY, 100); ok {
		t.Error("OR cycles")
	}
}

func TestONL19_Margin(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 1, -1, -1})
	g, r := online.DataMargin(x, []int{1, -1}, []float64{2, 2})
	mltest.Near(t, "margin", g, math.Sqrt2, tol)
	mltest.Near(t, "radius", r, math.Sqrt2, tol)
}

func TestONL20_Indicators(t *testing.T) {
	rng := model.Rand(6, 0)
	n := 30
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range y {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
		y[i] = 2*rng.IntN(2) - 1
	}
	a := online.IndicatorAugment(x)
	u := make([]float64, 3+n)
	for i, v := range y {
		u[3+i] = float64(v)
	}
	g, r := online.DataMargin(a, y, u)
	_, r0 := online.DataMargin(x, y, []float64{1, 0, 0})
	mltest.Near(t, "gamma", g, 1/math.Sqrt(float64(n)), tol)
	mltest.Near(t, "radius", r*r, r0*r0+1, 1e-12)
	p := &online.Perceptron{NoIntercept: true, Epochs: 100000}
	fit(t, p, a, y)
	if m := floats.Sum(p.Trace.Mistakes); !p.Trace.Converged || m > float64(n)*(r0*r0+1) {
		t.Errorf("%v mistakes, bound %v", m, float64(n)*(r0*r0+1))
	}
	// E0-16: the norm of u is √n and the smallest margin is 1, so γ = 1/√n. Nothing was learned
	// about other examples: the indicators of new examples have no weight, so their labels are
	// guessed. 0.06 is four standard errors.
	right := 0.0
	for range 1000 {
		s := p.Coef[0]*rng.NormFloat64() + p.Coef[1]*rng.NormFloat64() + p.Coef[2]*rng.NormFloat64()
		if (s > 0) == (rng.IntN(2) == 1) {
			right++
		}
	}
	mltest.Near(t, "accuracy on new examples", right/1000, 0.5, 0.06)
}

func TestONL21_22_Disjunctions(t *testing.T) {
	m := online.DisjunctionMistakes(5, []int{50, 200, 800}, 4000, 1)
	// The ordering of the course's single run: 83/256/736 against 36/56/68.
	for i := range m {
		if m[i].Winnow >= m[i].Perceptron {
			t.Errorf("%+v: Winnow makes more mistakes", m[i])
		}
		if bound := 2 + 3*5*(1+math.Log2(float64(m[i].N))); float64(m[i].Winnow) > bound {
			t.Errorf("%+v: above the bound %v", m[i], bound)
		}
	}
	if m[2].Perceptron < 4*m[0].Perceptron || m[2].Winnow > 3*m[0].Winnow {
		t.Errorf("growth with n: %+v", m)
	}
	// On the bad sequence, mistakes grow at least linearly in n (E1-11).
	for _, n := range []int{20, 40, 80} {
		x, y := online.HardDisjunction(4, n)
		p := &online.Perceptron{NoIntercept: true, Epochs: 1}
		fit(t, p, x, y)
		if got := p.Trace.Mistakes[0]; got != float64(n-3) {
			t.Errorf("n = %d: %v mistakes, want %d", n, got, n-3)
		}
	}
}

func TestONL23_WinnowForms(t *testing.T) {
	// E1-18: one inequality decides predictions and demotions. A score of θ is positive, so it is
	// right for a positive example and causes a demotion for a negative one.
	for _, tt := range []struct {
		y        []int
		mistakes float64
	}{{[]int{1, 0}, 0}, {[]int{0, 1}, 2}} {
		w := &online.Winnow{Epochs: 1, Theta: 1}
		fit(t, w, mat.NewDense(2, 2, []float64{1, 0, 0, 0}), tt.y)
		if w.Trace.Mistakes[0] != tt.mistakes {
			t.Errorf("labels %v: %v mistakes, want %v", tt.y, w.Trace.Mistakes[0], tt.mistakes)
		}
	}
	// x1 and not x2 needs a negative weight.
	x, y := online.RandomExamples(func(x []float64) int {
		if x[0] > 0 && x[1] == 0 {
			return 1
		}
		return -1
	}, 8, 400, 0.5, 2)
	b := &online.Winnow{Balanced: true, Alpha: 1.5, Epochs: 500}
	fit(t, b, x, y)
	if !slices.Equal(b.Predict(x), y) || b.Coef[1] >= 0 {
		t.Errorf("balanced Winnow did not learn it: %v", b.Coef)
	}
	plain := &online.Winnow{Epochs: 50}
	fit(t, plain, x, y)
	if plain.Trace.Converged {
		t.Error("plain Winnow learned a function that is not monotone")
	}
	// Winnow1 sets weights to zero on a false alarm.
	e := &online.Winnow{Eliminate: true}
	dx, dy := online.RandomExamples(func(x []float64) int {
		if x[0]+x[1] > 0 {
			return 1
		}
		return -1
	}, 8, 300, 0.2, 3)
	fit(t, e, dx, dy)
	if !slices.Contains(e.Coef, 0) || !slices.Equal(e.Predict(dx), dy) {
		t.Errorf("eliminating Winnow: %v", e.Coef)
	}
	if err := b.Fit(mat.NewDense(2, 1, []float64{-1, 1}), []int{0, 1}); err == nil {
		t.Error("negative features were accepted")
	}
}

// E1-12: the list begins with v₁, which is 0; E1-13: a right prediction adds to
// the count of the vector, a wrong one makes a new vector.
func TestONL24_25_VotedAndAveraged(t *testing.T) {
	x, y := noisy(80, 1)
	v := &online.VotedPerceptron{Epochs: 4, Average: true}
	fit(t, v, x, y)
	n, want, b := 0.0, make([]float64, 2), 0.0
	for _, r := range v.Rules {
		n += r.Count
		floats.AddScaled(want, r.Count, r.Coef)
		b += r.Count * r.Intercept
	}
	mltest.Near(t, "survival counts", n, 80*4, 0)
	if first := v.Rules[0]; first.Count != 0 || floats.Norm(first.Coef, 2) != 0 || len(v.Rules) != 1+int(floats.Sum(v.Trace.Mistakes)) {
		t.Errorf("%d vectors, the first %+v, for %v mistakes", len(v.Rules), first, v.Trace.Mistakes)
	}
	a := &online.Perceptron{Epochs: 4, Average: true}
	fit(t, a, x, y)
	floats.Scale(1/n, want)
	mltest.NearAll(t, "running sum", a.Coef, want, 1e-10)
	mltest.Near(t, "running sum of the bias", a.Intercept, b/n, 1e-10)
	if !slices.Equal(a.Predict(x), v.Predict(x)) {
		t.Error("the list and the running sum disagree")
	}
	vote := &online.VotedPerceptron{Epochs: 4}
	fit(t, vote, x, y)
	for _, s := range mat.Col(nil, 0, vote.Decision(x)) {
		if math.Abs(s) > 1 {
			t.Fatalf("a vote share of %v", s)
		}
	}
}

// On noisy data the average generalizes better than the last weights.
func TestONL25_AverageHelps(t *testing.T) {
	tx, ty := noisy(400, 1.2)
	rng := model.Rand(99, 0)
	vx, vy := mat.NewDense(4000, 2, nil), make([]int, 4000)
	for i := range vy {
		vy[i] = 2*(i%2) - 1
		vx.SetRow(i, []float64{0.6*float64(vy[i]) + rng.NormFloat64(), rng.NormFloat64()})
	}
	acc := func(average bool) float64 {
		total := 0.0
		for seed := range uint64(10) {
			p := &online.Perceptron{Average: average, Epochs: 3, Shuffle: true, Seed: seed}
			fit(t, p, tx, ty)
			for i, c := range p.Predict(vx) {
				if c == vy[i] {
					total++
				}
			}
		}
		return total / 40000
	}
	if a, l := acc(true), acc(false); a <= l+0.01 {
		t.Errorf("averaged %v, last %v", a, l)
	}
}

func TestONL26_Margin(t *testing.T) {
	x, y := noisy(60, 6)
	// γ = 0 is the perceptron, here compared with the one of the online protocol.
	zero, plain := &online.Perceptron{Margin: 0, Epochs: 1}, online.NewLinearLearner(2, false)
	fit(t, zero, x, y)
	if curve := online.Play(plain, x, y); float64(curve.Mistakes) < zero.Trace.Mistakes[0]-1 {
		t.Errorf("%d mistakes in the protocol, %v in the fit", curve.Mistakes, zero.Trace.Mistakes[0])
	}
	mltest.NearAll(t, "no margin", zero.Coef, plain.Coef, 0)
	mltest.Near(t, "no margin, bias", zero.Intercept, plain.Intercept, 0)
	thick := &online.Perceptron{Margin: 5, Epochs: 2000}
	fit(t, thick, x, y)
	for i, s := range mat.Col(nil, 0, thick.Decision(x)) {
		if float64(y[i])*s <= 5 { // E1-14: for y = −1 the score must be below −γ
			t.Errorf("example %d has functional margin %v", i, float64(y[i])*s)
		}
	}
}

// E1-15: the step puts the example exactly on the threshold; to be right next
// time a margin is needed.
func TestONL27_Aggressive(t *testing.T) {
	p := &online.Perceptron{Aggressive: true, Margin: 0, NoIntercept: true, Epochs: 1, Start: []float64{-1, 0.5}}
	fit(t, p, mat.NewDense(2, 2, []float64{2, 1, -2, -1}), []int{1, -1})
	// After the first update the example lies on the threshold; the tie then
	// counts as a mistake and a plain step follows for the second example.
	mltest.Near(t, "on the threshold", floats.Dot(p.Trace.Weights[0][:2], []float64{2, 1}), 0, tol)
	m := &online.Perceptron{Aggressive: true, Margin: 1, NoIntercept: true, Epochs: 1}
	fit(t, m, mat.NewDense(2, 2, []float64{2, 1, -2, -1}), []int{1, -1})
	mltest.Near(t, "at the margin", floats.Dot(m.Coef, []float64{2, 1}), 1, tol)
}

func TestONL28_PassiveAggressive(t *testing.T) {
	p := &online.PassiveAggressive{NoIntercept: true, Epochs: 1}
	x := mat.NewDense(2, 3, []float64{1, 2, 1, -1, -2, -1})
	fit(t, p, x, []int{1, -1})
	mltest.NearAll(t, "theta", p.Trace.Weights[0][:3], []float64{1.0 / 6, 2.0 / 6, 1.0 / 6}, tol)
	mltest.Near(t, "new margin", floats.Dot(p.Coef, []float64{1, 2, 1}), 1, tol)
	// E4-08: it updates whenever there is a loss, on the right side too.
	inside := &online.PassiveAggressive{NoIntercept: true, Epochs: 1, Start: []float64{0.1, 0.1, 0.1}}
	fit(t, inside, x, []int{1, -1})
	if inside.Trace.Mistakes[0] != 0 || inside.Trace.Updates[0] != 1 {
		t.Errorf("%v mistakes and %v updates, want 0 and 1", inside.Trace.Mistakes, inside.Trace.Updates)
	}
	// E4-09: on data that cannot be separated it never stops making steps.
	nx, ny := noisy(60, 1)
	endless := &online.PassiveAggressive{Epochs: 200}
	fit(t, endless, nx, ny)
	if u := endless.Trace.Updates; endless.Trace.Converged || u[199] < u[0]/2 {
		t.Errorf("the steps cease: %v", u)
	}
	// E4-13: the objective is quadratic in θ' − θ; the step is bounded by C.
	p.C = 0.05
	fit(t, p, x, []int{1, -1})
	mltest.Near(t, "bounded", p.Trace.Weights[0][0], 0.05, tol)
	// The step solves its optimization problem, in which the loss is for the new theta (E4-07): no
	// other theta is better.
	rng := model.Rand(1, 0)
	theta, ex := []float64{0.2, -0.1, 0.3}, []float64{1, 2, 1}
	c := 0.1
	q := &online.PassiveAggressive{NoIntercept: true, Epochs: 1, C: c, Start: theta}
	fit(t, q, mat.NewDense(2, 3, []float64{1, 2, 1, 0, 0, 0}), []int{1, -1})
	obj := func(v []float64) float64 {
		d := make([]float64, 3)
		floats.SubTo(d, v, theta)
		return floats.Dot(d, d)/2 + c*max(0, 1-floats.Dot(v, ex))
	}
	for range 1000 {
		v := slices.Clone(q.Coef)
		for j := range v {
			v[j] += 0.05 * rng.NormFloat64()
		}
		if obj(v) < obj(q.Coef)-1e-12 {
			t.Fatal("a random theta is better")
		}
	}
}

func TestONL30_SigmoidScale(t *testing.T) {
	rng := model.Rand(8, 0)
	n := 20000
	s, y, p := make([]float64, n), make([]int, n), make([]float64, n)
	for i := range s {
		s[i] = 3 * rng.NormFloat64()
		y[i] = -1
		if rng.Float64() < 1/(1+math.Exp(-0.7*s[i])) {
			y[i] = 1
		}
	}
	c, err := online.FitSigmoidScale(s, y)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "A", c.A, 0.7, 0.03)
	for i := range p {
		p[i] = c.Probability(s[i])
	}
	for _, b := range online.Reliability(y, p, 1, 10) {
		mltest.Near(t, "reliability", b.Observed, b.Predicted, 0.05)
	}
	if _, err := online.FitSigmoidScale([]float64{1, -1}, []int{1, -1}); err == nil {
		t.Error("separated scores were calibrated")
	}
}

func TestONL35_Order(t *testing.T) {
	rx, ry := reversed(orX, orY)
	p := &online.Perceptron{NoIntercept: true}
	fit(t, p, rx, ry)
	if m := floats.Sum(p.Trace.Mistakes); m != 3 {
		t.Errorf("%v mistakes in reverse order, want 3", m)
	}
	q := &online.Perceptron{NoIntercept: true}
	fit(t, q, orX, orY)
	if m := floats.Sum(q.Trace.Mistakes); m != 1 {
		t.Errorf("%v mistakes in order, want 1", m)
	}
	// There are two separators. In order it is (1, 1, 1) after the first example; backwards from
	// (−1, −1, 1) it is (1, 1, −1) + (1, −1, 1) + (−1, 1, 1) = (1, 1, 1).
	mltest.NearAll(t, "in order", q.Coef, []float64{1, 1, 1}, 0)
	mltest.NearAll(t, "reversed", p.Coef, []float64{1, 1, 1}, 0)
}

func TestONL36_PromotionDemotion(t *testing.T) {
	x, y := online.RandomExamples(func(x []float64) int {
		if x[0]+x[1]+x[2] >= 2 {
			return 1
		}
		return -1
	}, 6, 100, 0.5, 4)
	l := online.NewLinearLearner(6, false)
	w, b := make([]float64, 6), 0.0
	for i, label := range y {
		row := x.RawRowView(i)
		if float64(label)*(floats.Dot(w, row)+b) <= 0 {
			for j, v := range row {
				if v == 1 { // only active features change, by one
					w[j] += float64(label)
				}
			}
			b += float64(label)
		}
		l.Learn(row, label)
		mltest.NearAll(t, "weights", l.Coef, w, 0)
	}
}

func TestONL37_Geometry(t *testing.T) {
	h := online.Hyperplane{Coef: []float64{3, 4}, Intercept: -5}
	mltest.Near(t, "distance", h.Distance([]float64{3, 4}), 4, tol)
	mltest.Near(t, "offset", h.Offset(), 1, tol) // E0-08: the bias is b, the threshold −b
	mltest.Near(t, "projection is on it", h.Distance(h.Project([]float64{7, -2})), 0, 1e-12)
	other := online.Hyperplane{Coef: []float64{-3, -4}, Intercept: 5}
	mltest.Near(t, "two normals, one line", other.Distance(h.Project([]float64{1, 9})), 0, 1e-12)
}

func TestONL39_Toolkit(t *testing.T) {
	// Sparse and dense input give the same model.
	rng := model.Rand(12, 0)
	d, y := mat.NewDense(120, 40, nil), make([]int, 120)
	for i := range y {
		y[i] = rng.IntN(3)
		for range 6 {
			d.Set(i, rng.IntN(36), 1)
		}
		d.Set(i, 36+y[i], 1)
	}
	s := sparse.FromDense(d)
	two := make([]int, len(y))
	for i, v := range y {
		two[i] = v / 2
	}
	for name, make := range map[string]func() interface {
		model.Classifier
		model.Scorer
	}{
		"perceptron": func() interface {
			model.Classifier
			model.Scorer
		} {
			return &online.Perceptron{Average: true}
		},
		"winnow": func() interface {
			model.Classifier
			model.Scorer
		} {
			return &online.Winnow{Average: true, Margin: 0.5}
		},
		"passive-aggressive": func() interface {
			model.Classifier
			model.Scorer
		} {
			return &online.PassiveAggressive{Average: true}
		},
		"multi-class": func() interface {
			model.Classifier
			model.Scorer
		} {
			return &online.MulticlassPerceptron{Average: true, Aggressive: true}
		},
	} {
		labels := two
		if name == "multi-class" {
			labels = y
		}
		a, b := make(), make()
		fit(t, a, d, labels)
		fit(t, b, s, labels)
		if !mat.EqualApprox(a.Decision(d), b.Decision(s), 1e-9) || !slices.Equal(a.Predict(d), labels) {
			t.Errorf("%s: sparse and dense differ, or the classes were not learned", name)
		}
	}
	// A feature that never occurred has no weight.
	p := &online.Perceptron{}
	fit(t, p, s, two)
	wide := sparse.NewCSR(0)
	wide.AppendRow([]int{38, 5000000}, []float64{1, 1})
	if got := p.Predict(wide); got[0] != 1 {
		t.Errorf("got %v, want class 1", got)
	}
	if w := online.Prune([]float64{0.1, -3, 2}, 2); !slices.Equal(w, []float64{0, -3, 2}) {
		t.Errorf("pruned %v", w)
	}
	x, ny := noisy(300, 1)
	tuned, err := online.TunePerceptron(x, ny, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(tuned.Tried) != 36 || tuned.Accuracy < 0.55 {
		t.Errorf("%d settings, accuracy %v", len(tuned.Tried), tuned.Accuracy)
	}
}

func BenchmarkPerceptronSparse(b *testing.B) {
	rng := model.Rand(1, 0)
	m, y := sparse.NewCSR(1<<20), make([]int, 100000)
	for i := range y {
		idx, val := make([]int, 20), make([]float64, 20)
		for k := range idx {
			idx[k], val[k] = rng.IntN(1<<20), 1
		}
		y[i] = i % 2
		idx[0] = y[i]
		m.AppendRow(idx, val)
	}
	for b.Loop() {
		p := &online.Perceptron{Epochs: 1, Average: true}
		if err := p.Fit(m, y); err != nil {
			b.Fatal(err)
		}
	}
}

// A probability between two bins is in the lower one, as scikit-learn's
// calibration_curve has it, and classes have any numbers.
func TestReliabilityBins(t *testing.T) {
	p := []float64{0, 0.1, 0.2, 0.3, 0.3, 0.7, 1}
	y := []int{7, 7, 3, 3, 7, 3, 3}
	// calibration_curve(y == 3, p, n_bins=10) of scikit-learn 1.9.1.
	var observed, predicted []float64
	var counts []int
	for _, b := range online.Reliability(y, p, 3, 10) {
		observed, predicted, counts = append(observed, b.Observed), append(predicted, b.Predicted), append(counts, b.Count)
	}
	mltest.NearAll(t, "observed", observed, []float64{0, 1, 0.5, 1, 1}, 1e-12)
	mltest.NearAll(t, "predicted", predicted, []float64{0.05, 0.2, 0.3, 0.7, 1}, 1e-12)
	if !slices.Equal(counts, []int{2, 1, 2, 1, 1}) {
		t.Errorf("counts %v", counts)
	}
	for name, bad := range map[string]float64{"NaN": math.NaN(), "a score": 1.5, "negative": -0.1} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%s was accepted", name)
				}
			}()
			online.Reliability([]int{1}, []float64{bad}, 1, 10)
		}()
	}
}
