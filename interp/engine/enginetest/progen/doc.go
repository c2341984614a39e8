// Package progen generates Go programs. A program generated from a seed compiles, ends soon, prints
// what it computes, and prints the same with every compiler. The programs avoid what the
// specification leaves open: the order of a map, of operands that change one another or of two that
// panic, and floats that do not fit an integer.
//
// Programs have integers of all widths that overflow and are shifted, floats, complex numbers,
// strings, arrays, slices, maps, structs, pointers, closures, generic functions and types, methods,
// embedding and interfaces. They also have type switches, labels, goto, defer, panic and recover,
// range over everything that can be ranged over, and goroutines that take turns. [Program] mixes
// all of them. [Hot] uses only what engines optimize, and [Loops] only numbers in loops. [Orders]
// uses what the others avoid: operands that change one another, in the order of the Go compiler.
package progen
