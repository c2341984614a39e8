package linear_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

// pinball is the objective of quantile regression.
func pinball(m *linear.QuantileRegressor, x mat.Matrix, y, w []float64) float64 {
	sum := 0.0
	for i, v := range m.Predict(x) {
		r := y[i] - v
		if r < 0 {
			r *= m.Quantile - 1
		} else {
			r *= m.Quantile
		}
		sum += w[i] * r
	}
	return sum/floats.Sum(w) + m.Lambda*floats.Norm(m.Coef, 1)
}

func TestOracleQuantile(t *testing.T) {
	for _, o := range readPenalty(t).Regression {
		x := data.Rows(o.X)
		for _, c := range o.Quantile {
			m := &linear.QuantileRegressor{Quantile: c.Q, Lambda: c.Alpha, NoIntercept: c.None}
			w := o.W
			err := error(nil)
			if c.Weighted {
				err = m.FitWeighted(x, o.Y, w)
			} else {
				w = make([]float64, len(o.Y))
				floats.AddConst(1, w)
				err = m.Fit(x, o.Y)
			}
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s, quantile %v, λ = %v", o.Name, c.Q, c.Alpha)
			if !m.Trace.Converged {
				t.Errorf("%s: not converged after %d steps", name, len(m.Trace.Loss))
			}
			mltest.Near(t, name+": objective", pinball(m, x, o.Y, w), c.Loss, 1e-9)
			mltest.NearAll(t, name+": coefficients", m.Coef, c.Coef, 1e-6)
			mltest.Near(t, name+": intercept", m.Intercept, c.Intercept, 1e-6)
			for j, v := range c.Coef {
				if v == 0 && m.Coef[j] != 0 {
					t.Errorf("%s: coefficient %d is %v, not 0", name, j, m.Coef[j])
				}
			}
		}
	}
}

// The fraction of targets below the fit is the quantile, up to the targets on the fit.
func TestQuantileDivides(t *testing.T) {
	d := data.Diabetes()
	for _, q := range []float64{0.05, 0.5, 0.9} {
		m := &linear.QuantileRegressor{Quantile: q}
		if err := m.Fit(d.X, d.Target); err != nil {
			t.Fatal(err)
		}
		below, through := 0, 0
		for i, v := range m.Predict(d.X) {
			switch r := d.Target[i] - v; {
			case math.Abs(r) < 1e-8:
				through++
			case r < 0:
				below++
			}
		}
		n := float64(d.Len())
		if through != 11 || float64(below) > q*n || float64(below+through) < q*n {
			t.Errorf("quantile %v: %d of %v below, through %d", q, below, n, through)
		}
	}
}

func TestQuantileConformance(t *testing.T) {
	t.Run("QuantileRegressor", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &linear.QuantileRegressor{} }, modeltest.Options{Tolerance: 1e-6})
	})
	x := mat.NewDense(3, 1, []float64{1, 2, 3})
	for want, m := range map[string]*linear.QuantileRegressor{"Quantile must be between 0 and 1, got 1": {Quantile: 1}, "Lambda must be finite and not negative, got -1": {Lambda: -1}, "Tol must be positive, got -1": {Tol: -1}} {
		if err := m.Fit(x, []float64{1, 2, 3}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func ExampleQuantileRegressor() {
	x := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	m := &linear.QuantileRegressor{}
	if err := m.Fit(x, []float64{1, 3, 5, 7, 90}); err != nil { // the last is an outlier
		fmt.Println(err)
		return
	}
	fmt.Printf("y = %.2f x + %.2f\n", m.Coef[0], m.Intercept)
	// Output: y = 2.00 x + 1.00
}

// A line through all examples, or through all but a few, is found at each quantile and in
// each unit.
func TestQuantileWithoutNoise(t *testing.T) {
	for _, n := range []int{3, 5, 10, 50} {
		for _, q := range []float64{0.1, 0.5, 0.9} {
			for _, unit := range []float64{1e-12, 1, 1e8} {
				x, y := mat.NewDense(n, 2, nil), make([]float64, n)
				for i := range y {
					x.SetRow(i, []float64{float64(i * i % 7), float64(i)})
					y[i] = unit * (3*x.At(i, 0) - x.At(i, 1) + 0.5)
				}
				what := fmt.Sprintf("%d examples, quantile %v, unit %g", n, q, unit)
				m := &linear.QuantileRegressor{Quantile: q}
				if err := m.Fit(x, y); err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				mltest.NearAll(t, what, []float64{m.Coef[0] / unit, m.Coef[1] / unit, m.Intercept / unit}, []float64{3, -1, 0.5}, 1e-8)
				if !m.Trace.Converged {
					t.Errorf("%s: it did not converge", what)
				}
				if n == 50 && q == 0.5 { // every tenth target is far off, above and below
					for i := 0; i < n; i += 10 {
						y[i] += unit * 1000 * float64(1-i/10%2*2)
					}
					if err := m.Fit(x, y); err != nil {
						t.Errorf("%s, with outliers: %v", what, err)
						continue
					}
					mltest.NearAll(t, what+", with outliers", []float64{m.Coef[0] / unit, m.Coef[1] / unit, m.Intercept / unit}, []float64{3, -1, 0.5}, 1e-8)
				}
				for i := range y {
					y[i] = 5 * unit
				}
				if err := m.Fit(x, y); err != nil {
					t.Errorf("%s, constant: %v", what, err)
					continue
				}
				mltest.NearAll(t, what+", constant", []float64{m.Coef[0] / unit, m.Coef[1] / unit, m.Intercept / unit}, []float64{0, 0, 5}, 1e-8)
			}
		}
	}
	m := &linear.QuantileRegressor{}
	if err := m.Fit(mat.NewDense(3, 1, []float64{1, 2, 3}), []float64{0, 0, 0}); err != nil || m.Coef[0] != 0 || m.Intercept != 0 {
		t.Errorf("targets of 0: %v, %v", err, m)
	}
}
