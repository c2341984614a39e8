package rl

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// LinearQ is Q-learning or SARSA with values that are linear functions of features instead of
// entries of a table.
//
//	Q(x, a) = Σ Coef[a][i] over the active features i of x
//	y = r + γ·max over a′ of Q(x′, a′)       (OnPolicy: Q(x′, a′) of the next action)
//	Coef[a][i] ← Coef[a][i] + (α/m)·(y − Q(x, a))   for the m active features
//
// A full step to the target (1 − α)·Q + α·y equals a step of size α toward y. With one feature per
// state, each update equals the update of a table. The step is α divided by the number of active
// features, so α is the fraction of the error that an update removes.
//
// With other features, off-policy learning (Q-learning) may diverge; tiles work well in practice.
// Lambda adds replacing eligibility traces.
//
// References: [Sutton2018], 10.1, 11.3, 12.7.
//
// Course: RL-13, RL-14.
type LinearQ struct {
	Features Features // nil means Tiles over the bounds of the environment
	// Rate is the learning rate α; 0 means 0.1. With a larger value, learning is faster but
	// noisier.
	Rate float64
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	// Explore is the exploration strategy; nil means EpsilonGreedy{}.
	Explore  Exploration
	OnPolicy bool // SARSA
	// Lambda is the decay λ of the eligibility traces, between 0 and 1. A larger
	// value credits earlier steps more.
	Lambda float64
	// Start is the initial value of every action. A high value encourages
	// exploration.
	Start float64
	// Episodes is the number of training episodes; 0 means 500.
	Episodes int
	// MaxSteps is the maximum number of steps of an episode; 0 means 1000.
	MaxSteps int
	Seed     uint64
	model.Control

	Coef    [][]float64 // set by Learn: a row for each action
	Returns []float64   // set by Learn: the sum of the rewards of each episode
	Lengths []int       // set by Learn: the steps of each episode

	used Features // by Learn
}

// linearRun is the state of a run of LinearQ.
type linearRun struct {
	l           *LinearQ
	env         Continuous
	mask        Masked
	explore     Exploration
	choice      Choice
	gamma, rate float64
	most        int
	x, q        []float64
	now, next   []int     // active features
	trace       []float64 // of action·len + feature
	touched     []int     // entries of trace that are not 0
}

// Learn plays the episodes.
func (l *LinearQ) Learn(env Continuous) error {
	const op = "LinearQ.Learn"
	l.Coef, l.Returns, l.Lengths, l.used = nil, nil, nil, nil
	r, err := l.begin(op, env)
	if err != nil {
		return err
	}
	n, err := model.Iterations(op, "Episodes", l.Episodes, 500)
	if err != nil {
		return err
	}
	run := l.Begin("LinearQ", n)
	defer run.End()
	seeds := model.Rand(l.Seed, 1)
	var returns []float64
	var lengths []int
	for e := range n {
		r.choice.Episode = e
		env.Reset(seeds.Uint64())
		g, steps := r.episode()
		returns, lengths = append(returns, g), append(lengths, steps)
		if err := run.Step(e+1, -g); err != nil {
			l.Coef, l.used = nil, nil
			return err
		}
	}
	l.Returns, l.Lengths = returns, lengths
	return nil
}

func (l *LinearQ) begin(op string, env Continuous) (*linearRun, error) {
	if env == nil {
		return nil, model.Errorf(op, "the environment must not be nil")
	}
	rate := l.Rate
	if rate == 0 {
		rate = 0.1
	}
	if !(rate > 0 && rate <= 1) {
		return nil, model.Errorf(op, "Rate must be above 0 and at most 1, got %v", l.Rate)
	}
	if !(l.Lambda >= 0 && l.Lambda <= 1) || (l.Lambda > 0 && !l.OnPolicy) {
		return nil, model.Errorf(op, "Lambda must be between 0 and 1, and 0 without OnPolicy, got %v", l.Lambda)
	}
	if _, ok := l.Explore.(UCB); ok {
		return nil, model.Errorf(op, "Explore must not be UCB, which counts visits of discrete states").WithHint("set Explore to EpsilonGreedy or PowerChoice")
	}
	explore, err := exploration(l.Explore)
	if err != nil {
		return nil, err
	}
	gamma, err := discountOf(op, l.Discount, env)
	if err != nil {
		return nil, err
	}
	most, err := model.Iterations(op, "MaxSteps", l.MaxSteps, 1000)
	if err != nil {
		return nil, err
	}
	if l.used, err = featuresOf(op, l.Features, env); err != nil {
		return nil, err
	}
	low, _ := env.Bounds()
	k := env.NumActions()
	r := &linearRun{
		l: l, env: env, mask: maskOf(env), explore: explore, gamma: gamma, rate: rate, most: most,
		x: make([]float64, len(low)), q: make([]float64, k),
	}
	r.choice.Rand = model.Rand(l.Seed, 0)
	l.Coef = make([][]float64, k)
	active := 1.0
	if t, ok := l.used.(*Tiles); ok {
		grids, _ := t.sizes()
		active = float64(grids)
	}
	for a := range l.Coef {
		l.Coef[a] = make([]float64, l.used.Len())
		for i := range l.Coef[a] {
			l.Coef[a][i] = l.Start / active
		}
	}
	if l.Lambda > 0 {
		r.trace = make([]float64, k*l.used.Len())
	}
	return r, nil
}

