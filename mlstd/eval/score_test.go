package eval

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// first predicts class 0, or the mean of the target.
type first struct{}

func (first) Fit(mat.Matrix, []int) error { return nil }
func (first) Predict(x mat.Matrix) []int  { n, _ := x.Dims(); return make([]int, n) }

type mean struct{ of float64 }

func (mean) Fit(mat.Matrix, []float64) error { return nil }
func (m mean) Predict(x mat.Matrix) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = m.of
	}
	return out
}

func TestScore(t *testing.T) {
	iris, diabetes := data.Iris(), data.Diabetes()
	sum := 0.0
	for _, v := range diabetes.Target {
		sum += v
	}
	if got := Score(first{}, iris); got != 1.0/3 {
		t.Errorf("accuracy of the first class is %v, want a third", got)
	}
	if got := Score(mean{sum / 442}, diabetes); got > 1e-12 || got < -1e-12 {
		t.Errorf("R² of the mean is %v, want 0", got)
	}
	for want, run := range map[string]func(){
		"first predicts classes":                                 func() { Score(first{}, diabetes) },
		"mean predicts numbers, and Iris":                        func() { Score(mean{}, iris) },
		"the model must be a classifier or a regressor, got int": func() { Score(3, iris) },
		"the data set must not be nil":                           func() { Score(first{}, nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			run()
		}()
	}
}

func TestCrossValidateCopies(t *testing.T) {
	iris, diabetes := data.Iris(), data.Diabetes()
	cv, err := CrossValidate(first{}, iris, 3)
	if err != nil || cv.Mean() != 1.0/3 || cv.Metric != "accuracy" {
		t.Errorf("a classifier: %v, %v", cv, err)
	}
	cv, err = CrossValidate(mean{150}, diabetes, 5)
	if err != nil || cv.Metric != "R²" || len(cv.Scores) != 5 {
		t.Errorf("a regressor: %v, %v", cv, err)
	}
	c := &counting{}
	if _, err := CrossValidate(c, iris, 3); err != nil || c.Fits != 0 {
		t.Errorf("the model itself was fitted %d times, %v", c.Fits, err)
	}
	for want, f := range map[string]func() (*CVResult, error){
		"learns classes, and":                                    func() (*CVResult, error) { return CrossValidate(first{}, diabetes, 3) },
		"learns a real-valued target, and":                       func() (*CVResult, error) { return CrossValidate(mean{}, iris, 3) },
		"the model must be a classifier or a regressor, got int": func() (*CVResult, error) { return CrossValidate(3, iris, 3) },
		"the data set must not be nil":                           func() (*CVResult, error) { return CrossValidate(first{}, nil, 3) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// counting counts its fits.
type counting struct {
	first
	Fits int
}

func (c *counting) Fit(mat.Matrix, []int) error { c.Fits++; return nil }

// shift is a transformer that does nothing.
type shift struct{}

func (shift) Fit(mat.Matrix) error                { return nil }
func (shift) Transform(x mat.Matrix) *model.Table { return &model.Table{Dense: mat.DenseCopyOf(x)} }

func TestPipe(t *testing.T) {
	p, r := Pipe(shift{}, first{}), PipeRegressor(shift{}, shift{}, mean{1})
	if len(p.Steps) != 1 || p.Model != model.Classifier(first{}) || len(r.Steps) != 2 || r.Model != model.Regressor(mean{1}) {
		t.Errorf("%+v, %+v", p, r)
	}
	for want, f := range map[string]func(){
		"there must be at least one step":              func() { Pipe() },
		"must be a classifier, got eval.shift":         func() { Pipe(first{}, shift{}) },
		"must be a classifier, got eval.mean":          func() { Pipe(shift{}, mean{}) },
		"step 0 must be a transformer, got eval.first": func() { PipeRegressor(first{}, mean{}) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			f()
		}()
	}
}
