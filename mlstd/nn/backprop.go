package nn

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Backpropagation holds the forward pass of one example through a network of [Dense] layers and the
// backward pass of its error, with ½Σ(o − y)² as the loss E.
//
//	δ_j = −∂E/∂net_j
//	δ_j = f′(net_j)·(y_j − o_j)          of an output
//	δ_j = f′(net_j)·Σₖ w_jk·δ_k          of a hidden unit
//	Δw_ij = η·δ_j·o_i,   ∂E/∂w_ij = −δ_j·o_i
//
// With sigmoid units, f′ is o(1−o); with tanh units, it is 1−o².
//
// References: [RumelhartHintonWilliams1986]. Course: NET-06, NET-07, NET-09.
type Backpropagation struct {
	Loss        float64
	Activations [][]float64  // one list per layer, the inputs first
	Deltas      [][]float64  // one list per layer after the inputs
	Gradients   []*mat.Dense // ∂E/∂w, shaped like Weights
	Weights     []*mat.Dense // one row per unit before, one column per unit after
	Intercepts  [][]float64
}

// Backprop shows the activations, deltas and gradients for the row x and the target y, without
// changing the weights.
//
// Course: NET-06, NET-07.
func (n *Network) Backprop(x []float64, y ...float64) *Backpropagation {
	if n.Shape == nil {
		n.Shape = []int{len(x)}
	}
	layers := n.dense("Network.Backprop")
	in, target, err := n.pair("Network.Backprop", mat.NewDense(1, len(x), slices.Clone(x)), mat.NewDense(1, max(1, len(y)), slices.Clone(y)), SquaredOutputs)
	if err != nil {
		panic(err)
	}
	b := &Backpropagation{Activations: [][]float64{slices.Clone(x)}}
	b.Loss = n.gradients(in, target, SquaredOutputs)
	for _, l := range layers {
		out := &l.a
		if l.Activation.or(LinearUnits) == LinearUnits {
			out = &l.z
		}
		b.Activations = append(b.Activations, slices.Clone(out.RawRowView(0)))
		delta := slices.Clone(l.dz.RawRowView(0))
		for i := range delta {
			delta[i] = -delta[i]
		}
		r, c := l.Coef.Dims()
		b.Deltas = append(b.Deltas, delta)
		b.Gradients = append(b.Gradients, mat.NewDense(r, c, slices.Clone(l.params[0].Grad)))
		b.Weights = append(b.Weights, mat.DenseCopyOf(l.Coef))
		b.Intercepts = append(b.Intercepts, slices.Clone(l.Intercept))
	}
	return b
}

func (n *Network) dense(op string) []*Dense {
	n.Params()
	var all []*Dense
	for i, l := range n.Layers {
		d, ok := l.(*Dense)
		if !ok {
			panic(model.Errorf(op, "all layers must be Dense, got %[2]T for layer %[1]d", i+1, l).WithHint("use a network such as ml.MLP returns"))
		}
		all = append(all, d)
	}
	return all
}

// WeightPath is one path from a weight to an output, with the product of the derivatives and
// weights along it.
type WeightPath struct {
	Units   []int // the numbers of the units, starting with the unit that the weight leads to
	Product float64
}

// Paths lists the paths from a weight to the outputs. The weight leads to the unit with index to in
// the given layer, from the unit with index from in the previous layer. Layer 1 is the first layer
// after the inputs. The sum over the paths of Product times the error at the output is the
// derivative of the loss with respect to the weight. This is the chain rule; backpropagation
// computes the same sum without following each path separately.
//
//	∂E/∂w = Σ over paths of o_from·f′(net_to)·w·f′·w· … ·f′(net_out)·(o − y)
//
// Cost: one path for each choice of units in the layers in between.
//
// Course: NET-09.
func (n *Network) Paths(x []float64, y []float64, layer, from, to int) []WeightPath {
	b := n.Backprop(x, y...)
	layers := n.dense("Network.Paths")
	if layer < 1 || layer > len(layers) || from < 0 || from >= len(b.Activations[layer-1]) || to < 0 || to >= len(b.Activations[layer]) {
		panic(model.Errorf("Network.Paths", "there is no weight from unit %d to unit %d of layer %d", from, to, layer).WithHint("number layers from 1 (after the inputs) and units from 0"))
	}
	if slices.ContainsFunc(layers, func(d *Dense) bool { return d.Activation == SoftmaxUnits }) {
		panic(model.Errorf("Network.Paths", "the activation must be a function of one unit, got softmax").WithHint("use another activation"))
	}
	slope := func(l, unit int) float64 {
		return layers[l-1].Activation.or(LinearUnits).Slope(layers[l-1].z.At(0, unit), b.Activations[l][unit])
	}
	var paths []WeightPath
	var walk func(l int, units []int, product float64)
	walk = func(l int, units []int, product float64) {
		unit := units[len(units)-1]
		product *= slope(l, unit)
		if l == len(layers) {
			paths = append(paths, WeightPath{slices.Clone(units), product * (b.Activations[l][unit] - y[unit])})
			return
		}
		for next, w := range b.Weights[l].RawRowView(unit) {
			walk(l+1, append(units, next), product*w)
		}
	}
	walk(layer, []int{to}, b.Activations[layer-1][from])
	return paths
}
