package main

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	groups    = "groups"
	agreement = "agreement"
)

var (
	meanSizes     = [2]size{{n: 2000, cols: 10}, {n: 100000, cols: 20}}
	densitySizes  = [2]size{{n: 2000, cols: 3}, {n: 50000, cols: 3}}
	denseSizes    = [2]size{{n: 1000, cols: 12}, {n: 10000, cols: 12}}
	distanceSizes = [2]size{{n: 500, cols: 10}, {n: 5000, cols: 10}}
	spectralSizes = [2]size{{n: 300, cols: 5}, {n: 2000, cols: 5}}
)

// clusterCases are the cases of the family cluster, and of clustering metrics.
var clusterCases = []bench{
	{family: "cluster", name: "KMeans", kind: cloudKind, sizes: meanSizes, quality: objective,
		run: once(func(d *dataset) (float64, error) {
			m := cluster.KMeans{InitCenters: mat.DenseCopyOf(d.train.Slice(0, 20, 0, d.cols))}
			err := m.Fit(d.train)
			return m.Inertia / float64(d.n), err
		})},
	{family: "cluster", name: "KMeans, k-means++", kind: cloudKind, sizes: meanSizes, quality: objective,
		run: once(func(d *dataset) (float64, error) {
			m := cluster.KMeans{K: 20, Starts: 3}
			err := m.Fit(d.train)
			return m.Inertia / float64(d.n), err
		})},
	{family: "cluster", name: "MiniBatchKMeans", kind: cloudKind, sizes: meanSizes, quality: objective,
		run: once(func(d *dataset) (float64, error) {
			m := cluster.MiniBatchKMeans{K: 20, Epochs: 3}
			err := m.Fit(d.train)
			return m.Inertia / float64(d.n), err
		})},
	{family: "latent", name: "GaussianMixture", kind: cloudKind, sizes: meanSizes, quality: objective,
		run: once(func(d *dataset) (float64, error) {
			m := latent.GaussianMixture{InitMeans: mat.DenseCopyOf(d.train.Slice(0, 20, 0, d.cols)), MaxIter: 10, Tol: model.Zero}
			err := m.Fit(d.train)
			return -m.LogLikelihood / float64(d.n), err
		})},
	{family: "cluster", name: "DBSCAN", kind: cloudKind, sizes: densitySizes, quality: groups,
		run: found(func() model.Clusterer { return &cluster.DBSCAN{Eps: 0.35, MinPoints: 8} })},
	{family: "cluster", name: "DBSCAN, brute force", kind: cloudKind, sizes: denseSizes, quality: groups,
		run: found(func() model.Clusterer { return &cluster.DBSCAN{Eps: 2.5, MinPoints: 8} })},
	{family: "cluster", name: "HDBSCAN", kind: cloudKind, sizes: [2]size{{n: 500, cols: 3}, {n: 10000, cols: 3}}, quality: agreement,
		run: found(func() model.Clusterer { return &cluster.HDBSCAN{MinCluster: 20} })},
	{family: "cluster", name: "Agglomerative, Ward", kind: cloudKind, sizes: distanceSizes, quality: groups,
		run: found(func() model.Clusterer { return &cluster.Agglomerative{K: 20} })},
	{family: "cluster", name: "Agglomerative, average", kind: cloudKind, sizes: distanceSizes, quality: groups,
		run: found(func() model.Clusterer { return &cluster.Agglomerative{K: 20, Linkage: cluster.AverageLinkage} })},
	{family: "cluster", name: "Agglomerative, single", kind: cloudKind, sizes: distanceSizes, quality: groups,
		slower: "distances are computed one by one, in the order in which the tree grows; scikit-learn's code for this is vectorized.",
		run:    found(func() model.Clusterer { return &cluster.Agglomerative{K: 20, Linkage: cluster.SingleLinkage} })},
	{family: "cluster", name: "MeanShift", kind: cloudKind, sizes: [2]size{{n: 200, cols: 3}, {n: 2000, cols: 3}}, quality: groups,
		run: found(func() model.Clusterer { return &cluster.MeanShift{Bandwidth: 2} })},
	{family: "cluster", name: "SpectralClustering", kind: cloudKind, sizes: spectralSizes, quality: groups,
		run: found(func() model.Clusterer { return &cluster.SpectralClustering{K: 20, Gamma: 0.2} })},
	{family: "cluster", name: "Silhouette", kind: cloudKind, sizes: [2]size{{n: 1000, cols: 10}, {n: 10000, cols: 10}}, quality: "silhouette",
		run: once(func(d *dataset) (float64, error) { return eval.Silhouette(d.train, d.class), nil })},
	{family: "cluster", name: "AdjustedMutualInformation", kind: verdictKind, sizes: [2]size{{n: 1000, cols: 1}, {n: 100000, cols: 1}}, quality: "AMI",
		run: once(func(d *dataset) (float64, error) {
			return eval.AdjustedMutualInformation(d.class, verdicts(d)), nil
		})},
}

// agree sets the quality to the adjusted Rand index of the labels of both sides.
func agree(own, theirs *measured) {
	own.Quality, theirs.Quality = eval.AdjustedRandIndex(theirs.Labels, own.Labels), 1
}

// found measures a clusterer; the quality is the adjusted Rand index with the groups from which
// the rows were drawn.
func found(fresh func() model.Clusterer) runner {
	return func(d *dataset) (r measured, err error) {
		watch := stopwatch()
		labels, err := fresh().FitPredict(d.train)
		if err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		r.Quality, r.Labels = eval.AdjustedRandIndex(d.class, labels), labels
		return r, nil
	}
}
