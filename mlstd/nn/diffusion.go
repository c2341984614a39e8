package nn

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// Diffusion is a denoising diffusion model. Noise is added to a row in Levels steps, a network
// learns to guess the noise, and new rows are made from pure noise, by removing the guessed noise
// step by step.
//
//	x_t = √p_t·x₀ + √(1−p_t)·ε,   p_t = α₁·α₂·…·α_t,   1 − α_t = Noise·t/Levels
//	J = mean of ½‖n(x_t, t) − ε‖²,   t uniform, ε standard normal
//	x_{t−1} = (x_t − (1−α_t)/√(1−p_t)·n(x_t, t))/√α_t + s_t·z,   z standard normal
//	s_t² = (1−α_t)(1−p_{t−1})/(1−p_t)
//
// n is the network. It gets √p_t and √(1−p_t) as two further inputs. Fit standardizes the columns,
// and Sample returns rows in the original units.
//
// Cost: Fit makes Steps training steps; Sample runs the network Levels times for each row.
//
// References: [HoJainAbbeel2020], [SohlDickstein2015]. Course: NET-23.
type Diffusion struct {
	// Levels is the number of steps in which noise is added; 0 means 50. With a larger value,
	// samples are more accurate, and take longer.
	Levels int
	// Noise is 1 − α of the last step, between 0 and 1; 0 means 0.2. Nothing of the row should be
	// left after the last step: with a larger value, less is left.
	Noise float64
	// Hidden lists the number of units in each hidden layer; nil means two layers of 64 units. More
	// units or layers can fit more complex functions, and may repeat the training rows.
	Hidden     []int
	Activation Activation // of the hidden units; empty means relu
	// Optimizer is the optimizer that takes the steps; nil means Adam{}.
	Optimizer Optimizer
	// Rate is the learning rate as a function of the step; nil means that it falls from 0.005 to 0
	// along a cosine. With a larger rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// Batch is the number of rows per step; 0 means 128. With a larger value, steps are less noisy.
	Batch int
	// Steps is the number of training steps; 0 means 5000. More steps fit the noise more closely.
	Steps int
	Seed  uint64
	model.Control

	Signal []float64 // set by Fit: p_t of the levels, from 0 (no noise) to Levels
	Mean   []float64 // set by Fit: of each column
	Scale  []float64 // set by Fit: the standard deviation of each column; 1 if the column is constant
	// Coef and Intercept hold the weights of the network; set by Fit.
	Coef      []*mat.Dense
	Intercept [][]float64
	Trace     model.Trace // set by Fit: J of each step

	model.Fitted // set by Fit: the columns that it was given
}

// Fit trains the network to guess the noise.
func (m *Diffusion) Fit(x mat.Matrix) error {
	const op = "Diffusion.Fit"
	model.NoteX(&m.Fitted, x)
	m.Signal, m.Mean, m.Scale, m.Coef, m.Intercept, m.Trace = nil, nil, nil, nil, nil, model.Trace{}
	in, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	if err := m.check(op); err != nil {
		return err
	}
	levels, err := model.Iterations(op, "Levels", m.Levels, 50)
	if err != nil {
		return err
	}
	steps, err := model.Iterations(op, "Steps", m.Steps, 5000)
	if err != nil {
		return err
	}
	signal := make([]float64, levels+1)
	signal[0] = 1
	for t := 1; t <= levels; t++ {
		signal[t] = signal[t-1] * (1 - model.Or(m.Noise, 0.2)*float64(t)/float64(levels))
	}
	rows, mean, scale := standardized(in)
	_, d := rows.Dims()
	net := &Network{Shape: []int{d + 2}, Seed: m.Seed}
	hidden := m.Hidden
	if hidden == nil {
		hidden = []int{64, 64}
	}
	for _, units := range hidden {
		net.Layers = append(net.Layers, &Dense{Units: units, Activation: m.Activation.or(ReLU)})
	}
	net.Layers = append(net.Layers, &Dense{Units: d})
	t := Trainer{Optimizer: m.Optimizer, Rate: m.Rate}
	if t.Rate == nil {
		t.Rate = CosineRate{A: 0.005, Steps: steps}
	}
	if err := net.Build(); err != nil {
		return err
	}
	t.start(net)
	run := m.Begin("Diffusion", steps)
	defer run.End()
	batch := newNoisyBatch(orInt(m.Batch, 128), d)
	rng := model.Rand(m.Seed, 5)
	for step := 1; step <= steps; step++ {
		batch.draw(rows, signal, rng)
		loss := net.gradients(batch.in, batch.eps, SquaredOutputs)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return model.Errorf(op, "the loss must be finite, got %v after %d steps", loss, step).WithHint("set a smaller Rate")
		}
		t.descend(net)
		m.Trace.Loss = append(m.Trace.Loss, loss)
		if err := run.Step(step, loss); err != nil {
			m.Trace = model.Trace{}
			return err
		}
	}
	m.Signal, m.Mean, m.Scale = signal, mean, scale
	m.Coef, m.Intercept = net.Weights(), net.Intercepts()
	return nil
}

