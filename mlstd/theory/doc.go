// Package theory is computational learning theory as functions: how many examples are
// enough, how many are needed, which sets of points a class of concepts shatters, how
// many mistakes cannot be avoided. For each bound there is a simulation of what it
// bounds, so that both can be drawn in one chart.
//
// A [Class] is a set of concepts over points. [HalfSpaces], [Rectangles], [Balls],
// [Intervals], [Thresholds] and [ConjunctionConcepts] are such; a [FiniteClass] is a table.
package theory
