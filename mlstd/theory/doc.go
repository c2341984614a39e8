// Package theory implements computational learning theory. Its functions compute how many examples
// are sufficient or necessary, which sets of points a class of concepts shatters, and how many
// mistakes are unavoidable. For each bound, there is a simulation of the bounded quantity, so you
// can draw both in one chart.
//
// A [Class] is a set of concepts over points. [HalfSpaces], [Rectangles], [Balls], [Intervals],
// [Thresholds] and [ConjunctionConcepts] are classes; a [FiniteClass] is a table.
package theory
