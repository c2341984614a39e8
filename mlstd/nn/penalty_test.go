package nn

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// The gradients of the sparse and the contractive penalty agree with numerical ones.
func TestPenaltyGradients(t *testing.T) {
	rng := model.Rand(1, 1)
	x := mat.NewDense(6, 4, nil)
	normal(x, rng)
	for name, a := range map[string]*Autoencoder{
		"sparse":              {Components: 3, Activation: SigmoidUnits, Sparsity: 0.7, Target: 0.2},
		"contractive":         {Components: 3, Activation: SigmoidUnits, Contraction: 0.6},
		"contractive, tanh":   {Components: 3, Activation: TanhUnits, Contraction: 0.6},
		"contractive, linear": {Components: 3, Activation: LinearUnits, Contraction: 0.6},
	} {
		encoder, decoder := &Dense{Units: 3, Activation: a.Activation}, &Dense{Units: 4}
		net := &Network{Shape: []int{4}, Layers: []Layer{encoder, decoder}}
		if err := net.Build(); err != nil {
			t.Fatal(err)
		}
		g := &autoencoding{Autoencoder: a, encoder: encoder, decoder: decoder}
		g.gradients(net, x, x)
		var grads [][]float64
		for _, p := range net.params {
			grads = append(grads, append([]float64(nil), p.Grad...))
		}
		for i, p := range net.params {
			if worst := numericalError(p.Value, grads[i], func() float64 { return g.gradients(net, x, x) }); !(worst < 1e-8) || math.IsNaN(worst) {
				t.Errorf("%s: the gradient by %s differs by %g", name, p.Name, worst)
			}
		}
	}
}
