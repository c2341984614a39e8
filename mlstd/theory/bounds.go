package theory

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// checkPAC panics unless eps and delta are between 0 and 1.
func checkPAC(op string, eps, delta float64) {
	if err := limits.Check(op,
		limits.Must("eps", eps, eps > 0 && eps < 1, "be between 0 and 1"),
		limits.Must("delta", delta, delta > 0 && delta < 1, "be between 0 and 1")); err != nil {
		panic(err)
	}
}

func checkLogSize(op string, logH float64) {
	if !(logH >= 0) || math.IsInf(logH, 1) {
		panic(model.Errorf(op, "logH must be finite and not negative, got %v", logH).WithHint("pass the natural logarithm of the number of hypotheses, such as math.Log(973)"))
	}
}

// atLeast returns the smallest whole number that is not below m, where m is exact up to rounding.
func atLeast(m float64) int { return int(math.Ceil(m - 1e-9*math.Abs(m))) }

// PACSampleSize returns the number of examples after which, with probability 1 − δ, every
// hypothesis that is consistent with them has a true error of at most ε.
//
//	m ≥ (ln|H| + ln 1/δ)/ε
//
// The guarantee holds for a finite class that contains the target, and for noise-free examples that
// are drawn independently from any fixed distribution over the instances. logH is the natural
// logarithm of |H|; for conjunctions of n literals it is n·ln 3.
//
// References: [Mitchell1997] §7.3, [Haussler1988]. Course: COLT-03.
func PACSampleSize(logH, eps, delta float64) int {
	checkPAC("PACSampleSize", eps, delta)
	checkLogSize("PACSampleSize", logH)
	return atLeast((logH - math.Log(delta)) / eps)
}

// ExhaustionBound returns a bound on the probability that, after m examples, at least one
// consistent hypothesis has a true error of ε or more.
//
//	P ≤ |H|·(1 − ε)^m ≤ |H|·e^(−εm),  as 1 − ε ≤ e^(−ε)
//
// It returns the first of these two bounds, or 1 if the bound is greater than 1. The assumptions
// are the same as for [PACSampleSize].
//
// References: [Mitchell1997] §7.3, [Haussler1988]. Course: COLT-04.
func ExhaustionBound(logH, eps float64, m int) float64 {
	checkPAC("ExhaustionBound", eps, 0.5)
	checkLogSize("ExhaustionBound", logH)
	return min(1, math.Exp(logH+float64(m)*math.Log1p(-eps)))
}

// AgnosticSampleSize returns the number of examples after which, with probability 1 − δ, the true
// error of every hypothesis is at most its training error plus ε.
//
//	m ≥ (ln|H| + ln 1/δ)/(2ε²)
//
// The target need not be in the class, and the labels may be noisy. The bound combines Hoeffding's
// inequality for each hypothesis with the union bound.
//
// References: [Mitchell1997] §7.3.1, [Hoeffding1963]. Course: COLT-05.
func AgnosticSampleSize(logH, eps, delta float64) int {
	checkPAC("AgnosticSampleSize", eps, delta)
	checkLogSize("AgnosticSampleSize", logH)
	return atLeast((logH - math.Log(delta)) / (2 * eps * eps))
}

// AgnosticGap returns the ε of [AgnosticSampleSize] for m examples: the maximum amount by which the
// true error of a hypothesis exceeds its training error.
//
//	ε = √((ln|H| + ln 1/δ)/(2m))
//
// Course: COLT-05.
func AgnosticGap(logH float64, m int, delta float64) float64 {
	checkPAC("AgnosticGap", 0.5, delta)
	checkLogSize("AgnosticGap", logH)
	if m < 1 {
		panic(model.Errorf("AgnosticGap", "m must be at least 1, got %d", m))
	}
	return math.Sqrt((logH - math.Log(delta)) / (2 * float64(m)))
}

// VCSampleSize returns a number of examples that is sufficient for the guarantee of
// [PACSampleSize]. It applies to a class of any size with a finite VC dimension.
//
//	m ≥ (4·log₂ 2/δ + 8·VC·log₂ 13/ε)/ε
//
// References: [Mitchell1997] §7.4.3, [Blumer1989]. Course: COLT-09.
func VCSampleSize(vc int, eps, delta float64) int {
	checkPAC("VCSampleSize", eps, delta)
	checkVC("VCSampleSize", vc)
	return atLeast((4*math.Log2(2/delta) + 8*float64(vc)*math.Log2(13/eps)) / eps)
}

