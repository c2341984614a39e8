package main

import (
	"github.com/gokernel/gokernel/mlstd/anomaly"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	divergence = "divergence"
	flagged    = "share flagged"
)

var manifoldSizes = [2]size{{n: 300, cols: 10}, {n: 2000, cols: 10}}

// projectionCases are the cases of the families decomp, manifold and anomaly.
var projectionCases = []bench{
	{family: "decomp", name: "PCA", kind: realKind, sizes: prepSizes, quality: magnitude,
		slower: "the components are written to new memory, which takes most of the time in both libraries.",
		run:    transformer(func() *decomp.PCA { return &decomp.PCA{} })},
	{family: "decomp", name: "PCA, randomized", kind: cloudKind, sizes: [2]size{{n: 1000, cols: 100}, {n: 10000, cols: 1000}}, quality: "variance",
		run: once(func(d *dataset) (float64, error) {
			m := &decomp.PCA{Components: 10, Solver: decomp.RandomizedPCA}
			err := m.Fit(d.train)
			return m.Variance[0], err
		})},
	{family: "decomp", name: "NMF", kind: levelKind, sizes: [2]size{{n: 500, cols: 10}, {n: 20000, cols: 30}}, quality: objective,
		slower: "on data sets as small as those of the course, the initialization by singular vectors takes most of the time.",
		run: once(func(d *dataset) (float64, error) {
			m := &decomp.NMF{Components: 5, MaxIter: 50, Tol: model.Zero}
			err := m.Fit(d.train)
			return m.Error, err
		})},
	{family: "decomp", name: "FastICA", kind: levelKind, sizes: [2]size{{n: 1000, cols: 5}, {n: 100000, cols: 10}}, quality: magnitude,
		slower: "on data sets as small as those of the course, the products are too small for two cores.",
		run:    transformer(func() *decomp.FastICA { return &decomp.FastICA{MaxIter: 20, Tol: model.Zero} })},
	{family: "decomp", name: "FactorAnalysis", kind: cloudKind, sizes: meanSizes, quality: objective,
		run: once(func(d *dataset) (float64, error) {
			m := &decomp.FactorAnalysis{Components: 5, MaxIter: 30, Tol: model.Zero}
			err := m.Fit(d.train)
			return -m.LogLikelihood / float64(d.n), err
		})},
	{family: "manifold", name: "TSNE", kind: cloudKind, sizes: [2]size{{n: 500, cols: 10}, {n: 10000, cols: 50}}, quality: divergence,
		run: once(func(d *dataset) (float64, error) {
			m := &manifold.TSNE{}
			err := m.Fit(d.train)
			return m.KL, err
		})},
	{family: "manifold", name: "Isomap", kind: cloudKind, sizes: manifoldSizes, quality: magnitude,
		run: transformer(func() *manifold.Isomap { return &manifold.Isomap{Neighbors: 10} })},
	{family: "manifold", name: "LLE", kind: realKind, sizes: manifoldSizes, quality: "error",
		run: once(func(d *dataset) (float64, error) {
			m := &manifold.LLE{Neighbors: 12}
			err := m.Fit(d.train)
			return m.Eigenvalues[0] + m.Eigenvalues[1], err
		})},
	{family: "manifold", name: "MDS", kind: cloudKind, sizes: [2]size{{n: 200, cols: 10}, {n: 1000, cols: 10}}, quality: "stress",
		run: once(func(d *dataset) (float64, error) {
			m := &manifold.MDS{Scaling: manifold.MetricMDS, MaxIter: 100, Tol: model.Zero}
			err := m.Fit(d.train)
			return m.Stress, err
		})},

	{family: "anomaly", name: "IsolationForest", kind: cloudKind, sizes: meanSizes, quality: flagged,
		run: flags(func() model.Detector { return &anomaly.IsolationForest{} })},
	{family: "anomaly", name: "LocalOutlierFactor", kind: cloudKind, sizes: denseSizes, quality: "mean factor",
		run: once(func(d *dataset) (float64, error) {
			m := &anomaly.LocalOutlierFactor{}
			err := m.Fit(d.train)
			sum := 0.0
			for _, v := range m.Scores {
				sum += v / float64(d.n)
			}
			return sum, err
		})},
	{family: "anomaly", name: "RobustCovariance", kind: realKind, sizes: [2]size{{n: 300, cols: 5}, {n: 10000, cols: 20}}, quality: flagged,
		slower: "with up to 600 rows it makes 500 random starts, scikit-learn 30.",
		run:    flags(func() model.Detector { return &anomaly.RobustCovariance{} })},
	{family: "anomaly", name: "OneClassSVM", kind: realKind, sizes: machineSizes, quality: flagged,
		run: flags(func() model.Detector { return &anomaly.OneClassSVM{} })},
}

func init() { cases = append(cases, projectionCases...) }

// flags measures fitting a detector and predicting the same rows.
func flags(fresh func() model.Detector) runner {
	return func(d *dataset) (r measured, err error) {
		m := fresh()
		watch := stopwatch()
		if err := m.Fit(d.train); err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		watch = stopwatch()
		strange := m.Predict(d.train)
		r.Predict, r.PredictCPU = watch()
		for _, s := range strange {
			if s {
				r.Quality += 1 / float64(d.n)
			}
		}
		return r, nil
	}
}
