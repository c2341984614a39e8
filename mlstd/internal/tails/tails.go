// Package tails computes the tail probabilities of distributions with high relative accuracy. The
// complement of a probability near 1 is computed directly, never by subtraction from 1, which would
// result in 0 or a multiple of 1e-16.
package tails

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// F returns P(X > f) of the F distribution with a and b degrees of freedom.
func F(f, a, b float64) float64 {
	switch {
	case math.IsNaN(f):
		return math.NaN()
	case f <= 0:
		return 1
	case math.IsInf(f, 1):
		return 0
	}
	// b/(b + a·f) and its complement a·f/(b + a·f)
	r := a * f / b
	return Beta(b/2, a/2, 1/(1+r), r/(1+r))
}

// BelowF returns P(X ≤ f) of the F distribution with a and b degrees of freedom.
func BelowF(f, a, b float64) float64 {
	switch {
	case math.IsNaN(f):
		return math.NaN()
	case f <= 0:
		return 0
	case math.IsInf(f, 1):
		return 1
	}
	r := a * f / b
	return Beta(a/2, b/2, r/(1+r), 1/(1+r))
}

// TwoSidedT returns P(|X| > |t|) of Student's t distribution with nu degrees of freedom.
func TwoSidedT(t, nu float64) float64 {
	t = math.Abs(t)
	switch {
	case math.IsNaN(t):
		return math.NaN()
	case t == 0:
		return 1
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(nu, 1):
		return math.Erfc(t / math.Sqrt2)
	}
	if t > 1e100 || t*t/nu > 1e30 {
		// Γ((ν+1)/2)/(√π·Γ(ν/2)) · 2/ν · (√ν/t)^ν, with a relative error of order ν²/t²
		return 2 / nu * math.Exp(nu*(math.Log(nu)/2-math.Log(t))-mathext.Lbeta(nu/2, 0.5))
	}
	r := t * t / nu
	return Beta(nu/2, 0.5, 1/(1+r), r/(1+r))
}

// QuantileT returns the t with P(X > t) = p for Student's t distribution with nu degrees of
// freedom.
func QuantileT(p, nu float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0.5:
		return 0
	case p > 0.5:
		return -QuantileT(1-p, nu)
	case p == 0:
		return math.Inf(1)
	}
	low, high := 0.0, 1.0
	for TwoSidedT(high, nu)/2 > p {
		if low, high = high, 2*high; math.IsInf(high, 1) {
			return high
		}
	}
	front := -mathext.Lbeta(nu/2, 0.5) - math.Log(nu)/2
	t := high
	for range 200 {
		above := TwoSidedT(t, nu) / 2
		off := math.Log(above) - math.Log(p) // decreases with t
		if off > 0 {
			low = t
		} else {
			high = t
		}
		density := math.Exp(front - (nu+1)/2*math.Log1p(t*t/nu))
		next := t + off*above/density
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-t) <= 1e-15*t {
			return next
		}
		t = next
	}
	return t
}

// QuantileBeta returns the x with I_x(a, b) = p.
func QuantileBeta(a, b, p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0 || p == 1:
		return p
	case p > Beta(a, b, 0.5, 0.5):
		return -math.Expm1(logQuantileBeta(b, a, 1-p, p))
	}
	return math.Exp(logQuantileBeta(a, b, p, 1-p))
}

