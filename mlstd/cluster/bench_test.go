package cluster_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"gonum.org/v1/gonum/mat"
)

// overlapping draws n rows around k means that lie close together.
func overlapping(n, cols, k int) *mat.Dense { return clouds(n, cols, k, 2) }

// clouds draws n rows around k means, which lie apart by about the scale times the square
// root of the number of columns.
func clouds(n, cols, k int, scale float64) *mat.Dense {
	rng := model.Rand(1, 0)
	centers := make([][]float64, k)
	for c := range centers {
		centers[c] = make([]float64, cols)
		for j := range cols {
			centers[c][j] = scale * rng.NormFloat64()
		}
	}
	return data.Blobs(n/k, centers, 2, 1).X.Dense
}

func BenchmarkKMeans(b *testing.B) {
	for name, scale := range map[string]float64{"overlapping": 2, "apart": 8} {
		b.Run(name, func(b *testing.B) {
			x := clouds(100000, 20, 20, scale)
			first := make([]int, 20)
			for i := range first { // some clouds have two, some none
				first[i] = i * 3301
			}
			b.ReportAllocs()
			for b.Loop() {
				m := cluster.KMeans{InitCenters: pick.Rows(x, first)}
				if err := m.Fit(x); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Steps[0]), "steps")
			}
		})
	}
}

func BenchmarkHDBSCAN(b *testing.B) {
	x := overlapping(5000, 3, 10)
	for b.Loop() {
		if _, err := (&cluster.HDBSCAN{MinCluster: 20}).FitPredict(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAgglomerative(b *testing.B) {
	x := overlapping(2000, 10, 10)
	for b.Loop() {
		if _, err := (&cluster.Agglomerative{K: 10}).FitPredict(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDBSCAN(b *testing.B) {
	x := overlapping(10000, 3, 10)
	for b.Loop() {
		if _, err := (&cluster.DBSCAN{Eps: 0.5}).FitPredict(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKMedoids(b *testing.B) {
	x := overlapping(1000, 10, 10)
	for b.Loop() {
		if err := (&cluster.KMedoids{K: 10}).Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}
