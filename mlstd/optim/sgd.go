package optim

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FiniteSum is an objective that is a mean over examples.
//
//	f(x) = (1/n) Σᵢ fᵢ(x)
//
// The expectation of one random example's gradient is the whole gradient; that
// is all that stochastic descent needs.
type FiniteSum interface {
	Examples() int
	Value(x []float64) float64
	// AddGradient adds the gradient of example i to dst.
	AddGradient(dst, x []float64, i int)
}

// BatchGradient is the mean of all the examples' gradients at x.
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
// AdaGrad gives each coordinate a rate of its own, so that rare features keep a
// large one; ε = 1e-8 keeps the rate finite before a feature has been seen. A batch of
// all examples makes it [GradientDescent]. Stochastic steps need a falling
// schedule to converge, and Average, the mean of the iterates, evens out what
// noise is left.
//
// With Validation set, the parameters with the least validation error are
// returned, and the descent ends after Patience epochs without a better one
// (early stopping).
//
// Cost: one gradient an example an epoch.
//
// References: [RobbinsMonro1951], [DuchiHazanSinger2011]. Course: OPT-20,
// OPT-21, OPT-24, OPT-25, OPT-26, OPT-28.
type SGD struct {
	Rate      Schedule // nil means ConstantRate(0.1)
	Batch     int      // examples a step; 0 means 1; more than there are means all
	Epochs    int      // passes over the examples; 0 means 100
	Decay     float64  // λ of the weight decay
	Momentum  float64  // α in [0, 1)
	AdaGrad   bool
	Average   bool
	NoShuffle bool // take the examples in their order
	Seed      uint64
	Tol       float64 // stop when an epoch changes the objective by less, relatively; 0 means never
	// Validation gives the error on held-out data after an epoch.
	Validation func(x []float64) float64
	Patience   int  // 0 means 5
	KeepPath   bool // record the parameters after each step
	model.Control
}

// SGDResult is where a stochastic descent ended.
type SGDResult struct {
	Minimum
	Validation []float64 // after each epoch, if asked for
	BestEpoch  int       // of the parameters returned, from 1
	// Rates are AdaGrad's final step sizes, one a coordinate.
	Rates []float64
}

const adaGradEpsilon = 1e-8

