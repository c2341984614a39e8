package cellrt_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/interp/cellrt"
)

// TestComparisons compares the results for each pair of elements and each operator with Go.
func TestComparisons(t *testing.T) {
	values := []float64{math.Inf(-1), -1, 0, math.Copysign(0, -1), 2, math.Inf(1), math.NaN()}
	ops := map[string]func(a, b float64) bool{
		"<":  func(a, b float64) bool { return a < b },
		"<=": func(a, b float64) bool { return a <= b },
		">":  func(a, b float64) bool { return a > b },
		">=": func(a, b float64) bool { return a >= b },
		"==": func(a, b float64) bool { return a == b },
		"!=": func(a, b float64) bool { return a != b },
	}
	for op, compare := range ops {
		for _, b := range values {
			var right, left []bool
			others := make([]float64, len(values))
			for i, a := range values {
				others[i] = b
				right = append(right, compare(a, b))
				left = append(left, compare(b, a))
			}
			for name, pair := range map[string][2][]bool{
				"CompareVS": {cellrt.CompareVS(0, op, values, b), right},
				"CompareSV": {cellrt.CompareSV(0, op, b, values), left},
				"CompareVV": {cellrt.CompareVV(0, op, values, others), right},
			} {
				if !slices.Equal(pair[0], pair[1]) {
					t.Errorf("%s %s %g: got %v, want %v", name, op, b, pair[0], pair[1])
				}
			}
		}
	}
}
