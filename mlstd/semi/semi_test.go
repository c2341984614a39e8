package semi_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/semi"
)

func TestConformance(t *testing.T) {
	x, y := counted()
	for name, c := range map[string]struct {
		make func() model.Classifier
		opts modeltest.Options
	}{
		"SemiNaiveBayes bits":   {func() model.Classifier { return &semi.SemiNaiveBayes{} }, modeltest.Options{X: bits(x), Y: y}},
		"SemiNaiveBayes counts": {func() model.Classifier { return &semi.SemiNaiveBayes{Counts: true} }, modeltest.Options{X: x, Y: y}},
		"SelfTraining":          {func() model.Classifier { return &semi.SelfTraining{} }, modeltest.Options{}},
		"CoTraining":            {func() model.Classifier { return &semi.CoTraining{} }, modeltest.Options{}},
		"LabelPropagation":      {func() model.Classifier { return &semi.LabelPropagation{} }, modeltest.Options{}},
		"LabelPropagation RBF":  {func() model.Classifier { return &semi.LabelPropagation{Gamma: 0.5} }, modeltest.Options{}},
		"LabelSpreading":        {func() model.Classifier { return &semi.LabelSpreading{} }, modeltest.Options{}},
		"LabelSpreading RBF":    {func() model.Classifier { return &semi.LabelSpreading{Gamma: 0.5} }, modeltest.Options{}},
		"TransductiveSVM":       {func() model.Classifier { return &semi.TransductiveSVM{} }, modeltest.Options{Binary: true, Tolerance: 1e-4}},
	} {
		t.Run(name, func(t *testing.T) { modeltest.Classifier(t, c.make, c.opts) })
	}
}

// counted returns rows of counts, in which each class has two columns of its own.
func counted() (*mat.Dense, []int) {
	rng := model.Rand(43, 0)
	x, y := mat.NewDense(90, 6, nil), make([]int, 90)
	for i := range y {
		y[i] = i % 3
		for j := range 6 {
			if rng.Float64() < 0.1 {
				x.Set(i, j, 1)
			}
			if j/2 == y[i] {
				x.Set(i, j, float64(1+rng.IntN(4)))
			}
		}
	}
	return x, y
}

func bits(x *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Apply(func(_, _ int, v float64) float64 { return min(v, 1) }, x)
	return &out
}

func accuracy(got, want []int) float64 {
	right := 0
	for i, c := range got {
		if c == want[i] {
			right++
		}
	}
	return float64(right) / float64(len(got))
}

