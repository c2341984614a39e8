package concept_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/concept"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func TestCORE04_Paradigms(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range concept.Paradigms() {
		if p.Given == "" || p.Goal == "" || p.Example == "" || seen[p.Name] {
			t.Errorf("%+v is not complete, or listed twice", p)
		}
		seen[p.Name] = true
	}
	for _, name := range []string{"supervised", "unsupervised", "semi-supervised", "transductive", "reinforcement"} {
		if !seen[name] {
			t.Errorf("%s learning is not listed", name)
		}
	}
}

func TestCORE05_InductiveBias(t *testing.T) {
	d, hypotheses := concept.InductiveBias()
	for _, h := range hypotheses {
		for i, y := range d.Y {
			if got := h.F(d.X.RawRowView(i)); got != y {
				t.Errorf("%s says %d of point %d, want %d", h.Name, got, i, y)
			}
		}
	}
	// Over the square, x1 and x2 disagree in two of four quadrants, each with the
	// sum in half of those.
	grid := mat.NewDense(100*100, 2, nil)
	for i := range 100 {
		for j := range 100 {
			grid.SetRow(100*i+j, []float64{(float64(i) - 49.5) / 50, (float64(j) - 49.5) / 50})
		}
	}
	mltest.Near(t, "x1 and x2", concept.Disagreement(hypotheses[0], hypotheses[1], grid), 0.5, 1e-12)
	mltest.Near(t, "x1 and sum", concept.Disagreement(hypotheses[0], hypotheses[2], grid), 0.25, 0.01)
}

// constant always says 1.
type constant struct{}

func (constant) Fit(mat.Matrix, []int) error { return nil }
func (constant) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = 1
	}
	return y
}

func TestCORE06_NoFreeLunch(t *testing.T) {
	for name, fresh := range map[string]func() model.Classifier{
		"1-NN":          func() model.Classifier { return &neighbors.KNN{K: 1} },
		"constant":      func() model.Classifier { return constant{} },
		"decision tree": func() model.Classifier { return &tree.DecisionTree{} },
	} {
		r, err := concept.NoFreeLunch(fresh, 3, []int{0, 1, 3, 4, 6})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Errors) != 256 || r.Mean != 0.5 {
			t.Errorf("%s: mean error off the training set %v over %d targets, want exactly 0.5 over 256", name, r.Mean, len(r.Errors))
		}
		best, worst := 1.0, 0.0
		for _, e := range r.Errors {
			best, worst = math.Min(best, e), math.Max(worst, e)
		}
		if best != 0 || worst != 1 {
			t.Errorf("%s: errors from %v to %v, want a target it gets all right and one all wrong", name, best, worst)
		}
	}
	for _, training := range [][]int{nil, {0, 0}, {9}, {0, 1, 2, 3, 4, 5, 6, 7}} {
		var e *model.Error
		if _, err := concept.NoFreeLunch(func() model.Classifier { return constant{} }, 3, training); !errors.As(err, &e) {
			t.Errorf("training inputs %v: got %v, want an error", training, err)
		}
	}
}

func play(t *testing.T) *concept.World {
	t.Helper()
	d := data.SunnyWindy()
	w := make([]float64, d.Len())
	for i := range w {
		w[i] = float64(i%3 + 1)
	}
	world, err := concept.NewWorld(d.X, d.Y, w)
	if err != nil {
		t.Fatal(err)
	}
	return world
}

func TestCORE07_TrueError(t *testing.T) {
	w := play(t)
	m := &tree.DecisionTree{MaxDepth: 1}
	if err := m.Fit(w.X, w.Y); err != nil {
		t.Fatal(err)
	}
	exact := w.TrueError(m)
	const n = 20000
	x, y := w.Sample(n, 1)
	// The tolerance is three standard errors of a proportion.
	mltest.Near(t, "error on a sample", eval.ErrorRate(y, m.Predict(x)), exact, 3*math.Sqrt(exact*(1-exact)/n))
	full := &tree.DecisionTree{}
	if err := full.FitWeighted(w.X, w.Y, w.P); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "error of the full tree", w.TrueError(full), w.LeastError(), 1e-12)
	if exact < w.LeastError() {
		t.Errorf("an error of %v is below the least one, %v", exact, w.LeastError())
	}
}

