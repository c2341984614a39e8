package optim

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Schedule returns the step size of iteration k, which counts from 1.
type Schedule interface {
	Rate(k int) float64
}

// ConstantRate is the same step size throughout. Descent on a batch gradient
// converges with a small enough one; stochastic descent only to a neighborhood.
//
// Course: OPT-22.
type ConstantRate float64

// Rate is the constant.
func (c ConstantRate) Rate(int) float64 { return float64(c) }

// InverseRate is A/(B + k). Its sum diverges while the sum of its squares
// converges (for A = 1, B = 0 to π²/6 = 1.645): what stochastic descent needs.
//
// Course: OPT-22.
type InverseRate struct {
	A float64 // 0 means 1
	B float64
}

// Rate is A/(B + k).
func (r InverseRate) Rate(k int) float64 {
	a := r.A
	if a == 0 {
		a = 1
	}
	return a / (r.B + float64(k))
}

// InverseSqrtRate is A/√k, for which the subgradient method has gap O(1/√k).
//
// Course: OPT-22, OPT-23.
type InverseSqrtRate float64

// Rate is A/√k.
func (a InverseSqrtRate) Rate(k int) float64 { return float64(a) / math.Sqrt(float64(k)) }

// PowerRate is A/k^Power, slower to fall than [InverseSqrtRate] for a Power below ½.
//
// Course: OPT-22.
type PowerRate struct {
	A     float64 // 0 means 1
	Power float64 // 0 means 0.25, model.Zero a constant rate
}

// Rate is A/k^Power.
func (r PowerRate) Rate(k int) float64 {
	return model.Or(r.A, 1) / math.Pow(float64(k), model.Or(r.Power, 0.25))
}

// StrongConvexRate is 1/(λk), the schedule of Pegasos for a λ-strongly convex
// objective. (The notes give 1/k, without λ.)
//
// References: [ShalevShwartz2007]. Course: OPT-22.
type StrongConvexRate struct{ Lambda float64 }

// Rate is 1/(λk).
func (r StrongConvexRate) Rate(k int) float64 { return 1 / (r.Lambda * float64(k)) }

// SubgradientBound is the guarantee of the subgradient method after the given
// steps: with distance the distance of the start from a minimizer and g a bound
// on the norms of the subgradients,
//
//	f_best − f* ≤ (distance² + g²·Σηₖ²) / (2·Σηₖ)
//
// It tends to 0 exactly when Σηₖ diverges faster than Σηₖ².
//
// References: [BoydSubgradient2003]. Course: OPT-23.
func SubgradientBound(distance, g float64, s Schedule, steps int) float64 {
	if steps < 1 {
		panic(model.Errorf("SubgradientBound", "steps must be at least 1, got %d", steps))
	}
	var sum, squares float64
	for k := 1; k <= steps; k++ {
		e := s.Rate(k)
		sum += e
		squares += e * e
	}
	return (distance*distance + g*g*squares) / (2 * sum)
}
