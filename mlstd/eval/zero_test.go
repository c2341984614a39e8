package eval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// A 0 in a grid is not a second point of the default, wherever in the model it
// ends.
func TestZeroInAGrid(t *testing.T) {
	d := data.Diabetes()
	ridge := func(l float64) model.Regressor { return &linear.Ridge{Lambda: l} }
	for name, fresh := range map[string]func(l float64) model.Regressor{
		"itself": ridge,
		"a pipeline": func(l float64) model.Regressor {
			return &eval.RegressorPipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: ridge(l)}
		},
		"an ensemble": func(l float64) model.Regressor {
			return &ensemble.BaggingRegressor{Size: 3, New: func() model.Regressor { return ridge(l) }}
		},
		"a choice": func(l float64) model.Regressor { // which 0 must still be
			if l == 0 {
				return &linear.LinearRegression{}
			}
			return ridge(l)
		},
	} {
		s := &eval.RegressorSearch{
			New:    func(p eval.Params) model.Regressor { return fresh(p["lambda"]) },
			Points: eval.GridPoints(map[string][]float64{"lambda": {0, 1}}),
		}
		if err := s.Fit(d.X, d.Target); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		zero, one := s.Candidates[0].CV.Mean(), s.Candidates[1].CV.Mean()
		if zero == one {
			t.Errorf("%s: λ = 0 is λ = 1 again", name)
		}
		if got := s.Candidates[0].Params.String(); got != "lambda=0" {
			t.Errorf("%s: the first point is %s", name, got)
		}
		again, err := eval.CrossScoreRegressor(func() model.Regressor { return fresh(s.Candidates[0].Params["lambda"]) }, d.X, d.Target, eval.Resampling{})
		if err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, name+": the score of a model of its Params", again[0].Mean(), zero, 1e-12)
		c, err := eval.ValidationCurveRegressor(fresh, "λ", []float64{0, 1}, d.X, d.Target, 5)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, name+": the curve", c.Test[0], s.Candidates[0].CV.Scores, 1e-12)
	}
}

// No penalty at all is refused where it makes no sense, and told of as 0.
func TestZeroRefusedInAGrid(t *testing.T) {
	d := data.Iris()
	s := &eval.Search{
		New:    func(p eval.Params) model.Classifier { return &linear.LogisticRegression{C: p["C"]} },
		Points: eval.GridPoints(map[string][]float64{"C": {0, 1}}),
	}
	if err := s.Fit(d.X, d.Y); err == nil || !strings.Contains(err.Error(), "C must be positive, got 0") {
		t.Errorf("got %v", err)
	}
}

// A 0 that becomes a whole number is reported.
func TestWholeZeroInAGrid(t *testing.T) {
	d := data.Iris()
	s := &eval.Search{
		New: func(p eval.Params) model.Classifier {
			return &neighbors.KNN{K: int(p["k"])}
		},
		Points: eval.GridPoints(map[string][]float64{"k": {0, 5}}),
	}
	if err := s.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	if got := s.Candidates[0].Defaults; !slices.Equal(got, []string{"k"}) {
		t.Errorf("the defaults of the first point: %v", got)
	}
	if got := s.Candidates[1].Defaults; got != nil {
		t.Errorf("the defaults of the second point: %v", got)
	}
	// A kernel is a number behind an interface.
	r := &eval.RegressorSearch{
		New: func(p eval.Params) model.Regressor {
			return &kernel.KernelRidge{Kernel: kernel.RBF(0.1), Lambda: p["lambda"]}
		},
		Points: []eval.Params{{"lambda": 0}, {"lambda": 1}},
	}
	b := data.Diabetes()
	if err := r.Fit(b.X, b.Target); err != nil {
		t.Fatal(err)
	}
	if r.Candidates[0].Params["lambda"] != model.Zero || r.Candidates[0].Defaults != nil {
		t.Errorf("the first point is %+v", r.Candidates[0])
	}
}
