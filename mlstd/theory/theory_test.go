package theory_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/theory"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func mustRefuse(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if _, ok := recover().(*model.Error); !ok {
			t.Errorf("%s: no *model.Error", what)
		}
	}()
	f()
}

func TestCOLT01_Complexities(t *testing.T) {
	c := theory.ConjunctionComplexity(100, 0.1, 0.05)
	// 100·ln 2 + ln 20 = 72.31.
	if c.Examples != 724 || c.Mistakes != 100 || c.Work != 72400 {
		t.Errorf("got %+v", c)
	}
}

// E0-53: probably is 1 − δ of the samples, approximately an error of ε, for any
// distribution. E3-17: distributions are over instances. E4-03: approximately.
func TestCOLT02_PAC(t *testing.T) {
	w := theory.ConjunctionWorld{N: 10, Target: []int{1, 4}}
	const eps, delta = 0.1, 0.01
	m := theory.PACSampleSize(10*math.Ln2, eps, delta)
	good := 0
	const runs = 2000
	for _, e := range w.Errors(m, runs, 1) {
		if e <= eps {
			good++
		}
	}
	if float64(good) < (1-delta)*runs {
		t.Errorf("after %d examples %d of %d errors are at most %v", m, good, runs, eps)
	}
	// With a twentieth of the examples it is no longer so: the test can fail.
	good = 0
	for _, e := range w.Errors(m/20, runs, 1) {
		if e <= eps {
			good++
		}
	}
	if float64(good) > 0.9*runs {
		t.Errorf("after %d examples %d of %d errors are small already", m/20, good, runs)
	}
}

// E3-19: the probability must fall to δ or below.
func TestCOLT03_Consistent(t *testing.T) {
	if m := theory.PACSampleSize(100*math.Log(3), 0.1, 0.05); m != 1129 {
		t.Errorf("conjunctions of 100 variables: %d examples, want 1129", m)
	}
	if m := theory.PACSampleSize(math.Log(973), 0.1, 0.05); m != 99 {
		t.Errorf("973 hypotheses: %d examples, want 99", m)
	}
	m := theory.PACSampleSize(math.Log(973), 0.1, 0.05)
	if math.Exp(math.Log(973)-0.1*float64(m)) > 0.05 || math.Exp(math.Log(973)-0.1*float64(m-1)) <= 0.05 {
		t.Error("the size is not the least that brings the bound to δ")
	}
	for what, f := range map[string]func(){
		"eps":   func() { theory.PACSampleSize(1, 0, 0.1) },
		"delta": func() { theory.PACSampleSize(1, 0.1, 1) },
		"logH":  func() { theory.PACSampleSize(-1, 0.1, 0.1) },
		"NaN":   func() { theory.AgnosticSampleSize(math.NaN(), 0.1, 0.1) },
		"vc":    func() { theory.VCSampleSize(0, 0.1, 0.1) },
		"m":     func() { theory.AgnosticGap(1, 0, 0.1) },
	} {
		mustRefuse(t, what, f)
	}
}

// E3-18: 1 − ε is at most e^−ε, which makes the bound one.
func TestCOLT04_Exhausted(t *testing.T) {
	w := theory.ConjunctionWorld{N: 6, Target: []int{0, 2}}
	fell := false
	for _, m := range []int{0, 10, 20, 40, 60} {
		bound := theory.ExhaustionBound(6*math.Ln2, 0.1, m)
		if bound > math.Exp(6*math.Ln2-0.1*float64(m))+1e-12 {
			t.Errorf("m = %d: the bound %v is above |H|·e^(−εm)", m, bound)
		}
		got := w.NotExhausted(m, 0.1, 2000, 1)
		if got > bound+3*math.Sqrt(bound*(1-bound)/2000)+1e-9 {
			t.Errorf("m = %d: not exhausted in a share of %v, bound %v", m, got, bound)
		}
		fell = fell || (got > 0 && got < 0.9)
	}
	if !fell {
		t.Error("nothing between never and always was seen")
	}
	for _, eps := range []float64{0.01, 0.3, 0.99} {
		if 1-eps > math.Exp(-eps) {
			t.Errorf("1 − %v is above e^−%v", eps, eps)
		}
	}
}

