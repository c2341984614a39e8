package rl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// QLearning learns the value of each action in each state by acting, without a model of the
// environment.
//
//	Q(s, a) = E[r(s, a)] + γ·E[max over a′ of Q(s′, a′) | s, a]
//
//	Q(s, a) ← (1 − α)·Q(s, a) + α·(r + γ·max over a′ of Q(s′, a′))
//
// With Rate 1, the update is Q ← r + γ·max Q, which suits a deterministic world. With the default α
// = 1/(1 + visits of (s, a)), the values converge even in a stochastic environment, if every pair
// is visited infinitely often. With a constant rate, the agent gradually forgets old experience.
//
// The agent learns the values of the optimal policy, no matter which actions it takes while it
// learns (off-policy learning). Exploring costs reward but does not bias the values. Choosing an
// action requires only Q, not a model of the environment.
//
// A step costs O(actions). If rewards are negative and initial values are zero, untried actions
// look attractive.
//
// References: [Watkins1992]; [Mitchell1997], 13.3; [Sutton2018], 6.5.
//
// Course: RL-07, RL-08, RL-09, RL-12.
type QLearning struct {
	// Rate is the learning rate α; 0 means 1/(1 + visits). With a larger value, learning is faster
	// but noisier.
	Rate float64
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	// Explore is the exploration strategy; nil means EpsilonGreedy{}.
	Explore Exploration
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
	Visits  [][]int    // set by Learn: how often each action was taken in each state
	Returns []float64  // set by Learn: the sum of the rewards of each episode, not discounted
	Lengths []int      // set by Learn: the steps of each episode
}

// Learn plays the episodes.
func (l *QLearning) Learn(env Discrete) error {
	const op = "QLearning.Learn"
	l.Q, l.Visits, l.Returns, l.Lengths = nil, nil, nil, nil
	t, err := newTable(op, env, tableParams{l.Rate, l.Discount, l.Start, l.Explore, l.MaxSteps, l.Seed})
	if err != nil {
		return err
	}
	rec, err := episodes("QLearning", &l.Control, t, 500, l.Episodes, l.Seed, t.qEpisode)
	if err != nil {
		return err
	}
	l.Q, l.Visits, l.Returns, l.Lengths = t.matrix(), t.counts(), rec.returns, rec.lengths
	return nil
}

// qEpisode plays an episode of Q-learning.
func (t *table) qEpisode() (total float64, steps int) {
	s := t.env.State()
	for steps < t.most {
		a := t.choose(s)
		r, ended := t.env.Step(a)
		next := t.env.State()
		target := r
		if !ended {
			target += t.gamma * largest(t.row(next))
		}
		i := s*t.k + a
		t.q[i] += t.alpha(i) * (target - t.q[i])
		total, s = total+r, next
		steps++
		if ended {
			break
		}
	}
	return total, steps
}

// Policy returns the best action of each state according to the learned values.
func (l *QLearning) Policy() []int { return GreedyPolicy(fitted("QLearning.Policy", l.Q)) }

// Values returns the learned value of each state.
func (l *QLearning) Values() []float64 { return StateValues(fitted("QLearning.Values", l.Q)) }

func fitted(op string, q *mat.Dense) *mat.Dense {
	if q == nil {
		panic(model.Errorf(op, "the learner has not learned yet").WithHint("call Learn first"))
	}
	return q
}
