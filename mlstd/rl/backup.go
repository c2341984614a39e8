package rl

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// named returns the name of i, or its number.
func named(names []string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i)
}

// flat is a process in one piece of memory, for sweeps over all states.
type flat struct {
	n, k   int
	gamma  float64
	reward []float64 // expected, of state·k + action; -Inf where the action is not allowed
	first  []int32   // of the outcomes of state·k + action that continue
	next   []int32
	prob   []float64
}

func flatten(m *MDP) *flat {
	f := &flat{n: m.NumStates(), k: m.NumActions(), gamma: m.Gamma()}
	f.reward = make([]float64, f.n*f.k)
	f.first = make([]int32, f.n*f.k+1)
	for s, actions := range m.Outcomes {
		for a, outcomes := range actions {
			i := s*f.k + a
			if len(outcomes) == 0 {
				f.reward[i] = math.Inf(-1)
			}
			for _, o := range outcomes {
				f.reward[i] += o.Prob * o.Reward
				if !o.Terminal && o.Prob > 0 {
					f.next = append(f.next, int32(o.Next))
					f.prob = append(f.prob, o.Prob)
				}
			}
			f.first[i+1] = int32(len(f.next))
		}
	}
	return f
}

// backup is r(s, a) + γ·Σ P(s′ | s, a)·v(s′) for i = s·k + a.
func (f *flat) backup(i int, v []float64) float64 {
	sum := 0.0
	for j := f.first[i]; j < f.first[i+1]; j++ {
		sum += f.prob[j] * v[f.next[j]]
	}
	return f.reward[i] + f.gamma*sum
}

// best is the action with the largest backup in state s, the first of several,
// and its value; -1 and 0 where none is allowed.
func (f *flat) best(s int, v []float64) (action int, value float64) {
	action, value = -1, math.Inf(-1)
	for a := range f.k {
		if q := f.backup(s*f.k+a, v); q > value {
			action, value = a, q
		}
	}
	if action < 0 {
		return -1, 0
	}
	return action, value
}

// grain is the number of states from which a sweep is shared between cores.
const grain = 4096

// sweep sets next(s) = max over a of the backup of v and returns the largest
// change. The states are independent, so that the cores change nothing about the
// result.
func (f *flat) sweep(v, next []float64) float64 {
	if f.n < 2*grain {
		return f.sweepRange(v, next, 0, f.n)
	}
	changes := make([]float64, (f.n+grain-1)/grain)
	par.Range(f.n, grain, func(lo, hi int) { changes[lo/grain] = f.sweepRange(v, next, lo, hi) })
	most := 0.0
	for _, c := range changes {
		most = max(most, c)
	}
	return most
}

func (f *flat) sweepRange(v, next []float64, from, to int) float64 {
	most := 0.0
	for s := from; s < to; s++ {
		_, next[s] = f.best(s, v)
		most = max(most, math.Abs(next[s]-v[s]))
	}
	return most
}

// q returns the values of all actions, -Inf where they are not allowed.
func (f *flat) q(v []float64) *mat.Dense {
	q := mat.NewDense(f.n, f.k, nil)
	for i := range f.n * f.k {
		q.RawMatrix().Data[i] = f.backup(i, v)
	}
	return q
}

// greedy returns the best action of each state.
func (f *flat) greedy(v []float64) []int {
	policy := make([]int, f.n)
	for s := range policy {
		policy[s], _ = f.best(s, v)
	}
	return policy
}
