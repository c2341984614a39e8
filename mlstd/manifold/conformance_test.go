package manifold_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name string
		make func() model.Embedder
		opts modeltest.Options
	}{
		{"TSNE", func() model.Embedder { return &manifold.TSNE{MaxIter: 300} },
			modeltest.Options{Skip: map[string]string{"row permutation": "many steps make the rounding of sums in another order large"}}},
		{"TSNE in three dimensions", func() model.Embedder { return &manifold.TSNE{MaxIter: 10, Components: 3, RandomStart: true} },
			modeltest.Options{Skip: map[string]string{"row permutation": "the start is drawn by position"}}},
		{"MDS", func() model.Embedder { return &manifold.MDS{} }, modeltest.Options{}},
		{"MDS metric", func() model.Embedder { return &manifold.MDS{Scaling: manifold.MetricMDS, MaxIter: 20} }, modeltest.Options{}},
		{"MDS in the order", func() model.Embedder { return &manifold.MDS{Scaling: manifold.NonMetricMDS, MaxIter: 20} }, modeltest.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Embedder(t, c.make, c.opts) })
	}
	for _, c := range []struct {
		name string
		make func() model.Transformer
	}{
		{"Isomap", func() model.Transformer { return &manifold.Isomap{} }},
		{"LLE", func() model.Transformer { return &manifold.LLE{Neighbors: 30} }},
		{"LLE, modified", func() model.Transformer { return &manifold.LLE{Neighbors: 30, Method: manifold.ModifiedLLE} }},
		{"LLE, Hessian", func() model.Transformer { return &manifold.LLE{Neighbors: 30, Method: manifold.HessianLLE} }},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Transformer(t, c.make, modeltest.Options{Tolerance: 1e-7}) })
	}
}
