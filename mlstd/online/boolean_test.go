package online_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
)

// target is x2∧x3∧x4∧x5∧x100 over 100 variables.
var target = online.Conjunction{Positive: []int{1, 2, 3, 4, 99}}

func TestONL02_03_Queries(t *testing.T) {
	r := online.LearnByQueries(100, target.Holds, nil)
	if r.Queries != 100 || r.Found.String() != "x2∧x3∧x4∧x5∧x100" {
		t.Errorf("found %v with %d queries", r.Found, r.Queries)
	}
	// Not monotone: from a known positive example.
	c := online.Conjunction{Positive: []int{0}, Negative: []int{2, 3}}
	r = online.LearnByQueries(5, c.Holds, []float64{1, 1, 0, 0, 0})
	if r.Found.String() != c.String() {
		t.Errorf("found %v, want %v", r.Found, c)
	}
	x, y := online.RandomExamples(target.Label, 100, 50, 0.9, 1)
	for i, v := range y {
		if target.Label(x.RawRowView(i)) != v {
			t.Fatal("a random example has the wrong label")
		}
	}
}

func TestONL04_TeachingSet(t *testing.T) {
	x, y := online.TeachingSet(target, 100)
	if n, _ := x.Dims(); n != 6 {
		t.Errorf("%d examples, want 6", n)
	}
	for i, v := range y {
		if target.Label(x.RawRowView(i)) != v {
			t.Errorf("example %d has the wrong label", i)
		}
	}
	// Among all monotone conjunctions over a few variables, the examples determine the target.
	small := online.Conjunction{Positive: []int{1, 3}}
	sx, sy := online.TeachingSet(small, 5)
	v := online.NewVersionSpace(online.ConjunctionClass(5, true), true, 1)
	online.Play(v, sx, sy)
	if len(v.Left) != 1 || v.Left[0].String() != small.String() {
		t.Errorf("left %v", v.Left)
	}
}

// example makes a row from its first and last entries and one value for all entries between them.
func example(first, last []float64, mid float64) []float64 {
	row := slices.Repeat([]float64{mid}, 100)
	copy(row, first)
	copy(row[100-len(last):], last)
	return row
}

func TestONL05_Elimination(t *testing.T) {
	rows := [][]float64{
		example([]float64{1, 1, 1, 1, 1, 1}, []float64{1, 1}, 1),
		example([]float64{1, 1, 1, 0, 0, 0}, []float64{0, 0}, 0),
		example([]float64{1, 1, 1, 1, 1, 0}, []float64{0, 1, 1}, 0),
		example([]float64{1, 0, 1, 1, 0, 0}, []float64{0, 0, 1}, 0),
		example([]float64{1, 1, 1, 1, 1, 0}, []float64{0, 0, 1}, 0),
		example([]float64{1, 0, 1, 0, 0, 0}, []float64{0, 1, 1}, 0),
		example([]float64{1, 1, 1, 1, 1, 1}, []float64{0, 1}, 1),
		example([]float64{0, 1, 0, 1, 0, 0}, []float64{0, 1, 1}, 0),
	}
	// E1-01: the two printings of the fourth example are both negative.
	for _, fourth := range [][]float64{rows[3], example([]float64{1, 0, 1, 1, 1, 0}, []float64{0, 1, 1}, 0)} {
		rows[3] = fourth
		x, y := mat.NewDense(8, 100, nil), []int{1, -1, 1, -1, 1, -1, 1, -1}
		for i, r := range rows {
			x.SetRow(i, r)
			if target.Label(r) != y[i] {
				t.Fatalf("example %d has label %d", i+1, target.Label(r))
			}
		}
		e := online.NewElimination(100, true)
		m := online.Play(e, x, y)
		if !slices.Equal(e.Sizes, []int{100, 100, 7, 7, 6, 6, 6, 6}) || m.Mistakes != 2 {
			t.Errorf("sizes %v, mistakes %d", e.Sizes, m.Mistakes)
		}
		if got := e.Hypothesis().String(); got != "x1∧x2∧x3∧x4∧x5∧x100" {
			t.Errorf("hypothesis %v", got)
		}
	}
	// E1-03: with both literals of each variable at most n + 1 mistakes.
	c := online.Conjunction{Positive: []int{0}, Negative: []int{3}}
	x, y := online.RandomExamples(c.Label, 8, 500, 0.5, 3)
	e := online.NewElimination(8, false)
	if m := online.Play(e, x, y); m.Mistakes > 9 {
		t.Errorf("%d mistakes", m.Mistakes)
	}
	// As a linear threshold unit it makes the same predictions.
	w, theta := e.Hypothesis().LTU(8)
	for i := range y {
		s := mat.Dot(mat.NewVecDense(8, w), x.RowView(i))
		if (s >= theta) != e.Hypothesis().Holds(x.RawRowView(i)) {
			t.Fatal("the threshold unit disagrees")
		}
	}
}