// E3-13, E3-16: the fraction of the sample where prediction and label differ.
// E4-02: each data point counts with its own label.
func TestCORE08_TrainingError(t *testing.T) {
	mltest.Near(t, "3 of 8 wrong", eval.ErrorRate([]int{1, 1, 0, 0, 1, 0, 1, 0}, []int{1, 0, 0, 1, 1, 0, 0, 0}), 0.375, 0)
	mltest.Near(t, "each label of its point", eval.ErrorRate([]int{1, 0}, []int{1, 0}), 0, 0)
	mltest.Near(t, "the same labels, of the other points", eval.ErrorRate([]int{1, 0}, []int{0, 1}), 1, 0)
}

// The error on data never looked at is the true one on average; that on the
// training data is lower, and says little when the training data are few (E0-01).
func TestCORE09_HeldOut(t *testing.T) {
	d := data.NoisyXOR(100, 0.2, 1)
	train, test := d.Split(0.5, 1)
	m := &neighbors.KNN{K: 1}
	if err := m.Fit(train.X, train.Y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "training error of a memory", eval.ErrorRate(train.Y, m.Predict(train.X)), 0, 0)
	if e := eval.ErrorRate(test.Y, m.Predict(test.X)); e < 0.2 {
		t.Errorf("held-out error %v, want at least the noise of 0.2", e)
	}
}

func TestCORE10_Overfitting(t *testing.T) {
	coins := data.TwoCoins()
	m := &tree.DecisionTree{}
	if err := m.Fit(coins.X, coins.Y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "training accuracy on two coins", 1-eval.ErrorRate(coins.Y, m.Predict(coins.X)), 0.75, 0)
	mltest.Near(t, "information gain", m.Root.Gain, 0.3113, 5e-5)
	all, err := concept.NewWorld(data.Rows([][]float64{{0}, {0}, {1}, {1}}), []int{0, 1, 0, 1}, []float64{1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "true error", all.TrueError(m), 0.5, 1e-12)
}

func curve(t *testing.T) concept.ComplexityCurve {
	t.Helper()
	train, other := data.NoisyXOR(60, 0.2, 3).Split(0.5, 2)
	c, err := concept.VaryComplexity(func(depth int) model.Classifier { return &tree.DecisionTree{MaxDepth: depth} },
		[]int{1, 2, 3, 4, 5, 6, 8, 10, 12}, train, other)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCORE11_Hyperparameters(t *testing.T) {
	c := curve(t)
	byTraining, byOther := c.BestOnTraining(), c.BestOnOther()
	if byTraining.Knob <= byOther.Knob {
		t.Errorf("depth %d by training error, %d by held-out error; training should want more", byTraining.Knob, byOther.Knob)
	}
	// E3-05: the other has the higher training error and the lower true error.
	if !byTraining.Overfits(byOther) || byOther.Overfits(byTraining) {
		t.Errorf("%+v should overfit relative to %+v", byTraining, byOther)
	}
	for k := 1; k < len(c); k++ {
		if c[k].Training > c[k-1].Training {
			t.Errorf("the training error rises from depth %d to %d", c[k-1].Knob, c[k].Knob)
		}
	}
}

func TestCORE27_FitVersusPrediction(t *testing.T) {
	steps, err := concept.FitVersusPrediction(30, 29, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k < len(steps); k++ {
		if steps[k].Fit < steps[k-1].Fit-1e-9 {
			t.Errorf("the fit falls from %v to %v with feature %d", steps[k-1].Fit, steps[k].Fit, k+1)
		}
	}
	last := steps[len(steps)-1]
	mltest.Near(t, "fit with n−1 features", last.Fit, 1, 1e-9)
	if last.Predict > 0 || steps[0].Predict < 0.2 {
		t.Errorf("prediction: R² %v with the one feature that matters, %v with all", steps[0].Predict, last.Predict)
	}
}

func ExampleNoFreeLunch() {
	r, err := concept.NoFreeLunch(func() model.Classifier { return &neighbors.KNN{K: 1} }, 3, []int{0, 1, 2, 3, 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Errors), "targets, mean error", r.Mean)
	// Output: 256 targets, mean error 0.5
}
