package model

import "math"

// Zero sets a parameter to zero if its default is not zero: Ridge{Lambda: model.Zero} has no
// penalty, Ridge{} has the usual one. It is the smallest positive float64, so that arithmetic with
// it is arithmetic with 0.
const Zero = math.SmallestNonzeroFloat64

// Or reads a parameter: usual for 0, 0 for [Zero], value otherwise.
func Or(value, usual float64) float64 {
	switch value {
	case 0:
		return usual
	case Zero:
		return 0
	}
	return value
}
