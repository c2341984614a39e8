package eval

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
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
		"first predicts classes":               func() { Score(first{}, diabetes) },
		"mean predicts numbers, and Iris":      func() { Score(mean{}, iris) },
		"int is neither a classifier":          func() { Score(3, iris) },
		"the data set is nil; load one first:": func() { Score(first{}, nil) },
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
