package rl

import "math/rand/v2"

// replay is a memory of the last steps, in which each new one replaces the oldest. Steps are drawn
// from it uniformly, so that a batch does not consist of correlated steps of one episode.
type replay struct {
	inputs, actions int
	now, next       []float64 // a row of inputs each
	action          []int
	reward          []float64
	ended           []bool
	blocked         []bool // of the next state, one an action; nil: all are allowed
	len, at         int
}

func newReplay(size, inputs, actions int, masked bool) *replay {
	m := &replay{
		inputs: inputs, actions: actions, now: make([]float64, size*inputs), next: make([]float64, size*inputs),
		action: make([]int, size), reward: make([]float64, size), ended: make([]bool, size),
	}
	if masked {
		m.blocked = make([]bool, size*actions)
	}
	return m
}

// add remembers a step; mask says what is allowed in the state after it.
func (m *replay) add(now []float64, action int, reward float64, next []float64, ended bool, mask Masked) {
	i := m.at
	copy(m.now[i*m.inputs:], now)
	copy(m.next[i*m.inputs:], next)
	m.action[i], m.reward[i], m.ended[i] = action, reward, ended
	if m.blocked != nil {
		for a := range m.actions {
			m.blocked[i*m.actions+a] = !ended && !mask.Allowed(a)
		}
	}
	m.at = (i + 1) % len(m.action)
	m.len = max(m.len, i+1)
}

// draw fills picks with the numbers of steps, and now and next with their rows.
func (m *replay) draw(rng *rand.Rand, picks []int, now, next []float64) {
	d := m.inputs
	for b := range picks {
		i := rng.IntN(m.len)
		picks[b] = i
		copy(now[b*d:(b+1)*d], m.now[i*d:])
		copy(next[b*d:(b+1)*d], m.next[i*d:])
	}
}

// best is the allowed action after step i with the largest of q.
func (m *replay) best(i int, q []float64) int {
	best := -1
	for a, v := range q {
		if m.blocked != nil && m.blocked[i*m.actions+a] {
			continue
		}
		if best < 0 || v > q[best] {
			best = a
		}
	}
	return max(best, 0)
}
