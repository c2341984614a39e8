package rl

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// softPolicy is a policy whose preferences are linear in features:
// π(a | x) ∝ exp Σ coef[a][i] over the active i.
type softPolicy struct {
	features Features
	coef     [][]float64
}

func newSoftPolicy(f Features, actions int) *softPolicy {
	p := &softPolicy{features: f, coef: make([][]float64, actions)}
	for a := range p.coef {
		p.coef[a] = make([]float64, f.Len())
	}
	return p
}

// preferences fills into with the logarithms of the probabilities, up to a constant;
// -Inf where the mask does not allow an action.
func (p *softPolicy) preferences(active []int, mask Masked, into []float64) []float64 {
	for a := range into {
		into[a] = sumAt(p.coef[a], active)
		if mask != nil && !mask.Allowed(a) {
			into[a] = math.Inf(-1)
		}
	}
	return into
}

// climb moves the preferences along ∇ log π(action | x), times step; probs are those
// of the actions at x.
func (p *softPolicy) climb(active []int, action int, probs []float64, step float64) {
	for a := range p.coef {
		g := -probs[a]
		if a == action {
			g++
		}
		if g == 0 {
			continue
		}
		for _, i := range active {
			p.coef[a][i] += step * g
		}
	}
}

// gradientRun is what the learners of policies share.
type gradientRun struct {
	env      Continuous
	mask     Masked
	policy   *softPolicy
	critic   []float64 // the value of each feature
	gamma    float64
	most, n  int
	x, probs []float64
}

func newGradientRun(op string, env Continuous, f Features, discount float64, episodes, maxSteps int, rates ...float64) (*gradientRun, error) {
	if env == nil {
		return nil, model.Errorf(op, "the environment must not be nil")
	}
	for _, r := range rates {
		if !(r >= 0) || math.IsInf(r, 1) {
			return nil, model.Errorf(op, "the rates must be positive (0 means the default), got %v", r)
		}
	}
	f, err := featuresOf(op, f, env)
	if err != nil {
		return nil, err
	}
	r := &gradientRun{env: env, mask: maskOf(env), policy: newSoftPolicy(f, env.NumActions()), critic: make([]float64, f.Len())}
	if r.gamma, err = discountOf(op, discount, env); err != nil {
		return nil, err
	}
	if r.n, err = model.Iterations(op, "Episodes", episodes, 1000); err != nil {
		return nil, err
	}
	if r.most, err = model.Iterations(op, "MaxSteps", maxSteps, 1000); err != nil {
		return nil, err
	}
	low, _ := env.Bounds()
	r.x, r.probs = make([]float64, len(low)), make([]float64, env.NumActions())
	return r, nil
}

// look returns the active features, and fills probs.
func (r *gradientRun) look(into []int) []int {
	r.env.Observe(r.x)
	return r.policy.features.Active(r.x, into)
}

// learn runs the episodes.
func (r *gradientRun) learn(name string, c *model.Control, seed uint64, episode func() (float64, int)) (records, error) {
	run := c.Begin(name, r.n)
	defer run.End()
	seeds := model.Rand(seed, 1)
	var rec records
	for e := range r.n {
		r.env.Reset(seeds.Uint64())
		g, steps := episode()
		rec.returns, rec.lengths = append(rec.returns, g), append(rec.lengths, steps)
		if err := run.Step(e+1, -g); err != nil {
			return records{}, err
		}
	}
	return rec, nil
}

