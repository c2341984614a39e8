package inference

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// OneSampleTTest tests whether the mean of the population that x was drawn from is mu:
//
//	t = (x̄ − μ)/(s/√n),  n − 1 degrees of freedom
//
// The alternative is "two-sided" (the default), "less" or "greater". The estimate is the mean.
//
// References: [Student1908].
func OneSampleTTest(x []float64, mu float64, alternative ...string) eval.TestResult {
	const op = "OneSampleTTest"
	mustSamples(op, 2, x)
	mean, sd := stat.MeanStdDev(x, nil)
	se := sd / math.Sqrt(float64(len(x)))
	r := tTest(op, "one-sample t-test", mean-mu, se, float64(len(x)-1), alternative)
	r.Of, r.Estimate = "mean", estimate(mean, se, tails.QuantileT(0.025, r.DF))
	r.EffectOf, r.Effect = "Cohen's d", (mean-mu)/sd
	return r
}

// TTest compares the means of two independent samples that are assumed to have equal variances
// (Student's test). If the variances may differ, use [eval.WelchTest] (ml.WelchTest), which loses
// little power if they are equal. If each value of a is paired with a value of b, use
// ml.PairedTTest.
//
//	t = (ā − b̄)/(s_p·√(1/n + 1/m)),  n + m − 2 degrees of freedom
//
// The alternative is "two-sided" (the default), "less" (the mean of a is less) or "greater".
//
// References: [Student1908].
func TTest(a, b []float64, alternative ...string) eval.TestResult {
	const op = "TTest"
	mustSamples(op, 2, a, b)
	n, m := float64(len(a)), float64(len(b))
	df := n + m - 2
	sd := math.Sqrt(((n-1)*variance(a) + (m-1)*variance(b)) / df)
	se, diff := sd*math.Sqrt(1/n+1/m), stat.Mean(a, nil)-stat.Mean(b, nil)
	r := tTest(op, "t-test", diff, se, df, alternative)
	r.Of, r.Estimate = "difference of the means", estimate(diff, se, tails.QuantileT(0.025, df))
	r.EffectOf, r.Effect = "Cohen's d", diff/sd
	return r
}

func tTest(op, name string, diff, se, df float64, alternative []string) eval.TestResult {
	t := diff / se
	if se == 0 {
		if diff == 0 {
			t = 0
		} else {
			t = math.Copysign(math.Inf(1), diff)
		}
	}
	p, side := sided(op, alternative, tails.T(-t, df), tails.T(t, df))
	return eval.TestResult{Name: name + side, Statistic: t, DF: df, P: p}
}

// CohenD estimates the difference of two means in units of their pooled standard deviation:
//
//	d = (ā − b̄)/s_p,  SE² ≈ (n + m)/(nm) + d²/(2(n + m))
//
// 0.2 is called small, 0.5 medium and 0.8 large. d is biased upward in small samples; see
// [HedgesG].
//
// References: [Cohen1988].
func CohenD(a, b []float64) eval.Estimate {
	mustSamples("CohenD", 2, a, b)
	n, m := float64(len(a)), float64(len(b))
	sd := math.Sqrt(((n-1)*variance(a) + (m-1)*variance(b)) / (n + m - 2))
	if sd == 0 {
		panic(model.Errorf("CohenD", "at least one sample must vary, got only %v and %v", a[0], b[0]).WithHint("compare the means"))
	}
	d := (stat.Mean(a, nil) - stat.Mean(b, nil)) / sd
	return estimate(d, math.Sqrt((n+m)/(n*m)+d*d/(2*(n+m))), z975)
}

// HedgesG is [CohenD] corrected for its bias in small samples: d·(1 − 3/(4(n + m) − 9)).
//
// References: [Hedges1981].
func HedgesG(a, b []float64) eval.Estimate {
	d := CohenD(a, b)
	k := 1 - 3/(4*float64(len(a)+len(b))-9)
	return eval.Estimate{Value: k * d.Value, Low: k * d.Low, High: k * d.High, StdErr: k * d.StdErr}
}

