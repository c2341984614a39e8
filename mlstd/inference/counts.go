package inference

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ChiSquareTest tests whether two columns of a frame are independent, from the contingency table of
// their values. Rows with a missing value in either column are left out. See [ChiSquareCounts].
func ChiSquareTest(f *frame.Frame, a, b string) eval.TestResult {
	x, y := f.Col(a), f.Col(b)
	row, col := map[string]int{}, map[string]int{}
	var counts [][]int
	for i := range f.Len() {
		if x.IsMissing(i) || y.IsMissing(i) {
			continue
		}
		r, ok := row[x.Text(i)]
		if !ok {
			r = len(row)
			row[x.Text(i)] = r
			counts = append(counts, make([]int, len(col)))
		}
		c, ok := col[y.Text(i)]
		if !ok {
			c = len(col)
			col[y.Text(i)] = c
			for k := range counts {
				counts[k] = append(counts[k], 0)
			}
		}
		counts[r][c]++
	}
	return ChiSquareCounts(counts)
}

// ChiSquareCounts tests whether the rows and columns of a table of counts are independent:
//
//	χ² = Σ (O − E)²/E,  E = (sum of the row)·(sum of the column)/n
//
// with (r − 1)(c − 1) degrees of freedom. For a 2×2 table, the statistic has Yates' correction, as
// in R and SciPy. The effect is Cramér's V, without the correction. Expected counts below 5 make P
// inaccurate; for a 2×2 table, use ml.FisherExact in this case. Rows and columns of zeros are left
// out.
//
// References: [Pearson1900], [Cramer1946].
func ChiSquareCounts(counts [][]int) eval.TestResult {
	const op = "ChiSquareCounts"
	var rows, cols []float64
	n := 0.0
	for i, r := range counts {
		rows = append(rows, 0)
		for j, c := range r {
			if c < 0 || len(r) != len(counts[0]) {
				panic(model.Errorf(op, "row %d must have %d counts of 0 or more, got %v", i, len(counts[0]), r).WithHint("pass rows of equal length"))
			}
			if j == len(cols) {
				cols = append(cols, 0)
			}
			rows[i] += float64(c)
			cols[j] += float64(c)
			n += float64(c)
		}
	}
	positive := func(v []float64) (k float64) {
		for _, s := range v {
			if s > 0 {
				k++
			}
		}
		return k
	}
	r, c := positive(rows), positive(cols)
	if r < 2 || c < 2 {
		panic(model.Errorf(op, "the table must have at least 2 rows and 2 columns that are not all zeros, got %v and %v", r, c))
	}
	plain, corrected := 0.0, 0.0
	for i, row := range counts {
		for j, o := range row {
			if e := rows[i] * cols[j] / n; e > 0 {
				d := math.Abs(float64(o) - e)
				plain += d * d / e
				d -= min(0.5, d)
				corrected += d * d / e
			}
		}
	}
	out := eval.TestResult{Name: "χ² test of independence", Statistic: plain, DF: (r - 1) * (c - 1), EffectOf: "Cramér's V",
		Effect: math.Sqrt(plain / (n * (min(r, c) - 1)))}
	if out.DF == 1 {
		out.Statistic = corrected
	}
	out.P = tails.ChiSquared(out.Statistic, out.DF)
	return out
}

// GoodnessOfFit tests whether counts fit the given probabilities: χ² = Σ (O − E)²/E with k − 1
// degrees of freedom. Without probabilities, all outcomes are equally probable. The probabilities
// are divided by their sum. The effect is Cohen's w.
//
// References: [Pearson1900].
func GoodnessOfFit(counts []int, probabilities ...float64) eval.TestResult {
	const op = "GoodnessOfFit"
	k := len(counts)
	if k < 2 {
		panic(model.Errorf(op, "there must be at least 2 counts, got %d", k))
	}
	if len(probabilities) != 0 && len(probabilities) != k {
		panic(model.Errorf(op, "there must be one probability per count, got %d probabilities and %d counts", len(probabilities), k))
	}
	n, sum := 0.0, 0.0
	for i, c := range counts {
		if c < 0 {
			panic(model.Errorf(op, "count %d must not be negative, got %d", i, c))
		}
		n += float64(c)
	}
	for _, p := range probabilities {
		if !(p > 0) || math.IsInf(p, 1) {
			panic(model.Errorf(op, "the probabilities must be positive, got %v", p))
		}
		sum += p
	}
	chi := 0.0
	for i, c := range counts {
		e := n / float64(k)
		if sum > 0 {
			e = n * probabilities[i] / sum
		}
		chi += (float64(c) - e) * (float64(c) - e) / e
	}
	return eval.TestResult{Name: "χ² test of fit", Statistic: chi, DF: float64(k - 1), P: tails.ChiSquared(chi, float64(k-1)),
		EffectOf: "Cohen's w", Effect: math.Sqrt(chi / n)}
}

// LeveneTest tests whether groups have equal variances, by an analysis of variance of the distances
// from the median of each group. This is Brown and Forsythe's form, which is robust to skewed
// values.
//
// References: [BrownForsythe1974].
func LeveneTest(groups ...[]float64) eval.TestResult {
	mustGroups("LeveneTest", 1, groups)
	var far [][]float64
	for _, g := range groups {
		s := sortedCopy(g)
		m := middle(s)
		d := make([]float64, len(g))
		for i, v := range g {
			d[i] = math.Abs(v - m)
		}
		far = append(far, d)
	}
	r := OneWayANOVA(far...)
	r.Name, r.EffectOf, r.Effect = "Levene's test", "", 0
	return r
}

// BartlettTest tests whether groups have equal variances. It has more power than [LeveneTest] for
// Gaussian values, and is invalid for other distributions.
//
// References: [Bartlett1937].
func BartlettTest(groups ...[]float64) eval.TestResult {
	const op = "BartlettTest"
	mustGroups(op, 2, groups)
	n, pooled, logs, inverse := 0.0, 0.0, 0.0, 0.0
	k := float64(len(groups))
	for i, g := range groups {
		f, v := float64(len(g)-1), stat.Variance(g, nil)
		if v == 0 {
			panic(model.Errorf(op, "group %d must vary, got only %v", i+1, g[0]))
		}
		n += f
		pooled += f * v
		logs += f * math.Log(v)
		inverse += 1 / f
	}
	chi := (n*math.Log(pooled/n) - logs) / (1 + (inverse-1/n)/(3*(k-1)))
	return eval.TestResult{Name: "Bartlett's test", Statistic: chi, DF: k - 1, P: tails.ChiSquared(chi, k-1)}
}