// look returns the active features of what the agent sees now.
func (r *linearRun) look(into []int) []int {
	r.env.Observe(r.x)
	return r.l.used.Active(r.x, into[:0])
}

// values fills q for the features, as far as actions are allowed now.
func (r *linearRun) values(active []int) []float64 {
	for a := range r.q {
		r.q[a] = sumAt(r.l.Coef[a], active)
		if r.mask != nil && !r.mask.Allowed(a) {
			r.q[a] = math.Inf(-1)
		}
	}
	return r.q
}

func sumAt(coef []float64, active []int) float64 {
	sum := 0.0
	for _, i := range active {
		sum += coef[i]
	}
	return sum
}

func (r *linearRun) choose(active []int) int {
	r.choice.Q = r.values(active)
	return r.explore.Choose(&r.choice)
}

// episode plays one.
func (r *linearRun) episode() (total float64, steps int) {
	r.now = r.look(r.now)
	r.forget()
	a := 0
	if r.l.OnPolicy {
		a = r.choose(r.now)
	}
	for steps < r.most {
		if !r.l.OnPolicy {
			a = r.choose(r.now)
		}
		reward, ended := r.env.Step(a)
		r.next = r.look(r.next)
		then, target := 0, reward
		switch {
		case ended:
		case r.l.OnPolicy:
			then = r.choose(r.next)
			target += r.gamma * r.q[then]
		default:
			target += r.gamma * largest(r.values(r.next))
		}
		r.update(a, target-sumAt(r.l.Coef[a], r.now))
		r.now, r.next = r.next, r.now
		total, a = total+reward, then
		steps++
		if ended {
			break
		}
	}
	return total, steps
}

// update moves the value of the action at the features that are active now.
func (r *linearRun) update(a int, delta float64) {
	if len(r.now) == 0 {
		return
	}
	step := r.rate / float64(len(r.now)) * delta
	if r.trace == nil {
		for _, i := range r.now {
			r.l.Coef[a][i] += step
		}
		return
	}
	n := r.l.used.Len()
	for _, i := range r.now {
		at := a*n + i
		if r.trace[at] == 0 {
			r.touched = append(r.touched, at)
		}
		r.trace[at] = 1
	}
	left := r.touched[:0]
	for _, at := range r.touched {
		r.l.Coef[at/n][at%n] += step * r.trace[at]
		if r.trace[at] *= r.gamma * r.l.Lambda; r.trace[at] < 1e-6 {
			r.trace[at] = 0
			continue
		}
		left = append(left, at)
	}
	r.touched = left
}

// forget ends all traces.
func (r *linearRun) forget() {
	for _, at := range r.touched {
		r.trace[at] = 0
	}
	r.touched = r.touched[:0]
}

// Values returns the estimated value of each action at x.
func (l *LinearQ) Values(x []float64) []float64 {
	if l.Coef == nil {
		panic(model.Errorf("LinearQ.Values", "the learner has not learned yet").WithHint("call Learn first"))
	}
	active := l.used.Active(x, nil)
	q := make([]float64, len(l.Coef))
	for a := range q {
		q[a] = sumAt(l.Coef[a], active)
	}
	return q
}

// Act returns the best action at x; ties go to the first action.
func (l *LinearQ) Act(x []float64) int {
	best, q := 0, l.Values(x)
	for a, v := range q {
		if v > q[best] {
			best = a
		}
	}
	return best
}

// PlayEpisode plays an episode of at most maxSteps steps with the actions that act returns. It
// returns the sum of the rewards and the number of steps.
func PlayEpisode(env Continuous, seed uint64, maxSteps int, act func(x []float64) int) (total float64, steps int) {
	low, _ := env.Bounds()
	x := make([]float64, len(low))
	env.Reset(seed)
	for ended := false; !ended && steps < maxSteps; steps++ {
		var r float64
		env.Observe(x)
		r, ended = env.Step(act(x))
		total += r
	}
	return total, steps
}

// drawExp draws from probabilities that are proportional to exp(logits), which it
// turns into probabilities.
func drawExp(rng *rand.Rand, logits []float64) int {
	top, sum := largest(logits), 0.0
	for a, v := range logits {
		logits[a] = math.Exp(v - top)
		sum += logits[a]
	}
	for a := range logits {
		logits[a] /= sum
	}
	return draw(rng, logits)
}
