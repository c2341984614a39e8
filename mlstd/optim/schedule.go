package optim

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Schedule returns the step size of iteration k, which counts from 1.
type Schedule interface {
	Rate(k int) float64
}

// ConstantRate is the same step size in all iterations. With a small enough step size, descent on
// the batch gradient converges to a minimum, but stochastic descent only to a neighborhood of it.
//
// Course: OPT-22.
type ConstantRate float64

// Rate returns the constant.
func (c ConstantRate) Rate(int) float64 { return float64(c) }

// InverseRate is A/(B + k). Its sum diverges while the sum of its squares converges (for A = 1, B =
// 0 to π²/6 = 1.645). Stochastic descent converges only if its schedule has both properties.
//
// Course: OPT-22.
type InverseRate struct {
	A float64 // 0 means 1
	B float64
}

// Rate returns A/(B + k).
func (r InverseRate) Rate(k int) float64 {
	a := r.A
	if a == 0 {
		a = 1
	}
	return a / (r.B + float64(k))
}

// InverseSqrtRate is A/√k, for which the optimality gap of the subgradient method is O(1/√k).
//
// Course: OPT-22, OPT-23.
type InverseSqrtRate float64

// Rate returns A/√k.
func (a InverseSqrtRate) Rate(k int) float64 { return float64(a) / math.Sqrt(float64(k)) }

// PowerRate is A/k^Power. With a Power below ½ it falls more slowly than [InverseSqrtRate].
//
// Course: OPT-22.
type PowerRate struct {
	A     float64 // 0 means 1
	Power float64 // 0 means 0.25, model.Zero a constant rate
}

// Rate returns A/k^Power.
func (r PowerRate) Rate(k int) float64 {
	return model.Or(r.A, 1) / math.Pow(float64(k), model.Or(r.Power, 0.25))
}

// StrongConvexRate is 1/(λk), the schedule of Pegasos for a λ-strongly convex objective. (The
// lecture notes have 1/k, without λ.)
//
// References: [ShalevShwartz2007]. Course: OPT-22.
type StrongConvexRate struct{ Lambda float64 }

// Rate returns 1/(λk).
func (r StrongConvexRate) Rate(k int) float64 { return 1 / (r.Lambda * float64(k)) }

// SubgradientBound returns an upper bound on the optimality gap of the subgradient method after the
// given number of steps. Here, distance is the distance from the start to a minimizer, and g is an
// upper bound on the norms of the subgradients:
//
//	f_best − f* ≤ (distance² + g²·Σηₖ²) / (2·Σηₖ)
//
// The bound tends to 0 exactly if Σηₖ diverges and Σηₖ²/Σηₖ tends to 0.
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
