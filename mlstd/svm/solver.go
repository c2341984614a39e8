package svm

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/kernel"
)

// problem is the dual of all kernel machines here, in signed coefficients:
//
//	min ½·βᵀKβ + qᵀβ  subject to  Σβ = 0, lo ≤ β ≤ hi
//
// With more variables than examples, variable t belongs to example t mod n.
type problem struct {
	gram      *kernel.GramRows
	q, lo, hi []float64
	group     []uint8 // of each variable, if each of two groups keeps its sum
	floor     float64 // objective of solveGroups below which the solution is of no use
	tol       float64
	maxIter   int
	shrink    bool
	cacheMB   int
	watch     func(iter int, objective float64) error // called now and then
}

// solution is where the solver stopped.
type solution struct {
	beta      []float64
	bias      float64
	spread    float64 // half of how far the threshold of group 1 is above that of group 0
	objective float64
	iter      int
	converged bool
}

// solver holds the state of one run. The slices from f to col have one entry for
// each active variable; all is their order when everything is active.
type solver struct {
	*problem
	n, vars int
	diag    []float64
	cache   *rowCache

	beta  []float64 // of all variables
	grad  []float64 // F = Kβ + q of all variables; stale for those shrunk away
	ids   []int32   // active variables, ascending
	f     []float64 // F of the active variables
	col   []int32   // their examples
	state []uint8   // whether they may grow or fall
}

const (
	canGrow uint8 = 1 << iota // β < hi
	canFall                   // β > lo
)

// solve runs sequential minimal optimization. A pair (i, j) violates the
// optimality conditions when βᵢ can grow, βⱼ can fall and Fᵢ < Fⱼ, F = Kβ + q
// being the gradient. Each step takes the i of least F and the j whose pair
// promises the largest decrease by second order, (Fⱼ−Fᵢ)²/(Kᵢᵢ+Kⱼⱼ−2Kᵢⱼ)
// [FanChenLin2005], and moves the two to the minimum along their line, clipped to
// the box. Variables at a bound that no violating pair can use are left out until
// the end [Joachims1999].
func (p *problem) solve() (*solution, error) {
	s := &solver{problem: p, n: p.gram.Len(), vars: len(p.q), diag: p.gram.Diagonal()}
	s.cache = newRowCache(p.gram, p.cacheMB)
	s.beta, s.grad = make([]float64, s.vars), make([]float64, s.vars)
	copy(s.grad, p.q)
	s.activateAll()

	every := min(s.n, 1000)
	iter, unshrunk, converged, value := 0, false, false, 0.0
	up, least, most := s.extremes(0)
	for iter < p.maxIter {
		if !(most-least > p.tol) {
			if len(s.ids) == s.vars {
				converged = true
				break
			}
			s.reconstruct()
			unshrunk = true
			up, least, most = s.extremes(0)
			continue
		}
		if iter%every == 0 && iter > 0 {
			if p.watch != nil {
				if err := p.watch(iter, value); err != nil {
					return nil, err
				}
			}
			if p.shrink {
				if !unshrunk && most-least <= 10*p.tol {
					unshrunk = true
					s.reconstruct()
					_, least, most = s.extremes(0)
				}
				s.drop(least, most)
				up, least, _ = s.extremes(0)
			}
		}
		iter++
		rowI := s.cache.row(int(s.col[up]))
		down := s.partner(rowI, s.diag[s.col[up]], least)
		if down < 0 {
			break // only rounding is left
		}
		cj := s.col[down]
		rowJ := s.cache.row(int(cj))
		step, gain := s.move(up, down, rowI[cj])
		value -= gain
		up, least, most = s.update(rowI, rowJ, step)
	}
	if len(s.ids) < s.vars {
		s.reconstruct()
	}
	return &solution{beta: s.beta, bias: -s.threshold(0), objective: value, iter: iter, converged: converged}, nil
}

// activateAll makes every variable active; grad must be right for all.
func (s *solver) activateAll() {
	s.ids, s.col = make([]int32, s.vars), make([]int32, s.vars)
	s.state, s.f = make([]uint8, s.vars), make([]float64, s.vars)
	copy(s.f, s.grad)
	for t := range s.ids {
		s.ids[t], s.col[t] = int32(t), int32(t%s.n)
		s.setState(t)
	}
}

func (s *solver) setState(t int) {
	id := s.ids[t]
	s.state[t] = 0
	if s.beta[id] < s.hi[id] {
		s.state[t] |= canGrow
	}
	if s.beta[id] > s.lo[id] {
		s.state[t] |= canFall
	}
}

// move takes the best step along the line of a pair whose rows have the entry k in
// common, gives its length, and by how much the objective falls.
func (s *solver) move(up, down int, k float64) (step, gain float64) {
	const minCurvature = 1e-12
	i, j := s.ids[up], s.ids[down]
	curvature := max(s.diag[s.col[up]]+s.diag[s.col[down]]-2*k, minCurvature)
	step = (s.f[down] - s.f[up]) / curvature
	// Whichever bound comes first is reached exactly.
	growth, fall := s.hi[i]-s.beta[i], s.beta[j]-s.lo[j]
	step = min(step, growth, fall)
	gain = step * (s.f[down] - s.f[up] - step*curvature/2)
	s.beta[i] += step
	s.beta[j] -= step
	if step == growth {
		s.beta[i] = s.hi[i]
	}
	if step == fall {
		s.beta[j] = s.lo[j]
	}
	s.setState(up)
	s.setState(down)
	return step, gain
}

