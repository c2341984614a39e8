package neighbors

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NeighborSearch is a way to find the nearest rows; all give the same ones.
type NeighborSearch int

const (
	// AutoSearch takes the k-d tree for up to 8 columns (and a metric that it can
	// bound) and brute force otherwise.
	AutoSearch NeighborSearch = iota
	// BruteForce compares a query with every row.
	BruteForce
	// KDTreeSearch goes down a k-d tree.
	KDTreeSearch
)

// index finds the nearest of its rows.
type index struct {
	metric   Metric
	p        float64
	distance func(a, b []float64) float64 // instead of the metric, if not nil
	x        *mat.Dense
	tree     *KDTree
	// For the Euclidean metric by brute force: the centered rows and their squared
	// lengths.
	center  []float64
	rows    *linalg.Panels
	lengths []float64
	longest float64
}

func newIndex(op string, x *mat.Dense, metric Metric, p float64, distance func(a, b []float64) float64, search NeighborSearch) (*index, error) {
	n, cols := x.Dims()
	if metric < Euclidean || metric > CosineMetric {
		return nil, model.Errorf(op, "there is no metric %d", metric)
	}
	if search < AutoSearch || search > KDTreeSearch {
		return nil, model.Errorf(op, "there is no search %d", search)
	}
	if metric == Minkowski && (!(p >= 1) || math.IsInf(p, 1)) {
		return nil, model.Errorf(op, "P is %v", p).WithHint("choose a finite P ≥ 1; P = ∞ is the metric Chebyshev")
	}
	boundable := distance == nil && metric.bounded()
	if search == KDTreeSearch && !boundable {
		return nil, model.Errorf(op, "a k-d tree has no bound for this distance").WithHint("set Search to BruteForce")
	}
	ix := &index{metric: metric, p: p, distance: distance, x: mat.DenseCopyOf(x)}
	switch {
	case search == KDTreeSearch || (search == AutoSearch && boundable && cols <= 8):
		ix.tree = NewKDTree(ix.x, metric, p)
	case distance == nil && metric == Euclidean:
		ix.center = make([]float64, cols)
		for i := range n {
			for j, v := range ix.x.RawRowView(i) {
				ix.center[j] += (v - ix.center[j]) / float64(i+1)
			}
		}
		centered := make([]float64, n*cols)
		ix.lengths = make([]float64, n)
		for i := range n {
			for j, v := range ix.x.RawRowView(i) {
				v -= ix.center[j]
				centered[i*cols+j] = v
				ix.lengths[i] += v * v
			}
			ix.longest = max(ix.longest, ix.lengths[i])
		}
		ix.rows = linalg.Pack(centered, n, cols, cols)
	}
	return ix, nil
}

const (
	queryBlock = 48  // queries that are compared with a block of rows at a time
	rowBlock   = 512 // rows in such a block, whose products stay in the cache
)

// each calls f with the k nearest rows of every row of q, in any order of the
// queries and from several goroutines.
func (ix *index) each(q *mat.Dense, k int, f func(i int, found *nearest)) {
	n, _ := q.Dims()
	if ix.rows != nil {
		par.Range(n, queryBlock, func(lo, hi int) { ix.euclidean(q, k, lo, hi, f) })
		return
	}
	par.Range(n, queryBlock, func(lo, hi int) {
		found := newNearest(k)
		away := make([]float64, q.RawMatrix().Cols)
		for i := lo; i < hi; i++ {
			found.reset()
			row := q.RawRowView(i)
			switch {
			case ix.tree != nil:
				ix.tree.search(row, away, found)
			case ix.distance != nil:
				for r := range ix.x.RawMatrix().Rows {
					found.offer(ix.distance(row, ix.x.RawRowView(r)), r)
				}
			default:
				for r := range ix.x.RawMatrix().Rows {
					found.offer(ix.metric.rank(row, ix.x.RawRowView(r), ix.p), r)
				}
			}
			f(i, found)
		}
	})
}

// euclidean screens blocks of rows by ‖q‖² + ‖x‖² − 2 q·x, a matrix product, and
// computes the distances exactly of those that can be among the nearest.
func (ix *index) euclidean(q *mat.Dense, k, lo, hi int, f func(i int, found *nearest)) {
	n, cols := ix.x.Dims()
	m := hi - lo
	centered := make([]float64, m*cols)
	lengths := make([]float64, m)
	found := make([]*nearest, m)
	for a := range m {
		found[a] = newNearest(k)
		for j, v := range q.RawRowView(lo + a) {
			v -= ix.center[j]
			centered[a*cols+j] = v
			lengths[a] += v * v
		}
	}
	dots := make([]float64, m*rowBlock)
	// The sum's rounding is at most (cols+4)·ε of the squared lengths involved.
	unit := float64(cols+4) * 0x1p-51
	for at := 0; at < n; at += rowBlock {
		width := min(rowBlock, n-at)
		clear(dots)
		linalg.AddProductRows(dots, rowBlock, centered, m, cols, ix.rows, at, at+width)
		own := ix.lengths[at : at+width]
		for a := range m {
			row, near := q.RawRowView(lo+a), found[a]
			margin := 2*unit*(lengths[a]+ix.longest) - lengths[a]
			limit := near.worst() + margin
			for b, dot := range dots[a*rowBlock : a*rowBlock+width] {
				if own[b]-2*dot > limit {
					continue
				}
				near.offer(squared(row, ix.x.RawRowView(at+b)), at+b)
				limit = near.worst() + margin
			}
		}
	}
	for a := range m {
		f(lo+a, found[a])
	}
}

// dist gives the distance of a rank.
func (ix *index) dist(rank float64) float64 {
	if ix.distance != nil {
		return rank
	}
	return ix.metric.distance(rank, ix.p)
}
