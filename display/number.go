package display

import (
	"math"
	"strconv"
	"strings"
)

// exact writes x with the fewest digits that read back as x.
func exact(x float64, bits int) string {
	if plain(math.Abs(x)) {
		return strconv.FormatFloat(x, 'f', -1, bits)
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}

// Exact writes x with the fewest digits that read back as x.
func Exact(x float64) string { return exact(x, 64) }

// plain reports whether a number of this size is written without an exponent.
func plain(abs float64) bool { return abs == 0 || abs >= 1e-4 && abs < 1e15 }

// Number writes x for a label: all its digits when they are few, else four behind
// the point, or four significant ones when x is small. A trailing zero tells that
// digits were cut, and what is not whole never looks it: 1 is one, 1.00002 is only
// close to it.
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

// decimals is how many digits behind the point keep four significant ones of a
// positive x, at least four.
func decimals(x float64) int {
	if x == 0 || x >= 0.1 {
		return 4
	}
	return 3 + int(math.Ceil(-math.Log10(x)))
}

const (
	// mostDecimals bounds the digits behind the point that tell a number from a
	// whole one.
	mostDecimals = 9
	// roundingNoise is the relative distance below which the difference to a whole
	// number is taken for an error of the arithmetic.
	roundingNoise = 1e-12
)

// fixed writes x with d digits behind the point, or with all its digits when they
// are fewer and need not be filled up. Where these would show a whole number
// though x is none, there are as many more as tell it.
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

// fraction is the number of digits behind the point of s.
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

// exponent writes x with an exponent and at most d digits behind the point.
func exponent(x float64, d int) string {
	short, cut := strconv.FormatFloat(x, 'e', -1, 64), strconv.FormatFloat(x, 'e', d, 64)
	if len(short) <= len(cut) {
		return short
	}
	return cut
}

// Numbers writes xs as a column: with the same number of digits behind the point,
// as many as its largest number needs to keep four, and no more than show all of
// them exactly. What would look like zero, or like a whole number, in this form
// and is not, gets digits of its own: a small number and one of 1e15 or more are
// written with an exponent. The strings are not padded.
func Numbers(xs []float64) []string {
	largest := 0.0 // of those without an exponent
	for _, x := range xs {
		if abs := math.Abs(x); abs < 1e15 {
			largest = math.Max(largest, abs)
		}
	}
	if largest < 1e-4 {
		return exponents(xs)
	}
	most, need := decimals(largest), 0
	tiny := math.Pow10(-most) / 2 // what is smaller would look like zero
	if largest >= 1e4 {
		tiny *= 20 // or keep one digit of beside so many
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
			out[i] = strconv.FormatFloat(0, 'f', d, 64) // without the sign of -0
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

// exponents writes a column of numbers that all have an exponent.
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
