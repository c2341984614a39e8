package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// LogisticMLE is logistic regression by maximum likelihood and nothing else:
// Newton's method, which here is iteratively reweighted least squares, with the
// standard errors that statisticians ask for.
//
//	log L = Σᵢ yᵢ log hᵢ + (1−yᵢ) log(1−hᵢ),  hᵢ = σ(θ·xᵢ)
//	θ ← θ + (XᵀSX)⁻¹Xᵀ(y − h),  S = diag(hᵢ(1−hᵢ))
//
// With an intercept only, it is log(p/(1−p)). Separable classes have no maximum:
// Fit refuses them, since the likelihood only approaches 1 as θ grows.
//
// Cost: O(n·d²) an iteration, a handful of them.
//
// References: [McCullaghNelder1989]. Course: LIN-09.
type LogisticMLE struct {
	NoIntercept bool
	MaxIter     int     // 0 means 50
	Tol         float64 // largest component of the step; 0 means 1e-10
	model.Control

	Coef          []float64 // set by Fit
	Intercept     float64   // set by Fit
	StdErr        []float64 // set by Fit: of Coef, then of the intercept
	LogLikelihood float64   // set by Fit, in nats
	Trace         model.Trace

	classes []int
}

// Fit finds Coef and Intercept for exactly two classes.
func (l *LogisticMLE) Fit(x mat.Matrix, y []int) error {
	const op = "LogisticMLE.Fit"
	*l = LogisticMLE{NoIntercept: l.NoIntercept, MaxIter: l.MaxIter, Tol: l.Tol, Control: l.Control}
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if len(classes) != 2 {
		return model.Errorf(op, "y has %d classes", len(classes)).WithHint("it takes two; for more use LogisticRegression")
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
	n, p := d.Dims()
	q := p
	if !l.NoIntercept {
		q++
	}
	w, row := make([]float64, q), make([]float64, q)
	row[q-1] = 1
	grad, step := make([]float64, q), mat.NewVecDense(q, nil)
	var chol mat.Cholesky
	var trace model.Trace
	var like float64
	for k := 1; k <= maxIter; k++ {
		hess := mat.NewSymDense(q, nil)
		clear(grad)
		like = 0
		for i := range n {
			copy(row[:p], d.RawRowView(i))
			z := floats.Dot(w, row)
			h := Sigmoid(z)
			t := float64(index[i])
			like -= math.Log1p(math.Exp(-math.Abs(z))) + max(0, z) - t*z
			floats.AddScaled(grad, t-h, row)
			hess.SymRankOne(hess, h*(1-h), mat.NewVecDense(q, row))
		}
		if like > -1e-6*float64(n) || floats.Norm(w, math.Inf(1)) > 1e8 {
			return model.Errorf(op, "the classes can be separated by a line, so the likelihood has no maximum").
				WithHint("use LogisticRegression, whose penalty keeps the weights finite")
		}
		if !chol.Factorize(hess) || chol.Cond() > 1e14 {
			return model.Errorf(op, "columns of x are linearly dependent").WithHint("drop one, or use LogisticRegression, whose penalty allows that")
		}
		if err := chol.SolveVecTo(step, mat.NewVecDense(q, grad)); err != nil {
			return model.Errorf(op, "the Newton step could not be solved: %v", err)
		}
		moved := mat.Norm(step, math.Inf(1))
		trace.Loss, trace.Step = append(trace.Loss, -like), append(trace.Step, moved)
		if err := run.Step(k, -like); err != nil {
			return err
		}
		if moved <= tol {
			trace.Converged = true
			break
		}
		floats.Add(w, step.RawVector().Data)
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return model.Errorf(op, "the information matrix could not be inverted: %v", err)
	}
	for j := range q {
		l.StdErr = append(l.StdErr, math.Sqrt(inverse.At(j, j)))
	}
	l.Coef, l.LogLikelihood, l.Trace, l.classes = w[:p:p], like, trace, classes
	if !l.NoIntercept {
		l.Intercept = w[p]
	}
	return nil
}

// Classes lists the two classes in ascending order.
func (l *LogisticMLE) Classes() []int { return slices.Clone(l.classes) }

func (l *LogisticMLE) scores(op string, x mat.Matrix) *mat.Dense {
	s := predict(op, x, l.Coef, l.Intercept)
	return mat.NewDense(len(s), 1, s)
}

// Decision gives θ·x + b as one column.
func (l *LogisticMLE) Decision(x mat.Matrix) *mat.Dense { return l.scores("LogisticMLE.Decision", x) }

// Predict gives the more probable class of each row.
func (l *LogisticMLE) Predict(x mat.Matrix) []int {
	return classify(l.scores("LogisticMLE.Predict", x), l.classes)
}

// PredictProba gives the class probabilities of each row.
func (l *LogisticMLE) PredictProba(x mat.Matrix) *mat.Dense {
	return probabilities(l.scores("LogisticMLE.PredictProba", x))
}
