package linear_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
)

// No penalty is least squares, and an elastic net without the l₁ penalty is ridge
// regression with λ·n.
func TestZeroPenalty(t *testing.T) {
	d := data.Diabetes()
	plain := &linear.LinearRegression{}
	if err := plain.Fit(d.X, d.Target); err != nil {
		t.Fatal(err)
	}
	ridge, lasso := &linear.Ridge{Lambda: model.Zero}, &linear.Lasso{Lambda: model.Zero}
	net := &linear.ElasticNet{Lambda: model.Zero}
	for name, m := range map[string]model.Regressor{"ridge": ridge, "lasso": lasso, "elastic net": net} {
		if err := m.Fit(d.X, d.Target); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		mltest.NearAll(t, name, m.Predict(d.X), plain.Predict(d.X), 1e-8)
	}
	smooth, same := &linear.ElasticNet{Lambda: 0.3, L1Ratio: model.Zero}, &linear.Ridge{Lambda: 0.3 * float64(d.Len())}
	if err := smooth.Fit(d.X, d.Target); err != nil {
		t.Fatal(err)
	}
	if err := same.Fit(d.X, d.Target); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "ρ = 0", smooth.Coef, same.Coef, 1e-9)
	usual := &linear.Ridge{}
	if err := usual.Fit(d.X, d.Target); err != nil {
		t.Fatal(err)
	}
	if usual.Coef[0] == ridge.Coef[0] {
		t.Error("Ridge{} has no penalty")
	}
	path, err := linear.RidgePath(d.X, d.Target, []float64{0})
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "the path at 0", path.Coef[0], plain.Coef, 1e-8)
}
