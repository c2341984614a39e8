package inference

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// mostExact is the maximum sample size for exact P values of rank tests without ties.
const mostExact = 50

// MannWhitney tests whether values of one sample tend to be larger than values of another sample
// (the Wilcoxon rank-sum test). U counts the pairs in which the value of a is larger; ties count
// one half.
//
//	U = Σ rank(a) − n(n + 1)/2
//
// P is exact for samples of up to 50 values without ties, and otherwise from the normal
// approximation with corrections for ties and continuity. The estimate is the median of all
// differences a − b (Hodges and Lehmann); the effect is the rank-biserial correlation 2U/(nm) − 1,
// also known as Cliff's delta.
//
// The alternative is "two-sided" (the default), "less" (values of a tend to be less) or "greater".
//
// References: [MannWhitney1947], [HollanderWolfe1999].
func MannWhitney(a, b []float64, alternative ...string) eval.TestResult {
	const op = "MannWhitney"
	mustSamples(op, 1, a, b)
	n, m := len(a), len(b)
	r, ties := ranks(append(slices.Clone(a), b...))
	u := -float64(n*(n+1)) / 2
	for _, v := range r[:n] {
		u += v
	}
	nm, all := float64(n*m), float64(n+m)
	sd := math.Sqrt(nm / 12 * (all + 1 - ties/(all*(all-1))))
	var lower, upper float64
	exact := ties == 0 && n <= mostExact && m <= mostExact
	switch {
	case exact:
		counts := rankSums(n, m)
		lower, upper = shares(counts, int(u))
	case sd == 0:
		lower, upper = 1, 1
	default:
		upper = tails.Normal((u - nm/2 - 0.5) / sd)
		lower = tails.Normal(-(u - nm/2 + 0.5) / sd)
	}
	p, side := sided(op, alternative, lower, upper)
	out := eval.TestResult{Name: "Mann-Whitney test" + side, Statistic: u, P: p}
	diffs := make([]float64, 0, n*m)
	if n*m <= 4_000_000 {
		for _, x := range a {
			for _, y := range b {
				diffs = append(diffs, x-y)
			}
		}
		slices.Sort(diffs)
		k := max(0, int(math.Floor(nm/2-z975*math.Sqrt(nm*(all+1)/12)))-1)
		out.Of = "median difference"
		out.Estimate = eval.Estimate{Value: middle(diffs), Low: diffs[k], High: diffs[len(diffs)-1-k]}
	}
	out.EffectOf, out.Effect = "rank-biserial correlation", 2*u/nm-1
	return out
}

// middle returns the median of sorted values.
func middle(v []float64) float64 {
	k := len(v) / 2
	if len(v)%2 == 1 {
		return v[k]
	}
	return (v[k-1] + v[k]) / 2
}

// rankSums returns, for each U, the number of divisions of n + m ranks that have it, divided by the
// largest of these numbers.
func rankSums(n, m int) []float64 {
	// These are the coefficients of the Gaussian binomial: Π (1 − q^(m+i))/(1 − q^i).
	size := n*m + 1
	c := make([]float64, size)
	c[0] = 1
	for i := 1; i <= n; i++ {
		for j := size - 1; j >= m+i; j-- {
			c[j] -= c[j-m-i]
		}
		for j := i; j < size; j++ {
			c[j] += c[j-i]
		}
	}
	return c
}

// shares returns the probabilities that U is at most k and at least k. The counts are symmetric.
func shares(counts []float64, k int) (lower, upper float64) {
	total := 0.0
	for _, c := range counts {
		total += c
	}
	k = min(max(k, 0), len(counts)-1)
	tail := func(k int) float64 {
		sum := 0.0
		for _, c := range counts[:k+1] {
			sum += c
		}
		return min(1, sum/total)
	}
	return tail(k), tail(len(counts) - 1 - k)
}

