package nn

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// MLPClassifier is a multi-layer perceptron for classification. It has one sigmoid output for two
// classes, and otherwise a softmax with one output per class.
//
//	h₁ = f(x·W₁ + b₁), h₂ = f(h₁·W₂ + b₂), …,  p = softmax(h·W + b)
//	J = −(1/n) Σᵢ ln p(yᵢ|xᵢ) + (λ/2)·Σ w²
//
// The weights start at random values drawn from Init, and a [Trainer] trains them by
// backpropagation. J has many minima: with another Seed, the result is another network. Scale the
// columns first, with a StandardScaler in a pipeline.
//
// Cost: O(n·weights) per epoch.
//
// References: [RumelhartHintonWilliams1986], [GlorotBengio2010]. Course: NET-04,
// NET-05, NET-06, NET-10, NET-11, NET-14, NET-16.
type MLPClassifier struct {
	// Hidden lists the number of units in each hidden layer. nil means one layer of 100 units; an
	// empty list means no hidden layers. More units or layers can fit more complex functions, and
	// may overfit.
	Hidden []int
	// Activation is the activation function of the hidden units; empty means relu.
	Activation Activation
	// Init is the distribution of the initial weights; empty means glorot.
	Init WeightInit
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
	Single bool `snapshot:"added"` // products in single precision, see Network
	Seed   uint64
	Known  []int `snapshot:"added"` // the classes, for PartialFit; nil means those of the first batch
	model.Control

	Coef       []*mat.Dense // set by Fit: one matrix per layer, inputs x units
	Intercept  [][]float64  // set by Fit: one list per layer
	Validation []float64    // set by Fit, with Patience: the validation loss after each epoch
	Trace      model.Trace  // set by Fit

	classes []int
	learned remembered `snapshot:"added"`

	model.Fitted // set by Fit: the columns that it was given
}

// MLPRegressor is a multi-layer perceptron for a real target, with one linear
// output.
//
//	h₁ = f(x·W₁ + b₁), h₂ = f(h₁·W₂ + b₂), …,  ŷ = h·W + b
//	J = (1/2n) Σᵢ (ŷᵢ − yᵢ)² + (λ/2)·Σ w²
//
// With enough hidden units, it can approximate any continuous function. Scale the columns first; if
// the target is far from 0, fitting takes many epochs.
//
// Cost: O(n·weights) per epoch.
//
// References: [RumelhartHintonWilliams1986], [Cybenko1989]. Course: NET-05,
// NET-06, NET-07, NET-17.
type MLPRegressor struct {
	// Hidden lists the number of units in each hidden layer. nil means one layer of 100 units; an
	// empty list means no hidden layers. More units or layers can fit more complex functions, and
	// may overfit.
	Hidden []int
	// Activation is the activation function of the hidden units; empty means relu.
	Activation Activation
	// Init is the distribution of the initial weights; empty means glorot.
	Init WeightInit
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
	Single bool `snapshot:"added"` // products in single precision, see Network
	Seed   uint64
	model.Control

	Coef       []*mat.Dense // set by Fit: one matrix per layer, inputs x units
	Intercept  [][]float64  // set by Fit: one list per layer
	Validation []float64    // set by Fit, with Patience: the validation loss after each epoch
	Trace      model.Trace  // set by Fit

	learned remembered `snapshot:"added"`

	model.Fitted // set by Fit: the columns that it was given
}

// perceptron is the common part of MLPClassifier and MLPRegressor.
type perceptron struct {
	op         string
	hidden     []int
	activation Activation
	init       WeightInit
	single     bool
	held       holding
	trainer    Trainer
	// show sets the network of the model before training, for observers.
	show func(net *Network)
}

// holding says how examples are held out for early stopping.
type holding struct {
	patience int
	share    float64
}

func (p *perceptron) fit(x, y *mat.Dense) (*Network, *TrainingRun, error) {
	net, err := p.network(x, y)
	if err != nil {
		return nil, nil, err
	}
	if err := net.Build(); err != nil {
		return nil, nil, err
	}
	p.show(net)
	run, err := p.held.train(p.op, &p.trainer, net, x, y)
	return net, run, err
}

