package table

import (
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/guide"
)

const (
	mostDecimals = 9  // maximum number of decimals before a column uses powers of ten
	mostDigits   = 12 // maximum number of digits of a number
)

// written formats the numbers of a column with the same number of decimals: as many as the
// largest number needs for four significant digits. It uses more where a small number would look
// like zero, or a fraction like a whole number. If the magnitudes are too different for that, all
// numbers have a power of ten. Thousands are separated.
func written(xs []float64) []string {
	digits, exponents := 0, false
	for _, s := range display.Numbers(xs) {
		if strings.ContainsRune(s, 'e') {
			exponents = true
			continue
		}
		if _, behind, ok := strings.Cut(s, "."); ok {
			digits = max(digits, len(behind))
		}
	}
	if exponents {
		if digits = decimalsFor(xs, digits); digits < 0 {
			return powers(xs)
		}
	}
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = ungrouped(x, digits)
	}
	return guide.Separated(out)
}

// fixed formats a number with the given number of decimals.
func fixed(x float64, digits int) string { return guide.Thousands(ungrouped(x, digits)) }

// ungrouped formats a number without separating thousands.
func ungrouped(x float64, digits int) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case x == 0:
		x = 0 // drops the sign of -0
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// decimalsFor returns the number of decimals at which the smallest number has three significant
// digits, or -1 if that needs too many.
func decimalsFor(xs []float64, atLeast int) int {
	least, largest := math.Inf(1), 0.0
	for _, x := range xs {
		if abs := math.Abs(x); abs > 0 && !math.IsInf(abs, 0) {
			least, largest = math.Min(least, abs), math.Max(largest, abs)
		}
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(least, 'e', -1, 64), "e")
	e, err := strconv.Atoi(exponent)
	if err != nil {
		return -1
	}
	_, behind, _ := strings.Cut(mantissa, ".")
	digits := max(atLeast, -e+min(len(behind), 2))
	if digits > mostDecimals || math.Ceil(math.Log10(largest))+float64(digits) > mostDigits {
		return -1
	}
	return digits
}

// powers formats numbers with powers of ten and a common number of decimals, at most four.
func powers(xs []float64) []string {
	digits := 0
	for _, x := range xs {
		mantissa, _, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
		_, behind, _ := strings.Cut(mantissa, ".")
		digits = max(digits, min(len(behind), 3))
	}
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = power(x, digits)
	}
	return out
}

// power formats a number with a power of ten.
func power(x float64, digits int) string {
	if x == 0 || math.IsInf(x, 0) {
		return fixed(x, 0)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits, 64), "e")
	e, err := strconv.Atoi(exponent)
	if err != nil {
		return mantissa // NaN
	}
	return mantissa + "×10" + guide.Superscript(e)
}

// compact formats a single number with at most four significant digits.
func compact(x float64) string {
	abs := math.Abs(x)
	switch {
	case x == math.Trunc(x) && abs < 1e9 || math.IsInf(x, 0):
		return fixed(x, 0)
	case abs >= 1e9 || abs < 1e-4:
		return power(x, 3)
	case abs >= 1000:
		return fixed(x, 0)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