// Without unlabeled rows it counts; ρ is Σq/(N + M) and θ the expected fraction
// (E0-68). Here y is a Bernoulli, not a binomial variable (E0-65), and x depends on
// y, not on ρ (E0-66). The bound keeps the entropy (E0-67), with which the
// likelihood never decreases.
func TestLAT08_NaiveBayesEM(t *testing.T) {
	x := mat.NewDense(5, 2, []float64{1, 0, 1, 1, 1, 0, 0, 1, 0, 0})
	y := []int{1, 1, 1, -1, -1}
	m := &semi.SemiNaiveBayes{Alpha: model.Zero}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "ρ", m.Prior, []float64{0.4, 0.6}, 1e-15)
	mltest.NearAll(t, "θ", m.Theta.RawMatrix().Data, []float64{0, 0.5, 1, 1. / 3}, 1e-15)
	if m.Unlabeled != nil {
		t.Error("there are no unlabeled rows")
	}

	u := mat.NewDense(4, 2, []float64{1, 1, 1, 1, 0, 1, 0, 0})
	one := &semi.SemiNaiveBayes{MaxIter: 1, Tol: model.Zero}
	if err := one.FitUnlabeled(x, y, u); err != nil {
		t.Fatal(err)
	}
	first := &semi.SemiNaiveBayes{}
	if err := first.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	q := first.PredictProba(u)
	rho, with := 3.0, 3.0
	for i := range 4 {
		rho += q.At(i, 1)
		with += q.At(i, 1) * u.At(i, 0)
	}
	mltest.Near(t, "ρ after one iteration", one.Prior[1], rho/9, 1e-14)
	mltest.Near(t, "θ after one iteration", one.Theta.At(1, 0), (with+1)/(rho+2), 1e-14)

	// Ten labeled rows and 600 unlabeled ones of fifteen weak columns.
	rng := model.Rand(3, 0)
	draw := func(n int) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 15, nil), make([]int, n)
		for i := range y {
			y[i] = i % 2
			for j := range 15 {
				if rng.Float64() < 0.3+0.4*float64((y[i]+j)%2) {
					x.Set(i, j, 1)
				}
			}
		}
		return x, y
	}
	x, y = draw(10)
	u, hidden := draw(600)
	test, truth := draw(2000)
	alone, both := &semi.SemiNaiveBayes{}, &semi.SemiNaiveBayes{}
	if err := alone.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := both.FitUnlabeled(x, y, u); err != nil {
		t.Fatal(err)
	}
	told := &semi.SemiNaiveBayes{}
	if err := told.Fit(u, hidden); err != nil {
		t.Fatal(err)
	}
	// The best possible accuracy is P(Bin(15, 0.7) ≥ 8) = 0.950; with 2,000 rows its standard error
	// is 0.005. The unlabeled rows are worth nearly as much as labeled ones.
	a, b, c := accuracy(alone.Predict(test), truth), accuracy(both.Predict(test), truth), accuracy(told.Predict(test), truth)
	if b < a+0.015 || b < c-0.005 || math.Abs(c-0.950) > 0.015 {
		t.Errorf("accuracy %.4f from 10 rows, %.4f with 600 unlabeled ones, %.4f with their labels", a, b, c)
	}
	for i := 1; i < len(both.Trace.Loss); i++ {
		if both.Trace.Loss[i] > both.Trace.Loss[i-1]+1e-9 {
			t.Errorf("the likelihood falls in iteration %d", i+1)
		}
	}
}

