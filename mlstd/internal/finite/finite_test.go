package finite

import (
	"math"
	"testing"
)

func TestFirst(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 5, grain - 1, grain + 7, 3*grain + 2} {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(i) - 2
		}
		if got := First(v); got != -1 {
			t.Errorf("%d finite values: First is %d, want -1", n, got)
		}
		if HasNaN(v) {
			t.Errorf("%d finite values: HasNaN", n)
		}
		for _, at := range []int{0, 1, n / 2, n - 1} {
			if at < 0 || at >= n {
				continue
			}
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				old, last := v[at], v[n-1]
				v[n-1] = math.NaN() // a later one does not count
				v[at] = bad
				if got := First(v); got != at {
					t.Errorf("%v at %d of %d: First is %d", bad, at, n, got)
				}
				v[n-1] = last
				v[at] = bad
				if got := HasNaN(v); got != math.IsNaN(bad) {
					t.Errorf("%v at %d of %d: HasNaN is %v", bad, at, n, got)
				}
				v[at] = old
			}
		}
	}
	if big := []float64{math.MaxFloat64, math.MaxFloat64}; First(big) != -1 {
		t.Error("the largest numbers are finite")
	}
}

func BenchmarkFirst(b *testing.B) {
	v := make([]float64, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		First(v)
	}
}

// The largest absolute value is found at any position and with any sign.
func TestLargest(t *testing.T) {
	if got := Largest(nil); got != 0 {
		t.Errorf("of nothing Largest is %v", got)
	}
	for _, n := range []int{1, 3, 4, 5, grain + 7} {
		v := make([]float64, n)
		for i := range v {
			v[i] = -float64(i % 7)
		}
		for _, at := range []int{0, n / 2, n - 1} {
			for _, most := range []float64{7.5, -7.5, 1e300, -1e300} {
				old := v[at]
				v[at] = most
				if got := Largest(v); got != math.Abs(most) {
					t.Errorf("%v at %d of %d: Largest is %v", most, at, n, got)
				}
				v[at] = old
			}
		}
	}
}