// network returns the network before training.
func (p *perceptron) network(x, y *mat.Dense) (*Network, error) {
	_, d := x.Dims()
	_, k := y.Dims()
	hidden := p.hidden
	if hidden == nil {
		hidden = []int{100}
	}
	if len(hidden) > 0 && slices.Min(hidden) < 1 {
		return nil, model.Errorf(p.op, "each layer of Hidden must have at least 1 unit, got %v", hidden)
	}
	net := &Network{Shape: []int{d}, Seed: p.trainer.Seed, Single: p.single}
	for _, units := range hidden {
		net.Layers = append(net.Layers, &Dense{Units: units, Activation: p.activation.or(ReLU), Init: p.init})
	}
	net.Layers = append(net.Layers, &Dense{Units: k, Init: p.init})
	return net, nil
}

// train fits the network, and holds examples out for validation if Patience is set.
func (h holding) train(op string, t *Trainer, net *Network, x, y *mat.Dense) (*TrainingRun, error) {
	n, _ := x.Dims()
	if err := limits.Check(op,
		limits.Must("Held", h.share, h.share >= 0 && h.share < 1, "be at least 0 and below 1"),
		limits.NotNegative("Patience", h.patience)); err != nil {
		return nil, err
	}
	if h.patience > 0 {
		out := int(model.Or(h.share, 0.1)*float64(n) + 0.5)
		if out < 1 || out >= n {
			return nil, model.Errorf(op, "Held must leave examples for training and for validation, but holds out %[2]d of %[1]d", n, out).WithHint("change Held, or set Patience to 0")
		}
		order := model.Rand(t.Seed, 2).Perm(n)
		t.Patience = h.patience
		t.ValidationX, t.ValidationY = pick.Rows(x, order[:out]), pick.Rows(y, order[:out])
		x, y = pick.Rows(x, order[out:]), pick.Rows(y, order[out:])
	}
	return t.Train(net, x, y)
}

// classTargets returns the loss for classes with the given numbers, and the targets:
// one column for two classes, else one per class.
func classTargets(index []int, classes int) (NetworkLoss, *mat.Dense) {
	if classes == 2 {
		target := mat.NewDense(len(index), 1, nil)
		for i, c := range index {
			target.Set(i, 0, float64(c))
		}
		return SigmoidEntropy, target
	}
	target := mat.NewDense(len(index), classes, nil)
	for i, c := range index {
		target.Set(i, c, 1)
	}
	return SoftmaxEntropy, target
}

// classProba turns net inputs into probabilities, with one column per class.
func classProba(s *mat.Dense) *mat.Dense {
	n, k := s.Dims()
	if k > 1 {
		for i := range n {
			softmax(s.RawRowView(i))
		}
		return s
	}
	p := mat.NewDense(n, 2, nil)
	for i := range n {
		z := s.At(i, 0)
		p.SetRow(i, []float64{sigmoid(-z), sigmoid(z)})
	}
	return p
}

// likeliest returns the class with the largest net input.
func likeliest(s *mat.Dense, classes []int) []int {
	n, k := s.Dims()
	out := make([]int, n)
	for i := range out {
		at := 0
		if k > 1 {
			at = floats.MaxIdx(s.RawRowView(i))
		} else if s.At(i, 0) > 0 {
			at = 1
		}
		out[i] = classes[at]
	}
	return out
}

// Fit trains the network.
func (m *MLPClassifier) Fit(x mat.Matrix, y []int) error {
	const op = "MLPClassifier.Fit"
	model.NoteXY(&m.Fitted, x, y)
	m.Coef, m.Intercept, m.Validation, m.Trace, m.classes, m.learned = nil, nil, nil, model.Trace{}, nil, remembered{}
	in, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	loss, target := classTargets(index, len(classes))
	p := m.perceptron(op, loss)
	p.show = func(net *Network) {
		m.Coef, m.Intercept, m.classes = net.Weights(), net.Intercepts(), classes
	}
	net, run, err := p.fit(in, target)
	if err != nil {
		m.Coef, m.Intercept, m.classes = nil, nil, nil
		return err
	}
	m.Coef, m.Intercept, m.Validation, m.Trace, m.classes = net.Weights(), net.Intercepts(), run.Validation, run.Trace, classes
	m.learned = p.trainer.remembered()
	return nil
}

