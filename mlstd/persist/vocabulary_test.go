package persist_test

import (
	"reflect"
	"testing"

	"github.com/gokernel/gokernel/mlstd/persist"
)

// retired are names of fields for which the library has one word, with that word.
var retired = map[string]string{
	"W": "Coef", "Theta": "Coef", "Beta": "Coef", "B": "Intercept", "Bias": "Intercept", "NoBias": "NoIntercept",
	"Models": "Members", "Iterations": "MaxIter", "LearningRate": "Rate", "Tolerance": "Tol",
}

// meant are fields that have such a name for another thing.
var meant = map[string]bool{
	"online.Winnow.Theta":    true, // the threshold, a parameter
	"prob.BernoulliNB.Theta": true, // probabilities

	"latent.BernoulliMixture.Theta": true, "latent.MultinomialMixture.Theta": true, "semi.SemiNaiveBayes.Theta": true,
}

// Models use one word for one thing.
func TestVocabulary(t *testing.T) {
	for _, typ := range persist.ModelTypes() {
		s := typ.Elem()
		if s.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(s) {
			name := s.String() + "." + f.Name
			if word, old := retired[f.Name]; old && f.IsExported() && !meant[name] {
				t.Errorf("%s: call it %s, as the other models do", name, word)
			}
		}
		if f, ok := s.FieldByName("Members"); ok && f.Type.Kind() == reflect.Int {
			t.Errorf("%s.Members is a number: it lists what was fitted; call the number Rounds, Trees or Size", s)
		}
	}
}
