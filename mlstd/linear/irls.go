package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LogisticMLE is logistic regression by maximum likelihood, without a penalty, and with standard
// errors. It uses Newton's method, which here is iteratively reweighted least squares.
//
//	log L = Σᵢ yᵢ log hᵢ + (1−yᵢ) log(1−hᵢ),  hᵢ = σ(θ·xᵢ)
//	θ ← θ + (XᵀSX)⁻¹Xᵀ(y − h),  S = diag(hᵢ(1−hᵢ))
//
// In a model with only an intercept, the intercept is log(p/(1−p)), where p is the fraction of the
// second class. The steps are taken for standardized columns, so that neither their units nor their
// zeros matter. For separable classes the likelihood has no maximum, since it only approaches 1 as
// θ grows; Fit then returns an error.
//
// Cost: O(n·d²) per iteration, typically with fewer than ten iterations.
//
// References: [McCullaghNelder1989]. Course: LIN-09.
type LogisticMLE struct {
	NoIntercept bool
	// MaxIter is the maximum number of iterations; 0 means 50.
	MaxIter int
	// Tol stops the fit when the largest component of the step, for standardized columns, is at
	// most Tol; 0 means 1e-10. A larger value stops earlier.
	Tol float64
	model.Control

	Coef          []float64 // set by Fit
	Intercept     float64   // set by Fit
	StdErr        []float64 // set by Fit: the standard errors of Coef, then of the intercept
	LogLikelihood float64   // set by Fit, in nats
	Trace         model.Trace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef and Intercept for exactly two classes.
func (l *LogisticMLE) Fit(x mat.Matrix, y []int) error {
	const op = "LogisticMLE.Fit"
	model.NoteXY(&l.Fitted, x, y)
	*l = LogisticMLE{NoIntercept: l.NoIntercept, MaxIter: l.MaxIter, Tol: l.Tol, Control: l.Control, Fitted: l.Fitted}
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if len(classes) != 2 {
		return model.Errorf(op, "y must have exactly two classes, got %d", len(classes)).WithHint("use LogisticRegression for more")
	}
	maxIter, err := model.Iterations(op, "MaxIter", l.MaxIter, 50)
	if err != nil {
		return err
	}
	tol := l.Tol
	if tol == 0 {
		tol = 1e-10
	}
	run := l.Begin("LogisticMLE", maxIter)
	defer run.End()
	f := newMaximum(d, index, !l.NoIntercept)
	if !f.independent() {
		return model.Errorf(op, "the columns of x must be linearly independent").WithHint("drop a column, or use LogisticRegression, whose penalty allows dependent columns")
	}
	var trace model.Trace
	for k := 1; k <= maxIter; k++ {
		moved, ok := f.step()
		if !ok {
			return model.Errorf(op, "the classes must overlap: they are linearly separable, so the likelihood has no maximum").
				WithHint("use LogisticRegression, whose penalty keeps the weights finite")
		}
		trace.Loss, trace.Step = append(trace.Loss, -f.like), append(trace.Step, moved)
		if err := run.Step(k, -f.like); err != nil {
			return err
		}
		if moved <= tol {
			trace.Converged = true
			break
		}
		floats.Add(f.u, f.dir.RawVector().Data)
	}
	if err := f.errors(&l.StdErr); err != nil {
		return model.Errorf(op, "the information matrix could not be inverted: %v", err)
	}
	l.Coef, l.Intercept = f.restored()
	l.LogLikelihood, l.Trace, l.classes = f.like, trace, classes
	return nil
}

// maximum is Newton's method for the likelihood of two classes as a function of the
// parameters u for standardized columns, the intercept last.
type maximum struct {
	z        *mat.Dense // the standardized columns, and a last one of 1
	index    []int
	mean, sd []float64
	p        int // columns of x
	u, grad  []float64
	dir      *mat.VecDense
	chol     mat.Cholesky
	like     float64
}

func newMaximum(d *mat.Dense, index []int, intercept bool) *maximum {
	x := rows.OfDense(d)
	f := &maximum{index: index, p: x.Width}
	f.mean, f.sd = columnStats(&x, nil, intercept)
	q := stride(x.Width, intercept)
	f.z, f.u, f.grad, f.dir = mat.NewDense(x.N, q, nil), make([]float64, q), make([]float64, q), mat.NewVecDense(q, nil)
	for j, sd := range f.sd {
		if sd == 0 {
			f.sd[j] = 1
		}
	}
	for i := range x.N {
		row := f.z.RawRowView(i)
		row[q-1] = 1
		for j, v := range d.RawRowView(i) {
			row[j] = (v - f.mean[j]) / f.sd[j]
		}
	}
	return f
}

// independent reports whether the columns are linearly independent, in units in which all are
// alike.
func (f *maximum) independent() bool {
	var gram mat.SymDense
	gram.SymOuterK(1/float64(len(f.index)), f.z.T())
	var chol mat.Cholesky
	return chol.Factorize(&gram) && chol.Cond() < 1e14
}

// step computes the likelihood at u and Newton's step from u. It returns the step's largest
// component, or false if the likelihood has no maximum.
func (f *maximum) step() (moved float64, ok bool) {
	q := len(f.u)
	hess := mat.NewSymDense(q, nil)
	clear(f.grad)
	f.like = 0
	for i, k := range f.index {
		row := f.z.RawRowView(i)
		z := floats.Dot(f.u, row)
		h, t := Sigmoid(z), float64(k)
		f.like -= math.Log1p(math.Exp(-math.Abs(z))) + max(0, z) - t*z
		floats.AddScaled(f.grad, t-h, row)
		hess.SymRankOne(hess, h*(1-h), mat.NewVecDense(q, row))
	}
	if f.like > -1e-6*float64(len(f.index)) || floats.Norm(f.u, math.Inf(1)) > 1e8 {
		return 0, false
	}
	if !f.chol.Factorize(hess) || f.chol.Cond() > 1e14 || f.chol.SolveVecTo(f.dir, mat.NewVecDense(q, f.grad)) != nil {
		return 0, false
	}
	return mat.Norm(f.dir, math.Inf(1)), true
}

// restored returns the coefficients for the original columns.
func (f *maximum) restored() (coef []float64, intercept float64) {
	coef = slices.Clone(f.u[:f.p])
	floats.Div(coef, f.sd)
	if len(f.u) > f.p {
		intercept = f.u[f.p] - floats.Dot(coef, f.mean)
	}
	return coef, intercept
}

// errors appends the standard errors of the coefficients that restored returns. With V the inverse
// of the information matrix, they are √Vⱼⱼ/sdⱼ, and √(a·Va) for the intercept a·u.
func (f *maximum) errors(to *[]float64) error {
	var v mat.SymDense
	if err := f.chol.InverseTo(&v); err != nil {
		return err
	}
	for j, sd := range f.sd {
		*to = append(*to, math.Sqrt(v.At(j, j))/sd)
	}
	if len(f.u) > f.p {
		a := mat.NewVecDense(len(f.u), nil)
		for j, sd := range f.sd {
			a.SetVec(j, -f.mean[j]/sd)
		}
		a.SetVec(f.p, 1)
		*to = append(*to, math.Sqrt(mat.Inner(a, &v, a)))
	}
	return nil
}

// Classes lists the two classes in ascending order.
func (l *LogisticMLE) Classes() []int { return slices.Clone(l.classes) }

func (l *LogisticMLE) scores(op string, x mat.Matrix) *mat.Dense {
	s := predict(op, x, l.Coef, l.Intercept)
	return mat.NewDense(len(s), 1, s)
}

// Decision returns θ·x + b as one column.
func (l *LogisticMLE) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LogisticMLE.Decision", &l.Fitted, x)
	return l.scores("LogisticMLE.Decision", x)
}

// Predict returns the more probable class of each row.
func (l *LogisticMLE) Predict(x mat.Matrix) []int {
	x = model.MustRead("LogisticMLE.Predict", &l.Fitted, x)
	return classify(l.scores("LogisticMLE.Predict", x), l.classes)
}

// PredictProba returns the class probabilities of each row.
func (l *LogisticMLE) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LogisticMLE.PredictProba", &l.Fitted, x)
	return probabilities(l.scores("LogisticMLE.PredictProba", x))
}
