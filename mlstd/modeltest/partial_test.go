package modeltest_test

import (
	"reflect"
	"testing"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/internal/snapshot"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/online"
	_ "github.com/gokernel/gokernel/mlstd/persist" // registers all models
	"github.com/gokernel/gokernel/mlstd/prob"
)

// These interfaces are for models that learn from batches.
var (
	_ = []model.PartialFitter{&linear.SGDClassifier{}, &nn.MLPClassifier{}, &online.MulticlassPerceptron{}, &online.PassiveAggressive{},
		&online.Perceptron{}, &prob.BernoulliNB{}, &prob.CategoricalNB{}, &prob.ComplementNB{}, &prob.GaussianNB{},
		&prob.MultinomialNB{}, &prob.NaiveBayes{}}
	_ = []model.PartialRegressor{&linear.SGDRegressor{}, &nn.MLPRegressor{}}
	_ = []model.PartialLearner{&cluster.MiniBatchKMeans{}, &decomp.PCA{}}
)

// Every model with a PartialFit has one of the three interfaces, so that programs can find it.
func TestPartialFitHasOneForm(t *testing.T) {
	found := 0
	for _, name := range snapshot.Known() {
		m := snapshot.Type(name)
		if _, ok := m.MethodByName("PartialFit"); !ok {
			continue
		}
		found++
		fits := false
		for _, form := range []reflect.Type{reflect.TypeFor[model.PartialFitter](), reflect.TypeFor[model.PartialRegressor](), reflect.TypeFor[model.PartialLearner]()} {
			fits = fits || m.Implements(form)
		}
		if !fits {
			t.Errorf("%v has a PartialFit of its own form", m)
		}
	}
	if found < 15 {
		t.Errorf("%d models learn from batches", found)
	}
}
