package optim

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Objective is a function to minimize, with a (sub)gradient.
type Objective interface {
	Value(x []float64) float64
	// Gradient writes the gradient at x to dst, which must be as long as x.
	Gradient(dst, x []float64)
}

// Function makes an Objective from two functions; if the gradient is nil, it is computed
// numerically.
type Function struct {
	F func(x []float64) float64
	G func(dst, x []float64)
}

// Value returns F(x).
func (f Function) Value(x []float64) float64 { return f.F(x) }

// Gradient writes the result of G or, if G is nil, the numerical gradient.
func (f Function) Gradient(dst, x []float64) {
	if f.G != nil {
		f.G(dst, x)
		return
	}
	copy(dst, NumericalGradient(f.F, x))
}

// StopReason is the reason why a descent ended.
type StopReason string

// These are the reasons why a descent can end.
const (
	StopGradient StopReason = "gradient below the tolerance"
	StopChange   StopReason = "objective no longer changes"
	StopIter     StopReason = "iterations used up"
	StopDiverged StopReason = "diverged"
	StopEarly    StopReason = "validation error rose"
)

// Minimum is the result of a descent.
type Minimum struct {
	X      []float64
	Value  float64
	Iter   int
	Reason StopReason
	Path   [][]float64 // the start and every iterate, if the algorithm keeps it
	Trace  model.Trace
}

// GradientDescent follows the negative gradient of the whole objective (batch, or steepest,
// descent), optionally with momentum.
//
//	Δₖ = −η(k)·∇f(xₖ₋₁) + α·Δₖ₋₁,   xₖ = xₖ₋₁ + Δₖ
//
// For example, on f(x) = x² with η = 0.1 each step multiplies x by 0.8; with η ≥ 1 the descent does
// not converge. With momentum α, steps along a ravine add up and steps across it cancel.
//
// Cost: one gradient per iteration.
//
// References: [Polyak1964]. Course: OPT-19, OPT-27, OPT-34.
type GradientDescent struct {
	Rate Schedule // nil means ConstantRate(0.1)
	// Momentum is the fraction α, in [0, 1), of the last step that is added to the next; 0 means
	// none. A larger value speeds up the descent along valleys, but may overshoot.
	Momentum float64
	MaxIter  int // the maximum number of steps; 0 means 1000
	// Tol is the norm of the gradient below which the descent stops; 0 means 1e-8. A larger value
	// stops the descent earlier.
	Tol      float64
	KeepPath bool // record every iterate in Minimum.Path
	model.Control
}

// Minimize descends from x0, which it does not change. Divergence is not an error: the result has
// the status StopDiverged and the last finite iterate.
func (g *GradientDescent) Minimize(f Objective, x0 []float64) (*Minimum, error) {
	if len(x0) == 0 {
		return nil, model.Errorf("GradientDescent.Minimize", "x0 must not be empty")
	}
	if !(g.Momentum >= 0 && g.Momentum < 1) {
		return nil, model.Errorf("GradientDescent.Minimize", "Momentum must be at least 0 and below 1, got %v", g.Momentum)
	}
	maxIter, err := model.Iterations("GradientDescent.Minimize", "MaxIter", g.MaxIter, 1000)
	if err != nil {
		return nil, err
	}
	rate, tol := g.Rate, g.Tol
	if rate == nil {
		rate = ConstantRate(0.1)
	}
	if tol == 0 {
		tol = 1e-8
	}
	run := g.Begin("GradientDescent", maxIter)
	defer run.End()
	x, grad, delta := append([]float64(nil), x0...), make([]float64, len(x0)), make([]float64, len(x0))
	m := &Minimum{Reason: StopIter}
	keep := func() {
		if g.KeepPath {
			m.Path = append(m.Path, append([]float64(nil), x...))
		}
	}
	keep()
	value := f.Value(x)
	for k := 1; k <= maxIter; k++ {
		f.Gradient(grad, x)
		if Norm(grad, 2) <= tol {
			m.Reason = StopGradient
			break
		}
		eta := rate.Rate(k)
		for i := range x {
			delta[i] = -eta*grad[i] + g.Momentum*delta[i]
			x[i] += delta[i]
		}
		v := f.Value(x)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			for i := range x {
				x[i] -= delta[i]
			}
			m.Reason = StopDiverged
			break
		}
		value = v
		m.Iter = k
		m.Trace.Loss = append(m.Trace.Loss, v)
		m.Trace.Step = append(m.Trace.Step, Norm(delta, 2))
		keep()
		if err := run.Step(k, v); err != nil {
			return nil, err
		}
	}
	m.X, m.Value = x, value
	m.Trace.Converged = m.Reason == StopGradient
	return m, nil
}

// CoordinateDescent minimizes along one coordinate at a time, in turn, until a whole sweep changes
// no coordinate by more than Tol. On a quadratic it is the Gauss-Seidel method; its path is a
// staircase.
//
//	xⱼ ← argmin_t f(x₁, …, t, …, x_d)
//
// Each one-dimensional search requires that f is convex along the axis. On a function with kinks
// that are not parallel to the axes, the method can get stuck.
//
// Cost: d line searches of about 50 evaluations per sweep.
//
// References: [Wright2015]. Course: OPT-32.
type CoordinateDescent struct {
	MaxIter  int     // sweeps; 0 means 500
	Tol      float64 // 0 means 1e-9
	KeepPath bool    // record the point after each coordinate
	model.Control
}

