package svm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/kernel"
)

// problem is the dual of all kernel machines here, in signed coefficients:
//
//	min ½·βᵀKβ + qᵀβ  subject to  Σβ = 0, lo ≤ β ≤ hi
//
// With more variables than examples, variable t belongs to example t mod n. With
// two groups of variables each of them keeps its own sum, that of the start.
type problem struct {
	gram      *kernel.GramRows
	q, lo, hi []float64
	group     []uint8 // of each variable, 0 or 1; nil if there is one group
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

// solver holds the state of one run. The slices from ids to state have one entry
// for each active variable, those of group 0 first.
type solver struct {
	*problem
	n, vars int
	diag    []float64
	flat    float64 // the smallest curvature that is not rounding
	cache   *rowCache

	beta  []float64 // of all variables
	grad  []float64 // F = Kβ + q of all variables; stale for those that are active
	order []int32   // all variables, those of group 0 first
	ids   []int32   // active variables
	f     []float64 // F of the active variables
	col   []int32   // their examples
	state []uint8   // whether they may grow or fall
	spans []span    // one for each group
}

// span is the active variables of a group, and the pair of them that violates the
// optimality conditions most.
type span struct {
	lo, hi int
	up     int     // the variable of least F that can grow; -1 if there is none
	least  float64 // its F
	most   float64 // the greatest F of a variable that can fall
}

const (
	canGrow uint8 = 1 << iota // β < hi
	canFall                   // β > lo
)

// solve runs sequential minimal optimization from feasible coefficients, or from 0
// for nil. A pair (i, j) of a group violates the optimality conditions when βᵢ can
// grow, βⱼ can fall and Fᵢ < Fⱼ, F = Kβ + q being the gradient. Each step takes the
// i of smallest F in its group and the j whose pair has the largest decrease by
// second order, (Fⱼ−Fᵢ)²/(Kᵢᵢ+Kⱼⱼ−2Kᵢⱼ) [FanChenLin2005]. Of the groups it takes
// the one where that is larger [ChangLin2001]. It moves the two to the minimum
// along their line, clipped to the box. Variables at a bound that no violating pair
// can use are left out until the end [Joachims1999].
//
// At the optimum the free variables of group g share F = threshold(g). The bias is −threshold with
// one group, and minus the mean of both thresholds with two.
func (p *problem) solve(beta []float64) (*solution, error) {
	s := &solver{problem: p, n: p.gram.Len(), vars: len(p.q), diag: p.gram.Diagonal(), beta: beta}
	s.flat = leastCurvature(s.diag)
	s.cache = newRowCache(p.gram, p.cacheMB)
	s.grad = append([]float64(nil), p.q...)
	s.arrange()
	value := 0.0
	if beta == nil {
		s.beta = make([]float64, s.vars)
	} else {
		s.gradient()
		for t, b := range beta {
			value += b * (s.grad[t] + p.q[t]) / 2
		}
	}
	s.activateAll()

	every := min(s.n, 1000)
	iter, unshrunk, converged := 0, false, false
	for iter < p.maxIter {
		violation := s.violation()
		if !(violation > p.tol) {
			if len(s.ids) == s.vars {
				converged = true
				break
			}
			s.reconstruct()
			unshrunk = true
			continue
		}
		if iter%every == 0 && iter > 0 {
			if err := p.watch(iter, value); err != nil {
				return nil, err
			}
			if p.shrink {
				if !unshrunk && violation <= 10*p.tol {
					unshrunk = true
					s.reconstruct()
				}
				s.drop()
			}
		}
		iter++
		up, down := s.pair()
		if down < 0 {
			break // only rounding is left
		}
		rowI, rowJ := s.cache.row(int(s.col[up])), s.cache.row(int(s.col[down]))
		step, gain := s.move(up, down, rowI[s.col[down]])
		value -= gain
		for g := range s.spans {
			s.update(&s.spans[g], rowI, rowJ, step)
		}
	}
	s.reconstruct()
	sol := &solution{beta: s.beta, objective: value, iter: iter, converged: converged}
	low := s.threshold(s.spans[0])
	high := s.threshold(s.spans[len(s.spans)-1])
	sol.bias, sol.spread = -(low+high)/2, (high-low)/2
	return sol, nil
}

// arrange makes the order and the spans of all variables.
func (s *solver) arrange() {
	s.order, s.spans = make([]int32, 0, s.vars), make([]span, 1, 2)
	for t := range s.vars {
		if s.group == nil || s.group[t] == 0 {
			s.order = append(s.order, int32(t))
		}
	}
	if s.group == nil {
		return
	}
	s.spans = append(s.spans, span{})
	for t, g := range s.group {
		if g == 1 {
			s.order = append(s.order, int32(t))
		}
	}
}

// activateAll makes every variable active; grad must be right for all.
func (s *solver) activateAll() {
	s.ids, s.col = append(s.ids[:0], s.order...), make([]int32, s.vars)
	s.state, s.f = make([]uint8, s.vars), make([]float64, s.vars)
	first := 0 // of group 1
	for t, id := range s.ids {
		s.f[t], s.col[t] = s.grad[id], id%int32(s.n)
		s.setState(t)
		if s.group == nil || s.group[id] == 0 {
			first++
		}
	}
	s.spans[0] = span{lo: 0, hi: first}
	if len(s.spans) == 2 {
		s.spans[1] = span{lo: first, hi: s.vars}
	}
	s.findExtremes()
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

// violation is the largest of a pair.
func (s *solver) violation() float64 {
	worst := math.Inf(-1)
	for _, sp := range s.spans {
		worst = max(worst, sp.most-sp.least)
	}
	return worst
}

// pair chooses the variables of the next step; down is -1 if no pair promises
// anything.
func (s *solver) pair() (up, down int) {
	down = -1
	best := 0.0
	for _, sp := range s.spans {
		if !(sp.most-sp.least > s.tol) {
			continue
		}
		if t, gain := s.partner(sp, s.cache.row(int(s.col[sp.up]))); gain > best {
			up, down, best = sp.up, t, gain
		}
	}
	return up, down
}

// partner finds the variable of a span that can fall for which the pair's decrease
// is largest, and twice that decrease; 0 if none violates.
func (s *solver) partner(sp span, rowI []float64) (down int, gain float64) {
	best, top, bottom := -1, 0.0, 1.0
	f, col, state := s.f[sp.lo:sp.hi], s.col[sp.lo:sp.hi], s.state[sp.lo:sp.hi]
	col, state = col[:len(f)], state[:len(f)]
	diagI := s.diag[s.col[sp.up]]
	for t, v := range f {
		if state[t]&canFall == 0 || v <= sp.least {
			continue
		}
		d := v - sp.least
		c := col[t]
		curvature := max(diagI+s.diag[c]-2*rowI[c], s.flat)
		if d*d*bottom > top*curvature {
			best, top, bottom = sp.lo+t, d*d, curvature
		}
	}
	return best, top / bottom
}

// leastCurvature returns the curvature that replaces the curvature of a pair of equal examples, for
// a kernel matrix with the given diagonal.
func leastCurvature(diag []float64) float64 {
	if most := slices.Max(diag); most > 0 {
		return 1e-12 * most
	}
	return 1e-12
}

// move takes the best step along the line of a pair whose rows have the entry k in common, and
// returns its length and the decrease of the objective.
func (s *solver) move(up, down int, k float64) (step, gain float64) {
	i, j := s.ids[up], s.ids[down]
	curvature := max(s.diag[s.col[up]]+s.diag[s.col[down]]-2*k, s.flat)
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

// update adds the step to the gradient of a span and finds its extremes on the way.
func (s *solver) update(sp *span, rowI, rowJ []float64, step float64) {
	least, most, up := math.Inf(1), math.Inf(-1), -1
	f, col, state := s.f[sp.lo:sp.hi], s.col[sp.lo:sp.hi], s.state[sp.lo:sp.hi]
	col, state = col[:len(f)], state[:len(f)]
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
	sp.up, sp.least, sp.most = sp.lo+up, least, most
	if up < 0 {
		sp.up = -1
	}
}

// findExtremes finds the extremes of the spans.
func (s *solver) findExtremes() {
	for g := range s.spans {
		sp := &s.spans[g]
		sp.up, sp.least, sp.most = -1, math.Inf(1), math.Inf(-1)
		for t := sp.lo; t < sp.hi; t++ {
			v := s.f[t]
			if s.state[t]&canGrow != 0 && v < sp.least {
				sp.least, sp.up = v, t
			}
			if s.state[t]&canFall != 0 && v > sp.most {
				sp.most = v
			}
		}
	}
}

// drop leaves out variables at a bound that are in no violating pair and by far
// not likely to come into one.
func (s *solver) drop() {
	keep := 0
	for g := range s.spans {
		sp := &s.spans[g]
		lo := keep
		for t := sp.lo; t < sp.hi; t++ {
			v := s.f[t]
			if (s.state[t] == canFall && v < sp.least) || (s.state[t] == canGrow && v > sp.most) {
				s.grad[s.ids[t]] = v
				continue
			}
			s.f[keep], s.ids[keep], s.col[keep], s.state[keep] = v, s.ids[t], s.col[t], s.state[t]
			keep++
		}
		sp.lo, sp.hi = lo, keep
	}
	s.f, s.ids, s.col, s.state = s.f[:keep], s.ids[:keep], s.col[:keep], s.state[:keep]
	s.findExtremes()
}

// gradient computes F of all variables from their coefficients.
func (s *solver) gradient() {
	total := make([]float64, s.n) // β of each example
	for t, b := range s.beta {
		total[t%s.n] += b
	}
	kb := make([]float64, s.n)
	for m, b := range total {
		if b != 0 {
			floats.AddScaled(kb, b, s.cache.row(m))
		}
	}
	for t, q := range s.q {
		s.grad[t] = q + kb[t%s.n]
	}
}

// reconstruct computes the gradient of the variables that were left out and makes
// all of them active.
func (s *solver) reconstruct() {
	if len(s.ids) == s.vars {
		return
	}
	s.gradient()
	for t, id := range s.ids { // kept up to date all along
		s.grad[id] = s.f[t]
	}
	s.activateAll()
}

// threshold is the F that all variables of a span inside the box share at the
// optimum: the mean of theirs, or the middle of the range that the others leave.
func (s *solver) threshold(sp span) float64 {
	sum, free := 0.0, 0
	for t := sp.lo; t < sp.hi; t++ {
		if s.state[t] == canGrow|canFall {
			sum += s.f[t]
			free++
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(sp.least, 0) && math.IsInf(sp.most, 0):
		return 0
	case math.IsInf(sp.least, 0):
		return sp.most
	case math.IsInf(sp.most, 0):
		return sp.least
	}
	return (sp.least + sp.most) / 2
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

// row returns row i, valid until the second next call.
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
