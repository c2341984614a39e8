package linear

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// SigmoidUnit is a single sigmoid neuron trained on the squared error.
//
//	E = ½ Σᵢ (yᵢ − oᵢ)²,  o = σ(w·x + b),  ∂E/∂wⱼ = −Σᵢ (yᵢ−oᵢ)·oᵢ(1−oᵢ)·xᵢⱼ
//
// The targets y must lie in [0, 1]. Unlike the cross-entropy of logistic regression, E is not
// convex: if the unit is saturated on the wrong side, its gradient vanishes and descent gets stuck.
//
// Cost: O(n·d) per iteration of batch gradient descent.
//
// References: [Mitchell1997] §4.5. Course: LIN-16.
type SigmoidUnit struct {
	// Rate is the learning rate as a function of the step; nil means ConstantRate(0.5). With a
	// larger rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the gradient's norm is at most Tol; 0 means 1e-6. A larger
	// value stops earlier.
	Tol   float64
	Start []float64 // initial w, then b; nil means zero
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit minimizes E by gradient descent; the targets must lie in [0, 1].
func (u *SigmoidUnit) Fit(x mat.Matrix, y []float64) error {
	const op = "SigmoidUnit.Fit"
	model.NoteXYReal(&u.Fitted, x, y)
	u.Coef, u.Intercept, u.Trace = nil, 0, model.Trace{}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	for i, v := range y {
		if v < 0 || v > 1 {
			return model.Errorf(op, "y[%d] must be between 0 and 1, got %v", i, v).WithHint("scale y first")
		}
	}
	_, p := d.Dims()
	start := u.Start
	if start == nil {
		start = make([]float64, p+1)
	}
	if len(start) != p+1 {
		return model.Errorf(op, "Start must have %d entries (the weights, then the intercept), got %d", p+1, len(start))
	}
	rate := u.Rate
	if rate == nil {
		rate = optim.ConstantRate(0.5)
	}
	tol := u.Tol
	if tol == 0 {
		tol = 1e-6
	}
	gd := optim.GradientDescent{Rate: rate, MaxIter: u.MaxIter, Tol: tol, Control: u.Control}
	m, err := gd.Minimize(SigmoidUnitError{X: d, Y: y}, start)
	if err != nil {
		return err
	}
	u.Coef, u.Intercept, u.Trace = m.X[:p:p], m.X[p], m.Trace
	return nil
}

// Predict returns the output of the unit for each row.
func (u *SigmoidUnit) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("SigmoidUnit.Predict", &u.Fitted, x)
	out := predict("SigmoidUnit.Predict", x, u.Coef, u.Intercept)
	for i, z := range out {
		out[i] = Sigmoid(z)
	}
	return out
}

// SigmoidUnitError is the mean of E as a function of the weights and, in the last place, the
// intercept. It is the error surface on which a [SigmoidUnit] descends.
//
// Course: LIN-16.
type SigmoidUnitError struct {
	X *mat.Dense
	Y []float64
}

// Value is (1/2n) Σ (y − o)².
func (e SigmoidUnitError) Value(w []float64) float64 {
	s := 0.0
	for i, y := range e.Y {
		r := y - e.output(w, i)
		s += r * r / 2
	}
	return s / float64(len(e.Y))
}

func (e SigmoidUnitError) output(w []float64, i int) float64 {
	row := e.X.RawRowView(i)
	return Sigmoid(floats.Dot(row, w[:len(row)]) + w[len(row)])
}

// Gradient writes the gradient at w into dst.
func (e SigmoidUnitError) Gradient(dst, w []float64) {
	clear(dst)
	for i, y := range e.Y {
		row := e.X.RawRowView(i)
		o := e.output(w, i)
		g := -(y - o) * o * (1 - o) / float64(len(e.Y))
		floats.AddScaled(dst[:len(row)], g, row)
		dst[len(row)] += g
	}
}