// logQuantileBeta returns the logarithm of the x ≤ ½ with I_x(a, b) = p; rest is 1 − p.
func logQuantileBeta(a, b, p, rest float64) float64 {
	low, high := -745.0, -math.Ln2
	for range 64 {
		middle := (low + high) / 2
		x, complement := math.Exp(middle), -math.Expm1(middle)
		more := false // whether x is below the quantile
		if p < rest {
			more = Beta(a, b, x, complement) < p
		} else {
			more = Beta(b, a, complement, x) > rest
		}
		if more {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// ChiSquared returns P(X > x) of the χ² distribution with k degrees of freedom.
func ChiSquared(x, k float64) float64 {
	if x <= 0 {
		return 1
	}
	return mathext.GammaIncRegComp(k/2, x/2)
}

// Binomial returns P(X = k) for n trials with success probability p.
func Binomial(k, n, p float64) float64 { return binomial(k, n-k, p, 1-p) }

// BinomialAbove returns P(X > k) for n trials with success probability p and integer k.
func BinomialAbove(k, n, p float64) float64 {
	switch {
	case k < 0:
		return 1
	case k >= n:
		return 0
	}
	return Beta(k+1, n-k, p, 1-p)
}

// BinomialUpTo returns P(X ≤ k) for n trials with success probability p and integer k.
func BinomialUpTo(k, n, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return Beta(n-k, k+1, 1-p, p)
}

// Hypergeometric returns the probability of k marked items in a sample drawn without replacement.
// The sample has size drawn, the population has size whole, and marked is the number of marked
// items in the population.
func Hypergeometric(k, drawn, marked, whole float64) float64 {
	if drawn == 0 || marked == 0 || drawn == whole || marked == whole {
		return 1 // k has only one possible value
	}
	p := drawn / whole
	q := (whole - drawn) / whole
	return binomial(k, marked-k, p, q) / binomial(drawn, whole-drawn, p, q) * binomial(drawn-k, whole-marked-(drawn-k), p, q)
}

// Beta returns the regularized incomplete beta function
//
//	I_x(a, b) = ∫₀ˣ tᵃ⁻¹(1−t)ᵇ⁻¹ dt / B(a, b)
//
// of x and its complement 1 − x. It takes both values because if one of them is very small, float64
// rounds the other to 1. The relative error of the result is small.
//
// References: [Loader2000].
func Beta(a, b, x, complement float64) float64 {
	switch {
	case math.IsNaN(a + b + x + complement):
		return math.NaN()
	case x <= 0:
		return 0
	case complement <= 0:
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - fraction(b, a, complement, x)
	}
	return fraction(a, b, x, complement)
}

// fraction computes Beta by its continued fraction, which converges fast if x is not above the
// mean.
func fraction(a, b, x, complement float64) float64 {
	front := density(a, b, x, complement) / a
	if front == 0 {
		return 0
	}
	const tiny = 1e-300
	bounded := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/bounded(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < 1e6; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / bounded(1+even*d)
		c = bounded(1 + even/c)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / bounded(1+odd*d)
		c = bounded(1 + odd/c)
		h *= d * c
		if math.Abs(d*c-1) <= 1e-16 {
			break
		}
	}
	return front * h
}

// density returns xᵃ(1−x)ᵇ/B(a, b).
func density(a, b, x, complement float64) float64 {
	// B(a, b+1) = B(a, b)·b/(a+b), and vice versa
	switch {
	case a < 1 && x < 1e-100:
		return math.Exp(a*math.Log(x) + b*logOf(complement, x) - mathext.Lbeta(a, b))
	case a < 1:
		return density(a+1, b, x, complement) * (a / (a + b)) / x
	case b < 1:
		return density(a, b+1, x, complement) * (b / (a + b)) / complement
	}
	return binomial(a, b, x, complement) * (a / (a + b)) * b
}

// logOf returns the logarithm of v = 1 − other.
func logOf(v, other float64) float64 {
	if other < 0.5 {
		return math.Log1p(-other)
	}
	return math.Log(v)
}

// binomial returns Γ(k+r+1)/(Γ(k+1)Γ(r+1)) pᵏqʳ by Loader's saddle-point expansion with the errors
// of Stirling's formula, so that no large logarithms cancel.
func binomial(k, r, p, q float64) float64 {
	n := k + r
	switch {
	case k < 0 || r < 0:
		return 0
	case k == 0 && r == 0:
		return 1
	case p == 0:
		return float64(oneIf(k == 0))
	case q == 0:
		return float64(oneIf(r == 0))
	case k == 0:
		return math.Exp(n * logOf(q, p))
	case r == 0:
		return math.Exp(n * logOf(p, q))
	}
	lack := stirling(n) - stirling(k) - stirling(r) - deviance(k, n*p) - deviance(r, n*q)
	return math.Exp(lack) * math.Sqrt(n/(2*math.Pi*k*r))
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// stirling returns the error of Stirling's formula: log n! − (n·log n − n + ½·log(2πn)).
func stirling(n float64) float64 {
	if n < 16 {
		// log Γ(n+1) from an argument at which the series is accurate: Γ(n+1) = Γ(n+1+m) /
		// ((n+1)…(n+m))
		product, m := 1.0, n
		for m < 16 {
			m++
			product *= m
		}
		return stirling(m) + (m+0.5)*math.Log(m) - m - (n+0.5)*math.Log(n) + n - math.Log(product)
	}
	s := 1 / (n * n)
	return (1.0/12 - s*(1.0/360-s*(1.0/1260-s*(1.0/1680-s*(1.0/1188-s*(691.0/360360-s/156)))))) / n
}

// deviance returns x·log(x/mean) + mean − x, without cancellation if x is near the mean.
func deviance(x, mean float64) float64 {
	d := x - mean
	if math.Abs(d) < 0.1*(x+mean) {
		v := d / (x + mean)
		sum := d * v
		term := 2 * x * v
		for j := 3.0; ; j += 2 {
			term *= v * v
			next := sum + term/j
			if next == sum {
				return sum
			}
			sum = next
		}
	}
	return x*math.Log(x/mean) + mean - x
}
