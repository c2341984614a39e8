package nn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// If all net inputs are equal, the loss of each step is the logarithm of the number of classes.
func TestStepEntropy(t *testing.T) {
	s, y := mat.NewDense(2, 12, nil), mat.NewDense(2, 3, []float64{0, 3, 1, 2, 2, 0})
	mltest.Near(t, "equal net inputs", nn.StepEntropy.Value(s, y), math.Log(4), 1e-15)
	one := mat.NewDense(2, 4, random(2, 4, 1).RawMatrix().Data)
	mltest.Near(t, "one step", nn.StepEntropy.Value(one, mat.NewDense(2, 1, []float64{1, 3})),
		nn.SoftmaxEntropy.Value(one, mat.NewDense(2, 4, []float64{0, 1, 0, 0, 0, 0, 0, 1})), 1e-15)
	big := mat.NewDense(1, 2, []float64{1e4, -1e4})
	mltest.Near(t, "no overflow", nn.StepEntropy.Value(big, mat.NewDense(1, 1, []float64{1})), 2e4, 1e-12)
}
