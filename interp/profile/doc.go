// Package profile shows where the code of cells has spent its time: as tables of functions
// and lines, and as a flame graph.
package profile
