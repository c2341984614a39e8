package kernel

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// MonomialKernel counts the conjunctions of literals that two Boolean vectors
// both satisfy.
//
//	K(a, b) = 2^same(a, b)
//
// where same is the number of positions with equal values. Every conjunction over x₁, ¬x₁, …, xₙ,
// ¬xₙ (3ⁿ conjunctions, including the empty one) is a feature. A conjunction that both vectors
// satisfy contains or omits the literal of each agreeing position. For 001 and 011 these
// conjunctions are the empty one, ¬x₁, x₃ and ¬x₁∧x₃.
//
// Course: KER-07.
type MonomialKernel struct{}

// Eval returns 2^same(a, b).
func (MonomialKernel) Eval(a, b []float64) float64 {
	return math.Ldexp(1, same("MonomialKernel", a, b))
}

// ConjunctionKernel counts the conjunctions of exactly Size literals that two
// Boolean vectors both satisfy.
//
//	K(a, b) = C(same(a, b), Size)
//
// The sum over all sizes is the [MonomialKernel].
//
// Course: KER-08.
type ConjunctionKernel struct {
	Size int // at least 0: the empty conjunction is always true
}

func (k ConjunctionKernel) check() error {
	if k.Size < 0 {
		return invalid("Size must be at least 1, got %d", k.Size)
	}
	return nil
}

// Eval returns C(same(a, b), Size).
func (k ConjunctionKernel) Eval(a, b []float64) float64 {
	return binomial(same("ConjunctionKernel", a, b), k.Size)
}

func binomial(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	v := 1.0
	for i := 1; i <= k; i++ {
		v = v * float64(n-k+i) / float64(i)
	}
	return math.Round(v)
}

// same counts the positions with equal values in two Boolean vectors.
func same(op string, a, b []float64) int {
	sameLength(op, a, b)
	n := 0
	for j, v := range a {
		mustBit(op, v)
		mustBit(op, b[j])
		if v == b[j] {
			n++
		}
	}
	return n
}

func mustBit(op string, v float64) {
	if v != 0 && v != 1 {
		panic(model.Errorf(op, "values must be 0 or 1, got %v", v))
	}
}

// ConjunctionValue evaluates a conjunction on a Boolean vector: the literal j
// stands for xⱼ and −j for ¬xⱼ, counted from 1. The empty conjunction is 1.
//
// Course: KER-01.
func ConjunctionValue(x []float64, literals ...int) float64 {
	for _, l := range literals {
		j := max(l, -l)
		if j < 1 || j > len(x) {
			panic(model.Errorf("ConjunctionValue", "literals must be between 1 and %d, or negative for a negation, got %d", len(x), l))
		}
		mustBit("ConjunctionValue", x[j-1])
		if (x[j-1] == 1) != (l > 0) {
			return 0
		}
	}
	return 1
}

// Conjunctions lists all 3ⁿ conjunctions over n variables, as literals in the form of
// [ConjunctionValue]; n must be at most 12.
//
// Course: KER-07.
func Conjunctions(n int) [][]int {
	if n < 0 || n > 12 {
		panic(model.Errorf("Conjunctions", "n must be between 0 and 12 (there are 3ⁿ conjunctions), got %d", n))
	}
	all := [][]int{{}}
	for j := 1; j <= n; j++ {
		for _, c := range all[:len(all):len(all)] {
			all = append(all, append(c[:len(c):len(c)], j), append(c[:len(c):len(c)], -j))
		}
	}
	return all
}

// MonomialMap returns the features of [MonomialKernel]: the values of all [Conjunctions] on a
// Boolean vector. If size is −1, it includes all conjunctions. Otherwise it includes only the
// conjunctions with exactly size literals, which are the features of [ConjunctionKernel].
//
// Course: KER-07, KER-08.
func MonomialMap(size int) FeatureMap {
	return func(x []float64) []float64 {
		var out []float64
		for _, c := range Conjunctions(len(x)) {
			if size < 0 || len(c) == size {
				out = append(out, ConjunctionValue(x, c...))
			}
		}
		return out
	}
}
