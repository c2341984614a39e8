package eval_test

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// streets has a column of 150 names that say nothing, one of 4 that say something, and
// a number with gaps.
func streets(n int) (*model.Table, []int) {
	rng := model.Rand(3, 0)
	columns := []model.Column{{Name: "street", Kind: model.Nominal}, {Name: "city", Kind: model.Nominal}, {Name: "income"}}
	for l := range 150 {
		columns[0].Levels = append(columns[0].Levels, "street "+strconv.Itoa(l))
	}
	columns[1].Levels = []string{"Bonn", "Jena", "Kiel", "Ulm"}
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range y {
		city := rng.IntN(4)
		x.SetRow(i, []float64{float64(rng.IntN(150)), float64(city), rng.NormFloat64()})
		if rng.Float64() < 0.2+0.2*float64(city) {
			y[i] = 1
		}
		if i%9 == 0 {
			x.Set(i, 2, math.NaN())
		}
	}
	return &model.Table{Dense: x, Columns: columns}, y
}

// The encoder learns inside the folds of a cross-validation, inside Columns, beside
// an imputer. Uninformative names neither help nor harm on new examples, as they
// would if each example were encoded with the help of its own target.
func TestTargetEncoderInPipeline(t *testing.T) {
	x, y := streets(400)
	fresh := func() model.Classifier {
		return &eval.ProbPipeline{
			Steps: []model.Transformer{&prep.Columns{Steps: []prep.ColumnStep{
				{Names: []string{"street", "city"}, Steps: []model.Transformer{&prep.TargetEncoder{}}},
				{Names: []string{"income"}, Steps: []model.Transformer{&prep.Imputer{}, &prep.StandardScaler{}}},
			}}},
			Model: &linear.LogisticRegression{},
		}
	}
	r, err := eval.CrossScore(fresh, x, y, eval.Resampling{}, eval.ByAUC)
	if err != nil {
		t.Fatal(err)
	}
	if m := r[0].Mean(); m < 0.65 {
		t.Errorf("AUC on new examples: %v", m)
	}
	p := fresh()
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	honest := eval.Accuracy(y, p.Predict(x))
	// Encoded with their own targets, the streets would be learned by heart.
	plain := &prep.TargetEncoder{}
	if _, err := plain.FitTransform(x, model.Targets{Labels: y}); err != nil {
		t.Fatal(err)
	}
	filled, err := model.FitTransform(&prep.Imputer{}, plain.Transform(x), model.Targets{})
	if err != nil {
		t.Fatal(err)
	}
	greedy := &linear.LogisticRegression{}
	if err := greedy.Fit(filled, y); err != nil {
		t.Fatal(err)
	}
	if leak := eval.Accuracy(y, greedy.Predict(filled)); leak < honest+0.05 {
		t.Errorf("accuracy on the training examples: %v with their own targets, %v without", leak, honest)
	}
}

// All functions that resample accept gaps and names when the pipeline takes them.
func TestColumnsEverywhere(t *testing.T) {
	x, y := streets(150)
	fresh := func() model.Classifier {
		return &eval.Pipeline{
			Steps: []model.Transformer{
				&prep.Columns{Steps: []prep.ColumnStep{{Names: []string{"street"}, Steps: []model.Transformer{&prep.TargetEncoder{}}}}},
				&prep.Imputer{}, &prep.OneHotEncoder{},
			},
			Model: &linear.LogisticRegression{},
		}
	}
	if _, err := eval.CrossScore(fresh, x, y, eval.Resampling{}); err != nil {
		t.Error(err)
	}
	if _, err := eval.CrossPredict(fresh, x, y, eval.StratifiedKFold{K: 3}); err != nil {
		t.Error(err)
	}
	if _, err := eval.LearningCurve(fresh, x, y, []int{60, 90}, 3, 1); err != nil {
		t.Error(err)
	}
	m := fresh()
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if _, err := eval.PermutationImportance(m, x, y, eval.Scoring{}, eval.Permuting{}); err != nil {
		t.Error(err)
	}
	for j := range 3 {
		if _, err := eval.PartialDependence(m, x, []int{j}, eval.DependenceGrid{}); err != nil {
			t.Error(err)
		}
	}
	if _, err := eval.CrossScore(func() model.Classifier { return &eval.Calibrated{New: fresh} }, x, y, eval.Resampling{}, eval.ByLogLoss); err != nil {
		t.Error(err)
	}
}

// Texts go through a pipeline as a column of a table: the terms are learned inside the
// folds.
func TestTextEncoderInPipeline(t *testing.T) {
	m := data.Messages()
	r, err := eval.CrossScore(func() model.Classifier {
		return &eval.Pipeline{Steps: []model.Transformer{&prep.TextEncoder{Grams: 2}}, Model: &linear.LogisticRegression{C: 10}}
	}, prep.TextTable("message", m.Texts), m.Y, eval.Resampling{})
	if err != nil {
		t.Fatal(err)
	}
	if r[0].Mean() < 0.8 {
		t.Errorf("accuracy %v", r[0].Mean())
	}
}
