package rl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// TD learns the values of the states under a given policy by acting.
//
//	V(s) ← V(s) + α·(r + γ·V(s′) − V(s))
//
// Lambda adds eligibility traces. With λ = 1, the value of every state moves toward the whole
// return that followed the state, as in Monte Carlo evaluation.
//
// References: [Sutton2018], 6.1, 12.2.
//
// Course: RL-03.
type TD struct {
	// Rate is the learning rate α; 0 means 0.1. With a larger value, learning is faster but
	// noisier.
	Rate float64
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	// Lambda is the decay λ of the eligibility traces, between 0 and 1. A larger
	// value credits earlier steps more.
	Lambda float64
	// Start is the initial value of every state. A high value encourages
	// exploration.
	Start float64
	// Episodes is the number of training episodes; 0 means 500.
	Episodes int
	// MaxSteps is the maximum number of steps of an episode; 0 means 1000.
	MaxSteps int
	Seed     uint64
	model.Control

	V       []float64   // set by Learn
	History [][]float64 // set by Learn: V before the first and after each episode, at most 1000, of at most 1000 states
	Returns []float64   // set by Learn: the sum of the rewards of each episode
}

// Learn plays the episodes with the policy, which must have a row of action probabilities for each
// state.
func (l *TD) Learn(env Discrete, policy mat.Matrix) error {
	const op = "TD.Learn"
	l.V, l.History, l.Returns = nil, nil, nil
	rate := l.Rate
	if rate == 0 {
		rate = 0.1
	}
	if !(l.Lambda >= 0 && l.Lambda <= 1) {
		return model.Errorf(op, "Lambda must be between 0 and 1, got %v", l.Lambda)
	}
	t, err := newTable(op, env, tableParams{rate, l.Discount, l.Start, nil, l.MaxSteps, l.Seed})
	if err != nil {
		return err
	}
	if policy == nil {
		return model.Errorf(op, "the policy must not be nil").WithHint("create one with UniformPolicy(m) or FixedPolicy(actions, k)")
	}
	if r, c := policy.Dims(); r != env.NumStates() || c != t.k {
		return model.Errorf(op, "the policy must be %dx%d (states, actions), got %dx%d", env.NumStates(), t.k, r, c)
	}
	v := make([]float64, env.NumStates())
	for s := range v {
		v[s] = l.Start
	}
	traces := make([]float64, len(v))
	var history [][]float64
	keep := func() {
		if len(v) <= mostKept && len(history) < mostKept {
			history = append(history, append([]float64(nil), v...))
		}
	}
	keep()
	rec, err := episodes("TD", &l.Control, t, 500, l.Episodes, l.Seed, func() (float64, int) {
		total, steps := t.tdEpisode(v, traces, l.Lambda, policy)
		keep()
		return total, steps
	})
	if err != nil {
		return err
	}
	l.V, l.History, l.Returns = v, history, rec.returns
	return nil
}

// tdEpisode plays an episode by the policy and moves v.
func (t *table) tdEpisode(v, traces []float64, lambda float64, policy mat.Matrix) (total float64, steps int) {
	clear(traces)
	s := t.env.State()
	for steps < t.most {
		for a := range t.k {
			t.allowed[a] = policy.At(s, a)
		}
		r, ended := t.env.Step(draw(t.rng, t.allowed))
		next := t.env.State()
		delta := r - v[s]
		if !ended {
			delta += t.gamma * v[next]
		}
		if lambda == 0 {
			v[s] += t.rate * delta
		} else {
			traces[s]++
			for j, e := range traces {
				if e != 0 {
					v[j] += t.rate * delta * e
					traces[j] = e * t.gamma * lambda
				}
			}
		}
		total, s = total+r, next
		steps++
		if ended {
			break
		}
	}
	return total, steps
}
