package prob

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Unit is the unit of information.
type Unit int

const (
	Bits Unit = iota // logarithms to the base 2: answers to yes/no questions
	Nats             // natural logarithms
)

// String returns the name of the unit.
func (u Unit) String() string {
	if u == Nats {
		return "nats"
	}
	return "bits"
}

// of converts nats to the unit.
func (u Unit) of(nats float64) float64 {
	if u == Nats {
		return nats
	}
	return nats / math.Ln2
}

func unitOf(in []Unit) Unit {
	if len(in) > 0 {
		return in[0]
	}
	return Bits
}

// total checks weights and returns their sum.
func total(op string, p []float64) float64 {
	sum := 0.0
	for k, v := range p {
		if !(v >= 0) || math.IsInf(v, 0) {
			panic(model.Errorf(op, "value %d must be finite and not negative (a probability or count), got %v", k, v))
		}
		sum += v
	}
	if sum == 0 {
		panic(model.Errorf(op, "at least one value must be positive, got only zeros"))
	}
	return sum
}

func samePair(op string, p, q []float64) (sp, sq float64) {
	if len(p) != len(q) {
		panic(model.Errorf(op, "both distributions must have the same number of outcomes, got %d and %d", len(p), len(q)))
	}
	return total(op, p), total(op, q)
}

// Entropy returns the mean number of yes/no answers needed to identify an outcome.
//
//	H(p) = −Σₖ pₖ log₂ pₖ
//
// p holds probabilities or counts, which are divided by their sum. H is 0 if one outcome is
// certain. Its maximum is log₂ K, for K equally probable outcomes. For example, it is 1.585 for
// (1/3, 1/3, 1/3), and 0.161 for (.98, .01, .01).
//
// Course: PROB-01.
func Entropy(p []float64, in ...Unit) float64 {
	n := total("Entropy", p)
	h := 0.0
	for _, v := range p {
		if v > 0 {
			h -= v / n * math.Log(v/n)
		}
	}
	return unitOf(in).of(max(h, 0))
}

// CrossEntropy returns the mean code length if the code is optimal for q and the outcomes are drawn
// from p.
//
//	H(p, q) = −Σₖ pₖ log₂ qₖ = H(p) + KL(p‖q)
//
// It is infinite when q is 0 for an outcome that is possible under p. If the cross entropy is the
// loss of a classifier, p is the true class and q holds the predicted probabilities.
//
// Course: PROB-06.
func CrossEntropy(p, q []float64, in ...Unit) float64 {
	sp, sq := samePair("CrossEntropy", p, q)
	h := 0.0
	for k, v := range p {
		if v > 0 {
			h -= v / sp * math.Log(q[k]/sq)
		}
	}
	return unitOf(in).of(h)
}

// KLDivergence returns the Kullback-Leibler divergence: the extra mean code length if the code is
// optimal for q and the outcomes are drawn from p.
//
//	KL(p‖q) = Σₖ pₖ log₂ (pₖ / qₖ) ≥ 0
//
// It is 0 only for p = q, is not symmetric, and is infinite when q is 0 for an outcome that is
// possible under p. In nats, it is .0853 for p = (.36, .48, .16) and uniform q, and .0975 if p and
// q are exchanged.
//
// References: [KullbackLeibler1951]. Course: PROB-05.
func KLDivergence(p, q []float64, in ...Unit) float64 {
	sp, sq := samePair("KLDivergence", p, q)
	return unitOf(in).of(max(divergence(p, q, sp, sq), 0))
}

func divergence(p, q []float64, sp, sq float64) float64 {
	d := 0.0
	for k, v := range p {
		if v > 0 {
			d += v / sp * math.Log(v/sp/(q[k]/sq))
		}
	}
	return d
}

// JensenShannon returns the mean divergence of two distributions from their average.
//
//	JS(p, q) = ½ KL(p‖m) + ½ KL(q‖m),  m = ½(p + q)
//
// It is symmetric and at most 1 bit, and its square root is a metric.
//
// References: [Lin1991]. Course: PROB-05.
func JensenShannon(p, q []float64, in ...Unit) float64 {
	sp, sq := samePair("JensenShannon", p, q)
	m := make([]float64, len(p))
	for k := range m {
		m[k] = (p[k]/sp + q[k]/sq) / 2
	}
	return unitOf(in).of(max((divergence(p, m, sp, 1)+divergence(q, m, sq, 1))/2, 0))
}

// CodeLength returns the length in bits of the shortest code for an outcome of
// probability p, −log₂ p.
//
// Course: PROB-16.
func CodeLength(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic(model.Errorf("CodeLength", "p must be between 0 and 1, got %v", p))
	}
	return max(0, -math.Log2(p))
}
