package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PoissonRegressor is the generalized linear model for counts and rates: the targets have Poisson
// distributions whose mean is the exponential of a linear function.
//
//	μ = e^(θ·x + b),  J = (1/n) Σᵢ (μᵢ − yᵢ·(θ·xᵢ + b)) + (λ/2)·‖θ‖²
//
// J is half the mean deviance, up to terms that do not depend on θ. The fit is by Newton's method:
// θ ← θ − H⁻¹∇J with H = (1/n)·XᵀSX + λI, S = diag(μᵢ), where each step is halved until J falls.
// The variance of a Poisson count is its mean; if the data vary more, the estimate of θ is still
// consistent, but likelihoods are wrong. For rates, divide the counts by the exposure and use the
// exposure as the weight.
//
// The generalized linear model for binary targets is [LogisticRegression], or [LogisticMLE] with
// standard errors.
//
// Cost: O(n·d²) per iteration, typically with fewer than ten iterations. Scale the columns first:
// the penalty treats all columns alike.
//
// References: [McCullaghNelder1989]. Course: LIN-09.
type PoissonRegressor struct {
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

	model.Fitted // set by Fit: the columns that it was given
}

var poisson = linkFamily{
	name:  "PoissonRegressor",
	takes: func(y float64) bool { return y >= 0 },
	must:  "not be negative",
	sized: true,
	loss: func(y, z float64) (l, d1, d2 float64) {
		mu := math.Exp(z)
		return mu - y*z, mu - y, mu
	},
}

// Fit finds Coef and Intercept.
func (m *PoissonRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	return m.fit("PoissonRegressor.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each example's loss; n is the sum of the weights.
func (m *PoissonRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "PoissonRegressor.FitWeighted"
	model.NoteXYReal(&m.Fitted, x, y)
	m.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return m.fit(op, x, y, weights)
}

func (m *PoissonRegressor) reset() {
	m.Coef, m.Intercept, m.Columns, m.Trace = nil, 0, nil, model.Trace{}
}

func (m *PoissonRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	m.reset()
	s, err := generalized{poisson, m.Lambda, m.NoIntercept, m.MaxIter, m.Tol, &m.Control}.fit(op, x, y, weights)
	if err != nil {
		return err
	}
	m.Coef, m.Intercept, m.Columns, m.Trace = s.coef, s.intercept, columnNames(x), s.trace
	return nil
}

// Predict returns e^(θ·x + b) for each row.
func (m *PoissonRegressor) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("PoissonRegressor.Predict", &m.Fitted, x)
	return exponentials("PoissonRegressor.Predict", x, m.Coef, m.Intercept)
}
