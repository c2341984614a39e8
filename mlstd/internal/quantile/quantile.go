// Package quantile computes quantiles of samples by linear interpolation (type 7 of R. J. Hyndman
// and Y. Fan, "Sample quantiles in statistical packages", 1996), as numpy and R compute them.
package quantile

import "math"

// Of returns the quantile p of ascending values: the value at position p(n-1), counted from 0. It
// returns NaN if there are no values.
func Of(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	k := int(at)
	if k >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	return Between(sorted[k], sorted[k+1], at-float64(k))
}

// Between interpolates linearly: it returns the number at the given fraction of the way from low to
// high. It is exact at both ends, and finite between finite numbers.
func Between(low, high, fraction float64) float64 {
	switch {
	case low == high:
		return low // also for infinite numbers
	case math.IsInf(high-low, 0):
		return low*(1-fraction) + high*fraction
	case fraction < 0.5:
		return low + fraction*(high-low)
	}
	return high - (1-fraction)*(high-low)
}