// Reinforce learns a stochastic policy directly from the returns of whole episodes.
//
//	π(a | x) = exp(h(x, a)) / Σ exp(h(x, b)),  h linear in the features
//	θ ← θ + α·γᵗ·(Gₜ − b(xₜ))·∇ log π(aₜ | xₜ)
//	b ← b + β·(Gₜ − b(xₜ))   with Baseline
//
// Gₜ is the discounted return from step t on. The baseline is a linear function of the same
// features. It does not change the mean of the step, but reduces the variance.
//
// Reinforce can find a stochastic policy if no deterministic policy is optimal. A table of values
// cannot represent a stochastic policy.
//
// References: [Williams1992]; [Sutton2018], 13.3, 13.4.
//
// Course: RL-13.
type Reinforce struct {
	Features Features // nil means Tiles over the bounds of the environment
	// Rate is the learning rate α; 0 means 0.01. With a larger value, learning is faster but
	// noisier.
	Rate         float64
	BaselineRate float64 // β; 0 means 0.1
	Baseline     bool
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	// Episodes is the number of training episodes; 0 means 1000.
	Episodes int
	// MaxSteps is the maximum number of steps of an episode; 0 means 1000.
	MaxSteps int
	Seed     uint64
	model.Control

	Coef    [][]float64 // set by Learn: of the preferences, a row for each action
	Returns []float64   // set by Learn: the sum of the rewards of each episode
	Lengths []int       // set by Learn: the steps of each episode

	policy *softPolicy
}

// step is a moment of an episode.
type step struct {
	active  []int
	blocked []bool // actions that were not allowed; nil: none
	action  int
	reward  float64
}

// Learn plays the episodes.
func (l *Reinforce) Learn(env Continuous) error {
	const op = "Reinforce.Learn"
	l.Coef, l.Returns, l.Lengths, l.policy = nil, nil, nil, nil
	r, err := newGradientRun(op, env, l.Features, l.Discount, l.Episodes, l.MaxSteps, l.Rate, l.BaselineRate)
	if err != nil {
		return err
	}
	rng := model.Rand(l.Seed, 0)
	rate, slow := model.Or(l.Rate, 0.01), model.Or(l.BaselineRate, 0.1)
	var path []step
	rec, err := r.learn("Reinforce", &l.Control, l.Seed, func() (total float64, steps int) {
		path = path[:0]
		for ended := false; !ended && steps < r.most; steps++ {
			s := step{active: r.look(nil)}
			s.blocked = r.blocked()
			s.action = drawExp(rng, r.policy.preferences(s.active, r.mask, r.probs))
			s.reward, ended = env.Step(s.action)
			total += s.reward
			path = append(path, s)
		}
		r.reinforce(path, rate, slow, l.Baseline)
		return total, steps
	})
	if err != nil {
		return err
	}
	l.Coef, l.policy, l.Returns, l.Lengths = r.policy.coef, r.policy, rec.returns, rec.lengths
	return nil
}

// blocked lists what is not allowed now.
func (r *gradientRun) blocked() []bool {
	if r.mask == nil {
		return nil
	}
	out := make([]bool, len(r.probs))
	for a := range out {
		out[a] = !r.mask.Allowed(a)
	}
	return out
}

// reinforce learns from an episode.
func (r *gradientRun) reinforce(path []step, rate, slow float64, baseline bool) {
	returns := make([]float64, len(path))
	g := 0.0
	for t := len(path) - 1; t >= 0; t-- {
		g = path[t].reward + r.gamma*g
		returns[t] = g
	}
	weight := 1.0
	for t, s := range path {
		advantage := returns[t]
		if baseline {
			advantage -= sumAt(r.critic, s.active)
			for _, i := range s.active {
				r.critic[i] += slow / float64(len(s.active)) * advantage
			}
		}
		r.policy.preferences(s.active, nil, r.probs)
		for a, b := range s.blocked {
			if b {
				r.probs[a] = math.Inf(-1)
			}
		}
		softmax(r.probs)
		r.policy.climb(s.active, s.action, r.probs, rate*weight*advantage)
		weight *= r.gamma
	}
}

// softmax turns preferences into probabilities.
func softmax(h []float64) {
	top, sum := largest(h), 0.0
	for a, v := range h {
		h[a] = math.Exp(v - top)
		sum += h[a]
	}
	for a := range h {
		h[a] /= sum
	}
}

