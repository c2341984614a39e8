package linear

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SoftmaxRegression is multinomial logistic regression with one weight vector for each class, even
// with two classes.
//
//	P(y=k|x) = e^{θₖ·x} / Σⱼ e^{θⱼ·x}
//	J = −Σᵢ log P(yᵢ|xᵢ) + (1/2C)·Σₖ‖θₖ‖²,  ∂J/∂θₖ = −Σᵢ xᵢ(1{yᵢ=k} − P(k|xᵢ))
//
// Adding the same vector to every θₖ does not change the probabilities: without a penalty, the
// minimum is not unique, and the penalty selects the minimum whose θₖ sum to zero. For two classes,
// it is logistic regression with θ = θ₂ − θ₁.
//
// Cost: O(n·d·k) per iteration of L-BFGS; for a sparse x, only the nonzero entries count.
//
// References: [Bishop2006] §4.3.4, [LiuNocedal1989]. Course: LIN-11.
type SoftmaxRegression struct {
	// C is the inverse strength of the penalty; 0 means 1. A larger value means less
	// regularization.
	C           float64
	NoPenalty   bool
	NoIntercept bool
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the largest component of the mean gradient, for standardized columns,
	// is at most Tol; 0 means 1e-8. A larger value stops earlier.
	Tol float64
	model.Control

	Coef      *mat.Dense // set by Fit: k x d
	Intercept []float64  // set by Fit: one per class
	Trace     model.Trace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept.
func (s *SoftmaxRegression) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&s.Fitted, x, y)
	return s.fit(x, y, nil)
}

// FitWeighted is Fit with a weight for each example's loss. An example of weight
// zero is left out.
func (s *SoftmaxRegression) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&s.Fitted, x, y)
	if weights == nil {
		weights = []float64{}
	}
	return s.fit(x, y, weights)
}

func (s *SoftmaxRegression) fit(x mat.Matrix, y []int, weights []float64) error {
	s.Coef, s.Intercept, s.Trace, s.classes = nil, nil, model.Trace{}, nil
	lambda, err := inversePenalty("SoftmaxRegression.Fit", s.C, s.NoPenalty)
	if err != nil {
		return err
	}
	m := likelihood{false, lambda, 0, s.NoIntercept, s.MaxIter, s.Tol, &s.Control}
	f, err := m.maximize("SoftmaxRegression", x, y, weights)
	if err != nil {
		return err
	}
	s.Coef, s.Intercept, s.Trace, s.classes = f.coef, f.intercept, f.trace, f.classes
	return nil
}

// Classes lists the classes in ascending order.
func (s *SoftmaxRegression) Classes() []int { return slices.Clone(s.classes) }

// Decision returns the k scores of each row.
func (s *SoftmaxRegression) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SoftmaxRegression.Decision", &s.Fitted, x)
	return decision("SoftmaxRegression.Decision", x, s.Coef, s.Intercept)
}

// Predict returns the class with the highest score.
func (s *SoftmaxRegression) Predict(x mat.Matrix) []int {
	x = model.MustRead("SoftmaxRegression.Predict", &s.Fitted, x)
	return classify(decision("SoftmaxRegression.Predict", x, s.Coef, s.Intercept), s.classes)
}

// PredictProba returns the class probabilities of each row.
func (s *SoftmaxRegression) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SoftmaxRegression.PredictProba", &s.Fitted, x)
	return probabilities(decision("SoftmaxRegression.PredictProba", x, s.Coef, s.Intercept))
}
