package verbs

import "github.com/gokernel/gokernel/display/homework"

// Check checks a function of the notebook: it calls the function with the arguments and compares
// the result with the expected result.
//
//	Check(score, w, 0.5, x).Is(1.5).Points(2).Hint("w·x + b")
//
// If the function does not exist, the check fails. See [homework.Task].
func Check(f any, args ...any) *homework.Task { return homework.Check(f, args...) }

// Checks adds the points of several checks and shows them in one table.
func Checks(items ...homework.Item) *homework.Sheet { return homework.Checks(items...) }

// CheckText checks a written answer for words and sentences. See [homework.Text].
func CheckText(answer any) *homework.Text { return homework.CheckText(answer) }

// CheckPlot checks the marks and the labels of a chart. See [homework.Plot].
func CheckPlot(fig any) *homework.Plot { return homework.CheckPlot(fig) }

// Given redeclares a name with a value. It is a statement at the top level of a cell:
//
//	Given(score, reference)
//
// From here on, score is the reference, even if an earlier cell defined score, so that a mistake in
// one task does not affect the next task. The cell language translates the statement to score :=
// reference.
func Given(name, value any) {
	panic("Given(name, value) must be a statement at the top level of a cell, with a name as its first argument")
}
