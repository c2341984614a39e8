package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// HuberRegressor is linear regression that is robust to outliers among the targets: residuals above
// Epsilon·σ enter the loss linearly, not squared. σ, the scale of the residuals, is estimated
// together with the coefficients.
//
//	J(θ, σ) = Σᵢ (σ + σ·H((yᵢ − θ·xᵢ − b)/σ)) + λ·‖θ‖²
//	H(z) = z² if |z| ≤ ε, 2ε|z| − ε² otherwise
//
// J is jointly convex in θ and σ. Each step solves a weighted ridge regression, in which a residual
// beyond εσ has the weight εσ/|r|, and finds the best σ; no step raises J. With ε = 1.35 the
// estimate needs 5 % more examples than least squares when the noise is Gaussian. It is not robust
// to outliers among the rows of x. Since σ is estimated together with the line, outliers raise σ:
// if more than about a third of the targets are outliers of, say, ten times the noise, the line
// follows them.
//
// Cost: O(n·d²) per step.
//
// References: [Huber1964]. Course: LIN-02, OPT-07.
type HuberRegressor struct {
	// Epsilon is the threshold ε > 1, in units of σ, above which the loss of a residual is linear;
	// 0 means 1.35. A smaller value is more robust to outliers.
	Epsilon float64
	// Lambda is the strength λ of the penalty; 0 means 0.0001, model.Zero means
	// none. A larger value shrinks the coefficients more.
	Lambda      float64
	NoIntercept bool
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the largest change of a prediction, in units of σ, is at most Tol; 0
	// means 1e-9. A larger value stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  // set by Fit: the names of the columns, if x has names
	Sigma     float64   // set by Fit: σ
	Outliers  []bool    // set by Fit: for each example, whether its residual is beyond εσ
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef, Intercept and Sigma.
func (h *HuberRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&h.Fitted, x, y)
	return h.fit("HuberRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each term of the sum.
func (h *HuberRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "HuberRegressor.FitWeighted"
	model.NoteXYReal(&h.Fitted, x, y)
	h.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return h.fit(op, x, y, weights)
}

func (h *HuberRegressor) reset() {
	h.Coef, h.Intercept, h.Columns, h.Sigma, h.Outliers, h.Trace = nil, 0, nil, 0, nil, model.Trace{}
}

func (h *HuberRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	h.reset()
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	eps, lambda, tol := model.Or(h.Epsilon, 1.35), model.Or(h.Lambda, 1e-4), model.Or(h.Tol, 1e-9)
	if err := limits.Check(op,
		limits.Must("Epsilon", eps, eps > 1 && !math.IsInf(eps, 1), "be above 1 and finite"),
		limits.Penalty("Lambda", lambda),
		limits.Positive("Tol", tol)); err != nil {
		return err
	}
	maxIter, err := model.Iterations(op, "MaxIter", h.MaxIter, 1000)
	if err != nil {
		return err
	}
	all, allY := d, y
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	} else if slices.Contains(weights, 0) {
		kept := positive(weights)
		d, y, weights = pick.Rows(d, kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	run := h.Begin("HuberRegressor", maxIter)
	defer run.End()
	coef, b, err := leastSquares(op, d, y, weights, lambda, !h.NoIntercept)
	if err != nil {
		return err
	}
	res := residuals(d, y, coef, b)
	sigma := huberScale(res, weights, eps, rms(res, weights))
	var trace model.Trace
	shares, last := make([]float64, len(y)), make([]float64, len(y))
	for k := 1; k <= maxIter; k++ {
		for i, r := range res {
			shares[i] = weights[i]
			if a := math.Abs(r); a > eps*sigma {
				shares[i] *= eps * sigma / a
			}
		}
		copy(last, res)
		if sigma > 0 {
			if coef, b, err = leastSquares(op, d, y, shares, lambda*sigma, !h.NoIntercept); err != nil {
				return err
			}
			res = residuals(d, y, coef, b)
			sigma = huberScale(res, weights, eps, sigma)
		}
		moved := floats.Distance(res, last, math.Inf(1))
		value := huberValue(res, weights, coef, eps, lambda, sigma)
		trace.Loss, trace.Step = append(trace.Loss, value), append(trace.Step, moved)
		if err := run.Step(k, value); err != nil {
			return err
		}
		if moved <= tol*sigma {
			trace.Converged = true
			break
		}
	}
	h.Coef, h.Intercept, h.Columns, h.Sigma, h.Trace = coef, b, columnNames(x), sigma, trace
	h.Outliers = make([]bool, len(allY))
	for i, r := range residuals(all, allY, coef, b) {
		h.Outliers[i] = math.Abs(r) > eps*sigma
	}
	return nil
}

func residuals(d *mat.Dense, y, coef []float64, b float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = v - b - floats.Dot(d.RawRowView(i), coef)
	}
	return out
}

// rms is the weighted root mean square, or 0 if it is within the rounding error.
func rms(res, weights []float64) float64 {
	sum := 0.0
	for i, r := range res {
		sum += weights[i] * r * r
	}
	return math.Sqrt(sum / floats.Sum(weights))
}

// huberScale returns the σ that minimizes J for the residuals: σ² = Σ_in w·r² / (Σw − ε²·Σ_out w).
// The sets in and out depend on σ, so the formula is iterated from start until the sets no longer
// change.
func huberScale(res, weights []float64, eps, start float64) float64 {
	order := ascendingAbs(res)
	total := floats.Sum(weights)
	// If the residuals up to a rank are inside, σ must lie between the last one inside and the
	// next.
	inside, outside := 0.0, total
	best := start
	for k, i := range order {
		inside += weights[i] * res[i] * res[i]
		outside -= weights[i]
		rest := total - eps*eps*max(outside, 0)
		if rest <= 0 {
			continue
		}
		best = math.Sqrt(inside / rest)
		if math.Abs(res[i]) <= eps*best && (k+1 == len(order) || math.Abs(res[order[k+1]]) >= eps*best) {
			return best
		}
	}
	return best
}

func ascendingAbs(v []float64) []int {
	order := make([]int, len(v))
	size := make([]float64, len(v))
	for i, x := range v {
		size[i] = math.Abs(x)
	}
	floats.ArgsortStable(size, order)
	return order
}

func huberValue(res, weights, coef []float64, eps, lambda, sigma float64) float64 {
	sum := lambda * floats.Dot(coef, coef)
	if sigma == 0 {
		return sum
	}
	for i, r := range res {
		z := math.Abs(r) / sigma
		v := z * z
		if z > eps {
			v = 2*eps*z - eps*eps
		}
		sum += weights[i] * sigma * (1 + v)
	}
	return sum
}

// Predict returns θ·x + b for each row.
func (h *HuberRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("HuberRegressor.Predict", &h.Fitted, x)
	return predict("HuberRegressor.Predict", x, h.Coef, h.Intercept)
}
