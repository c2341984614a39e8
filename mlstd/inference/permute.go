package inference

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Permutations tests any statistic by permutation. P is the fraction of permutations for which the
// statistic is at least as far from its mean over the permutations as the observed value. The
// observed order counts as one of the permutations, so that P is never 0.
//
//	p = (1 + number of permutations as extreme) / (1 + number of permutations)
//
// For means, ml.PermutationTest and ml.TwoSamplePermutationTest try all permutations of small
// samples. For intervals of any statistic use ml.Bootstrap.
//
// References: [PhipsonSmyth2010].
type Permutations struct {
	// Repeats is the number of random permutations; 0 means 9999. A larger value makes P less
	// random, and allows smaller values of P.
	Repeats int
	Seed    uint64
}

// TwoSample tests whether a and b have the same distribution. It permutes the assignment of values
// to samples.
func (p Permutations) TwoSample(a, b []float64, statistic func(a, b []float64) float64) eval.TestResult {
	mustSamples("Permutations.TwoSample", 1, a, b)
	all := append(slices.Clone(a), b...)
	return p.run("Permutations.TwoSample", "permutation test of two samples", statistic(a, b), func(r func(int) int) float64 {
		for i := len(all) - 1; i > 0; i-- {
			j := r(i + 1)
			all[i], all[j] = all[j], all[i]
		}
		return statistic(all[:len(a)], all[len(a):])
	})
}

// Paired tests whether the two values of a pair have the same distribution. It swaps the two values
// within randomly chosen pairs.
func (p Permutations) Paired(a, b []float64, statistic func(a, b []float64) float64) eval.TestResult {
	mustPairs("Permutations.Paired", 1, a, b)
	x, y := slices.Clone(a), slices.Clone(b)
	return p.run("Permutations.Paired", "permutation test of pairs", statistic(a, b), func(r func(int) int) float64 {
		for i := range x {
			if r(2) == 1 {
				x[i], y[i] = y[i], x[i]
			}
		}
		return statistic(x, y)
	})
}

// Association tests whether x and y are independent. It permutes how the values of x are paired
// with the values of y.
func (p Permutations) Association(x, y []float64, statistic func(x, y []float64) float64) eval.TestResult {
	mustPairs("Permutations.Association", 2, x, y)
	s := slices.Clone(y)
	return p.run("Permutations.Association", "permutation test of association", statistic(x, y), func(r func(int) int) float64 {
		for i := len(s) - 1; i > 0; i-- {
			j := r(i + 1)
			s[i], s[j] = s[j], s[i]
		}
		return statistic(x, s)
	})
}

func (p Permutations) run(op, name string, observed float64, draw func(r func(int) int) float64) eval.TestResult {
	n := p.Repeats
	if n == 0 {
		n = 9999
	}
	if n < 1 {
		panic(model.Errorf(op, "Repeats must be positive, got %d", n))
	}
	rng := model.Rand(p.Seed, 0)
	values, mean, scale := make([]float64, n), observed, math.Abs(observed)
	for i := range values {
		values[i] = draw(rng.IntN)
		mean += values[i]
		scale = max(scale, math.Abs(values[i]))
	}
	mean /= float64(n + 1)
	hits, limit := 1, math.Abs(observed-mean)-1e-12*scale
	for _, v := range values {
		if math.Abs(v-mean) >= limit {
			hits++
		}
	}
	return eval.TestResult{Name: name, Statistic: observed, P: float64(hits) / float64(n+1)}
}
