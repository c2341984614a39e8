package display

import (
	"math"
	"strconv"
	"strings"
)

// exact formats x with the fewest digits that parse as x.
func exact(x float64, bits int) string {
	if plain(math.Abs(x)) {
		return strconv.FormatFloat(x, 'f', -1, bits)
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}

// Exact formats x with the fewest digits that parse as x.
func Exact(x float64) string { return exact(x, 64) }

// plain reports whether a number of this magnitude is written without an exponent.
func plain(abs float64) bool { return abs == 0 || abs >= 1e-4 && abs < 1e15 }

// Number formats x for a label. It writes all digits of x if they are few. Otherwise it writes four
// decimals, or four significant digits if x is small. A trailing zero means that digits were
// omitted, and a number that is not whole never looks whole: 1 is exactly one, but 1.00002 is only
// close to one.
func Number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if abs := math.Abs(x); plain(abs) {
		return fixed(x, decimals(abs), false)
	}
	return exponent(x, 4)
}

// decimals returns the number of decimals that show four significant digits of a positive x, but
// at least four.
func decimals(x float64) int {
	if x == 0 || x >= 0.1 {
		return 4
	}
	return 3 + int(math.Ceil(-math.Log10(x)))
}

const (
	// mostDecimals is the maximum number of decimals that are used to distinguish a number from a
	// whole one.
	mostDecimals = 9
	// roundingNoise is the relative difference to a whole number below which it is attributed to
	// rounding errors.
	roundingNoise = 1e-12
)

// fixed formats x with d decimals, or with all its decimals if they are fewer and fill is false.
// If the text would look like a whole number although x is not one, fixed adds decimals until it
// does not.
func fixed(x float64, d int, fill bool) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if have := fraction(s); have <= d {
		if fill && have < d {
			return strconv.FormatFloat(x, 'f', d, 64)
		}
		return s
	}
	s = strconv.FormatFloat(x, 'f', d, 64)
	if math.Abs(x-math.Round(x)) <= roundingNoise*math.Abs(x) {
		return s
	}
	for d < mostDecimals && looksWhole(s) {
		d++
		s = strconv.FormatFloat(x, 'f', d, 64)
	}
	if looksWhole(s) {
		s = strconv.FormatFloat(x, 'f', 4, 64)
	}
	return s
}

// fraction returns the number of decimals of s.
func fraction(s string) int {
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return len(s) - i - 1
	}
	return 0
}

func looksWhole(s string) bool {
	_, behind, _ := strings.Cut(s, ".")
	return strings.Trim(behind, "0") == ""
}

// exponent formats x with an exponent and at most d decimals.
func exponent(x float64, d int) string {
	short, cut := strconv.FormatFloat(x, 'e', -1, 64), strconv.FormatFloat(x, 'e', d, 64)
	if len(short) <= len(cut) {
		return short
	}
	return cut
}

// Numbers formats xs as a column in which all numbers have the same number of decimals: as many
// as the largest number needs for four significant digits, but not more than the exact values
// have. A number that would wrongly look like zero or like a whole number gets more digits. Very
// small numbers, and numbers of 1e15 or more, have an exponent. The strings are not padded.
func Numbers(xs []float64) []string {
	largest := 0.0 // largest of the numbers without an exponent
	for _, x := range xs {
		if abs := math.Abs(x); abs < 1e15 {
			largest = math.Max(largest, abs)
		}
	}
	if largest < 1e-4 {
		return exponents(xs)
	}
	most, need := decimals(largest), 0
	tiny := math.Pow10(-most) / 2 // smaller numbers would look like zero
	if largest >= 1e4 {
		tiny *= 20 // or have only one digit where the others have many
	}
	for _, x := range xs {
		if abs := math.Abs(x); need <= most && abs >= tiny && abs < 1e15 {
			need = max(need, fraction(strconv.FormatFloat(abs, 'f', -1, 64)))
		}
	}
	d := min(need, most)
	out := make([]string, len(xs))
	for i, x := range xs {
		switch abs := math.Abs(x); {
		case math.IsNaN(x) || math.IsInf(x, 0):
			out[i] = Number(x)
		case x == 0:
			out[i] = strconv.FormatFloat(0, 'f', d, 64) // drops the sign of -0
		case abs >= 1e15:
			out[i] = exponent(x, 3)
		case abs < roundingNoise*largest:
			out[i] = exponent(x, 1)
		case abs < tiny:
			out[i] = exponent(x, 3)
		default:
			out[i] = fixed(x, d, true)
		}
	}
	return out
}

// exponents formats a column in which all numbers have an exponent.
func exponents(xs []float64) []string {
	d := 0
	for _, x := range xs {
		mantissa, _, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
		d = max(d, fraction(mantissa))
	}
	out := make([]string, len(xs))
	for i, x := range xs {
		switch {
		case x == 0:
			out[i] = "0"
		case math.IsNaN(x) || math.IsInf(x, 0):
			out[i] = Number(x)
		default:
			out[i] = strconv.FormatFloat(x, 'e', min(d, 3), 64)
		}
	}
	return out
}