// extremes finds the least F of a variable of a group that can grow, its position,
// and the greatest F of one that can fall.
func (s *solver) extremes(group uint8) (up int, least, most float64) {
	least, most, up = math.Inf(1), math.Inf(-1), -1
	for t, v := range s.f {
		if s.group != nil && s.group[s.ids[t]] != group {
			continue
		}
		if s.state[t]&canGrow != 0 && v < least {
			least, up = v, t
		}
		if s.state[t]&canFall != 0 && v > most {
			most = v
		}
	}
	return up, least, most
}

// partner finds the variable that can fall for which the pair's decrease is
// largest; -1 if none violates.
func (s *solver) partner(rowI []float64, diagI, least float64) int {
	best, top, bottom := -1, 0.0, 1.0
	f, col, state := s.f, s.col[:len(s.f)], s.state[:len(s.f)]
	for t, v := range f {
		if state[t]&canFall == 0 || v <= least {
			continue
		}
		d := v - least
		c := col[t]
		curvature := max(diagI+s.diag[c]-2*rowI[c], 1e-12)
		if d*d*bottom > top*curvature {
			best, top, bottom = t, d*d, curvature
		}
	}
	return best
}

// update adds the step to the gradient and finds the extremes on the way.
func (s *solver) update(rowI, rowJ []float64, step float64) (up int, least, most float64) {
	least, most, up = math.Inf(1), math.Inf(-1), -1
	f, col, state := s.f, s.col[:len(s.f)], s.state[:len(s.f)]
	rowJ = rowJ[:len(rowI)]
	for t := range f {
		c := col[t]
		v := f[t] + step*(rowI[c]-rowJ[c])
		f[t] = v
		if state[t]&canGrow != 0 && v < least {
			least, up = v, t
		}
		if state[t]&canFall != 0 && v > most {
			most = v
		}
	}
	return up, least, most
}

// drop leaves out variables at a bound that are in no violating pair and by far
// not likely to come into one.
func (s *solver) drop(least, most float64) {
	keep := 0
	for t, v := range s.f {
		if (s.state[t] == canFall && v < least) || (s.state[t] == canGrow && v > most) {
			s.grad[s.ids[t]] = v
			continue
		}
		s.f[keep], s.ids[keep], s.col[keep], s.state[keep] = v, s.ids[t], s.col[t], s.state[t]
		keep++
	}
	s.f, s.ids, s.col, s.state = s.f[:keep], s.ids[:keep], s.col[:keep], s.state[:keep]
}

// reconstruct computes the gradient of the variables that were left out and makes
// all of them active.
func (s *solver) reconstruct() {
	if len(s.ids) == s.vars {
		return
	}
	copy(s.grad, s.q)
	total := make([]float64, s.n) // β of each example
	for t, b := range s.beta {
		total[t%s.n] += b
	}
	kb := make([]float64, s.n)
	for m, b := range total {
		if b != 0 {
			for c, v := range s.cache.row(m) {
				kb[c] += b * v
			}
		}
	}
	for t := range s.grad {
		s.grad[t] += kb[t%s.n]
	}
	for t, id := range s.ids { // kept up to date all along
		s.grad[id] = s.f[t]
	}
	s.activateAll()
}

// threshold is the F that all variables of a group inside the box share at the
// optimum: the mean of theirs, or the middle of the range that the others leave.
func (s *solver) threshold(group uint8) float64 {
	sum, free := 0.0, 0
	for t, v := range s.f {
		if s.state[t] == canGrow|canFall && (s.group == nil || s.group[s.ids[t]] == group) {
			sum += v
			free++
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	_, least, most := s.extremes(group)
	switch {
	case math.IsInf(least, 0) && math.IsInf(most, 0):
		return 0
	case math.IsInf(least, 0):
		return most
	case math.IsInf(most, 0):
		return least
	}
	return (least + most) / 2
}

// rowCache keeps the rows of the Gram matrix that were used last.
type rowCache struct {
	gram       *kernel.GramRows
	rows       [][]float64
	prev, next []int32 // a ring of the kept rows around n, the last used after it
	left       int     // rows for which there is room
}

func newRowCache(g *kernel.GramRows, megabytes int) *rowCache {
	n := g.Len()
	c := &rowCache{gram: g, rows: make([][]float64, n), prev: make([]int32, n+1), next: make([]int32, n+1)}
	c.prev[n], c.next[n] = int32(n), int32(n)
	c.left = max(2, min(n, megabytes*(1<<20)/(8*n)))
	return c
}

// row gives row i, valid until the second next call.
func (c *rowCache) row(i int) []float64 {
	n := len(c.rows)
	if c.rows[i] != nil {
		c.next[c.prev[i]], c.prev[c.next[i]] = c.next[i], c.prev[i]
	} else {
		var buf []float64
		if c.left > 0 {
			c.left--
			buf = make([]float64, n)
		} else {
			old := c.prev[n]
			c.next[c.prev[old]], c.prev[n] = int32(n), c.prev[old]
			buf, c.rows[old] = c.rows[old], nil
		}
		c.gram.Row(i, buf)
		c.rows[i] = buf
	}
	first := c.next[n]
	c.prev[i], c.next[i] = int32(n), first
	c.next[n], c.prev[first] = int32(i), int32(i)
	return c.rows[i]
}
