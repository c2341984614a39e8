package nn

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// NetworkClassifier uses any network as a classifier. New returns the hidden layers, and Fit adds
// the output layer: one sigmoid unit for two classes, and otherwise a softmax with one output per
// class.
//
//	p = softmax(h(x)·W + b),   J = −(1/n) Σᵢ ln p(yᵢ|xᵢ) + (λ/2)·Σ w²
//
// h is the function computed by the hidden layers. Each Fit calls New for fresh layers, so that
// searches and cross-validations train separate networks. Shape is the shape of the picture or
// sequence in a row: the height, width and channels of a picture, or the steps and features of a
// sequence.
//
//	ml.NetworkClassifier{Shape: []int{8, 8, 1}, New: func() []ml.Layer {
//		return []ml.Layer{&ml.Conv2D{Filters: 8, Activation: ml.ReLU}, &ml.MaxPool{}}
//	}}
//
// A saved classifier keeps its layers and weights, but not New: it can predict, and you must set
// New before you fit it again.
//
// Cost: a forward and a backward pass for each of the n rows per epoch.
//
// References: [RumelhartHintonWilliams1986], [LeCun1998]. Course: NET-05, NET-19,
// NET-26, NET-29.
type NetworkClassifier struct {
	New   func() []Layer // nil means a Dense of 100 units, ReLU
	Shape []int          // shape of a row; nil means the number of columns
	// Optimizer is the optimizer that takes the steps; nil means Adam{}.
	Optimizer Optimizer
	// Rate is the learning rate as a function of the step; nil means the optimizer's usual rate.
	// With a larger rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// Batch is the number of examples per step. 0 means 32; more than the number of examples means
	// all. With a larger value, steps are less noisy, and an epoch has fewer steps.
	Batch int
	// Epochs is the number of passes over the training examples; 0 means 200. More
	// passes fit the training examples more closely.
	Epochs int
	// Lambda is the strength λ of the weight decay. A larger value shrinks the
	// weights more and reduces overfitting.
	Lambda float64
	// Clip is the maximum norm of the gradient; longer gradients are scaled down. 0 means no limit.
	Clip float64
	// Tol is the threshold for stopping: fitting stops when each of 10 successive epochs lowers the
	// loss by less than Tol; 0 means no such check. A larger value stops earlier.
	Tol float64
	// Patience is the number of epochs without a better validation loss after which
	// training stops; 0 means no early stopping.
	Patience int
	// Held is the fraction of the examples held out for validation if Patience is set; 0 means 0.1.
	Held   float64
	Single bool // products in single precision, see Network
	Seed   uint64
	model.Control

	Network    *Network    // set by Fit: its outputs are net inputs
	Validation []float64   // set by Fit, with Patience: the validation loss after each epoch
	Trace      model.Trace // set by Fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// NetworkRegressor uses any network as a regressor. New returns the hidden layers, and Fit adds one
// linear output.
//
//	ŷ = h(x)·W + b,   J = (1/2n) Σᵢ (ŷᵢ − yᵢ)² + (λ/2)·Σ w²
//
// h is the function computed by the hidden layers; see [NetworkClassifier]. If the target is far
// from 0, fitting takes many epochs.
//
// Cost: a forward and a backward pass for each of the n rows per epoch.
//
// References: [RumelhartHintonWilliams1986], [LeCun1998]. Course: NET-05, NET-19,
// NET-26, NET-29.
type NetworkRegressor struct {
	New   func() []Layer // nil means a Dense of 100 units, ReLU
	Shape []int          // shape of a row; nil means the number of columns
	// Optimizer is the optimizer that takes the steps; nil means Adam{}.
	Optimizer Optimizer
	// Rate is the learning rate as a function of the step; nil means the optimizer's usual rate.
	// With a larger rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// Batch is the number of examples per step. 0 means 32; more than the number of examples means
	// all. With a larger value, steps are less noisy, and an epoch has fewer steps.
	Batch int
	// Epochs is the number of passes over the training examples; 0 means 200. More
	// passes fit the training examples more closely.
	Epochs int
	// Lambda is the strength λ of the weight decay. A larger value shrinks the
	// weights more and reduces overfitting.
	Lambda float64
	// Clip is the maximum norm of the gradient; longer gradients are scaled down. 0 means no limit.
	Clip float64
	// Tol is the threshold for stopping: fitting stops when each of 10 successive epochs lowers the
	// loss by less than Tol; 0 means no such check. A larger value stops earlier.
	Tol float64
	// Patience is the number of epochs without a better validation loss after which
	// training stops; 0 means no early stopping.
	Patience int
	// Held is the fraction of the examples held out for validation if Patience is set; 0 means 0.1.
	Held   float64
	Single bool // products in single precision, see Network
	Seed   uint64
	model.Control

	Network    *Network    // set by Fit
	Validation []float64   // set by Fit, with Patience: the validation loss after each epoch
	Trace      model.Trace // set by Fit

	model.Fitted // set by Fit: the columns that it was given
}

// headed makes a network of fresh layers, followed by a linear output layer.
func headed(op string, fresh func() []Layer, shape []int, x *mat.Dense, outputs int, seed uint64, single bool) (*Network, error) {
	_, d := x.Dims()
	if shape == nil {
		shape = []int{d}
	}
	if size(shape) != d {
		return nil, model.Errorf(op, "the product of Shape must be %[2]d (the columns of x), got %[1]v", shape, d).WithHint("use a shape such as []int{8, 8, 1} for 64 columns")
	}
	layers := []Layer{&Dense{Units: 100, Activation: ReLU}}
	if fresh != nil {
		layers = fresh()
	}
	for _, l := range layers {
		if l == nil {
			return nil, model.Errorf(op, "New must not return a nil layer").WithHint("leave the layer out")
		}
		for _, p := range l.Params() {
			if len(p.Value) > 0 {
				return nil, model.Errorf(op, "New must return new layers, got a %T that has been used", l).WithHint("create the layers inside New, so that each fit has its own")
			}
		}
	}
	return &Network{
		Shape: slices.Clone(shape), Layers: append(slices.Clip(layers), Flatten{}, &Dense{Units: outputs}), Seed: seed, Single: single,
	}, nil
}

// Fit trains a new network.
func (m *NetworkClassifier) Fit(x mat.Matrix, y []int) error {
	const op = "NetworkClassifier.Fit"
	model.NoteXY(&m.Fitted, x, y)
	m.Network, m.Validation, m.Trace, m.classes = nil, nil, model.Trace{}, nil
	in, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	loss, target := classTargets(index, len(classes))
	_, k := target.Dims()
	net, err := headed(op, m.New, m.Shape, in, k, m.Seed, m.Single)
	if err != nil {
		return err
	}
	m.Network, m.classes = net, classes // visible to observers during training
	run, err := holding{m.Patience, m.Held}.train(op, &Trainer{Loss: loss, Optimizer: m.Optimizer, Rate: m.Rate, Batch: m.Batch,
		Epochs: m.Epochs, Lambda: m.Lambda, Clip: m.Clip, Tol: m.Tol, Seed: m.Seed, Control: m.Control}, net, in, target)
	if err != nil {
		m.Network, m.classes = nil, nil
		return err
	}
	m.Validation, m.Trace = run.Validation, run.Trace
	return nil
}

// Fit trains a new network.
func (m *NetworkRegressor) Fit(x mat.Matrix, y []float64) error {
	const op = "NetworkRegressor.Fit"
	model.NoteXYReal(&m.Fitted, x, y)
	m.Network, m.Validation, m.Trace = nil, nil, model.Trace{}
	in, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	net, err := headed(op, m.New, m.Shape, in, 1, m.Seed, m.Single)
	if err != nil {
		return err
	}
	m.Network = net // visible to observers during training
	run, err := holding{m.Patience, m.Held}.train(op, &Trainer{Optimizer: m.Optimizer, Rate: m.Rate, Batch: m.Batch,
		Epochs: m.Epochs, Lambda: m.Lambda, Clip: m.Clip, Tol: m.Tol, Seed: m.Seed, Control: m.Control}, net, in, mat.NewDense(len(y), 1, slices.Clone(y)))
	if err != nil {
		m.Network = nil
		return err
	}
	m.Validation, m.Trace = run.Validation, run.Trace
	return nil
}

// run returns the outputs for rows that have been checked.
func (n *Network) run(op string, x mat.Matrix) *mat.Dense {
	if n == nil {
		panic(model.NotFitted(op))
	}
	out := n.Output(model.MustRows(op, x, size(n.Shape)))
	if finite.HasNaN(out.RawMatrix().Data) {
		panic(model.Errorf(op, "an output overflowed").WithHint("scale the columns first, for instance with MinMaxScaler"))
	}
	return out
}

// Classes lists the classes in ascending order.
func (m *NetworkClassifier) Classes() []int { return slices.Clone(m.classes) }

// Decision returns the net inputs of the output units: one column for two classes, and otherwise
// one column per class.
func (m *NetworkClassifier) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("NetworkClassifier.Decision", &m.Fitted, x)
	return m.Network.run("NetworkClassifier.Decision", x)
}

// PredictProba returns the class probabilities of each row.
func (m *NetworkClassifier) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("NetworkClassifier.PredictProba", &m.Fitted, x)
	return classProba(m.Network.run("NetworkClassifier.PredictProba", x))
}

// Predict returns the most probable class of each row.
func (m *NetworkClassifier) Predict(x mat.Matrix) []int {
	x = model.MustRead("NetworkClassifier.Predict", &m.Fitted, x)
	return likeliest(m.Network.run("NetworkClassifier.Predict", x), m.classes)
}

// Predict returns the output for each row.
func (m *NetworkRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("NetworkRegressor.Predict", &m.Fitted, x)
	return m.Network.run("NetworkRegressor.Predict", x).RawMatrix().Data
}
