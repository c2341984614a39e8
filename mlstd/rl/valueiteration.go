package rl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ValueIteration computes the optimal values of the states of a known process, and the optimal
// policy.
//
//	V*(s) = max over a of  r(s, a) + γ·Σₛ′ P(s′ | s, a)·V*(s′)
//	π*(s) = the a of that maximum
//
// Each sweep evaluates the right side for all states with the values of the previous sweep. A sweep
// multiplies the largest error by at most γ. The sweeps end when the upper bound of this error,
// γ/(1−γ) times the last change, is at most Tol. With γ = 1, the sweeps end when the last change is
// at most Tol.
//
// A sweep costs one multiplication for each outcome; for a large process, a sweep uses all cores.
// The policy is usually optimal long before the values have converged.
//
// References: [Sutton2018], 4.4; [Mitchell1997], 13.2.
//
// Course: RL-04, RL-05, RL-07, RL-12.
type ValueIteration struct {
	// Tol is the tolerance at which the sweeps end; 0 means 1e-9. With a larger value, the sweeps
	// end earlier.
	Tol float64
	// MaxIter is the maximum number of sweeps; 0 means 10000.
	MaxIter int
	model.Control

	V      []float64   // set by Solve: the worth of each state
	Q      *mat.Dense  // set by Solve: of each action in each state; -Inf where it is not allowed
	Policy []int       // set by Solve: the best action, the first of several; -1 where there is none
	Sweeps [][]float64 // set by Solve: the values before the first and after each sweep, at most 1000 of processes of at most 1000 states
	Trace  model.Trace // set by Solve: Loss is the largest change of each sweep
}

// Sweeps are kept for pictures, which have room for so many.
const mostKept = 1000

// Solve computes the values of the states of m and the optimal policy.
func (v *ValueIteration) Solve(m *MDP) error {
	const op = "ValueIteration.Solve"
	v.V, v.Q, v.Policy, v.Sweeps, v.Trace = nil, nil, nil, nil, model.Trace{}
	if err := m.Check(); err != nil {
		return err
	}
	tol, most, err := iteration(op, v.Tol, v.MaxIter)
	if err != nil {
		return err
	}
	f := flatten(m)
	now, next := make([]float64, f.n), make([]float64, f.n)
	run := v.Begin("ValueIteration", most)
	defer run.End()
	v.keep(now)
	var trace model.Trace
	for iter := 1; iter <= most && !trace.Converged; iter++ {
		change := f.sweep(now, next)
		now, next = next, now
		v.keep(now)
		trace.Loss = append(trace.Loss, change)
		trace.Converged = stillOff(change, f.gamma) <= tol
		if err := run.Step(iter, change); err != nil {
			v.Sweeps = nil
			return err
		}
	}
	v.V, v.Q, v.Policy, v.Trace = now, f.q(now), f.greedy(now), trace
	return nil
}

func (v *ValueIteration) keep(values []float64) {
	if len(values) <= mostKept && len(v.Sweeps) < mostKept {
		v.Sweeps = append(v.Sweeps, append([]float64(nil), values...))
	}
}

// stillOff bounds the error of values that changed by change in their last sweep.
func stillOff(change, gamma float64) float64 {
	if gamma < 1 {
		return change * gamma / (1 - gamma)
	}
	return change
}

// iteration reads the parameters of an iteration.
func iteration(op string, tol float64, maxIter int) (float64, int, error) {
	if !(tol >= 0) {
		return 0, 0, model.Errorf(op, "Tol must be positive (0 means 1e-9), got %v", tol)
	}
	most, err := model.Iterations(op, "MaxIter", maxIter, 10000)
	return model.Or(tol, 1e-9), most, err
}
