// Package progen writes Go programs that nobody would: a seed gives a program
// that compiles, ends soon, prints what it computes, and prints the same
// whatever compiles it. What the specification leaves open is avoided: the order
// of a map, of operands that change one another or of two that panic, and floats
// that do not fit an integer.
//
// Programs have integers of all widths that overflow and are shifted, floats,
// complex numbers, strings, arrays, slices, maps, structs, pointers, closures,
// generic functions and types, methods, embedding, interfaces, type switches,
// labels, goto, defer, panic and recover, range over all that can be ranged
// over, and goroutines that take turns. [Program] mixes all of them; [Hot] keeps to
// what engines make fast, and [Loops] to numbers in loops. [Orders] is about what the others
// avoid: operands that change one another, whose order is that of the Go compiler.
package progen
