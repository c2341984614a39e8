package neighbors_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// Every search finds the rows that a check of all distances finds.
func TestNeighborIndexWithin(t *testing.T) {
	for _, cols := range []int{1, 2, 5, 12} {
		x, q := data.UniformCube(300, cols, 1), data.UniformCube(40, cols, 2)
		q.Set(3, 0, 1e6) // far away from all
		for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.CosineMetric} {
			distance := map[neighbors.Metric]func(a, b []float64) float64{
				neighbors.Euclidean: neighbors.EuclideanDistance, neighbors.Manhattan: neighbors.ManhattanDistance,
				neighbors.Chebyshev:    neighbors.ChebyshevDistance,
				neighbors.CosineMetric: func(a, b []float64) float64 { return 1 - neighbors.CosineSimilarity(a, b) },
			}[metric]
			for _, search := range []neighbors.NeighborSearch{neighbors.AutoSearch, neighbors.BruteForce, neighbors.KDTreeSearch} {
				if search == neighbors.KDTreeSearch && metric == neighbors.CosineMetric {
					continue
				}
				ix := neighbors.NeighborIndex{Metric: metric, Search: search}
				if err := ix.Learn(x); err != nil {
					t.Fatal(err)
				}
				for _, radius := range []float64{0, 0.2, 0.5, 3} {
					for i, got := range ix.Within(q, radius) {
						// For rows on the border, rounding decides.
						away := func(r int) float64 { return distance(q.RawRowView(i), x.RawRowView(r)) - radius }
						got = slices.DeleteFunc(got, func(r int32) bool { return math.Abs(away(int(r))) < 1e-12 })
						slices.Sort(got)
						var want []int32
						for r := range 300 {
							if away(r) <= -1e-12 {
								want = append(want, int32(r))
							}
						}
						if !slices.Equal(got, want) {
							t.Fatalf("%v, %d columns, radius %v, query %d: got %v, want %v", metric, cols, radius, i, got, want)
						}
					}
				}
				rows, distances := ix.Nearest(q, 3)
				for i := range rows {
					if got, want := distances[i][0], distance(q.RawRowView(i), x.RawRowView(rows[i][0])); math.Abs(got-want) > 1e-12*max(1, want) {
						t.Fatalf("the nearest of %d is at %v, want %v", i, got, want)
					}
				}
			}
		}
	}
}
