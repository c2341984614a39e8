package eval_test

import (
	"errors"
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
	if err := none.FitWeighted(mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}, []float64{1, 1}); !errors.As(err, &e) || !strings.Contains(err.Error(), "KNN takes no weights") {
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
