package neighbors

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NeighborIndex finds the rows of a matrix that are near query rows: the k nearest rows, or all
// rows within a radius. It is the basis of the algorithms that need neighborhoods.
//
// Course: NEAR-04, NEAR-15.
type NeighborIndex struct {
	// Metric is the distance; the default is Euclidean.
	Metric Metric
	// P is the power of the Minkowski metric; 0 means 2. 1 is the Manhattan distance, 2 the
	// Euclidean distance. A larger P weights the column with the largest difference more.
	P float64
	// Distance, if set, is used instead of Metric.
	Distance func(a, b []float64) float64 `json:"-"`
	// Search determines how rows are found. The default is AutoSearch.
	Search NeighborSearch

	index *index

	model.Fitted // set by Fit: the columns that it was given
}

// Learn keeps a copy of the rows of x.
func (m *NeighborIndex) Learn(x mat.Matrix) error {
	model.NoteX(&m.Fitted, x)
	m.index = nil
	const op = "NeighborIndex.Learn"
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	p := m.P
	if p == 0 {
		p = 2
	}
	ix, err := newIndex(op, d, m.Metric, p, m.Distance, m.Search)
	if err != nil {
		return err
	}
	m.index = ix
	return nil
}

func (m *NeighborIndex) queries(op string, q mat.Matrix) *mat.Dense {
	if m.index == nil {
		panic(model.NotFitted(op).WithHint("call Learn first"))
	}
	return model.MustRows(op, q, m.index.x.RawMatrix().Cols)
}

// Nearest returns the indices of the k rows nearest to each row of q, the nearest first, and their
// distances. Of equally distant rows, the lower index comes first. The nearest row to a learned row
// is the row itself.
func (m *NeighborIndex) Nearest(q mat.Matrix, k int) (rows [][]int, distances [][]float64) {
	const op = "NeighborIndex.Nearest"
	q = model.MustRead(op, &m.Fitted, q)
	d := m.queries(op, q)
	if _, err := checkK(op, k, m.index.x.RawMatrix().Rows); err != nil || k == 0 {
		panic(model.Errorf(op, "k must be between 1 and %d (the number of rows), got %d", m.index.x.RawMatrix().Rows, k))
	}
	n, _ := d.Dims()
	rows, distances = make([][]int, n), make([][]float64, n)
	m.index.each(d, k, func(i int, found *nearest) {
		rows[i], distances[i] = found.sorted()
		for j, r := range distances[i] {
			distances[i][j] = m.index.dist(r)
		}
	})
	return rows, distances
}

// Within returns the indices of all rows at a distance of at most radius from each row of q, in no
// particular order. The total number can be as large as the number of pairs of rows.
func (m *NeighborIndex) Within(q mat.Matrix, radius float64) [][]int32 {
	const op = "NeighborIndex.Within"
	q = model.MustRead(op, &m.Fitted, q)
	d := m.queries(op, q)
	if !(radius >= 0) {
		panic(model.Errorf(op, "radius must not be negative, got %v", radius))
	}
	n, _ := d.Dims()
	rows := make([][]int32, n)
	par.Range(n, queryBlock, func(lo, hi int) { m.index.within(d, lo, hi, radius, rows) })
	return rows
}

// rankOf converts a distance to a rank.
func (ix *index) rankOf(radius float64) float64 {
	switch {
	case ix.distance != nil:
		return radius
	case ix.metric == Euclidean:
		return radius * radius
	case ix.metric == Minkowski:
		return math.Pow(radius, ix.p)
	}
	return radius
}

// within finds the rows for the queries from lo to hi.
func (ix *index) within(q *mat.Dense, lo, hi int, radius float64, rows [][]int32) {
	limit := ix.rankOf(radius)
	if ix.rows != nil {
		ix.screen(q, lo, hi, limit, rows)
		return
	}
	n := ix.x.RawMatrix().Rows
	var found []int32
	away := make([]float64, q.RawMatrix().Cols)
	for i := lo; i < hi; i++ {
		row := q.RawRowView(i)
		found = found[:0]
		switch {
		case ix.tree != nil:
			found = ix.tree.within(0, len(ix.tree.Nodes), row, 0, limit, away, found)
		default:
			for r := range n {
				if ix.rank(row, ix.x.RawRowView(r)) <= limit {
					found = append(found, int32(r))
				}
			}
		}
		rows[i] = append(make([]int32, 0, len(found)), found...)
	}
}

