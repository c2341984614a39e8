package nn

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Residual adds its input to the output of its layers.
//
//	a = x + f(x),   ∂L/∂x = ∂L/∂a + ∂L/∂a·∂f/∂x
//
// The gradient reaches x unchanged by the first term, however many such layers are stacked. Where f
// is 0, the layer passes on x: a deep network can therefore compute what a shallower one computes.
// The layers must return rows of the shape that they take.
//
// Cost: that of the layers, and one addition per number.
//
// References: [HeZhangRenSun2016].
type Residual struct {
	Layers []Layer // f, the first layer first

	a, dx mat.Dense
}

// nested is implemented by layers that consist of layers.
type nested interface{ inner() []Layer }

// each calls f for all layers, including the layers that they consist of.
func each(layers []Layer, f func(l Layer)) {
	for _, l := range layers {
		f(l)
		if n, ok := l.(nested); ok {
			each(n.inner(), f)
		}
	}
}

func (l *Residual) inner() []Layer { return l.Layers }

// Build initializes the weights of the layers.
func (l *Residual) Build(in []int, rng *rand.Rand) ([]int, error) {
	if len(l.Layers) == 0 || slices.Contains(l.Layers, nil) {
		return nil, model.Errorf("Residual", "Layers must not be empty, and must not contain nil")
	}
	shape := in
	for i, f := range l.Layers {
		next, err := f.Build(shape, rng)
		if err != nil {
			return nil, fmt.Errorf("layer %d of %T, for rows of shape %v: %w", i+1, f, shape, err)
		}
		shape = next
	}
	if !slices.Equal(shape, in) {
		return nil, model.Errorf("Residual", "the layers must return rows of the shape %v (the shape of the input), got %v", in, shape).WithHint("add a layer that restores the shape, such as a Dense or a Conv2D with Pad")
	}
	return in, nil
}

// Params returns the weights of the layers.
func (l *Residual) Params() []*Param {
	var all []*Param
	for _, f := range l.Layers {
		all = append(all, f.Params()...)
	}
	return all
}

// Forward returns x + f(x).
func (l *Residual) Forward(x *mat.Dense, training bool) *mat.Dense {
	y := x
	for _, f := range l.Layers {
		y = f.Forward(y, training)
	}
	n, d := x.Dims()
	shaped(&l.a, n, d).Add(x, y)
	return &l.a
}

// Backward backpropagates through the layers, and adds the gradient of the output.
func (l *Residual) Backward(dy *mat.Dense, input bool) *mat.Dense {
	g := dy
	for i := len(l.Layers) - 1; i >= 0; i-- {
		g = l.Layers[i].Backward(g, i > 0 || input)
	}
	if !input {
		return nil
	}
	n, d := dy.Dims()
	shaped(&l.dx, n, d).Add(dy, g)
	return &l.dx
}
