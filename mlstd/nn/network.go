package nn

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Network is a sequence of layers.
//
//	f(x) = f_L(… f₂(f₁(x)))
//
// When the network is first used, its weights are initialized at random from Seed. A [Trainer]
// trains it.
//
// With Single, the products of [Dense], [Conv1D] and [Conv2D] layers are in single precision, about
// six digits. This takes at most half the time for large layers. Everything else is in double
// precision, including the type of the weights.
//
// Course: NET-05, NET-18, NET-19.
type Network struct {
	Shape  []int // shape of a row; nil means the number of columns of the first x
	Layers []Layer
	Seed   uint64
	Single bool

	outputs sync.Mutex // serializes calls of Output
	params  []*Param
	built   bool
	grad    mat.Dense
}

// MLP returns a multi-layer perceptron with the given numbers of units, inputs first and outputs
// last. Hidden units are tanh and outputs are linear; use Sigmoid or With to change this.
//
// Course: NET-05.
func MLP(sizes ...int) *Network {
	if len(sizes) < 2 || slices.Min(sizes) < 1 {
		panic(model.Errorf("MLP", "sizes must be at least two positive numbers, got %v", sizes).WithHint("pass the numbers of inputs, hidden units and outputs, such as ml.MLP(2, 3, 1)"))
	}
	net := &Network{Shape: sizes[:1:1]}
	for _, units := range sizes[1:] {
		net.Layers = append(net.Layers, &Dense{Units: units})
	}
	return net.Tanh()
}

// With sets the transfer function of all [Dense] layers except the last one, and the transfer
// function of the last one.
func (n *Network) With(hidden, output Activation) *Network {
	hidden.check("Network.With")
	output.check("Network.With")
	for i, l := range n.Layers {
		if d, ok := l.(*Dense); ok {
			d.Activation = hidden
			if i == len(n.Layers)-1 {
				d.Activation = output
			}
		}
	}
	return n
}

// Tanh makes the hidden units tanh and the outputs linear.
func (n *Network) Tanh() *Network { return n.With(TanhUnits, LinearUnits) }

// Sigmoid makes all units sigmoid.
func (n *Network) Sigmoid() *Network { return n.With(SigmoidUnits, SigmoidUnits) }

// ReLU makes the hidden units max(0, z) and the outputs linear.
func (n *Network) ReLU() *Network { return n.With(ReLU, LinearUnits) }

// Build initializes the weights of the layers that have no weights yet. It returns an error if the
// shapes of two successive layers do not match.
func (n *Network) Build() error {
	if len(n.Layers) == 0 {
		return model.Errorf("Network", "Layers must not be empty")
	}
	if len(n.Shape) == 0 || slices.Min(n.Shape) < 1 {
		return model.Errorf("Network", "Shape must have positive numbers, got %v", n.Shape).WithHint("set Shape to the shape of a row, such as []int{4}")
	}
	n.params, n.built = nil, false
	rng, shape := model.Rand(n.Seed, 0), n.Shape
	for i, l := range n.Layers {
		next, err := l.Build(shape, rng)
		if err != nil {
			return fmt.Errorf("layer %d of %T, for rows of shape %v: %w", i+1, l, shape, err)
		}
		each(n.Layers[i:i+1], func(l Layer) {
			if p, ok := l.(precision); ok {
				p.products().single = n.Single
			}
		})
		n.params, shape = append(n.params, l.Params()...), next
	}
	n.built = true
	return nil
}

func (n *Network) ready(op string, x mat.Matrix) *mat.Dense {
	if n.Shape == nil && x != nil {
		_, c := x.Dims()
		n.Shape = []int{c}
	}
	if !n.built {
		if err := n.Build(); err != nil {
			panic(err)
		}
	}
	return model.MustRows(op, x, size(n.Shape))
}

// Params lists the weights of all layers.
func (n *Network) Params() []*Param {
	if !n.built {
		if err := n.Build(); err != nil {
			panic(err)
		}
	}
	return n.params
}

// NumParams returns the number of weights and intercepts.
//
// Course: NET-18.
func (n *Network) NumParams() int {
	sum := 0
	for _, p := range n.Params() {
		sum += len(p.Value)
	}
	return sum
}

// Output returns the outputs of the network for each row. Several goroutines can call it at the
// same time.
func (n *Network) Output(x mat.Matrix) *mat.Dense {
	n.outputs.Lock()
	defer n.outputs.Unlock()
	in := n.ready("Network.Output", x)
	const some = 1024 // rows at a time
	rows, d := in.Dims()
	var out *mat.Dense
	for at := 0; at < rows; at += some {
		to := min(at+some, rows)
		part := n.forward(in.Slice(at, to, 0, d).(*mat.Dense), false)
		_, k := part.Dims()
		if out == nil {
			out = mat.NewDense(rows, k, nil)
		}
		out.Slice(at, to, 0, k).(*mat.Dense).Copy(part)
	}
	return out
}

// Eval returns the outputs for one row.
func (n *Network) Eval(x ...float64) []float64 {
	return n.Output(mat.NewDense(1, len(x), x)).RawRowView(0)
}

// Forward returns the outputs for the rows of x as in a training step, in memory that the next call
// reuses. It does not check for NaN. Use it with [Trainer.Descend], which backpropagates from these
// outputs, to write your own training loop.
func (n *Network) Forward(x *mat.Dense) *mat.Dense {
	n.Params()
	if _, c := x.Dims(); c != size(n.Shape) {
		panic(model.Errorf("Network.Forward", "x must have %d columns (the inputs of the network), got %d", size(n.Shape), c))
	}
	return n.forward(x, true)
}

