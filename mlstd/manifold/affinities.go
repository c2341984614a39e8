package manifold

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// affinities is a sparse symmetric matrix: the entries of row i are at start[i]:start[i+1], in
// ascending order of the columns.
type affinities struct {
	start   []int
	to      []int32
	weights []float64
}

// jointAffinities returns P of t-SNE: (p(j|i) + p(i|j))/2n.
func jointAffinities(d *mat.Dense, perplexity float64) (affinities, error) {
	n, _ := d.Dims()
	k := min(n-1, int(3*perplexity+1))
	near, away, err := nearest(d, k)
	if err != nil {
		return affinities{}, err
	}
	given := away // squared distances become p(j|i), divided by 2n
	par.Range(n, 64, func(lo, hi int) {
		row := make([]float64, k)
		for i := lo; i < hi; i++ {
			at := given[i*k : (i+1)*k]
			for e, v := range at {
				row[e] = v * v
			}
			spread(at, row, math.Log(perplexity))
			for e := range at {
				at[e] /= 2 * float64(n)
			}
		}
	})
	return symmetrized(near, given, n, k), nil
}

// spread writes the probabilities ∝ exp(−β·squares) with the given entropy. It finds β by Newton's
// method between bounds. If the smallest squares are equal, the entropy has a lower bound, and β
// may end large.
func spread(p, squares []float64, entropy float64) {
	least, mean := slices.Min(squares), 0.0
	for _, s := range squares {
		mean += (s - least) / float64(len(squares))
	}
	if mean == 0 {
		for e := range p {
			p[e] = 1 / float64(len(p))
		}
		return
	}
	beta, low, high := 1/mean, 0.0, math.Inf(1)
	const most, tol = 100, 1e-10
	for range most {
		for e, s := range squares {
			p[e] = -beta * (s - least)
		}
		linalg.Exp(p)
		sum, first, second := 0.0, 0.0, 0.0
		for e, v := range p {
			s := squares[e] - least
			sum, first, second = sum+v, first+v*s, second+v*s*s
		}
		for e := range p {
			p[e] /= sum
		}
		first, second = first/sum, second/sum
		off := math.Log(sum) + beta*first - entropy
		if math.Abs(off) < tol {
			return
		}
		if off > 0 {
			low = beta
		} else {
			high = beta
		}
		next := beta + off/(beta*(second-first*first)) // the entropy falls by β·Var
		if !(next > low && next < high) || next > 4*beta {
			next = 2 * beta
			if !math.IsInf(high, 1) {
				next = (low + high) / 2
			}
		}
		if math.IsInf(next*mean, 1) {
			return
		}
		beta = next
	}
}

// symmetrized adds the n x n matrix with k entries per row to its transpose.
func symmetrized(near []int32, given []float64, n, k int) affinities {
	back := make([]int, n+1) // the entries of each column
	for _, j := range near {
		back[j+1]++
	}
	for i := range n {
		back[i+1] += back[i]
	}
	from, value, at := make([]int32, n*k), make([]float64, n*k), slices.Clone(back)
	for e, j := range near {
		from[at[j]], value[at[j]] = int32(e/k), given[e]
		at[j]++
	}
	out := affinities{start: make([]int, n+1), to: make([]int32, 0, 2*n*k), weights: make([]float64, 0, 2*n*k)}
	order := make([]int, k)
	for i := range n {
		for e := range order {
			order[e] = i*k + e
		}
		slices.SortFunc(order, func(a, b int) int { return int(near[a]) - int(near[b]) })
		b, last := back[i], back[i+1]
		for _, e := range order {
			for ; b < last && from[b] < near[e]; b++ {
				out.to, out.weights = append(out.to, from[b]), append(out.weights, value[b])
			}
			v := given[e]
			if b < last && from[b] == near[e] {
				v += value[b]
				b++
			}
			out.to, out.weights = append(out.to, near[e]), append(out.weights, v)
		}
		out.to, out.weights = append(out.to, from[b:last]...), append(out.weights, value[b:last]...)
		out.start[i+1] = len(out.to)
	}
	return out
}
