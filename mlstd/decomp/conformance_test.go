package decomp_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

func TestConformance(t *testing.T) {
	positive := noise(60, 5, 8)
	positive.Apply(func(_, _ int, v float64) float64 { return v * v }, positive)
	for _, c := range []struct {
		name string
		make func() model.Transformer
		opts modeltest.Options
	}{
		{"PCA", func() model.Transformer { return &decomp.PCA{} }, modeltest.Options{}},
		{"PCA covariance", func() model.Transformer {
			return &decomp.PCA{Solver: decomp.CovariancePCA, Components: 2, Whiten: true}
		}, modeltest.Options{}},
		{"PCA randomized", func() model.Transformer { return &decomp.PCA{Solver: decomp.RandomizedPCA, Components: 2} }, modeltest.Options{}},
		{"TruncatedSVD", func() model.Transformer { return &decomp.TruncatedSVD{} }, modeltest.Options{}},
		{"NMF", func() model.Transformer { return &decomp.NMF{Components: 2} }, modeltest.Options{X: positive, Tolerance: 1e-6}},
		{"NMF multiplicative", func() model.Transformer {
			return &decomp.NMF{Components: 2, Solver: decomp.MultiplicativeNMF, Loss: decomp.KullbackLeiblerNMF}
		}, modeltest.Options{X: positive, Tolerance: 1e-6}},
		{"FastICA", func() model.Transformer { return &decomp.FastICA{Components: 2} }, modeltest.Options{Tolerance: 1e-6}},
		{"FastICA deflation", func() model.Transformer { return &decomp.FastICA{Components: 2, Deflation: true} }, modeltest.Options{Tolerance: 1e-6}},
		{"FactorAnalysis", func() model.Transformer { return &decomp.FactorAnalysis{} }, modeltest.Options{Tolerance: 1e-6}},
		{"FactorAnalysis varimax", func() model.Transformer { return &decomp.FactorAnalysis{Rotation: decomp.Varimax} }, modeltest.Options{Tolerance: 1e-6}},
		{"RandomProjection", func() model.Transformer { return &decomp.RandomProjection{} }, modeltest.Options{}},
		{"RandomProjection sparse", func() model.Transformer { return &decomp.RandomProjection{Components: 8, Sparse: true} }, modeltest.Options{}},
		{"InfomaxICA", func() model.Transformer { return &decomp.InfomaxICA{Components: 2} }, modeltest.Options{Tolerance: 1e-6}},
		{"FeatureHasher", func() model.Transformer { return &decomp.FeatureHasher{Columns: 8} }, modeltest.Options{
			Skip: map[string]string{"matrix forms": "columns are hashed by their names"}}},
		{"SoftImpute", func() model.Transformer { return &decomp.SoftImpute{Lambda: 1} }, modeltest.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Transformer(t, c.make, c.opts) })
	}
}

func ExamplePCA() {
	x := mat.NewDense(4, 2, []float64{1, 2, 2, 4, 3, 6, 4, 8})
	p := decomp.PCA{}
	if err := p.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", p.Axes.RawRowView(0))
	fmt.Printf("%.3f\n", p.Ratio[0])
	// Output:
	// [0.447 0.894]
	// 1.000
}

func BenchmarkPCA(b *testing.B) {
	x := sloped(20000, 50, 1)
	for b.Loop() {
		if err := (&decomp.PCA{}).Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNMF(b *testing.B) {
	x := noise(500, 50, 1)
	x.Apply(func(_, _ int, v float64) float64 { return v * v }, x)
	for b.Loop() {
		if err := (&decomp.NMF{Components: 10, MaxIter: 20}).Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFastICA(b *testing.B) {
	_, x := mixture(5000)
	for b.Loop() {
		if err := (&decomp.FastICA{}).Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}