func TestONL06_07_VersionSpaces(t *testing.T) {
	class := online.ConjunctionClass(4, true)
	if len(class) != 16 {
		t.Fatalf("%d monotone conjunctions", len(class))
	}
	for k, c := range class {
		x, y := online.RandomExamples(c.Label, 4, 60, 0.6, uint64(k))
		h := online.NewVersionSpace(class, true, 1)
		m := online.Play(h, x, y)
		if m.Mistakes > 4 {
			t.Errorf("halving: %d mistakes, bound 4", m.Mistakes)
		}
		// E1-02, E3-24: a mistake leaves at most half of the hypotheses, even on a tie. The target
		// is among those left at the end.
		last, made := 16, 0
		for i, size := range h.Sizes {
			if m.Curve[i] > made && 2*size > last {
				t.Errorf("after a mistake %d of %d are left", size, last)
			}
			last, made = size, m.Curve[i]
		}
		if !slices.ContainsFunc(h.Left, func(l online.Conjunction) bool { return l.String() == c.String() }) {
			t.Errorf("the target %v is not left", c)
		}
		con := online.NewVersionSpace(class, false, uint64(k))
		m = online.Play(con, x, y)
		if m.Mistakes > 15 {
			t.Errorf("CON: %d mistakes, bound 15", m.Mistakes)
		}
		last, made = 16, 0
		for i, size := range con.Sizes {
			if m.Curve[i] > made && size >= last {
				t.Error("a mistake did not shrink the version space")
			}
			last, made = size, m.Curve[i]
		}
	}
}

func TestONL08_Sizes(t *testing.T) {
	// E1-03: the numbers behind "of order n" and "of order k log n".
	mltest.Near(t, "3^100", online.LogConjunctions(100, false), 158.5, 1e-4)
	mltest.Near(t, "C(100,5)·2^5", online.LogKConjunctions(100, 5), 31.17, 2e-4)
	all := online.ConjunctionClass(3, false)
	if n := len(all); n != 27 {
		t.Errorf("3^3: got %d", n)
	}
	// E1-04: a k-conjunction is a conjunction of k of the variables, each either plain or negated.
	for k := range 4 {
		count := 0
		for _, c := range all {
			if len(c.Positive)+len(c.Negative) == k {
				count++
			}
		}
		mltest.Near(t, "k-conjunctions", online.LogKConjunctions(3, k), math.Log2(float64(count)), tol)
	}
}

// E1-05: a conjunction holds with equality, so that a score of 0 must count as
// positive (w·x ≥ θ).
func TestONL09_ThresholdFunctions(t *testing.T) {
	and, theta3 := online.Conjunction{Positive: []int{0, 2, 4}}.LTU(5)
	two, theta2 := online.AtLeast(2, []int{0, 2, 4}, 5)
	if !slices.Equal(and, []float64{1, 0, 1, 0, 1}) || theta3 != 3 || !slices.Equal(two, and) || theta2 != 2 {
		t.Fatalf("weights %v %v, thresholds %v %v", and, two, theta3, theta2)
	}
	x, _ := online.BooleanFunction(5, online.Parity)
	for i := range 32 {
		r := x.RawRowView(i)
		sum := r[0] + r[2] + r[4]
		dot := 0.0
		for j := range r {
			dot += and[j] * r[j]
		}
		if (dot >= theta3) != (sum == 3) || (dot >= theta2) != (sum >= 2) {
			t.Errorf("input %v", r)
		}
	}
}

