// Package cluster groups rows without being told classes: around centers, by
// density, by merging, by the spectrum of a graph. Labels count from 0; -1 is noise.
// The metrics of groupings are in package eval.
package cluster