// PartialFit makes one pass over the given examples, in their order, with Batch examples per step.
// It continues from the current weights and the state of the optimizer. PartialFit returns an error
// for a class that is not in the first batch, unless Known lists the class. After an error the
// model is unchanged. PartialFit does not hold out any examples: Patience applies only to Fit.
func (m *MLPClassifier) PartialFit(x mat.Matrix, y []int) (err error) {
	const op = "MLPClassifier.PartialFit"
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch(op, &m.Fitted, x, y)
	if err != nil {
		return err
	}
	in, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes := m.classes
	if classes == nil {
		if classes, err = model.FirstClasses(op, y, m.Known); err != nil {
			return err
		}
	}
	index := make([]int, len(y))
	for i, v := range y {
		k, ok := slices.BinarySearch(classes, v)
		if !ok {
			return model.Errorf(op, "y[%d] must be a class of the first batch, got %d", i, v).WithHint("list all classes in Known before the first batch")
		}
		index[i] = k
	}
	loss, target := classTargets(index, len(classes))
	p := m.perceptron(op, loss)
	net, lost, err := p.partial(in, target, m.Coef, m.Intercept, m.learned)
	if err != nil {
		return err
	}
	m.Coef, m.Intercept, m.classes, m.learned = net.Weights(), net.Intercepts(), classes, p.trainer.remembered()
	m.Trace.Loss, m.Trace.Converged = append(m.Trace.Loss, lost), false
	return nil
}

func (m *MLPClassifier) perceptron(op string, loss NetworkLoss) *perceptron {
	return &perceptron{op, m.Hidden, m.Activation, m.Init, m.Single, holding{m.Patience, m.Held}, Trainer{Loss: loss, Optimizer: m.Optimizer,
		Rate: m.Rate, Batch: m.Batch, Epochs: m.Epochs, Lambda: m.Lambda, Clip: m.Clip, Tol: m.Tol, Seed: m.Seed, Control: m.Control}, nil}
}

// Fit trains the network.
func (m *MLPRegressor) Fit(x mat.Matrix, y []float64) error {
	const op = "MLPRegressor.Fit"
	model.NoteXYReal(&m.Fitted, x, y)
	m.Coef, m.Intercept, m.Validation, m.Trace, m.learned = nil, nil, nil, model.Trace{}, remembered{}
	in, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	p := m.perceptron(op)
	p.show = func(net *Network) {
		m.Coef, m.Intercept = net.Weights(), net.Intercepts()
	}
	net, run, err := p.fit(in, mat.NewDense(len(y), 1, slices.Clone(y)))
	if err != nil {
		m.Coef, m.Intercept = nil, nil
		return err
	}
	m.Coef, m.Intercept, m.Validation, m.Trace = net.Weights(), net.Intercepts(), run.Validation, run.Trace
	m.learned = p.trainer.remembered()
	return nil
}

// PartialFit makes one pass over the given examples, in their order, with Batch examples per step.
// It continues from the current weights and the state of the optimizer. After an error the model is
// unchanged. PartialFit does not hold out any examples: Patience applies only to Fit.
func (m *MLPRegressor) PartialFit(x mat.Matrix, y []float64) (err error) {
	const op = "MLPRegressor.PartialFit"
	defer model.Unread(&m.Fitted, m.Fitted, &err)
	x, err = model.ReadBatch(op, &m.Fitted, x, nil)
	if err != nil {
		return err
	}
	in, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	p := m.perceptron(op)
	net, lost, err := p.partial(in, mat.NewDense(len(y), 1, slices.Clone(y)), m.Coef, m.Intercept, m.learned)
	if err != nil {
		return err
	}
	m.Coef, m.Intercept, m.learned = net.Weights(), net.Intercepts(), p.trainer.remembered()
	m.Trace.Loss, m.Trace.Converged = append(m.Trace.Loss, lost), false
	return nil
}

func (m *MLPRegressor) perceptron(op string) *perceptron {
	return &perceptron{op, m.Hidden, m.Activation, m.Init, m.Single, holding{m.Patience, m.Held}, Trainer{Optimizer: m.Optimizer,
		Rate: m.Rate, Batch: m.Batch, Epochs: m.Epochs, Lambda: m.Lambda, Clip: m.Clip, Tol: m.Tol, Seed: m.Seed, Control: m.Control}, nil}
}

