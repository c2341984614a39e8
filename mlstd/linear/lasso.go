package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Lasso is linear regression with an l₁ penalty, which sets many coefficients to
// exactly zero.
//
//	J(θ) = (1/2n) Σᵢ (θ·xᵢ + b − yᵢ)² + λ·Σⱼ |θⱼ|
//
// The fit is by coordinate descent: θⱼ ← S(xⱼ·rⱼ/n, λ) / (xⱼ·xⱼ/n), where rⱼ is the residual
// without column j, and S is the soft-threshold function. The descent ends when the duality gap is
// below Tol·(1/2n)‖y‖². With orthonormal columns, one sweep is enough, and the solution is the
// soft-thresholded least-squares solution.
//
// Cost: O(n·d) per sweep; for a sparse x, the number of nonzero entries. Scale the columns first.
//
// References: [Tibshirani1996], [FriedmanHastieTibshirani2010]. Course: LIN-06,
// OPT-13, OPT-32.
type Lasso struct {
	// Lambda is the strength λ of the penalty; 0 means 1, model.Zero means none:
	// least squares. A larger value shrinks the coefficients more.
	Lambda      float64
	NoIntercept bool
	// MaxIter is the maximum number of sweeps; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the duality gap is at most Tol·(1/2n)‖y‖²; 0 means 1e-8. A larger
	// value stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  `snapshot:"added"` // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept.
func (l *Lasso) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&l.Fitted, x, y)
	return l.fit("Lasso.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each squared error; n is the sum of the weights.
func (l *Lasso) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "Lasso.FitWeighted"
	model.NoteXYReal(&l.Fitted, x, y)
	l.Coef, l.Intercept, l.Columns, l.Trace = nil, 0, nil, model.Trace{}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return l.fit(op, x, y, weights)
}

func (l *Lasso) fit(op string, x mat.Matrix, y, weights []float64) error {
	e := ElasticNet{Lambda: l.Lambda, L1Ratio: 1, NoIntercept: l.NoIntercept, MaxIter: l.MaxIter, Tol: l.Tol, Control: l.Control}
	l.Coef, l.Intercept, l.Columns, l.Trace = nil, 0, nil, model.Trace{}
	if err := e.fit(op, "Lasso", x, y, weights); err != nil {
		return err
	}
	l.Coef, l.Intercept, l.Columns, l.Trace = e.Coef, e.Intercept, e.Columns, e.Trace
	return nil
}

// Predict returns θ·x + b for each row.
func (l *Lasso) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("Lasso.Predict", &l.Fitted, x)
	return predict("Lasso.Predict", x, l.Coef, l.Intercept)
}

// LassoPath fits [Lasso] for each λ and returns the coefficients. The larger λ is, the more
// coefficients are zero. λ = 0 is least squares.
//
// Course: LIN-06, OPT-13.
func LassoPath(x mat.Matrix, y []float64, lambdas []float64) (*CoefPath, error) {
	return coefPath(x, y, lambdas, func(l float64) ([]float64, error) {
		m := Lasso{Lambda: l}
		err := m.Fit(x, y)
		return m.Coef, err
	})
}

// ElasticNet is linear regression with a mixture of the penalties of [Lasso] and [Ridge]. Its
// coefficients are sparse, as with the lasso. Correlated columns have similar coefficients, as with
// ridge regression.
//
//	J(θ) = (1/2n) Σᵢ (θ·xᵢ + b − yᵢ)² + λρ·Σⱼ |θⱼ| + ½λ(1−ρ)·Σⱼ θⱼ²
//
// The fit is by coordinate descent, as for the lasso.
//
// Cost: O(n·d) per sweep; for a sparse x, the number of nonzero entries.
//
// References: [ZouHastie2005]. Course: LIN-06, OPT-13.
type ElasticNet struct {
	// Lambda is the strength λ of the penalty; 0 means 1, model.Zero means none:
	// least squares. A larger value shrinks the coefficients more.
	Lambda float64
	// L1Ratio is the weight ρ of the l₁ penalty, between 0 and 1; 0 means 0.5, model.Zero means
	// only the l₂ penalty. A larger value sets more coefficients to exactly zero.
	L1Ratio     float64
	NoIntercept bool
	// MaxIter is the maximum number of sweeps; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the duality gap is at most Tol; 0 means 1e-8. A larger
	// value stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  `snapshot:"added"` // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept.
func (e *ElasticNet) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&e.Fitted, x, y)
	return e.fit("ElasticNet.Fit", "ElasticNet", x, y, nil)
}

