// Package vector implements the two products of vectors that the course uses. In a notebook cell,
// operators compute sums, differences and multiples of vectors. The product of two vectors is
// ambiguous, so this package has one function for each of the two products. For lengths, see
// optim.Norm; for distances, see package neighbors.
package vector

import (
	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Dot returns the dot product a·b = Σ aⱼbⱼ, which is 0 for empty vectors. It
// panics with a [model.Error] when the lengths differ.
//
// Course: ONL-12.
func Dot(a, b []float64) float64 {
	sameLength("Dot", a, b)
	return floats.Dot(a, b)
}

// Hadamard returns a new vector with the elementwise products aⱼbⱼ. It panics with a [model.Error]
// when the lengths differ.
func Hadamard(a, b []float64) []float64 {
	sameLength("Hadamard", a, b)
	return floats.MulTo(make([]float64, len(a)), a, b)
}

func sameLength(op string, a, b []float64) {
	if len(a) != len(b) {
		panic(model.Errorf(op, "a and b must have the same length, got %d and %d", len(a), len(b)).
			WithHint("check whether one vector lacks the constant feature for the intercept"))
	}
}
