package neighbors

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NeighborSearch is an algorithm that finds the nearest rows; all algorithms find the same rows.
type NeighborSearch int

const (
	// AutoSearch uses the k-d tree for up to 8 columns if the tree can bound the metric, and brute
	// force otherwise.
	AutoSearch NeighborSearch = iota
	// BruteForce compares a query with every row.
	BruteForce
	// KDTreeSearch searches a k-d tree.
	KDTreeSearch
)

// index finds the nearest of its rows.
type index struct {
	metric   Metric
	p        float64
	distance func(a, b []float64) float64 // instead of the metric, if not nil
	x        *mat.Dense
	tree     *KDTree
	// The next fields are for brute force with the Euclidean metric: the centered rows times scale
	// in single precision, and the largest squared length of a row.
	center  []float64
	rows    *linalg.Singles
	scale   float64
	longest float64
}

func newIndex(op string, x *mat.Dense, metric Metric, p float64, distance func(a, b []float64) float64, search NeighborSearch) (*index, error) {
	_, cols := x.Dims()
	if metric < Euclidean || metric > CosineMetric {
		return nil, model.Errorf(op, "Metric must be one of the constants of ml.Metric, got %d", metric)
	}
	if search < AutoSearch || search > KDTreeSearch {
		return nil, model.Errorf(op, "Search must be one of the constants of ml.NeighborSearch, got %d", search)
	}
	if metric == Minkowski && (!(p >= 1) || math.IsInf(p, 1)) {
		return nil, model.Errorf(op, "P must be finite and at least 1, got %v", p).WithHint("set Metric to Chebyshev for P = ∞")
	}
	boundable := distance == nil && metric.bounded()
	if search == KDTreeSearch && !boundable {
		return nil, model.Errorf(op, "Search must not be KDTree for this distance").WithHint("set Search to BruteForce")
	}
	if distance == nil {
		if err := measurable(op, x, metric); err != nil {
			return nil, err
		}
	}
	ix := &index{metric: metric, p: p, distance: distance, x: mat.DenseCopyOf(x)}
	switch {
	case search == KDTreeSearch || (search == AutoSearch && boundable && cols <= 8):
		ix.tree = NewKDTree(ix.x, metric, p)
	case distance == nil && metric == Euclidean:
		ix.pack()
	}
	return ix, nil
}

// measurable returns an error for values whose powers overflow or underflow. All distances would
// then be equal, and the first rows nearest to everything.
func measurable(op string, x *mat.Dense, metric Metric) error {
	if metric != Euclidean && metric != Minkowski && metric != CosineMetric {
		return nil
	}
	const grain = 1 << 15
	data := x.RawMatrix().Data
	parts := make([]float64, (len(data)+grain-1)/grain)
	par.Range(len(data), grain, func(lo, hi int) {
		least, most := data[lo], data[lo]
		for _, v := range data[lo:hi] {
			if v < least {
				least = v
			}
			if v > most {
				most = v
			}
		}
		parts[lo/grain] = max(-least, most)
	})
	if largest := floats.Max(parts); largest > 1e150 || (largest > 0 && largest < 1e-150) {
		return model.Errorf(op, "the squares of x must be finite, got a value of %.3g", largest).WithHint("scale the columns first")
	}
	return nil
}

// pack prepares the search by brute force.
func (ix *index) pack() {
	const grain = 1024
	n, cols := ix.x.Dims()
	ix.center = make([]float64, cols)
	sums := make([]float64, (n+grain-1)/grain*cols)
	par.Range(n, grain, func(lo, hi int) {
		sum := sums[lo/grain*cols : (lo/grain+1)*cols]
		for i := lo; i < hi; i++ {
			for j, v := range ix.x.RawRowView(i) {
				sum[j] += v
			}
		}
	})
	for at := 0; at < len(sums); at += cols {
		floats.Add(ix.center, sums[at:at+cols])
	}
	floats.Scale(1/float64(n), ix.center)
	lengths := make([]float64, n)
	par.Range(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, v := range ix.x.RawRowView(i) {
				v -= ix.center[j]
				lengths[i] += v * v
			}
		}
	})
	longest := floats.Max(lengths)
	// A power of two scales the lengths to about 1, so that they fit in single precision.
	ix.scale = 1
	if longest > 0 {
		_, e := math.Frexp(longest)
		ix.scale = math.Ldexp(1, -e/2)
	}
	for i, v := range lengths {
		lengths[i] = v * ix.scale * ix.scale
	}
	ix.longest = longest * ix.scale * ix.scale
	ix.rows = linalg.PackSingles(ix.x.RawMatrix().Data, n, cols, ix.center, ix.scale, lengths)
}

