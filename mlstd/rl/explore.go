package rl

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Choice is the input of an [Exploration].
type Choice struct {
	Q      []float64 // the estimated value of each action; -Inf: not allowed
	Visits []int     // how often each has been taken here; nil where nobody counts
	// Episode counts from 0; in a bandit it is 0.
	Episode int
	Rand    *rand.Rand
}

// Exploration decides between actions that are known to be good and actions that have not been
// tried enough. Choose returns one of the allowed actions; Check returns an error for an invalid
// parameter.
//
// Course: RL-10.
type Exploration interface {
	Choose(c *Choice) int
	Check() error
}

// Greedy always takes the best action. In a tie, it takes a random one of the best actions. If the
// learner's initial value is high, Greedy also explores, because the values of tried actions fall
// below the initial value.
type Greedy struct{}

// Check returns nil.
func (Greedy) Check() error { return nil }

// Choose returns the best action.
func (Greedy) Choose(c *Choice) int { return bestOf(c.Q, c.Rand) }

// bestOf is the index of the largest entry, drawn from those that are equal.
func bestOf(q []float64, rng *rand.Rand) int {
	best, n := 0, 0
	for a, v := range q {
		switch {
		case n == 0 || v > q[best]:
			best, n = a, 1
		case v == q[best] && !math.IsInf(v, -1):
			if n++; rng.IntN(n) == 0 {
				best = a
			}
		}
	}
	return best
}

// EpsilonGreedy takes a random allowed action with probability ε, and the best action otherwise.
//
// References: [Sutton2018], 2.2.
//
// Course: RL-11.
type EpsilonGreedy struct {
	Epsilon float64 // 0 means 0.1; model.Zero: never
	// Decay is the factor that multiplies ε after each episode; 0 means 1, which does not change ε.
	Decay float64
	Least float64 // ε does not fall below it
}

// Check returns an error if a parameter is outside [0, 1].
func (e EpsilonGreedy) Check() error {
	for _, p := range []struct {
		name  string
		value float64
	}{{"Epsilon", e.Epsilon}, {"Decay", e.Decay}, {"Least", e.Least}} {
		if !(p.value >= 0 && p.value <= 1) {
			return model.Errorf("EpsilonGreedy", "%s must be between 0 and 1, got %v", p.name, p.value)
		}
	}
	return nil
}

// At returns the ε of an episode.
func (e EpsilonGreedy) At(episode int) float64 {
	eps := model.Or(e.Epsilon, 0.1)
	if e.Decay != 0 && e.Decay != 1 {
		eps *= math.Pow(e.Decay, float64(episode))
	}
	return max(eps, e.Least)
}

// Choose returns an action.
func (e EpsilonGreedy) Choose(c *Choice) int {
	if c.Rand.Float64() >= e.At(c.Episode) {
		return bestOf(c.Q, c.Rand)
	}
	return anyOf(c.Q, c.Rand)
}

// anyOf is one of the allowed actions.
func anyOf(q []float64, rng *rand.Rand) int {
	if a := rng.IntN(len(q)); !math.IsInf(q[a], -1) {
		return a
	}
	chosen, n := 0, 0
	for a, v := range q {
		if !math.IsInf(v, -1) {
			if n++; rng.IntN(n) == 0 {
				chosen = a
			}
		}
	}
	return chosen
}

// PowerChoice takes each action with a probability that grows with its value:
//
//	P(aᵢ | s) = c^Q(s, aᵢ) / Σⱼ c^Q(s, aⱼ)
//
// A base c > 1 favors better actions, and a larger c favors them more strongly. A base of 1 makes
// all actions equally probable, and c < 1 favors worse actions. With c = e, the probabilities are
// the softmax of Q; with c = e^(1/T), they are the softmax with temperature T.
//
// References: [Mitchell1997], 13.3.5.
//
// Course: RL-10.
type PowerChoice struct {
	C float64 // 0 means e
}

// Check returns an error if the base is not positive.
func (p PowerChoice) Check() error {
	if c := model.Or(p.C, math.E); !(c > 0) || math.IsInf(c, 1) {
		return model.Errorf("PowerChoice", "C must be positive, got %v", p.C).WithHint("set C above 1 to favor better actions")
	}
	return nil
}

// Probabilities returns the probability of each action.
func (p PowerChoice) Probabilities(q []float64) []float64 {
	out := make([]float64, len(q))
	logC, top := math.Log(model.Or(p.C, math.E)), math.Inf(-1)
	for _, v := range q {
		if !math.IsInf(v, -1) {
			top = max(top, v*logC)
		}
	}
	sum := 0.0
	for a, v := range q {
		if !math.IsInf(v, -1) {
			out[a] = math.Exp(v*logC - top)
			sum += out[a]
		}
	}
	for a := range out {
		out[a] /= sum
	}
	return out
}

// Choose draws an action.
func (p PowerChoice) Choose(c *Choice) int {
	// As many draws as actions and no memory: the largest of log-weight plus
	// Gumbel noise has the probabilities above.
	logC := math.Log(model.Or(p.C, math.E))
	best, most := 0, math.Inf(-1)
	for a, v := range c.Q {
		if math.IsInf(v, -1) {
			continue
		}
		if x := v*logC - math.Log(c.Rand.ExpFloat64()); x > most {
			best, most = a, x
		}
	}
	return best
}

// UCB takes the action with the largest upper confidence bound of its value:
//
//	argmax over a of  Q(a) + C·√(ln t / N(a))
//
// where N(a) of the t earlier steps took action a. Actions that were never taken come first.
//
// References: [Auer2002]; [Sutton2018], 2.7.
//
// Course: RL-11.
type UCB struct {
	C float64 // in units of the reward; 0 means √2
}

// Check returns an error if the width is negative.
func (u UCB) Check() error {
	if !(u.C >= 0) {
		return model.Errorf("UCB", "C must not be negative (0 means √2), got %v", u.C)
	}
	return nil
}

// Choose returns the action with the largest upper bound.
func (u UCB) Choose(c *Choice) int {
	total := 0
	for _, n := range c.Visits {
		total += n
	}
	width := model.Or(u.C, math.Sqrt2)
	log := math.Log(max(1, float64(total)))
	best, most, ties := 0, math.Inf(-1), 0
	for a, v := range c.Q {
		if math.IsInf(v, -1) {
			continue
		}
		bound := math.Inf(1)
		if n := c.Visits[a]; n > 0 {
			bound = v + width*math.Sqrt(log/float64(n))
		}
		switch {
		case ties == 0 || bound > most:
			best, most, ties = a, bound, 1
		case bound == most:
			if ties++; c.Rand.IntN(ties) == 0 {
				best = a
			}
		}
	}
	return best
}

// exploration returns the usual one for nil.
func exploration(e Exploration) (Exploration, error) {
	if e == nil {
		e = EpsilonGreedy{}
	}
	return e, e.Check()
}
