package rl

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Outcome is a possible result of an action.
type Outcome struct {
	Prob     float64 // of this outcome, given the state and the action
	Next     int     // the state that follows
	Reward   float64
	Terminal bool // the episode ends: nothing is earned after it
}

// MDP is a finite Markov decision process: the next state and the reward depend only on
// the state and the action, not on how the state was reached.
//
//	P(sₜ₊₁ | sₜ, aₜ, sₜ₋₁, …) = P(sₜ₊₁ | sₜ, aₜ)
//
// The return of an episode is Σ γᵗ·rₜ, with discount γ.
//
// References: [Sutton2018], ch. 3; [Mitchell1997], 13.2.
//
// Course: RL-01, RL-15.
type MDP struct {
	// Outcomes has the outcomes of each action in each state; the probabilities of an action's
	// outcomes must sum to 1. An action without outcomes is not allowed in the state. A state
	// without allowed actions ends the episode and has value 0.
	Outcomes [][][]Outcome
	// Discount is γ in [0, 1]. 0 means 0.9, and [model.Zero] means that only the next reward
	// counts. With 1, episodes must end under every policy.
	Discount    float64
	StateNames  []string  // may be nil
	ActionNames []string  // may be nil
	Start       []float64 // the probability of each state to be the first; nil: all states with actions alike
}

// NewMDP makes a process from a function that returns the outcomes of an action, or nil if the
// action is not allowed.
func NewMDP(states, actions int, outcomes func(state, action int) []Outcome) *MDP {
	m := &MDP{Outcomes: make([][][]Outcome, states)}
	for s := range m.Outcomes {
		m.Outcomes[s] = make([][]Outcome, actions)
		for a := range m.Outcomes[s] {
			m.Outcomes[s][a] = outcomes(s, a)
		}
	}
	return m
}

// NumStates returns the number of states.
func (m *MDP) NumStates() int { return len(m.Outcomes) }

// NumActions returns the number of actions, which is the same in all states.
func (m *MDP) NumActions() int {
	if len(m.Outcomes) == 0 {
		return 0
	}
	return len(m.Outcomes[0])
}

// Gamma returns the effective discount factor: Discount or its default.
func (m *MDP) Gamma() float64 { return model.Or(m.Discount, 0.9) }

// slack is how far probabilities may be from a sum of 1.
const slack = 1e-9

// Check returns an error if the process is invalid: if probabilities do not sum to 1, a state does
// not exist, or the discount is outside [0, 1].
func (m *MDP) Check() error {
	const op = "MDP.Check"
	n, k := m.NumStates(), m.NumActions()
	if n == 0 || k == 0 {
		return model.Errorf(op, "there must be at least one state and one action, got %d and %d", n, k).WithHint("set Outcomes[state][action]")
	}
	if g := m.Gamma(); !(g >= 0 && g <= 1) {
		return model.Errorf(op, "Discount must be between 0 and 1, got %v", g)
	}
	for s, actions := range m.Outcomes {
		if len(actions) != k {
			return model.Errorf(op, "all states must have the same number of actions, but state %s has %d and state %s has %d", m.state(s), len(actions), m.state(0), k).
				WithHint("use an empty list for an action that is not allowed")
		}
		for a, outcomes := range actions {
			if err := m.checkOutcomes(s, a, outcomes); err != nil {
				return err
			}
		}
	}
	return m.checkNames()
}

func (m *MDP) checkOutcomes(s, a int, outcomes []Outcome) error {
	const op = "MDP.Check"
	if len(outcomes) == 0 {
		return nil
	}
	sum := 0.0
	for _, o := range outcomes {
		if !(o.Prob >= 0 && o.Prob <= 1+slack) || math.IsNaN(o.Reward) || math.IsInf(o.Reward, 0) {
			return model.Errorf(op, "action %s in state %s must have a probability between 0 and 1 and a finite reward, got %v and %v", m.action(a), m.state(s), o.Prob, o.Reward)
		}
		if o.Next < 0 || o.Next >= len(m.Outcomes) {
			return model.Errorf(op, "action %s in state %s must lead to a state between 0 and %d, got %d", m.action(a), m.state(s), len(m.Outcomes)-1, o.Next)
		}
		sum += o.Prob
	}
	if math.Abs(sum-1) > slack {
		return model.Errorf(op, "the probabilities of action %s in state %s must sum to 1, got %v", m.action(a), m.state(s), sum)
	}
	return nil
}

func (m *MDP) checkNames() error {
	const op = "MDP.Check"
	n, k := m.NumStates(), m.NumActions()
	if m.StateNames != nil && len(m.StateNames) != n {
		return model.Errorf(op, "StateNames must have %d entries (the number of states), got %d", n, len(m.StateNames))
	}
	if m.ActionNames != nil && len(m.ActionNames) != k {
		return model.Errorf(op, "ActionNames must have %d entries (the number of actions), got %d", k, len(m.ActionNames))
	}
	if m.Start == nil {
		return nil
	}
	sum := 0.0
	for _, p := range m.Start {
		if !(p >= 0) {
			return model.Errorf(op, "Start must have probabilities between 0 and 1, got %v", p)
		}
		sum += p
	}
	if len(m.Start) != n || math.Abs(sum-1) > slack {
		return model.Errorf(op, "Start must have %[3]d probabilities (the number of states) that sum to 1, got %[1]d with the sum %[2]v", len(m.Start), sum, n)
	}
	return nil
}

func (m *MDP) state(s int) string  { return named(m.StateNames, s) }
func (m *MDP) action(a int) string { return named(m.ActionNames, a) }

// allowed reports whether the action can be taken in the state.
func (m *MDP) allowed(s, a int) bool { return len(m.Outcomes[s][a]) > 0 }

// Return returns the discounted sum of a sequence of rewards, Σ γᵗ·rₜ. For example, the return of
// an endless sequence of rewards of 1 is 1/(1−γ).
//
// Course: RL-02.
func Return(rewards []float64, discount float64) float64 {
	sum := 0.0
	for t := len(rewards) - 1; t >= 0; t-- {
		sum = rewards[t] + discount*sum
	}
	return sum
}
