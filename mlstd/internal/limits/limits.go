// Package limits checks the parameters of an estimator one by one, so that an error names the
// invalid parameter, the condition that it must meet, and its value.
package limits

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// A Limit is a condition on one parameter, with the value of the parameter and the result of the
// check.
type Limit struct {
	name, must string
	value      any
	met        bool
}

// Check returns an error for the first limit that is not met: "C must be positive, got -1".
func Check(op string, limits ...Limit) error {
	for _, l := range limits {
		if !l.met {
			return model.Errorf(op, "%s must %s, got %v", l.name, l.must, l.value)
		}
	}
	return nil
}

// Must returns a limit with a custom condition. The parameter must is the text that follows the
// word "must" in the message.
func Must(name string, value any, met bool, must string) Limit {
	return Limit{name, must, value, met}
}

// NotNegative returns the limit for a parameter that must be 0 or more. NaN does not meet it.
func NotNegative[T int | float64](name string, value T) Limit {
	return Limit{name, "not be negative", value, value >= 0}
}

// Positive returns the limit for a parameter that must be greater than 0.
func Positive[T int | float64](name string, value T) Limit {
	return Limit{name, "be positive", value, value > 0}
}

// Penalty returns the limit for a parameter that must be finite and 0 or more.
func Penalty(name string, value float64) Limit {
	return Limit{name, "be finite and not negative", value, value >= 0 && !math.IsInf(value, 1)}
}

// Rate returns the limit for a parameter that must be finite and greater than 0.
func Rate(name string, value float64) Limit {
	return Limit{name, "be positive and finite", value, value > 0 && !math.IsInf(value, 1)}
}

// Finite returns the limit for a parameter that must be neither NaN nor infinite.
func Finite(name string, value float64) Limit {
	return Limit{name, "be finite", value, !math.IsNaN(value) && !math.IsInf(value, 0)}
}