func (m *Diffusion) check(op string) error {
	if err := limits.Check(op,
		limits.NotNegative("Batch", m.Batch),
		limits.Must("Noise", m.Noise, m.Noise >= 0 && m.Noise < 1, "be at least 0 and below 1")); err != nil {
		return err
	}
	if len(m.Hidden) > 0 && slices.Min(m.Hidden) < 1 {
		return model.Errorf(op, "each layer of Hidden must have at least 1 unit, got %v", m.Hidden)
	}
	return m.Activation.or(ReLU).err(op)
}

// standardized returns the rows with mean 0 and variance 1 in each column that is not constant.
func standardized(in *mat.Dense) (rows *mat.Dense, mean, scale []float64) {
	n, d := in.Dims()
	rows, mean, scale = mat.NewDense(n, d, nil), make([]float64, d), make([]float64, d)
	for j := range d {
		for i := range n {
			mean[j] += in.At(i, j) / float64(n)
		}
		squares := 0.0
		for i := range n {
			squares += (in.At(i, j) - mean[j]) * (in.At(i, j) - mean[j]) / float64(n)
		}
		if scale[j] = math.Sqrt(squares); !(scale[j] > 1e-12*math.Abs(mean[j])) {
			scale[j] = 1
		}
		for i := range n {
			rows.Set(i, j, (in.At(i, j)-mean[j])/scale[j])
		}
	}
	return rows, mean, scale
}

// noisyBatch holds noisy rows with their level, and the noise that was added to them.
type noisyBatch struct{ in, eps *mat.Dense }

func newNoisyBatch(n, d int) noisyBatch {
	return noisyBatch{mat.NewDense(n, d+2, nil), mat.NewDense(n, d, nil)}
}

// draw fills the batch with random rows at random levels.
func (b noisyBatch) draw(rows *mat.Dense, signal []float64, rng *rand.Rand) {
	normal(b.eps, rng)
	n, d := b.eps.Dims()
	all, _ := rows.Dims()
	for i := range n {
		row, to, eps := rows.RawRowView(rng.IntN(all)), b.in.RawRowView(i), b.eps.RawRowView(i)
		a := signal[1+rng.IntN(len(signal)-1)]
		for j, v := range row {
			to[j] = math.Sqrt(a)*v + math.Sqrt(1-a)*eps[j]
		}
		to[d], to[d+1] = math.Sqrt(a), math.Sqrt(1-a)
	}
}

// Noised returns the rows of x after t steps of noise, from 0 (none) to Levels.
func (m *Diffusion) Noised(x mat.Matrix, t int, seed uint64) *mat.Dense {
	const op = "Diffusion.Noised"
	if m.Coef == nil {
		panic(model.NotFitted(op))
	}
	if t < 0 || t >= len(m.Signal) {
		panic(model.Errorf(op, "t must be between 0 and %d (the number of levels), got %d", len(m.Signal)-1, t))
	}
	out := mat.DenseCopyOf(model.MustRows(op, model.MustRead(op, &m.Fitted, x), len(m.Mean)))
	rng, a := model.Rand(seed, 0), m.Signal[t]
	out.Apply(func(_, j int, v float64) float64 {
		z := math.Sqrt(a)*(v-m.Mean[j])/m.Scale[j] + math.Sqrt(1-a)*rng.NormFloat64()
		return m.Mean[j] + m.Scale[j]*z
	}, out)
	return out
}

// Sample generates n rows.
func (m *Diffusion) Sample(n int, seed uint64) *mat.Dense {
	var last *mat.Dense
	m.reverse("Diffusion.Sample", n, seed, func(x *mat.Dense) { last = x })
	return last
}

// Path generates n rows, and returns them after each step: first pure noise, and last what Sample
// returns.
func (m *Diffusion) Path(n int, seed uint64) []*mat.Dense {
	var all []*mat.Dense
	m.reverse("Diffusion.Path", n, seed, func(x *mat.Dense) { all = append(all, x) })
	return all
}

// reverse goes from noise to rows, and calls each with the rows after each step.
func (m *Diffusion) reverse(op string, n int, seed uint64, each func(x *mat.Dense)) {
	if m.Coef == nil {
		panic(model.NotFitted(op))
	}
	if n < 1 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	d, rng := len(m.Mean), model.Rand(seed, 0)
	x, fresh, in := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), mat.NewDense(n, d+2, nil)
	show := func() {
		out := mat.DenseCopyOf(x)
		out.Apply(func(_, j int, v float64) float64 { return m.Mean[j] + m.Scale[j]*v }, out)
		each(out)
	}
	normal(x, rng)
	show()
	for t := len(m.Signal) - 1; t > 0; t-- {
		bar, before := m.Signal[t], m.Signal[t-1]
		a := bar / before
		for i := range n {
			copy(in.RawRowView(i), x.RawRowView(i))
			in.Set(i, d, math.Sqrt(bar))
			in.Set(i, d+1, math.Sqrt(1-bar))
		}
		guess := outputs(op, in, m.Coef, m.Intercept, m.Activation.or(ReLU), false)
		normal(fresh, rng)
		part, s := (1-a)/math.Sqrt(1-bar), math.Sqrt((1-a)*(1-before)/(1-bar))
		x.Apply(func(i, j int, v float64) float64 {
			return (v-part*guess.At(i, j))/math.Sqrt(a) + s*fresh.At(i, j)
		}, x)
		show()
	}
}
