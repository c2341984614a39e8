package online

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// DataMargin returns the margin of labeled data in the direction u, and the radius of the data.
//
//	γ = min yᵢ·u·xᵢ / ‖u‖,  R = max ‖xᵢ‖
//
// γ is positive exactly when the hyperplane through the origin with normal u separates the classes.
//
// Course: ONL-19.
func DataMargin(x mat.Matrix, y []int, u []float64) (gamma, radius float64) {
	d := model.MustRows("DataMargin", x, len(u))
	n, _ := d.Dims()
	mustLabels("DataMargin", y, n)
	norm := floats.Norm(u, 2)
	if norm == 0 {
		panic(model.Errorf("DataMargin", "u must not be zero"))
	}
	gamma = math.Inf(1)
	for i := range n {
		row := d.RawRowView(i)
		gamma = min(gamma, float64(y[i])*floats.Dot(u, row)/norm)
		radius = max(radius, floats.Norm(row, 2))
	}
	return gamma, radius
}

// NovikoffBound returns (R/γ)², an upper bound on the number of mistakes of the perceptron on data
// of radius R that a unit vector separates with margin γ. The bound depends neither on the
// dimension nor on the number of examples.
//
// References: [Novikoff1962]. Course: ONL-16.
func NovikoffBound(radius, gamma float64) float64 {
	if !(gamma > 0) {
		panic(model.Errorf("NovikoffBound", "gamma must be positive, got %v", gamma).WithHint("use NoisyBound for data that are not separable"))
	}
	return radius * radius / (gamma * gamma)
}

// NoisyBound returns a mistake bound for any data, any unit vector u and any margin γ > 0.
//
//	ξᵢ = max(0, γ − yᵢ·u·xᵢ),  D₂ = √Σξᵢ²,  mistakes ≤ ((R + D₂)/γ)²
//
// for one pass of the perceptron over examples with ‖xᵢ‖ ≤ R.
//
// References: [FreundSchapire1999]. Course: ONL-17.
func NoisyBound(x mat.Matrix, y []int, u []float64, gamma float64) (bound, d2 float64) {
	if !(gamma > 0) {
		panic(model.Errorf("NoisyBound", "gamma must be positive, got %v", gamma))
	}
	_, radius := DataMargin(x, y, u)
	d := model.Dense(x)
	norm := floats.Norm(u, 2)
	for i, v := range y {
		xi := max(0, gamma-float64(v)*floats.Dot(u, d.RawRowView(i))/norm)
		d2 += xi * xi
	}
	d2 = math.Sqrt(d2)
	return (radius + d2) * (radius + d2) / (gamma * gamma), d2
}

// MistakeBounds returns the mistake bounds of the additive and the multiplicative family on data
// with a separator u.
//
//	M_additive       = ‖u‖₂²·max‖x‖₂² / min(u·x)²
//	M_multiplicative = 2 ln n·‖u‖₁²·max‖x‖∞² / min(u·x)²
//
// In these formulas, u·x stands for y·u·x. The additive bound is smaller for sparse examples and
// dense u, the multiplicative bound for dense examples and sparse u. Each bound uses a pair of dual
// norms; see the reference.
//
// References: [KivinenWarmuth1995]. Course: ONL-31.
func MistakeBounds(x mat.Matrix, y []int, u []float64) (additive, multiplicative float64) {
	d := model.MustRows("MistakeBounds", x, len(u))
	n, p := d.Dims()
	mustLabels("MistakeBounds", y, n)
	least, x2, xinf := math.Inf(1), 0.0, 0.0
	for i := range n {
		row := d.RawRowView(i)
		least = min(least, float64(y[i])*floats.Dot(u, row))
		x2 = max(x2, floats.Dot(row, row))
		xinf = max(xinf, floats.Norm(row, math.Inf(1)))
	}
	if !(least > 0) {
		panic(model.Errorf("MistakeBounds", "u must separate the classes, but the minimum of y·u·x is %v", least))
	}
	u1 := floats.Norm(u, 1)
	return floats.Dot(u, u) * x2 / (least * least),
		2 * math.Log(float64(p)) * u1 * u1 * xinf * xinf / (least * least)
}

// SparseTargetBounds returns the two bounds if the examples are the corners of the cube {−1, 1}ⁿ
// and k of the n variables are relevant: M_additive = k·n, M_multiplicative = 2k²·ln n.
//
// Course: ONL-31.
func SparseTargetBounds(k, n int) (additive, multiplicative float64) {
	return float64(k * n), 2 * float64(k*k) * math.Log(float64(n))
}

