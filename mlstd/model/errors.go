package model

import "fmt"

// Error describes what is wrong with data, a parameter or a call, and what to do.
// Fit returns one; Predict, Transform and the metrics panic with one, since only a
// mistake in the program can cause that.
type Error struct {
	Op   string // the algorithm and method, such as "KMeans.Fit"
	What string // what was wrong, with the numbers: "K must be between 1 and 3, got 5"
	Hint string // an instruction: "call Fit first"; may be empty
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