// Minimize descends from x0.
func (c *CoordinateDescent) Minimize(f func(x []float64) float64, x0 []float64) (*Minimum, error) {
	if len(x0) == 0 {
		return nil, model.Errorf("CoordinateDescent.Minimize", "x0 must not be empty")
	}
	maxIter, err := model.Iterations("CoordinateDescent.Minimize", "MaxIter", c.MaxIter, 500)
	if err != nil {
		return nil, err
	}
	tol := c.Tol
	if tol == 0 {
		tol = 1e-9
	}
	run := c.Begin("CoordinateDescent", maxIter)
	defer run.End()
	x := append([]float64(nil), x0...)
	m := &Minimum{Reason: StopIter}
	if c.KeepPath {
		m.Path = append(m.Path, append([]float64(nil), x...))
	}
	for k := 1; k <= maxIter; k++ {
		largest := 0.0
		for j := range x {
			old := x[j]
			t, ok := minimizeLine(func(t float64) float64 { x[j] = t; return f(x) }, old)
			x[j] = t
			if !ok {
				x[j] = old
				m.Reason = StopDiverged
				m.X, m.Value, m.Iter = x, f(x), k
				return m, nil
			}
			largest = max(largest, math.Abs(t-old))
			if c.KeepPath {
				m.Path = append(m.Path, append([]float64(nil), x...))
			}
		}
		v := f(x)
		m.Iter = k
		m.Trace.Loss = append(m.Trace.Loss, v)
		m.Trace.Step = append(m.Trace.Step, largest)
		if err := run.Step(k, v); err != nil {
			return nil, err
		}
		if largest <= tol {
			m.Reason = StopChange
			break
		}
	}
	m.X, m.Value = x, f(x)
	m.Trace.Converged = m.Reason == StopChange
	return m, nil
}

// minimizeLine brackets the minimum of a convex function from x, narrows it by
// golden sections, and polishes by a parabola. false means unbounded below.
func minimizeLine(f func(float64) float64, x float64) (float64, bool) {
	h := 1e-3 * max(1, math.Abs(x))
	fx := f(x)
	dir := 1.0
	if f(x+h) > fx {
		dir = -1
	}
	lo, mid, hi := x-dir*h, x, x+dir*h
	for i := 0; f(hi) < f(mid); i++ {
		if i > 200 {
			return x, false
		}
		lo, mid, hi = mid, hi, hi+2*(hi-mid)
	}
	if lo > hi {
		lo, hi = hi, lo
	}
	const golden = 0.6180339887498949
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fa, fb := f(a), f(b)
	for hi-lo > 1e-7*max(1, math.Abs(mid)) {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - golden*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + golden*(hi-lo)
			fb = f(b)
		}
	}
	best := (lo + hi) / 2
	// A parabola through three well-separated points is exact for quadratics,
	// where golden sections stop at the square root of the precision.
	d := 1e-2 * max(1, math.Abs(best))
	f0, f1, f2 := f(best-d), f(best), f(best+d)
	if den := f0 - 2*f1 + f2; den > 0 {
		if t := best + d*(f0-f2)/(2*den); math.Abs(t-best) < d && f(t) <= f1 {
			best = t
		}
	}
	if f(best) > fx {
		best = x
	}
	return best, true
}

// LossPattern is the diagnosis of a loss curve.
type LossPattern string

// The verdicts on a loss curve.
const (
	PatternConverged   LossPattern = "converged"
	PatternFalling     LossPattern = "still falling: use more iterations or a larger Rate"
	PatternOscillating LossPattern = "oscillating: use a smaller Rate"
	PatternDiverging   LossPattern = "diverging: use a much smaller Rate"
)

// ReadLossCurve diagnoses a loss curve of at least 5 iterations. It compares the end of the curve
// with the start, and counts the changes of direction.
//
// Course: OPT-34.
func ReadLossCurve(loss []float64) LossPattern {
	n := len(loss)
	if n < 5 {
		panic(model.Errorf("ReadLossCurve", "there must be at least 5 iterations, got %d", n))
	}
	last := loss[n-1]
	if math.IsNaN(last) || math.IsInf(last, 0) || last > loss[0]+1e-12*math.Abs(loss[0]) {
		return PatternDiverging
	}
	tail := loss[n-max(5, n/5):]
	turns := 0
	for i := 2; i < len(tail); i++ {
		if a, b := tail[i-1]-tail[i-2], tail[i]-tail[i-1]; a*b < 0 && math.Abs(b) > 1e-6*math.Abs(loss[0]-last) {
			turns++
		}
	}
	if turns > (len(tail)-2)/2 {
		return PatternOscillating
	}
	if math.Abs(tail[0]-last) <= 1e-4*math.Abs(loss[0]-last) {
		return PatternConverged
	}
	return PatternFalling
}

// String describes the minimum in one line.
func (m *Minimum) String() string {
	return fmt.Sprintf("f(%.6g) = %.6g after %d iterations: %s", m.X, m.Value, m.Iter, m.Reason)
}
