package eval

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// TestResult is the outcome of a significance test.
//
// P is the probability, under the null hypothesis of no difference, of a statistic at least as
// extreme as the observed one. Both directions count, unless the test says otherwise. P is not the
// probability that one method is better.
//
// Course: EVAL-23.
type TestResult struct {
	Name      string
	Statistic float64
	DF        float64 // degrees of freedom; 0 when the test has none
	P         float64

	DF2      float64  // of F: the degrees of freedom of its denominator
	Of       string   // what Estimate is, such as "difference of the means"; "" without one
	Estimate Estimate // with its interval of 95 %
	Effect   float64  // the effect size, a number without a unit
	EffectOf string   // the name of the effect size, such as "Cohen's d"; "" without one
}

// Reject reports whether the null hypothesis is rejected at the level, such as 0.05.
func (t TestResult) Reject(level float64) bool { return t.P < level }

// String returns the result on one line.
func (t TestResult) String() string {
	s := fmt.Sprintf("%s: statistic %.4g", t.Name, t.Statistic)
	switch {
	case t.DF2 != 0:
		s += fmt.Sprintf(", %.5g and %.5g d.f.", t.DF, t.DF2)
	case t.DF != 0:
		s += fmt.Sprintf(", %g d.f.", t.DF)
	}
	s += fmt.Sprintf(", p = %.4g", t.P)
	if t.Of != "" {
		s += fmt.Sprintf("; %s %v", t.Of, t.Estimate)
	}
	if t.EffectOf != "" {
		s += fmt.Sprintf("; %s %.3g", t.EffectOf, t.Effect)
	}
	return s
}

// PairedTTest compares two methods by their scores on the same folds or data
// sets. It works on the differences dᵢ = aᵢ − bᵢ:
//
//	t = d̄ / √(Σ(dᵢ−d̄)² / (n(n−1))),  n−1 degrees of freedom
//
// The test depends on the pairs: it does not matter whether two Gaussians fitted to a and b
// overlap. Folds of one cross-validation share training examples, which makes p too small.
//
// References: [Student1908], [Dietterich1998]. Course: EVAL-24.
func PairedTTest(a, b []float64) TestResult {
	mustReals("PairedTTest", a, b)
	n := len(a)
	if n < 2 {
		panic(model.Errorf("PairedTTest", "there must be at least 2 pairs, got 1"))
	}
	d := make([]float64, n)
	for i := range d {
		d[i] = a[i] - b[i]
	}
	mean, sd := stat.MeanStdDev(d, nil)
	r := TestResult{Name: "paired t-test", DF: float64(n - 1)}
	if sd == 0 {
		r.P = 1
		if mean != 0 {
			r.Statistic, r.P = math.Copysign(math.Inf(1), mean), 0
		}
		return r
	}
	se := sd / math.Sqrt(float64(n))
	r.Statistic = mean / se
	r.P = tails.TwoSidedT(r.Statistic, r.DF)
	half := se * tails.QuantileT(0.025, r.DF)
	r.Of, r.Estimate = "mean difference", Estimate{mean, mean - half, mean + half, se}
	r.EffectOf, r.Effect = "Cohen's d", mean/sd
	return r
}

// BinomialTest tests whether the number of successes in n trials is consistent with the success
// probability p. P is the total probability of all outcomes that are no more likely than the
// observed one.
//
// Course: EVAL-25.
func BinomialTest(successes, n int, p float64) TestResult {
	mustCount("BinomialTest", successes, n)
	if !(p >= 0 && p <= 1) {
		panic(model.Errorf("BinomialTest", "p must be between 0 and 1, got %v", p))
	}
	if p == 0 || p == 1 { // one outcome is certain
		r := TestResult{Name: "binomial test", Statistic: float64(successes)}
		if float64(successes) == p*float64(n) {
			r.P = 1
		}
		return r
	}
	all := float64(n)
	at := tails.Binomial(float64(successes), all, p)
	// The slack includes outcomes that are equally likely up to rounding.
	rare := func(k int) bool { return tails.Binomial(float64(k), all, p) <= at*(1+1e-7) }
	// Probabilities rise up to the mode and fall from there on.
	mode := min(int(math.Floor(float64(n+1)*p)), n)
	below := sort.Search(mode, func(k int) bool { return !rare(k) }) - 1 // the last rare outcome below the mode
	above := mode + sort.Search(n+1-mode, func(k int) bool { return rare(mode + k) })
	sum := tails.BinomialUpTo(float64(below), all, p) + tails.BinomialAbove(float64(above-1), all, p)
	return TestResult{Name: "binomial test", Statistic: float64(successes), P: min(sum, 1)}
}

// SignTest compares paired scores by counting how often each method wins; ties are left out. It
// makes no assumption about the size of the differences.
//
// Course: EVAL-25.
func SignTest(a, b []float64) TestResult {
	mustReals("SignTest", a, b)
	wins, n := 0, 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
		if a[i] > b[i] {
			wins++
		}
	}
	r := TestResult{Name: "sign test", Statistic: float64(wins), P: 1}
	if n > 0 {
		r.P = BinomialTest(wins, n, 0.5).P
	}
	return r
}

