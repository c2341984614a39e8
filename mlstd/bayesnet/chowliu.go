package bayesnet

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ChowLiuTree is the network that [ChowLiu] learned, with the weights and edges of the search.
type ChowLiuTree struct {
	*BayesNetwork
	Weights *mat.Dense     // I(Xᵢ;Xⱼ) in bits; on the diagonal the entropies
	Edges   []SpanningEdge // of the tree, in the order in which Prim's method added them from the root
}

// ChowLiu learns the tree-shaped network with the maximum likelihood. It is the maximum spanning
// tree, with mutual information as edge weights, directed away from a root. The root is the first
// variable unless you name another.
//
//	I(X;Y) = Σ P(x,y)·log₂(P(x,y) / (P(x)·P(y)))
//	max over trees of log P(D|tree) = n·(Σ over edges of I − Σᵢ H(Xᵢ))
//
// Steps: compute the mutual information of each pair, find a spanning tree by [Prim], direct its
// edges, and fill the tables with counts. The choice of the root does not change any probability.
//
// Columns hold states 0, 1, 2 ...; columns of a table may be nominal.
//
// Cost: O(n·d²). References: [ChowLiu1968]. Course: BN-10.
func ChowLiu(x mat.Matrix, root ...string) (*ChowLiuTree, error) {
	const op = "ChowLiu"
	vars, rows, err := variables(op, x)
	if err != nil {
		return nil, err
	}
	start := 0
	if len(root) > 0 {
		if start = slices.IndexFunc(vars, func(c CPT) bool { return c.Name == root[0] }); start < 0 {
			return nil, model.Errorf(op, "there is no variable %q", root[0]).WithHint("name a column of x")
		}
	}
	t := &ChowLiuTree{Weights: information(rows, cardsOf(vars), nil, 0)}
	t.Edges = Prim(t.Weights, start)
	parents := make([][]int, len(vars))
	for _, e := range t.Edges {
		parents[e.To] = []int{e.From}
	}
	n, err := structure(op, "Chow-Liu tree", vars, parents)
	if err != nil {
		return nil, err
	}
	t.BayesNetwork = n.with(n.tables(n.counts(rows), zeros(n)))
	return t, nil
}

func cardsOf(vars []CPT) []int {
	cards := make([]int, len(vars))
	for i, v := range vars {
		cards[i] = len(v.States)
	}
	return cards
}

func zeros(n *BayesNetwork) [][]float64 {
	out := make([][]float64, len(n.vars))
	for i, v := range n.vars {
		out[i] = make([]float64, len(v.table))
	}
	return out
}

// information computes the mutual information of each pair of columns in bits, with the entropies
// on the diagonal. If class is not nil, it is conditional on the class of each row.
func information(r *rows, cards []int, class []int, classes int) *mat.Dense {
	d := len(cards)
	out := mat.NewDense(d, d, nil)
	if class == nil {
		class, classes = make([]int, r.n), 1
	}
	size := make([]float64, classes)
	for _, c := range class {
		size[c]++
	}
	single := make([][]float64, d) // of each column, counts by class and state
	for i, col := range r.cols {
		single[i] = make([]float64, classes*cards[i])
		for k, v := range col {
			single[i][class[k]*cards[i]+int(v)]++
		}
	}
	par.Range(d, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out.Set(i, i, entropy(single[i], size, cards[i], r.n))
			for j := range i {
				joint := make([]float64, classes*cards[i]*cards[j])
				a, b := r.cols[i], r.cols[j]
				for k := range a {
					joint[(class[k]*cards[i]+int(a[k]))*cards[j]+int(b[k])]++
				}
				sum := 0.0
				for at, c := range joint {
					if c > 0 {
						y := at / (cards[i] * cards[j])
						sum += c * math.Log2(c*size[y]/(single[i][at/cards[j]]*single[j][y*cards[j]+at%cards[j]]))
					}
				}
				sum = max(sum/float64(r.n), 0)
				out.Set(i, j, sum)
			}
		}
	})
	for i := range d {
		for j := range i {
			out.Set(j, i, out.At(i, j))
		}
	}
	return out
}

func entropy(counts, size []float64, card, n int) float64 {
	sum := 0.0
	for at, c := range counts {
		if c > 0 {
			sum -= c * math.Log2(c/size[at/card])
		}
	}
	return max(sum/float64(n), 0)
}
