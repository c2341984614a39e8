package tree_test

import (
	"testing"

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
}
