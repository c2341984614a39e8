package optim

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Loss is the cost of predicting the score s if the true value is y. It has a derivative with
// respect to s. At a kink of the loss, Derivative returns a subgradient.
type Loss interface {
	Value(y, s float64) float64
	Derivative(y, s float64) float64
	Name() string
}

// Labels are −1 and +1 for these losses; the ones of regression follow below.

// ZeroOneLoss counts mistakes.
//
//	L(y, s) = 1 if y·s ≤ 0, else 0
//
// A score of exactly zero is a mistake. (One passage of the lecture notes swaps the two cases.) The
// derivative is 0, so a descent method cannot minimize this loss. Minimizing it over linear
// classifiers is NP-hard. The convex losses below bound it from above.
//
// Course: OPT-01.
type ZeroOneLoss struct{}

// Value returns 1 for a mistake and 0 otherwise.
func (ZeroOneLoss) Value(y, s float64) float64 {
	if y*s <= 0 {
		return 1
	}
	return 0
}

// Derivative returns 0 everywhere.
func (ZeroOneLoss) Derivative(_, _ float64) float64 { return 0 }

// Name returns "0-1".
func (ZeroOneLoss) Name() string { return "0-1" }

// HingeLoss is the loss of the support vector machine. It is 0 only for margins of at least 1.
//
//	L(y, s) = max{0, 1 − y·s},  ∂L/∂s ∋ −y if y·s < 1, else 0
//
// At the kink y·s = 1, every number between −y and 0 is a subgradient; Derivative returns 0.
//
// Course: OPT-02.
type HingeLoss struct{}

// Value returns 1 minus the margin, or 0 if the margin is above 1.
func (HingeLoss) Value(y, s float64) float64 { return max(0, 1-y*s) }

// Derivative returns −y inside the margin and 0 outside.
func (HingeLoss) Derivative(y, s float64) float64 {
	if y*s < 1 {
		return -y
	}
	return 0
}

// Name returns "hinge".
func (HingeLoss) Name() string { return "hinge" }

// LogisticLoss is the negative log-likelihood of logistic regression.
//
//	L(y, s) = log(1 + e^(−y·s))
//
// At s = 0, the loss is log 2 = 0.693 nats. With Base2, the loss is in bits; it is then 1 at s = 0,
// and an upper bound on the 0-1 loss.
//
// Course: OPT-03.
type LogisticLoss struct {
	Base2 bool
}

// Value returns the loss in nats, or in bits with Base2.
func (l LogisticLoss) Value(y, s float64) float64 { return l.scale() * softplus(-y*s) }

// Derivative returns −y·σ(−y·s).
func (l LogisticLoss) Derivative(y, s float64) float64 { return -y * l.scale() / (1 + math.Exp(y*s)) }

// Name returns "logistic".
func (LogisticLoss) Name() string { return "logistic" }

func (l LogisticLoss) scale() float64 {
	if l.Base2 {
		return 1 / math.Ln2
	}
	return 1
}

// softplus is log(1 + e^z) without overflow.
func softplus(z float64) float64 {
	if z > 0 {
		return z + math.Log1p(math.Exp(-z))
	}
	return math.Log1p(math.Exp(z))
}

// ExponentialLoss is the loss that AdaBoost minimizes. It is positive for every margin, and grows
// exponentially for outliers.
//
//	L(y, s) = e^(−y·s)
//
// Course: OPT-04.
type ExponentialLoss struct{}

// Value returns e^(−y·s).
func (ExponentialLoss) Value(y, s float64) float64 { return math.Exp(-y * s) }

// Derivative returns −y·e^(−y·s).
func (ExponentialLoss) Derivative(y, s float64) float64 { return -y * math.Exp(-y*s) }

// Name returns "exponential".
func (ExponentialLoss) Name() string { return "exponential" }

// PerceptronLoss is the hinge loss with its kink moved to margin 0: stochastic gradient descent on
// it with step 1 and no penalty is the perceptron. The perceptron counts mistakes (the 0-1 loss),
// but its updates descend on the perceptron loss.
//
//	L(y, s) = max{0, −y·s},  ∂L/∂s ∋ −y if y·s ≤ 0, else 0
//
// Course: OPT-08.
type PerceptronLoss struct{}

// Value returns the distance of the score from 0 if the score is on the wrong side, and 0
// otherwise.
func (PerceptronLoss) Value(y, s float64) float64 { return max(0, -y*s) }

// Derivative returns −y for a mistake (a score of 0 included) and 0 otherwise.
func (PerceptronLoss) Derivative(y, s float64) float64 {
	if y*s <= 0 {
		return -y
	}
	return 0
}

// Name returns "perceptron".
func (PerceptronLoss) Name() string { return "perceptron" }

// SquaredHingeLoss is the square of the hinge loss. It is smooth, and penalizes large violations
// more than the hinge loss does.
//
//	L(y, s) = max{0, 1 − y·s}²
//
// Course: OPT-09.
type SquaredHingeLoss struct{}

// Value returns the square of 1 minus the margin, or 0 if the margin is above 1.
func (SquaredHingeLoss) Value(y, s float64) float64 { h := max(0, 1-y*s); return h * h }