// E3-20: the true error is at most the training error plus ε.
func TestCOLT05_Agnostic(t *testing.T) {
	m := theory.AgnosticSampleSize(100*math.Log(3), 0.1, 0.05)
	if m != 5643 {
		t.Errorf("%d examples, want 5643", m)
	}
	mltest.Near(t, "gap after so many", theory.AgnosticGap(100*math.Log(3), 5643, 0.05), 0.1, 1e-4)
	w := theory.ConjunctionWorld{N: 5, Target: []int{1}}
	for _, m := range []int{20, 60, 150} {
		bound := min(1, 32*math.Exp(-2*0.15*0.15*float64(m)))
		if got := w.Overfits(m, 0.15, 0.2, 1000, 1); got > bound {
			t.Errorf("m = %d: overfits in a share of %v, bound %v", m, got, bound)
		}
	}
	if got := w.Overfits(20, 0.15, 0.2, 1000, 1); got < 0.05 {
		t.Errorf("with 20 examples overfits in a share of %v only", got)
	}
}

var square = [][]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}

func TestCOLT06_Shattering(t *testing.T) {
	three := theory.Shatter(theory.HalfSpaces{}, square[:3])
	if !three.Shattered() || three.Count() != 8 {
		t.Errorf("three points: %d of 8 labelings", three.Count())
	}
	four := theory.Shatter(theory.HalfSpaces{}, square)
	if four.Shattered() || four.Count() != 14 {
		t.Errorf("the corners of a square: %d labelings, want 14 of 16", four.Count())
	}
	// Only the two diagonals are impossible.
	for i, c := range four.Concepts {
		l := four.Labels[i]
		diagonal := l[0] == l[3] && l[1] == l[2] && l[0] != l[1]
		if (c == nil) != diagonal {
			t.Errorf("labeling %v: a line %v", l, c != nil)
		}
		if c == nil {
			continue
		}
		for j, x := range four.Points {
			if c.Contains(x) != l[j] {
				t.Errorf("labeling %v: %v has point %v wrong", l, c, x)
			}
		}
	}
	// Three points on a line cannot be shattered, though three others can.
	if theory.Shatter(theory.HalfSpaces{}, [][]float64{{0, 0}, {1, 1}, {2, 2}}).Count() != 6 {
		t.Error("three points on a line: not 6 labelings")
	}
	mustRefuse(t, "ragged", func() { theory.Shatter(theory.HalfSpaces{}, [][]float64{{1}, {1, 2}}) })
	mustRefuse(t, "no class", func() { theory.Shatter(nil, square) })
	mustRefuse(t, "too many", func() { theory.Shatter(theory.Intervals{}, make([][]float64, 40)) })
}

func grid(n int, dims int) [][]float64 {
	points := [][]float64{{}}
	for range dims {
		var next [][]float64
		for _, p := range points {
			for i := range n {
				next = append(next, append(slices.Clone(p), float64(i)))
			}
		}
		points = next
	}
	return points
}

func scattered(n, d int, seed uint64) [][]float64 {
	rng := model.Rand(seed, 0)
	out := make([][]float64, n)
	for i := range out {
		for range d {
			out[i] = append(out[i], rng.NormFloat64())
		}
	}
	return out
}

