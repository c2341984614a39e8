package concept_test

import (
	"slices"
	"testing"

	"github.com/gokernel/gokernel/mlstd/concept"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// The other data set may have its columns and classes in another order.
func TestVaryComplexityFindsColumnsAndClassesByName(t *testing.T) {
	train, other := data.Iris().Split(0.3, 1)
	grow := func(depth int) model.Classifier { return &tree.DecisionTree{MaxDepth: depth} }
	want, err := concept.VaryComplexity(grow, []int{1, 3}, train, other)
	if err != nil {
		t.Fatal(err)
	}
	names, classes := train.FeatureNames(), slices.Clone(train.ClassNames())
	slices.Reverse(names)
	slices.Reverse(classes)
	got, err := concept.VaryComplexity(grow, []int{1, 3}, train, other.Features(names...).Only(classes...))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, want %v, %v", got, want, err)
	}
}
