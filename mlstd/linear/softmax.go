package linear

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SoftmaxRegression has one weight vector for each class, two classes included.
//
//	P(y=k|x) = e^{θₖ·x} / Σⱼ e^{θⱼ·x}
//	J = −Σᵢ log P(yᵢ|xᵢ) + (1/2C)·Σₖ‖θₖ‖²,  ∂J/∂θₖ = −Σᵢ xᵢ(1{yᵢ=k} − P(k|xᵢ))
//
// Adding one vector to every θₖ changes no probability: without a penalty the
// minimum is not unique, and the penalty picks the one whose θₖ sum to zero. For
// two classes it is logistic regression with θ = θ₂ − θ₁.
//
// Cost: O(n·d·k) an iteration of L-BFGS.
//
// References: [Bishop2006] §4.3.4, [LiuNocedal1989]. Course: LIN-11.
type SoftmaxRegression struct {
	C           float64 // inverse strength of the l₂ penalty; 0 means 1
	NoPenalty   bool
	NoIntercept bool
	MaxIter     int     // 0 means 1000
	Tol         float64 // largest component of the mean gradient, of standardized columns; 0 means 1e-6
	model.Control

	Coef      *mat.Dense // set by Fit: k x d
	Intercept []float64  // set by Fit: one a class
	Trace     model.Trace

	classes []int
}

// Fit finds Coef and Intercept.
func (s *SoftmaxRegression) Fit(x mat.Matrix, y []int) (err error) {
	s.Coef, s.Intercept, s.Trace, s.classes = nil, nil, model.Trace{}, nil
	m := likelihood{"SoftmaxRegression", false, s.C, s.NoPenalty, s.NoIntercept, s.MaxIter, s.Tol, &s.Control}
	s.Coef, s.Intercept, s.Trace, s.classes, err = m.maximize(x, y, nil)
	return err
}

// Classes lists the classes in ascending order.
func (s *SoftmaxRegression) Classes() []int { return slices.Clone(s.classes) }

// Decision gives the k scores of each row.
func (s *SoftmaxRegression) Decision(x mat.Matrix) *mat.Dense {
	return decision("SoftmaxRegression.Decision", x, s.Coef, s.Intercept)
}

// Predict gives the class with the highest score.
func (s *SoftmaxRegression) Predict(x mat.Matrix) []int {
	return classify(decision("SoftmaxRegression.Predict", x, s.Coef, s.Intercept), s.classes)
}

// PredictProba gives the class probabilities of each row.
func (s *SoftmaxRegression) PredictProba(x mat.Matrix) *mat.Dense {
	return probabilities(decision("SoftmaxRegression.PredictProba", x, s.Coef, s.Intercept))
}