// FitWeighted is Fit with a weight for each squared error; n is the sum of the weights.
func (e *ElasticNet) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "ElasticNet.FitWeighted"
	model.NoteXYReal(&e.Fitted, x, y)
	e.Coef, e.Intercept, e.Columns, e.Trace = nil, 0, nil, model.Trace{}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return e.fit(op, "ElasticNet", x, y, weights)
}

func (e *ElasticNet) fit(op, name string, x mat.Matrix, y, weights []float64) error {
	e.Coef, e.Intercept, e.Columns, e.Trace = nil, 0, nil, model.Trace{}
	d, err := rows.CheckReal(op, x, y)
	if err != nil {
		return err
	}
	set, err := e.settings(op)
	if err != nil {
		return err
	}
	if weights != nil {
		kept := positive(weights)
		d, y, weights = d.Take(kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	n := float64(d.N)
	if set.lambda*set.ratio == 0 { // no l₁ penalty: there is a closed form
		total := n
		if weights != nil {
			total = floats.Sum(weights)
		}
		if err := e.fitSmooth(op, name, d, y, weights, set.lambda*total); err != nil {
			return err
		}
		e.Columns = columnNames(x)
		return nil
	}
	cols, err := newColumns(op, d, y, weights, !e.NoIntercept)
	if err != nil {
		return err
	}
	run := e.Begin(name, set.maxIter)
	defer run.End()
	s := cols.newState()
	trace := model.Trace{}
	trace.Converged, err = cols.descend(s, set.penalty(n), set.tol, set.maxIter, func(k int, primal, moved float64) error {
		trace.Loss = append(trace.Loss, primal/n)
		trace.Step = append(trace.Step, moved)
		return run.Step(k, primal/n)
	})
	if err != nil {
		return err
	}
	e.Coef, e.Columns, e.Trace = s.w, columnNames(x), trace
	if !e.NoIntercept {
		e.Intercept = cols.intercept(s.w)
	}
	return nil
}

// netSettings are the validated parameters of an elastic net.
type netSettings struct {
	lambda, ratio, tol float64
	maxIter            int
}

// penalty returns the penalty for n examples.
func (s netSettings) penalty(n float64) elastic {
	return elastic{s.lambda * s.ratio * n, s.lambda * (1 - s.ratio) * n}
}

func (e *ElasticNet) settings(op string) (s netSettings, err error) {
	if s.lambda, err = penaltyOr1(op, e.Lambda); err != nil {
		return s, err
	}
	s.ratio = model.Or(e.L1Ratio, 0.5)
	if !(s.ratio >= 0 && s.ratio <= 1) {
		return s, model.Errorf(op, "L1Ratio must be between 0 and 1, got %v", e.L1Ratio)
	}
	if s.maxIter, err = model.Iterations(op, "MaxIter", e.MaxIter, 1000); err != nil {
		return s, err
	}
	if s.tol = e.Tol; s.tol == 0 {
		s.tol = 1e-8
	}
	if !(s.tol > 0) {
		return s, model.Errorf(op, "Tol must be positive, got %v", s.tol)
	}
	return s, nil
}

// fitSmooth fits without the l₁ penalty.
func (e *ElasticNet) fitSmooth(op, name string, d rows.Matrix, y, weights []float64, l2 float64) error {
	run := e.Begin(name, 1)
	defer run.End()
	w, b, err := solve(op, run, d, y, weights, l2, !e.NoIntercept)
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	e.Coef, e.Intercept = w, b
	e.Trace.Converged = true
	return nil
}

// Predict returns θ·x + b for each row.
func (e *ElasticNet) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("ElasticNet.Predict", &e.Fitted, x)
	return predict("ElasticNet.Predict", x, e.Coef, e.Intercept)
}
