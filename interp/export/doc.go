// Package export writes the cells of a notebook as a Go program. The cells are
// compiled as in a session, for an engine that keeps what it is given; what comes
// out is the text of the cells, with plain Go where they use the cell language.
// Nothing is run.
//
// Functions, types and constants stand in the package, the statements of all cells
// one after the other in main. Variables are those of main unless functions use
// them. A name that is declared again with another meaning gets a number.
package export