// McNemarResult holds the three usual forms of the test.
type McNemarResult struct {
	B, C      int        // examples that only the first, only the second got right
	ChiSquare TestResult // (b−c)²/(b+c), one degree of freedom
	Corrected TestResult // (|b−c|−1)²/(b+c), Edwards' continuity correction
	Exact     TestResult // binomial test of b among b+c
}

// McNemar compares two fixed models on one test set by the examples on which
// exactly one of them is right.
//
// References: [McNemar1947], [Dietterich1998]. Course: EVAL-26.
func McNemar(y, first, second []int) McNemarResult {
	mustPair("McNemar", len(y), len(first))
	mustPair("McNemar", len(y), len(second))
	b, c := 0, 0
	for i := range y {
		switch f, s := first[i] == y[i], second[i] == y[i]; {
		case f && !s:
			b++
		case s && !f:
			c++
		}
	}
	return McNemarCounts(b, c)
}

// McNemarCounts is [McNemar] for the two counts of disagreement.
//
// Course: EVAL-26.
func McNemarCounts(b, c int) McNemarResult {
	if b < 0 || c < 0 {
		panic(model.Errorf("McNemarCounts", "the counts must not be negative, got %d and %d", b, c))
	}
	r := McNemarResult{B: b, C: c}
	n, d := float64(b+c), math.Abs(float64(b-c))
	chi := func(name string, s float64) TestResult {
		if n == 0 {
			return TestResult{Name: name, DF: 1, P: 1}
		}
		return TestResult{Name: name, Statistic: s / n, DF: 1, P: tails.ChiSquared(s/n, 1)}
	}
	r.ChiSquare = chi("McNemar", d*d)
	r.Corrected = chi("McNemar with correction", max(d-1, 0)*max(d-1, 0))
	r.Exact = TestResult{Name: "McNemar exact", Statistic: float64(b), P: 1}
	if n > 0 {
		r.Exact.P = BinomialTest(b, b+c, 0.5).P
	}
	return r
}

// FisherExact tests whether the rows and columns of a 2×2 table of counts are independent, by the
// hypergeometric distribution with fixed margins. OneSided is the probability that the first cell
// is at least as large as observed.
//
// In Fisher's tea experiment, with four cups of each of two kinds, the probability of naming all of
// them correctly by guessing is 1/70.
//
// References: [Fisher1935]. Course: EVAL-30.
func FisherExact(a, b, c, d int) (twoSided, oneSided TestResult) {
	if a < 0 || b < 0 || c < 0 || d < 0 || a+b+c+d == 0 {
		panic(model.Errorf("FisherExact", "the counts must not be negative, nor all zero, got %d %d / %d %d", a, b, c, d))
	}
	row, col, n := a+b, a+c, a+b+c+d
	prob := func(x int) float64 { return tails.Hypergeometric(float64(x), float64(col), float64(row), float64(n)) }
	at := prob(a)
	var two, one float64
	for x := max(0, col-(n-row)); x <= min(row, col); x++ {
		p := prob(x)
		if p <= at*(1+1e-7) {
			two += p
		}
		if x >= a {
			one += p
		}
	}
	twoSided = TestResult{Name: "Fisher's exact test", Statistic: float64(a), P: min(two, 1)}
	oneSided = TestResult{Name: "Fisher's exact test, one-sided", Statistic: float64(a), P: min(one, 1)}
	return twoSided, oneSided
}

// PermutationTest compares paired scores without assuming a distribution. It flips the signs of the
// differences, in all 2ⁿ ways for n up to 16, and in 100,000 random ways for larger n. Then it
// counts how often the sum of the differences is at least as far from zero as the observed sum.
//
// For two samples without pairs, use [TwoSamplePermutationTest].
//
// References: [Fisher1935]. Course: EVAL-23.
func PermutationTest(a, b []float64, seed uint64) TestResult {
	mustReals("PermutationTest", a, b)
	d, sum := make([]float64, len(a)), 0.0
	for i := range a {
		d[i] = a[i] - b[i]
		sum += d[i]
	}
	limit := math.Abs(sum) * (1 - 1e-12)
	hits, trials := 0, 100000
	flip := func(bits func(i int) bool) {
		s := 0.0
		for i, v := range d {
			if bits(i) {
				v = -v
			}
			s += v
		}
		if math.Abs(s) >= limit {
			hits++
		}
	}
	if len(d) <= 16 {
		trials = 1 << len(d)
		for m := range trials {
			flip(func(i int) bool { return m>>i&1 == 1 })
		}
	} else {
		rng := model.Rand(seed, 0)
		for range trials {
			flip(func(int) bool { return rng.Uint64()&1 == 1 })
		}
	}
	return TestResult{Name: "permutation test", Statistic: sum / float64(len(d)), P: float64(hits) / float64(trials)}
}
