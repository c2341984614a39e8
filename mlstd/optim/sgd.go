package optim

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FiniteSum is an objective that is a mean over examples.
//
//	f(x) = (1/n) Σᵢ fᵢ(x)
//
// The expectation of one random example's gradient is the gradient of f. Stochastic descent needs
// only this property.
type FiniteSum interface {
	Examples() int
	Value(x []float64) float64
	// AddGradient adds the gradient of example i to dst.
	AddGradient(dst, x []float64, i int)
}

// BatchGradient returns the mean of all the examples' gradients at x.
//
// Course: OPT-20.
func BatchGradient(f FiniteSum, x []float64) []float64 {
	g := make([]float64, len(x))
	n := f.Examples()
	for i := range n {
		f.AddGradient(g, x, i)
	}
	for j := range g {
		g[j] /= float64(n)
	}
	return g
}

// SGD is stochastic gradient descent: each step follows the gradient of one
// example, or of a mini-batch, drawn without replacement within an epoch.
//
//	g ← (1/|B|) Σ_{i∈B} ∇fᵢ(x)
//	G ← G + g²                         (AdaGrad, per coordinate)
//	Δ ← −η(k)·g / (√G + ε) + α·Δ       (the division only with AdaGrad)
//	x ← (1 − η(k)·λ)·x + Δ             (weight decay)
//
// AdaGrad adapts the rate of each coordinate, so that rare features keep a large rate; ε = 1e-8
// keeps the rate finite before a feature has been seen. With a batch of all examples, SGD is
// [GradientDescent]. Stochastic steps need a falling schedule to converge, and Average, the mean of
// the iterates, reduces the remaining noise.
//
// If Validation is not nil, Minimize returns the parameters with the smallest validation error, and
// the descent ends after Patience epochs without a smaller error (early stopping).
//
// Cost: the gradient of each example once per epoch.
//
// References: [RobbinsMonro1951], [DuchiHazanSinger2011]. Course: OPT-20,
// OPT-21, OPT-24, OPT-25, OPT-26, OPT-28.
type SGD struct {
	Rate  Schedule // nil means ConstantRate(0.1)
	Batch int      // examples per step; 0 means 1. A larger value makes steps less noisy, and fewer per epoch
	// Epochs is the number of passes over the examples; 0 means 100. More passes fit
	// them more closely.
	Epochs    int
	Decay     float64 // λ of the weight decay
	Momentum  float64 // α in [0, 1)
	AdaGrad   bool
	Average   bool
	NoShuffle bool // take the examples in their order
	Seed      uint64
	// Tol is the relative change of the objective in a pass below which the descent ends; 0 means
	// that it never ends early. A larger value ends the descent earlier.
	Tol float64
	// Validation returns the error on held-out data after an epoch.
	Validation func(x []float64) float64
	// Patience is the number of passes without a better validation error after which
	// training stops; 0 means 5.
	Patience int
	KeepPath bool // record the parameters after each step
	model.Control
}

// SGDResult is the result of a stochastic descent.
type SGDResult struct {
	Minimum
	Validation []float64 // after each epoch, if asked for
	BestEpoch  int       // of the parameters returned, from 1
	// Rates are AdaGrad's final step sizes, one per coordinate.
	Rates []float64
}

const adaGradEpsilon = 1e-8

