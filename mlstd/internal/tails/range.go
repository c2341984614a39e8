package tails

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
)

// Normal returns P(X > z) of the standard normal distribution.
func Normal(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// T returns P(X > t) of Student's t distribution with nu degrees of freedom.
func T(t, nu float64) float64 {
	if t < 0 {
		return 1 - TwoSidedT(t, nu)/2
	}
	return TwoSidedT(t, nu) / 2
}

// legendre has the points and weights of Gauss-Legendre quadrature on [-1, 1].
var legendre = sync.OnceValue(func() (l struct{ x, w [32]float64 }) {
	quad.Legendre{}.FixedLocations(l.x[:], l.w[:], -1, 1)
	return l
})

// integral returns the integral of f from lo to hi, computed in panels of equal width.
func integral(f func(x float64) float64, lo, hi float64, panels int) float64 {
	sum := 0.0
	h := (hi - lo) / float64(panels) / 2
	l := legendre()
	for p := range panels {
		mid := lo + float64(2*p+1)*h
		for k, x := range l.x {
			sum += h * l.w[k] * f(mid+h*x)
		}
	}
	return sum
}

// rangeOf returns P(W > w) for the range W of k standard normal values. It is an integral of
// positive terms, so that its relative error is small; z is the largest of the values.
//
//	P(W > w) = k ∫ φ(z)·(Φ(z)^(k−1) − (Φ(z) − Φ(z − w))^(k−1)) dz
func rangeOf(w, k float64) float64 {
	switch {
	case w <= 0:
		return 1
	case w > 56: // below the smallest float64
		return 0
	}
	v := k * integral(func(z float64) float64 {
		all := Normal(-z)
		if all == 0 {
			return 0
		}
		in := -1.0
		if share := Normal(w-z) / all; share < 1 {
			in = math.Expm1((k - 1) * math.Log1p(-share))
		}
		return -math.Exp(-z*z/2+(k-1)*math.Log(all)) / math.Sqrt(2*math.Pi) * in
	}, w/2-9, w/2+9, 5)
	return min(v, 1)
}

// StudentizedRange returns P(Q > q) of the studentized range of k means with nu degrees of freedom,
// the distribution of Tukey's test.
//
//	P(Q > q) = ∫ P(W > q·s) f(s) ds,  s² ~ χ²_ν/ν
func StudentizedRange(q, k, nu float64) float64 {
	switch {
	case math.IsNaN(q):
		return math.NaN()
	case q <= 0:
		return 1
	case math.IsInf(q, 1):
		return 0
	case math.IsInf(nu, 1):
		return rangeOf(q, k)
	}
	return overScale(nu, func(s float64) float64 { return rangeOf(q*s, k) })
}

// overScale returns the mean of f(s) over s = √(χ²_ν/ν). f decreases with s, by at most e^(−c·s²),
// so the integrand's peak is at or below the peak of the density.
func overScale(nu float64, f func(s float64) float64) float64 {
	half := nu / 2
	front := math.Ln2 + math.Log(half)/2 - math.Log(2*math.Pi)/2 - stirling(half)
	logOf := func(u float64) float64 { // u = log s
		return front - half*(math.Expm1(2*u)-2*u) + math.Log(f(math.Exp(u)))
	}
	g := func(u float64) float64 { return math.Exp(logOf(u)) }
	// The integrand increases up to its peak and then decreases. f is 0 only on the right.
	lo, hi := -300.0, 4.0
	for range 100 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if vb := logOf(b); vb > logOf(a) {
			lo = a
		} else {
			hi = b
		}
		if hi-lo < 1e-3/math.Sqrt(max(1, nu)) {
			break
		}
	}
	at := (lo + hi) / 2
	best := g(at)
	if best == 0 {
		return 0
	}
	lo, hi = at, at
	for step := 0.1; g(lo) > 1e-17*best && lo > -700; step *= 1.3 {
		lo -= step / math.Sqrt(max(1, half))
	}
	for step := 0.1; g(hi) > 1e-17*best && hi < 6; step *= 1.3 {
		hi += step / math.Sqrt(max(1, half))
	}
	return min(integral(g, lo, hi, max(5, int((hi-lo)/1.5))), 1)
}

// QuantileStudentizedRange returns the q that a studentized range exceeds with probability p.
func QuantileStudentizedRange(p, k, nu float64) float64 {
	if !(p > 0 && p < 1) {
		return math.NaN()
	}
	// log P decreases smoothly with q, so the secant method within a bracket converges fast.
	lo, hi := 0.0, 4.0
	at := func(q float64) float64 { return math.Log(StudentizedRange(q, k, nu)) - math.Log(p) }
	flo, fhi := -math.Log(p), at(hi)
	for fhi > 0 && hi < 1e300 {
		lo, flo, hi = hi, fhi, 2*hi
		fhi = at(hi)
	}
	for i := range 200 {
		mid := (lo + hi) / 2
		if i%3 != 2 {
			if next := (lo*fhi - hi*flo) / (fhi - flo); next > lo && next < hi {
				mid = next
			}
		}
		f := at(mid)
		if f > 0 {
			lo, flo = mid, f
		} else {
			hi, fhi = mid, f
		}
		if hi-lo <= 1e-12*hi || math.Abs(f) < 1e-13 {
			return mid
		}
	}
	return (lo + hi) / 2
}

// NoncentralT returns P(X > t) of the noncentral t distribution.
func NoncentralT(t, nu, delta float64) float64 {
	if math.IsInf(nu, 1) {
		return Normal(t - delta)
	}
	if t < 0 {
		return 1 - NoncentralT(-t, nu, -delta)
	}
	return overScale(nu, func(s float64) float64 { return Normal(t*s - delta) })
}

// NoncentralF returns P(X > f) of the noncentral F distribution with a and b degrees of freedom, as
// a mixture of beta distributions.
func NoncentralF(f, a, b, lambda float64) float64 {
	if lambda == 0 {
		return F(f, a, b)
	}
	r := a * f / b
	x, rest := r/(1+r), 1/(1+r)
	sum := 0.0
	half := lambda / 2
	from := math.Floor(half)
	term := func(j float64) float64 {
		lg, _ := math.Lgamma(j + 1)
		return math.Exp(j*math.Log(half)-half-lg) * Beta(b/2, a/2+j, rest, x)
	}
	for j := from; j >= 0; j-- {
		t := term(j)
		if sum += t; t < 1e-17*sum {
			break
		}
	}
	for j := from + 1; j < from+1e6; j++ {
		t := term(j)
		if sum += t; t <= 1e-17*sum {
			break
		}
	}
	return min(sum, 1)
}

// QuantileF returns the f with P(X > f) = p for the F distribution.
func QuantileF(p, a, b float64) float64 {
	x := QuantileBeta(b/2, a/2, p)
	return b / a * (1 - x) / x
}

// QuantileChiSquared returns the x with P(X > x) = p for the χ² distribution.
func QuantileChiSquared(p, k float64) float64 { return 2 * mathext.GammaIncRegCompInv(k/2, p) }
