package manifold_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/manifold"
	"github.com/gokernel/gokernel/mlstd/model"
)

func clouds(n, cols int) *mat.Dense {
	rng := model.Rand(1, 0)
	x := mat.NewDense(n, cols, nil)
	for i := range n {
		for j := range cols {
			v := rng.NormFloat64()
			if j%10 == i%10 {
				v += 4
			}
			x.Set(i, j, v)
		}
	}
	return x
}

func BenchmarkTSNE(b *testing.B) {
	x := clouds(10000, 50)
	b.ResetTimer()
	for b.Loop() {
		m := manifold.TSNE{}
		if err := m.Fit(x); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(m.KL, "KL")
	}
}
