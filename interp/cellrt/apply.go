package cellrt

import "gonum.org/v1/gonum/mat"

// MapV applies f to each element of v.
func MapV(_ int, f func(float64) float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}

// MapVV applies f to the corresponding elements of a and b.
func MapVV(site int, f func(a, b float64) float64, a, b []float64) []float64 {
	sameLength(site, "and", len(a), len(b))
	out := make([]float64, len(a))
	for i, x := range a {
		out[i] = f(x, b[i])
	}
	return out
}

// MapM applies f to each element of a.
func MapM(_ int, f func(float64) float64, a mat.Matrix) *mat.Dense { return apply(a, f) }

// MapD applies f to each element of v.
func MapD(_ int, f func(float64) float64, v mat.Vector) *mat.VecDense { return applyVec(v, f) }

// FixFirst returns f with its first argument set.
func FixFirst(f func(a, b float64) float64, a float64) func(float64) float64 {
	return func(b float64) float64 { return f(a, b) }
}

// FixSecond returns f with its second argument set.
func FixSecond(f func(a, b float64) float64, b float64) func(float64) float64 {
	return func(a float64) float64 { return f(a, b) }
}