// Minimize descends from x0, which it does not change.
func (s *SGD) Minimize(f FiniteSum, x0 []float64) (*SGDResult, error) {
	d, epochs, err := s.begin(f, x0)
	if err != nil {
		return nil, err
	}
	patience := s.Patience
	if patience == 0 {
		patience = 5
	}
	run := s.Begin("SGD", epochs)
	defer run.End()
	rng := model.Rand(s.Seed, 0)
	res := d.res
	best := math.Inf(1)
	var bestX []float64
	last := f.Value(d.x)
	for epoch := 1; epoch <= epochs; epoch++ {
		if !s.NoShuffle {
			rng.Shuffle(len(d.order), func(i, j int) { d.order[i], d.order[j] = d.order[j], d.order[i] })
		}
		d.epoch()
		v := f.Value(d.current())
		if math.IsNaN(v) || math.IsInf(v, 0) {
			res.Reason = StopDiverged
			break
		}
		res.Iter = epoch
		res.Trace.Loss = append(res.Trace.Loss, v)
		res.Trace.Step = append(res.Trace.Step, math.Abs(last-v))
		if err := run.Step(epoch, v); err != nil {
			return nil, err
		}
		if s.Validation != nil {
			e := s.Validation(d.current())
			res.Validation = append(res.Validation, e)
			if e < best {
				best, bestX, res.BestEpoch = e, slices.Clone(d.current()), epoch
			} else if epoch-res.BestEpoch >= patience {
				res.Reason = StopEarly
				break
			}
		}
		if math.Abs(last-v) <= s.Tol*math.Abs(last) && s.Tol > 0 {
			res.Reason = StopChange
			break
		}
		last = v
	}
	res.X = slices.Clone(d.current())
	if bestX != nil {
		res.X = bestX
	}
	res.Value = f.Value(res.X)
	res.Trace.Converged = res.Reason == StopChange || res.Reason == StopEarly
	if s.AdaGrad {
		res.Rates = make([]float64, len(x0))
		for j := range res.Rates {
			res.Rates[j] = d.rate.Rate(max(d.k, 1)) / (math.Sqrt(d.squares[j]) + adaGradEpsilon)
		}
	}
	return res, nil
}

// descent is the state of an SGD.
type descent struct {
	*SGD
	f     FiniteSum
	rate  Schedule
	batch int
	order []int // of the examples in this epoch
	k     int   // steps made

	x, g, delta, squares, sum, mean []float64
	linear                          *LinearRisk // f, if it is one
	res                             *SGDResult
}

// begin checks the parameters, and returns the start and the number of epochs.
func (s *SGD) begin(f FiniteSum, x0 []float64) (*descent, int, error) {
	const op = "SGD.Minimize"
	n := f.Examples()
	if n < 1 || len(x0) == 0 {
		return nil, 0, model.Errorf(op, "the numbers of examples and parameters must be at least 1, got %d and %d", n, len(x0))
	}
	if err := limits.Check(op,
		limits.Must("Momentum", s.Momentum, s.Momentum >= 0 && s.Momentum < 1, "be at least 0 and below 1"),
		limits.NotNegative("Decay", s.Decay),
		limits.NotNegative("Batch", s.Batch)); err != nil {
		return nil, 0, err
	}
	epochs, err := model.Iterations(op, "Epochs", s.Epochs, 100)
	if err != nil {
		return nil, 0, err
	}
	p := len(x0)
	d := &descent{
		SGD: s, f: f, rate: s.Rate, batch: min(max(s.Batch, 1), n), order: make([]int, n),
		x: slices.Clone(x0), g: make([]float64, p), delta: make([]float64, p), squares: make([]float64, p), sum: make([]float64, p), mean: make([]float64, p),
		res: &SGDResult{Minimum: Minimum{Reason: StopIter}},
	}
	if d.rate == nil {
		d.rate = ConstantRate(0.1)
	}
	for i := range d.order {
		d.order[i] = i
	}
	d.linear, _ = f.(*LinearRisk)
	d.keep()
	return d, epochs, nil
}

// keep records the parameters if the path is asked for.
func (d *descent) keep() {
	if d.KeepPath {
		d.res.Path = append(d.res.Path, slices.Clone(d.x))
	}
}

// current returns the parameters that the descent stands for.
func (d *descent) current() []float64 {
	if !d.Average {
		return d.x
	}
	for j := range d.mean {
		d.mean[j] = d.sum[j] / float64(d.k)
	}
	return d.mean
}

// epoch makes the steps of a pass over the examples.
func (d *descent) epoch() {
	const ahead = 8 // examples for which the memory is asked early
	n := len(d.order)
	plain := d.Decay == 0 && d.Momentum == 0 && !d.AdaGrad && !d.Average
	for at := 0; at < n; at += d.batch {
		rows := d.order[at:min(at+d.batch, n)]
		clear(d.g)
		for b, i := range rows {
			if next := at + b + ahead; d.linear != nil && next < n {
				linalg.Prefetch(d.linear.X.RawRowView(d.order[next]))
			}
			d.f.AddGradient(d.g, d.x, i)
		}
		d.k++
		eta := d.rate.Rate(d.k)
		if plain {
			floats.AddScaled(d.x, -eta/float64(len(rows)), d.g)
		} else {
			d.step(eta, len(rows))
		}
		d.keep()
	}
}