func TestONL10_38_NotLinear(t *testing.T) {
	for _, tt := range []struct {
		name   string
		n      int
		f      func([]bool) bool
		linear bool
	}{
		// E1-06: (x₁∧x₂)∨(¬x₁∧¬x₂) is XNOR; neither is linear.
		{"xor", 2, online.Xor, false}, {"xnor", 2, online.Xnor, false}, {"two-term DNF", 4, online.TwoTermDNF, false},
		{"parity of 3", 3, online.Parity, false}, {"symmetry of 4", 4, online.Symmetric, false}, {"connectedness of 5", 5, online.ConnectedRow, false},
		{"and", 3, func(x []bool) bool { return x[0] && x[1] && x[2] }, true},
		{"2 of 3", 3, func(x []bool) bool {
			n := 0
			for _, v := range x {
				if v {
					n++
				}
			}
			return n >= 2
		}, true},
	} {
		x, y := online.BooleanFunction(tt.n, tt.f)
		h, ok, err := online.Separate(x, y)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if ok != tt.linear {
			t.Errorf("%s: separable %v, want %v", tt.name, ok, tt.linear)
		}
		if ok {
			for i, v := range y {
				if float64(v)*h.Distance(x.RawRowView(i)) <= 0 {
					t.Errorf("%s: example %d is on the wrong side", tt.name, i)
				}
			}
		}
	}
	// With the product as a feature XOR is linear (E0-12: the product, not the label).
	x, y := online.BooleanFunction(2, online.Xor)
	z := mat.NewDense(4, 3, nil)
	for i := range 4 {
		z.SetRow(i, []float64{x.At(i, 0), x.At(i, 1), x.At(i, 0) * x.At(i, 1)})
	}
	if _, ok, err := online.Separate(z, y); err != nil || !ok {
		t.Errorf("with the product: %v, %v", ok, err)
	}
}

func TestONL11_Cover(t *testing.T) {
	rng := model.Rand(5, 0)
	for range 30 {
		x, y := mat.NewDense(25, 10, nil), make([]int, 25)
		negatives := 0.0
		for i := range y {
			y[i] = -1
			if i < 3 {
				y[i] = 1
			} else {
				negatives++
			}
			for j := range 10 {
				if y[i] > 0 || rng.Float64() < 0.6 {
					x.Set(i, j, 1)
				}
			}
			if y[i] < 0 {
				x.Set(i, rng.IntN(10), 0)
			}
		}
		g, err := online.GreedyConjunction(x, y)
		if err != nil {
			t.Fatal(err)
		}
		b, err := online.ShortestConjunction(x, y)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range y {
			if g.Label(x.RawRowView(i)) != v || b.Label(x.RawRowView(i)) != v {
				t.Fatal("not consistent")
			}
		}
		if len(b.Positive) > len(g.Positive) || float64(len(g.Positive)) > (1+math.Log(negatives))*float64(len(b.Positive)) {
			t.Errorf("greedy %d, shortest %d", len(g.Positive), len(b.Positive))
		}
	}
	if _, err := online.GreedyConjunction(mat.NewDense(2, 1, []float64{1, 1}), []int{1, -1}); err == nil {
		t.Error("contradictory examples were covered")
	}
}

func TestONL01_Protocol(t *testing.T) {
	e := online.NewElimination(3, true)
	x := mat.NewDense(3, 3, []float64{1, 1, 1, 1, 0, 1, 1, 1, 0})
	m := online.Play(e, x, []int{1, 1, -1})
	if m.Mistakes != 1 || !slices.Equal(m.Curve, []int{0, 1, 1}) || m.Last != 2 {
		t.Errorf("got %+v", m)
	}
}

func TestONL29_PAC(t *testing.T) {
	mltest.Near(t, "stretch", online.PACStretch(100, 0.1, 0.05), math.Log(2000)/0.1, tol)
	rng := model.Rand(3, 0)
	x, y := mat.NewDense(3000, 2, nil), make([]int, 3000)
	for i := range y {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y[i] = 1
		if a+2*b < 0.1 {
			y[i] = -1
		}
	}
	r, n := online.LongestSurvivor(x, y, 100)
	if r == nil {
		t.Fatal("no hypothesis survived")
	}
	wrong := 0.0
	for i, v := range y {
		if float64(v)*(r.Coef[0]*x.At(i, 0)+r.Coef[1]*x.At(i, 1)+r.Intercept) <= 0 {
			wrong++
		}
	}
	if wrong/3000 > 0.05 || n < 100 {
		t.Errorf("error %v after %d examples", wrong/3000, n)
	}
}

