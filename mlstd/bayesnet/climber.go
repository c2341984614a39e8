package bayesnet

import (
	"encoding/binary"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	add = iota
	remove
	reverse
)

var operators = [...]string{"add", "delete", "reverse"}

type move struct {
	op, from, to int
	gain         float64
}

// climber is the state of a hill climb.
type climber struct {
	vars       []CPT
	scorer     *scorer
	parents    [][]int  // sorted
	allowed    [][]bool // [to][from]; nil allows all
	maxParents int
	tabu       int
	iters      int
	tol        float64
	run        *model.Run
	steps      int

	cache    []map[string]float64 // of each variable, by its parents
	local    []float64
	delta    [][]float64 // [to][from]: the gain of adding or deleting the arrow
	families int

	best      [][]int
	bestScore float64
	bestMoves []StructureMove
	found     bool
	converged bool
}

func newClimber(vars []CPT, s *scorer, parents [][]int) *climber {
	d := len(vars)
	c := &climber{vars: vars, scorer: s, parents: parents, cache: make([]map[string]float64, d), local: make([]float64, d), delta: make([][]float64, d)}
	for i := range d {
		slices.Sort(c.parents[i])
		c.cache[i] = map[string]float64{}
		c.delta[i] = make([]float64, d)
	}
	return c
}

func parentKey(parents []int) string {
	b := make([]byte, 0, 2*len(parents))
	for _, p := range parents {
		b = binary.LittleEndian.AppendUint16(b, uint16(p))
	}
	return string(b)
}

// toggled returns the sorted parents of v after adding u, or removing u if it is a parent.
func (c *climber) toggled(v, u int) []int {
	p := slices.Clone(c.parents[v])
	if k, in := slices.BinarySearch(p, u); in {
		return slices.Delete(p, k, k+1)
	} else {
		return slices.Insert(p, k, u)
	}
}

// mayHave reports whether v may get the parent u.
func (c *climber) mayHave(v, u int) bool {
	return u != v && len(c.parents[v]) < c.maxParents && (c.allowed == nil || c.allowed[v][u])
}

// refresh computes in parallel the gains of all arrows that end in the given variables. It uses
// cached scores where they exist.
func (c *climber) refresh(changed []int) {
	type job struct {
		v       int
		parents []int
		score   float64
	}
	var jobs []job
	want := func(v int, parents []int) {
		if _, ok := c.cache[v][parentKey(parents)]; !ok {
			jobs = append(jobs, job{v: v, parents: parents})
		}
	}
	for _, v := range changed {
		want(v, c.parents[v])
		for u := range c.vars {
			if c.considered(v, u) {
				want(v, c.toggled(v, u))
			}
		}
	}
	par.Range(len(jobs), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			jobs[k].score = c.scorer.local(jobs[k].v, jobs[k].parents)
		}
	})
	c.families += len(jobs)
	for _, j := range jobs {
		c.cache[j.v][parentKey(j.parents)] = j.score
	}
	for _, v := range changed {
		c.local[v] = c.cache[v][parentKey(c.parents[v])]
		for u := range c.vars {
			if c.considered(v, u) {
				c.delta[v][u] = c.cache[v][parentKey(c.toggled(v, u))] - c.local[v]
			}
		}
	}
}

// considered reports whether the arrow from u to v exists or may be added.
func (c *climber) considered(v, u int) bool {
	return u != v && (c.mayHave(v, u) || slices.Contains(c.parents[v], u))
}

// reach computes reachability: reach[u][v] reports whether a directed path leads from u to v.
func (c *climber) reach() [][]bool {
	d := len(c.vars)
	children := make([][]int, d)
	for v, p := range c.parents {
		for _, u := range p {
			children[u] = append(children[u], v)
		}
	}
	out := make([][]bool, d)
	var stack []int
	for u := range d {
		out[u] = make([]bool, d)
		stack = append(stack[:0], u)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, v := range children[i] {
				if !out[u][v] {
					out[u][v] = true
					stack = append(stack, v)
				}
			}
		}
	}
	return out
}