// Derivative returns −2y·max{0, 1 − y·s}.
func (SquaredHingeLoss) Derivative(y, s float64) float64 { return -2 * y * max(0, 1-y*s) }

// Name returns "squared hinge".
func (SquaredHingeLoss) Name() string { return "squared hinge" }

// SquaredLoss is half the squared residual. The sum over the examples is half the residual sum of
// squares; the mean squared error also divides by n, which one passage of the lecture notes omits.
//
//	L(y, s) = ½(y − s)²
//
// Course: OPT-05.
type SquaredLoss struct{}

// Value returns half the squared residual.
func (SquaredLoss) Value(y, s float64) float64 { return (y - s) * (y - s) / 2 }

// Derivative returns s − y.
func (SquaredLoss) Derivative(y, s float64) float64 { return s - y }

// Name returns "squared".
func (SquaredLoss) Name() string { return "squared" }

// AbsoluteLoss is minimized by the median, so it is robust to outliers.
//
//	L(y, s) = |y − s|
//
// Course: OPT-06.
type AbsoluteLoss struct{}

// Value returns the absolute residual.
func (AbsoluteLoss) Value(y, s float64) float64 { return math.Abs(y - s) }

// Derivative returns the sign of s − y, which is 0 at the kink.
func (AbsoluteLoss) Derivative(y, s float64) float64 { return sign(s - y) }

// Name returns "absolute".
func (AbsoluteLoss) Name() string { return "absolute" }

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// HuberLoss is quadratic for small residuals and linear for large residuals; the two pieces have
// the same slope where they meet.
//
//	L(y, s) = ½r²            if |r| ≤ δ,   r = y − s
//	        = δ(|r| − δ/2)   otherwise
//
// (The lecture notes omit the absolute value in the second line.)
//
// References: [Huber1964]. Course: OPT-07.
type HuberLoss struct {
	// Delta is the absolute residual, in the unit of y, above which the loss is linear; 0 means 1.
	// A larger Delta is closer to the squared loss.
	Delta float64
}

// Value returns the loss of the residual.
func (h HuberLoss) Value(y, s float64) float64 {
	d, r := h.delta(), math.Abs(y-s)
	if r <= d {
		return r * r / 2
	}
	return d * (r - d/2)
}

// Derivative returns s − y, clipped to [−δ, δ].
func (h HuberLoss) Derivative(y, s float64) float64 {
	d := h.delta()
	return min(max(s-y, -d), d)
}

// Name returns "Huber".
func (HuberLoss) Name() string { return "Huber" }

func (h HuberLoss) delta() float64 {
	if h.Delta == 0 {
		return 1
	}
	return h.Delta
}

// EpsilonInsensitiveLoss is the loss of support vector regression: it is 0 for residuals inside the
// tube, whose absolute value is at most epsilon.
//
//	L(y, s) = max{0, |y − s| − ε}
//
// Course: OPT-10.
type EpsilonInsensitiveLoss struct {
	// Epsilon is the largest absolute residual, in the unit of y, that has no loss. With the
	// default 0, the loss is the absolute loss.
	Epsilon float64
}

// Value returns the distance of the residual from the tube; it is 0 inside the tube.
func (e EpsilonInsensitiveLoss) Value(y, s float64) float64 {
	return max(0, math.Abs(y-s)-e.Epsilon)
}

// Derivative returns the sign of s − y outside the tube and 0 inside.
func (e EpsilonInsensitiveLoss) Derivative(y, s float64) float64 {
	if math.Abs(y-s) > e.Epsilon {
		return sign(s - y)
	}
	return 0
}

// Name returns "epsilon-insensitive".
func (EpsilonInsensitiveLoss) Name() string { return "epsilon-insensitive" }

// MarginLosses returns the losses of classification in the order in which a plot shows them. Each
// is a function φ of the margin z = y·s. φ falls toward 0 for confident right predictions and rises
// for confident wrong ones.
//
// Course: OPT-09.
func MarginLosses() []Loss {
	return []Loss{ZeroOneLoss{}, PerceptronLoss{}, HingeLoss{}, SquaredHingeLoss{}, LogisticLoss{Base2: true}, ExponentialLoss{}}
}

// LossCurve returns the loss at each margin.
//
// Course: OPT-09.
func LossCurve(l Loss, margins []float64) []float64 {
	out := make([]float64, len(margins))
	for i, z := range margins {
		out[i] = l.Value(1, z)
	}
	return out
}

// EmpiricalRisk returns the mean loss of scores on a sample.
//
//	J = (1/m) Σᵢ L(yᵢ, sᵢ)
//
// Course: OPT-09.
func EmpiricalRisk(l Loss, y, s []float64) float64 {
	if len(y) != len(s) || len(y) == 0 {
		panic(model.Errorf("EmpiricalRisk", "labels and scores must have the same length, at least 1, got %d and %d", len(y), len(s)))
	}
	sum := 0.0
	for i := range y {
		sum += l.Value(y[i], s[i])
	}
	return sum / float64(len(y))
}
