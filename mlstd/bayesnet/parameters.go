package bayesnet

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CPTPrior is the prior of the tables, as virtual examples that are added to the counts. The zero
// value adds no virtual examples.
type CPTPrior struct {
	Alpha float64 // added to each count; 1 is Laplace's rule
	M     float64 // virtual examples for each row of each table
	// Mean distributes the M examples in proportion to the probabilities in its tables; nil
	// distributes them evenly.
	Mean *BayesNetwork
	// Equivalent is the number of virtual examples per table, spread evenly over its entries, as in
	// the BDeu score. A larger value makes the probabilities more uniform.
	Equivalent float64
}

// pseudo returns the virtual counts of each table.
func (p CPTPrior) pseudo(op string, n *BayesNetwork) ([][]float64, error) {
	for _, v := range []struct {
		name  string
		value float64
	}{{"Alpha", p.Alpha}, {"M", p.M}, {"Equivalent", p.Equivalent}} {
		if !(v.value >= 0) || math.IsInf(v.value, 0) {
			return nil, model.Errorf(op, "%s of the prior must be finite and not negative, got %v", v.name, v.value)
		}
	}
	if p.Mean != nil && !sameGraph(p.Mean, n) {
		return nil, model.Errorf(op, "Mean of the prior must have the same variables, states and parents as the network, in the same order")
	}
	out := make([][]float64, len(n.vars))
	for i, v := range n.vars {
		out[i] = make([]float64, len(v.table))
		for k := range out[i] {
			mean := 1 / float64(v.card)
			if p.Mean != nil {
				mean = p.Mean.vars[i].table[k]
			}
			out[i][k] = p.Alpha + p.M*mean + p.Equivalent/float64(len(v.table))
		}
	}
	return out, nil
}

func sameGraph(a, b *BayesNetwork) bool {
	if len(a.vars) != len(b.vars) {
		return false
	}
	for i := range a.vars {
		if a.Nodes[i].Name != b.Nodes[i].Name || a.vars[i].card != b.vars[i].card || len(a.vars[i].parents) != len(b.vars[i].parents) {
			return false
		}
		for k, p := range a.vars[i].parents {
			if b.vars[i].parents[k] != p {
				return false
			}
		}
	}
	return true
}

// LearnCPTs returns a network with the same graph and the maximum likelihood tables for complete
// examples. With a prior, the tables are the m-estimate, the mean of the posterior.
//
//	P(x|pa) = (n_{x,pa} + p_{x,pa}·m) / (Σᵥ n_{v,pa} + m)
//
// Columns of a model.Table are matched by name, columns of any other matrix by position. A row of a
// CPT without examples or prior is uniform. Missing values are an error: see [BayesEM].
//
// Pitfalls: without a prior, a combination that does not occur in the examples has probability 0.
// The mode of the posterior with a Dirichlet(a) prior is the estimate for Alpha = a − 1.
//
// Cost: O(rows·variables). References: [Mitchell1997] §6.9.1, [Heckerman1998]. Course:
// BN-04, BN-05.
func LearnCPTs(n *BayesNetwork, x mat.Matrix, prior ...CPTPrior) (*BayesNetwork, error) {
	const op = "LearnCPTs"
	rows, err := n.read(op, x)
	if err != nil {
		return nil, err
	}
	var p CPTPrior
	if len(prior) > 0 {
		p = prior[0]
	}
	pseudo, err := p.pseudo(op, n)
	if err != nil {
		return nil, err
	}
	for i, c := range rows.cols {
		for r, s := range c {
			if s < 0 {
				return nil, model.Errorf(op, "%s must have a value in every row, got a missing one in row %d", n.Nodes[i].Name, r).WithHint("use ml.BayesEM for incomplete examples")
			}
		}
	}
	return n.with(n.tables(n.counts(rows), pseudo)), nil
}

// counts counts complete rows.
func (n *BayesNetwork) counts(rows *rows) [][]float64 {
	out := make([][]float64, len(n.vars))
	for i, v := range n.vars {
		out[i] = make([]float64, len(v.table))
		for r := range rows.n {
			at := 0
			for _, p := range v.parents {
				at = at*n.vars[p].card + int(rows.cols[p][r])
			}
			out[i][at*v.card+int(rows.cols[i][r])]++
		}
	}
	return out
}

// tables converts counts plus virtual counts to probabilities.
func (n *BayesNetwork) tables(counts, pseudo [][]float64) [][]float64 {
	out := make([][]float64, len(n.vars))
	for i, v := range n.vars {
		out[i] = make([]float64, len(v.table))
		for at := 0; at < len(out[i]); at += v.card {
			row := out[i][at : at+v.card]
			for k := range row {
				row[k] = counts[i][at+k] + pseudo[i][at+k]
			}
			if normalize(row) == 0 {
				for k := range row {
					row[k] = 1 / float64(v.card)
				}
			}
		}
	}
	return out
}

// LogLikelihood returns the log-likelihood of the network for the examples, Σ log P(row). Missing
// values are summed out.
//
// Course: BN-04, BN-15.
func (n *BayesNetwork) LogLikelihood(x mat.Matrix) (float64, error) {
	rows, err := n.read("BayesNetwork.LogLikelihood", x)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	tree := n.cliques()
	for _, g := range rows.distinct() {
		if g.complete() {
			sum += g.weight * n.logProb(g.states)
			continue
		}
		sum += g.weight * tree.calibrate(g.states).logEvidence
	}
	return sum, nil
}

// pattern is a row with the number of times it occurs.
type pattern struct {
	states []int
	weight float64
}

func (p pattern) complete() bool {
	for _, s := range p.states {
		if s < 0 {
			return false
		}
	}
	return true
}

// distinct returns each different row once, in the order of first occurrence.
func (r *rows) distinct() []pattern {
	var out []pattern
	seen := map[string]int{}
	key := make([]byte, 2*len(r.cols))
	for i := range r.n {
		for j, c := range r.cols {
			key[2*j], key[2*j+1] = byte(c[i]), byte(c[i]>>8)
		}
		k, ok := seen[string(key)]
		if !ok {
			k = len(out)
			seen[string(key)] = k
			states := make([]int, len(r.cols))
			for j, c := range r.cols {
				states[j] = int(c[i])
			}
			out = append(out, pattern{states: states})
		}
		out[k].weight++
	}
	return out
}
