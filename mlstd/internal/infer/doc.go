// Package infer finds out what the texts of a column stand for: whole numbers,
// numbers with a decimal point or comma, booleans, times, or nothing but text.
// A [Tally] looks at texts and gives a [Recipe]; the recipe reads them.
package infer

// Kind is what the texts of a column stand for.
type Kind int

const (
	Text Kind = iota
	Float
	Int
	Bool
	Time
)

// String returns the kind in words, for many values.
func (k Kind) String() string {
	return [...]string{"texts", "numbers", "whole numbers", "booleans", "times"}[k]
}
