// Package stats is beside a notebook.
package stats

import "slices"

// Median returns the middle value.
func Median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return sorted[len(sorted)/2]
}
