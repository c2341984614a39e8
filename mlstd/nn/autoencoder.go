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

// Autoencoder learns a short code from which the input can be reconstructed.
//
//	h = f(x·Coef + Intercept),   x̂ = g(h·DecoderCoef + DecoderIntercept)
//	J = (1/2n) Σᵢ ‖x̂ᵢ − xᵢ‖² + (λ/2)·Σ w²
//	  + Sparsity·Σⱼ [ρ ln(ρ/ρ̂ⱼ) + (1−ρ) ln((1−ρ)/(1−ρ̂ⱼ))]     (sparse)
//	  + Contraction·(1/n) Σᵢ ‖∂h/∂x at xᵢ‖²                      (contractive)
//
// ρ̂ⱼ is the mean activation of unit j in the batch. With Noise, training adds a normal random
// number to each input value; with Mask, it sets a fraction of the values to 0. J still compares
// the output with the clean input (denoising). With linear units, the codes span the space of the
// first principal components.
//
// With more Components than columns, the network can copy the input, unless a penalty or noise
// prevents it.
//
// Cost: O(n·d·Components) per epoch.
//
// References: [BourlardKamp1988], [Vincent2008], [Rifai2011], [Ng2011]. Course:
// NET-20, NET-21, NET-22, NET-23, NET-24.
type Autoencoder struct {
	// Components is the number of units of the code; 0 means 2. More units reconstruct the rows
	// more accurately.
	Components int
	Activation Activation // f; empty means sigmoid
	Output     Activation // g; empty means linear
	// Sparsity is the weight of the sparsity penalty, for sigmoid codes; 0 means none. A larger
	// weight keeps the mean activation closer to Target.
	Sparsity float64
	// Target is ρ, the desired mean activation of a unit of the code, between 0 and 1; 0 means
	// 0.05.
	Target float64
	// Contraction is the weight of the contractive penalty, for sigmoid, tanh and
	// linear codes; 0 means none. A larger weight makes the code change less when the
	// input changes a little.
	Contraction float64
	// Noise is the standard deviation of the noise that is added to the input in
	// training; 0 means none.
	Noise float64
	// Mask is the fraction of the input that is set to 0 in training; 0 means none.
	Mask float64
	Init WeightInit // empty means glorot
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
	Seed   uint64
	model.Control

	Coef             *mat.Dense // set by Fit: one row per column of x, one column per unit of the code
	Intercept        []float64  // set by Fit
	DecoderCoef      *mat.Dense // set by Fit: one row per unit of the code, one column per column of x
	DecoderIntercept []float64  // set by Fit
	Trace            model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit trains encoder and decoder together.
func (a *Autoencoder) Fit(x mat.Matrix) error {
	const op = "Autoencoder.Fit"
	model.NoteX(&a.Fitted, x)
	a.Coef, a.Intercept, a.DecoderCoef, a.DecoderIntercept, a.Trace = nil, nil, nil, nil, model.Trace{}
	in, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	if err := a.check(op); err != nil {
		return err
	}
	_, d := in.Dims()
	encoder := &Dense{Units: orInt(a.Components, 2), Activation: a.Activation.or(SigmoidUnits), Init: a.Init}
	decoder := &Dense{Units: d, Activation: a.Output.or(LinearUnits), Init: a.Init}
	net := &Network{Shape: []int{d}, Layers: []Layer{encoder, decoder}, Seed: a.Seed}
	t := Trainer{Optimizer: a.Optimizer, Rate: a.Rate, Batch: a.Batch, Epochs: a.Epochs, Lambda: a.Lambda, Seed: a.Seed, Control: a.Control}
	g := &autoencoding{Autoencoder: a, encoder: encoder, decoder: decoder, rng: model.Rand(a.Seed, 3)}
	t.gradients = g.gradients
	run, err := t.Train(net, in, in)
	if err != nil {
		return err
	}
	a.Coef, a.Intercept, a.DecoderCoef, a.DecoderIntercept = encoder.Coef, encoder.Intercept, decoder.Coef, decoder.Intercept
	a.Trace = run.Trace
	return nil
}

func (a *Autoencoder) check(op string) error {
	if _, err := model.Iterations(op, "Components", a.Components, 2); err != nil {
		return err
	}
	f := a.Activation.or(SigmoidUnits)
	if err := limits.Check(op,
		limits.NotNegative("Sparsity", a.Sparsity),
		limits.NotNegative("Contraction", a.Contraction),
		limits.NotNegative("Noise", a.Noise),
		limits.Must("Mask", a.Mask, a.Mask >= 0 && a.Mask < 1, "be at least 0 and below 1")); err != nil {
		return err
	}
	if rho := model.Or(a.Target, 0.05); a.Sparsity > 0 && (f != SigmoidUnits || !(rho > 0 && rho < 1)) {
		return model.Errorf(op, "Activation must be sigmoid and Target between 0 and 1 for the sparse penalty, got %q and %v", f, rho)
	}
	if a.Contraction > 0 && f != SigmoidUnits && f != TanhUnits && f != LinearUnits {
		return model.Errorf(op, "Activation must be sigmoid, tanh or linear for the contractive penalty, got %q", f)
	}
	return nil
}

// autoencoding computes the gradients of an autoencoder.
type autoencoding struct {
	*Autoencoder
	encoder, decoder *Dense
	rng              *rand.Rand
	corrupt, g, dz   mat.Dense
	mean             []float64
}

func (a *autoencoding) gradients(net *Network, x, y *mat.Dense) float64 {
	net.zeroGrad()
	in := x
	if a.Noise > 0 || a.Mask > 0 {
		in = a.corrupted(x)
	}
	h := a.encoder.Forward(in, true)
	loss := SquaredOutputs.gradient(&a.g, a.decoder.Forward(h, true), y)
	dh := a.decoder.Backward(&a.g, true)
	if a.Sparsity > 0 {
		loss += a.sparse(h, dh)
	}
	a.encoder.Backward(dh, false)
	if a.Contraction > 0 {
		loss += a.contract(in, h)
	}
	return loss
}

func (a *autoencoding) corrupted(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	to := sized(&a.corrupt, n, d).RawMatrix().Data
	for i, v := range x.RawMatrix().Data {
		if a.Mask > 0 && a.rng.Float64() < a.Mask {
			continue
		}
		to[i] = v + a.Noise*a.rng.NormFloat64()
	}
	return &a.corrupt
}

// sparse returns the sparse penalty, and adds its gradient with respect to the codes to dh.
func (a *autoencoding) sparse(h, dh *mat.Dense) float64 {
	n, k := h.Dims()
	rho, value := model.Or(a.Target, 0.05), 0.0
	a.mean = grown(a.mean, k)
	clear(a.mean)
	sumRows(a.mean, h.RawMatrix().Data)
	for j, v := range a.mean {
		m := min(max(v/float64(n), 1e-12), 1-1e-12)
		value += rho*math.Log(rho/m) + (1-rho)*math.Log((1-rho)/(1-m))
		a.mean[j] = a.Sparsity * ((1-rho)/(1-m) - rho/m) / float64(n)
	}
	addRows(dh.RawMatrix().Data, a.mean)
	return a.Sparsity * value
}

// contract returns the contractive penalty and adds its gradient to the encoder's:
// with s = f′(z) the squared norm of ∂h/∂x is Σⱼ sⱼ²·‖wⱼ‖².
func (a *autoencoding) contract(x, h *mat.Dense) float64 {
	n, k := h.Dims()
	d, _ := a.encoder.Coef.Dims()
	w, grad := a.encoder.Coef.RawMatrix().Data, a.encoder.params[0].Grad
	length, squares := make([]float64, k), make([]float64, k)
	for i := range d {
		for j, v := range w[i*k : (i+1)*k] {
			length[j] += v * v
		}
	}
	over, value := a.Contraction/float64(n), 0.0
	dz := sized(&a.dz, n, k)
	for i := range n {
		for j, v := range h.RawRowView(i) {
			s, bend := slopes(a.encoder.Activation, v)
			value += s * s * length[j]
			squares[j] += s * s
			dz.Set(i, j, over*2*s*bend*length[j])
		}
	}
	for i := range d {
		for j := range k {
			grad[i*k+j] += 2 * over * squares[j] * w[i*k+j]
		}
	}
	a.encoder.product.addLeft(grad, x.RawMatrix().Data, dz.RawMatrix().Data, d, n, k)
	sumRows(a.encoder.params[1].Grad, dz.RawMatrix().Data)
	return over * value
}

// slopes returns f′ and f″ where f has the value a.
func slopes(f Activation, a float64) (first, second float64) {
	switch f {
	case SigmoidUnits:
		s := a * (1 - a)
		return s, s * (1 - 2*a)
	case TanhUnits:
		s := 1 - a*a
		return s, -2 * a * s
	}
	return 1, 0
}

// Transform returns the codes.
func (a *Autoencoder) Transform(x mat.Matrix) *model.Table {
	const op = "Autoencoder.Transform"
	x = model.MustRead(op, &a.Fitted, x)
	h := a.layer(op, x, a.Coef, a.Intercept, a.Activation.or(SigmoidUnits))
	_, k := h.Dims()
	return model.Named(x, h, model.Numbered("code", k))
}

// Decode returns the rows that the codes represent.
func (a *Autoencoder) Decode(codes mat.Matrix) *mat.Dense {
	return a.layer("Autoencoder.Decode", codes, a.DecoderCoef, a.DecoderIntercept, a.Output.or(LinearUnits))
}

// Reconstruct returns the rows decoded from their codes.
func (a *Autoencoder) Reconstruct(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Autoencoder.Reconstruct", &a.Fitted, x)
	return a.Decode(a.Transform(x))
}

func (a *Autoencoder) layer(op string, x mat.Matrix, coef *mat.Dense, intercept []float64, f Activation) *mat.Dense {
	if coef == nil {
		panic(model.NotFitted(op))
	}
	h := outputs(op, x, []*mat.Dense{coef}, [][]float64{intercept}, "", false)
	_, k := h.Dims()
	f.apply(h.RawMatrix().Data, slices.Clone(h.RawMatrix().Data), k)
	return h
}

// Jacobian is ∂h/∂x of the encoder at one row of x. It has one row per column of x and one column
// per unit of the code. A contractive autoencoder keeps its Frobenius norm small.
//
// Course: NET-24.
func (a *Autoencoder) Jacobian(x []float64) *mat.Dense {
	h := a.Transform(mat.NewDense(1, max(1, len(x)), slices.Clone(x)))
	f := a.Activation.or(SigmoidUnits)
	if f != SigmoidUnits && f != TanhUnits && f != LinearUnits {
		panic(model.Errorf("Autoencoder.Jacobian", "Activation must be sigmoid, tanh or linear, got %q", f))
	}
	j := mat.DenseCopyOf(a.Coef)
	d, _ := j.Dims()
	for i := range d {
		for u, v := range h.RawRowView(0) {
			s, _ := slopes(f, v)
			j.Set(i, u, s*j.At(i, u))
		}
	}
	return j
}

// StackedAutoencoder is a classifier whose hidden layers are first trained one after the other, as
// encoders of autoencoders, each on the codes of the previous layer. Then the output layer is
// trained on the last codes, and finally all layers are trained together (fine-tuning).
//
//	h₁ = encode₁(x), h₂ = encode₂(h₁), …,   p = softmax(h_L·W + b)
//
// Pretraining needs no classes. If few examples have classes, fine-tuning from the pretrained
// weights works better than training from random weights.
//
// Cost: O(n·weights) per epoch of each part.
//
// References: [Bengio2007], [HintonSalakhutdinov2006]. Course: NET-25.
type StackedAutoencoder struct {
	// Hidden lists the number of units in each hidden layer; nil means 32 and 16. More units or
	// layers can fit more complex functions, and may overfit.
	Hidden     []int
	Activation Activation // of the hidden units; empty means sigmoid
	// Mask is the fraction of the input that is set to 0 in training; 0 means none.
	Mask float64
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
	// Lambda is the strength λ of the weight decay. A larger value shrinks the
	// weights more and reduces overfitting.
	Lambda float64
	Seed   uint64
	model.Control

	Coef       []*mat.Dense  // set by Fit: one matrix per layer
	Intercept  [][]float64   // set by Fit
	Layers     []model.Trace // set by Fit: one for each autoencoder, then one for the output layer
	BeforeTune float64       // set by Fit: the loss before fine-tuning, without the penalty
	AfterTune  float64       // set by Fit: the loss of the final weights
	Trace      model.Trace   // set by Fit: the trace of fine-tuning

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit trains the layers one by one, and then all layers together.
func (s *StackedAutoencoder) Fit(x mat.Matrix, y []int) error {
	const op = "StackedAutoencoder.Fit"
	model.NoteXY(&s.Fitted, x, y)
	s.Coef, s.Intercept, s.Layers, s.BeforeTune, s.AfterTune, s.Trace, s.classes = nil, nil, nil, 0, 0, model.Trace{}, nil
	in, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	hidden := s.Hidden
	if hidden == nil {
		hidden = []int{32, 16}
	}
	if len(hidden) == 0 || slices.Min(hidden) < 1 {
		return model.Errorf(op, "Hidden must have a layer, and each layer at least 1 unit, got %v", hidden)
	}
	f, codes := s.Activation.or(SigmoidUnits), in
	var coef []*mat.Dense
	var intercept [][]float64
	var traces []model.Trace
	for l, units := range hidden {
		a := &Autoencoder{Components: units, Activation: f, Mask: s.Mask, Optimizer: s.Optimizer, Rate: s.Rate, Batch: s.Batch,
			Epochs: s.Epochs, Lambda: s.Lambda, Seed: s.Seed + uint64(l), Control: s.Control}
		if err := a.Fit(codes); err != nil {
			return err
		}
		coef, intercept, traces = append(coef, a.Coef), append(intercept, a.Intercept), append(traces, a.Trace)
		codes = a.Transform(codes).Dense
	}
	target := mat.NewDense(len(y), len(classes), nil)
	for i, c := range index {
		target.Set(i, c, 1)
	}
	t := Trainer{Loss: SoftmaxEntropy, Optimizer: s.Optimizer, Rate: s.Rate, Batch: s.Batch, Epochs: s.Epochs, Lambda: s.Lambda, Seed: s.Seed, Control: s.Control}
	last := &Network{Layers: []Layer{&Dense{Units: len(classes)}}, Seed: s.Seed}
	run, err := t.Train(last, codes, target)
	if err != nil {
		return err
	}
	coef, intercept, traces = append(coef, last.Weights()[0]), append(intercept, last.Intercepts()[0]), append(traces, run.Trace)
	net := stack(coef, intercept, f)
	if err := net.Build(); err != nil {
		return err
	}
	before := SoftmaxEntropy.gradient(nil, net.forward(in, false), target)
	t.ValidationX, t.ValidationY, t.Patience = in, target, math.MaxInt // the best weights on the examples themselves are kept
	start := net.copyOut(nil)
	if run, err = t.Train(net, in, target); err != nil {
		return err
	}
	if slices.Min(run.Validation) > before {
		net.copyIn(start)
	}
	s.Coef, s.Intercept, s.Layers, s.Trace, s.classes = net.Weights(), net.Intercepts(), traces, run.Trace, classes
	s.BeforeTune, s.AfterTune = before, min(before, slices.Min(run.Validation))
	return nil
}

// Classes lists the classes in ascending order.
func (s *StackedAutoencoder) Classes() []int { return slices.Clone(s.classes) }

// PredictProba returns the class probabilities of each row.
func (s *StackedAutoencoder) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("StackedAutoencoder.PredictProba", &s.Fitted, x)
	p := outputs("StackedAutoencoder.PredictProba", x, s.Coef, s.Intercept, s.Activation.or(SigmoidUnits), false)
	n, _ := p.Dims()
	for i := range n {
		softmax(p.RawRowView(i))
	}
	return p
}

// Predict returns the most probable class of each row.
func (s *StackedAutoencoder) Predict(x mat.Matrix) []int {
	x = model.MustRead("StackedAutoencoder.Predict", &s.Fitted, x)
	p := outputs("StackedAutoencoder.Predict", x, s.Coef, s.Intercept, s.Activation.or(SigmoidUnits), false)
	n, _ := p.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = s.classes[floats.MaxIdx(p.RawRowView(i))]
	}
	return out
}
