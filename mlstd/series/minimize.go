package series

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// minimizeIn finds a minimum of f near x with the Nelder-Mead method. It restarts from its result
// until that no longer helps, or the given number of times. f is +Inf where it is not defined.
func minimizeIn(f func([]float64) float64, x []float64, step float64, restarts int) ([]float64, float64) {
	best, value := slices.Clone(x), f(x)
	if len(x) == 0 {
		return best, value
	}
	for range restarts {
		settings := &optimize.Settings{
			FuncEvaluations: 800 * len(x),
			Converger:       &optimize.FunctionConverge{Absolute: 1e-15, Relative: 1e-13, Iterations: 20 * len(x)},
		}
		r, err := optimize.Minimize(optimize.Problem{Func: f}, best, settings, &optimize.NelderMead{SimplexSize: step})
		if r == nil || err != nil && !(r.F < value) {
			break // f is not finite anywhere near
		}
		done := !(r.F < value-1e-10*(math.Abs(value)+1))
		if r.F < value {
			best, value = slices.Clone(r.X), r.F
		}
		if done {
			break
		}
		step = max(step/2, 0.02)
	}
	return best, value
}
