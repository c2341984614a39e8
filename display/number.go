package display

import (
	"math"
	"strconv"
	"strings"
)

// Number writes x as a person would: all its digits when they are few, else four
// behind the point, or four significant ones when x is small. A trailing zero
// tells that digits were cut: 1 is one, 1.0000 is only close to it.
func Number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	abs := math.Abs(x)
	if abs >= 1e15 || (abs != 0 && abs < 1e-4) {
		short := strconv.FormatFloat(x, 'g', -1, 64)
		cut := strconv.FormatFloat(x, 'e', 4, 64)
		if len(short) <= len(cut) {
			return short
		}
		return cut
	}
	exact := strconv.FormatFloat(x, 'f', -1, 64)
	d := decimals(abs)
	if point := strings.IndexByte(exact, '.'); point < 0 || len(exact)-point-1 <= d {
		return exact
	}
	return strconv.FormatFloat(x, 'f', d, 64)
}

// decimals is how many digits behind the point keep four significant ones of a
// positive x, at least four.
func decimals(x float64) int {
	if x == 0 || x >= 0.1 {
		return 4
	}
	return 3 + int(math.Ceil(-math.Log10(x)))
}

// Numbers writes xs as a column: all with the same number of digits behind the
// point, or all with an exponent when their sizes differ too much. The strings
// are not padded.
func Numbers(xs []float64) []string {
	largest, smallest := 0.0, math.Inf(1)
	need := 0 // digits behind the point that show every number exactly
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
			continue
		}
		abs := math.Abs(x)
		largest, smallest = math.Max(largest, abs), math.Min(smallest, abs)
		if need > 4 {
			continue
		}
		if s := strconv.FormatFloat(abs, 'f', -1, 64); strings.IndexByte(s, '.') >= 0 {
			need = max(need, len(s)-strings.IndexByte(s, '.')-1)
		}
	}
	out := make([]string, len(xs))
	exponent := largest >= 1e15 || (largest > 0 && largest < 1e-4)
	d := min(need, decimals(largest))
	// Digits that would leave small entries as 0.0000 beside large ones are
	// worth an exponent; ordinary rounding noise beside them is not.
	if need > d && largest/smallest > 1e5 && smallest > 1e-12*largest && largest >= 1e4 {
		exponent = true
	}
	for i, x := range xs {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			out[i] = Number(x)
		case exponent && x != 0:
			out[i] = strconv.FormatFloat(x, 'e', 3, 64)
		case exponent:
			out[i] = "0"
		default:
			out[i] = strconv.FormatFloat(x, 'f', d, 64)
			if x != 0 && strings.Trim(out[i], "-0.") == "" {
				out[i] = strconv.FormatFloat(x, 'e', 0, 64) // small, but not zero
			} else if x == 0 && math.Signbit(x) {
				out[i] = strconv.FormatFloat(0, 'f', d, 64)
			}
		}
	}
	return out
}
