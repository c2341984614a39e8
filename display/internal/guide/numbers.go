// Package guide has the parts that explain figures: fonts, ticks, labels of numbers, legends and
// color bars.
package guide

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// Ticks returns about n multiples of 1, 2, 2.5 or 5 times a power of ten from lo to hi.
func Ticks(lo, hi float64, n int) []float64 {
	if !(lo < hi) || n < 1 {
		return nil
	}
	raw := (hi - lo) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	unit := 10.0
	for _, u := range []float64{1, 2, 2.5, 5} {
		if raw <= u*power*1.0001 {
			unit = u
			break
		}
	}
	stepSize := unit * power
	if !(stepSize > 0 && stepSize <= math.MaxFloat64) {
		return nil
	}
	var out []float64
	for k := math.Ceil(lo/stepSize - 1e-9); len(out) < 100; k++ {
		t := k * stepSize
		if t > hi+1e-9*stepSize {
			break
		}
		if t == 0 {
			t = 0 // not -0
		}
		out = append(out, t)
	}
	return out
}

// Labels formats linear ticks with a common number of digits. If numbers with the magnitude of the
// argument largest are hard to read, the labels omit a common offset and are divided by a power of
// ten; unit shows both, such as "×10⁶" or "+ 100,000".
func Labels(ticks []float64, largest float64) (labels []string, unit string) {
	labels, unit = written(ticks, largest)
	offset := offsetOf(ticks)
	if offset == 0 || widest(labels) <= mostDigits {
		return labels, unit
	}
	rest := make([]float64, len(ticks))
	largest = 0
	for i, t := range ticks {
		rest[i] = t - offset
		largest = math.Max(largest, math.Abs(rest[i]))
	}
	labels, unit = written(rest, largest)
	sign := "+"
	if offset < 0 {
		sign = "−"
	}
	return labels, strings.TrimSpace(unit + " " + sign + " " + power(math.Abs(offset)))
}

// mostDigits is the maximum number of digits of a tick before an offset is omitted.
const mostDigits = 6

// written formats ticks with a common number of digits, divided by the power of ten in unit.
func written(ticks []float64, largest float64) (labels []string, unit string) {
	factor := 1.0
	if largest > 0 && (largest >= 1e6 || largest < 1e-3) {
		e := 3 * int(math.Floor(math.Log10(largest)/3))
		factor = math.Pow(10, float64(e))
		unit = "×10" + Superscript(e)
	}
	digits := 0
	if len(ticks) > 1 {
		gap := (ticks[1] - ticks[0]) / factor
		for digits < 10 && math.Abs(gap-math.Round(gap*math.Pow10(digits))/math.Pow10(digits)) > 1e-6*gap {
			digits++
		}
	}
	labels = make([]string, len(ticks))
	for i, t := range ticks {
		labels[i] = strconv.FormatFloat(t/factor, 'f', digits, 64)
	}
	for i, s := range Separated(labels) {
		labels[i] = Minus(s)
	}
	return labels, unit
}

// Decimals returns the minimum number of decimals with which numbers can be written to six
// significant digits.
func Decimals(xs []float64) int {
	largest, digits := 0.0, 0
	for _, x := range xs {
		largest = math.Max(largest, math.Abs(x))
	}
	most := max(0, 5-exponent(largest))
	for _, x := range xs {
		digits = max(digits, decimals(x, most))
	}
	return digits
}

// offsetOf returns the round number closest to zero that can be subtracted from all ticks, or 0
// if there is none.
func offsetOf(ticks []float64) float64 {
	if len(ticks) < 2 || ticks[0]*ticks[len(ticks)-1] <= 0 {
		return 0
	}
	first, last := ticks[0], ticks[len(ticks)-1]
	nearest := first
	if first < 0 {
		nearest = last
	}
	e := int(math.Ceil(math.Log10(last-first)-1e-9)) + 1
	if e < -15 || e > 22 {
		return 0 // a float64 cannot represent these powers of ten
	}
	if e < 0 {
		// A quotient of integers is rounded once, a product with 0.01 twice.
		unit := math.Pow10(-e)
		return math.Trunc(nearest*unit*(1+1e-12)) / unit
	}
	unit := math.Pow10(e)
	return math.Trunc(nearest/unit*(1+1e-12)) * unit
}

