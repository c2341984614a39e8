// Package magnitude rejects values that are too large to be multiplied with each other.
package magnitude

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// most is the largest accepted absolute value. It leaves room for sums of squares over many
// columns.
const most = 1e150

// Check returns an error if the square of a value in x cannot be represented: products of rows
// would be infinite, and their differences NaN.
func Check(op string, x *mat.Dense) error {
	if x.IsEmpty() {
		return nil
	}
	if largest := finite.Largest(x.RawMatrix().Data); largest > most {
		return model.Errorf(op, "the squares of x must be finite, got a value of %.3g", largest).WithHint("scale the columns first")
	}
	return nil
}

// Must returns x. If [Check] returns an error, Must panics with this error.
func Must(op string, x *mat.Dense) *mat.Dense {
	if err := Check(op, x); err != nil {
		panic(err)
	}
	return x
}
