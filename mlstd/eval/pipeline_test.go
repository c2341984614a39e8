package eval_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// The predictions are what testdata/oracles/weighted.py computed with scikit-learn, for
// the data sets of ensemble.json.
func TestOracleWeightedPipeline(t *testing.T) {
	var sets, want struct {
		Real []struct {
			Name        string
			X           [][]float64
			Y           []float64
			W, Pipeline []float64
		}
	}
	mltest.ReadOracle(t, "ensemble", &sets)
	mltest.ReadOracle(t, "weighted", &want)
	if len(want.Real) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	for i, o := range want.Real {
		x := data.Rows(sets.Real[i].X)
		p := &eval.RegressorPipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &linear.Ridge{Lambda: 2.5}}
		if err := p.FitWeighted(x, sets.Real[i].Y, o.W); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name, p.Predict(x), o.Pipeline, 1e-9)
	}
}

// Pipelines take weights when their models do.
func TestWeightedPipelines(t *testing.T) {
	steps := func() []model.Transformer { return []model.Transformer{&prep.StandardScaler{}} }
	loose := modeltest.Options{Tolerance: 1e-4}
	modeltest.Classifier(t, func() model.Classifier {
		return &eval.Pipeline{Steps: steps(), Model: &linear.LogisticRegression{}}
	}, loose)
	modeltest.Classifier(t, func() model.Classifier {
		return &eval.ProbPipeline{Steps: steps(), Model: &linear.LogisticRegression{}}
	}, loose)
	none := &eval.Pipeline{Steps: steps(), Model: &neighbors.KNN{}}
	var e *model.Error
	if err := none.FitWeighted(mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}, []float64{1, 1}); !errors.As(err, &e) || !strings.Contains(err.Error(), "must have FitWeighted, got *neighbors.KNN") {
		t.Errorf("got %v, want that KNN takes no weights", err)
	}
	for m, want := range map[any]bool{
		none: false, &eval.Pipeline{}: false, &eval.ProbPipeline{Model: &linear.LogisticRegression{}}: true,
		&eval.RegressorPipeline{Model: &linear.Ridge{}}: true, &eval.Search{}: false,
		&eval.Search{Points: []eval.Params{{}}, New: func(eval.Params) model.Classifier { return none }}:                    false,
		&eval.RegressorSearch{Points: []eval.Params{{}}, New: func(eval.Params) model.Regressor { return &linear.Ridge{} }}: true,
	} {
		if got := model.TakesWeights(m); got != want {
			t.Errorf("%T: got %v, want %v", m, got, want)
		}
	}
}

// TestPipelineDecision: a pipeline returns the scores of its model, so that its curves can be
// drawn, and reports a model without scores.
func TestPipelineDecision(t *testing.T) {
	d := data.BreastCancer()
	scaler := &prep.StandardScaler{}
	if err := scaler.Fit(d.X); err != nil {
		t.Fatal(err)
	}
	scaled := scaler.Transform(d.X)
	alone := &linear.LogisticRegression{}
	whole := &eval.Pipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &linear.LogisticRegression{}}
	for m, x := range map[model.Classifier]mat.Matrix{alone: scaled, whole: d.X} {
		if err := m.Fit(x, d.Y); err != nil {
			t.Fatal(err)
		}
	}
	want, got := mat.Col(nil, 0, alone.Decision(scaled)), mat.Col(nil, 0, whole.Decision(d.X))
	mltest.NearAll(t, "scores", got, want, 1e-12)
	if a, b := eval.AUC(d.Y, got, 1), eval.AUC(d.Y, want, 1); a != b || a < 0.99 {
		t.Errorf("AUC %v, of the model alone %v", a, b)
	}
	near := &eval.Pipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &neighbors.KNN{}}
	if err := near.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	chance := near.Model.(*neighbors.KNN).PredictProba(near.Transform(d.X))
	mltest.NearAll(t, "probabilities", mat.Col(nil, 0, near.Decision(d.X)), mat.Col(nil, 1, chance), 0)
	hard := &eval.Pipeline{Model: answers{}}
	defer func() {
		if e, ok := recover().(*model.Error); !ok || !strings.Contains(e.Error(), "must have Decision or PredictProba") {
			t.Errorf("got %v", e)
		}
	}()
	hard.Decision(d.X)
}

// answers is a classifier without scores.
type answers struct{}

func (answers) Fit(mat.Matrix, []int) error { return nil }

func (answers) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	return make([]int, n)
}

// Boosting resamples for a pipeline whose model takes no weights.
func TestBoostedPipeline(t *testing.T) {
	x, y := mat.NewDense(40, 1, nil), make([]int, 40)
	for i := range y {
		x.Set(i, 0, float64(i))
		y[i] = i / 20
	}
	a := &ensemble.AdaBoost{Rounds: 3, New: func() model.Classifier {
		return &eval.Pipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &neighbors.KNN{}}
	}}
	if err := a.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if got := eval.Accuracy(y, a.Predict(x)); got < 0.95 {
		t.Errorf("got accuracy %v", got)
	}
}

// TestPipelineImputesSome: a Columns step that fills some columns, next to others without gaps, is
// accepted with NaN by each function. A gap that remains is refused with the name of its column.
func TestPipelineImputesSome(t *testing.T) {
	nan := math.NaN()
	x := model.Named(nil, mat.NewDense(8, 4, []float64{
		1, 1, 1, 0, nan, 2, 2, 1, 3, 3, 3, 0, 4, 4, nan, 1, 5, 3, 3, 0, 6, 2, 2, 1, 7, 1, 1, 0, 8, 2, 2, 1,
	}), []model.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "city", Kind: model.Nominal, Levels: []string{"Bonn", "Köln"}}})
	y := []int{0, 0, 0, 1, 1, 1, 0, 1}
	one := func(names []string, steps ...model.Transformer) prep.ColumnStep {
		return prep.ColumnStep{Names: names, Steps: steps}
	}
	city := one([]string{"city"}, &prep.OneHotEncoder{})
	for _, c := range []struct {
		steps []prep.ColumnStep
		want  string
	}{
		{[]prep.ColumnStep{one([]string{"a", "c"}, &prep.Imputer{}), city}, ""},
		{[]prep.ColumnStep{one([]string{"a", "c"}, &prep.Imputer{}), one([]string{"b"}), city}, ""},
		{[]prep.ColumnStep{one([]string{"a", "c"}, &prep.Imputer{}), one([]string{"b"}, &prep.StandardScaler{}), city}, ""},
		{[]prep.ColumnStep{one([]string{"a"}, &prep.Imputer{}), city}, `NaN`},
		{[]prep.ColumnStep{one([]string{"a"}, &prep.Imputer{}), one([]string{"c"}, &prep.StandardScaler{}), city}, `NaN`},
		{[]prep.ColumnStep{city}, "NaN"},
	} {
		fresh := func() *eval.Pipeline { return eval.Pipe(&prep.Columns{Steps: c.steps}, &linear.LogisticRegression{}) }
		_, err := eval.CrossValidate(fresh(), &data.Dataset{X: x, Y: y}, 2)
		for what, err := range map[string]error{"fit": fresh().Fit(x, y), "cross-validation": err} {
			if what == "fit" && strings.Contains(c.want, "Pipeline") {
				continue // there the model says it
			}
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", what, err, c.want)
			}
		}
	}
}