// stack returns a network with the given weights, which are shared.
func stack(coef []*mat.Dense, intercept [][]float64, hidden Activation) *Network {
	d, _ := coef[0].Dims()
	net := &Network{Shape: []int{d}}
	for i, w := range coef {
		_, units := w.Dims()
		l := &Dense{Units: units, Coef: w, Intercept: intercept[i]}
		if i < len(coef)-1 {
			l.Activation = hidden
		}
		net.Layers = append(net.Layers, l)
	}
	return net
}

// outputs runs rows through fitted weights, in single precision if single is set. The weights are
// packed once, and some rows at a time go through all layers on one processor.
func outputs(op string, x mat.Matrix, coef []*mat.Dense, intercept [][]float64, hidden Activation, single bool) *mat.Dense {
	if coef == nil {
		panic(model.NotFitted(op))
	}
	d, _ := coef[0].Dims()
	in := model.MustRows(op, x, d).RawMatrix()
	n, inputs, widest := in.Rows, d, 0
	var layers []*Dense
	for _, l := range stack(coef, intercept, hidden).Layers {
		l := l.(*Dense)
		if err := l.checkWeights(inputs); err != nil {
			panic(err)
		}
		l.product.single = single
		l.product.pack(l.Coef.RawMatrix().Data, inputs, l.Units)
		layers, inputs, widest = append(layers, l), l.Units, max(widest, l.Units)
	}
	out := make([]float64, n*inputs)
	some := min(72, n) // rows, whose outputs of a layer stay in the cache
	buffers := sync.Pool{New: func() any { return &[2][]float64{make([]float64, some*widest), make([]float64, some*widest)} }}
	par.Range(n, some, func(lo, hi int) {
		buffer := buffers.Get().(*[2][]float64)
		defer buffers.Put(buffer)
		from, inputs := in.Data[lo*d:], d
		for i, l := range layers {
			to := buffer[i%2][:(hi-lo)*l.Units]
			if i == len(layers)-1 {
				to = out[lo*l.Units : hi*l.Units]
			}
			l.outputs(to, to, from, hi-lo, inputs)
			from, inputs = to, l.Units
		}
	})
	return mat.NewDense(n, inputs, out)
}

// Network returns a copy of the fitted network.
func (m *MLPClassifier) Network() *Network {
	return fittedNetwork("MLPClassifier.Network", m.Coef, m.Intercept, m.Activation)
}

// Network returns a copy of the fitted network.
func (m *MLPRegressor) Network() *Network {
	return fittedNetwork("MLPRegressor.Network", m.Coef, m.Intercept, m.Activation)
}

func fittedNetwork(op string, coef []*mat.Dense, intercept [][]float64, f Activation) *Network {
	if coef == nil {
		panic(model.NotFitted(op))
	}
	var w []*mat.Dense
	var b [][]float64
	for i := range coef {
		w, b = append(w, mat.DenseCopyOf(coef[i])), append(b, slices.Clone(intercept[i]))
	}
	return stack(w, b, f.or(ReLU))
}

// Classes lists the classes in ascending order.
func (m *MLPClassifier) Classes() []int { return slices.Clone(m.classes) }

// Decision returns the net inputs of the output units: one column for two classes, and otherwise
// one column per class.
func (m *MLPClassifier) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MLPClassifier.Decision", &m.Fitted, x)
	return outputs("MLPClassifier.Decision", x, m.Coef, m.Intercept, m.Activation.or(ReLU), m.Single)
}

// PredictProba returns the class probabilities of each row.
func (m *MLPClassifier) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MLPClassifier.PredictProba", &m.Fitted, x)
	return classProba(outputs("MLPClassifier.PredictProba", x, m.Coef, m.Intercept, m.Activation.or(ReLU), m.Single))
}

// Predict returns the most probable class of each row.
func (m *MLPClassifier) Predict(x mat.Matrix) []int {
	x = model.MustRead("MLPClassifier.Predict", &m.Fitted, x)
	return likeliest(outputs("MLPClassifier.Predict", x, m.Coef, m.Intercept, m.Activation.or(ReLU), m.Single), m.classes)
}

// Predict returns the output for each row.
func (m *MLPRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("MLPRegressor.Predict", &m.Fitted, x)
	return outputs("MLPRegressor.Predict", x, m.Coef, m.Intercept, m.Activation.or(ReLU), m.Single).RawMatrix().Data
}
