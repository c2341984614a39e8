package model

import "fmt"

// Error describes a problem with data, a parameter or a call, and can contain a hint that tells the
// user what to do. Fit returns an Error. Predict, Transform and the metrics panic with an Error,
// because only a mistake in the program can cause it.
type Error struct {
	Op   string // the algorithm and method, such as "KMeans.Fit"
	What string // what was wrong, with the numbers: "K must be between 1 and 3, got 5"
	Hint string // an instruction: "call Fit first"; may be empty
}

// Error returns the message as one line, with the hint after a semicolon.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Op + ": " + e.What
	}
	return e.Op + ": " + e.What + "; " + e.Hint
}

// Errorf returns an Error without a hint.
func Errorf(op, format string, args ...any) *Error {
	return &Error{Op: op, What: fmt.Sprintf(format, args...)}
}

// WithHint sets the hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// NotFitted returns the Error for a method that is called on an unfitted model.
func NotFitted(op string) *Error {
	return Errorf(op, "the model is not fitted").WithHint("call Fit first")
}
