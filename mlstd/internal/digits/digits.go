// Package digits formats the numbers of statistical summaries.
package digits

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number formats a number with four decimal places, or in scientific notation if it is too small or
// too large for four places.
func Number(v float64) string { return Decimals(v, 4) }

// Decimals formats a number with the given number of decimal places, or in scientific notation if
// it is too small or too large for these places.
func Decimals(v float64, decimals int) string {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 0):
		return strings.Replace(strings.TrimPrefix(fmt.Sprint(v), "+"), "Inf", "∞", 1)
	case a != 0 && a < 10*math.Pow(10, -float64(decimals)):
		return strconv.FormatFloat(v, 'e', 3, 64)
	case a >= 1e6:
		return strconv.FormatFloat(v, 'e', 4, 64)
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// P formats a probability with four decimal places, or with two significant digits if it is small.
// For a probability that is 0 in float64, it returns "<1e-307".
func P(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p == 0:
		return "<1e-307"
	case p < 0.001:
		return strconv.FormatFloat(p, 'e', 1, 64)
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// Percent formats a level such as 0.95 as "95 %".
func Percent(level float64) string { return strconv.FormatFloat(100*level, 'g', 6, 64) + " %" }
