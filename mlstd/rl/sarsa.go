package rl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SARSA learns the values of actions under the policy with which it explores. Its name lists the
// inputs of an update: s, a, r, s′, a′.
//
//	Q(s, a) ← Q(s, a) + α·(r + γ·Q(s′, a′) − Q(s, a))
//
// Expected replaces Q(s′, a′) with the mean of Q(s′, ·) under the policy, which removes the
// randomness of the choice of a′. With N > 1, the target is the discounted sum of N rewards and the
// estimated value that follows them:
//
//	Q(s₀, a₀) ← Q + α·(r₁ + γ·r₂ + … + γ^(N−1)·r_N + γᴺ·Q(s_N, a_N) − Q)
//
// Lambda averages over all N by means of eligibility traces: each step's temporal-difference error
// updates all earlier pairs, weighted by (γλ)^age.
//
// Near a cliff, SARSA keeps a safe distance, because its values include exploratory steps.
// [QLearning] learns the path at the edge, which is best without exploration, and falls off the
// cliff while it explores.
//
// References: [Sutton2018], 6.4, 6.6, 7.2, 12.7.
//
// Course: RL-08, RL-11.
type SARSA struct {
	// Rate is the learning rate α; 0 means 0.1. With a larger value, learning is faster but
	// noisier.
	Rate float64
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	Explore  Exploration
	Expected bool // needs EpsilonGreedy, Greedy or PowerChoice
	N        int  // steps; 0 means 1
	// Lambda is the decay λ of the eligibility traces, between 0 and 1. A larger
	// value credits earlier steps more.
	Lambda    float64
	Replacing bool // a trace is 1 after a visit, not one more than before
	// Start is the initial value of every action. A high value encourages
	// exploration.
	Start float64
	// Episodes is the number of training episodes; 0 means 500.
	Episodes int
	// MaxSteps is the maximum number of steps of an episode; 0 means 1000.
	MaxSteps int
	Seed     uint64
	model.Control

	Q       *mat.Dense // set by Learn: one row per state
	Visits  [][]int    // set by Learn
	Returns []float64  // set by Learn: the sum of the rewards of each episode
	Lengths []int      // set by Learn: the steps of each episode
}

// Learn plays the episodes.
func (l *SARSA) Learn(env Discrete) error {
	const op = "SARSA.Learn"
	l.Q, l.Visits, l.Returns, l.Lengths = nil, nil, nil, nil
	rate := l.Rate
	if rate == 0 {
		rate = 0.1
	}
	t, err := newTable(op, env, tableParams{rate, l.Discount, l.Start, l.Explore, l.MaxSteps, l.Seed})
	if err != nil {
		return err
	}
	episode, err := l.method(op, t)
	if err != nil {
		return err
	}
	rec, err := episodes("SARSA", &l.Control, t, 500, l.Episodes, l.Seed, episode)
	if err != nil {
		return err
	}
	l.Q, l.Visits, l.Returns, l.Lengths = t.matrix(), t.counts(), rec.returns, rec.lengths
	return nil
}

// method returns the player of an episode that the parameters ask for.
func (l *SARSA) method(op string, t *table) (func() (float64, int), error) {
	n, err := model.Iterations(op, "N", l.N, 1)
	switch {
	case err != nil:
		return nil, err
	case !(l.Lambda >= 0 && l.Lambda <= 1):
		return nil, model.Errorf(op, "Lambda must be between 0 and 1, got %v", l.Lambda)
	case l.Lambda > 0 && (n > 1 || l.Expected):
		return nil, model.Errorf(op, "Lambda must be 0 if N or Expected is set").WithHint("leave Lambda, or N and Expected, out")
	case l.Expected && n > 1:
		return nil, model.Errorf(op, "N must be 1 if Expected is set, got %d", n).WithHint("leave N out")
	case l.Lambda > 0:
		traces := make([]float64, len(t.q))
		return func() (float64, int) { return t.traceEpisode(traces, l.Lambda, l.Replacing) }, nil
	case n > 1:
		w := &window{n: n}
		return func() (float64, int) { return t.stepsEpisode(w) }, nil
	case l.Expected:
		mean, err := t.expectation(op)
		if err != nil {
			return nil, err
		}
		return func() (float64, int) { return t.sarsaEpisode(mean) }, nil
	}
	return func() (float64, int) { return t.sarsaEpisode(nil) }, nil
}

