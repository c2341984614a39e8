// Package infer detects the kind of the values that the texts of a column represent: whole numbers,
// numbers with a decimal point or comma, booleans, times, or plain text. A [Tally] examines texts
// and returns a [Recipe], which reads them.
package infer

// Kind is the kind of the values that the texts of a column represent.
type Kind int

const (
	Text Kind = iota
	Float
	Int
	Bool
	Time
)

// String returns the kind in words, in the plural.
func (k Kind) String() string {
	return [...]string{"texts", "numbers", "whole numbers", "booleans", "times"}[k]
}
