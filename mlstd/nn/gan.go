package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// GAN is a generative adversarial network. A generator produces rows from noise, and a
// discriminator learns to distinguish them from real rows. The generator learns to produce rows
// that the discriminator classifies as real.
//
//	discriminator:  minimize −ln D(x) − ln(1 − D(G(z)))
//	generator:      minimize −ln D(G(z)),   z normal
//
// D is the sigmoid of the discriminator's output. Neither loss needs to decrease: the balance
// between the two networks matters. Without this balance, the generator produces only one kind of
// row (mode collapse).
//
// Cost: about three training steps of each network per step.
//
// References: [Goodfellow2014]. Course: NET-29.
type GAN struct {
	Generator     *Network // nil means a layer of 16 tanh units and linear outputs
	Discriminator *Network // nil means a layer of 16 leaky ReLU units
	// Latent is the number of columns of the noise z; 0 means 2.
	Latent    int
	Optimizer Optimizer      // nil means Adam{Beta1: 0.5}
	Rate      optim.Schedule // nil means constant 0.002
	// Steps is the number of training steps; 0 means 2000.
	Steps int
	// Batch is the number of rows per step; 0 means 64.
	Batch int
	Seed  uint64
	model.Control

	Fooled []float64   // set by Train: the mean D(G(z)) after each step
	Trace  model.Trace // set by Train: Loss of the discriminator
}

// Train trains the networks to generate rows like the rows of x. It starts from the current weights
// of the networks.
func (g *GAN) Train(x mat.Matrix) error {
	const op = "GAN.Train"
	g.Fooled, g.Trace = nil, model.Trace{}
	in, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	if err := limits.Check(op,
		limits.NotNegative("Latent", g.Latent),
		limits.NotNegative("Batch", g.Batch)); err != nil {
		return err
	}
	steps, err := model.Iterations(op, "Steps", g.Steps, 2000)
	if err != nil {
		return err
	}
	n, d := in.Dims()
	latent, batch := orInt(g.Latent, 2), orInt(g.Batch, 64)
	if g.Generator == nil {
		g.Generator = MLP(latent, 16, d)
		g.Generator.Seed = g.Seed
	}
	if g.Discriminator == nil {
		g.Discriminator = MLP(d, 16, 1).With(LeakyReLU, LinearUnits)
		g.Discriminator.Seed = g.Seed + 1
	}
	noise, real, truth := mat.NewDense(batch, latent, nil), mat.NewDense(batch, d, nil), mat.NewDense(batch, 1, nil)
	rng := model.Rand(g.Seed, 4)
	if _, _, err := g.Generator.pair(op, noise, real, ""); err != nil {
		return err
	}
	if _, _, err := g.Discriminator.pair(op, real, truth, ""); err != nil {
		return err
	}
	rule := g.Optimizer
	if rule == nil {
		rule = Adam{Beta1: 0.5}
	}
	rate := g.Rate
	if rate == nil {
		rate = optim.ConstantRate(0.002)
	}
	maker, judge := Trainer{Optimizer: rule, Rate: rate}, Trainer{Optimizer: rule, Rate: rate}
	maker.start(g.Generator)
	judge.start(g.Discriminator)
	run := g.Begin("GAN", steps)
	defer run.End()
	for step := 1; step <= steps; step++ {
		for i := range batch {
			copy(real.RawRowView(i), in.RawRowView(rng.IntN(n)))
		}
		normal(noise, rng)
		loss := g.judge(&judge, real, g.Generator.forward(noise, true), truth)
		normal(noise, rng)
		g.Fooled = append(g.Fooled, g.fool(&maker, noise, truth))
		g.Trace.Loss = append(g.Trace.Loss, loss)
		if err := run.Step(step, loss); err != nil {
			return err
		}
	}
	return nil
}

func normal(m *mat.Dense, rng *rand.Rand) {
	v := m.RawMatrix().Data
	for i := range v {
		v[i] = rng.NormFloat64()
	}
}

func fill(m *mat.Dense, v float64) {
	d := m.RawMatrix().Data
	for i := range d {
		d[i] = v
	}
}

// judge makes a training step of the discriminator and returns its loss.
func (g *GAN) judge(t *Trainer, real, made, truth *mat.Dense) float64 {
	net := g.Discriminator
	net.zeroGrad()
	loss := 0.0
	for label, rows := range []*mat.Dense{made, real} {
		fill(truth, float64(label))
		loss += SigmoidEntropy.gradient(&net.grad, net.forward(rows, true), truth)
		net.backward(&net.grad, false)
	}
	t.descend(net)
	return loss
}

// fool makes a training step of the generator and returns the mean probability of being real that
// the discriminator predicted for its rows.
func (g *GAN) fool(t *Trainer, noise, truth *mat.Dense) float64 {
	net := g.Discriminator
	g.Generator.zeroGrad()
	net.zeroGrad()
	fill(truth, 1)
	scores := net.forward(g.Generator.forward(noise, true), true)
	SigmoidEntropy.gradient(&net.grad, scores, truth)
	mean := 0.0
	for _, s := range scores.RawMatrix().Data {
		mean += sigmoid(s)
	}
	g.Generator.backward(net.backward(&net.grad, true), false)
	t.descend(g.Generator)
	n, _ := scores.Dims()
	return mean / float64(n)
}

// Sample generates n rows.
func (g *GAN) Sample(n int, seed uint64) *mat.Dense {
	if g.Generator == nil {
		panic(model.Errorf("GAN.Sample", "the GAN is not trained").WithHint("call Train first"))
	}
	if n < 1 {
		panic(model.Errorf("GAN.Sample", "n must be at least 1, got %d", n))
	}
	z := mat.NewDense(n, size(g.Generator.Shape), nil)
	normal(z, model.Rand(seed, 0))
	return g.Generator.Output(z)
}

// Discern returns the probability that each row is real.
func (g *GAN) Discern(x mat.Matrix) []float64 {
	if g.Discriminator == nil {
		panic(model.Errorf("GAN.Discern", "the GAN is not trained").WithHint("call Train first"))
	}
	s := g.Discriminator.Output(x)
	n, _ := s.Dims()
	p := make([]float64, n)
	for i := range p {
		p[i] = sigmoid(floats.Sum(s.RawRowView(i)))
	}
	return p
}
