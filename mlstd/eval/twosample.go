package eval

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// [TwoSamplePermutationTest] tries all divisions if there are at most mostDivisions, and otherwise
// randomDivisions divisions drawn at random.
const (
	mostDivisions   = 200_000
	randomDivisions = 100_000
)

// TwoSamplePermutationTest compares the means of two independent samples without assuming a
// distribution. If the samples come from one source, every division of the n + m values into n and
// m is as likely as the observed division:
//
//	p = (number of divisions with |ā* − b̄*| ≥ |ā − b̄|) / (number of divisions)
//
// It tries all divisions if there are at most 200,000. Otherwise it tries 100,000 random divisions
// and the observed division, so that p is never 0. Samples with unequal variances do not satisfy
// the assumption: for them use [WelchTest], which compares only the means. If each value of a is
// paired with a value of b, use [PermutationTest].
//
// Cost: O(n) per division.
//
// References: [Pitman1937], [PhipsonSmyth2010].
func TwoSamplePermutationTest(a, b []float64, seed uint64) TestResult {
	const op = "TwoSamplePermutationTest"
	for k, sample := range [][]float64{a, b} {
		if len(sample) == 0 {
			panic(model.Errorf(op, "sample %d must not be empty", k+1))
		}
		if i := finite.First(sample); i >= 0 {
			panic(model.Errorf(op, "value %d of sample %d must be finite, got %v", i, k+1, sample[i]).WithHint("leave out missing values"))
		}
	}
	diff := stat.Mean(a, nil) - stat.Mean(b, nil)
	d := divisions{values: make([]float64, 0, len(a)+len(b)), n: len(a)}
	middle := (floats.Sum(a) + floats.Sum(b)) / float64(len(a)+len(b))
	for _, sample := range [][]float64{a, b} {
		for _, v := range sample {
			d.values = append(d.values, v-middle)
			d.scale = max(d.scale, math.Abs(v-middle))
		}
	}
	if len(a) > len(b) { // the smaller sample is drawn
		d.n = len(b)
		d.values = append(append([]float64(nil), d.values[len(a):]...), d.values[:len(a)]...)
	}
	// The values sum to 0, so that the difference of the means grows with the size of one sum.
	d.limit = math.Abs(floats.Sum(d.values[:d.n])) - 1e-12*d.scale*float64(len(d.values))
	r := TestResult{Name: "two-sample permutation test", Statistic: diff}
	if all := binomial(len(d.values), d.n); all <= mostDivisions {
		d.all(0, d.n, 0)
		r.P = float64(d.hits) / float64(d.tried)
		return r
	}
	d.random(seed)
	r.P = float64(d.hits+1) / float64(d.tried+1)
	return r
}

// divisions counts divisions of values whose means are at least as far apart as in the observed
// one.
type divisions struct {
	values       []float64
	n            int // of one sample
	limit, scale float64
	hits, tried  int
}

func (d *divisions) count(sum float64) {
	d.tried++
	if math.Abs(sum) >= d.limit {
		d.hits++
	}
}

// all tries every choice of left more values from the given position on, and adds their sum to the
// given one.
func (d *divisions) all(from, left int, sum float64) {
	if left == 0 {
		d.count(sum)
		return
	}
	for i := from; i <= len(d.values)-left; i++ {
		d.all(i+1, left-1, sum+d.values[i])
	}
}

// random tries randomly drawn choices.
func (d *divisions) random(seed uint64) {
	rng := model.Rand(seed, 0)
	v := d.values
	for range randomDivisions {
		sum := 0.0
		for i := range d.n {
			j := i + rng.IntN(len(v)-i)
			v[i], v[j] = v[j], v[i]
			sum += v[i]
		}
		d.count(sum)
	}
}

// binomial returns the number of ways to choose k of n things, or, if there are too many, a number
// above mostDivisions.
func binomial(n, k int) float64 {
	c := 1.0
	for i := range min(k, n-k) {
		c *= float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}
