package tree

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// DecisionStump is a tree with a single split: a weak learner for boosting.
//
// Each branch predicts its majority class. Of all splits on a single feature, the stump has the
// split with the minimum weighted error
//
//	ε = Σᵢ wᵢ [h(xᵢ) ≠ yᵢ] / Σᵢ wᵢ
//
// (or the best split by another Criterion). A split of a nominal feature separates one level from
// all other levels. The stump splits even if no split is better than the majority class.
//
// Cost: O(n·d).
//
// References: [Breiman1984].
// Course: TREE-20.
type DecisionStump struct {
	// Criterion is the measure for choosing the split when ByCriterion is set.
	Criterion Criterion
	// ByCriterion makes the stump choose its split by Criterion instead of the
	// weighted error.
	ByCriterion bool

	// Root is the node of the split, and its children are two leaves. If all examples are equal or
	// of one class, Root is a leaf.
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

// Fit finds the best split for examples of equal weight.
func (s *DecisionStump) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&s.Fitted, x, y)
	s.reset()
	c, err := sortColumns("DecisionStump.Fit", x, false)
	if err != nil {
		return err
	}
	return s.settle(s.tree.fitSorted("DecisionStump.Fit", c, y, nil, nil))
}

// FitWeighted finds the best split for weighted examples.
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

// FitSorted finds the best split on columns that are already sorted; boosting uses it. The argument
// weights may be nil.
func (s *DecisionStump) FitSorted(c *SortedColumns, y []int, weights []float64) error {
	s.reset()
	return s.settle(s.tree.FitSorted(c, y, weights))
}

// Takes reports that nominal columns are accepted.
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

// ClassName returns the name of the class at position k of Classes, or its number if the stump was
// fitted without names.
func (s *DecisionStump) ClassName(k int) string { return s.tree.ClassName(k) }

// Predict returns the majority class of each row's leaf.
func (s *DecisionStump) Predict(x mat.Matrix) []int {
	x = model.MustRead("DecisionStump.Predict", &s.Fitted, x)
	if s.Root == nil {
		panic(model.NotFitted("DecisionStump.Predict"))
	}
	return s.tree.Predict(x)
}

// PredictProba returns the class fractions of each row's leaf.
func (s *DecisionStump) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("DecisionStump.PredictProba", &s.Fitted, x)
	if s.Root == nil {
		panic(model.NotFitted("DecisionStump.PredictProba"))
	}
	return s.tree.PredictProba(x)
}

// String returns the stump drawn with text characters.
func (s *DecisionStump) String() string {
	if s.Root == nil {
		return "DecisionStump (not fitted)"
	}
	return s.tree.String()
}
