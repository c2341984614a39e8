// Package guide holds what helps to read figures: fonts, ticks, the labels of numbers,
// legends and color bars.
package guide

import (
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// Ticks gives about n multiples of 1, 2, 2.5 or 5 times a power of ten from lo to hi.
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
			t = 0 // no negative zero
		}
		out = append(out, t)
	}
	return out
}

// Labels writes linear ticks with a common number of digits. Where numbers as large as
// largest are hard to read, the labels are divided by factor, which unit says, such as
// "×10⁶"; else the factor is 1 and the unit empty.
func Labels(ticks []float64, largest float64) (labels []string, factor float64, unit string) {
	factor = 1
	if largest >= 1e6 || largest < 1e-3 {
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
		labels[i] = Minus(Thousands(strconv.FormatFloat(t/factor, 'f', digits, 64)))
	}
	return labels, factor, unit
}

// Thousands separates groups of three digits of numbers with more than four.
func Thousands(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, rest, _ := strings.Cut(s, ".")
	if rest != "" {
		rest = "." + rest
	}
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	return sign + whole + rest
}

// Superscript writes a whole number raised.
func Superscript(e int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").
		Replace(strconv.Itoa(e))
}

// Short writes a number for a label, with a true minus sign.
func Short(x float64) string { return Minus(display.Number(x)) }

// Minus writes a number with a true minus sign.
func Minus(s string) string {
	if len(s) > 1 && s[0] == '-' {
		if strings.Trim(s[1:], "0.") == "" {
			return s[1:] // a zero has no sign
		}
		return "−" + s[1:]
	}
	return s
}