func (ix *index) rank(a, b []float64) float64 {
	if ix.distance != nil {
		return ix.distance(a, b)
	}
	return ix.metric.rank(a, b, ix.p)
}

// screen is within for the packed rows: screening in single precision leaves few rows to compare
// exactly.
func (ix *index) screen(q *mat.Dense, lo, hi int, limit float64, rows [][]int32) {
	n, cols := ix.x.Dims()
	left := make([]float32, cols*linalg.Together)
	unit := float64(cols+8) * 0x1p-22
	var hits [linalg.Together]uint32
	var found [linalg.Together][]int32
	for first := lo; first < hi; first += linalg.Together {
		var limits [linalg.Together]float32
		clear(left)
		for a := range linalg.Together {
			found[a] = found[a][:0]
			limits[a] = float32(math.Inf(-1))
			i := first + a
			if i >= hi {
				continue
			}
			length, row := 0.0, q.RawRowView(i)
			for j, v := range row {
				v = (v - ix.center[j]) * ix.scale
				left[j*linalg.Together+a] = float32(-2 * v)
				length += v * v
			}
			if !(length < farAway*ix.longest) {
				for j := range cols {
					left[j*linalg.Together+a] = 0
				}
				for r := range n {
					if squared(row, ix.x.RawRowView(r)) <= limit {
						found[a] = append(found[a], int32(r))
					}
				}
				continue
			}
			scaled := limit * ix.scale * ix.scale
			limits[a] = float32(scaled + unit*(length+ix.longest+scaled) - length)
		}
		last := ix.rows.Panels()
		for at := 0; ; at++ {
			if at = ix.rows.Below(left, &limits, &hits, at, last); at == last {
				break
			}
			for a, hit := range hits {
				for ; hit != 0; hit &= hit - 1 {
					r := at*16 + bits.TrailingZeros32(hit)
					if r < n && squared(q.RawRowView(first+a), ix.x.RawRowView(r)) <= limit {
						found[a] = append(found[a], int32(r))
					}
				}
			}
		}
		for a := range min(linalg.Together, hi-first) {
			rows[first+a] = append(make([]int32, 0, len(found[a])), found[a]...)
		}
	}
}

// within adds to found the rows with rank at most limit in the subtree of size nodes that begins at
// node at. For the Euclidean metric, bound is a lower bound on the squared distance of q from the
// cell, and away is the distance along each column.
func (t *KDTree) within(at, size int, q []float64, bound, limit float64, away []float64, found []int32) []int32 {
	if size <= bucket {
		for i := at; i < at+size; i++ {
			if t.rank(q, i) <= limit {
				found = append(found, int32(t.Nodes[i].Row))
			}
		}
		return found
	}
	node := &t.Nodes[at]
	if t.rank(q, at) <= limit {
		found = append(found, int32(node.Row))
	}
	d := q[node.Column] - node.Value
	mid := size / 2
	near, nearSize, far, farSize := at+1, mid, at+1+mid, size-1-mid
	if d > 0 {
		near, nearSize, far, farSize = far, farSize, near, nearSize
	}
	found = t.within(near, nearSize, q, bound, limit, away, found)
	if t.Metric != Euclidean {
		if t.Metric.axis(d, t.P) > limit {
			return found
		}
		return t.within(far, farSize, q, 0, limit, away, found)
	}
	old := away[node.Column]
	beyond := bound - old*old + d*d
	// Allow for rounding in the bound.
	if beyond*(1-1e-12)-1e-12*bound > limit {
		return found
	}
	away[node.Column] = d
	found = t.within(far, farSize, q, beyond, limit, away, found)
	away[node.Column] = old
	return found
}

func (t *KDTree) rank(q []float64, at int) float64 {
	if t.Metric == Euclidean {
		return squared(q, t.points.RawRowView(at))
	}
	return t.Metric.rank(q, t.points.RawRowView(at), t.P)
}
