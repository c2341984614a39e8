package data_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

// The means and the extremes that R's summary(faithful) gives.
func TestOldFaithful(t *testing.T) {
	d := data.OldFaithful()
	n, cols := d.X.Dims()
	if n != 272 || cols != 2 {
		t.Fatalf("%dx%d", n, cols)
	}
	for j, want := range [][3]float64{{1.6, 3.487783, 5.1}, {43, 70.897059, 96}} {
		c := d.X.ColView(j)
		mltest.NearAll(t, "least, mean and largest", []float64{mat.Min(c), mat.Sum(c) / 272, mat.Max(c)}, want[:], 1e-6)
	}
}