func TestONL31_Bounds(t *testing.T) {
	a, m := online.SparseTargetBounds(10, 1000)
	mltest.Near(t, "additive", a, 10000, 0)
	mltest.Near(t, "multiplicative", m, 1381.6, 1e-4)
	a, m = online.SparseExampleBounds(1000)
	mltest.Near(t, "unit rows, additive", a, 1000, 0)
	mltest.Near(t, "unit rows, multiplicative", m, 1.38e7, 2e-3)
	if n := online.BoundCrossover(10); n != 90 {
		t.Errorf("crossover %d, want 90", n)
	}
	// The general formula yields both bounds: all sign vectors with k relevant variables.
	x := mat.NewDense(2, 4, []float64{1, 1, 1, -1, -1, -1, 1, 1})
	ga, gm := online.MistakeBounds(x, []int{1, -1}, []float64{1, 1, 0, 0})
	mltest.Near(t, "k n / k^2", ga, 2.0*4/4, tol)
	mltest.Near(t, "2 ln n", gm, 2*math.Log(4)*4/4, tol)
}

func TestONL32_AtLeast(t *testing.T) {
	m := online.AtLeastMistakes(10, 100, []int{100, 400, 1600}, 3000, 1)
	if m[2].Perceptron <= m[0].Perceptron || m[2].Winnow-m[0].Winnow > (m[2].Perceptron-m[0].Perceptron) {
		t.Errorf("mistakes: %+v", m)
	}
}

func TestONL33_40_Advice(t *testing.T) {
	if a := online.ChooseFamily(100000, 50000, 5); a.Prefer != "multiplicative" || !a.SparseTarget || a.SparseInstances {
		t.Errorf("dense examples, sparse target: %+v", a)
	}
	if a := online.ChooseFamily(100000, 20, 5000); a.Prefer != "additive" || a.SparseTarget || !a.SparseInstances {
		t.Errorf("sparse examples, dense target: %+v", a)
	}
}

// TestWeightedMajorityLasts: the better of two predictors still decides after so many mistakes of
// both that their unscaled weights would underflow to 0.
func TestWeightedMajorityLasts(t *testing.T) {
	right := 0
	m := online.NewWeightedMajority([]func([]float64) int{
		func(x []float64) int { return int(x[0]) },
		func(x []float64) int { return int(x[1]) },
	})
	m.Learn([]float64{1, -1}, 1) // the first has one mistake fewer
	for range 5000 {
		if m.Guess([]float64{1, -1}) == 1 {
			right++
		}
		m.Learn([]float64{-1, -1}, 1)
	}
	if right != 5000 {
		t.Errorf("the predictor ahead decides in %d of 5000 rounds", right)
	}
}

func TestONL34_WeightedMajority(t *testing.T) {
	mltest.Near(t, "bound", online.WeightedMajorityBound(10, 16, 0.5), 33.73, 2e-4)
	rng := model.Rand(7, 0)
	var experts []func([]float64) int
	for k := range 16 {
		experts = append(experts, func(x []float64) int { return int(x[k]) })
	}
	x, y := mat.NewDense(400, 16, nil), make([]int, 400)
	for i := range y {
		y[i] = 2*rng.IntN(2) - 1
		for k := range 16 {
			v := y[i]
			if rng.Float64() < 0.05+0.03*float64(k) {
				v = -v
			}
			x.Set(i, k, float64(v))
		}
	}
	best := 400
	for k := range 16 {
		wrong := 0
		for i := range y {
			if int(x.At(i, k)) != y[i] {
				wrong++
			}
		}
		best = min(best, wrong)
	}
	w := online.NewWeightedMajority(experts)
	if len(w.Weights) != 16 || w.Weights[0] != 1 || w.Weights[15] != 1 { // E3-23: every weight starts at 1
		t.Errorf("weights at the start: %v", w.Weights)
	}
	if m := online.Play(w, x, y); float64(m.Mistakes) > online.WeightedMajorityBound(best, 16, 0.5) {
		t.Errorf("%d mistakes, best predictor %d", m.Mistakes, best)
	}
	if w.Weights[0] < w.Weights[15] || len(w.History) != 400 {
		t.Error("the weights do not favor the better predictor")
	}
}