// Two columns are redundant. The labeled rows nearly always have the first, so the second is
// learned only from the unlabeled rows.
func TestLAT09_SelfTraining(t *testing.T) {
	rng := model.Rand(4, 0)
	draw := func(n int, second float64) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range y {
			y[i] = 2*(i%2) - 1
			for j, p := range []float64{1 - second/2, second} {
				if rng.Float64() < p {
					x.Set(i, j, float64(y[i])*(2+0.2*rng.NormFloat64()))
				} else {
					x.Set(i, j, 0.3*rng.NormFloat64())
				}
			}
		}
		return x, y
	}
	x, y := draw(12, 0)
	u, hidden := draw(400, 0.8)
	linearly := func() model.ProbClassifier { return &linear.LogisticRegression{} }
	m := &semi.SelfTraining{New: linearly, Threshold: 0.9, MaxIter: 20}
	if err := m.FitUnlabeled(x, y, u); err != nil {
		t.Fatal(err)
	}
	before := linearly()
	if err := before.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	test, truth := draw(1000, 0.8)
	a, b := accuracy(before.Predict(test), truth), accuracy(m.Predict(test), truth)
	// The first column by itself determines 0.6 of the rows, and half of the others are guessed:
	// 0.8 in all. Both columns determine 0.92, and half of the remaining 0.08 are guessed: 0.96.
	if math.Abs(a-0.8) > 0.04 || b < 0.945 {
		t.Errorf("accuracy %.3f before and %.3f after", a, b)
	}
	if share := accuracy(m.Labels, hidden); share < 0.945 {
		t.Errorf("%.3f of its labels are right", share)
	}
	w := m.Model.(*linear.LogisticRegression).Coef.RawRowView(0)
	if was := before.(*linear.LogisticRegression).Coef.At(0, 1); math.Abs(was) > 0.2 || w[1] < w[0]/2 {
		t.Errorf("the weight of the second column was %.3f, and is %.3f beside %.3f", was, w[1], w[0])
	}
	for i := 1; i < len(m.Trace.Loss); i++ {
		if m.Trace.Loss[i] > m.Trace.Loss[i-1] {
			t.Error("a label was taken back")
		}
	}
	for _, bad := range []*semi.SelfTraining{{Threshold: 2}, {Best: -1}, {MaxIter: -1}, {New: func() model.ProbClassifier { return nil }}} {
		if bad.FitUnlabeled(x, y, u) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// Each view of a page, its words and the words of links to it, is sufficient. Both views are of the
// same row (E0-63).
func TestLAT10_CoTraining(t *testing.T) {
	rng := model.Rand(5, 0)
	draw := func(n int) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 16, nil), make([]int, n)
		for i := range y {
			y[i] = i % 2
			for j := range 16 {
				p := 0.2
				if j%2 == y[i] {
					p = 0.6
				}
				if rng.Float64() < p {
					x.Set(i, j, 1)
				}
			}
		}
		return x, y
	}
	x, y := draw(8)
	u, hidden := draw(500)
	page, links := []int{0, 1, 2, 3, 4, 5, 6, 7}, []int{8, 9, 10, 11, 12, 13, 14, 15}
	words := func() model.ProbClassifier { return &prob.BernoulliNB{} }
	m := &semi.CoTraining{New: words, Views: [2][]int{page, links}, Threshold: 0.8, MaxIter: 30}
	if err := m.FitUnlabeled(x, y, u); err != nil {
		t.Fatal(err)
	}
	alone := &semi.CoTraining{New: words, Views: m.Views}
	if err := alone.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	a, b := accuracy(alone.Predict(u), hidden), accuracy(m.Labels, hidden)
	told := words()
	if err := told.Fit(u, hidden); err != nil {
		t.Fatal(err)
	}
	if c := accuracy(told.Predict(u), hidden); b < a+0.015 || b < c-0.01 {
		t.Errorf("accuracy %.4f from the labeled rows, %.4f together, %.4f with the hidden labels", a, b, c)
	}
	// A row is moved only when both classifiers of the round agree on it.
	f, g := words(), words()
	cols := func(x *mat.Dense, from int) mat.Matrix { n, _ := x.Dims(); return x.Slice(0, n, from, from+8) }
	if err := f.Fit(cols(x, 0), y); err != nil {
		t.Fatal(err)
	}
	if err := g.Fit(cols(x, 8), y); err != nil {
		t.Fatal(err)
	}
	p, q := f.PredictProba(cols(u, 0)), g.PredictProba(cols(u, 8))
	for i := range hidden {
		agree := (p.At(i, 0) >= 0.8 && q.At(i, 0) >= 0.8) || (p.At(i, 1) >= 0.8 && q.At(i, 1) >= 0.8)
		if agree != (m.Round[i] == 1) {
			t.Errorf("row %d: agreement %v, round %d", i, agree, m.Round[i])
		}
	}
	for _, bad := range []*semi.CoTraining{{Views: [2][]int{{0}, {}}}, {Views: [2][]int{{0}, {99}}}, {Threshold: 1}, {MaxIter: -1}} {
		if bad.FitUnlabeled(x, y, u) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// islands returns two long clouds, 4 apart, whose labeled rows suggest a crooked boundary.
func islands() (x *mat.Dense, y []int, u *mat.Dense, hidden []int) {
	rng := model.Rand(6, 0)
	u, hidden = mat.NewDense(80, 2, nil), make([]int, 80)
	for i := range hidden {
		hidden[i] = 2*(i%2) - 1
		u.SetRow(i, []float64{6 * (rng.Float64() - 0.5), 2*float64(hidden[i]) + 0.4*rng.NormFloat64()})
	}
	return mat.NewDense(2, 2, []float64{-2, -2, 2, 2}), []int{-1, 1}, u, hidden
}

// The boundary goes where no rows are. Without the constraint of balance, which the notes lack
// (E0-64), all rows may end on one side; with equal constants, the labeled rows are ignored.
func TestLAT11_12_TransductiveSVM(t *testing.T) {
	x, y, u, hidden := islands()
	before, m := &semi.TransductiveSVM{C: 10}, &semi.TransductiveSVM{C: 10}
	if err := before.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := m.FitUnlabeled(x, y, u); err != nil {
		t.Fatal(err)
	}
	a, b := accuracy(before.Predict(u), hidden), accuracy(m.Labels, hidden)
	if a > 0.95 || b != 1 { // the clouds are ten standard deviations apart
		t.Errorf("accuracy %.3f from two rows, %.3f with the others", a, b)
	}
	if !slices.Equal(m.Predict(u), m.Labels) {
		t.Error("labels and predictions differ")
	}
	near := func(m *semi.TransductiveSVM) int {
		f, count := m.Decision(u), 0
		for i := range 80 {
			if math.Abs(f.At(i, 0)) < 0.5 {
				count++
			}
		}
		return count
	}
	if near(before) < 5 || near(m) > 0 {
		t.Errorf("%d rows near the boundary before, %d after", near(before), near(m))
	}
	for i := 1; i < len(m.Trace.Loss); i++ {
		if m.Levels[i] == m.Levels[i-1] && m.Trace.Loss[i] > m.Trace.Loss[i-1]+1e-6 {
			t.Errorf("the objective rises from %v to %v at fit %d", m.Trace.Loss[i-1], m.Trace.Loss[i], i)
		}
	}
	// The search is local: from less informative labels it ends with a worse objective.
	worse := &semi.TransductiveSVM{C: 10}
	if err := worse.FitUnlabeled(mat.NewDense(2, 2, []float64{-2.5, -1.5, 2.5, 1.5}), y, u); err != nil {
		t.Fatal(err)
	}
	if worse.Objective < 2*m.Objective {
		t.Errorf("objectives %v and %v", m.Objective, worse.Objective)
	}
	third := &semi.TransductiveSVM{C: 10, Positive: 0.25}
	if err := third.FitUnlabeled(x, y, u); err != nil {
		t.Fatal(err)
	}
	up := 0
	for _, l := range third.Labels {
		if l == 1 {
			up++
		}
	}
	if up != 20 {
		t.Errorf("%d of 80 rows are positive, want the 20 that were asked for", up)
	}
	for _, bad := range []*semi.TransductiveSVM{{C: -1}, {CUnlabeled: -1}, {Positive: 1}, {MaxIter: -1}} {
		if bad.FitUnlabeled(x, y, u) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if m.FitUnlabeled(mat.NewDense(3, 2, nil), []int{0, 1, 2}, u) == nil {
		t.Error("three classes were taken")
	}
}

// catalogueMoons returns two half moons of evenly spaced points with noise.
func catalogueMoons(n int, noise float64, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(2*n, 2, nil), make([]int, 2*n)
	for i := range n {
		s, c := math.Sincos(math.Pi * float64(i) / float64(n-1))
		x.SetRow(2*i, []float64{c + noise*rng.NormFloat64(), s + noise*rng.NormFloat64()})
		x.SetRow(2*i+1, []float64{1 - c + noise*rng.NormFloat64(), 0.5 - s + noise*rng.NormFloat64()})
		y[2*i+1] = 1
	}
	return x, y
}

// With sixty points and one label per moon and a graph of 5 neighbors, there is no mistake if no
// edge connects the moons, and there are many if one does.
func TestLAT13_TwoMoons(t *testing.T) {
	crossed := 0
	for _, noise := range []float64{0.02, 0.05} {
		for seed := range uint64(12) {
			x, y := catalogueMoons(60, noise, seed)
			m := &semi.LabelPropagation{Neighbors: 5}
			if err := m.FitUnlabeled(x.Slice(0, 2, 0, 2), y[:2], x.Slice(2, 120, 0, 2)); err != nil {
				t.Fatal(err)
			}
			right, cut := accuracy(m.Labels, y[2:]), m.Graph.CutWeight(y)
			switch {
			case noise == 0.02 && (right < 1 || cut > 0):
				t.Errorf("noise .02, seed %d: accuracy %.3f, %v edges between the moons", seed, right, cut)
			case cut == 0 && right < 1 && m.Unreached == 0:
				t.Errorf("seed %d: accuracy %.3f without an edge between the moons", seed, right)
			case cut > 0 && right < 0.95:
				crossed++
			}
			// The value of an unlabeled node is the mean of its neighbors.
			labels := append([]int{0, 1}, slices.Repeat([]int{semi.Unlabeled}, 118)...)
			mltest.Near(t, "the largest residual", residual(m.Graph, m.F, labels), 0, 1e-7)
		}
	}
	if crossed == 0 {
		t.Error("no graph of noise .05 fails")
	}
	// The graph is a chain between a hot and a cold end, and a part that neither reaches.
	g := semi.NewSimilarityGraph(7, semi.GraphEdge{From: 0, To: 1, Weight: 1}, semi.GraphEdge{From: 1, To: 2, Weight: 1},
		semi.GraphEdge{From: 2, To: 3, Weight: 1}, semi.GraphEdge{From: 3, To: 4, Weight: 1}, semi.GraphEdge{From: 5, To: 6, Weight: 1})
	labels := []int{0, -1, -1, -1, 1, -1, -1}
	f := semi.HarmonicLabels(g, labels)
	mltest.NearAll(t, "the chain", mat.Col(nil, 1, f), []float64{0, 0.25, 0.5, 0.75, 1, 0.5, 0.5}, 1e-9)
	steps := semi.PropagationSteps(g, labels, 200)
	mltest.NearAll(t, "after 200 rounds", mat.Col(nil, 1, steps[200]), mat.Col(nil, 1, f), 1e-9)
	mltest.NearAll(t, "after one round", mat.Col(nil, 1, steps[1]), []float64{0, 0.25, 0.5, 0.75, 1, 0.5, 0.5}, 1e-12)
	spread := semi.SpreadLabels(g, labels, 0.5)
	mltest.Near(t, "spread to the middle", spread.At(2, 0), 0.5, 1e-10)
	if spread.At(1, 0) < 0.8 || spread.At(5, 0) != 0.5 {
		t.Errorf("spread to %v", mat.Formatted(spread))
	}
}

func residual(g *semi.SimilarityGraph, f *mat.Dense, labels []int) float64 {
	n, k := f.Dims()
	sum := mat.NewDense(n, k, nil)
	for _, e := range g.Edges() {
		for c := range k {
			sum.Set(e.From, c, sum.At(e.From, c)+e.Weight*f.At(e.To, c))
			sum.Set(e.To, c, sum.At(e.To, c)+e.Weight*f.At(e.From, c))
		}
	}
	most := 0.0
	for i, d := range g.Degrees() {
		for c := range k {
			if labels[i] == semi.Unlabeled {
				most = max(most, math.Abs(sum.At(i, c)/d-f.At(i, c)))
			}
		}
	}
	return most
}

func TestLAT14_Laplacian(t *testing.T) {
	g := semi.NewSimilarityGraph(3, semi.GraphEdge{From: 0, To: 1, Weight: 2}, semi.GraphEdge{From: 2, To: 1, Weight: 1})
	mltest.NearAll(t, "L", numbers(g.Laplacian(semi.CombinatorialLaplacian)), []float64{2, -2, 0, -2, 3, -1, 0, -1, 1}, 0)
	mltest.NearAll(t, "normalized", numbers(g.Laplacian(semi.NormalizedLaplacian)),
		[]float64{1, -2 / math.Sqrt(6), 0, -2 / math.Sqrt(6), 1, -1 / math.Sqrt(3), 0, -1 / math.Sqrt(3), 1}, 1e-15)
	mltest.NearAll(t, "random walk", numbers(g.Laplacian(semi.RandomWalkLaplacian)), []float64{1, -1, 0, -2. / 3, 1, -1. / 3, 0, -1, 1}, 1e-15)
	f := []float64{1, -2, 3}
	mltest.Near(t, "fᵀLf", g.Quadratic(f), 43, 1e-12) // 2·9 + 1·25
	v := mat.NewVecDense(3, f)
	mltest.Near(t, "fᵀLf as a product", mat.Inner(v, g.Laplacian(semi.CombinatorialLaplacian), v), 43, 1e-12)

	// There are as many zero eigenvalues as components, whose indicators span the eigenvectors.
	x, y := catalogueMoons(60, 0.02, 1)
	moons := semi.NeighborGraph(x, 5)
	component, count := moons.Components()
	for _, kind := range []semi.LaplacianKind{semi.CombinatorialLaplacian, semi.NormalizedLaplacian, semi.RandomWalkLaplacian} {
		values, vectors := moons.Spectrum(kind, count+1)
		zero := 0
		for _, v := range values {
			if v < 1e-9 {
				zero++
			}
		}
		if zero != count || values[count] < 1e-6 {
			t.Errorf("%v: %d zero eigenvalues of %v for %d components", kind, zero, values, count)
		}
		var lv mat.Dense
		lv.Mul(moons.Laplacian(kind), vectors)
		for c, l := range values {
			for i := range 120 {
				mltest.Near(t, kind.String()+": L·v", lv.At(i, c), l*vectors.At(i, c), 1e-8)
			}
		}
	}
	if count != 2 || component[0] == component[1] || moons.CutWeight(y) != 0 {
		t.Errorf("%d components, %v between the moons", count, moons.CutWeight(y))
	}
	for name, f := range map[string]func(){
		"loop":   func() { semi.NewSimilarityGraph(2, semi.GraphEdge{From: 1, To: 1, Weight: 1}) },
		"node":   func() { semi.NewSimilarityGraph(2, semi.GraphEdge{From: 1, To: 2, Weight: 1}) },
		"weight": func() { semi.NewSimilarityGraph(2, semi.GraphEdge{From: 1, To: 0, Weight: -1}) },
		"k":      func() { semi.NeighborGraph(x, 120) },
		"gamma":  func() { semi.RBFGraph(x, 0) },
		"labels": func() { semi.HarmonicLabels(g, []int{-1, -1, -1}) },
		"alpha":  func() { semi.SpreadLabels(g, []int{0, 1, -1}, 1) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%s: no *model.Error", name)
				}
			}()
			f()
		}()
	}
}

func ExampleLabelPropagation() {
	moons := data.TwoMoons(200, 0.04, 1)
	x, y := model.Dense(moons.X), moons.Y
	first := slices.Index(y, 1-y[0]) // the first row of the other moon
	labeled := mat.NewDense(2, 2, slices.Concat(x.RawRowView(0), x.RawRowView(first)))
	m := &semi.LabelPropagation{Neighbors: 7}
	if err := m.FitUnlabeled(labeled, []int{y[0], y[first]}, x); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d labels, accuracy %.2f\n", 2, accuracy(m.Labels, y))
	// Output: 2 labels, accuracy 1.00
}

func BenchmarkLabelPropagation(b *testing.B) {
	moons := data.TwoMoons(5000, 0.05, 1)
	x := model.Dense(moons.X)
	for b.Loop() {
		m := &semi.LabelPropagation{}
		if err := m.FitUnlabeled(x.Slice(0, 100, 0, 2), moons.Y[:100], x.Slice(100, 10000, 0, 2)); err != nil {
			b.Fatal(err)
		}
	}
}
