// Package neighbors learns from examples by storing them: k nearest neighbors, distance metrics,
// and the k-d tree that finds neighbors.
package neighbors