func TestCOLT07_VCDimension(t *testing.T) {
	diamond := [][]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	for _, tt := range []struct {
		class  theory.Class
		points [][]float64
		want   int
	}{
		{theory.Thresholds{}, grid(6, 1), 1},
		{theory.Intervals{}, grid(6, 1), 2},
		{theory.HalfSpaces{}, scattered(9, 1, 1), 2},
		{theory.HalfSpaces{}, scattered(9, 2, 1), 3},
		{theory.HalfSpaces{}, scattered(8, 3, 1), 4},
		{theory.Balls{}, scattered(9, 2, 1), 3},
		{theory.Rectangles{}, append(scattered(5, 2, 2), diamond...), 4},
		{theory.ConjunctionConcepts{}, grid(2, 3), 3},
		{theory.ConjunctionConcepts{Monotone: true}, grid(2, 4), 4},
	} {
		d, set := theory.VCDimension(tt.class, tt.points)
		if d != tt.want || len(set) != d || !theory.Shatter(tt.class, set).Shattered() {
			t.Errorf("%v: %d with the set %v, want %d", tt.class, d, set, tt.want)
		}
	}
	// Sauer's lemma holds, with equality for
	// thresholds and intervals.
	for m := range 7 {
		if got, want := theory.Growth(theory.Intervals{}, grid(7, 1), m), theory.Sauer(2, m); float64(got) != want {
			t.Errorf("intervals on %d points: %d labelings, want %v", m, got, want)
		}
		if got, want := theory.Growth(theory.Thresholds{}, grid(7, 1), m), theory.Sauer(1, m); float64(got) != want {
			t.Errorf("thresholds on %d points: %d labelings, want %v", m, got, want)
		}
		points := scattered(7, 2, 3)
		// Cover's count of the labelings by lines of m points in general position.
		cover := 0.0
		for k, c := 0, 1.0; k <= 2 && k < m; k++ {
			cover += 2 * c
			c *= float64(m-1-k) / float64(k+1)
		}
		if m == 0 {
			cover = 1
		}
		if got := theory.Growth(theory.HalfSpaces{}, points, m); float64(got) != cover || float64(got) > theory.Sauer(3, m) {
			t.Errorf("lines on %d points: %d labelings, want %v", m, got, cover)
		}
	}
	mltest.Near(t, "Sauer below the dimension", theory.Sauer(5, 3), 8, 0)
	// The Rademacher average is 1 where points are shattered, and below Massart's bound.
	mltest.Near(t, "three points", theory.Rademacher(theory.HalfSpaces{}, square[:3], 100, 1), 1, 0)
	before := 1.0
	for _, n := range []int{4, 8, 12} {
		points := grid(n, 1)
		got := theory.Rademacher(theory.Intervals{}, points, 4000, 1)
		bound := theory.MassartBound(float64(theory.Growth(theory.Intervals{}, points, n)), n)
		if got > bound || got >= before {
			t.Errorf("%d points: average %v, before %v, bound %v", n, got, before, bound)
		}
		before = got
	}
}

// E3-21: a class that shatters d points has at least 2^d hypotheses.
func TestCOLT08_LogSize(t *testing.T) {
	table := theory.TableOf(theory.ConjunctionConcepts{Monotone: true}, grid(2, 4))
	if len(table.Concepts) != 16 {
		t.Fatalf("%d monotone conjunctions of 4 variables, want 16", len(table.Concepts))
	}
	if d, _ := theory.VCDimension(theory.ConjunctionConcepts{Monotone: true}, grid(2, 4)); d != 4 || math.Log2(16) < float64(d) {
		t.Errorf("VC dimension %d, want 4", d)
	}
}

func TestCOLT09_VCSampleSize(t *testing.T) {
	if m := theory.VCSampleSize(3, 0.1, 0.05); m != 1899 {
		t.Errorf("%d examples, want 1899", m)
	}
}

// E3-22: where the bound holds. Its first part is the number of examples at which an instance of
// probability ε is missed with probability δ.
func TestCOLT10_LowerBound(t *testing.T) {
	m, ok := theory.SampleLowerBound(3, 0.1, 0.05)
	mltest.Near(t, "examples that miss an instance", math.Pow(0.9, m), 0.05, 1e-12)
	if ok {
		t.Error("δ = 0.05 is not below 1/100")
	}
	m, ok = theory.SampleLowerBound(5000, 0.1, 0.001)
	mltest.Near(t, "lower bound by the dimension", m, 4999/3.2, 1e-12)
	if !ok {
		t.Error("the bound holds here")
	}
}

