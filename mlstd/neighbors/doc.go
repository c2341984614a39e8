// Package neighbors learns from examples by keeping them: k nearest neighbors,
// the distances they are nearest by, and the k-d tree that finds them.
package neighbors
