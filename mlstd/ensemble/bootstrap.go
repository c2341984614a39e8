package ensemble

import (
	"math"
	"math/rand/v2"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BootstrapSample draws n of n rows with replacement. This is a sample from the empirical
// distribution, which stands in for the unknown true distribution.
//
// References: [Efron1979]. Course: ENS-05.
func BootstrapSample(n int, seed uint64) []int {
	if n < 1 {
		panic(model.Errorf("BootstrapSample", "n must be at least 1, got %d", n))
	}
	return drawRows(n, model.Rand(seed, 0))
}

func drawRows(n int, rng *rand.Rand) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = rng.IntN(n)
	}
	return rows
}

// BootstrapCoverage is the expected fraction of the examples that a bootstrap
// sample contains.
//
//	1 − (1 − 1/N)^N → 1 − 1/e = 0.632
//
// 0.672 for N = 5. So 36.8 % are left OUT of a large sample; the lecture notes state a probability
// of 60 %, although their formula is right.
//
// Course: ENS-05.
func BootstrapCoverage(n int) float64 {
	return 1 - math.Pow(1-1/float64(n), float64(n))
}

// counts turns rows into how often each example was drawn.
func countRows(rows []int, n int) []float64 {
	c := make([]float64, n)
	for _, r := range rows {
		c[r]++
	}
	return c
}