func TestCOLT11_OptimalMistakes(t *testing.T) {
	// Four concepts over two instances: a complete tree of depth 2.
	all := &theory.FiniteClass{Concepts: [][]bool{{false, false}, {false, true}, {true, false}, {true, true}}}
	m, err := theory.Mistakes(all)
	if err != nil {
		t.Fatal(err)
	}
	if m.VC != 2 || m.Opt != 2 || m.Halving != 2 || m.Size != 4 {
		t.Errorf("all labelings of two instances: %+v", *m)
	}
	// Four concepts of one instance each have VC dimension and Opt 1; the majority makes 1.
	single := &theory.FiniteClass{Concepts: [][]bool{{true, false, false, false}, {false, true, false, false}, {false, false, true, false}, {false, false, false, true}}}
	if m, err = theory.Mistakes(single); err != nil || m.VC != 1 || m.Opt != 1 || m.Halving != 1 {
		t.Errorf("single points: %+v, %v", *m, err)
	}
	// Thresholds on seven points: VC dimension 1, but a search by halves costs 3.
	line := theory.TableOf(theory.Thresholds{}, grid(7, 1))
	if m, err = theory.Mistakes(line); err != nil || m.VC != 1 || m.Opt != 3 || m.Halving != 3 || m.Size != 8 {
		t.Errorf("thresholds: %+v, %v", *m, err)
	}
	depth := func(tree *theory.MistakeTree) (d int) {
		for ; tree.True != nil; tree = tree.True {
			d++
		}
		return d
	}
	if depth(m.Tree) != 3 || len(m.Tree.Concepts) != 8 {
		t.Errorf("the tree has depth %d over %d concepts", depth(m.Tree), len(m.Tree.Concepts))
	}
	rng := model.Rand(1, 0)
	for range 40 {
		c := &theory.FiniteClass{}
		for range 1 + rng.IntN(12) {
			row := make([]bool, 5)
			for j := range row {
				row[j] = rng.IntN(2) == 0
			}
			c.Concepts = append(c.Concepts, row)
		}
		m, err := theory.Mistakes(c)
		if err != nil {
			t.Fatal(err)
		}
		if !(m.VC <= m.Opt && m.Opt <= m.Halving && float64(m.Halving) <= math.Log2(float64(m.Size))+1e-9) {
			t.Errorf("%v: %+v", c.Concepts, *m)
		}
	}
	sizes, mistakes := theory.ConjunctionWorld{N: 8, Target: []int{0, 3, 5}}.HalvingSizes(100, 1)
	wrong := 0
	for i, mistake := range mistakes {
		if mistake {
			if wrong++; 2*sizes[i+1] > sizes[i] {
				t.Errorf("a mistake left %d of %d", sizes[i+1], sizes[i])
			}
		}
	}
	if wrong == 0 || wrong > 8 || sizes[len(sizes)-1] != 1 {
		t.Errorf("%d mistakes, %d concepts left", wrong, sizes[len(sizes)-1])
	}
	for _, bad := range []*theory.FiniteClass{nil, {}, {Concepts: [][]bool{{true}, {true, false}}}, theory.TableOf(theory.Intervals{}, grid(14, 1))} {
		var e *model.Error
		if _, err := theory.Mistakes(bad); !errors.As(err, &e) {
			t.Errorf("%v: got %v, want a *model.Error", bad, err)
		}
	}
}

func TestCOLT12_MistakesAndExamples(t *testing.T) {
	// Elimination makes 10 mistakes on 10 variables at most.
	if m := theory.MistakesToExamples(10, 0.1, 0.05); m != 11*54 {
		t.Errorf("%d examples, want %d", m, 11*54)
	}
	if a, b := theory.MistakesToExamples(10, 0.1, 0.05), theory.PACSampleSize(10*math.Ln2, 0.1, 0.05); a < b {
		t.Errorf("by mistakes %d, by the size of the class %d: the direct bound is the better one here", a, b)
	}
}

// diagonal draws points of a plane whose class one split of one coordinate cannot
// tell: weak learners get it right somewhat more often than not.
func diagonal(rng *rand.Rand) ([]float64, int) {
	x := []float64{rng.Float64(), rng.Float64()}
	if x[0]+x[1] > 1 {
		return x, 1
	}
	return x, 0
}

