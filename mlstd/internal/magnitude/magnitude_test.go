package magnitude

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestCheck(t *testing.T) {
	for _, v := range []float64{0, 1, -1e149, 1e-300} {
		if err := Check("Test", mat.NewDense(2, 1, []float64{1, v})); err != nil {
			t.Errorf("%g: %v", v, err)
		}
	}
	for _, v := range []float64{1e151, -1e300} {
		if err := Check("Test", mat.NewDense(2, 1, []float64{1, v})); err == nil {
			t.Errorf("%g passed", v)
		}
	}
	if err := Check("Test", &mat.Dense{}); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("Must did not panic")
		}
	}()
	Must("Test", mat.NewDense(1, 1, []float64{1e200}))
}