const (
	queryBlock = 48 // queries of one task
	// panelBlock is the number of panels of rows that stay in the cache while all queries of a task
	// are compared with them.
	panelBlock = 128
	// farAway is the squared length from which a query is compared exactly with every row, if the
	// rows have length near 1. In single precision all distances of the query would be equal.
	farAway = 1e8
)

// each calls f with the k nearest rows for every row of q, in no particular order and from several
// goroutines.
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
					d := ix.distance(row, ix.x.RawRowView(r))
					if !(d >= 0) {
						panic(model.Errorf("Distance", "the distance to row %d must not be negative, got %v", r, d))
					}
					found.offer(d, r)
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

// queryTile is six queries that are compared with rows together.
type queryTile struct {
	left    []float32 // −2 times the centered queries, scaled, side by side
	limits  [linalg.Together]float32
	lengths [linalg.Together]float64
	found   [linalg.Together]*nearest
}

// euclidean screens the rows by ‖x‖² − 2 q·x in single precision, and computes exact distances for
// the rows that can be among the nearest.
func (ix *index) euclidean(q *mat.Dense, k, lo, hi int, f func(i int, found *nearest)) {
	n, cols := ix.x.Dims()
	tiles := make([]queryTile, (hi-lo+linalg.Together-1)/linalg.Together)
	queries, left := newNearestOf(hi-lo, k), make([]float32, len(tiles)*cols*linalg.Together)
	for t := range tiles {
		tile := &tiles[t]
		tile.left = left[t*cols*linalg.Together : (t+1)*cols*linalg.Together]
		for a := range linalg.Together {
			tile.limits[a] = float32(math.Inf(-1)) // there is no query
			i := lo + t*linalg.Together + a
			if i >= hi {
				continue
			}
			tile.found[a] = &queries[i-lo]
			row := q.RawRowView(i)
			for j, v := range row {
				v = (v - ix.center[j]) * ix.scale
				tile.left[j*linalg.Together+a] = float32(-2 * v)
				tile.lengths[a] += v * v
			}
			if !(tile.lengths[a] < farAway*ix.longest) {
				for j := range cols {
					tile.left[j*linalg.Together+a] = 0
				}
				for r := range n {
					tile.found[a].offer(squared(row, ix.x.RawRowView(r)), r)
				}
				continue
			}
			tile.limits[a] = float32(math.Inf(1))
		}
	}
	// Twice the maximum error of factors and sums in single precision.
	unit := float64(cols+8) * 0x1p-22
	var hits [linalg.Together]uint32
	for first := 0; first < ix.rows.Panels(); first += panelBlock {
		last := min(first+panelBlock, ix.rows.Panels())
		for t := range tiles {
			tile := &tiles[t]
			for at := first; ; at++ {
				if at = ix.rows.Below(tile.left, &tile.limits, &hits, at, last); at == last {
					break
				}
				for a, found := range hits {
					if found == 0 {
						continue
					}
					near, row := tile.found[a], q.RawRowView(lo+t*linalg.Together+a)
					for ; found != 0; found &= found - 1 {
						if r := at*16 + bits.TrailingZeros32(found); r < n {
							near.offer(squared(row, ix.x.RawRowView(r)), r)
						}
					}
					margin := unit*(tile.lengths[a]+ix.longest) - tile.lengths[a]
					tile.limits[a] = float32(near.worst()*ix.scale*ix.scale + margin)
				}
			}
		}
	}
	for i := lo; i < hi; i++ {
		f(i, tiles[(i-lo)/linalg.Together].found[(i-lo)%linalg.Together])
	}
}

// dist converts a rank to a distance.
func (ix *index) dist(rank float64) float64 {
	if ix.distance != nil {
		return rank
	}
	return ix.metric.distance(rank, ix.p)
}