// Probabilities returns the probability of each action at x.
func (l *Reinforce) Probabilities(x []float64) []float64 {
	return l.policy.at("Reinforce.Probabilities", x)
}

func (p *softPolicy) at(op string, x []float64) []float64 {
	if p == nil {
		panic(model.Errorf(op, "the learner has not learned yet").WithHint("call Learn first"))
	}
	h := p.preferences(p.features.Active(x, nil), nil, make([]float64, len(p.coef)))
	softmax(h)
	return h
}

// ActorCritic learns a policy and the values of the states together, step by step.
//
//	δ = r + γ·v(x′) − v(x)
//	w ← w + β·δ·∇v(x)            the critic
//	θ ← θ + α·δ·∇ log π(a | x)   the actor
//
// The critic's temporal-difference error δ replaces the return that [Reinforce] waits for. The
// error δ has less variance than the return, but the critic's errors bias it.
//
// References: [Sutton2018], 13.5; [Barto1983].
//
// Course: RL-13.
type ActorCritic struct {
	Features Features // nil means Tiles over the bounds of the environment
	// Rate is the learning rate α; 0 means 0.01. With a larger value, learning is faster but
	// noisier.
	Rate       float64
	CriticRate float64 // β, divided by the number of active features; 0 means 0.1
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	// Episodes is the number of training episodes; 0 means 1000.
	Episodes int
	// MaxSteps is the maximum number of steps of an episode; 0 means 1000.
	MaxSteps int
	Seed     uint64
	model.Control

	Coef    [][]float64 // set by Learn: of the preferences, a row for each action
	Critic  []float64   // set by Learn: of the worth of the states
	Returns []float64   // set by Learn: the sum of the rewards of each episode
	Lengths []int       // set by Learn: the steps of each episode

	policy *softPolicy
}

// Learn plays the episodes.
func (l *ActorCritic) Learn(env Continuous) error {
	const op = "ActorCritic.Learn"
	l.Coef, l.Critic, l.Returns, l.Lengths, l.policy = nil, nil, nil, nil, nil
	r, err := newGradientRun(op, env, l.Features, l.Discount, l.Episodes, l.MaxSteps, l.Rate, l.CriticRate)
	if err != nil {
		return err
	}
	rng := model.Rand(l.Seed, 0)
	rate, slow := model.Or(l.Rate, 0.01), model.Or(l.CriticRate, 0.1)
	var now, next []int
	rec, err := r.learn("ActorCritic", &l.Control, l.Seed, func() (total float64, steps int) {
		now = r.look(now[:0])
		for ended := false; !ended && steps < r.most; steps++ {
			action := drawExp(rng, r.policy.preferences(now, r.mask, r.probs))
			var reward float64
			reward, ended = env.Step(action)
			next = r.look(next[:0])
			delta := reward - sumAt(r.critic, now)
			if !ended {
				delta += r.gamma * sumAt(r.critic, next)
			}
			for _, i := range now {
				r.critic[i] += slow / float64(len(now)) * delta
			}
			r.policy.climb(now, action, r.probs, rate*delta)
			now, next = next, now
			total += reward
		}
		return total, steps
	})
	if err != nil {
		return err
	}
	l.Coef, l.policy, l.Critic, l.Returns, l.Lengths = r.policy.coef, r.policy, r.critic, rec.returns, rec.lengths
	return nil
}

// Probabilities returns the probability of each action at x.
func (l *ActorCritic) Probabilities(x []float64) []float64 {
	return l.policy.at("ActorCritic.Probabilities", x)
}

// Value returns the critic's estimate of the value of x.
func (l *ActorCritic) Value(x []float64) float64 {
	if l.policy == nil {
		panic(model.Errorf("ActorCritic.Value", "the learner has not learned yet").WithHint("call Learn first"))
	}
	return sumAt(l.Critic, l.policy.features.Active(x, nil))
}
