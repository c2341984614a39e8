package manifold

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Trustworthiness measures whether the k nearest neighbors of each point in y are also near in x.
// It is 1 if all these neighbors are among the k nearest neighbors in x. The farther away the other
// neighbors are in x, the lower the trustworthiness is.
//
//	T = 1 − 2/(n·k·(2n − 3k − 1)) · Σᵢ Σ_{j ∈ N_y(i)} max(0, rank_x(i, j) − k)
//
// where rank_x(i, j) is 1 for the row nearest to i. Row i of y is the point of row i of x; k must
// be below n/2.
//
// Cost: O(n²·(d + log n)).
//
// References: [VennaKaski2001].
func Trustworthiness(x, y mat.Matrix, k int) float64 {
	const op = "Trustworthiness"
	a, err := checkRows(op, x)
	if err != nil {
		panic(err)
	}
	b, err := checkRows(op, y)
	if err != nil {
		panic(err)
	}
	n, _ := a.Dims()
	if m, _ := b.Dims(); m != n {
		panic(model.Errorf(op, "x and y must have the same number of rows, got %d and %d", n, m))
	}
	if k < 1 || 2*k >= n {
		panic(model.Errorf(op, "k must be at least 1 and below half of %d (the number of rows), got %d", n, k))
	}
	near, _, err := nearest(b, k)
	if err != nil {
		panic(err)
	}
	wrong := make([]int, n)
	par.Range(n, 16, func(lo, hi int) {
		away, order, rank := make([]float64, n), make([]int, n), make([]int, n)
		for i := lo; i < hi; i++ {
			for j := range n {
				away[j], order[j] = squared(a.RawRowView(i), a.RawRowView(j)), j
			}
			away[i] = -1 // the first, with rank 0
			slices.SortFunc(order, func(p, q int) int { return cmp.Or(cmp.Compare(away[p], away[q]), p-q) })
			for r, j := range order {
				rank[j] = r
			}
			for _, j := range near[i*k : (i+1)*k] {
				wrong[i] += max(0, rank[j]-k)
			}
		}
	})
	sum := 0
	for _, w := range wrong {
		sum += w
	}
	return 1 - 2*float64(sum)/float64(n*k*(2*n-3*k-1))
}

func squared(a, b []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += (v - b[j]) * (v - b[j])
	}
	return s
}
