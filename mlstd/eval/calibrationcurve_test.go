package eval_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// told is a classifier whose probability of class 1 is the value of the only column.
type told struct{}

func (told) Fit(mat.Matrix, []int) error { return nil }
func (told) Classes() []int              { return []int{0, 1} }
func (told) Predict(x mat.Matrix) []int  { n, _ := x.Dims(); return make([]int, n) }
func (told) PredictProba(x mat.Matrix) *mat.Dense {
	n, _ := x.Dims()
	p := mat.NewDense(n, 2, nil)
	for i := range n {
		p.SetRow(i, []float64{1 - x.At(i, 0), x.At(i, 0)})
	}
	return p
}

func TestCalibrationCurveOracle(t *testing.T) {
	var o struct {
		Sets []struct {
			Name   string
			P      []float64
			Y      []int
			Curves []struct {
				Bins                int
				Even                bool
				Observed, Predicted []float64
			}
		}
	}
	mltest.ReadOracle(t, "calibration", &o)
	if len(o.Sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	for _, s := range o.Sets {
		for _, want := range s.Curves {
			c, err := eval.CalibrationCurve(told{}, mat.NewDense(len(s.P), 1, s.P), s.Y, 1, eval.CalibrationBins{K: want.Bins, EqualSize: want.Even})
			if err != nil {
				t.Fatal(err)
			}
			var predicted, observed []float64
			examples, off := 0, 0.0
			for _, b := range c.Bins {
				predicted, observed = append(predicted, b.Predicted), append(observed, b.Observed)
				examples += b.Count
				off += float64(b.Count) / float64(len(s.P)) * math.Abs(b.Predicted-b.Observed)
			}
			mltest.NearAll(t, s.Name+" predicted", predicted, want.Predicted, 1e-12)
			mltest.NearAll(t, s.Name+" observed", observed, want.Observed, 1e-12)
			mltest.Near(t, s.Name+" error", c.Error, off, 1e-12)
			if examples != len(s.P) {
				t.Errorf("%s: %d examples in the bins, want %d", s.Name, examples, len(s.P))
			}
		}
	}
}

// A whole pipeline is inspected, with gaps and names in x.
func TestCalibrationCurveOfPipeline(t *testing.T) {
	x, y := streets(300)
	m := &eval.Pipeline{Steps: []model.Transformer{&prep.TargetEncoder{}, &prep.Imputer{}}, Model: &linear.LogisticRegression{}}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	c, err := eval.CalibrationCurve(m, x, y, 1, eval.CalibrationBins{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(c.String(), "class 1, error") || len(c.Bins) < 3 {
		t.Errorf("got %v", c)
	}
	for want, f := range map[string]func() error{
		"class must be one of [0 1], got 5": func() error {
			_, err := eval.CalibrationCurve(m, x, y, 5, eval.CalibrationBins{})
			return err
		},
		"K must be positive (0 means 10), got -1": func() error {
			_, err := eval.CalibrationCurve(m, x, y, 1, eval.CalibrationBins{K: -1})
			return err
		},
		"the model must have PredictProba, got": func() error {
			_, err := eval.CalibrationCurve(&neighbors.PrototypeClassifier{}, x, y, 1, eval.CalibrationBins{})
			return err
		},
		"y must have 300 entries (the number of rows of x), got 2": func() error {
			_, err := eval.CalibrationCurve(m, x, y[:2], 1, eval.CalibrationBins{})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

// Search takes gaps and names where its candidates do, and hands targets to their steps.
func TestSearchOfPipelines(t *testing.T) {
	x, y := streets(150)
	s := &eval.Search{Points: eval.GridPoints(map[string][]float64{"C": {0.1, 1}}), By: eval.ByAUC, New: func(p eval.Params) model.Classifier {
		return &eval.ProbPipeline{Steps: []model.Transformer{&prep.TargetEncoder{}, &prep.Imputer{}}, Model: &linear.LogisticRegression{C: p["C"]}}
	}}
	if err := s.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if s.BestScore < 0.6 {
		t.Errorf("AUC %v", s.BestScore)
	}
}
