package nn_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// A residual layer whose last weights are 0 is the identity, and passes on the gradient.
func TestResidualIdentity(t *testing.T) {
	last := &nn.Dense{Units: 3, Init: nn.ZeroInit}
	l := &nn.Residual{Layers: []nn.Layer{&nn.Dense{Units: 8, Activation: nn.ReLU}, last}}
	if _, err := l.Build([]int{3}, model.Rand(1, 0)); err != nil {
		t.Fatal(err)
	}
	x, dy := random(4, 3, 1), random(4, 3, 2)
	mltest.NearAll(t, "output", numbers(l.Forward(x, true)), numbers(x), 0)
	mltest.NearAll(t, "gradient", numbers(l.Backward(dy, true)), numbers(dy), 0)
}