// step moves the parameters by the gradient of a batch.
func (d *descent) step(eta float64, batch int) {
	for j := range d.x {
		v := d.g[j] / float64(batch)
		step := eta
		if d.AdaGrad {
			d.squares[j] += v * v
			step = eta / (math.Sqrt(d.squares[j]) + adaGradEpsilon)
		}
		d.delta[j] = -step*v + d.Momentum*d.delta[j]
		d.x[j] = d.x[j]*(1-eta*d.Decay) + d.delta[j]
		d.sum[j] += d.x[j]
	}
}

// AdaGradRates returns the step size of every coordinate after each gradient: base divided by the
// square root of the sum of the coordinate's squared gradients so far.
//
//	r_{t,j} = r / √(Σ_{s≤t} g²_{s,j})
//
// A coordinate whose gradients have all been zero has an infinite rate, which AdaGradRates returns
// as +Inf. A program must add a small ε to keep the rate finite.
//
// References: [DuchiHazanSinger2011]. Course: OPT-26.
func AdaGradRates(base float64, gradients [][]float64) [][]float64 {
	var out [][]float64
	var squares []float64
	for _, g := range gradients {
		if squares == nil {
			squares = make([]float64, len(g))
		}
		row := make([]float64, len(g))
		for j, v := range g {
			squares[j] += v * v
			row[j] = base / math.Sqrt(squares[j])
		}
		out = append(out, row)
	}
	return out
}

// LinearRisk is the mean loss of the linear score w·x + b over examples, plus a penalty on w. Its
// parameters are w and, with Intercept, b as the last parameter; b is not penalized.
//
//	J(w, b) = (1/n) Σᵢ L(yᵢ, w·xᵢ + b) + Penalty(w)
//
// With the hinge and an [L2Penalty] it is the linear support vector machine; with [PerceptronLoss],
// no penalty and steps of 1, stochastic descent on it takes the same steps as the perceptron.
//
// Course: OPT-08, OPT-11, OPT-25.
type LinearRisk struct {
	X         *mat.Dense
	Y         []float64
	Loss      Loss
	Penalty   Penalty // nil means none
	Intercept bool
}

// Examples returns the number of rows.
func (r *LinearRisk) Examples() int { return len(r.Y) }

// Parameters returns the number of parameters.
func (r *LinearRisk) Parameters() int {
	_, d := r.X.Dims()
	if r.Intercept {
		d++
	}
	return d
}

// Score returns the linear score of row i.
func (r *LinearRisk) Score(p []float64, i int) float64 {
	row := r.X.RawRowView(i)
	s := floats.Dot(row, p[:len(row)])
	if r.Intercept {
		s += p[len(row)]
	}
	return s
}

// Value returns the regularized mean loss. With many examples it calls Loss from several
// goroutines.
func (r *LinearRisk) Value(p []float64) float64 {
	// Sums of parts of fixed size do not depend on the number of processors.
	const part = 2048
	losses := make([]float64, (len(r.Y)+part-1)/part)
	par.Range(len(r.Y), part, func(lo, hi int) {
		sum := 0.0
		for i := lo; i < hi; i++ {
			sum += r.Loss.Value(r.Y[i], r.Score(p, i))
		}
		losses[lo/part] = sum
	})
	s := floats.Sum(losses) / float64(len(r.Y))
	if r.Penalty != nil {
		s += r.Penalty.Value(r.weights(p))
	}
	return s
}

func (r *LinearRisk) weights(p []float64) []float64 {
	if r.Intercept {
		return p[:len(p)-1]
	}
	return p
}

// AddGradient adds the gradient of example i, including the gradient of the penalty.
func (r *LinearRisk) AddGradient(dst, p []float64, i int) {
	g := r.Loss.Derivative(r.Y[i], r.Score(p, i))
	if g != 0 {
		row := r.X.RawRowView(i)
		floats.AddScaled(dst[:len(row)], g, row)
		if r.Intercept {
			dst[len(row)] += g
		}
	}
	if r.Penalty != nil {
		r.Penalty.AddGradient(r.weights(dst), r.weights(p))
	}
}

// Gradient writes the gradient of the whole risk into dst. With this method, LinearRisk is an
// [Objective] for batch descent.
func (r *LinearRisk) Gradient(dst, p []float64) { copy(dst, BatchGradient(r, p)) }