// Minimize descends from x0, which it leaves untouched.
func (s *SGD) Minimize(f FiniteSum, x0 []float64) (*SGDResult, error) {
	n := f.Examples()
	if n < 1 || len(x0) == 0 {
		return nil, model.Errorf("SGD.Minimize", "there are %d examples and %d parameters", n, len(x0))
	}
	if !(s.Momentum >= 0 && s.Momentum < 1) || s.Decay < 0 || s.Batch < 0 {
		return nil, model.Errorf("SGD.Minimize", "Momentum is %v, Decay %v, Batch %d", s.Momentum, s.Decay, s.Batch).
			WithHint("Momentum lies in [0, 1); the others are not negative")
	}
	epochs, err := model.Iterations("SGD.Minimize", "Epochs", s.Epochs, 100)
	if err != nil {
		return nil, err
	}
	rate, batch, patience := s.Rate, s.Batch, s.Patience
	if rate == nil {
		rate = ConstantRate(0.1)
	}
	batch = min(max(batch, 1), n)
	if patience == 0 {
		patience = 5
	}
	run := s.Begin("SGD", epochs)
	defer run.End()
	rng := model.Rand(s.Seed, 0)
	d := len(x0)
	x, g, delta := append([]float64(nil), x0...), make([]float64, d), make([]float64, d)
	squares, sum := make([]float64, d), make([]float64, d)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	res := &SGDResult{Minimum: Minimum{Reason: StopIter}}
	best := math.Inf(1)
	var bestX []float64
	keep := func() {
		if s.KeepPath {
			res.Path = append(res.Path, append([]float64(nil), x...))
		}
	}
	keep()
	current := func() []float64 { return x }
	k := 0
	if s.Average {
		mean := make([]float64, d)
		current = func() []float64 {
			for j := range mean {
				mean[j] = sum[j] / float64(k)
			}
			return mean
		}
	}
	const ahead = 8 // examples for which the memory is asked early
	linear, _ := f.(*LinearRisk)
	plain := s.Decay == 0 && s.Momentum == 0 && !s.AdaGrad && !s.Average
	last := f.Value(x)
	for epoch := 1; epoch <= epochs; epoch++ {
		if !s.NoShuffle {
			rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for at := 0; at < n; at += batch {
			rows := order[at:min(at+batch, n)]
			clear(g)
			for b, i := range rows {
				if next := at + b + ahead; linear != nil && next < n {
					linalg.Prefetch(linear.X.RawRowView(order[next]))
				}
				f.AddGradient(g, x, i)
			}
			k++
			eta := rate.Rate(k)
			if plain {
				floats.AddScaled(x, -eta/float64(len(rows)), g)
				keep()
				continue
			}
			for j := range x {
				v := g[j] / float64(len(rows))
				step := eta
				if s.AdaGrad {
					squares[j] += v * v
					step = eta / (math.Sqrt(squares[j]) + adaGradEpsilon)
				}
				delta[j] = -step*v + s.Momentum*delta[j]
				x[j] = x[j]*(1-eta*s.Decay) + delta[j]
				sum[j] += x[j]
			}
			keep()
		}
		v := f.Value(current())
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
			e := s.Validation(current())
			res.Validation = append(res.Validation, e)
			if e < best {
				best, bestX, res.BestEpoch = e, append([]float64(nil), current()...), epoch
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
	res.X = append([]float64(nil), current()...)
	if bestX != nil {
		res.X = bestX
	}
	res.Value = f.Value(res.X)
	res.Trace.Converged = res.Reason == StopChange || res.Reason == StopEarly
	if s.AdaGrad {
		res.Rates = make([]float64, d)
		for j := range res.Rates {
			res.Rates[j] = rate.Rate(max(k, 1)) / (math.Sqrt(squares[j]) + adaGradEpsilon)
		}
	}
	return res, nil
}

// AdaGradRates gives the step size of every coordinate after each gradient: base
// divided by the root of the sum of its squared gradients so far.
//
//	r_{t,j} = r / √(Σ_{s≤t} g²_{s,j})
//
// A coordinate whose gradients have all been zero has an infinite rate, which a
// program must keep finite by a small ε; here it is +Inf to be seen.
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

// LinearRisk is the mean loss of the linear score w·x + b over examples, plus a
// penalty on w. Its parameters are w and, with Intercept, b as the last one,
// which is not penalized.
//
//	J(w, b) = (1/n) Σᵢ L(yᵢ, w·xᵢ + b) + Penalty(w)
//
// With the hinge and an [L2Penalty] it is the linear support vector machine; with
// [PerceptronLoss], no penalty and steps of 1, stochastic descent on it makes the
// very steps of the perceptron.
//
// Course: OPT-08, OPT-11, OPT-25.
type LinearRisk struct {
	X         *mat.Dense
	Y         []float64
	Loss      Loss
	Penalty   Penalty // nil means none
	Intercept bool
}

// Examples is the number of rows.
func (r *LinearRisk) Examples() int { return len(r.Y) }

// Parameters is the number of parameters.
func (r *LinearRisk) Parameters() int {
	_, d := r.X.Dims()
	if r.Intercept {
		d++
	}
	return d
}

// Score is the linear score of row i.
func (r *LinearRisk) Score(p []float64, i int) float64 {
	row := r.X.RawRowView(i)
	s := floats.Dot(row, p[:len(row)])
	if r.Intercept {
		s += p[len(row)]
	}
	return s
}

// Value is the regularized mean loss. Of many examples it asks Loss from several
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

// AddGradient adds the gradient of example i, its share of the penalty included.
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

// Gradient writes the gradient of the whole risk into dst, which makes a
// LinearRisk an [Objective] for batch descent.
func (r *LinearRisk) Gradient(dst, p []float64) { copy(dst, BatchGradient(r, p)) }
