package tree_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func TestConformance(t *testing.T) {
	t.Run("DecisionTree", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &tree.DecisionTree{} }, modeltest.Options{})
	})
	t.Run("DecisionTree gini", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &tree.DecisionTree{Criterion: tree.Gini, MaxLeaves: 6, Smoothing: 1}
		}, modeltest.Options{})
	})
	t.Run("DecisionTree random features", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &tree.DecisionTree{Criterion: tree.GainRatio, FeaturesPerSplit: 2, Seed: 3}
		}, modeltest.Options{})
	})
	t.Run("DecisionTree training accuracy", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &tree.DecisionTree{Criterion: tree.TrainingAccuracy}
		}, modeltest.Options{})
	})
	t.Run("RegressionTree", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &tree.RegressionTree{} }, modeltest.Options{})
	})
	t.Run("RegressionTree leaves", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &tree.RegressionTree{MaxLeaves: 20, FeaturesPerSplit: 3}
		}, modeltest.Options{MinScore: 0.8})
	})
	t.Run("DecisionStump", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &tree.DecisionStump{} }, modeltest.Options{Binary: true})
	})
	t.Run("MajorityClassifier", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &tree.MajorityClassifier{} }, modeltest.Options{MinScore: 0.3})
	})
	t.Run("MeanRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &tree.MeanRegressor{} },
			modeltest.Options{Skip: map[string]string{"learns": "it looks at no feature"}})
	})
}

func ExampleMeanRegressor() {
	m := &tree.MeanRegressor{}
	if err := m.Fit(data.Rows([][]float64{{1}, {2}, {3}}), []float64{1, 2, 6}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(data.Rows([][]float64{{7}})))
	// Output: [3]
}

// The mean squared error of the mean is the variance of the targets (E0-19: the
// square of the difference, not whether there is one).
func TestCORE02_MeanRegressor(t *testing.T) {
	d := data.Diabetes()
	m := &tree.MeanRegressor{}
	if err := m.Fit(d.X, d.Target); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "MSE", eval.MSE(d.Target, m.Predict(d.X)), stat.PopVariance(d.Target, nil), 1e-9)
	mltest.Near(t, "R²", eval.R2(d.Target, m.Predict(d.X)), 0, 1e-12)
}

// Calling everything positive is wrong on the negatives.
func TestCORE01_AllPositive(t *testing.T) {
	y := []int{1, -1, 1, 1, -1, 1, 1, 1}
	all := make([]int, len(y))
	for i := range all {
		all[i] = 1
	}
	mltest.Near(t, "error of all positive", eval.ErrorRate(y, all), 2.0/8, 0)
	m := &tree.MajorityClassifier{}
	x := mat.NewDense(len(y), 1, nil)
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "error of the majority", eval.ErrorRate(y, m.Predict(x)), 2.0/8, 0)
}
