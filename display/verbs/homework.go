package verbs

import "github.com/gokernel/gokernel/display/homework"

// Check checks a function of the notebook: it is called with the arguments, and what it
// gives is compared with what is expected.
//
//	Check(score, w, 0.5, x).Is(1.5).Points(2).Hint("w·x + b")
//
// A function that does not exist is a failed check. See [homework.Task].
func Check(f any, args ...any) *homework.Task { return homework.Check(f, args...) }

// Checks adds the points of several checks and shows them in one table.
func Checks(items ...homework.Item) *homework.Sheet { return homework.Checks(items...) }

// CheckText checks a written answer for words and sentences. See [homework.Text].
func CheckText(answer any) *homework.Text { return homework.CheckText(answer) }

// CheckPlot checks what a chart draws, under which names. See [homework.Plot].
func CheckPlot(fig any) *homework.Plot { return homework.CheckPlot(fig) }

// Given declares the name again with a value, as a statement of the top level:
//
//	Given(score, reference)
//
// From here on score is the reference, whatever the notebook had before under that name,
// so that a mistake in one task does not spoil the next. The cell language makes
// score := reference of it.
func Given(name, value any) {
	panic("Given(name, value) is a statement of the top level of a cell, and its first argument is a name")
}
