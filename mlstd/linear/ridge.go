package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Ridge is linear regression with an l₂ penalty, which makes the solution unique and its
// coefficients small.
//
//	J(θ) = ½ Σᵢ (θ·xᵢ + b − yᵢ)² + (λ/2)·Σⱼ θⱼ²,  θ = (XᵀX + λI)⁻¹Xᵀy
//
// The intercept b is not penalized. Some textbooks divide both terms by m, which does not change
// the solution. If a textbook puts the penalty outside the factor 1/(2m), as the lecture notes do
// once, its λ has another scale.
//
// Cost: O(n·d²). A sparse x stays sparse: the fit takes a few dozen conjugate gradient steps, each
// linear in the number of nonzero entries. Scale the columns first: the penalty treats all columns
// alike.
//
// References: [HoerlKennard1970]. Course: LIN-05.
type Ridge struct {
	// Lambda is the strength λ of the penalty; 0 means 1, model.Zero means none:
	// least squares. A larger value shrinks the coefficients more.
	Lambda      float64
	NoIntercept bool
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  `snapshot:"added"` // set by Fit: the names of the columns, if x has names

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept.
func (r *Ridge) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&r.Fitted, x, y)
	return r.fit("Ridge.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each squared error.
func (r *Ridge) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "Ridge.FitWeighted"
	model.NoteXYReal(&r.Fitted, x, y)
	r.Coef, r.Intercept, r.Columns = nil, 0, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return r.fit(op, x, y, weights)
}

func (r *Ridge) fit(op string, x mat.Matrix, y, weights []float64) error {
	r.Coef, r.Intercept, r.Columns = nil, 0, nil
	d, err := rows.CheckReal(op, x, y)
	if err != nil {
		return err
	}
	lambda, err := penaltyOr1(op, r.Lambda)
	if err != nil {
		return err
	}
	run := r.Begin("Ridge", 1)
	defer run.End()
	coef, intercept, err := solve(op, run, d, y, weights, lambda, !r.NoIntercept)
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	r.Coef, r.Intercept, r.Columns = coef, intercept, columnNames(x)
	return nil
}

func penaltyOr1(op string, lambda float64) (float64, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return 0, model.Errorf(op, "Lambda must be finite and not negative, got %v", lambda)
	}
	return model.Or(lambda, 1), nil
}

// Predict returns θ·x + b for each row.
func (r *Ridge) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("Ridge.Predict", &r.Fitted, x)
	return predict("Ridge.Predict", x, r.Coef, r.Intercept)
}

// CoefPath holds the coefficients of a model as its penalty changes.
type CoefPath struct {
	Lambda []float64
	Coef   [][]float64 // one row per λ, one entry per column
}

// RidgePath fits [Ridge] for each λ: as λ grows, all coefficients shrink together, and none becomes
// exactly zero. λ = 0 is least squares.
//
// Course: LIN-05, OPT-13.
func RidgePath(x mat.Matrix, y []float64, lambdas []float64) (*CoefPath, error) {
	return coefPath(x, y, lambdas, func(l float64) ([]float64, error) {
		r := Ridge{Lambda: l}
		err := r.Fit(x, y)
		return r.Coef, err
	})
}

// coefPath takes model.Zero for λ = 0, which in a model stands for its default.
func coefPath(x mat.Matrix, y, lambdas []float64, fit func(lambda float64) ([]float64, error)) (*CoefPath, error) {
	p := &CoefPath{}
	for _, l := range lambdas {
		penalty := l
		if l == 0 {
			penalty = model.Zero
		}
		c, err := fit(penalty)
		if err != nil {
			return nil, err
		}
		p.Lambda, p.Coef = append(p.Lambda, l), append(p.Coef, c)
	}
	return p, nil
}
