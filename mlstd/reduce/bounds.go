package reduce

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// OneVsAllBound returns (K−1)·ε, the upper bound on the error of one-against-all if each of its K
// binary classifiers errs with probability ε.
//
// After a false negative, the guess among the K classes is wrong with probability (K−1)/K; after a
// false positive, it is wrong with probability at most ½. In the worst case all errors are false
// negatives.
//
// Course: RED-05, RED-10.
func OneVsAllBound(k int, eps float64) float64 { return float64(k-1) * eps }

// AllVsAllBound returns the upper bound on the error of all-against-all. A class that wins all its
// K−1 pairs is predicted. The bound is (K−1)·ε by the union bound over the pairs that contain the
// true class.
//
// Course: RED-06, RED-10.
func AllVsAllBound(k int, eps float64) float64 { return float64(k-1) * eps }

// TreeBound returns ⌈log₂K⌉·ε, the upper bound on the error of a balanced tree, because the path to
// a leaf has at most ⌈log₂K⌉ decisions.
//
// Course: RED-07, RED-10.
func TreeBound(k int, eps float64) float64 {
	return math.Ceil(math.Log2(float64(k))) * eps
}

// UnionBound returns an upper bound on the probability that at least one of several events happens:
// the sum of their probabilities, but at most 1. The events may depend on each other.
//
// Course: RED-10.
func UnionBound(p []float64) float64 {
	s := 0.0
	for _, v := range p {
		s += v
	}
	return min(s, 1)
}

// SimulateTree estimates the error rate of a balanced tree of K classes if every decision on the
// path errs independently with probability ε. The expected rate is the average of 1 − (1−ε)^depth
// over the classes, which is at most [TreeBound].
//
// Course: RED-10.
func SimulateTree(k int, eps float64, repeats int, seed uint64) float64 {
	if k < 2 || repeats < 1 {
		panic(model.Errorf("SimulateTree", "k must be at least 2 and repeats at least 1, got %d and %d", k, repeats))
	}
	classes := make([]int, k)
	for i := range classes {
		classes[i] = i
	}
	root := BalancedSplit(classes)
	rng := model.Rand(seed, 0)
	wrong := 0
	for range repeats {
		at := root
		c := rng.IntN(k)
		for at.Left != nil {
			next := at.Left
			if c >= at.Right.Classes[0] {
				next = at.Right
			}
			if rng.Float64() < eps {
				wrong++
				break
			}
			at = next
		}
	}
	return float64(wrong) / float64(repeats)
}

// ReductionCosts are the costs of training by reduction, in units of the base learner's cost.
type ReductionCosts struct {
	OneVsAll, AllVsAll, Tree float64
}

// TrainingCosts compares the three reductions if a fit on n examples costs n^p, with p = power, and
// the K classes have equal size.
//
//	one against all  K·n^p
//	all against all  K(K−1)/2·(2n/K)^p
//	balanced tree    Σ_levels 2^l·(n/2^l)^p
//
// For p = 1, one-against-all and all-against-all both cost about nK. For p = 2, all-against-all
// costs n² and one-against-all n²K. The faster the base learner's cost grows with n, the better
// all-against-all compares with one-against-all.
//
// Course: RED-06.
func TrainingCosts(n float64, k int, power float64) ReductionCosts {
	kk := float64(k)
	c := ReductionCosts{OneVsAll: kk * math.Pow(n, power), AllVsAll: kk * (kk - 1) / 2 * math.Pow(2*n/kk, power)}
	for l := 0; l < int(math.Ceil(math.Log2(kk))); l++ {
		parts := math.Pow(2, float64(l))
		c.Tree += parts * math.Pow(n/parts, power)
	}
	return c
}

// WeightedErrorBound returns the guarantee for learning from weighted examples by rejection
// sampling: an unweighted error of eps on the resampled distribution corresponds to a weighted
// error of eps·E[w].
//
// Course: RED-04.
func WeightedErrorBound(eps float64, weights []float64) float64 {
	s := 0.0
	for _, w := range weights {
		s += w
	}
	return eps * s / float64(len(weights))
}
