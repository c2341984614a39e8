package course

import (
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// must gives v, for results that come with an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func petals() *data.Dataset { return data.Iris().Features("petal length", "petal width") }

func logistic(d *data.Dataset) *linear.LogisticRegression {
	m := &linear.LogisticRegression{}
	if err := m.Fit(d.X, d.Y); err != nil {
		panic(err)
	}
	return m
}

// moonScores are classes and the scores of a linear model for them.
func moonScores() (y []int, score []float64) {
	d := data.TwoMoons(120, 0.3, 1)
	m := logistic(d)
	s := m.Decision(d.X)
	for i := range d.Y {
		score = append(score, s.At(i, 0))
	}
	return d.Y, score
}

func irisCurve() *eval.Curve {
	d := data.Iris()
	return must(eval.LearningCurve(func() model.Classifier { return &neighbors.KNN{K: 5} }, d.X, d.Y, []int{8, 15, 30, 60, 100, 120}, 5, 1))
}

// figures are the pictures of this package, with the names of their golden files.
var figures = []struct {
	name string
	make func() display.Displayer
}{
	{"regions-knn", func() display.Displayer {
		d := petals()
		return Regions(data.Fit(&neighbors.KNN{K: 5}, d), d)
	}},
	{"regions-linear", func() display.Displayer {
		d := data.TwoMoons(120, 0.25, 2)
		return Regions(logistic(d), d)
	}},
	{"regions-support", func() display.Displayer {
		d := data.Discs(60, 0.3, 1)
		return Regions(data.Fit(&kernel.KernelPerceptron{}, d), d)
	}},
	{"roc", func() display.Displayer {
		y, s := moonScores()
		return ROC(eval.ROC(y, s, 1))
	}},
	{"pr", func() display.Displayer {
		y, s := moonScores()
		return PR(eval.PrecisionRecall(y, s, 1))
	}},
	{"learning-curve", func() display.Displayer { return LearningCurve(irisCurve()) }},
	{"validation-curve", func() display.Displayer {
		d := data.BreastCancer()
		return ValidationCurve(must(eval.ValidationCurve(func(v float64) model.Classifier { return &neighbors.KNN{K: int(v)} },
			"K", []float64{1, 2, 5, 10, 20, 50, 100, 200}, d.X, d.Y, 5)))
	}},
	{"trace", func() display.Displayer {
		d := data.TwoMoons(120, 0.25, 2)
		return Trace(logistic(d).Trace)
	}},
	{"trace-mistakes", func() display.Displayer {
		d := data.Blobs(120, [][]float64{{0, 0}, {2, 1}}, 0.7, 1)
		p := &online.Perceptron{Epochs: 20}
		if err := p.Fit(d.X, d.Y); err != nil {
			panic(err)
		}
		return Trace(p.Trace)
	}},
	{"tree-tennis", func() display.Displayer {
		d := data.PlayTennis()
		t, _ := treeOf(data.Fit(&tree.DecisionTree{}, d))
		return t
	}},
	{"tree-iris", func() display.Displayer {
		t, _ := treeOf(data.Fit(&tree.DecisionTree{Criterion: tree.Gini}, data.Iris()))
		return t
	}},
	{"tree-regression", func() display.Displayer {
		d := data.Diabetes()
		m := &tree.RegressionTree{MaxDepth: 3}
		if err := m.Fit(d.X, d.Target); err != nil {
			panic(err)
		}
		t, _ := treeOf(m)
		return t
	}},
	{"tree-pruned", func() display.Displayer {
		d := data.Iris()
		before, after := &tree.DecisionTree{}, &tree.DecisionTree{}
		data.Fit(before, d)
		data.Fit(after, d)
		after.PruneCostComplexity(0.02)
		return Pruned(before, after)
	}},
}

func TestFigures(t *testing.T) {
	for _, f := range figures {
		t.Run(f.name, func(t *testing.T) { figuretest.Check(t, f.name, f.make()) })
	}
}
