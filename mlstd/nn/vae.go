package nn

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// VAE is a variational autoencoder. Its encoder returns a normal distribution of codes for each
// row, its decoder turns a code into a row, and standard normal codes decode to new rows.
//
//	q(z | x) = N(μ(x), diag s²(x)),  z = μ + s·ε,  ε standard normal
//	J = (1/n) Σᵢ [ ‖x̂ᵢ − xᵢ‖²/(2σ²) + KL(q(z | xᵢ) ‖ N(0, I)) ]
//	KL = ½ Σⱼ (μⱼ² + sⱼ² − 1 − ln sⱼ²)
//
// J is the negative evidence lower bound, up to a constant. One code per row is drawn in each step.
// Scale the columns to similar ranges first.
//
// Cost: O(n·weights) per epoch.
//
// References: [KingmaWelling2014]. Course: NET-20.
type VAE struct {
	// Components is the number of numbers of a code; 0 means 2. More numbers can describe more
	// differences between rows.
	Components int
	// Hidden lists the number of units in each hidden layer of the encoder; the decoder has the
	// same layers in reverse order. nil means one layer of 64 units. More units or layers can fit
	// more complex functions, and may overfit.
	Hidden     []int
	Activation Activation // of the hidden units; empty means tanh
	Output     Activation // of the outputs; empty means linear
	// Variance is σ², the variance of each value around the decoded row; 0 means 0.1. With a
	// larger value, codes are closer to a standard normal distribution, and rows are reconstructed
	// less accurately.
	Variance float64
	// Optimizer is the optimizer that takes the steps; nil means Adam{}.
	Optimizer Optimizer
	// Rate is the learning rate as a function of the step; nil means the optimizer's usual rate.
	// With a larger rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// Batch is the number of examples per step; 0 means 32. With a larger value, steps are less
	// noisy, and an epoch has fewer steps.
	Batch int
	// Epochs is the number of passes over the training examples; 0 means 200. More
	// passes fit the training examples more closely.
	Epochs int
	Seed   uint64
	model.Control

	// Coef and Intercept hold the weights of the encoder, whose outputs are μ and then ln s²; set
	// by Fit.
	Coef      []*mat.Dense
	Intercept [][]float64
	// DecoderCoef and DecoderIntercept hold the weights of the decoder; set by Fit.
	DecoderCoef      []*mat.Dense
	DecoderIntercept [][]float64
	Trace            model.Trace // set by Fit: J of each epoch

	model.Fitted // set by Fit: the columns that it was given
}

// Fit trains encoder and decoder together.
func (v *VAE) Fit(x mat.Matrix) error {
	const op = "VAE.Fit"
	model.NoteX(&v.Fitted, x)
	v.Coef, v.Intercept, v.DecoderCoef, v.DecoderIntercept, v.Trace = nil, nil, nil, nil, model.Trace{}
	in, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	if err := v.check(op); err != nil {
		return err
	}
	_, d := in.Dims()
	g := v.training(d)
	t := Trainer{Optimizer: v.Optimizer, Rate: v.Rate, Batch: v.Batch, Epochs: v.Epochs, Seed: v.Seed, Control: v.Control}
	t.gradients = g.gradients
	run, err := t.Train(g.net, in, in)
	if err != nil {
		return err
	}
	coef, intercept, half := g.net.Weights(), g.net.Intercepts(), len(v.hidden())+1
	v.Coef, v.Intercept = coef[:half:half], intercept[:half:half]
	v.DecoderCoef, v.DecoderIntercept = coef[half:], intercept[half:]
	v.Trace = run.Trace
	return nil
}

func (v *VAE) check(op string) error {
	if err := limits.Check(op,
		limits.NotNegative("Components", v.Components),
		limits.Penalty("Variance", v.Variance)); err != nil {
		return err
	}
	if len(v.Hidden) > 0 && slices.Min(v.Hidden) < 1 {
		return model.Errorf(op, "each layer of Hidden must have at least 1 unit, got %v", v.Hidden)
	}
	if err := v.Activation.or(TanhUnits).err(op); err != nil {
		return err
	}
	return v.Output.or(LinearUnits).err(op)
}

func (v *VAE) hidden() []int {
	if v.Hidden == nil {
		return []int{64}
	}
	return v.Hidden
}

// vaeTraining computes the gradients of a variational autoencoder.
type vaeTraining struct {
	net  *Network
	code *drawnCode
	over float64 // 1/σ²
	g    mat.Dense
}

// training returns the network from the d columns of a row to their reconstruction.
func (v *VAE) training(d int) *vaeTraining {
	k, hidden := orInt(v.Components, 2), v.hidden()
	g := &vaeTraining{code: &drawnCode{rng: model.Rand(v.Seed, 3)}, over: 1 / model.Or(v.Variance, 0.1)}
	var layers []Layer
	add := func(units int, f Activation) { layers = append(layers, &Dense{Units: units, Activation: f}) }
	for _, units := range hidden {
		add(units, v.Activation.or(TanhUnits))
	}
	add(2*k, LinearUnits)
	layers = append(layers, g.code)
	for _, units := range slices.Backward(hidden) {
		add(units, v.Activation.or(TanhUnits))
	}
	add(d, v.Output.or(LinearUnits))
	g.net = &Network{Shape: []int{d}, Layers: layers, Seed: v.Seed}
	return g
}

