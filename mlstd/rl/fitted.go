package rl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// FittedValueIteration is value iteration over a continuous state space, with a regression model
// instead of a table.
//
//	yᵢ = max over a of  r(xᵢ, a) + γ·V(x′ of xᵢ and a)   for a sample x₁ … x_m
//	V ← the regression of y on x
//
// The iteration may fail to converge, because the regression can spread an error that the maximum
// has enlarged. With averagers, such as nearest neighbors, trees and interpolation, the iteration
// converges.
//
// References: [Ng2007], 4.2; [Gordon1995].
//
// Course: RL-14.
type FittedValueIteration struct {
	// Regressor is fitted again in each round. It must be set: KNNRegressor and
	// RandomForestRegressor are safe choices.
	Regressor model.Regressor
	Samples   int // states, drawn from the bounds evenly; 0 means 1000
	// Discount is the discount factor γ of future rewards; 0 means 0.99. With a larger value, the
	// agent looks further ahead.
	Discount float64
	// MaxIter is the maximum number of rounds; 0 means 50.
	MaxIter int
	Seed    uint64
	// Low and High are the bounds of the states to sample; nil means the bounds of the simulator,
	// which must then be finite.
	Low, High []float64
	model.Control

	X      *mat.Dense  // set by Solve: the sample
	Y      []float64   // set by Solve: the last targets
	Trace  model.Trace // set by Solve: Loss is the largest change of a target in each round
	sim    Simulator
	solved bool
}

// Solve computes the values of the states of the simulator.
func (f *FittedValueIteration) Solve(sim Simulator) error {
	const op = "FittedValueIteration.Solve"
	f.X, f.Y, f.Trace, f.solved, f.sim = nil, nil, model.Trace{}, false, sim
	if sim == nil || f.Regressor == nil {
		return model.Errorf(op, "the simulator and Regressor must not be nil").WithHint("set Regressor, for example to &ml.KNNRegressor{K: 5}")
	}
	samples, err := model.Iterations(op, "Samples", f.Samples, 1000)
	if err != nil {
		return err
	}
	rounds, err := model.Iterations(op, "MaxIter", f.MaxIter, 50)
	if err != nil {
		return err
	}
	gamma := model.Or(f.Discount, 0.99)
	if !(gamma >= 0 && gamma <= 1) {
		return model.Errorf(op, "Discount must be between 0 and 1, got %v", f.Discount)
	}
	x, err := f.sample(op, samples)
	if err != nil {
		return err
	}
	next, rewards, ended := f.simulate(x)
	run := f.Begin("FittedValueIteration", rounds)
	defer run.End()
	y, k := make([]float64, samples), sim.NumActions()
	var trace model.Trace
	for iter := 1; iter <= rounds; iter++ {
		var v []float64
		if iter > 1 {
			v = f.Regressor.Predict(next)
		}
		change := 0.0
		for i := range y {
			best := math.Inf(-1)
			for a := range k {
				q := rewards[i*k+a]
				if v != nil && !ended[i*k+a] {
					q += gamma * v[i*k+a]
				}
				best = max(best, q)
			}
			change = max(change, math.Abs(best-y[i]))
			y[i] = best
		}
		if err := f.Regressor.Fit(x, y); err != nil {
			return err
		}
		trace.Loss = append(trace.Loss, change)
		if err := run.Step(iter, change); err != nil {
			return err
		}
	}
	f.X, f.Y, f.Trace, f.solved = x, y, trace, true
	return nil
}

// sample draws states from the space.
func (f *FittedValueIteration) sample(op string, n int) (*mat.Dense, error) {
	low, high := f.Low, f.High
	if low == nil && high == nil {
		low, high = f.sim.Bounds()
	}
	bins := make([]int, len(low))
	for i := range bins {
		bins[i] = 1
	}
	if err := checkBins(op, bins, low, high); err != nil {
		return nil, err
	}
	rng := model.Rand(f.Seed, 0)
	x := mat.NewDense(n, len(low), nil)
	for i := range n {
		for j, lo := range low {
			x.Set(i, j, lo+(high[j]-lo)*rng.Float64())
		}
	}
	return x, nil
}

// simulate takes each action in each state of the sample.
func (f *FittedValueIteration) simulate(x *mat.Dense) (next *mat.Dense, rewards []float64, ended []bool) {
	n, d := x.Dims()
	k := f.sim.NumActions()
	next, rewards, ended = mat.NewDense(n*k, d, nil), make([]float64, n*k), make([]bool, n*k)
	for i := range n {
		for a := range k {
			at := i*k + a
			rewards[at], ended[at] = f.sim.Next(x.RawRowView(i), a, next.RawRowView(at))
		}
	}
	return next, rewards, ended
}

// Value returns the value of a state.
func (f *FittedValueIteration) Value(x []float64) float64 {
	if !f.solved {
		panic(model.Errorf("FittedValueIteration.Value", "the problem is not solved yet").WithHint("call Solve first"))
	}
	return f.Regressor.Predict(mat.NewDense(1, len(x), append([]float64(nil), x...)))[0]
}

// Act returns the best action at x, looking one step ahead.
func (f *FittedValueIteration) Act(x []float64) int {
	return GreedyAction(f.sim, model.Or(f.Discount, 0.99), x, f.Value)
}
