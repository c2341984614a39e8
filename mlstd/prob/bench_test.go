package prob_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

func BenchmarkFitPredict(b *testing.B) {
	const n, d = 10000, 30
	rng := model.Rand(1, 0)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	words, levels := sparse.NewCSR(2000), mat.NewDense(n, d, nil)
	for i := range y {
		y[i] = rng.IntN(3)
		index := make([]int, 20)
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+float64(y[i]*j)/d)
			levels.Set(i, j, float64(rng.IntN(4)))
		}
		for k := range index {
			index[k] = rng.IntN(2000)
		}
		words.AppendRow(index, slicesOf(1, 20))
	}
	for _, c := range []struct {
		name string
		make func() model.Classifier
		x    mat.Matrix
	}{
		{"GaussianNB", func() model.Classifier { return &prob.GaussianNB{} }, x},
		{"LDA", func() model.Classifier { return &prob.LDA{} }, x},
		{"QDA", func() model.Classifier { return &prob.QDA{} }, x},
		{"NaiveBayes", func() model.Classifier { return &prob.NaiveBayes{} }, x},
		{"CategoricalNB", func() model.Classifier { return &prob.CategoricalNB{} }, levels},
		{"BernoulliNB", func() model.Classifier { return &prob.BernoulliNB{} }, words},
		{"MultinomialNB", func() model.Classifier { return &prob.MultinomialNB{} }, words},
		{"ComplementNB", func() model.Classifier { return &prob.ComplementNB{} }, words},
		{"JointClassifier", func() model.Classifier { return &prob.JointClassifier{} }, levels},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m := c.make()
				if err := m.Fit(c.x, y); err != nil {
					b.Fatal(err)
				}
				m.Predict(c.x)
			}
		})
	}
}

func slicesOf(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
