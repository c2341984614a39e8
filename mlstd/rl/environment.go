package rl

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Environment is a world in which an agent acts. The agent knows the environment only from the
// observations after each step.
//
// Reset begins an episode. Step takes an action, from 0 to NumActions()-1, and returns its reward
// and whether the episode has ended. Before the first Reset and after the end of an episode, Step
// panics with a [*model.Error]. [Discrete] and [Continuous] add methods that return the agent's
// observations. The environment does not limit the length of episodes; the learner does.
//
// Course: RL-15.
type Environment interface {
	NumActions() int
	Reset(seed uint64)
	Step(action int) (reward float64, ended bool)
}

// Discrete is an Environment whose states are the integers from 0 to NumStates()-1.
type Discrete interface {
	Environment
	NumStates() int
	State() int
}

// Continuous is an Environment whose states are points of a space. Observe writes the agent's
// observation to x, which must have one element per coordinate. Bounds returns the smallest and the
// largest value of each coordinate; a value is infinite if there is no bound.
type Continuous interface {
	Environment
	Bounds() (low, high []float64)
	Observe(x []float64)
}

// Masked is an Environment in which some actions are not allowed in some states.
type Masked interface {
	Allowed(action int) bool
}

// Discounted is an Environment with its own discount factor for later rewards.
type Discounted interface {
	Gamma() float64
}

// discountOf returns the learner's discount, that of the environment, or 0.99.
func discountOf(op string, given float64, env Environment) (float64, error) {
	usual := 0.99
	if d, ok := env.(Discounted); ok {
		usual = d.Gamma()
	}
	if g := model.Or(given, usual); g >= 0 && g <= 1 {
		return g, nil
	}
	return 0, model.Errorf(op, "Discount must be between 0 and 1, got %v", given)
}

// misuse panics about a step that cannot be taken.
func misuse(op string, action, actions int, running bool) {
	switch {
	case !running:
		panic(model.Errorf(op, "an episode must be running").WithHint("call Reset(seed) first, and again after each episode"))
	case action < 0 || action >= actions:
		panic(model.Errorf(op, "action must be between 0 and %d, got %d", actions-1, action).WithHint("number the actions from 0"))
	}
}

// Process is an environment that simulates a Markov decision process. [MDP.Env] returns one.
type Process struct {
	m       *MDP
	f       *flat
	pcg     rand.PCG
	rng     *rand.Rand
	state   int
	running bool
	over    []bool // states in which nothing can be done
	partial bool   // some state allows some actions and not others
}

// Env returns the process as an environment in which an agent acts without knowing the process.
func (m *MDP) Env() (*Process, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	p := &Process{m: m, f: flatten(m)}
	p.rng = rand.New(&p.pcg)
	p.over = make([]bool, p.f.n)
	begins := false
	for s, actions := range m.Outcomes {
		allowed := 0
		for _, outcomes := range actions {
			if len(outcomes) > 0 {
				allowed++
			}
		}
		p.over[s] = allowed == 0
		begins = begins || allowed > 0
		p.partial = p.partial || (allowed > 0 && allowed < p.f.k)
	}
	if !begins {
		return nil, model.Errorf("MDP.Env", "at least one state must allow an action")
	}
	return p, nil
}

// NumStates returns the number of states.
func (p *Process) NumStates() int { return p.f.n }

// NumActions returns the number of actions.
func (p *Process) NumActions() int { return p.f.k }

// Gamma returns the discount factor of the process.
func (p *Process) Gamma() float64 { return p.f.gamma }

// State returns the state that the agent is in.
func (p *Process) State() int { return p.state }

// Allowed reports whether the action can be taken now.
func (p *Process) Allowed(action int) bool { return p.m.allowed(p.state, action) }

// Reset begins an episode in a state drawn from Start.
func (p *Process) Reset(seed uint64) {
	model.SeedRand(&p.pcg, seed, 0)
	p.running = true
	if p.m.Start == nil {
		for {
			if p.state = p.rng.IntN(p.f.n); !p.over[p.state] {
				return
			}
		}
	}
	p.state = draw(p.rng, p.m.Start)
}

// SetState puts the agent into a state.
func (p *Process) SetState(state int) { p.state, p.running = state, true }

// Step takes an action.
func (p *Process) Step(action int) (reward float64, ended bool) {
	if !p.running || action < 0 || action >= p.f.k {
		misuse("Process.Step", action, p.f.k, p.running)
	}
	outcomes := p.m.Outcomes[p.state][action]
	if len(outcomes) == 0 {
		panic(model.Errorf("Process.Step", "action %s is not allowed in state %s", p.m.action(action), p.m.state(p.state)))
	}
	o := &outcomes[0]
	if len(outcomes) > 1 {
		u := p.rng.Float64()
		for i := range outcomes {
			o = &outcomes[i]
			if u -= o.Prob; u < 0 {
				break
			}
		}
	}
	p.state = o.Next
	ended = o.Terminal || p.over[o.Next]
	p.running = !ended
	return o.Reward, ended
}

// draw returns an index with the given probabilities.
func draw(rng *rand.Rand, p []float64) int {
	u := rng.Float64()
	last := 0
	for i, w := range p {
		if w > 0 {
			if last = i; u < w {
				return i
			}
			u -= w
		}
	}
	return last
}

// maskOf returns the mask of an environment, nil where all is allowed.
func maskOf(env Environment) Masked {
	if p, ok := env.(*Process); ok && !p.partial {
		return nil
	}
	m, _ := env.(Masked)
	return m
}

// largest is the largest of q; -Inf entries are not allowed.
func largest(q []float64) float64 {
	best := math.Inf(-1)
	for _, v := range q {
		if v > best {
			best = v
		}
	}
	return best
}
