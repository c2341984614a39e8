// Package progen generates Go programs. A program generated from a seed compiles, ends soon, prints
// its results, and prints the same text with every compiler. The programs don't depend on what the
// specification leaves open: the iteration order of maps, and the order of evaluation of operands
// that change one another or that panic. They also don't convert a float to an integer type that
// cannot represent its value.
//
// Programs have integers of all widths, which overflow and are shifted, floats, complex numbers,
// strings, arrays, slices, maps, structs, pointers, closures, generic functions and types, methods,
// embedding and interfaces. They also have type switches, labels, goto, defer, panic and recover,
// range over everything that can be ranged over, and goroutines that take turns. [Program] mixes
// all these constructs. [Hot] uses only constructs that engines optimize, and [Loops] uses only
// numbers in loops. [Orders] uses operands that change one another, which the other programs avoid,
// and expects the Go compiler's order of evaluation.
package progen
