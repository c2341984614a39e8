package cluster_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

func TestConformance(t *testing.T) {
	drawn := map[string]string{"row permutation": "the start draws rows by their position"}
	for _, c := range []struct {
		name string
		make func() model.Clusterer
		opts modeltest.Options
	}{
		{"KMeans", func() model.Clusterer { return &cluster.KMeans{K: 3, Starts: 5, Seed: 1} }, modeltest.Options{Skip: drawn}},
		{"KMeans furthest first", func() model.Clusterer { return &cluster.KMeans{K: 3, Init: cluster.InitFurthest} }, modeltest.Options{Skip: drawn}},
		{"KMeans by Hamerly", func() model.Clusterer {
			return &cluster.KMeans{K: 3, Starts: 5, Seed: 1, Algorithm: cluster.HamerlyKMeans}
		}, modeltest.Options{Skip: drawn}},
		{"KMeans random", func() model.Clusterer { return &cluster.KMeans{K: 3, Init: cluster.InitRandom} }, modeltest.Options{}},
		{"MiniBatchKMeans", func() model.Clusterer { return &cluster.MiniBatchKMeans{K: 3, Batch: 20, Init: cluster.InitFurthest} },
			modeltest.Options{Skip: map[string]string{"row permutation": "the batches are drawn by position"}}},
		{"KMedoids", func() model.Clusterer { return &cluster.KMedoids{K: 3} }, modeltest.Options{}},
		{"KMedoids PAM", func() model.Clusterer { return &cluster.KMedoids{K: 3, Method: cluster.PAM} }, modeltest.Options{}},
		{"KMedoids alternating", func() model.Clusterer { return &cluster.KMedoids{K: 3, Method: cluster.AlternatingMedoids} }, modeltest.Options{}},
		{"Ward", func() model.Clusterer { return &cluster.Agglomerative{K: 3} }, modeltest.Options{}},
		{"complete", func() model.Clusterer { return &cluster.Agglomerative{K: 3, Linkage: cluster.CompleteLinkage} }, modeltest.Options{}},
		{"average", func() model.Clusterer { return &cluster.Agglomerative{K: 3, Linkage: cluster.AverageLinkage} }, modeltest.Options{}},
		{"single", func() model.Clusterer { return &cluster.Agglomerative{K: 3, Linkage: cluster.SingleLinkage} },
			modeltest.Options{MinScore: 0.3}}, // single linkage makes chains
		{"DBSCAN", func() model.Clusterer { return &cluster.DBSCAN{Eps: 2.2} }, modeltest.Options{}},
		{"HDBSCAN", func() model.Clusterer { return &cluster.HDBSCAN{} }, modeltest.Options{MinScore: 0.7}},
		{"MeanShift", func() model.Clusterer { return &cluster.MeanShift{Bandwidth: 3.5} }, modeltest.Options{}},
		{"SpectralClustering", func() model.Clusterer { return &cluster.SpectralClustering{K: 3, Gamma: 0.1} }, modeltest.Options{}},
		{"SpectralClustering neighbors", func() model.Clusterer {
			return &cluster.SpectralClustering{K: 3, Affinity: cluster.NeighborAffinity}
		}, modeltest.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Clusterer(t, c.make, c.opts) })
	}
	t.Run("KModes", func(t *testing.T) {
		x, y := nominal()
		modeltest.Clusterer(t, func() model.Clusterer { return &cluster.KModes{K: 3} }, modeltest.Options{X: x, Y: y, Skip: drawn})
	})
	t.Run("KMeans transforms", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &cluster.KMeans{K: 3, Starts: 5} }, modeltest.Options{
			Skip: map[string]string{"row permutation": "the start draws rows by their position, and the centers stand in its order"}})
	})
}
