package rl

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Bandit is an environment with one state: its actions are arms whose rewards have fixed
// distributions.
type Bandit struct {
	Means []float64 // the expected reward of each arm
	SD    float64   // of normal rewards; 0 means 1
	// Bernoulli makes every reward 0 or 1. The probability of reward 1 is the arm's entry in Means.
	Bernoulli bool
}

// TenArmed returns a test bed: ten arms with means drawn from the standard normal distribution, and
// rewards with standard deviation 1.
//
// References: [Sutton2018], 2.3.
func TenArmed(seed uint64) *Bandit {
	rng := model.Rand(seed, 0)
	b := &Bandit{Means: make([]float64, 10)}
	for i := range b.Means {
		b.Means[i] = rng.NormFloat64()
	}
	return b
}

// Best returns the arm with the largest mean.
func (b *Bandit) Best() int {
	best := 0
	for a, m := range b.Means {
		if m > b.Means[best] {
			best = a
		}
	}
	return best
}

func (b *Bandit) pull(rng *rand.Rand, arm int) float64 {
	if b.Bernoulli {
		if rng.Float64() < b.Means[arm] {
			return 1
		}
		return 0
	}
	return b.Means[arm] + model.Or(b.SD, 1)*rng.NormFloat64()
}

func (b *Bandit) check(op string) error {
	if len(b.Means) == 0 {
		return model.Errorf(op, "the bandit must have at least one arm").WithHint("set Means")
	}
	if !(b.SD >= 0) {
		return model.Errorf(op, "SD must not be negative, got %v", b.SD)
	}
	for a, m := range b.Means {
		if math.IsNaN(m) || math.IsInf(m, 0) || (b.Bernoulli && !(m >= 0 && m <= 1)) {
			return model.Errorf(op, "the mean of arm %d must be finite, and between 0 and 1 with Bernoulli, got %v", a, m)
		}
	}
	return nil
}

// BanditLearner plays a bandit, and learns the value of each arm as the mean of its
// rewards.
//
//	Q(a) ← Q(a) + α·(r − Q(a)),  α = 1/N(a) or Rate
//
// The regret of the learner is the reward lost relative to always playing the best arm. The regret
// grows linearly with the time t if exploration never ends. At best, the regret grows like ln t.
//
// References: [Sutton2018], ch. 2; [Lai1985].
//
// Course: RL-10, RL-11.
type BanditLearner struct {
	// Explore is the exploration strategy; nil means EpsilonGreedy{}.
	Explore Exploration
	// Rate is the learning rate α; 0 means 1/N(a), the mean. With a larger value, learning is
	// faster but noisier.
	Rate  float64
	Start float64 // initial value of every Q; a high one is optimistic
	Steps int     // 0 means 1000
	Runs  int     // over which the curves are means; 0 means 1
	Seed  uint64

	Q       []float64 // set by Learn: of the last run
	Pulls   []int     // set by Learn: of the last run
	Reward  []float64 // set by Learn: the mean reward of each step
	Optimal []float64 // set by Learn: the fraction of runs that took the best arm in each step
	Regret  []float64 // set by Learn: the expected loss up to each step
}

// Learn plays the bandit and sets the result fields. Reward, Optimal and Regret are means over the
// runs.
func (l *BanditLearner) Learn(b *Bandit) error {
	return l.learn("BanditLearner.Learn", func(uint64) *Bandit { return b })
}

// LearnMany plays a new bandit in each run: it calls make with the index of the run.
func (l *BanditLearner) LearnMany(make func(run uint64) *Bandit) error {
	return l.learn("BanditLearner.LearnMany", make)
}

func (l *BanditLearner) learn(op string, bandit func(uint64) *Bandit) error {
	l.Q, l.Pulls, l.Reward, l.Optimal, l.Regret = nil, nil, nil, nil, nil
	steps, err := model.Iterations(op, "Steps", l.Steps, 1000)
	if err != nil {
		return err
	}
	runs, err := model.Iterations(op, "Runs", l.Runs, 1)
	if err != nil {
		return err
	}
	explore, err := exploration(l.Explore)
	if err != nil {
		return err
	}
	if err := limits.Check(op,
		limits.Must("Rate", l.Rate, l.Rate >= 0 && l.Rate <= 1, "be between 0 (the mean) and 1"),
		limits.Finite("Start", l.Start)); err != nil {
		return err
	}
	played := make([]*banditRun, runs)
	for i := range played {
		b := bandit(uint64(i))
		if b == nil {
			return model.Errorf(op, "the bandit must not be nil")
		}
		if err := b.check(op); err != nil {
			return err
		}
		played[i] = &banditRun{bandit: b}
	}
	par.Range(runs, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			played[i].play(l, explore, steps, uint64(i))
		}
	})
	l.Reward, l.Optimal, l.Regret = make([]float64, steps), make([]float64, steps), make([]float64, steps)
	for _, p := range played {
		sum := 0.0
		for t := range steps {
			l.Reward[t] += p.reward[t] / float64(runs)
			l.Optimal[t] += p.optimal[t] / float64(runs)
			sum += p.regret[t]
			l.Regret[t] += sum / float64(runs)
		}
	}
	last := played[runs-1]
	l.Q, l.Pulls = last.q, last.pulls
	return nil
}

// banditRun is one course of pulls.
type banditRun struct {
	bandit                  *Bandit
	q                       []float64
	pulls                   []int
	reward, optimal, regret []float64
}

func (r *banditRun) play(l *BanditLearner, explore Exploration, steps int, stream uint64) {
	k, best := len(r.bandit.Means), r.bandit.Best()
	rng := model.Rand(l.Seed, stream)
	r.q, r.pulls = make([]float64, k), make([]int, k)
	for a := range r.q {
		r.q[a] = l.Start
	}
	r.reward, r.optimal, r.regret = make([]float64, steps), make([]float64, steps), make([]float64, steps)
	c := &Choice{Q: r.q, Visits: r.pulls, Rand: rng}
	for t := range steps {
		a := explore.Choose(c)
		x := r.bandit.pull(rng, a)
		r.pulls[a]++
		rate := l.Rate
		if rate == 0 {
			rate = 1 / float64(r.pulls[a])
		}
		r.q[a] += rate * (x - r.q[a])
		r.reward[t] = x
		r.regret[t] = r.bandit.Means[best] - r.bandit.Means[a]
		if r.bandit.Means[a] == r.bandit.Means[best] {
			r.optimal[t] = 1
		}
	}
}
