// Package export converts the cells of a notebook to a Go program. It compiles the cells as a
// session does, for an engine that only stores them. The program consists of the text of the cells,
// with plain Go where they use the cell language. No code runs.
//
// Functions, types and constants become declarations of the package, and the statements of all
// cells become the body of main, in order. Variables are local to main unless functions use them. A
// name that is declared again with another meaning gets a number.
package export