// SparseExampleBounds returns the two bounds if the examples are the n unit vectors and all entries
// of u are relevant: M_additive = n, M_multiplicative = 2n²·ln n.
//
// Course: ONL-31.
func SparseExampleBounds(n int) (additive, multiplicative float64) {
	return float64(n), 2 * float64(n*n) * math.Log(float64(n))
}

// BoundCrossover returns the number n of variables above which the multiplicative bound 2k²·ln n is
// below the additive bound k·n. For k = 10, it is 90.
//
// Course: ONL-31.
func BoundCrossover(k int) int {
	if k < 1 {
		panic(model.Errorf("BoundCrossover", "k must be at least 1, got %d", k))
	}
	// k·n − 2k²·ln n falls until n = 2k and rises from there.
	for n := 2 * k; ; n++ {
		if a, m := SparseTargetBounds(k, n); n > 1 && a > m {
			return n
		}
	}
}

// PACStretch returns the run length, in examples, that the longest-survivor conversion requires. If
// a hypothesis of a learner with mistake bound M survives such a run without a mistake, its error
// is below eps with probability 1 − delta.
//
//	(1/ε)·ln(M/δ)
//
// A hypothesis with error above ε survives one such run of length s with probability at most
// (1−ε)^s ≤ δ/M, and there are at most M hypotheses. (Pass M + 1 if the initial hypothesis counts
// as well.)
//
// Course: ONL-29.
func PACStretch(mistakeBound, eps, delta float64) float64 {
	if err := limits.Check("PACStretch",
		limits.Must("mistakeBound", mistakeBound, mistakeBound >= 1, "be at least 1"),
		limits.Must("eps", eps, eps > 0 && eps < 1, "be between 0 and 1"),
		limits.Must("delta", delta, delta > 0 && delta < 1, "be between 0 and 1")); err != nil {
		panic(err)
	}
	return math.Log(mistakeBound/delta) / eps
}

// LongestSurvivor runs a perceptron over a stream. It returns the first hypothesis that survives a
// run of the given length, or nil if none does, and the number of examples used.
//
// Course: ONL-29.
func LongestSurvivor(x mat.Matrix, y []int, stretch int) (rule *WeightedRule, examples int) {
	d := model.Dense(x)
	n, p := d.Dims()
	mustLabels("LongestSurvivor", y, n)
	l := NewLinearLearner(p, false)
	run := 0
	for i := range n {
		row := d.RawRowView(i)
		if float64(y[i])*l.score(row) <= 0 {
			run = 0
			l.Learn(row, y[i])
			continue
		}
		if run++; run >= stretch {
			return &WeightedRule{Coef: l.Coef, Intercept: l.Intercept, Count: float64(run)}, i + 1
		}
	}
	return nil, n
}

// PerceptronCycle runs the perceptron until an epoch starts with the same weights as an earlier
// epoch. On integer data that cannot be separated, this happens after finitely many epochs. It
// returns the numbers of the two epochs, counted from 0; ok is false if the perceptron converged or
// maxEpochs epochs passed.
//
// References: [MinskyPapert1969]. Course: ONL-18.
func PerceptronCycle(x mat.Matrix, y []int, maxEpochs int) (first, again int, orbit [][]float64, ok bool) {
	d := model.Dense(x)
	n, p := d.Dims()
	mustLabels("PerceptronCycle", y, n)
	w := make([]float64, p)
	for epoch := range maxEpochs {
		for e, old := range orbit {
			if floats.Equal(old, w) {
				return e, epoch, orbit, true
			}
		}
		orbit = append(orbit, append([]float64(nil), w...))
		clean := true
		for i := range n {
			if float64(y[i])*floats.Dot(w, d.RawRowView(i)) <= 0 {
				floats.AddScaled(w, float64(y[i]), d.RawRowView(i))
				clean = false
			}
		}
		if clean {
			return 0, 0, orbit, false
		}
	}
	return 0, 0, orbit, false
}

// IndicatorAugment adds one feature for each example, 1 for that example and 0 for all others,
// which makes any data separable. If the weights of the new features are the labels, the smallest
// y·w·x is 1 and ‖w‖ = √N, hence γ ≥ 1/√N, while R² grows only by 1. The perceptron then makes at
// most N(R² + 1) mistakes, but learns nothing about new examples, because they have none of these
// features.
//
// Course: ONL-20.
func IndicatorAugment(x mat.Matrix) *mat.Dense {
	d := model.Dense(x)
	n, p := d.Dims()
	out := mat.NewDense(n, p+n, nil)
	for i := range n {
		copy(out.RawRowView(i), d.RawRowView(i))
		out.Set(i, p+i, 1)
	}
	return out
}
