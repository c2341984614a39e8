package bayesnet

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// StructureMove is one change of a graph.
type StructureMove struct {
	Operator string  // "add", "delete" or "reverse"
	From, To string  // the arrow, before it is reversed
	Score    float64 // of the graph after it
}

// StructureSearch learns a graph by hill climbing. A change adds, deletes or reverses an arrow; the
// search makes the change that raises the score most until no change raises it.
//
//	max over acyclic graphs of Σᵢ score(Xᵢ, parents of Xᵢ : D)
//
// A change affects the term of one variable, or of two for a reversal, so only the terms affected
// are recomputed; scores of families are cached. Tabu lets the search continue through worse graphs
// that it has not visited recently. Restarts changes the best graph at random and climbs again.
//
// Cost: O(d²) families of O(n·parents) at first, O(d) after each change.
//
// Pitfalls: the search finds a local optimum. The direction of an arrow is often arbitrary, since
// graphs of one equivalence class have the same BIC, AIC, BDeu and likelihood.
//
// References: [Heckerman1995], [KollerFriedman2009] §18.4. Course: BN-13, BN-14, BN-16.
type StructureSearch struct {
	Score NetworkScore // the zero value is BIC
	// Equivalent is the equivalent sample size of BDeu, in examples; 0 means 10. A
	// larger value leads to more arrows.
	Equivalent float64
	// MaxParents is the maximum number of parents of a variable; 0 means no limit. The size of the
	// tables grows exponentially with the number of parents.
	MaxParents int
	Tabu       int // maximum number of changes after the best graph, and of recent graphs to avoid
	// Restarts is the number of times that the climb starts again from a randomly changed graph; 0
	// means no restart. More restarts take longer and end less often in a poor local maximum.
	Restarts int
	Start    *BayesNetwork // the first graph; nil means no arrows
	// MaxIter is the maximum number of changes in one climb; 0 means 10000.
	MaxIter int
	// Tol is the smallest gain in score for which an arrow changes; 0 means 1e-9. A
	// larger value leads to fewer arrows.
	Tol   float64
	Prior CPTPrior // for the tables learned on the final graph
	Seed  uint64   // of Restarts
	model.Control

	Net      *BayesNetwork   // set by Learn: the graph with its tables
	Value    float64         // set by Learn: its score
	Moves    []StructureMove // set by Learn: the changes of the best climb, from its start
	Families int             // set by Learn: number of family scores computed
	Trace    model.Trace     // set by Learn: Loss is −score after each change
}

// Learn searches for a graph and fits its tables. Columns of x hold states 0, 1, 2 ...; columns of
// a table may be nominal. If Start is set, columns are matched by name to the variables of Start.
func (s *StructureSearch) Learn(x mat.Matrix) error {
	const op = "StructureSearch.Learn"
	s.Net, s.Value, s.Moves, s.Families, s.Trace = nil, 0, nil, 0, model.Trace{}
	c, err := s.climber(op, x)
	if err != nil {
		return err
	}
	c.run = s.Begin("StructureSearch", 0)
	defer c.run.End()
	if err := c.search(s.Restarts, s.Seed); err != nil {
		return err
	}
	return s.finish(op, c)
}

// climber reads the examples and the parameters.
func (s *StructureSearch) climber(op string, x mat.Matrix) (*climber, error) {
	vars, rows, err := variables(op, x)
	if err != nil {
		return nil, err
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"MaxParents", s.MaxParents}, {"Tabu", s.Tabu}, {"Restarts", s.Restarts}} {
		if v.value < 0 {
			return nil, model.Errorf(op, "%s must not be negative, got %d", v.name, v.value)
		}
	}
	iters, err := model.Iterations(op, "MaxIter", s.MaxIter, 10000)
	if err != nil {
		return nil, err
	}
	tol := model.Or(s.Tol, 1e-9)
	if !(tol >= 0) {
		return nil, model.Errorf(op, "Tol must not be negative (0 means 1e-9), got %v", s.Tol)
	}
	parents := make([][]int, len(vars))
	if s.Start != nil {
		if rows, err = s.Start.read(op, x); err != nil {
			return nil, err
		}
		vars = s.Start.Nodes
		for i := range vars {
			parents[i] = slices.Clone(s.Start.vars[i].parents)
			if slices.Contains(rows.cols[i], -1) {
				return nil, model.Errorf(op, "%s must have a value in every row", vars[i].Name).WithHint("set Start to a network over the columns of x")
			}
		}
	}
	sc, err := newScorer(op, rows, cardsOf(vars), s.Score, s.Equivalent)
	if err != nil {
		return nil, err
	}
	c := newClimber(vars, sc, parents)
	c.maxParents, c.tabu, c.iters, c.tol = s.MaxParents, s.Tabu, iters, tol
	if c.maxParents == 0 {
		c.maxParents = len(vars)
	}
	return c, nil
}

// finish learns the tables of the graph that was found.
func (s *StructureSearch) finish(op string, c *climber) error {
	n, err := structure(op, s.Score.String()+" network", c.vars, c.best)
	if err != nil {
		return err
	}
	pseudo, err := s.Prior.pseudo(op, n)
	if err != nil {
		return err
	}
	s.Net = n.with(n.tables(n.counts(c.scorer.rows), pseudo))
	s.Value, s.Moves, s.Families = c.bestScore, c.bestMoves, c.families
	for _, m := range s.Moves {
		s.Trace.Loss = append(s.Trace.Loss, -m.Score)
	}
	s.Trace.Converged = c.converged
	return nil
}

// search climbs once, and again from each randomly changed graph.
func (c *climber) search(restarts int, seed uint64) error {
	if err := c.climb(); err != nil {
		return err
	}
	rng := model.Rand(seed, 0)
	for range restarts {
		c.parents = cloneAll(c.best)
		c.perturb(rng, len(c.vars))
		if err := c.climb(); err != nil {
			return err
		}
	}
	return nil
}

// perturb makes a number of random changes that keep the graph acyclic.
func (c *climber) perturb(rng *rand.Rand, changes int) {
	d := len(c.vars)
	if d < 2 {
		return
	}
	for range changes {
		u, v := rng.IntN(d), rng.IntN(d)
		if u == v {
			continue
		}
		reach := c.reach()
		switch {
		case slices.Contains(c.parents[v], u):
			c.apply(move{remove, u, v, 0})
			if rng.IntN(2) == 0 && !c.reach()[u][v] && c.mayHave(u, v) {
				c.apply(move{add, v, u, 0})
			}
		case !reach[v][u] && c.mayHave(v, u):
			c.apply(move{add, u, v, 0})
		}
	}
}

func cloneAll(p [][]int) [][]int {
	out := make([][]int, len(p))
	for i := range p {
		out[i] = slices.Clone(p[i])
	}
	return out
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
