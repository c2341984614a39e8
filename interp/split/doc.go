// Package split turns the text of a cell into its parts: magics, imports,
// declarations and statements, in any order. Every part keeps its exact
// position: a node's position is that of its text in the cell, whatever came
// before it. Nothing here knows types.
package split
