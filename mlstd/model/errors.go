package model

import "fmt"

// Error says what was wrong with data, a parameter or a call, and what to do.
// Fit returns one; Predict, Transform and the metrics panic with one, since
// there only a slip in the program can be the cause.
type Error struct {
	Op   string // the algorithm and method, such as "KMeans.Fit"
	What string // what was wrong, with the numbers: "K is 5 but x has 3 rows"
	Hint string // what to do: "choose K between 1 and 3"; may be empty
}

// Error returns the message as one line, the hint after a semicolon.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Op + ": " + e.What
	}
	return e.Op + ": " + e.What + "; " + e.Hint
}

// Errorf makes an Error without a hint.
func Errorf(op, format string, args ...any) *Error {
	return &Error{Op: op, What: fmt.Sprintf(format, args...)}
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// NotFitted is the Error with which a method of an unfitted model panics.
func NotFitted(op string) *Error {
	return Errorf(op, "the model is not fitted").WithHint("call Fit first")
}
