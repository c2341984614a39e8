package linalg

import "math"

// Exp replaces each v by e^v.
func Exp(v []float64) {
	for i, x := range v {
		v[i] = math.Exp(x)
	}
}
