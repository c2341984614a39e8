package verbs

import (
	"fmt"
	"math"
)

// Linspace returns n equally spaced numbers from lo to hi, including both. It panics if n < 2.
func Linspace(lo, hi float64, n int) []float64 {
	if n < 2 {
		panic(fmt.Errorf("Linspace: n must be at least 2, got %d (from %g to %g)", n, lo, hi))
	}
	out := make([]float64, n)
	for i := range out {
		t := float64(i) / float64(n-1)
		out[i] = lo*(1-t) + hi*t
	}
	out[0], out[n-1] = lo, hi
	return out
}

// Logspace returns n numbers from lo to hi, including both, evenly spaced on a logarithmic scale.
// It panics if lo or hi is not positive, or n < 2.
func Logspace(lo, hi float64, n int) []float64 {
	if !(lo > 0) || !(hi > 0) {
		panic(fmt.Errorf("Logspace: lo and hi must be positive, got %g and %g: pass the first and the last number, not exponents", lo, hi))
	}
	out := Linspace(math.Log(lo), math.Log(hi), n)
	for i, v := range out {
		out[i] = math.Exp(v)
	}
	out[0], out[n-1] = lo, hi
	return out
}

// Range returns the integers from lo to hi, including both. If hi < lo, the result is empty.
func Range(lo, hi int) []int {
	var out []int
	for i := lo; i <= hi; i++ {
		out = append(out, i)
	}
	return out
}
