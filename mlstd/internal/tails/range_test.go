package tails

import (
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

func TestOracleRange(t *testing.T) {
	var o struct {
		Range, NCT [][4]float64
		NCF        [][5]float64
	}
	mltest.ReadOracle(t, "inference", &o)
	if len(o.Range) < 80 || len(o.NCT) < 50 || len(o.NCF) < 40 {
		t.Fatal("the oracle lacks values")
	}
	near := func(got, want, tol float64, what string, args ...float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tol*want) {
			t.Errorf("%s %v: got %.12g, want %.12g", what, args, got, want)
		}
	}
	for _, r := range o.Range { // SciPy integrates to about 1e-10
		near(StudentizedRange(r[2], r[0], r[1]), r[3], 1e-7+1e-10/r[3], "studentized range", r[:3]...)
	}
	for _, r := range o.NCT {
		near(NoncentralT(r[2], r[0], r[1]), r[3], 1e-9, "noncentral t", r[:3]...)
	}
	for _, r := range o.NCF {
		near(NoncentralF(r[3], r[0], r[1], r[2]), r[4], 1e-9, "noncentral F", r[:4]...)
	}
}

// The studentized range of two means is √2·|t|, whose tail is known to 1e-300. With noncentrality
// 0, the tails equal the tails of t and F. Quantiles invert tails.
func TestRangeOfTwoMeans(t *testing.T) {
	least := 1.0
	for _, nu := range []float64{1, 2, 7, 30, 120, 2000} {
		for _, q := range []float64{0.01, 0.4, 1, 3, 8, 25, 80, 300, 3000, 1e5} {
			want := TwoSidedT(q/math.Sqrt2, nu)
			if want < 1e-290 {
				continue
			}
			least = min(least, want)
			if got := StudentizedRange(q, 2, nu); !(math.Abs(got-want) <= 1e-8*want) {
				t.Errorf("range %v of 2 means, %v degrees of freedom: got %.12g, want %.12g", q, nu, got, want)
			}
			if got := NoncentralT(q, nu, 0); !(math.Abs(got-T(q, nu)) <= 1e-8*T(q, nu)) {
				t.Errorf("t %v, %v degrees of freedom: got %.12g, want %.12g", q, nu, got, T(q, nu))
			}
		}
		for _, p := range []float64{0.05, 1e-9} {
			for _, k := range []float64{3} {
				if q := QuantileStudentizedRange(p, k, nu); !(math.Abs(StudentizedRange(q, k, nu)/p-1) <= 1e-8) {
					t.Errorf("quantile %v of %v means: %v has %v", p, k, q, StudentizedRange(q, k, nu))
				}
			}
			if f := QuantileF(p, 3, nu); !(math.Abs(F(f, 3, nu)/p-1) <= 1e-9) {
				t.Errorf("quantile %v of F: %v has %v", p, f, F(f, 3, nu))
			}
		}
	}
	if least > 1e-200 {
		t.Errorf("the smallest tail was %v", least)
	}
}
