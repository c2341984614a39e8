package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// centered is the matrix A = C^½·(X − 1·meanᵀ) for a sparse X and the weights C of its rows. A is
// never stored; the cost of a product is the number of nonzero entries of X.
type centered struct {
	x    *rows.Matrix
	root []float64 // C^½; nil means 1
	mean []float64 // nil means 0
}

func (a *centered) rootOf(i int) float64 {
	if a.root == nil {
		return 1
	}
	return a.root[i]
}

// times writes A·v into out.
func (a *centered) times(out, v []float64) {
	shift := 0.0
	if a.mean != nil {
		shift = floats.Dot(a.mean, v)
	}
	par.Range(len(out), 1024, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = a.rootOf(i) * (a.x.Dot(i, v) - shift)
		}
	})
}

// timesT writes Aᵀ·u into out.
func (a *centered) timesT(out, u []float64) {
	clear(out)
	sum := 0.0
	for i, v := range u {
		v *= a.rootOf(i)
		a.x.Add(out, v, i)
		sum += v
	}
	if a.mean != nil {
		floats.AddScaled(out, -sum, a.mean)
	}
}

// sparseLeastSquares is [leastSquares] for a sparse x. It runs conjugate gradients on the normal
// equations (CGLS), which keep x sparse. From 0 they stay in the span of the rows, so without a
// penalty they find the minimum-norm solution. It returns an error if they do not converge.
func sparseLeastSquares(op string, run *model.Run, x rows.Matrix, y, weights []float64, lambda float64, intercept bool) (w []float64, b float64, err error) {
	a := &centered{x: &x}
	right, my := make([]float64, x.N), 0.0
	if intercept {
		a.mean = weightedMeans(&x, weights)
		my = meanOf(y, weights)
	}
	if weights != nil {
		a.root = make([]float64, x.N)
		for i, c := range weights {
			a.root[i] = math.Sqrt(c)
		}
	}
	for i, v := range y {
		right[i] = a.rootOf(i) * (v - my)
	}
	w = make([]float64, x.Width)
	most := 10*min(x.N, x.Width) + 1000
	if err := a.solve(op, run, w, right, lambda, most); err != nil {
		return nil, 0, err
	}
	if intercept {
		b = my - floats.Dot(a.mean, w)
	}
	return w, b, nil
}

// solve minimizes ½‖A·w − r‖² + (λ/2)‖w‖² from w = 0 and overwrites r.
func (a *centered) solve(op string, run *model.Run, w, r []float64, lambda float64, most int) error {
	const small = 1e-13 // the norm of the gradient relative to the first one
	s, q := make([]float64, len(w)), make([]float64, len(r))
	a.timesT(s, r)
	dir := append([]float64(nil), s...)
	size := floats.Dot(s, s)
	first := size
	if math.IsInf(size, 1) || math.IsNaN(size) {
		return model.Errorf(op, "the normal equations must be finite").WithHint("scale the columns and the targets first")
	}
	for k := 1; k <= most; k++ {
		if size <= small*small*first {
			return nil
		}
		a.times(q, dir)
		step := size / (floats.Dot(q, q) + lambda*floats.Dot(dir, dir))
		floats.AddScaled(w, step, dir)
		floats.AddScaled(r, -step, q)
		a.timesT(s, r)
		floats.AddScaled(s, -lambda, w)
		before := size
		size = floats.Dot(s, s)
		floats.Scale(size/before, dir)
		floats.Add(dir, s)
		if err := run.Step(k, (floats.Dot(r, r)+lambda*floats.Dot(w, w))/2); err != nil {
			return err
		}
	}
	return model.Errorf(op, "the conjugate gradients did not converge in %d iterations: the columns of x are nearly dependent, or of very different scale", most).
		WithHint("scale the columns, use Ridge with a larger Lambda, or pass a dense x")
}

// meanOf is the weighted mean of y; nil weights are all 1.
func meanOf(y, weights []float64) float64 {
	if weights == nil {
		return floats.Sum(y) / float64(len(y))
	}
	return floats.Dot(weights, y) / floats.Sum(weights)
}

// weightedMeans returns the weighted means of the columns of x.
func weightedMeans(x *rows.Matrix, weights []float64) []float64 {
	total := float64(x.N)
	if weights != nil {
		total = floats.Sum(weights)
	}
	mean := columnSums(x, func(sum []float64, i int) { x.Add(sum, weightOf(weights, i), i) })
	floats.Scale(1/total, mean)
	return mean
}
