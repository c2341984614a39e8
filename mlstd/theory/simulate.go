package theory

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ConjunctionWorld is the problem of learning a monotone conjunction over n booleans from uniformly
// drawn examples. It is small enough for an exact computation of every hypothesis's error.
type ConjunctionWorld struct {
	N      int   // variables, at most 16
	Target []int // the variables of the conjunction
}

// target returns the conjunction as a set of bits.
func (w ConjunctionWorld) target(op string) uint32 {
	if w.N < 1 || w.N > 16 {
		panic(model.Errorf(op, "N must be between 1 and 16, got %d", w.N))
	}
	var set uint32
	for _, v := range w.Target {
		if v < 0 || v >= w.N {
			panic(model.Errorf(op, "the variables of the target must be between 0 and %d, got %d", w.N-1, v))
		}
		set |= 1 << v
	}
	return set
}

// trueError returns the probability that two conjunctions differ on uniformly drawn bits. A
// conjunction holds with probability 2^−(its length); both hold if the conjunction of their union
// does.
func trueError(a, b uint32) float64 {
	p := func(s uint32) float64 { return math.Ldexp(1, -popcount(s)) }
	return p(a) + p(b) - 2*p(a|b)
}

func popcount(s uint32) (n int) {
	for ; s != 0; s &= s - 1 {
		n++
	}
	return n
}

// sample draws m examples, as sets of bits.
func (w ConjunctionWorld) sample(rng *rand.Rand, m int) []uint32 {
	xs := make([]uint32, m)
	for i := range xs {
		xs[i] = rng.Uint32N(1 << w.N)
	}
	return xs
}

// consistent reports whether h and the target have the same labels on all examples.
func consistent(h, target uint32, xs []uint32) bool {
	for _, x := range xs {
		if (x&h == h) != (x&target == target) {
			return false
		}
	}
	return true
}

// checkRuns panics on invalid numbers of examples or runs.
func checkRuns(op string, m, runs int) {
	if err := limits.Check(op, limits.NotNegative("m", m), limits.Positive("runs", runs)); err != nil {
		panic(err)
	}
}

// share returns the fraction of runs in which event holds; each run has its own random generator.
func share(runs int, seed uint64, event func(rng *rand.Rand) bool) float64 {
	held := make([]bool, runs)
	par.Range(runs, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			held[i] = event(model.Rand(seed, uint64(i)))
		}
	})
	n := 0
	for _, h := range held {
		if h {
			n++
		}
	}
	return float64(n) / float64(runs)
}

// NotExhausted returns the fraction of samples of m examples after which at least one consistent
// conjunction still has an error above ε. [ExhaustionBound] with logH = N·ln 2 bounds this
// fraction.
//
// Course: COLT-04.
func (w ConjunctionWorld) NotExhausted(m int, eps float64, runs int, seed uint64) float64 {
	const op = "ConjunctionWorld.NotExhausted"
	target := w.target(op)
	checkRuns(op, m, runs)
	return share(runs, seed, func(rng *rand.Rand) bool {
		xs := w.sample(rng, m)
		for h := range uint32(1) << w.N {
			if trueError(h, target) > eps && consistent(h, target, xs) {
				return true
			}
		}
		return false
	})
}

// Errors returns, for each run, the true error of the elimination algorithm after m examples; the
// algorithm keeps every variable that no positive example rules out. A learner is probably
// approximately correct if all but a fraction δ of the errors are at most ε.
//
// Course: COLT-02.
func (w ConjunctionWorld) Errors(m, runs int, seed uint64) []float64 {
	const op = "ConjunctionWorld.Errors"
	target := w.target(op)
	checkRuns(op, m, runs)
	out := make([]float64, runs)
	for i := range out {
		h := uint32(1)<<w.N - 1
		for _, x := range w.sample(model.Rand(seed, uint64(i)), m) {
			if x&target == target {
				h &= x
			}
		}
		out[i] = trueError(h, target)
	}
	return out
}

// Overfits returns the fraction of samples of m examples for which the true error of at least one
// conjunction exceeds its training error by more than ε. Each label is wrong with probability
// noise. The fraction is at most about |H|·e^(−2ε²m), the bound from which [AgnosticSampleSize]
// follows.
//
// Course: COLT-05.
func (w ConjunctionWorld) Overfits(m int, eps, noise float64, runs int, seed uint64) float64 {
	const op = "ConjunctionWorld.Overfits"
	target := w.target(op)
	checkRuns(op, m, runs)
	if err := limits.Check(op, limits.Positive("m", m), limits.Must("noise", noise, noise >= 0 && noise <= 1, "be between 0 and 1")); err != nil {
		panic(err)
	}
	return share(runs, seed, func(rng *rand.Rand) bool {
		xs := w.sample(rng, m)
		labels := make([]bool, m)
		for i, x := range xs {
			labels[i] = (x&target == target) != (rng.Float64() < noise)
		}
		for h := range uint32(1) << w.N {
			wrong := 0
			for i, x := range xs {
				if (x&h == h) != labels[i] {
					wrong++
				}
			}
			e := trueError(h, target)
			if e*(1-noise)+(1-e)*noise-float64(wrong)/float64(m) > eps {
				return true
			}
		}
		return false
	})
}

// HalvingSizes runs the halving algorithm on m examples of the world. It returns the size of the
// version space before the first example and after each example. It also reports, for each example,
// whether the majority made a mistake. Each mistake at least halves the size.
//
// References: [Littlestone1988]. Course: COLT-11.
func (w ConjunctionWorld) HalvingSizes(m int, seed uint64) (sizes []int, mistakes []bool) {
	const op = "ConjunctionWorld.HalvingSizes"
	target := w.target(op)
	checkRuns(op, m, 1)
	left := make([]uint32, 1<<w.N)
	for h := range left {
		left[h] = uint32(h)
	}
	sizes = append(sizes, len(left))
	for _, x := range w.sample(model.Rand(seed, 0), m) {
		yes := 0
		for _, h := range left {
			if x&h == h {
				yes++
			}
		}
		label := x&target == target
		mistakes = append(mistakes, (2*yes > len(left)) != label)
		kept := left[:0]
		for _, h := range left {
			if (x&h == h) == label {
				kept = append(kept, h)
			}
		}
		left = kept
		sizes = append(sizes, len(left))
	}
	return sizes, mistakes
}

// ThreeVotesError returns the error of the majority of three hypotheses with error ε, learned as in
// [FilterBoost].
//
//	g(ε) = 3ε² − 2ε³ < ε  for 0 < ε < 1/2
//
// References: [Schapire1990]. Course: COLT-13.
func ThreeVotesError(eps float64) float64 {
	if !(eps >= 0 && eps <= 1) {
		panic(model.Errorf("ThreeVotesError", "eps must be between 0 and 1, got %v", eps))
	}
	return eps * eps * (3 - 2*eps)
}

// RecursionDepth returns the depth to which majorities of three must be nested to reduce an error
// of 1/2 − γ to at most the given error.
//
// References: [Schapire1990]. Course: COLT-13.
func RecursionDepth(gamma, wanted float64) int {
	if !(gamma > 0 && gamma <= 0.5 && wanted > 0 && wanted < 1) {
		panic(model.Errorf("RecursionDepth", "gamma must be above 0 and at most 1/2, and the argument wanted must be above 0, got %v and %v", gamma, wanted))
	}
	depth := 0
	for eps := 0.5 - gamma; eps > wanted; eps = ThreeVotesError(eps) {
		depth++
	}
	return depth
}
