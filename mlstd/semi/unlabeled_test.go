package semi

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Users of scikit-learn mark unlabeled rows by the class Unlabeled among others; but a classifier
// of two classes can name one of them -1.
func TestUnlabeledIsNotAClass(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0, 1, 2, 10, 11, 12})
	for _, m := range []interface {
		Fit(mat.Matrix, []int) error
	}{&LabelPropagation{}, &LabelSpreading{}} {
		err := m.Fit(x, []int{0, Unlabeled, Unlabeled, 1, Unlabeled, Unlabeled})
		if err == nil || !strings.Contains(err.Error(), "in row 1") {
			t.Errorf("%T: got %v, want an error that names row 1", m, err)
		}
		if err := m.Fit(x, []int{-1, -1, -1, 1, 1, 1}); err != nil {
			t.Errorf("%T: two classes, -1 and 1: %v", m, err)
		}
	}
}
