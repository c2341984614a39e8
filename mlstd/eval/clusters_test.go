package eval_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// The metrics of testdata/oracles/cluster.py.
func TestOracleClusterings(t *testing.T) {
	var o struct {
		Sets []struct {
			Data    string
			X       [][]float64
			Y       []int
			Metrics []struct {
				Labels                               []int
				Silhouettes                          []float64
				Silhouette, Manhattan                float64
				DaviesBouldin, CalinskiHarabasz      float64
				Rand, AdjustedRand                   float64
				Mutual, Normalized, Adjusted         float64
				Homogeneity, Completeness, V, Purity float64
				FowlkesMallows                       float64
				Table                                [][]int
			}
		}
	}
	mltest.ReadOracle(t, "cluster", &o)
	if len(o.Sets) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	for _, s := range o.Sets {
		x := data.Rows(s.X)
		d := mat.NewDense(len(s.X), len(s.X), nil)
		d.Apply(func(i, j int, _ float64) float64 { return neighbors.ManhattanDistance(s.X[i], s.X[j]) }, d)
		for _, c := range s.Metrics {
			mltest.NearAll(t, s.Data+" silhouettes", eval.SilhouetteSamples(x, c.Labels), c.Silhouettes, 1e-9)
			of := eval.SilhouetteOfDistances(d, c.Labels)
			table := eval.Contingency(s.Y, c.Labels)
			for i, row := range c.Table {
				for j, n := range row {
					if table.Counts[i][j] != n {
						t.Errorf("%s: %d rows of class %d in cluster %d, want %d", s.Data, table.Counts[i][j], i, j, n)
					}
				}
			}
			for _, m := range []struct {
				name      string
				got, want float64
			}{
				{"silhouette", eval.Silhouette(x, c.Labels), c.Silhouette},
				{"silhouette of distances", floats.Sum(of) / float64(len(of)), c.Manhattan},
				{"Davies-Bouldin", eval.DaviesBouldin(x, c.Labels), c.DaviesBouldin},
				{"Calinski-Harabasz", eval.CalinskiHarabasz(x, c.Labels), c.CalinskiHarabasz},
				{"Rand", eval.RandIndex(s.Y, c.Labels), c.Rand},
				{"adjusted Rand", eval.AdjustedRandIndex(s.Y, c.Labels), c.AdjustedRand},
				{"information", eval.ClusterInformation(s.Y, c.Labels), c.Mutual},
				{"normalized information", eval.NormalizedClusterInformation(s.Y, c.Labels), c.Normalized},
				{"adjusted information", eval.AdjustedMutualInformation(s.Y, c.Labels), c.Adjusted},
				{"homogeneity", eval.Homogeneity(s.Y, c.Labels), c.Homogeneity},
				{"completeness", eval.Completeness(s.Y, c.Labels), c.Completeness},
				{"V", eval.VMeasure(s.Y, c.Labels), c.V},
				{"Fowlkes-Mallows", eval.FowlkesMallows(s.Y, c.Labels), c.FowlkesMallows},
				{"purity", eval.Purity(s.Y, c.Labels), c.Purity},
			} {
				tol := 1e-9
				if m.name == "Davies-Bouldin" {
					tol = 1e-7 // where a cluster is one row, its distance from itself has half of the digits there
				}
				mltest.Near(t, s.Data+" "+m.name, m.got, m.want, tol)
			}
		}
	}
}

// These values are documented by scikit-learn for groupings of one cluster, of all
// apart, and of equal ones under other names.
func TestClusteringsAtTheEnds(t *testing.T) {
	one, apart := []int{3, 3, 3, 3}, []int{4, 5, 6, 7}
	half, other := []int{0, 0, 1, 1}, []int{9, 9, -1, -1}
	crossed := []int{0, 1, 0, 1}
	for _, m := range []struct {
		name                   string
		f                      func(a, b []int) float64
		same, oneApart, chance float64
	}{
		{"Rand", eval.RandIndex, 1, 0, 1. / 3},
		{"adjusted Rand", eval.AdjustedRandIndex, 1, 0, -0.5},
		{"normalized information", eval.NormalizedClusterInformation, 1, 0, 0},
		{"adjusted information", eval.AdjustedMutualInformation, 1, 0, -0.5},
		{"homogeneity", eval.Homogeneity, 1, 1, 0},
		{"completeness", eval.Completeness, 1, 0, 0},
		{"V", eval.VMeasure, 1, 0, 0},
		{"Fowlkes-Mallows", eval.FowlkesMallows, 1, 0, 0},
		{"purity", eval.Purity, 1, 1, 0.5},
	} {
		mltest.Near(t, m.name+" of equal groupings", m.f(half, other), m.same, 1e-12)
		mltest.Near(t, m.name+" of one and all apart", m.f(one, apart), m.oneApart, 1e-12)
		mltest.Near(t, m.name+" of crossed groupings", m.f(half, crossed), m.chance, 1e-12)
	}
	mltest.Near(t, "information in nats", eval.ClusterInformation(half, other), math.Ln2, 1e-12)
	// A row alone has the silhouette 0; by hand: rows 0 and 1 have a = 1, b = 5 and 4.
	mltest.NearAll(t, "silhouettes", eval.SilhouetteSamples(data.Rows([][]float64{{0}, {1}, {5}}), []int{0, 0, 1}), []float64{0.8, 0.75, 0}, 1e-12)
}

// Silhouettes belong to rows whatever their order, and lie between -1 and 1.
func TestSilhouetteProperties(t *testing.T) {
	x := data.UniformCube(150, 20, 1)
	labels := make([]int, 150)
	for i := range labels {
		labels[i] = i % 4
	}
	s := eval.SilhouetteSamples(x, labels)
	p := model.Rand(1, 0).Perm(150)
	mltest.NearAll(t, "permuted", eval.SilhouetteSamples(pick.Rows(x, p), pick.Of(labels, p)), pick.Of(s, p), 1e-9)
	d := mat.NewDense(150, 150, nil)
	d.Apply(func(i, j int, _ float64) float64 {
		return neighbors.EuclideanDistance(x.RawRowView(i), x.RawRowView(j))
	}, d)
	mltest.NearAll(t, "of distances", s, eval.SilhouetteOfDistances(d, labels), 1e-9)
	if floats.Min(s) < -1 || floats.Max(s) > 1 {
		t.Errorf("silhouettes from %v to %v", floats.Min(s), floats.Max(s))
	}
}

func BenchmarkSilhouette(b *testing.B) {
	d := data.Blobs(1000, [][]float64{{0, 0, 0, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 3}}, 1, 1)
	for b.Loop() {
		eval.Silhouette(d.X, d.Y)
	}
}
