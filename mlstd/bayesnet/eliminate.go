package bayesnet

import (
	"math"
	"slices"
)

// EliminationOrder is the rule by which variable elimination chooses the next variable
// to sum out.
type EliminationOrder int

const (
	MinFill   EliminationOrder = iota // adds the fewest edges between neighbors
	MinDegree                         // has the fewest neighbors
)

// String returns the name of the rule.
func (o EliminationOrder) String() string {
	if o == MinDegree {
		return "min-degree"
	}
	return "min-fill"
}

// EliminationStep is one step of variable elimination: the factors that mention a
// variable are multiplied and the variable is summed out.
type EliminationStep struct {
	Variable string     // summed out; empty in the last step, which only multiplies
	Factors  [][]string // the variables of each factor that was multiplied
	Result   []string   // the variables of the new factor
	Size     int        // number of entries of the product, before summing
}

// interaction is the interaction graph: two variables are neighbors if some factor contains both.
type interaction struct {
	near [][]bool
	left []bool
}

func newInteraction(n int, groups [][]int) *interaction {
	g := &interaction{make([][]bool, n), make([]bool, n)}
	for i := range g.near {
		g.near[i] = make([]bool, n)
	}
	for _, group := range groups {
		for _, i := range group {
			g.left[i] = true
			for _, j := range group {
				if i != j {
					g.near[i][j] = true
				}
			}
		}
	}
	return g
}

func (g *interaction) neighbors(i int) []int {
	var out []int
	for j, yes := range g.near[i] {
		if yes && g.left[j] {
			out = append(out, j)
		}
	}
	return out
}

// next chooses one of the candidates by the rule; ties go to the earliest.
func (g *interaction) next(candidates []int, rule EliminationOrder) int {
	best, least := -1, math.MaxInt
	for _, i := range candidates {
		around := g.neighbors(i)
		cost := len(around)
		if rule == MinFill {
			cost = 0
			for a, j := range around {
				for _, k := range around[:a] {
					if !g.near[j][k] {
						cost++
					}
				}
			}
		}
		if cost < least {
			best, least = i, cost
		}
	}
	return best
}

// remove removes a variable, connects its neighbors and returns them.
func (g *interaction) remove(i int) []int {
	around := g.neighbors(i)
	for _, j := range around {
		for _, k := range around {
			if j != k {
				g.near[j][k] = true
			}
		}
	}
	g.left[i] = false
	return around
}

// eliminator sums or maximizes out variables of the factors of a network.
type eliminator struct {
	n     *BayesNetwork
	fs    []factor
	log   float64 // the logarithm of the divisors
	keepS bool    // record steps
	steps []EliminationStep
}

// relevant returns the factors of the query and evidence variables and of their ancestors. All
// other factors sum to one.
func (n *BayesNetwork) relevant(query, ev []int) *eliminator {
	at := slices.Clone(query)
	for i, s := range ev {
		if s >= 0 {
			at = append(at, i)
		}
	}
	e := &eliminator{n: n}
	for i, yes := range n.above(at) {
		if yes {
			e.fs = append(e.fs, n.family(i, ev))
		}
	}
	return e
}

// graph returns the interaction graph of the current factors.
func (e *eliminator) graph() *interaction {
	groups := make([][]int, len(e.fs))
	for k, f := range e.fs {
		groups[k] = f.vars
	}
	return newInteraction(len(e.n.vars), groups)
}

// choice records how a variable was maximized out: its best state for each combination of the
// others.
type choice struct {
	variable int
	given    []int
	arg      []int32
}

// out eliminates the variables in the order of the rule.
func (e *eliminator) out(gone []int, rule EliminationOrder, largest bool) []choice {
	g := e.graph()
	gone = slices.Clone(gone)
	var choices []choice
	for len(gone) > 0 {
		i := g.next(gone, rule)
		gone = slices.Delete(gone, slices.Index(gone, i), slices.Index(gone, i)+1)
		keep := g.remove(i)
		var with []factor
		var rest []factor
		for _, f := range e.fs {
			if slices.Contains(f.vars, i) {
				with = append(with, f)
			} else {
				rest = append(rest, f)
			}
		}
		made, arg := e.n.combine(with, keep, []int{i}, largest)
		e.record(e.n.Nodes[i].Name, with, made, e.n.size(keep)*e.n.vars[i].card)
		if s := scale(made.val); s > 0 {
			e.log += math.Log(s)
		}
		e.fs = append(rest, made)
		if largest {
			choices = append(choices, choice{i, keep, arg})
		}
	}
	return choices
}

func (e *eliminator) record(name string, with []factor, made factor, size int) {
	if !e.keepS {
		return
	}
	s := EliminationStep{Variable: name, Result: e.n.names(made.vars), Size: size}
	for _, f := range with {
		s.Factors = append(s.Factors, e.n.names(f.vars))
	}
	e.steps = append(e.steps, s)
}

// rest multiplies the remaining factors into a table over query.
func (e *eliminator) rest(query []int) factor {
	f, _ := e.n.combine(e.fs, query, nil, false)
	e.record("", e.fs, f, len(f.val))
	return f
}

// others returns the variables of the factors that are neither in query nor observed.
func (e *eliminator) others(query []int) []int {
	in := make([]bool, len(e.n.vars))
	for _, f := range e.fs {
		for _, i := range f.vars {
			in[i] = true
		}
	}
	for _, i := range query {
		in[i] = false
	}
	return positions(in)
}

// posterior computes P(query | ev) and log P(ev) by variable elimination; p is nil when
// the evidence is impossible.
func (n *BayesNetwork) posterior(query, ev []int, rule EliminationOrder, record bool) (p []float64, logEvidence float64, steps []EliminationStep) {
	e := n.relevant(query, ev)
	e.keepS = record
	e.out(e.others(query), rule, false)
	f := e.rest(query)
	sum := normalize(f.val)
	if sum == 0 {
		return nil, math.Inf(-1), e.steps
	}
	return f.val, e.log + math.Log(sum), e.steps
}

// normalize divides p by its sum and returns the sum.
func normalize(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	if sum > 0 {
		for k := range p {
			p[k] /= sum
		}
	}
	return sum
}

// enumerated computes the same as posterior, by adding over all combinations of the hidden
// variables.
func (n *BayesNetwork) enumerated(query, ev []int) (p []float64, evidence float64) {
	states := slices.Clone(ev)
	var hidden []int
	for i, s := range ev {
		if s < 0 && !slices.Contains(query, i) {
			hidden = append(hidden, i)
		}
	}
	free := append(slices.Clone(query), hidden...)
	for _, i := range free {
		states[i] = 0
	}
	p = make([]float64, n.size(query))
	inner := n.size(hidden)
	for o := range p {
		for range inner {
			term := 1.0
			for i := range n.vars {
				term *= n.row(i, states)[states[i]]
			}
			p[o] += term
			for d := len(free) - 1; d >= 0; d-- {
				states[free[d]]++
				if states[free[d]] < n.vars[free[d]].card {
					break
				}
				states[free[d]] = 0
			}
		}
	}
	evidence = normalize(p)
	if evidence == 0 {
		return nil, 0
	}
	return p, evidence
}