// widest returns the maximum number of digits in a label.
func widest(labels []string) int {
	most := 0
	for _, s := range labels {
		n := 0
		for _, r := range s {
			if r >= '0' && r <= '9' {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// power formats a positive number, a large round one with a power of ten.
func power(x float64) string {
	plain := Thousands(strconv.FormatFloat(x, 'f', -1, 64))
	if len(plain) <= 9 {
		return plain
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	if len(mantissa) > 5 {
		return plain
	}
	e, _ := strconv.Atoi(exponent)
	if mantissa == "1" {
		return "10" + Superscript(e)
	}
	return mantissa + "×10" + Superscript(e)
}

// Thousands separates groups of three digits in a number with more than four digits.
func Thousands(s string) string { return separated(s, 4) }

// Separated separates groups of three digits in numbers that are shown together: in all numbers, or
// in no number if no number has more than four digits.
func Separated(numbers []string) []string {
	most := 4
	for _, s := range numbers {
		if Thousands(s) != s {
			most = 3
		}
	}
	out := make([]string, len(numbers))
	for i, s := range numbers {
		out[i] = separated(s, most)
	}
	return out
}

// separated separates groups of three digits if the number has more digits than the limit most.
func separated(s string, most int) string {
	sign := ""
	for _, minus := range []string{"-", "−"} {
		if rest, ok := strings.CutPrefix(s, minus); ok {
			sign, s = minus, rest
		}
	}
	whole, rest, _ := strings.Cut(s, ".")
	if rest != "" {
		rest = "." + rest
	}
	if len(whole) > most {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	return sign + whole + rest
}

// Superscript formats an integer as superscript.
func Superscript(e int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").
		Replace(strconv.Itoa(e))
}

// Amounts returns a function that formats the numbers of a figure consistently, as an axis would.
// The numbers have as many decimals as the largest number in xs needs for four significant digits,
// but decimals that no number needs are omitted. A smaller number has at least two significant
// digits.
func Amounts(xs []float64) func(x float64) string {
	largest := 0.0
	for _, x := range xs {
		if abs := math.Abs(x); abs > largest && !math.IsInf(x, 0) {
			largest = abs
		}
	}
	if largest < 1e-4 || largest >= 1e15 {
		return Short
	}
	plain := 4 // digits, before they are separated
	if math.Round(largest) >= 1e4 {
		plain = 3
	}
	most, digits := max(0, 3-exponent(largest)), 0
	for _, x := range xs {
		digits = max(digits, decimals(x, most))
	}
	return func(x float64) string {
		d := digits
		if two := 1 - exponent(x); x != 0 && two > d {
			d = decimals(x, two)
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || d > 9 {
			return Short(x)
		}
		return Minus(separated(strconv.FormatFloat(x, 'f', max(d, digits), 64), plain))
	}
}

// exponent returns the power of ten of the first digit of x.
func exponent(x float64) int {
	if x == 0 {
		return 0
	}
	return int(math.Floor(math.Log10(math.Abs(x)) + 1e-12))
}

// decimals returns the number of decimals of x, at most most.
func decimals(x float64, most int) int {
	_, behind, _ := strings.Cut(strconv.FormatFloat(x, 'f', max(0, most), 64), ".")
	return len(strings.TrimRight(behind, "0"))
}

// Short formats a number for a label, with a true minus sign.
func Short(x float64) string { return Minus(display.Number(x)) }

// Minus replaces the hyphen of a number by a true minus sign.
func Minus(s string) string {
	if len(s) > 1 && s[0] == '-' {
		if strings.Trim(s[1:], "0.") == "" {
			return s[1:] // zero has no sign
		}
		return "−" + s[1:]
	}
	return s
}

// Class formats a class without a name by its number.
func Class(k int) string { return Minus(strconv.Itoa(k)) }

// Feature returns the name of the j-th column, counted from 0, of data without column names: x₁,
// x₂ ...
func Feature(j int) string { return "x" + Subscript(j+1) }

// Column formats the name of a column. Unnamed features, such as x1, are formatted as by
// [Feature].
func Column(name string) string {
	number, ok := strings.CutPrefix(name, "x")
	if n, err := strconv.Atoi(number); ok && err == nil && n >= 0 && strconv.Itoa(n) == number {
		return "x" + Subscript(n)
	}
	return name
}

var features = regexp.MustCompile(`\bx(?:0|[1-9][0-9]*)\b`)

// Columns formats the names of features in a text, such as "x1 ≤ 2", as [Column] does.
func Columns(text string) string { return features.ReplaceAllStringFunc(text, Column) }

// Subscript formats a nonnegative integer as subscript.
func Subscript(n int) string {
	digits := []rune(strconv.Itoa(n))
	for i, d := range digits {
		digits[i] = '₀' + d - '0'
	}
	return string(digits)
}
