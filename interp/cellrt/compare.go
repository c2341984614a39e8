package cellrt

import "cmp"

// Comparisons are those of Go, element by element: NaN is unequal to everything, and neither less
// nor greater than anything.

// CompareVV compares the elements of two vectors.
func CompareVV(site int, op string, a, b []float64) []bool { return compareBoth(site, op, a, b) }

// CompareII compares the elements of two vectors of integers.
func CompareII(site int, op string, a, b []int) []bool { return compareBoth(site, op, a, b) }

// CompareWW compares the elements of two slices of strings.
func CompareWW(site int, op string, a, b []string) []bool { return compareBoth(site, op, a, b) }

// CompareVS compares the elements of a with b.
func CompareVS(_ int, op string, a []float64, b float64) []bool { return compareOne(op, a, b) }

// CompareIN compares the elements of a with b.
func CompareIN(_ int, op string, a []int, b int) []bool { return compareOne(op, a, b) }

// CompareWT compares the elements of a with b.
func CompareWT(_ int, op string, a []string, b string) []bool { return compareOne(op, a, b) }

// CompareSV compares a with the elements of b.
func CompareSV(_ int, op string, a float64, b []float64) []bool { return compareOne(mirror[op], b, a) }

// CompareNI compares a with the elements of b.
func CompareNI(_ int, op string, a int, b []int) []bool { return compareOne(mirror[op], b, a) }

// CompareTW compares a with the elements of b.
func CompareTW(_ int, op string, a string, b []string) []bool { return compareOne(mirror[op], b, a) }

// mirror maps each comparison to the equivalent one with exchanged operands.
var mirror = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

// The loops below differ only in the operator, so that it is not checked for each element.

func compareBoth[E cmp.Ordered](site int, op string, a, b []E) []bool {
	sameLength(site, op, len(a), len(b))
	out := make([]bool, len(a))
	switch op {
	case "<":
		for i, x := range a {
			out[i] = x < b[i]
		}
	case "<=":
		for i, x := range a {
			out[i] = x <= b[i]
		}
	case ">":
		for i, x := range a {
			out[i] = x > b[i]
		}
	case ">=":
		for i, x := range a {
			out[i] = x >= b[i]
		}
	case "==":
		for i, x := range a {
			out[i] = x == b[i]
		}
	case "!=":
		for i, x := range a {
			out[i] = x != b[i]
		}
	}
	return out
}

func compareOne[E cmp.Ordered](op string, a []E, b E) []bool {
	out := make([]bool, len(a))
	switch op {
	case "<":
		for i, x := range a {
			out[i] = x < b
		}
	case "<=":
		for i, x := range a {
			out[i] = x <= b
		}
	case ">":
		for i, x := range a {
			out[i] = x > b
		}
	case ">=":
		for i, x := range a {
			out[i] = x >= b
		}
	case "==":
		for i, x := range a {
			out[i] = x == b
		}
	case "!=":
		for i, x := range a {
			out[i] = x != b
		}
	}
	return out
}

// AndBB returns a && b.
func AndBB(site int, a, b []bool) []bool {
	sameLength(site, "&&", len(a), len(b))
	out := make([]bool, len(a))
	for i, x := range a {
		out[i] = x && b[i]
	}
	return out
}

// OrBB returns a || b.
func OrBB(site int, a, b []bool) []bool {
	sameLength(site, "||", len(a), len(b))
	out := make([]bool, len(a))
	for i, x := range a {
		out[i] = x || b[i]
	}
	return out
}

// NotB returns !a.
func NotB(a []bool) []bool {
	out := make([]bool, len(a))
	for i, x := range a {
		out[i] = !x
	}
	return out
}
