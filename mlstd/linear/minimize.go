package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// objective is a smooth convex function with its gradient, computed together.
type objective interface {
	value(w, grad []float64) float64
	params() int
	rows() int      // rows of the coefficient matrix
	scale() float64 // the weight of the examples: tolerances are for the mean
}

// standardized is an objective of linear scores as a function of the parameters for
// standardized columns, u = w·sd and, where there is one, the intercept b + mean·w.
// The minimum is the same; but neither the units of the columns nor where their zeros
// lie decide how many steps it takes to find it.
type standardized struct {
	objective
	mean, sd []float64
	w, grad  []float64
}

// standardize does not shift the columns if there is no intercept to take that up.
func standardize(f objective, x *mat.Dense, intercept bool) *standardized {
	n, p := x.Dims()
	s := &standardized{objective: f, mean: make([]float64, p), w: make([]float64, f.params()), grad: make([]float64, f.params())}
	if intercept {
		s.mean = columnMeans(x)
	}
	parts := make([][]float64, (n+chunk-1)/chunk)
	par.Range(n, chunk, func(lo, hi int) {
		squares := make([]float64, p)
		for i := lo; i < hi; i++ {
			for j, v := range x.RawRowView(i) {
				v -= s.mean[j]
				squares[j] += v * v
			}
		}
		parts[lo/chunk] = squares
	})
	s.sd = parts[0]
	for _, part := range parts[1:] {
		floats.Add(s.sd, part)
	}
	for j, squares := range s.sd {
		s.sd[j] = math.Sqrt(squares / float64(n))
		if !(s.sd[j] > 1e-150 && s.sd[j] < 1e150) { // the squares vanish or overflow
			s.sd[j] = 0
			for i := range n {
				s.sd[j] = max(s.sd[j], math.Abs(x.At(i, j)-s.mean[j]))
			}
		}
		if s.sd[j] <= 1e-14*math.Abs(s.mean[j]) {
			s.sd[j] = 1 // a constant column, up to the rounding of its mean
		}
	}
	return s
}

// restore turns the parameters for standardized columns into those of the columns.
func (s *standardized) restore(u []float64) {
	p, stride := len(s.sd), len(u)/s.rows()
	for at := 0; at < len(u); at += stride {
		row := u[at : at+stride]
		for j, sd := range s.sd {
			row[j] /= sd
		}
		if stride > p {
			row[p] -= floats.Dot(s.mean, row[:p])
		}
	}
}

func (s *standardized) value(u, grad []float64) float64 {
	copy(s.w, u)
	s.restore(s.w)
	v := s.objective.value(s.w, s.grad)
	copy(grad, s.grad)
	p, stride := len(s.sd), len(u)/s.rows()
	for at := 0; at < len(u); at += stride {
		row := grad[at : at+stride]
		if stride > p {
			floats.AddScaled(row[:p], -row[p], s.mean)
		}
		for j, sd := range s.sd {
			row[j] /= sd
		}
	}
	return v
}

// memory is the number of steps that L-BFGS remembers.
const memory = 10

// minimize runs L-BFGS on standardized columns from zero with a backtracking line
// search that asks for the strong Wolfe conditions.
func minimize(name string, of objective, x *mat.Dense, intercept bool, maxIter int, tol float64, control *model.Control) ([]float64, model.Trace, error) {
	maxIter, err := model.Iterations(name+".Fit", "MaxIter", maxIter, 1000)
	if err != nil {
		return nil, model.Trace{}, err
	}
	if tol == 0 {
		tol = 1e-6
	}
	if !(tol > 0) {
		return nil, model.Trace{}, model.Errorf(name+".Fit", "Tol is %v", tol).WithHint("choose it positive")
	}
	run := control.Begin(name, maxIter)
	defer run.End()
	f := standardize(of, x, intercept)
	var trace model.Trace
	n := f.params()
	w, g := make([]float64, n), make([]float64, n)
	next, nextG, dir := make([]float64, n), make([]float64, n), make([]float64, n)
	var hist history
	value := f.value(w, g)
	for k := 1; k <= maxIter; k++ {
		if floats.Norm(g, math.Inf(1)) <= tol*f.scale() {
			trace.Converged = true
			break
		}
		hist.direction(dir, g)
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
			trace.Converged = floats.Norm(g, math.Inf(1)) <= 1e3*tol*f.scale()
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

// history holds the last steps s and changes of the gradient y of L-BFGS.
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

// direction writes −H·g into dir, H the inverse Hessian that the history implies.
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
