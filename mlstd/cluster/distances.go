package cluster

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// mostRows is the largest number of rows for which a square matrix of distances is stored: 1.8 GB.
const mostRows = 15000

// PairDistances returns the Euclidean distance between each pair of rows i < j of x, in the order
// (0,1), (0,2) ... (1,2) ...
//
// Course: CLU-09.
func PairDistances(x mat.Matrix) []float64 {
	const op = "PairDistances"
	d, err := checkRows(op, x)
	if err == nil {
		err = checkPairs(op, d.RawMatrix().Rows)
	}
	if err != nil {
		panic(err)
	}
	return pairs(d, between(neighbors.Euclidean, 2, nil))
}

// checkPairs returns an error if n rows have too many distances to store.
func checkPairs(op string, n int) error {
	if n > mostRows {
		return model.Errorf(op, "x has too many rows: the distances between %d rows would take %.1f GB", n, float64(n)*float64(n)*8/1e9).
			WithHint("pass at most %d rows: a sample, or the centers of KMeans", mostRows)
	}
	return nil
}

// between returns the distance function of a metric, or the given function if there is one.
func between(metric neighbors.Metric, p float64, distance func(a, b []float64) float64) func(a, b []float64) float64 {
	switch {
	case distance != nil:
		return distance
	case metric == neighbors.Manhattan:
		return neighbors.ManhattanDistance
	case metric == neighbors.Chebyshev:
		return neighbors.ChebyshevDistance
	case metric == neighbors.Minkowski:
		return func(a, b []float64) float64 { return neighbors.MinkowskiDistance(a, b, p) }
	case metric == neighbors.HammingCount:
		return neighbors.HammingDistance
	case metric == neighbors.CosineMetric:
		return func(a, b []float64) float64 { return max(0, 1-neighbors.CosineSimilarity(a, b)) }
	}
	return func(a, b []float64) float64 { return math.Sqrt(squared(a, b)) }
}

// checkMetric returns an error if the metric is unknown or does not fit p.
func checkMetric(op string, metric neighbors.Metric, p float64) error {
	if metric < neighbors.Euclidean || metric > neighbors.CosineMetric {
		return model.Errorf(op, "Metric must be one of the constants of ml.Metric, got %d", metric)
	}
	if metric == neighbors.Minkowski && !(p >= 1) {
		return model.Errorf(op, "P must be at least 1, got %v", p)
	}
	return nil
}

// pairs returns the distances of all pairs of rows.
func pairs(d *mat.Dense, far func(a, b []float64) float64) []float64 {
	n, _ := d.Dims()
	out := make([]float64, n*(n-1)/2)
	par.Range(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, at := d.RawRowView(i), pairAt(n, i, i+1)
			for j := i + 1; j < n; j++ {
				out[at] = far(row, d.RawRowView(j))
				at++
			}
		}
	})
	return out
}

// square returns the distances between all rows, n x n in rows of n. If given is set, d itself is
// the matrix of distances.
func square(op string, d *mat.Dense, given bool, far func(a, b []float64) float64) ([]float64, error) {
	n, _ := d.Dims()
	if err := checkPairs(op, n); err != nil {
		return nil, err
	}
	if given {
		return givenSquare(op, d)
	}
	out := make([]float64, n*n)
	par.Range(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := d.RawRowView(i)
			for j := i + 1; j < n; j++ {
				out[i*n+j] = far(row, d.RawRowView(j))
			}
		}
	})
	const tile = 32 // fill the other triangle tile by tile, so that memory is accessed locally
	par.Range(n, tile, func(lo, hi int) {
		for c := 0; c < hi; c += tile {
			for i := lo; i < hi; i++ {
				for j := c; j < min(c+tile, i); j++ {
					out[i*n+j] = out[j*n+i]
				}
			}
		}
	})
	return out, measured(op, out)
}

// givenSquare returns a copy of the distances that the user passed.
func givenSquare(op string, d *mat.Dense) ([]float64, error) {
	n, cols := d.Dims()
	if n != cols {
		return nil, model.Errorf(op, "the distances must be a square matrix, got %dx%d", n, cols).WithHint("give one row and one column per example")
	}
	for i := range n {
		for j := i; j < n; j++ {
			v, w := d.At(i, j), d.At(j, i)
			switch {
			case !(v >= 0):
				return nil, model.Errorf(op, "the distance between rows %d and %d must not be negative, got %v", i, j, v)
			case math.Abs(v-w) > 1e-9*max(v, w):
				return nil, model.Errorf(op, "the distances must be symmetric, got [%[1]d][%[2]d] = %[3]v and [%[2]d][%[1]d] = %[4]v", i, j, v, w)
			case i == j && v != 0:
				return nil, model.Errorf(op, "the distance of row %d to itself must be 0, got %v", i, v)
			}
		}
	}
	return slices.Clone(d.RawMatrix().Data), nil
}

// measured returns an error if a distance function returned invalid distances.
func measured(op string, distances []float64) error {
	for _, v := range distances {
		if !(v >= 0) || math.IsInf(v, 0) {
			return model.Errorf(op, "a distance must be finite and not negative, got %v", v)
		}
	}
	return nil
}
