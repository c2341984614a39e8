package svm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Optimality is the result of [CheckOptimality].
type Optimality struct {
	Violation  []float64 // of each example: by how much its condition fails
	Worst      float64   // the largest of them
	Balance    float64   // |Σ αᵢyᵢ|, which must be 0
	Outside    float64   // how far a multiplier is outside [0, C], at most
	Primal     float64   // ½‖w‖² + C·Σ hinge losses
	Dual       float64   // Σα − ½Σααyy'K
	Gap        float64   // Primal − Dual ≥ 0; 0 exactly at the optimum
	NormW      float64   // ‖w‖ in feature space
	HingeTotal float64   // Σᵢ max(0, 1 − yᵢf(xᵢ)), the slacks
}

// CheckOptimality tests the Karush-Kuhn-Tucker conditions of the soft-margin machine f(x) = Σᵢ
// αᵢyᵢK(xᵢ, x) + b on its training examples, with labels y of −1 and +1:
//
//	αᵢ = 0 ⇒ yᵢf(xᵢ) ≥ 1,  αᵢ = C ⇒ yᵢf(xᵢ) ≤ 1,  0 < αᵢ < C ⇒ yᵢf(xᵢ) = 1
//
// The conditions are implications, not equivalences: an example on the margin may have any αᵢ.
// Together with 0 ≤ αᵢ ≤ C and Σ αᵢyᵢ = 0, the conditions are necessary and sufficient for an
// optimum.
//
// Course: SVM-06, SVM-09.
func CheckOptimality(alpha []float64, b, c float64, k kernel.Kernel, x mat.Matrix, y []int) *Optimality {
	const op = "CheckOptimality"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		panic(err)
	}
	if len(alpha) != len(y) {
		panic(model.Errorf(op, "alpha must have %d entries (the number of examples), got %d", len(y), len(alpha)))
	}
	g := kernel.Gram(k, d)
	o := &Optimality{Violation: make([]float64, len(y))}
	ww, balance, sum := 0.0, 0.0, 0.0
	edge := 1e-9 * c // of the box: as near as that is at the bound
	for i, label := range y {
		if label != 1 && label != -1 {
			panic(model.Errorf(op, "y[%d] must be -1 or +1, got %d", i, label))
		}
		u := 0.0
		for m, a := range alpha {
			u += a * float64(y[m]) * g.At(i, m)
		}
		ww += alpha[i] * float64(label) * u
		balance += alpha[i] * float64(label)
		sum += alpha[i]
		margin := float64(label) * (u + b)
		o.HingeTotal += max(0, 1-margin)
		switch a := alpha[i]; {
		case a <= edge:
			o.Violation[i] = max(0, 1-margin)
		case a >= c-edge:
			o.Violation[i] = max(0, margin-1)
		default:
			o.Violation[i] = math.Abs(margin - 1)
		}
		o.Worst = max(o.Worst, o.Violation[i])
		o.Outside = max(o.Outside, -alpha[i], alpha[i]-c)
	}
	o.Balance, o.NormW = math.Abs(balance), math.Sqrt(max(0, ww))
	o.Primal, o.Dual = ww/2+c*o.HingeTotal, sum-ww/2
	o.Gap = o.Primal - o.Dual
	return o
}

// Multipliers returns αᵢ of all n training rows for one machine of a fitted [SVC]. Rows of other
// classes and rows that are not support vectors have αᵢ = 0.
func (s *SVC) Multipliers(machine, n int) []float64 {
	const op = "SVC.Multipliers"
	if s.rows == nil {
		panic(model.NotFitted(op))
	}
	if machine < 0 || machine >= len(s.Machines) || n <= s.Support[len(s.Support)-1] {
		panic(model.Errorf(op, "machine must be between 0 and %d, and n be the number of rows passed to Fit, got %d and %d", len(s.Machines)-1, machine, n))
	}
	alpha := make([]float64, n)
	m := s.Machines[machine]
	for t, v := range m.Vectors {
		alpha[s.Support[v]] = math.Abs(m.DualCoef[t])
	}
	return alpha
}
