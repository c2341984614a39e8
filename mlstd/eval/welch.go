package eval

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// WelchTest compares the means of two independent samples, whose sizes and variances
// may differ, as in an A/B test:
//
//	t = (ā − b̄) / √(sₐ²/n + s_b²/m)
//	ν = (sₐ²/n + s_b²/m)² / ((sₐ²/n)²/(n−1) + (s_b²/m)²/(m−1)) degrees of freedom
//
// The samples must be independent: if each value of a is paired with a value of b, use
// [PairedTTest]. If there are few values and they are very skewed, the distribution of the means is
// too far from normal; see [Bootstrap].
//
// References: [Welch1947].
func WelchTest(a, b []float64) TestResult {
	diff, se, df := welch("WelchTest", a, b)
	r := TestResult{Name: "Welch's t-test", Statistic: diff / se, DF: df}
	switch {
	case se > 0:
		r.P = tails.TwoSidedT(r.Statistic, df)
		r.Of, r.Estimate = "difference of the means", MeanDifference(a, b, 0.95)
		r.EffectOf, r.Effect = "Cohen's d", diff/math.Sqrt((stat.Variance(a, nil)+stat.Variance(b, nil))/2)
	case diff == 0:
		r.Statistic, r.P = 0, 1
	default:
		r.Statistic = math.Copysign(math.Inf(1), diff)
	}
	return r
}

// MeanDifference estimates the difference of the means of the populations that a and b were drawn
// from, with the interval that corresponds to [WelchTest]:
//
//	ā − b̄ ± t_ν·√(sₐ²/n + s_b²/m)
//
// References: [Welch1947].
func MeanDifference(a, b []float64, confidence float64) Estimate {
	const op = "MeanDifference"
	normalQuantile(confidence, op) // refuses an invalid confidence
	diff, se, df := welch(op, a, b)
	half := 0.0
	if se > 0 {
		half = se * tails.QuantileT((1-confidence)/2, df)
	}
	return Estimate{diff, diff - half, diff + half, se}
}

// welch returns the difference of the means, its standard error and the degrees of freedom.
func welch(op string, a, b []float64) (diff, se, df float64) {
	var means, parts [2]float64
	for k, sample := range [][]float64{a, b} {
		if len(sample) < 2 {
			panic(model.Errorf(op, "sample %d must have at least 2 values, got %d", k+1, len(sample)))
		}
		if i := finite.First(sample); i >= 0 {
			panic(model.Errorf(op, "value %d of sample %d must be finite, got %v", i, k+1, sample[i]).WithHint("leave out missing values"))
		}
		mean, variance := stat.MeanVariance(sample, nil)
		means[k], parts[k] = mean, variance/float64(len(sample))
	}
	v := parts[0] + parts[1]
	if v > 0 {
		p, q := parts[0]/v, parts[1]/v
		df = 1 / (p*p/float64(len(a)-1) + q*q/float64(len(b)-1))
	}
	return means[0] - means[1], math.Sqrt(v), df
}
