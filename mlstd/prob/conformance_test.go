package prob_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// leveled returns rows of values 0 to 2 that separate three classes.
func leveled() (*mat.Dense, []int) {
	rng := model.Rand(42, 0)
	x, y := mat.NewDense(72, 4, nil), make([]int, 72)
	for i := range y {
		y[i] = i % 3
		for j := range 4 {
			v := rng.IntN(3)
			if rng.Float64() < 0.85 {
				v = (y[i] + j) % 3
			}
			x.Set(i, j, float64(v))
		}
	}
	return x, y
}

// counted returns rows of counts, in which each class has a column of its own.
func counted() (*mat.Dense, []int) {
	rng := model.Rand(43, 0)
	x, y := mat.NewDense(72, 4, nil), make([]int, 72)
	for i := range y {
		y[i] = i % 3
		for j := range 4 {
			v := rng.IntN(3)
			if j == y[i] {
				v += 6
			}
			x.Set(i, j, float64(v))
		}
	}
	return x, y
}

func TestConformance(t *testing.T) {
	levels, levelClass := leveled()
	counts, countClass := counted()
	bits := modeltest.Options{X: counts, Y: countClass}
	nominal := modeltest.Options{X: levels, Y: levelClass}
	for _, c := range []struct {
		name string
		make func() model.Classifier
		opts modeltest.Options
	}{
		{"BernoulliNB", func() model.Classifier { return &prob.BernoulliNB{Threshold: 3} }, bits},
		{"BernoulliNB, uniform prior, no smoothing", func() model.Classifier {
			return &prob.BernoulliNB{Threshold: 3, Alpha: model.Zero, UniformPrior: true}
		}, bits},
		{"MultinomialNB", func() model.Classifier { return &prob.MultinomialNB{} }, bits},
		{"MultinomialNB, no smoothing", func() model.Classifier { return &prob.MultinomialNB{Alpha: model.Zero} }, bits},
		{"ComplementNB", func() model.Classifier { return &prob.ComplementNB{} }, bits},
		{"ComplementNB, normalized", func() model.Classifier { return &prob.ComplementNB{Normalize: true} }, bits},
		{"CategoricalNB", func() model.Classifier { return &prob.CategoricalNB{} }, nominal},
		{"NaiveBayes", func() model.Classifier { return &prob.NaiveBayes{} }, modeltest.Options{}},
		{"GaussianNB", func() model.Classifier { return &prob.GaussianNB{} }, modeltest.Options{}},
		{"GaussianNB, shared variance", func() model.Classifier { return &prob.GaussianNB{SharedVariance: true} }, modeltest.Options{}},
		{"JointClassifier", func() model.Classifier { return &prob.JointClassifier{} }, modeltest.Options{}},
		{"JointClassifier, smoothed", func() model.Classifier { return &prob.JointClassifier{Alpha: 0.5, UniformPrior: true} }, modeltest.Options{}},
		{"LDA", func() model.Classifier { return &prob.LDA{} }, modeltest.Options{}},
		{"LDA, shrinkage", func() model.Classifier { return &prob.LDA{Shrinkage: 0.3} }, modeltest.Options{}},
		{"LDA, Ledoit-Wolf, two classes", func() model.Classifier { return &prob.LDA{LedoitWolf: true} }, modeltest.Options{Binary: true}},
		{"QDA", func() model.Classifier { return &prob.QDA{} }, modeltest.Options{}},
		{"QDA, Ledoit-Wolf, two classes", func() model.Classifier { return &prob.QDA{LedoitWolf: true} }, modeltest.Options{Binary: true}},
	} {
		t.Run(c.name, func(t *testing.T) { modeltest.Classifier(t, c.make, c.opts) })
	}
}

func TestDiscriminantProjectionContract(t *testing.T) {
	y := make([]int, 72)
	for i := range y {
		y[i] = i % 3
	}
	modeltest.Transformer(t, func() model.Transformer { return &prob.DiscriminantProjection{Y: y} }, modeltest.Options{
		Skip: map[string]string{"row permutation": "the classes in Y are in the order of the rows"},
	})
}
