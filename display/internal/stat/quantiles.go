package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Positions returns the plotting positions of n ascending values: the medians of the order
// statistics of the uniform distribution, in the approximation of J. J. Filliben ("The probability
// plot correlation coefficient test for normality", 1975).
func Positions(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = (float64(i+1) - 0.3175) / (float64(n) + 0.365)
	}
	p[n-1] = math.Pow(0.5, 1/float64(n))
	p[0] = 1 - p[n-1]
	return p
}

// Range returns the 0.025 and 0.975 quantiles of the i-th order statistic (counted from 0) of n
// uniform values. Its distribution is Beta(i+1, n-i).
func Range(i, n int) (lo, hi float64) {
	a, b := float64(i+1), float64(n-i)
	return mathext.InvRegIncBeta(a, b, 0.025), mathext.InvRegIncBeta(a, b, 0.975)
}

// Line returns the least-squares line through points, and their correlation.
func Line(x, y []float64) (slope, intercept, r float64) {
	xx, xy, yy := Covariance(x, y)
	n := float64(len(x))
	mx, my := 0.0, 0.0
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	slope = xy / xx
	return slope, my - slope*mx, xy / math.Sqrt(xx*yy)
}
