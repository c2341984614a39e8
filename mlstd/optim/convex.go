package optim

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Counterexample shows that a set or function is not convex: at the fraction T of the segment from
// A to B, the condition fails by Gap.
type Counterexample struct {
	A, B []float64
	T    float64
	Gap  float64
}

// ConvexSet searches for a chord that leaves the set. It draws pairs of points inside the set, and
// tests one point between the points of each pair. A nil result means that no drawn chord leaves
// the set; this is evidence, but not a proof.
//
//	S is convex  ⇔  (1−t)a + tb ∈ S for all a, b ∈ S, t ∈ [0, 1]
//
// Intersections and affine images of convex sets are convex; {x : x² > 2} and
// {U : UᵀU = I} are not.
//
// Course: OPT-15.
func ConvexSet(contains func(x []float64) bool, draw func(rng *rand.Rand) []float64, trials int, seed uint64) *Counterexample {
	rng := model.Rand(seed, 0)
	inside := func() []float64 {
		for range 1000 {
			if x := draw(rng); contains(x) {
				return x
			}
		}
		panic(model.Errorf("ConvexSet", "the function draw must return points of the set, but none of 1000 is in it"))
	}
	for range trials {
		a, b, t := inside(), inside(), rng.Float64()
		if x := between(a, b, t); !contains(x) {
			return &Counterexample{a, b, t, math.NaN()}
		}
	}
	return nil
}

func between(a, b []float64, t float64) []float64 {
	x := make([]float64, len(a))
	for i := range x {
		x[i] = (1-t)*a[i] + t*b[i]
	}
	return x
}

// ConvexChord searches for a chord that passes below the function.
//
//	f((1−t)a + tb) ≤ (1−t)f(a) + t·f(b)
//
// Equivalently, the epigraph {(x, z) : z ≥ f(x)} is a convex set. A nil result means that no drawn
// chord is a counterexample.
//
// References: [BoydVandenberghe2004] §3.1. Course: OPT-16.
func ConvexChord(f func(x []float64) float64, draw func(rng *rand.Rand) []float64, trials int, seed uint64) *Counterexample {
	rng := model.Rand(seed, 0)
	for range trials {
		a, b, t := draw(rng), draw(rng), rng.Float64()
		fa, fb := f(a), f(b)
		gap := f(between(a, b, t)) - ((1-t)*fa + t*fb)
		if gap > 1e-9*(1+math.Abs(fa)+math.Abs(fb)) {
			return &Counterexample{a, b, t, gap}
		}
	}
	return nil
}

// ConvexTangent searches for a tangent that passes above a differentiable function.
//
//	f(b) ≥ f(a) + ∇f(a)·(b − a)
//
// References: [BoydVandenberghe2004] §3.1. Course: OPT-16.
func ConvexTangent(f func(x []float64) float64, draw func(rng *rand.Rand) []float64, trials int, seed uint64) *Counterexample {
	rng := model.Rand(seed, 0)
	for range trials {
		a, b := draw(rng), draw(rng)
		g := NumericalGradient(f, a)
		line := f(a)
		for i := range g {
			line += g[i] * (b[i] - a[i])
		}
		if gap := line - f(b); gap > 1e-6*(1+math.Abs(line)) {
			return &Counterexample{a, b, 1, gap}
		}
	}
	return nil
}

// ConvexCurvature searches for a point of negative curvature: it tests the second derivative of f
// along random lines.
//
//	d²/dt² f(a + t·d) ≥ 0
//
// A twice differentiable f satisfies this for all directions exactly if its Hessian is positive
// semi-definite. A positive definite Hessian is sufficient for strict convexity, but not necessary:
// x⁴ is strictly convex with second derivative 0 at 0.
//
// References: [BoydVandenberghe2004] §3.1. Course: OPT-16.
func ConvexCurvature(f func(x []float64) float64, draw func(rng *rand.Rand) []float64, trials int, seed uint64) *Counterexample {
	rng := model.Rand(seed, 0)
	for range trials {
		a, d := draw(rng), draw(rng)
		n := Norm(d, 2)
		if n == 0 {
			continue
		}
		for i := range d {
			d[i] /= n
		}
		at := func(t float64) float64 {
			x := make([]float64, len(a))
			for i := range x {
				x[i] = a[i] + t*d[i]
			}
			return f(x)
		}
		if c := SecondDerivative(at, 0); c < -1e-4*(1+math.Abs(at(0))) {
			return &Counterexample{a, between(a, d, 1), 0, -c}
		}
	}
	return nil
}

// SecondDerivative returns f″(t), computed by central differences.
//
// Course: OPT-16, OPT-17.
func SecondDerivative(f func(float64) float64, t float64) float64 {
	h := 1e-4 * max(1, math.Abs(t))
	return (f(t+h) - 2*f(t) + f(t-h)) / (h * h)
}

// ConvexExample is a function of one variable on an interval.
type ConvexExample struct {
	Name      string
	F         func(x float64) float64
	Low, High float64
	Convex    bool
	Why       string
}

// ConvexExamples returns the example functions of the course. Some are convex and some are not;
// each comes with the reason. 1/log x is convex only for x > 1. It is concave on (e⁻², 1), where
// the lecture notes call it convex.
//
// Course: OPT-17.
func ConvexExamples() []ConvexExample {
	return []ConvexExample{
		{"exp(x)", math.Exp, -2, 2, true, "second derivative exp(x) > 0"},
		{"x⁴", func(x float64) float64 { return x * x * x * x }, -2, 2, true, "strictly, though the second derivative is 0 at 0"},
		{"|x|", math.Abs, -2, 2, true, "a norm"},
		{"max(|x|, x²)", func(x float64) float64 { return max(math.Abs(x), x*x) }, -2, 2, true, "maximum of convex functions"},
		{"2x² + |x|", func(x float64) float64 { return 2*x*x + math.Abs(x) }, -2, 2, true, "non-negative sum"},
		{"(3x − 1)²", func(x float64) float64 { return (3*x - 1) * (3*x - 1) }, -2, 2, true, "convex function of an affine map"},
		{"exp(x²)", func(x float64) float64 { return math.Exp(x * x) }, -1.5, 1.5, true, "convex non-decreasing function of a convex one"},
		{"1/log x on (1, 4)", func(x float64) float64 { return 1 / math.Log(x) }, 1.1, 4, true, "convex non-increasing function of a concave one"},
		{"1/log x on (e⁻², 1)", func(x float64) float64 { return 1 / math.Log(x) }, math.Exp(-2) + 0.005, 0.97, false, "log x is negative there: 1/z is concave"},
		{"x³", func(x float64) float64 { return x * x * x }, -2, 2, false, "concave left of 0"},
		{"sin x", math.Sin, 0, 3, false, "concave on (0, π)"},
	}
}