// expectation returns the mean of a row of Q under the exploration.
func (t *table) expectation(op string) (func(q []float64) float64, error) {
	switch e := t.explore.(type) {
	case Greedy:
		return largest, nil
	case EpsilonGreedy:
		return func(q []float64) float64 {
			sum, n := 0.0, 0
			for _, v := range q {
				if !math.IsInf(v, -1) {
					sum, n = sum+v, n+1
				}
			}
			eps := e.At(t.choice.Episode)
			return (1-eps)*largest(q) + eps*sum/float64(n)
		}, nil
	case PowerChoice:
		return func(q []float64) float64 {
			sum := 0.0
			for a, p := range e.Probabilities(q) {
				if p > 0 {
					sum += p * q[a]
				}
			}
			return sum
		}, nil
	}
	return nil, model.Errorf(op, "Explore must have probabilities if Expected is set, got %T", t.explore).WithHint("set Explore to EpsilonGreedy, Greedy or PowerChoice")
}

// sarsaEpisode plays an episode of one-step SARSA; mean replaces the next action if
// it is not nil.
func (t *table) sarsaEpisode(mean func([]float64) float64) (total float64, steps int) {
	s := t.env.State()
	a := t.choose(s)
	for steps < t.most {
		r, ended := t.env.Step(a)
		next, then := t.env.State(), 0
		target := r
		if !ended {
			then = t.choose(next)
			if mean != nil {
				target += t.gamma * mean(t.row(next))
			} else {
				target += t.gamma * t.q[next*t.k+then]
			}
		}
		i := s*t.k + a
		t.q[i] += t.alpha(i) * (target - t.q[i])
		total, s, a = total+r, next, then
		steps++
		if ended {
			break
		}
	}
	return total, steps
}

// traceEpisode plays an episode with eligibility traces.
func (t *table) traceEpisode(traces []float64, lambda float64, replacing bool) (total float64, steps int) {
	clear(traces)
	s := t.env.State()
	a := t.choose(s)
	for steps < t.most {
		r, ended := t.env.Step(a)
		next, then := t.env.State(), 0
		i := s*t.k + a
		delta := r - t.q[i]
		if !ended {
			then = t.choose(next)
			delta += t.gamma * t.q[next*t.k+then]
		}
		if replacing {
			traces[i] = 1
		} else {
			traces[i]++
		}
		alpha := t.alpha(i)
		for j, e := range traces {
			if e != 0 {
				t.q[j] += alpha * delta * e
				if e *= t.gamma * lambda; e < 1e-12 {
					e = 0
				}
				traces[j] = e
			}
		}
		total, s, a = total+r, next, then
		steps++
		if ended {
			break
		}
	}
	return total, steps
}

// window is the last n steps of an episode.
type window struct {
	n       int
	pairs   []int // state·k + action
	rewards []float64
}

// stepsEpisode plays an episode of n-step SARSA.
func (t *table) stepsEpisode(w *window) (total float64, steps int) {
	w.pairs, w.rewards = w.pairs[:0], w.rewards[:0]
	s := t.env.State()
	a := t.choose(s)
	ended := false
	for steps < t.most && !ended {
		var r float64
		r, ended = t.env.Step(a)
		w.pairs, w.rewards = append(w.pairs, s*t.k+a), append(w.rewards, r)
		s = t.env.State()
		total += r
		steps++
		rest := 0.0
		if !ended {
			a = t.choose(s)
			rest = t.q[s*t.k+a]
		}
		if len(w.pairs) == w.n {
			t.learn(w, rest)
		}
	}
	rest := 0.0
	if !ended {
		rest = t.q[s*t.k+a]
	}
	for len(w.pairs) > 0 {
		t.learn(w, rest)
	}
	return total, steps
}

// learn moves the oldest pair of the window towards its return, rest being the
// value of what comes after it, and drops it.
func (t *table) learn(w *window, rest float64) {
	target := rest
	for i := len(w.rewards) - 1; i >= 0; i-- {
		target = w.rewards[i] + t.gamma*target
	}
	i := w.pairs[0]
	t.q[i] += t.alpha(i) * (target - t.q[i])
	w.pairs = w.pairs[:copy(w.pairs, w.pairs[1:])]
	w.rewards = w.rewards[:copy(w.rewards, w.rewards[1:])]
}

// Policy returns the best action of each state according to the learned values.
func (l *SARSA) Policy() []int { return GreedyPolicy(fitted("SARSA.Policy", l.Q)) }

// Values returns the learned value of the best action of each state.
func (l *SARSA) Values() []float64 { return StateValues(fitted("SARSA.Values", l.Q)) }
