package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// GammaRegressor is the generalized linear model for positive targets whose spread grows with their
// mean, such as costs and waiting times. The targets have gamma distributions whose mean is the
// exponential of a linear function.
//
//	μ = e^(θ·x + b),  J = (1/n) Σᵢ (log μᵢ + yᵢ/μᵢ) + (λ/2)·‖θ‖²
//
// J is half the mean deviance, up to terms that do not depend on θ; the shape of the gamma
// distribution does not affect θ. Fit uses Newton's method as [PoissonRegressor] does, with S =
// diag(yᵢ/μᵢ).
//
// Cost: O(n·d²) per iteration, typically with fewer than ten iterations. Scale the columns first:
// the penalty treats all columns alike.
//
// References: [McCullaghNelder1989]. Course: LIN-09.
type GammaRegressor struct {
	// Lambda is the strength λ of the penalty; 0 means 1, model.Zero means none:
	// maximum likelihood. A larger value shrinks the coefficients more.
	Lambda      float64
	NoIntercept bool
	// MaxIter is the maximum number of iterations; 0 means 100.
	MaxIter int
	// Tol stops the fit when the expected decrease of the mean loss in a step is at most Tol; 0
	// means 1e-10. A larger value stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns of x
}

var gamma = linkFamily{
	name:  "GammaRegressor",
	takes: func(y float64) bool { return y > 0 },
	must:  "be positive",
	loss: func(y, z float64) (l, d1, d2 float64) {
		r := y * math.Exp(-z)
		return z + r, 1 - r, r
	},
}

// Fit computes Coef and Intercept.
func (m *GammaRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	return m.fit("GammaRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example's loss; n is the sum of the weights.
func (m *GammaRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "GammaRegressor.FitWeighted"
	model.NoteXYReal(&m.Fitted, x, y)
	m.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return m.fit(op, x, y, weights)
}

func (m *GammaRegressor) reset() {
	m.Coef, m.Intercept, m.Columns, m.Trace = nil, 0, nil, model.Trace{}
}

func (m *GammaRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	m.reset()
	s, err := generalized{gamma, m.Lambda, m.NoIntercept, m.MaxIter, m.Tol, &m.Control}.fit(op, x, y, weights)
	if err != nil {
		return err
	}
	m.Coef, m.Intercept, m.Columns, m.Trace = s.coef, s.intercept, columnNames(x), s.trace
	return nil
}

// Predict returns e^(θ·x + b) for each row.
func (m *GammaRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("GammaRegressor.Predict", &m.Fitted, x)
	return exponentials("GammaRegressor.Predict", x, m.Coef, m.Intercept)
}
