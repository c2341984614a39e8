// Package profile shows where the code of cells spends its time: as tables of functions and lines,
// and as a flame graph.
package profile
