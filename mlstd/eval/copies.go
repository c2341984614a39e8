package eval

import "github.com/gokernel/gokernel/mlstd/model"

// Copies returns a function that makes a copy of m at each call, by [model.Clone].
// It is what the fields want that are called New, and functions that fit many
// classifiers of one kind:
//
//	ml.Bagging{New: ml.Copies(&ml.DecisionTree{MaxDepth: 3})}
//
// A copy has the parameters that m has when it is made. Copies panics with a
// [*model.Error] when m is nil.
func Copies(m model.Classifier) func() model.Classifier {
	if m == nil {
		panic(model.Errorf("Copies", "the model must not be nil").WithHint("pass a pointer to a classifier, such as &ml.DecisionTree{}"))
	}
	return func() model.Classifier { return model.Clone(m) }
}
