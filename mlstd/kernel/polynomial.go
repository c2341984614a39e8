package kernel

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PolynomialKernel compares vectors by all interactions of coordinates up to a degree.
//
//	K(a, b) = (Scale·a·b + C)^Degree
//
// With C = 0, its features are the monomials of exactly that degree; with C > 0, they are the
// monomials of every degree up to it. [PolynomialMap] computes them. The features have
// coefficients: because (1 + x·z)² = 1 + 2x·z + (x·z)², the features of degree one and the mixed
// features of degree two are √2 times the plain monomials. Without these factors, it would be
// another kernel, with another margin.
//
// Course: KER-10, KER-11.
type PolynomialKernel struct {
	Degree int     // 0 means 3
	C      float64 // ≥ 0; 0 keeps the monomials of exactly Degree
	Scale  float64 // of the dot product; 0 means 1
}

func (k PolynomialKernel) degree() int {
	if k.Degree == 0 {
		return 3
	}
	return k.Degree
}

func (k PolynomialKernel) check() error {
	if k.Degree < 0 {
		return invalid("Degree of the polynomial kernel must be at least 1, got %d", k.Degree)
	}
	if err := notNegative("C of the polynomial kernel", k.C); err != nil {
		return err
	}
	return notNegative("Scale of the polynomial kernel", k.Scale)
}

// Eval returns (Scale·a·b + C)^Degree.
func (k PolynomialKernel) Eval(a, b []float64) float64 {
	return power(orOne(k.Scale)*dot("PolynomialKernel", a, b)+k.C, k.degree())
}

// OfDots replaces each dot product s with (Scale·s + C)^Degree.
func (k PolynomialKernel) OfDots(dots []float64, _ float64, _ []float64) {
	scale, d := orOne(k.Scale), k.degree()
	for j, s := range dots {
		dots[j] = power(scale*s+k.C, d)
	}
}

// power returns vᵈ by repeated squaring.
func power(v float64, d int) float64 {
	p := 1.0
	for ; d > 0; d >>= 1 {
		if d&1 == 1 {
			p *= v
		}
		v *= v
	}
	return p
}

// PolynomialMap returns the features of PolynomialKernel{Degree: degree, C: c}: the
// monomials ∏ xⱼ^eⱼ of degree s ≤ degree (of exactly degree when c is 0), each
// times √(degree!/((degree−s)!·∏ eⱼ!)·c^(degree−s)).
//
// For n coordinates, there are C(n+d, d) monomials: for d = 2 there are (n+1)(n+2)/2, of which
// n(n+1)/2 have exactly degree 2.
//
// Course: KER-01, KER-10, KER-11.
func PolynomialMap(degree int, c float64) FeatureMap {
	mustDegree("PolynomialMap", degree)
	if !(c >= 0) {
		panic(model.Errorf("PolynomialMap", "c must not be negative, got %v", c))
	}
	return func(x []float64) []float64 {
		var out []float64
		monomials(x, degree, func(value float64, exponents []int) {
			s, coef := 0, factorial(degree)
			for _, e := range exponents {
				s += e
				coef /= factorial(e)
			}
			coef *= math.Pow(c, float64(degree-s)) / factorial(degree-s)
			if coef > 0 {
				out = append(out, math.Sqrt(coef)*value)
			}
		})
		return out
	}
}

// PlainMonomialMap returns all monomials of the coordinates up to degree, including the constant,
// without coefficients. The dot product of two results is not (1 + a·b)^d: for (1, 2) and (3, 4) it
// is 109, while the kernel is 144.
//
// Course: KER-01, KER-11.
func PlainMonomialMap(degree int) FeatureMap {
	mustDegree("PlainMonomialMap", degree)
	return func(x []float64) []float64 {
		var out []float64
		monomials(x, degree, func(value float64, _ []int) { out = append(out, value) })
		return out
	}
}

func mustDegree(op string, degree int) {
	if degree < 1 {
		panic(model.Errorf(op, "degree must be at least 1, got %d", degree))
	}
}

// monomials calls f with the value and exponents of every monomial of degree at
// most degree.
func monomials(x []float64, degree int, f func(value float64, exponents []int)) {
	exponents := make([]int, len(x))
	var walk func(j, left int, value float64)
	walk = func(j, left int, value float64) {
		if j == len(x) {
			f(value, exponents)
			return
		}
		for e := range left + 1 {
			exponents[j] = e
			walk(j+1, left-e, value)
			value *= x[j]
		}
		exponents[j] = 0
	}
	walk(0, degree, 1)
}

func factorial(n int) float64 {
	f := 1.0
	for i := 2; i <= n; i++ {
		f *= float64(i)
	}
	return f
}

// OrderedMonomialKernel adds the powers of the dot product up to a degree.
//
//	K(a, b) = 1 + s + s² + … + s^Degree, s = a·b
//
// Its features are the products x_i, x_i·x_j, x_i·x_j·x_k ... over all ordered choices of
// coordinates. For degree 3, there are 1 + n + n² + n³ features: 40 for n = 3 (20 of them distinct)
// and about 10⁹ for n = 1000. Computing K costs only O(n).
//
// Course: KER-12.
type OrderedMonomialKernel struct {
	Degree int // 0 means 3
}

func (k OrderedMonomialKernel) degree() int {
	if k.Degree == 0 {
		return 3
	}
	return k.Degree
}

func (k OrderedMonomialKernel) check() error {
	if k.Degree < 0 {
		return invalid("Degree of the ordered monomial kernel must be at least 1, got %d", k.Degree)
	}
	return nil
}

// Eval returns 1 + s + … + s^Degree.
func (k OrderedMonomialKernel) Eval(a, b []float64) float64 {
	return powerSum(dot("OrderedMonomialKernel", a, b), k.degree())
}

// OfDots replaces each dot product s with 1 + s + … + s^Degree.
func (k OrderedMonomialKernel) OfDots(dots []float64, _ float64, _ []float64) {
	for j, s := range dots {
		dots[j] = powerSum(s, k.degree())
	}
}

func powerSum(s float64, degree int) float64 {
	sum := 1.0
	for range degree {
		sum = sum*s + 1
	}
	return sum
}

// OrderedMonomialMap returns the features of [OrderedMonomialKernel].
//
// Course: KER-12.
func OrderedMonomialMap(degree int) FeatureMap {
	mustDegree("OrderedMonomialMap", degree)
	return func(x []float64) []float64 {
		out, last := []float64{1}, []float64{1}
		for range degree {
			next := make([]float64, 0, len(last)*len(x))
			for _, p := range last {
				for _, v := range x {
					next = append(next, p*v)
				}
			}
			out, last = append(out, next...), next
		}
		return out
	}
}
