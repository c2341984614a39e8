// Package limits checks the parameters of an estimator one by one, so that an error names the one
// parameter at fault: what it must be, and what it is.
package limits

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// A Limit is a condition on one parameter, and whether its value meets the condition.
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

// Must is a limit in words of its own, which follow "must".
func Must(name string, value any, met bool, must string) Limit {
	return Limit{name, must, value, met}
}

// NotNegative is the limit of a parameter that is 0 or more. NaN does not meet it.
func NotNegative[T int | float64](name string, value T) Limit {
	return Limit{name, "not be negative", value, value >= 0}
}

// Positive is the limit of a parameter that is more than 0.
func Positive[T int | float64](name string, value T) Limit {
	return Limit{name, "be positive", value, value > 0}
}

// Penalty is the limit of a parameter that is 0 or more and finite.
func Penalty(name string, value float64) Limit {
	return Limit{name, "be finite and not negative", value, value >= 0 && !math.IsInf(value, 1)}
}

// Rate is the limit of a parameter that is more than 0 and finite.
func Rate(name string, value float64) Limit {
	return Limit{name, "be positive and finite", value, value > 0 && !math.IsInf(value, 1)}
}

// Finite is the limit of a parameter that is neither NaN nor infinite.
func Finite(name string, value float64) Limit {
	return Limit{name, "be finite", value, !math.IsNaN(value) && !math.IsInf(value, 0)}
}
