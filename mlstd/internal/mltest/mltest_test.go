package mltest

import (
	"math"
	"testing"
)

func TestNear(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		got, want, tol float64
		near           bool
	}{
		{1.0001, 1, 1e-3, true},
		{1.01, 1, 1e-3, false},
		{0.0005, 0, 1e-3, true},
		{0.002, 0.0001, 1e-3, false},
		{1e6 + 10, 1e6, 1e-3, true},
		{-1, 1, 1e-3, false},
		{inf, inf, 0, true},
		{inf, 1, 1, false},
		{1, inf, 1, false},
		{nan, 1, 1, false},
		{1, nan, 1, false},
		{nan, nan, 1, false},
	} {
		if near(tt.got, tt.want, tt.tol) != tt.near {
			t.Errorf("%v and %v within %v: want %v", tt.got, tt.want, tt.tol, tt.near)
		}
	}
}
