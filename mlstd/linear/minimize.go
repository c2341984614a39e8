package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// memory is the number of steps that L-BFGS remembers.
const memory = 10

// minimize runs L-BFGS on standardized columns from zero with a backtracking line search that asks
// for the strong Wolfe conditions. It ends if the gradient is small and a further step would change
// no score. Both conditions are needed: if the likelihood has no maximum, the gradient vanishes
// too, but the scores continue to grow.
func minimize(name string, of objective, settings likelihood, x *rows.Matrix, weights []float64) ([]float64, model.Trace, error) {
	maxIter, err := model.Iterations(name+".Fit", "MaxIter", settings.maxIter, 1000)
	if err != nil {
		return nil, model.Trace{}, err
	}
	tol := settings.tol
	if tol == 0 {
		tol = 1e-8
	}
	if !(tol > 0) {
		return nil, model.Trace{}, model.Errorf(name+".Fit", "Tol must be positive, got %v", tol)
	}
	run := settings.control.Begin(name, maxIter)
	defer run.End()
	f := standardize(of, x, weights, settings.lambda, !settings.noIntercept)
	var trace model.Trace
	n := f.params()
	w, g := make([]float64, n), make([]float64, n)
	next, nextG, dir := make([]float64, n), make([]float64, n), make([]float64, n)
	var hist history
	value := f.value(w, g)
	for k := 1; k <= maxIter; k++ {
		hist.direction(dir, g)
		if size := floats.Norm(g, math.Inf(1)); size <= tol*f.scale() {
			still := f.reach(dir) <= stillScores
			if still || size <= 1e-3*tol*f.scale() || settings.lambda == 0 && f.separates(w) {
				trace.Converged = still
				break
			}
		}
		slope := floats.Dot(dir, g)
		if slope >= 0 { // lost descent to rounding: start afresh
			hist = history{}
			hist.direction(dir, g)
			slope = floats.Dot(dir, g)
		}
		first := 1.0
		if len(hist.s) == 0 {
			first = min(1, 1/floats.Norm(g, 1))
		}
		step, v, ok := wolfe(f, w, dir, value, slope, first, next, nextG)
		if !ok {
			// No progress is possible at this precision.
			trace.Converged = floats.Norm(g, math.Inf(1)) <= 1e3*tol*f.scale() && f.reach(dir) <= stillScores
			break
		}
		hist.push(w, next, g, nextG)
		w, next = next, w
		g, nextG = nextG, g
		value = v
		trace.Loss = append(trace.Loss, value)
		trace.Step = append(trace.Step, step*floats.Norm(dir, 2))
		if err := run.Step(k, value); err != nil {
			return nil, model.Trace{}, err
		}
	}
	f.restore(w)
	return w, trace, nil
}

// stillScores is the change of a score above which a step counts as progress. Newton's step adds 1
// to the margins of separable classes, and almost nothing near a minimum.
const stillScores = 0.1

// history holds the last steps s of L-BFGS and the changes y of the gradient.
type history struct {
	s, y [][]float64
	rho  []float64
}

func (h *history) push(w, next, g, nextG []float64) {
	var s, y []float64
	if len(h.s) == memory {
		s, y = h.s[0], h.y[0]
		copy(h.s, h.s[1:])
		copy(h.y, h.y[1:])
		copy(h.rho, h.rho[1:])
		h.s, h.y, h.rho = h.s[:memory-1], h.y[:memory-1], h.rho[:memory-1]
	} else {
		s, y = make([]float64, len(w)), make([]float64, len(w))
	}
	floats.SubTo(s, next, w)
	floats.SubTo(y, nextG, g)
	if sy := floats.Dot(s, y); sy > 1e-300 {
		h.s, h.y, h.rho = append(h.s, s), append(h.y, y), append(h.rho, 1/sy)
	}
}

// direction writes −H·g into dir, where H is the approximate inverse Hessian that the history
// implies.
func (h *history) direction(dir, g []float64) {
	copy(dir, g)
	var alpha [memory]float64
	for i := len(h.s) - 1; i >= 0; i-- {
		alpha[i] = h.rho[i] * floats.Dot(h.s[i], dir)
		floats.AddScaled(dir, -alpha[i], h.y[i])
	}
	if m := len(h.s); m > 0 {
		floats.Scale(1/(h.rho[m-1]*floats.Dot(h.y[m-1], h.y[m-1])), dir)
	}
	for i := range h.s {
		b := h.rho[i] * floats.Dot(h.y[i], dir)
		floats.AddScaled(dir, alpha[i]-b, h.s[i])
	}
	floats.Scale(-1, dir)
}

// wolfe finds a step along dir that satisfies the strong Wolfe conditions, by
// doubling and bisection; next and nextG hold the point and its gradient.
func wolfe(f objective, w, dir []float64, value, slope, first float64, next, nextG []float64) (step, v float64, ok bool) {
	const c1, c2 = 1e-4, 0.9
	lo, hi, step := 0.0, math.Inf(1), first
	for range 60 {
		floats.AddScaledTo(next, w, step, dir)
		v = f.value(next, nextG)
		d := floats.Dot(nextG, dir)
		switch {
		case math.IsNaN(v) || v > value+c1*step*slope:
			hi = step
		case d < c2*slope:
			lo = step
		case d > -c2*slope:
			hi = step
		default:
			return step, v, true
		}
		if math.IsInf(hi, 1) {
			step = 2 * lo
		} else {
			step = (lo + hi) / 2
		}
	}
	return step, v, v < value
}
