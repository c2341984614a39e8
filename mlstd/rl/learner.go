package rl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// table is what the learners of tables share while they learn.
type table struct {
	env     Discrete
	mask    Masked
	explore Exploration
	choice  Choice
	rng     *rand.Rand
	k       int
	q       []float64 // of state·k + action
	visits  []int
	allowed []float64 // scratch: the row of a state, -Inf where not allowed
	gamma   float64
	rate    float64 // 0: 1/(1 + visits)
	most    int     // steps of an episode
}

// Records are what learners keep of the episodes.
type records struct {
	returns []float64
	lengths []int
}

// tableParams are the parameters of the learners of tables.
type tableParams struct {
	rate, discount, start float64
	explore               Exploration
	maxSteps              int
	seed                  uint64
}

func newTable(op string, env Discrete, p tableParams) (*table, error) {
	if env == nil {
		return nil, model.Errorf(op, "the environment must not be nil")
	}
	n, k := env.NumStates(), env.NumActions()
	if n <= 0 || k <= 0 {
		return nil, model.Errorf(op, "the environment must have states and actions, got %d and %d", n, k)
	}
	if !(p.rate >= 0 && p.rate <= 1) {
		return nil, model.Errorf(op, "Rate must be above 0 and at most 1, got %v", p.rate)
	}
	if math.IsNaN(p.start) || math.IsInf(p.start, 0) {
		return nil, model.Errorf(op, "Start must be finite, got %v", p.start)
	}
	gamma, err := discountOf(op, p.discount, env)
	if err != nil {
		return nil, err
	}
	explore, err := exploration(p.explore)
	if err != nil {
		return nil, err
	}
	most, err := model.Iterations(op, "MaxSteps", p.maxSteps, 1000)
	if err != nil {
		return nil, err
	}
	t := &table{
		env: env, mask: maskOf(env), explore: explore, rng: model.Rand(p.seed, 0), k: k, gamma: gamma, rate: p.rate, most: most,
		q: make([]float64, n*k), visits: make([]int, n*k), allowed: make([]float64, k),
	}
	for i := range t.q {
		t.q[i] = p.start
	}
	t.choice.Rand = t.rng
	return t, nil
}

// row returns the values of the state that the environment is in, as far as the
// actions are allowed.
func (t *table) row(s int) []float64 {
	row := t.q[s*t.k : (s+1)*t.k]
	if t.mask == nil {
		return row
	}
	for a := range row {
		t.allowed[a] = row[a]
		if !t.mask.Allowed(a) {
			t.allowed[a] = math.Inf(-1)
		}
	}
	return t.allowed
}

// choose returns the action that is tried next in s, where the environment is.
func (t *table) choose(s int) int {
	t.choice.Q, t.choice.Visits = t.row(s), t.visits[s*t.k:(s+1)*t.k]
	return t.explore.Choose(&t.choice)
}

// alpha counts a visit and returns the rate of its update.
func (t *table) alpha(i int) float64 {
	t.visits[i]++
	if t.rate > 0 {
		return t.rate
	}
	return 1 / (1 + float64(t.visits[i]))
}

// episodes runs the given number of episodes. episode plays one, which has begun,
// and returns its return and length.
func episodes(op string, c *model.Control, t *table, usual, asked int, seed uint64, episode func() (float64, int)) (records, error) {
	n, err := model.Iterations(op, "Episodes", asked, usual)
	if err != nil {
		return records{}, err
	}
	run := c.Begin(op, n)
	defer run.End()
	var rec records
	seeds := model.Rand(seed, 1)
	for e := range n {
		t.choice.Episode = e
		t.env.Reset(seeds.Uint64())
		g, steps := episode()
		rec.returns, rec.lengths = append(rec.returns, g), append(rec.lengths, steps)
		if err := run.Step(e+1, -g); err != nil {
			return records{}, err
		}
	}
	return rec, nil
}

// matrix returns the table as a matrix, -Inf where an action never is allowed.
func (t *table) matrix() *mat.Dense {
	q := mat.NewDense(len(t.q)/t.k, t.k, append([]float64(nil), t.q...))
	if p, ok := t.env.(*Process); ok {
		for s := range p.f.n {
			for a := range p.f.k {
				if !p.m.allowed(s, a) {
					q.Set(s, a, math.Inf(-1))
				}
			}
		}
	}
	return q
}

func (t *table) counts() [][]int {
	out := make([][]int, len(t.q)/t.k)
	for s := range out {
		out[s] = t.visits[s*t.k : (s+1)*t.k]
	}
	return out
}

// GreedyPolicy returns the best action of each row of q: the first in a tie, or -1 for a row
// without an allowed action.
func GreedyPolicy(q *mat.Dense) []int {
	n, _ := q.Dims()
	policy := make([]int, n)
	for s := range policy {
		policy[s] = -1
		best := math.Inf(-1)
		for a, v := range q.RawRowView(s) {
			if v > best {
				policy[s], best = a, v
			}
		}
	}
	return policy
}

// StateValues returns the largest entry of each row of q, or 0 for a row without an allowed action.
func StateValues(q *mat.Dense) []float64 {
	n, _ := q.Dims()
	v := make([]float64, n)
	for s := range v {
		if best := largest(q.RawRowView(s)); !math.IsInf(best, -1) {
			v[s] = best
		}
	}
	return v
}