// WilcoxonTest tests whether the differences of pairs are symmetric about 0 (the signed-rank test).
// Pairs without a difference are left out. W is the sum of the ranks of the positive differences.
//
// P is exact for up to 50 pairs without ties, and otherwise from the normal approximation with a
// correction for ties. The estimate is the Hodges-Lehmann estimate, the median of the means of all
// pairs of differences; the effect is the matched rank-biserial correlation.
//
// The alternative is "two-sided" (the default), "less" or "greater".
//
// References: [Wilcoxon1945], [HollanderWolfe1999].
func WilcoxonTest(a, b []float64, alternative ...string) eval.TestResult {
	const op = "WilcoxonTest"
	mustPairs(op, 1, a, b)
	var d, size []float64
	for i := range a {
		if v := a[i] - b[i]; v != 0 {
			d, size = append(d, v), append(size, math.Abs(v))
		}
	}
	n := len(d)
	if n == 0 {
		return eval.TestResult{Name: "Wilcoxon signed-rank test", P: 1}
	}
	r, ties := ranks(size)
	w := 0.0
	for i, v := range d {
		if v > 0 {
			w += r[i]
		}
	}
	all := float64(n*(n+1)) / 2
	var lower, upper float64
	if ties == 0 && n <= mostExact && n == len(a) {
		counts := make([]float64, int(all)+1)
		counts[0] = 1
		for k := 1; k <= n; k++ {
			for j := len(counts) - 1; j >= k; j-- {
				counts[j] += counts[j-k]
			}
		}
		lower, upper = shares(counts, int(w))
	} else {
		sd := math.Sqrt(all*float64(2*n+1)/12 - ties/48)
		z := (w - all/2) / sd
		lower, upper = tails.Normal(-z), tails.Normal(z)
	}
	p, side := sided(op, alternative, lower, upper)
	out := eval.TestResult{Name: "Wilcoxon signed-rank test" + side, Statistic: w, P: p}
	if len(a) <= 2000 {
		var means []float64
		for i := range a {
			for j := i; j < len(a); j++ {
				means = append(means, (a[i]-b[i]+a[j]-b[j])/2)
			}
		}
		slices.Sort(means)
		k := max(0, int(math.Floor(all/2-z975*math.Sqrt(all*float64(2*n+1)/12)))-1)
		k = min(k, (len(means)-1)/2)
		out.Of = "median difference"
		out.Estimate = eval.Estimate{Value: middle(means), Low: means[k], High: means[len(means)-1-k]}
	}
	out.EffectOf, out.Effect = "rank-biserial correlation", 2*w/all-1
	return out
}

// KruskalWallis tests by ranks whether at least one group tends to have larger values than the
// others:
//
//	H = (12/(n(n + 1))·Σ Rᵢ²/nᵢ − 3(n + 1)) / (1 − Σ(t³ − t)/(n³ − n))
//
// compared with χ² with k − 1 degrees of freedom. The effect is ε² = H/(n − 1).
//
// References: [KruskalWallis1952].
func KruskalWallis(groups ...[]float64) eval.TestResult {
	mustGroups("KruskalWallis", 1, groups)
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
	}
	r, ties := ranks(all)
	n, sum, at := float64(len(all)), 0.0, 0
	for _, g := range groups {
		s := 0.0
		for range g {
			s += r[at]
			at++
		}
		sum += s * s / float64(len(g))
	}
	out := eval.TestResult{Name: "Kruskal-Wallis test", DF: float64(len(groups) - 1), P: 1, EffectOf: "ε²"}
	if c := 1 - ties/(n*n*n-n); c > 0 {
		out.Statistic = (12/(n*(n+1))*sum - 3*(n+1)) / c
		out.P = tails.ChiSquared(out.Statistic, out.DF)
		out.Effect = out.Statistic / (n - 1)
	}
	return out
}

// FriedmanTest tests whether at least one treatment tends to have larger values than the others.
// Value i of each treatment belongs to block i, such as a person or a data set:
//
//	χ² = 12/(nk(k + 1))·Σ Rⱼ² − 3n(k + 1), corrected for ties
//
// The effect is Kendall's W, between 0 and 1.
//
// References: [Friedman1937].
func FriedmanTest(treatments ...[]float64) eval.TestResult {
	const op = "FriedmanTest"
	mustGroups(op, 1, treatments)
	k, n := len(treatments), len(treatments[0])
	sums, ties := make([]float64, k), 0.0
	for j, t := range treatments {
		if len(t) != n {
			panic(model.Errorf(op, "treatment %d must have %[3]d values (the number of blocks), got %[2]d", j+1, len(t), n).WithHint("pass one value per treatment and block"))
		}
	}
	row := make([]float64, k)
	for i := range n {
		for j := range treatments {
			row[j] = treatments[j][i]
		}
		r, t := ranks(row)
		ties += t
		for j, v := range r {
			sums[j] += v
		}
	}
	ss, kk, nn := 0.0, float64(k), float64(n)
	for _, s := range sums {
		ss += s * s
	}
	out := eval.TestResult{Name: "Friedman test", DF: kk - 1, P: 1, EffectOf: "Kendall's W"}
	if c := 1 - ties/(nn*kk*(kk*kk-1)); c > 0 {
		out.Statistic = (12/(nn*kk*(kk+1))*ss - 3*nn*(kk+1)) / c
		out.P = tails.ChiSquared(out.Statistic, out.DF)
		out.Effect = out.Statistic / (nn * (kk - 1))
	}
	return out
}
