package verbs

import (
	"fmt"
	"math"
)

// Linspace returns n numbers from lo to hi, both included, in equal steps. It panics
// when n < 2.
func Linspace(lo, hi float64, n int) []float64 {
	if n < 2 {
		panic(fmt.Errorf("Linspace: %d numbers from %g to %g: give at least 2", n, lo, hi))
	}
	out := make([]float64, n)
	for i := range out {
		t := float64(i) / float64(n-1)
		out[i] = lo*(1-t) + hi*t
	}
	out[0], out[n-1] = lo, hi
	return out
}

// Logspace returns n numbers from lo to hi, both included, in equal factors. It panics
// when lo or hi is not positive, and when n < 2.
func Logspace(lo, hi float64, n int) []float64 {
	if !(lo > 0) || !(hi > 0) {
		panic(fmt.Errorf("Logspace: from %g to %g: both ends must be positive; they are the first and the last number, not exponents", lo, hi))
	}
	out := Linspace(math.Log(lo), math.Log(hi), n)
	for i, v := range out {
		out[i] = math.Exp(v)
	}
	out[0], out[n-1] = lo, hi
	return out
}

// Range returns the ints from lo to hi, both included; none when hi < lo.
func Range(lo, hi int) []int {
	var out []int
	for i := lo; i <= hi; i++ {
		out = append(out, i)
	}
	return out
}
