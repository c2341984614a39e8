package svm

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SVR is support vector regression: errors up to Epsilon cost nothing, and larger errors cost their
// excess over Epsilon.
//
//	min ½‖w‖² + C·Σᵢ (ξᵢ + ξ̂ᵢ)  over w, b, ξ, ξ̂
//	subject to  f(xᵢ) − yᵢ ≤ Epsilon + ξᵢ,  yᵢ − f(xᵢ) ≤ Epsilon + ξ̂ᵢ,  ξᵢ, ξ̂ᵢ ≥ 0
//
// with f(x) = w·φ(x) + b = Σᵢ βᵢK(xᵢ, x) + b. The dual has two multipliers for each example, at
// most one of which is not zero; it is solved in the same way as the dual of [SVC]. An example
// strictly inside the tube |f(x) − y| < Epsilon has β = 0 and is not a support vector; an example
// outside the tube has |β| = C.
//
// Scale the columns first, and choose C and Epsilon on the scale of y.
//
// Cost: between O(n²·d) and O(n³).
//
// References: [DruckerBurges1997], [SmolaScholkopf2004], [FanChenLin2005].
// Course: SVM-14.
type SVR struct {
	// C is the penalty on errors outside the tube; 0 means 1. A larger value fits
	// the training data more closely and may overfit.
	C float64
	// Epsilon is half the width of the tube within which errors cost nothing. 0 means 0.1;
	// model.Zero means no tube, so the loss is the absolute error. A larger value ignores larger
	// errors and leaves fewer support vectors.
	Epsilon float64
	// Kernel is the kernel function; nil means an RBF with γ = 1/(columns·variance
	// of x).
	Kernel kernel.Kernel
	// Tol stops the fit when the violation of the optimality conditions, in the unit of y, is at
	// most Tol. 0 means 1e-3, or 1e-3 times the range of y if the range is below 1. With a larger
	// value, fitting stops earlier.
	Tol float64
	// MaxIter is the maximum number of steps; 0 means a million, or 100 per example if that is
	// more.
	MaxIter     int
	NoShrinking bool // keep all multipliers in view
	// CacheMB is the memory in MB for rows of the Gram matrix; 0 means 200. With a larger value,
	// fitting many rows is faster.
	CacheMB int
	model.Control

	Support        []int      // set by Fit: the rows of x that are support vectors
	SupportVectors *mat.Dense // set by Fit: those rows; nil if every example is in the tube
	DualCoef       []float64  // set by Fit: β of those
	Intercept      float64    // set by Fit: b
	Trace          model.Trace

	width int
	rows  *kernel.GramRows

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.WeightedRegressor = (*SVR)(nil)

// Fit solves the dual.
func (s *SVR) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&s.Fitted, x, y)
	return s.fit("SVR.Fit", x, y, nil, 0)
}

// FitWeighted is Fit with the upper bound C·weights[i] for example i. An example of weight 0 is
// left out.
func (s *SVR) FitWeighted(x mat.Matrix, y []float64, weights []float64) error {
	const op = "SVR.FitWeighted"
	model.NoteXYReal(&s.Fitted, x, y)
	s.reset()
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return s.fit(op, x, y, weights, 0)
}

func (s *SVR) reset() {
	s.Support, s.SupportVectors, s.DualCoef, s.Intercept, s.Trace, s.width, s.rows = nil, nil, nil, 0, model.Trace{}, 0, nil
}

// fit solves the form of [NuSVR] when nu is not 0, and sets Epsilon to what it finds.
func (s *SVR) fit(op string, x mat.Matrix, y, weights []float64, nu float64) error {
	s.reset()
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	set, err := checkSettings(op, s.C, s.Tol, s.MaxIter, s.CacheMB, len(y))
	if err != nil {
		return err
	}
	if spread := floats.Max(y) - floats.Min(y); s.Tol == 0 && spread > 0 && spread < 1 {
		set.tol *= spread
	}
	epsilon := s.Epsilon
	if nu == 0 {
		epsilon = model.Or(epsilon, 0.1)
	}
	if !(epsilon >= 0 || nu > 0) || math.IsInf(epsilon, 0) {
		return model.Errorf(op, "Epsilon must be positive, got %v", s.Epsilon).WithHint("set Epsilon to ml.Zero for a tube of width 0")
	}
	var rows []int
	for i := range y {
		if weights == nil || weights[i] > 0 {
			rows = append(rows, i)
		}
	}
	kept := pick.Rows(d, rows)
	k := kernel.OrDefault(s.Kernel, kept)
	if err := kernel.CheckKernel(op, k); err != nil {
		return err
	}
	n := len(rows)
	p := problem{gram: kernel.NewGramRows(k, kept), tol: set.tol, maxIter: set.maxIter, shrink: !s.NoShrinking, cacheMB: set.cacheMB,
		q: make([]float64, 2*n), lo: make([]float64, 2*n), hi: make([]float64, 2*n)}
	for t, i := range rows {
		c := set.c
		if weights != nil {
			c *= weights[i]
		}
		p.q[t], p.hi[t] = epsilon-y[i], c
		p.q[n+t], p.lo[n+t] = -epsilon-y[i], -c
	}
	if err := checkGram(op, p.gram); err != nil {
		return err
	}
	run := s.Begin("SVR", 0)
	defer run.End()
	var trace model.Trace
	p.watch = func(iter int, objective float64) error {
		trace.Loss = append(trace.Loss, objective)
		return run.Step(iter, objective)
	}
	var sol *solution
	if nu > 0 {
		sol, err = p.solveNu(nu)
	} else {
		sol, err = p.solve(nil)
	}
	if err != nil {
		return err
	}
	if err := run.Step(sol.iter, sol.objective); err != nil {
		return err
	}
	trace.Loss, trace.Converged = append(trace.Loss, sol.objective), sol.converged
	for t, i := range rows {
		if b := sol.beta[t] + sol.beta[n+t]; b != 0 {
			s.Support, s.DualCoef = append(s.Support, i), append(s.DualCoef, b)
		}
	}
	_, s.width = d.Dims()
	if s.Support != nil {
		s.SupportVectors = pick.Rows(d, s.Support)
		s.rows = kernel.NewGramRows(k, s.SupportVectors)
	}
	s.Intercept, s.Trace = sol.bias, trace
	if nu > 0 {
		s.Epsilon = max(0, -sol.spread)
	}
	return nil
}

// Predict returns f(x) for each row.
func (s *SVR) Predict(x mat.Matrix) []float64 {
	const op = "SVR.Predict"
	x = model.MustRead(op, &s.Fitted, x)
	if s.width == 0 {
		panic(model.NotFitted(op))
	}
	d := model.MustRows(op, x, s.width)
	n, _ := d.Dims()
	out := make([]float64, n)
	par.Range(n, 64, func(lo, hi int) {
		sims := make([]float64, len(s.DualCoef))
		for i := lo; i < hi; i++ {
			out[i] = s.Intercept
			if s.rows == nil {
				continue
			}
			s.rows.Against(d.RawRowView(i), sims)
			for t, v := range sims {
				out[i] += s.DualCoef[t] * v
			}
		}
	})
	return out
}