func (v *vaeTraining) gradients(net *Network, x, y *mat.Dense) float64 {
	net.zeroGrad()
	loss := v.over * SquaredOutputs.gradient(&v.g, net.forward(x, true), y)
	floats.Scale(v.over, v.g.RawMatrix().Data)
	net.backward(&v.g, false)
	return loss + v.code.divergence
}

// drawnCode is a layer that draws a code from the normal distribution with the means and the
// logarithms of the variances that it gets. When it is not training, the code is the mean. Backward
// adds the gradient of the divergence from the standard normal distribution.
type drawnCode struct {
	rng        *rand.Rand
	hold       bool // whether Forward keeps the noise of its last call
	x          *mat.Dense
	eps, z, dx mat.Dense
	divergence float64 // of the last Forward in training, a mean over the rows
}

func (l *drawnCode) Build(in []int, _ *rand.Rand) ([]int, error) { return []int{size(in) / 2}, nil }

func (l *drawnCode) Params() []*Param { return nil }

func (l *drawnCode) Forward(x *mat.Dense, training bool) *mat.Dense {
	n, both := x.Dims()
	k := both / 2
	l.x = x
	z := sized(&l.z, n, k)
	if !training {
		z.Copy(x.Slice(0, n, 0, k))
		return z
	}
	if !l.hold {
		normal(sized(&l.eps, n, k), l.rng)
	}
	l.divergence = divergence(x) / float64(n)
	for i := range n {
		from, to := x.RawRowView(i), z.RawRowView(i)
		for j, e := range l.eps.RawRowView(i) {
			to[j] = from[j] + math.Exp(from[k+j]/2)*e
		}
	}
	return z
}

// divergence returns the sum over the rows of KL(N(μ, s²) ‖ N(0, 1)), whose columns are μ and then
// ln s².
func divergence(x *mat.Dense) (sum float64) {
	n, both := x.Dims()
	k := both / 2
	for i := range n {
		row := x.RawRowView(i)
		for j, mu := range row[:k] {
			log := row[k+j]
			sum += (mu*mu + math.Exp(log) - 1 - log) / 2
		}
	}
	return sum
}

func (l *drawnCode) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	n, k := dy.Dims()
	dx, over := sized(&l.dx, n, 2*k), 1/float64(n)
	for i := range n {
		from, to, eps := l.x.RawRowView(i), dx.RawRowView(i), l.eps.RawRowView(i)
		for j, g := range dy.RawRowView(i) {
			s := math.Exp(from[k+j] / 2)
			to[j] = g + over*from[j]
			to[k+j] = g*eps[j]*s/2 + over*(s*s-1)/2
		}
	}
	return dx
}

// encode returns μ and ln s² for each row.
func (v *VAE) encode(op string, x mat.Matrix) *mat.Dense {
	return outputs(op, x, v.Coef, v.Intercept, v.Activation.or(TanhUnits), false)
}

// Transform returns the means μ of the codes.
func (v *VAE) Transform(x mat.Matrix) *model.Table {
	const op = "VAE.Transform"
	x = model.MustRead(op, &v.Fitted, x)
	h := v.encode(op, x)
	n, both := h.Dims()
	means := mat.DenseCopyOf(h.Slice(0, n, 0, both/2))
	return model.Named(x, means, model.Numbered("code", both/2))
}

// Decode returns the mean rows that the codes represent.
func (v *VAE) Decode(codes mat.Matrix) *mat.Dense {
	out := outputs("VAE.Decode", codes, v.DecoderCoef, v.DecoderIntercept, v.Activation.or(TanhUnits), false)
	_, d := out.Dims()
	v.Output.or(LinearUnits).apply(out.RawMatrix().Data, slices.Clone(out.RawMatrix().Data), d)
	return out
}

// Sample generates n rows: it decodes n standard normal codes, without the noise of variance σ².
func (v *VAE) Sample(n int, seed uint64) *mat.Dense {
	const op = "VAE.Sample"
	if v.DecoderCoef == nil {
		panic(model.NotFitted(op))
	}
	if n < 1 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	k, _ := v.DecoderCoef[0].Dims()
	z := mat.NewDense(n, k, nil)
	normal(z, model.Rand(seed, 0))
	return v.Decode(z)
}

// Bound returns the two parts of J for the rows of x, as means over the rows: the squared error of
// the reconstruction from a drawn code, divided by 2σ², and the divergence. Compare the sum on
// held-out rows; lower is better.
func (v *VAE) Bound(x mat.Matrix, seed uint64) (reconstruction, kl float64) {
	const op = "VAE.Bound"
	x = model.MustRead(op, &v.Fitted, x)
	h := v.encode(op, x)
	code := drawnCode{rng: model.Rand(seed, 0)}
	decoded := v.Decode(code.Forward(h, true))
	_, d := decoded.Dims()
	in := model.MustRows(op, x, d)
	return SquaredOutputs.gradient(nil, decoded, in) / model.Or(v.Variance, 0.1), code.divergence
}
