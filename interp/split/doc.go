// Package split parses the text of a cell into magics, imports, declarations and statements, in any
// order. Every part keeps its position: the position of a node is the position of its text in the
// cell, whatever comes before it. The package does not use types.
package split