// moves calls f for every change that keeps the graph acyclic.
func (c *climber) moves(f func(move)) {
	reach := c.reach()
	for v := range c.vars {
		for u := range c.vars {
			if u == v {
				continue
			}
			if !slices.Contains(c.parents[v], u) {
				if c.mayHave(v, u) && !reach[v][u] {
					f(move{add, u, v, c.delta[v][u]})
				}
				continue
			}
			f(move{remove, u, v, c.delta[v][u]})
			// After the reversal, another path from u to v would close a cycle.
			if c.mayHave(u, v) && !slices.ContainsFunc(c.parents[v], func(p int) bool { return p != u && reach[u][p] }) {
				f(move{reverse, u, v, c.delta[v][u] + c.delta[u][v]})
			}
		}
	}
}

// apply changes the graph and returns the variables whose parents changed.
func (c *climber) apply(m move) []int {
	c.parents[m.to] = c.toggled(m.to, m.from)
	if m.op != reverse {
		return []int{m.to}
	}
	c.parents[m.from] = c.toggled(m.from, m.to)
	return []int{m.to, m.from}
}

func (c *climber) undo(m move) {
	if m.op == reverse {
		c.parents[m.from] = c.toggled(m.from, m.to)
	}
	c.parents[m.to] = c.toggled(m.to, m.from)
}

// key returns a string that identifies the graph.
func (c *climber) key() string {
	var b []byte
	for _, p := range c.parents {
		b = append(b, byte(len(p)), byte(len(p)>>8))
		b = append(b, parentKey(p)...)
	}
	return string(b)
}

func (c *climber) total() float64 {
	sum := 0.0
	for _, s := range c.local {
		sum += s
	}
	return sum
}

// climb continues from the current graph and keeps the best graph it finds.
func (c *climber) climb() error {
	all := make([]int, len(c.vars))
	for i := range all {
		all[i] = i
	}
	c.refresh(all)
	score := c.total()
	var moves []StructureMove
	c.keep(score, moves)
	recent := []string{c.key()}
	idle, best := 0, score // idle counts changes since the best graph of this climb
	for range c.iters {
		found := c.choose(recent)
		if found == nil || found.gain <= c.tol && c.tabu == 0 {
			c.converged = true
			return nil
		}
		c.refresh(c.apply(*found))
		score = c.total()
		if idle++; score > best+c.tol {
			idle, best = 0, score
		} else if idle > c.tabu {
			c.converged = true
			return nil
		}
		moves = append(moves, StructureMove{operators[found.op], c.vars[found.from].Name, c.vars[found.to].Name, score})
		c.keep(score, moves)
		if recent = append(recent, c.key()); len(recent) > c.tabu+1 {
			recent = recent[1:]
		}
		c.steps++
		if err := c.run.Step(c.steps, -score); err != nil {
			return err
		}
	}
	c.converged = false
	return nil
}

// choose returns the change with the largest gain; ties go to the first. With tabu
// it skips changes that lead to a recent graph.
func (c *climber) choose(recent []string) *move {
	var all []move
	c.moves(func(m move) {
		if isFinite(m.gain) {
			all = append(all, m)
		}
	})
	slices.SortStableFunc(all, func(a, b move) int {
		switch {
		case a.gain > b.gain:
			return -1
		case a.gain < b.gain:
			return 1
		}
		return 0
	})
	for k := range all {
		if c.tabu == 0 {
			return &all[k]
		}
		c.apply(all[k])
		key := c.key()
		c.undo(all[k])
		if !slices.Contains(recent, key) {
			return &all[k]
		}
	}
	return nil
}

func (c *climber) keep(score float64, moves []StructureMove) {
	if !c.found || score > c.bestScore+c.tol {
		c.found, c.best, c.bestScore, c.bestMoves = true, cloneAll(c.parents), score, slices.Clone(moves)
	}
}
