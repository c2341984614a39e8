package eval

import "github.com/gokernel/gokernel/mlstd/model"

// Copies returns a function that returns a copy of m at each call, made by [model.Clone]. Use it
// for fields called New, and for functions that fit many classifiers of one kind:
//
//	ml.Bagging{New: ml.Copies(&ml.DecisionTree{MaxDepth: 3})}
//
// A copy has the parameters that m has at the time of the call. Copies panics with a [*model.Error]
// when m is nil.
func Copies(m model.Classifier) func() model.Classifier {
	if m == nil {
		panic(model.Errorf("Copies", "the model must not be nil").WithHint("pass a pointer to a classifier, such as &ml.DecisionTree{}"))
	}
	return func() model.Classifier { return model.Clone(m) }
}
