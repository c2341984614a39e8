package online

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FamilyMistakes compares the mistakes of the additive and the multiplicative
// family on one stream.
type FamilyMistakes struct {
	N                  int // variables
	Perceptron, Winnow int // mistakes
}

// DisjunctionMistakes counts the mistakes on a disjunction of k of n variables over a stream of
// examples, where each variable is on with probability 1/2k. The perceptron's number of mistakes
// grows with n, and Winnow's number of mistakes grows with log n.
//
// Course: ONL-21, ONL-22.
func DisjunctionMistakes(k int, sizes []int, examples int, seed uint64) []FamilyMistakes {
	var out []FamilyMistakes
	for _, n := range sizes {
		if k < 1 || k > n {
			panic(model.Errorf("DisjunctionMistakes", "k and n must satisfy 1 ≤ k ≤ n, got %d and %d", k, n))
		}
		x, y := RandomExamples(func(x []float64) int {
			for _, v := range x[:k] {
				if v != 0 {
					return 1
				}
			}
			return -1
		}, n, examples, 0.5/float64(k), seed)
		out = append(out, playBoth(n, x, y))
	}
	return out
}

func playBoth(n int, x *mat.Dense, y []int) FamilyMistakes {
	return FamilyMistakes{N: n,
		Perceptron: Play(NewLinearLearner(n, false), x, y).Mistakes,
		Winnow:     Play(NewLinearLearner(n, true), x, y).Mistakes}
}

// AtLeastMistakes runs the experiment "10 of 100 of n": the target is positive when at least m of
// its relevant variables are on, and n counts all variables. Every variable is on with a
// probability that makes about half of the examples positive. As n grows, Winnow's number of
// mistakes hardly changes, while the perceptron's number of mistakes grows.
//
// Course: ONL-32.
func AtLeastMistakes(m, relevant int, sizes []int, examples int, seed uint64) []FamilyMistakes {
	var out []FamilyMistakes
	for _, n := range sizes {
		if m < 1 || m > relevant || relevant > n {
			panic(model.Errorf("AtLeastMistakes", "m, relevant and n must satisfy 1 ≤ m ≤ relevant ≤ n, got %d, %d and %d", m, relevant, n))
		}
		x, y := RandomExamples(func(x []float64) int {
			s := 0.0
			for _, v := range x[:relevant] {
				s += v
			}
			if s >= float64(m) {
				return 1
			}
			return -1
		}, n, examples, (float64(m)-0.3)/float64(relevant), seed)
		out = append(out, playBoth(n, x, y))
	}
	return out
}

// HardDisjunction returns a stream for the disjunction of the first k of n variables on which the
// perceptron without bias makes n − k + 1 mistakes in one pass. That is Ω(n), however few variables
// are relevant.
//
// The first example is positive and has x₁ and all irrelevant variables on; the mistake on it
// raises their weights to 1. Each of the following examples is negative and has exactly one
// irrelevant variable on; the mistake on the example lowers the weight of this variable.
//
// Course: ONL-21.
func HardDisjunction(k, n int) (x *mat.Dense, y []int) {
	if k < 1 || n <= k {
		panic(model.Errorf("HardDisjunction", "k and n must satisfy 1 ≤ k < n, got %d and %d", k, n))
	}
	x = mat.NewDense(n-k+1, n, nil)
	x.Set(0, 0, 1)
	y = append(y, 1)
	for j := k; j < n; j++ {
		x.Set(0, j, 1)
		x.Set(j-k+1, j, 1)
		y = append(y, -1)
	}
	return x, y
}

// Advice reports which family suits a domain.
type Advice struct {
	SparseInstances, SparseTarget bool
	Additive, Multiplicative      float64 // the two mistake bounds, up to a constant
	Prefer                        string  // "additive", "multiplicative" or "either"
}

// ChooseFamily compares the two bounds for n features. active is the number of features that are on
// in an example, and relevant the number of features that determine the label. Sparse examples
// favor the additive family, and sparse targets the multiplicative family. If both are sparse or
// both are dense, the bounds decide.
//
//	additive ∝ relevant·active,  multiplicative ∝ 2·relevant²·ln n
//
// Course: ONL-33, ONL-40.
func ChooseFamily(n, active, relevant int) Advice {
	if err := limits.Check("ChooseFamily",
		limits.Must("n", n, n >= 2, "be at least 2"),
		limits.Must("active", active, active >= 1 && active <= n, "be between 1 and n"),
		limits.Must("relevant", relevant, relevant >= 1 && relevant <= n, "be between 1 and n")); err != nil {
		panic(err)
	}
	a := Advice{
		SparseInstances: float64(active) < math.Sqrt(float64(n)), SparseTarget: float64(relevant) < math.Sqrt(float64(n)),
		Additive: float64(relevant) * float64(active), Multiplicative: 2 * float64(relevant*relevant) * math.Log(float64(n)),
		Prefer: "either",
	}
	switch {
	case a.Additive < a.Multiplicative/2:
		a.Prefer = "additive"
	case a.Multiplicative < a.Additive/2:
		a.Prefer = "multiplicative"
	}
	return a
}
