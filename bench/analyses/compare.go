package main

import (
	"fmt"
	"math"
)

// compare reports the first difference between two answers. Columns are compared by position,
// because the names of computed columns differ.
func compare(own, peer [][][]any, tolerance float64) error {
	if len(own) != len(peer) {
		return fmt.Errorf("%d values, the twin has %d", len(own), len(peer))
	}
	for v := range own {
		if len(own[v]) != len(peer[v]) {
			return fmt.Errorf("value %d has %d columns, the twin's has %d", v+1, len(own[v]), len(peer[v]))
		}
		for c := range own[v] {
			a, b := own[v][c], peer[v][c]
			if len(a) != len(b) {
				return fmt.Errorf("value %d, column %d has %d rows, the twin's has %d", v+1, c+1, len(a), len(b))
			}
			for r := range a {
				if !same(a[r], b[r], tolerance) {
					return fmt.Errorf("value %d, column %d, row %d is %v, the twin has %v", v+1, c+1, r+1, a[r], b[r])
				}
			}
		}
	}
	return nil
}

// same reports whether two cells are equal. Numbers may differ by the relative tolerance, or by
// 1e-12, which is how far rounding can move a difference that should be 0.
func same(a, b any, tolerance float64) bool {
	x, okX := a.(float64)
	y, okY := b.(float64)
	if okX && okY {
		return x == y || math.Abs(x-y) <= max(tolerance*max(math.Abs(x), math.Abs(y)), 1e-12)
	}
	return a == b
}
