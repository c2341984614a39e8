package nn_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// A row of LayerNorm has mean 0 and variance 1, whatever the other rows and the mode are.
func TestLayerNorm(t *testing.T) {
	l := &nn.LayerNorm{}
	if _, err := l.Build([]int{6}, nil); err != nil {
		t.Fatal(err)
	}
	x := random(5, 6, 1)
	x.Scale(7, x)
	all := mat.DenseCopyOf(l.Forward(x, true))
	for i := range 5 {
		mean, square := 0.0, 0.0
		for _, v := range all.RawRowView(i) {
			mean += v / 6
			square += v * v / 6
		}
		mltest.Near(t, "mean", mean, 0, 1e-14)
		mltest.Near(t, "variance", square, 1, 1e-5)
		one := l.Forward(mat.NewDense(1, 6, x.RawRowView(i)), false)
		mltest.NearAll(t, "alone, in prediction", numbers(one), all.RawRowView(i), 0)
	}
}
