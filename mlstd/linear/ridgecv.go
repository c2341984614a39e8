package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// RidgeCV is [Ridge] with the λ that has the smallest leave-one-out error.
//
//	eᵢ = (yᵢ − ŷᵢ)/(1 − hᵢ),  h = diag(X(XᵀX + λI)⁻¹Xᵀ) + 1/n
//
// eᵢ is exactly the error, on example i, of the fit without example i, and needs no separate fit.
// One singular value decomposition of the centered columns is enough for all λ.
//
// Cost: O(n·d·min(n, d)), and O(n·d) for each λ. Scale the columns first.
//
// References: [GolubHeathWahba1979]. Course: LIN-05, EVAL-17.
type RidgeCV struct {
	// Lambdas is the list of penalties λ to choose from; nil means 0.1, 1, 10. 0 is
	// least squares.
	Lambdas     []float64
	NoIntercept bool
	model.Control

	Lambda    float64   // set by Fit: the chosen one
	Errors    []float64 // set by Fit: the mean squared leave-one-out error for each λ
	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  // set by Fit: the names of the columns, if x has names

	model.Fitted // set by Fit: the columns that it was given
}

// Fit chooses Lambda and finds Coef and Intercept.
func (r *RidgeCV) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&r.Fitted, x, y)
	return r.fit("RidgeCV.Fit", x, y, nil)
}

// FitWeighted is Fit with a weight for each squared error. The fits and the leave-one-out errors
// use the weights.
func (r *RidgeCV) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "RidgeCV.FitWeighted"
	model.NoteXYReal(&r.Fitted, x, y)
	r.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return r.fit(op, x, y, weights)
}

func (r *RidgeCV) reset() {
	r.Lambda, r.Errors, r.Coef, r.Intercept, r.Columns = 0, nil, nil, 0, nil
}

func (r *RidgeCV) fit(op string, x mat.Matrix, y, weights []float64) error {
	r.reset()
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	lambdas := r.Lambdas
	if lambdas == nil {
		lambdas = []float64{0.1, 1, 10}
	}
	for _, l := range lambdas {
		if !(l >= 0) || math.IsInf(l, 1) {
			return model.Errorf(op, "Lambdas must be finite and not negative, got %v", l)
		}
	}
	if len(lambdas) == 0 {
		return model.Errorf(op, "Lambdas must be nil or not empty").WithHint("leave it nil for the default values")
	}
	run := r.Begin("RidgeCV", len(lambdas))
	defer run.End()
	if weights != nil {
		kept := positive(weights)
		d, y, weights = pick.Rows(d, kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	out, err := newLeftOut(op, d, y, weights, !r.NoIntercept)
	if err != nil {
		return err
	}
	errors, best := make([]float64, len(lambdas)), 0
	for k, l := range lambdas {
		errors[k] = out.error(l)
		if errors[k] < errors[best] {
			best = k
		}
		if err := run.Step(k+1, errors[k]); err != nil {
			return err
		}
	}
	if math.IsInf(errors[best], 1) {
		return model.Errorf(op, "every fit interpolates all examples, so leave-one-out errors are undefined").WithHint("set larger Lambdas, or pass more examples")
	}
	coef, b, err := leastSquares(op, d, y, weights, lambdas[best], !r.NoIntercept)
	if err != nil {
		return err
	}
	r.Lambda, r.Errors, r.Coef, r.Intercept, r.Columns = lambdas[best], errors, coef, b, columnNames(x)
	return nil
}

// leftOut holds the singular value decomposition of the centered columns, weighted.
type leftOut struct {
	u       *mat.Dense
	s, uty  []float64
	y       []float64 // centered, times the square roots of the weights
	base    []float64 // the leverage of the intercept
	total   float64
	squares []float64 // of the singular values, 0 for those within the rounding error
}

func newLeftOut(op string, d *mat.Dense, y, weights []float64, intercept bool) (*leftOut, error) {
	n, p := d.Dims()
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	}
	mean, my := make([]float64, p), 0.0
	o := &leftOut{total: floats.Sum(weights), base: make([]float64, n), y: make([]float64, n)}
	if intercept {
		mean, my = centerOf(d, y, weights)
	}
	z := mat.NewDense(n, p, nil)
	for i, w := range weights {
		floats.SubTo(z.RawRowView(i), d.RawRowView(i), mean)
		floats.Scale(math.Sqrt(w), z.RawRowView(i))
		o.y[i] = math.Sqrt(w) * (y[i] - my)
		if intercept {
			o.base[i] = w / o.total
		}
	}
	var svd mat.SVD
	if !svd.Factorize(z, mat.SVDThin) {
		return nil, model.Errorf(op, "the singular value decomposition of x failed")
	}
	o.u = &mat.Dense{}
	svd.UTo(o.u)
	o.s = svd.Values(nil)
	o.uty, o.squares = make([]float64, len(o.s)), make([]float64, len(o.s))
	mat.NewVecDense(len(o.s), o.uty).MulVec(o.u.T(), mat.NewVecDense(n, o.y))
	for k, s := range o.s {
		if s > float64(max(n, p))*2.2e-16*o.s[0] {
			o.squares[k] = s * s
		}
	}
	return o, nil
}

// error returns the weighted mean of the squared leave-one-out errors, or +Inf if an example has
// leverage 1.
func (o *leftOut) error(lambda float64) float64 {
	k := len(o.s)
	shrink, fit := make([]float64, k), make([]float64, k)
	for j, s2 := range o.squares {
		if s2 > 0 {
			shrink[j] = s2 / (s2 + lambda)
		}
		fit[j] = shrink[j] * o.uty[j]
	}
	sum := 0.0
	for i, v := range o.y {
		row, h := o.u.RawRowView(i), o.base[i]
		for j, u := range row {
			h += u * u * shrink[j]
		}
		if 1-h < 1e-10 {
			return math.Inf(1)
		}
		e := (v - floats.Dot(row, fit)) / (1 - h)
		sum += e * e
	}
	return sum / o.total
}

// Predict returns θ·x + b for each row.
func (r *RidgeCV) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("RidgeCV.Predict", &r.Fitted, x)
	return predict("RidgeCV.Predict", x, r.Coef, r.Intercept)
}
