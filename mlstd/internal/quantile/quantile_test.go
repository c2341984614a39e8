package quantile

import (
	"math"
	"testing"
)

// The expected values are from numpy.quantile (numpy 2, method "linear").
func TestOf(t *testing.T) {
	v := []float64{1, 2, 4, 8, 16}
	for p, want := range map[float64]float64{0: 1, 0.1: 1.4, 0.25: 2, 0.3: 2.4, 0.5: 4, 0.9: 12.8, 1: 16} {
		if got := Of(v, p); math.Abs(got-want) > 1e-15*want {
			t.Errorf("the quantile %g is %v, want %v", p, got, want)
		}
	}
	if got := Of(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("the median of nothing is %v", got)
	}
	if got := Of([]float64{3}, 0.7); got != 3 {
		t.Errorf("the quantile of one value is %v", got)
	}
}

func TestBetween(t *testing.T) {
	inf, large := math.Inf(1), math.MaxFloat64
	for _, c := range []struct{ low, high, fraction, want float64 }{
		{inf, inf, 0.3, inf}, {1, inf, 0.7, inf}, {-inf, 1, 0.7, -inf},
		{-large, large, 0.5, 0}, {-large, large, 1, large}, {0.1, 0.3, 0, 0.1}, {0.1, 0.3, 1, 0.3},
	} {
		if got := Between(c.low, c.high, c.fraction); got != c.want {
			t.Errorf("Between(%v, %v, %v) is %v, want %v", c.low, c.high, c.fraction, got, c.want)
		}
	}
}