func checkVC(op string, vc int) {
	if vc < 1 {
		panic(model.Errorf(op, "vc must be at least 1, got %d", vc).WithHint("pass the VC dimension, which is at least 1 for two concepts"))
	}
}

// SampleLowerBound returns the number of examples below which every learner fails for some target
// of the class and some distribution: with probability at least δ, the learner's error is at least
// ε.
//
//	m < max(ln δ / ln(1 − ε), (VC − 1)/(32ε))
//
// The bound holds for VC ≥ 2, ε < 1/8 and δ < 1/100. Its first part holds for all δ if the learner
// is deterministic: two concepts may differ only on an instance of probability ε, which m examples
// miss with probability (1 − ε)^m. Textbooks have ln(1/δ)/ε instead, which is slightly larger and
// right only in the limit of small ε. Outside the range of the bound, the function still returns
// the value; ok reports whether the bound holds.
//
// References: [Ehrenfeucht1989], [Mitchell1997] §7.4.3. Course: COLT-10.
func SampleLowerBound(vc int, eps, delta float64) (m float64, ok bool) {
	checkPAC("SampleLowerBound", eps, delta)
	checkVC("SampleLowerBound", vc)
	return max(math.Log(delta)/math.Log1p(-eps), float64(vc-1)/(32*eps)), vc >= 2 && eps < 1.0/8 && delta < 1.0/100
}

// Sauer returns Sauer's bound on the number of labelings of m points by a class of VC dimension vc.
//
//	Σ over i ≤ vc of C(m, i): 2^m up to m = vc, and a polynomial of degree vc from there
//
// References: [Sauer1972]. Course: COLT-07.
func Sauer(vc, m int) float64 {
	if err := limits.Check("Sauer", limits.NotNegative("vc", vc), limits.NotNegative("m", m)); err != nil {
		panic(err)
	}
	sum, term := 0.0, 1.0
	for i := 0; i <= min(vc, m); i++ {
		sum += term
		term *= float64(m-i) / float64(i+1)
	}
	return sum
}

// MassartBound returns a bound on the Rademacher average of n points to which a class can assign
// the given number of labelings.
//
//	√(2·ln N / n)
//
// References: [Massart2000]. Course: COLT-07.
func MassartBound(labelings float64, n int) float64 {
	if !(labelings >= 1) || n < 1 {
		panic(model.Errorf("MassartBound", "labelings and n must be at least 1, got %v and %d", labelings, n))
	}
	return math.Sqrt(2 * math.Log(labelings) / float64(n))
}

// MistakesToExamples returns the number of examples that are sufficient for a learner with mistake
// bound M to be probably approximately correct. The examples form M + 1 runs, at least one of which
// has no mistake and is so long that its hypothesis can be trusted.
//
//	m ≤ (M + 1)·⌈(1/ε)·ln((M + 1)/δ)⌉
//
// So a class that can be learned with few mistakes can be learned from few examples. The converse
// does not hold: thresholds on a line are PAC learnable but have no finite mistake bound.
//
// References: [Littlestone1988]. Course: COLT-12.
func MistakesToExamples(mistakes int, eps, delta float64) int {
	checkPAC("MistakesToExamples", eps, delta)
	if mistakes < 0 {
		panic(model.Errorf("MistakesToExamples", "mistakes must not be negative, got %d", mistakes))
	}
	stretches := mistakes + 1
	return stretches * atLeast(math.Log(float64(stretches)/delta)/eps)
}

// ThreeComplexities holds the sample, computational and mistake complexity of learning monotone
// conjunctions of n variables.
type ThreeComplexities struct {
	Examples int     // sample complexity: enough for error ε with probability 1 − δ
	Work     float64 // computational complexity: number of times a variable of an example is read
	Mistakes int     // mistake complexity: maximum number of mistakes of the elimination algorithm
}

// ConjunctionComplexity returns the complexities for monotone conjunctions of n variables. The
// sample complexity is [PACSampleSize] with ln 2ⁿ. The computation reads each variable of each
// example once. There are at most n mistakes, because each mistake removes a variable.
//
// Course: COLT-01.
func ConjunctionComplexity(n int, eps, delta float64) ThreeComplexities {
	if n < 1 {
		panic(model.Errorf("ConjunctionComplexity", "n must be at least 1, got %d", n))
	}
	m := PACSampleSize(float64(n)*math.Ln2, eps, delta)
	return ThreeComplexities{Examples: m, Work: float64(m) * float64(n), Mistakes: n}
}
