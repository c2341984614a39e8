package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PolynomialRegression fits a polynomial in one variable: linear regression on
// the powers of x.
//
//	f(x) = θ₀ + θ₁x + … + θ_D·x^D
//
// A cubic interpolates any four points with distinct x; a degree close to the number of points fits
// the noise. Internally, x is mapped to [−1, 1], where the powers are less correlated; Coef is for
// x itself.
//
// Cost: O(n·D²).
//
// References: [Bishop2006] §1.1. Course: LIN-14.
type PolynomialRegression struct {
	// Degree is the degree of the polynomial; 0 means 3. A larger value fits the
	// training data more closely and may overfit.
	Degree int
	// Lambda is the strength λ of the penalty; 0 means none. A larger value shrinks
	// the coefficients more.
	Lambda float64
	model.Control

	Coef []float64 // set by Fit: θ₀ … θ_D

	scaled      []float64
	intercept   float64
	mid, spread float64

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds Coef; x must have one column.
func (p *PolynomialRegression) Fit(x mat.Matrix, y []float64) error {
	const op = "PolynomialRegression.Fit"
	model.NoteXYReal(&p.Fitted, x, y)
	*p = PolynomialRegression{Degree: p.Degree, Lambda: p.Lambda, Control: p.Control, Fitted: p.Fitted}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	n, c := d.Dims()
	if c != 1 {
		return model.Errorf(op, "x must have 1 column, got %d", c).WithHint("use PolynomialFeatures and LinearRegression for more")
	}
	degree := p.degree()
	if err := limits.Check(op,
		limits.Must("Degree", p.Degree, degree >= 0 && degree <= 40, "be between 1 and 40"),
		limits.NotNegative("Lambda", p.Lambda)); err != nil {
		return err
	}
	run := p.Begin("PolynomialRegression", 1)
	defer run.End()
	lo, hi := mat.Min(d), mat.Max(d)
	mid, spread := (lo+hi)/2, (hi-lo)/2
	if spread == 0 {
		spread = 1
	}
	powers := mat.NewDense(n, degree, nil)
	for i := range n {
		t, v := (d.At(i, 0)-mid)/spread, 1.0
		for j := range degree {
			v *= t
			powers.Set(i, j, v)
		}
	}
	w, b, err := leastSquares(op, powers, y, nil, p.Lambda, true)
	if err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	p.scaled, p.intercept, p.mid, p.spread = w, b, mid, spread
	p.Coef = unscale(append([]float64{b}, w...), mid, spread)
	return nil
}

func (p *PolynomialRegression) degree() int {
	if p.Degree == 0 {
		return 3
	}
	return p.Degree
}

// unscale expands Σ cⱼ((x−mid)/spread)ʲ in powers of x by Horner's method.
func unscale(c []float64, mid, spread float64) []float64 {
	out := make([]float64, len(c))
	for j := len(c) - 1; j >= 0; j-- {
		for i := len(out) - 1; i >= 0; i-- {
			out[i] *= -mid / spread
			if i > 0 {
				out[i] += out[i-1] / spread
			}
		}
		out[0] += c[j]
	}
	return out
}

// Predict evaluates the polynomial at each row.
func (p *PolynomialRegression) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("PolynomialRegression.Predict", &p.Fitted, x)
	if p.Coef == nil {
		panic(model.NotFitted("PolynomialRegression.Predict"))
	}
	d := model.MustRows("PolynomialRegression.Predict", x, 1)
	n, _ := d.Dims()
	out := make([]float64, n)
	for i := range out {
		t, v := (d.At(i, 0)-p.mid)/p.spread, 0.0
		for j := len(p.scaled) - 1; j >= 0; j-- {
			v = (v + p.scaled[j]) * t
		}
		out[i] = v + p.intercept
	}
	return out
}

// Vandermonde returns one row for each x, with its powers 0 … degree. In this basis polynomial
// regression is linear.
//
// Course: LIN-14.
func Vandermonde(x []float64, degree int) *mat.Dense {
	if len(x) == 0 || degree < 0 {
		panic(model.Errorf("Vandermonde", "x must not be empty and degree not be negative, got %d values and %d", len(x), degree))
	}
	m := mat.NewDense(len(x), degree+1, nil)
	for i, v := range x {
		for j := range degree + 1 {
			m.Set(i, j, math.Pow(v, float64(j)))
		}
	}
	return m
}