// OneWayANOVA tests whether the means of groups are equal:
//
//	F = (Σ nᵢ(x̄ᵢ − x̄)²/(k − 1)) / (Σ Σ(x − x̄ᵢ)²/(n − k))
//
// The groups are assumed to have equal variances; [WelchANOVA] does not assume this. The effect is
// ω². For several factors use ml.OLS(...).ANOVA(2).
//
// References: [Fisher1925].
func OneWayANOVA(groups ...[]float64) eval.TestResult {
	mustGroups("OneWayANOVA", 1, groups)
	n, sum := 0.0, 0.0
	for _, g := range groups {
		n += float64(len(g))
		sum += stat.Mean(g, nil) * float64(len(g))
	}
	k := float64(len(groups))
	if n <= k {
		panic(model.Errorf("OneWayANOVA", "at least one group must have 2 values, got %v values in %v groups", n, k).WithHint("pass more values per group"))
	}
	between, within := 0.0, 0.0
	for _, g := range groups {
		mean := stat.Mean(g, nil)
		between += float64(len(g)) * (mean - sum/n) * (mean - sum/n)
		for _, v := range g {
			within += (v - mean) * (v - mean)
		}
	}
	ms := within / (n - k)
	r := eval.TestResult{Name: "one-way analysis of variance", DF: k - 1, DF2: n - k, Statistic: between / (k - 1) / ms}
	r.P = tails.F(r.Statistic, r.DF, r.DF2)
	r.EffectOf, r.Effect = "ω²", (between-(k-1)*ms)/(between+within+ms)
	if within == 0 && between == 0 {
		r.Statistic, r.P, r.Effect = 0, 1, 0
	}
	return r
}

// WelchANOVA tests whether the means of groups are equal. The variances of the groups may differ.
//
// References: [Welch1951].
func WelchANOVA(groups ...[]float64) eval.TestResult {
	const op = "WelchANOVA"
	mustGroups(op, 2, groups)
	k := float64(len(groups))
	w, sum, mean := make([]float64, len(groups)), 0.0, 0.0
	for i, g := range groups {
		v := variance(g)
		if v == 0 {
			panic(model.Errorf(op, "group %d must vary, got only %v", i+1, g[0]))
		}
		w[i] = float64(len(g)) / v
		sum += w[i]
		mean += w[i] * stat.Mean(g, nil)
	}
	mean /= sum
	between, lambda := 0.0, 0.0
	for i, g := range groups {
		d := stat.Mean(g, nil) - mean
		between += w[i] * d * d
		lambda += (1 - w[i]/sum) * (1 - w[i]/sum) / float64(len(g)-1)
	}
	r := eval.TestResult{Name: "Welch's analysis of variance", DF: k - 1, DF2: (k*k - 1) / (3 * lambda)}
	r.Statistic = between / (k - 1) / (1 + 2*(k-2)/(k*k-1)*lambda)
	r.P = tails.F(r.Statistic, r.DF, r.DF2)
	return r
}

// ProportionTest compares two proportions, k1 of n1 and k2 of n2, by the normal approximation with
// the pooled proportion; the interval of their difference does not use pooling. For small counts
// use ml.FisherExact.
//
// References: [Agresti2013].
func ProportionTest(k1, n1, k2, n2 int, alternative ...string) eval.TestResult {
	const op = "ProportionTest"
	for _, c := range [][2]int{{k1, n1}, {k2, n2}} {
		if c[0] < 0 || c[1] < 1 || c[0] > c[1] {
			panic(model.Errorf(op, "the successes must be between 0 and the number of trials, got %d of %d", c[0], c[1]))
		}
	}
	a, b, n, m := float64(k1)/float64(n1), float64(k2)/float64(n2), float64(n1), float64(n2)
	pool := float64(k1+k2) / (n + m)
	z := (a - b) / math.Sqrt(pool*(1-pool)*(1/n+1/m))
	if pool == 0 || pool == 1 {
		z = 0
	}
	p, side := sided(op, alternative, tails.Normal(-z), tails.Normal(z))
	r := eval.TestResult{Name: "test of two proportions" + side, Statistic: z, P: p}
	r.Of, r.Estimate = "difference", estimate(a-b, math.Sqrt(a*(1-a)/n+b*(1-b)/m), z975)
	r.EffectOf, r.Effect = "Cohen's h", 2*math.Asin(math.Sqrt(a))-2*math.Asin(math.Sqrt(b))
	return r
}