// E0-53: weak is an error of at most 1/2 − γ for every distribution, with
// probability 1 − δ.
func TestCOLT13_WeakAndStrong(t *testing.T) {
	mltest.Near(t, "g(0.25)", theory.ThreeVotesError(0.25), 0.15625, 1e-15)
	for eps := 0.01; eps < 0.5; eps += 0.01 {
		if theory.ThreeVotesError(eps) >= eps {
			t.Errorf("three votes do not help at %v", eps)
		}
	}
	if d := theory.RecursionDepth(0.25, 0.02); d != 3 {
		t.Errorf("depth %d, want 3: 0.156, 0.066, 0.012", d)
	}
	test := func(f *theory.FilterBoost) float64 {
		rng := model.Rand(99, 0)
		wrong := 0
		const n = 4000
		for range n {
			x, y := diagonal(rng)
			if f.Predict(mat.NewDense(1, len(x), x))[0] != y {
				wrong++
			}
		}
		return float64(wrong) / n
	}
	weak := func() model.Classifier { return &tree.DecisionStump{} }
	errs := make([]float64, 3)
	for depth := 1; depth <= 2; depth++ {
		f := &theory.FilterBoost{New: weak, Depth: depth, Size: 2000, Seed: 1}
		if err := f.Learn(diagonal); err != nil {
			t.Fatal(err)
		}
		errs[depth] = test(f)
		if want := int(math.Pow(3, float64(depth))); f.Fits != want || f.Drawn <= want*2000 {
			t.Errorf("depth %d: %d hypotheses of %d examples", depth, f.Fits, f.Drawn)
		}
	}
	// One stump has an error of 1/4; three of them 5/32 at most, as each has 1/4 on its
	// own distribution or less.
	if errs[1] > theory.ThreeVotesError(0.25)+0.02 || errs[2] > errs[1]-0.02 {
		t.Errorf("errors %v", errs[1:])
	}
	var e *model.Error
	for _, bad := range []*theory.FilterBoost{{}, {New: weak, Size: -1}, {New: weak, Depth: -1}, {New: weak, Patience: -1}} {
		if err := bad.Learn(diagonal); !errors.As(err, &e) {
			t.Errorf("%+v: got %v, want a *model.Error", bad, err)
		}
	}
	mustRefuse(t, "nothing learned", func() { (&theory.FilterBoost{}).Predict(mat.NewDense(1, 1, []float64{1})) })
}

// The mistakes of an algorithm family depend on the target or on the instances:
// additive updates pay for long instances, multiplicative ones for the logarithm of
// the number of variables.
func TestCOLT14_Families(t *testing.T) {
	few := online.DisjunctionMistakes(3, []int{100, 400}, 4000, 1)
	if grown := float64(few[1].Winnow) / float64(few[0].Winnow); grown > 2 {
		t.Errorf("four times the variables cost Winnow %v times the mistakes", grown)
	}
	if few[1].Perceptron <= few[0].Perceptron {
		t.Errorf("irrelevant variables cost the perceptron nothing: %+v", few)
	}
	if a, b := online.ChooseFamily(10000, 5000, 5).Prefer, online.ChooseFamily(10000, 5, 5000).Prefer; a != "multiplicative" || b != "additive" {
		t.Errorf("few relevant variables of many: %s; few that are on: %s", a, b)
	}
}

func ExamplePACSampleSize() {
	logH := 100 * math.Log(3) // conjunctions of 100 literals
	fmt.Println(theory.PACSampleSize(logH, 0.1, 0.05))
	fmt.Println(theory.AgnosticSampleSize(logH, 0.1, 0.05))
	fmt.Println(theory.VCSampleSize(3, 0.1, 0.05))
	// Output:
	// 1129
	// 5643
	// 1899
}

func ExampleShatter() {
	corners := [][]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}
	s := theory.Shatter(theory.HalfSpaces{}, corners)
	fmt.Println(s.Count(), "of", len(s.Labels))
	// Output: 14 of 16
}

func BenchmarkVCDimension(b *testing.B) {
	points := scattered(9, 2, 1)
	b.ReportAllocs()
	for b.Loop() {
		theory.VCDimension(theory.HalfSpaces{}, points)
	}
}
