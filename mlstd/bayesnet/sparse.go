package bayesnet

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SparseCandidate learns a graph by hill climbing with few candidate parents per variable. After
// each round, it uses the current network to choose new candidates.
//
//	restrict: Cⱼ ⊇ parents of Xⱼ, |Cⱼ| ≤ K, the others by M(Xⱼ, X_l) = D_KL(P̂(Xⱼ,X_l) ‖ P_net(Xⱼ,X_l))
//	maximize: the best graph with parents of Xⱼ within Cⱼ
//
// The first candidates are the variables with the largest mutual information. Since current parents
// stay candidates, the score never falls. The search stops when a round does not raise the score.
//
// Cost: the first round scores d·K families instead of d²; computing M for all pairs takes one
// junction tree per state. With K = d − 1, SparseCandidate is the same as [StructureSearch].
//
// Pitfalls: a variable with K or more parents keeps them and gets no other candidate.
//
// References: [Friedman1999]. Course: BN-17, BN-18.
type SparseCandidate struct {
	// K is the number of candidate parents of each variable; 0 means 5. A larger K is
	// slower and misses fewer parents.
	K int
	// MaxIter is the maximum number of rounds; 0 means 20.
	MaxIter int
	Search  StructureSearch // how each round climbs: score, prior, Tabu, MaxParents

	Net        *BayesNetwork // set by Learn
	Value      float64       // set by Learn: its score
	Candidates [][][]string  // set by Learn: candidates of each variable in each round
	Families   int           // set by Learn: scores of families that were computed
	Trace      model.Trace   // set by Learn: Loss is −score after each round
}

// Learn searches for a graph and fits its tables. Columns of x hold states 0, 1, 2 ...; columns of
// a table may be nominal.
func (s *SparseCandidate) Learn(x mat.Matrix) error {
	const op = "SparseCandidate.Learn"
	s.Net, s.Value, s.Candidates, s.Families, s.Trace = nil, 0, nil, 0, model.Trace{}
	rounds, err := model.Iterations(op, "MaxIter", s.MaxIter, 20)
	if err != nil {
		return err
	}
	k := s.K
	if k < 0 {
		return model.Errorf(op, "K must be positive (0 means 5), got %d", k)
	}
	if k == 0 {
		k = 5
	}
	inner := s.Search
	c, err := inner.climber(op, x)
	if err != nil {
		return err
	}
	c.run = inner.Begin("SparseCandidate", 0)
	defer c.run.End()
	rows, cards := c.scorer.rows, c.scorer.cards
	rank := information(rows, cards, nil, 0)
	for range rounds {
		var names [][]string
		c.allowed, names = candidates(c, rank, k)
		before := c.bestScore
		first := !c.found
		if err := c.search(inner.Restarts, inner.Seed); err != nil {
			return err
		}
		s.Candidates = append(s.Candidates, names)
		s.Trace.Loss = append(s.Trace.Loss, -c.bestScore)
		c.parents = cloneAll(c.best)
		if !first && c.bestScore <= before+c.tol {
			s.Trace.Converged = true
			break
		}
		if err := inner.finish(op, c); err != nil {
			return err
		}
		rank = inner.Net.discrepancies(rows)
	}
	if err := inner.finish(op, c); err != nil {
		return err
	}
	s.Net, s.Value, s.Families = inner.Net, inner.Value, inner.Families
	s.Net.Name = "sparse candidate network"
	return nil
}

// candidates chooses, for each variable, the K − s best candidates besides its s parents.
func candidates(c *climber, rank *mat.Dense, k int) (allowed [][]bool, names [][]string) {
	d := len(c.vars)
	for v := range d {
		in := make([]bool, d)
		var others []int
		for u := range d {
			if u == v {
				continue
			}
			if in[u] = slices.Contains(c.parents[v], u); !in[u] {
				others = append(others, u)
			}
		}
		slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(rank.At(v, b), rank.At(v, a)) })
		for _, u := range others[:min(len(others), max(0, k-len(c.parents[v])))] {
			in[u] = true
		}
		allowed = append(allowed, in)
		var list []string
		for _, u := range positions(in) {
			list = append(list, c.vars[u].Name)
		}
		names = append(names, list)
	}
	return allowed, names
}

// Discrepancies returns, for each pair of variables, the Kullback-Leibler divergence in bits
// between the distribution in the examples and the distribution in the network. It is 0 for pairs
// that the network models exactly.
//
//	M(X, Y) = D_KL(P̂(X,Y) ‖ P_net(X,Y)) = Σ P̂(x,y)·log₂(P̂(x,y) / P_net(x,y))
//
// It is infinite if the examples contain a combination that has probability 0 in the network.
//
// References: [Friedman1999]. Course: BN-18.
func (n *BayesNetwork) Discrepancies(x mat.Matrix) (*mat.Dense, error) {
	const op = "BayesNetwork.Discrepancies"
	rows, err := n.read(op, x)
	if err != nil {
		return nil, err
	}
	for i, c := range rows.cols {
		if r := slices.Index(c, -1); r >= 0 {
			return nil, model.Errorf(op, "%s must have a value in every row, got a missing one in row %d", n.Nodes[i].Name, r)
		}
	}
	return n.discrepancies(rows), nil
}

func (n *BayesNetwork) discrepancies(rows *rows) *mat.Dense {
	d := len(n.vars)
	out := mat.NewDense(d, d, nil)
	tree := n.cliques()
	ev := slices.Repeat([]int{-1}, d)
	free := tree.calibrate(ev)
	counts := func(i, j int) []float64 {
		c := make([]float64, n.vars[i].card*n.vars[j].card)
		for r, v := range rows.cols[i] {
			c[int(v)*n.vars[j].card+int(rows.cols[j][r])]++
		}
		return c
	}
	for i := range d {
		own := free.marginal(i)
		joint := make([][]float64, d)
		for j := range i {
			joint[j] = make([]float64, n.vars[i].card*n.vars[j].card)
		}
		for s, p := range own {
			if p == 0 || i == 0 {
				continue
			}
			ev[i] = s
			given := tree.calibrate(ev)
			for j := range i {
				for k, v := range given.marginal(j) {
					joint[j][s*n.vars[j].card+k] = p * v
				}
			}
		}
		ev[i] = -1
		for j := range i {
			sum := 0.0
			for at, c := range counts(i, j) {
				if c > 0 {
					p := c / float64(rows.n)
					sum += p * math.Log2(p/joint[j][at])
				}
			}
			out.Set(i, j, max(sum, 0))
			out.Set(j, i, max(sum, 0))
		}
	}
	return out
}
