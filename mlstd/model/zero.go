package model

import "math"

// Zero sets a parameter to zero if its default is not zero: Ridge{Lambda: model.Zero} has no
// penalty, and Ridge{} has the default penalty. It is the smallest positive float64, so that
// arithmetic with it has the same results as with 0.
const Zero = math.SmallestNonzeroFloat64

// Or returns the effective value of a parameter: usual if value is 0, 0 if it is [Zero], and value
// otherwise.
func Or(value, usual float64) float64 {
	switch value {
	case 0:
		return usual
	case Zero:
		return 0
	}
	return value
}