func (n *Network) forward(x *mat.Dense, training bool) *mat.Dense {
	for _, l := range n.Layers {
		x = l.Forward(x, training)
	}
	return x
}

func (n *Network) backward(g *mat.Dense, input bool) *mat.Dense {
	for i := len(n.Layers) - 1; i >= 0; i-- {
		g = n.Layers[i].Backward(g, i > 0 || input)
	}
	return g
}

func (n *Network) zeroGrad() {
	for _, p := range n.params {
		clear(p.Grad)
	}
}

// gradients computes the loss of a batch and the gradients with respect to all weights.
func (n *Network) gradients(x, y *mat.Dense, loss NetworkLoss) float64 {
	n.zeroGrad()
	value := loss.gradient(&n.grad, n.forward(x, true), y)
	n.backward(&n.grad, false)
	return value
}

// Gradient returns the mean loss of the outputs for x with the targets y, and stores its gradient
// in Grad of each Param.
//
// Course: NET-06, NET-10.
func (n *Network) Gradient(x, y mat.Matrix, loss NetworkLoss) (float64, error) {
	in, target, err := n.pair("Network.Gradient", x, y, loss)
	if err != nil {
		return 0, err
	}
	return n.gradients(in, target, loss), nil
}

// pair checks the examples that a network learns from.
func (n *Network) pair(op string, x, y mat.Matrix, loss NetworkLoss) (in, out *mat.Dense, err error) {
	if in, err = model.CheckX(op, x); err != nil {
		return nil, nil, err
	}
	if out, err = model.CheckX(op, y); err != nil {
		return nil, nil, err
	}
	rows, cols := in.Dims()
	targets, units := out.Dims()
	if rows != targets {
		return nil, nil, model.Errorf(op, "y must have %d entries (the number of rows of x), got %d", rows, targets).WithHint("pass the same examples in x and y")
	}
	if err := loss.err(op); err != nil {
		return nil, nil, err
	}
	if n.Shape == nil {
		n.Shape = []int{cols}
	}
	if !n.built {
		if err := n.Build(); err != nil {
			return nil, nil, err
		}
	}
	if want := size(n.Shape); cols != want {
		return nil, nil, model.Errorf(op, "x must have %d columns (the inputs of the network), got %d", want, cols)
	}
	_, c := n.forward(in.Slice(0, 1, 0, cols).(*mat.Dense), false).Dims()
	if loss == StepEntropy {
		if err := checkSteps(op, c, out); err != nil {
			return nil, nil, err
		}
	} else if c != units {
		return nil, nil, model.Errorf(op, "y must have %d columns (the outputs of the network), got %d", c, units)
	}
	return in, out, nil
}

// GradientCheck returns the largest difference between the gradient of backpropagation and the
// numerical gradient, relative to max(1, |gradient|), over all weights and inputs. If it is below
// about 1e-7, the gradient is correct.
//
// Course: NET-06, NET-07.
func (n *Network) GradientCheck(x, y mat.Matrix, loss NetworkLoss) (float64, error) {
	in, target, err := n.pair("Network.GradientCheck", x, y, loss)
	if err != nil {
		return 0, err
	}
	in = mat.DenseCopyOf(in)
	hold := func(on bool) {
		each(n.Layers, func(l Layer) {
			if d, ok := l.(*Dropout); ok {
				d.hold = on
			}
		})
	}
	hold(true)
	defer hold(false)
	n.zeroGrad()
	loss.gradient(&n.grad, n.forward(in, true), target)
	dx := mat.DenseCopyOf(n.backward(&n.grad, true))
	value := func() float64 { return loss.gradient(nil, n.forward(in, true), target) }
	worst := 0.0
	if _, indexes := n.Layers[0].(*Embedding); !indexes { // whose inputs are names
		worst = numericalError(in.RawMatrix().Data, dx.RawMatrix().Data, value)
	}
	for _, p := range n.params { // value computes no gradients
		worst = max(worst, numericalError(p.Value, p.Grad, value))
	}
	return worst, nil
}

// Weights returns Coef of the [Dense] layers, in the form that the chart of a network needs. It
// leaves out layers inside of a [Residual].
func (n *Network) Weights() []*mat.Dense {
	n.Params()
	var all []*mat.Dense
	for _, l := range n.Layers {
		if d, ok := l.(*Dense); ok {
			all = append(all, d.Coef)
		}
	}
	return all
}

// Intercepts returns Intercept of the [Dense] layers.
func (n *Network) Intercepts() [][]float64 {
	n.Params()
	var all [][]float64
	for _, l := range n.Layers {
		if d, ok := l.(*Dense); ok {
			all = append(all, d.Intercept)
		}
	}
	return all
}

// String lists the layers with their shapes and numbers of weights.
func (n *Network) String() string {
	var b strings.Builder
	total := n.NumParams()
	fmt.Fprintf(&b, "network of %d weights, rows of shape %v", total, n.Shape)
	for _, l := range n.Layers {
		weights := 0
		for _, p := range l.Params() {
			weights += len(p.Value)
		}
		fmt.Fprintf(&b, "\n%s: %d weights", strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", l), "*"), "nn."), weights)
	}
	return b.String()
}
