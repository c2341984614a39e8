package tree

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// DecisionStump is a tree of one question: a weak learner, as boosting wants it.
//
// Of all questions about one feature it takes the one whose answers, each with
// its majority class, make the least weighted error
//
//	ε = Σᵢ wᵢ [h(xᵢ) ≠ yᵢ] / Σᵢ wᵢ
//
// (or are best by another Criterion). A nominal feature is asked for one level.
// When no question is better than none, the stump still asks one.
//
// Cost: O(n·d).
//
// References: [Breiman1984].
// Course: TREE-20.
type DecisionStump struct {
	// Criterion chooses the question. The default is the least weighted error;
	// set ByCriterion to use it.
	Criterion Criterion
	// ByCriterion makes the stump choose by Criterion instead of the error.
	ByCriterion bool

	// Root is the question with its two answers; a leaf when all examples are of
	// one class or equal.
	Root *Node
	// Error is the weighted error of the stump on its training examples.
	Error float64

	tree DecisionTree

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.ProbClassifier     = (*DecisionStump)(nil)
	_ model.WeightedClassifier = (*DecisionStump)(nil)
)

// Fit finds the best question for examples of equal weight.
func (s *DecisionStump) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&s.Fitted, x, y)
	s.reset()
	c, err := sortColumns("DecisionStump.Fit", x, false)
	if err != nil {
		return err
	}
	return s.settle(s.tree.fitSorted("DecisionStump.Fit", c, y, nil, nil))
}

// FitWeighted finds the best question for weighted examples.
func (s *DecisionStump) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&s.Fitted, x, y)
	s.reset()
	const op = "DecisionStump.FitWeighted"
	c, err := sortColumns(op, x, false)
	if err != nil {
		return err
	}
	return s.settle(s.tree.fitSorted(op, c, y, weights, nil))
}

// FitSorted finds the best question on columns that were sorted before, as
// boosting does. weights may be nil.
func (s *DecisionStump) FitSorted(c *SortedColumns, y []int, weights []float64) error {
	s.reset()
	return s.settle(s.tree.FitSorted(c, y, weights))
}

// Takes says that nominal columns are taken.
func (s *DecisionStump) Takes() model.Takes { return model.Takes{Nominal: true} }

func (s *DecisionStump) reset() {
	s.Root, s.Error = nil, 0
	s.tree = DecisionTree{Criterion: TrainingAccuracy, MaxDepth: 1, Nominal: OneLevel}
	if s.ByCriterion {
		s.tree.Criterion = s.Criterion
	}
}

func (s *DecisionStump) settle(err error) error {
	if err != nil {
		return err
	}
	s.Root = s.tree.Root
	s.Root.Walk(func(n *Node) {
		if n.Leaf() {
			s.Error += n.Weight / s.Root.Weight * MajorityError(n.Counts...)
		}
	})
	return nil
}

// Classes returns the classes in ascending order.
func (s *DecisionStump) Classes() []int { return s.tree.Classes() }

// ClassName returns the name of the class at position k of Classes, or its number
// when the stump was fitted without names.
func (s *DecisionStump) ClassName(k int) string { return s.tree.ClassName(k) }

// Predict returns the majority class of each row's answer.
func (s *DecisionStump) Predict(x mat.Matrix) []int {
	x = model.MustRead("DecisionStump.Predict", &s.Fitted, x)
	if s.Root == nil {
		panic(model.NotFitted("DecisionStump.Predict"))
	}
	return s.tree.Predict(x)
}

// PredictProba returns the class shares of each row's answer.
func (s *DecisionStump) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("DecisionStump.PredictProba", &s.Fitted, x)
	if s.Root == nil {
		panic(model.NotFitted("DecisionStump.PredictProba"))
	}
	return s.tree.PredictProba(x)
}

// String draws the stump with text characters.
func (s *DecisionStump) String() string {
	if s.Root == nil {
		return "DecisionStump (not fitted)"
	}
	return s.tree.String()
}
