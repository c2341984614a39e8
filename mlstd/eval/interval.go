package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Estimate is a value with an interval around it.
type Estimate struct {
	Value, Low, High float64
	StdErr           float64
}

// String returns the estimate as "0.300 [0.158, 0.442]".
func (e Estimate) String() string { return fmt.Sprintf("%.4g [%.4g, %.4g]", e.Value, e.Low, e.High) }

func normalQuantile(confidence float64, op string) float64 {
	if !(confidence > 0 && confidence < 1) {
		panic(model.Errorf(op, "confidence must be between 0 and 1, got %v", confidence).WithHint("use a fraction such as 0.95"))
	}
	return -distuv.UnitNormal.Quantile((1 - confidence) / 2)
}

// ErrorInterval returns the confidence interval of the true error by the normal approximation.
// wrong is the number of misclassified examples among n test examples.
//
//	e ± z·√(e(1−e)/n),  e = wrong/n
//
// It relies on the central limit theorem: use it if n is at least 30 and e is not close to 0 or 1,
// and use [WilsonInterval] otherwise.
//
// References: [Mitchell1997] ch. 5. Course: EVAL-21, EVAL-29.
func ErrorInterval(wrong, n int, confidence float64) Estimate {
	mustCount("ErrorInterval", wrong, n)
	e := float64(wrong) / float64(n)
	se := math.Sqrt(e * (1 - e) / float64(n))
	z := normalQuantile(confidence, "ErrorInterval")
	return Estimate{e, e - z*se, e + z*se, se}
}

func mustCount(op string, k, n int) {
	if n < 1 || k < 0 || k > n {
		panic(model.Errorf(op, "k must be between 0 and n, and n positive, got %d and %d", k, n))
	}
}

// WilsonInterval returns the confidence interval obtained by inverting the score test. It stays
// inside [0, 1] and keeps its coverage for small n and for errors near 0.
//
// References: [Wilson1927]. Course: EVAL-21.
func WilsonInterval(wrong, n int, confidence float64) Estimate {
	mustCount("WilsonInterval", wrong, n)
	z := normalQuantile(confidence, "WilsonInterval")
	e, m := float64(wrong)/float64(n), float64(n)
	mid := (e + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(e*(1-e)/m+z*z/(4*m*m))
	return Estimate{e, mid - half, mid + half, math.Sqrt(e * (1 - e) / m)}
}

// ErrorDifference returns the confidence interval of the difference of two true errors, estimated
// on two independent samples S₁ and S₂.
//
//	d = error_S₁(h₁) − error_S₂(h₂)
//	d ± z·√(e₁(1−e₁)/n₁ + e₂(1−e₂)/n₂)
//
// If both errors come from the same test set, use [McNemar] or [PairedTTest].
//
// References: [Mitchell1997] ch. 5. Course: EVAL-22.
func ErrorDifference(wrong1, n1, wrong2, n2 int, confidence float64) Estimate {
	mustCount("ErrorDifference", wrong1, n1)
	mustCount("ErrorDifference", wrong2, n2)
	a, b := float64(wrong1)/float64(n1), float64(wrong2)/float64(n2)
	se := math.Sqrt(a*(1-a)/float64(n1) + b*(1-b)/float64(n2))
	z := normalQuantile(confidence, "ErrorDifference")
	return Estimate{a - b, a - b - z*se, a - b + z*se, se}
}

// Bootstrap estimates the standard error and the interval of any statistic by drawing from the
// sample with replacement. Use it for measures such as F, which are not means over the examples.
//
// The interval is the percentile interval. With BCa it is bias-corrected and accelerated: the
// percentiles are adjusted for the fraction of draws below the estimate and for the skewness of the
// leave-one-out estimates.
//
// References: [EfronTibshirani1993]. Course: EVAL-27.
type Bootstrap struct {
	// Repeats is the number of bootstrap samples; 0 means 2000. More samples make the limits more
	// exact and take longer.
	Repeats int
	// Confidence is the confidence level, between 0 and 1; 0 means 0.95. A larger value
	// makes the interval wider.
	Confidence float64
	Seed       uint64
	BCa        bool
}

// Of draws samples of the indices 0 … n−1 and applies the statistic to each sample. It returns the
// estimate, and the samples' statistics in ascending order.
func (b Bootstrap) Of(n int, statistic func(rows []int) float64) (Estimate, []float64) {
	if n < 1 || b.Repeats < 0 {
		panic(model.Errorf("Bootstrap.Of", "n must be at least 1 and Repeats not negative, got %d and %d", n, b.Repeats))
	}
	repeats, conf := orDefault(b.Repeats, 2000), b.Confidence
	if conf == 0 {
		conf = 0.95
	}
	normalQuantile(conf, "Bootstrap.Of")
	values, rows := make([]float64, repeats), make([]int, n)
	for r := range values {
		resample(rows, model.Rand(b.Seed, uint64(r)))
		values[r] = statistic(rows)
	}
	slices.Sort(values)
	value, low, high := statistic(identity(n)), (1-conf)/2, (1+conf)/2
	if b.BCa {
		low, high = accelerated(value, values, n, conf, statistic)
	}
	return Estimate{
		Value:  value,
		Low:    stat.Quantile(low, stat.LinInterp, values, nil),
		High:   stat.Quantile(high, stat.LinInterp, values, nil),
		StdErr: stat.StdDev(values, nil),
	}, values
}

// accelerated returns the fractions of draws below the ends of the BCa interval:
//
//	Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z)))
func accelerated(value float64, values []float64, n int, conf float64, statistic func(rows []int) float64) (low, high float64) {
	if n < 2 {
		panic(model.Errorf("Bootstrap.Of", "n must be at least 2 for BCa, which leaves one example out, got %d", n).WithHint("pass more examples, or use another method"))
	}
	below := 0.0
	for _, v := range values {
		switch {
		case v < value:
			below++
		case v == value:
			below += 0.5
		}
	}
	share := min(max(below, 0.5), float64(len(values))-0.5) / float64(len(values))
	z0 := mathext.NormalQuantile(share)
	left, rows := make([]float64, n), make([]int, n-1)
	for i := range n {
		for j := range rows {
			rows[j] = j
			if j >= i {
				rows[j] = j + 1
			}
		}
		left[i] = statistic(rows)
	}
	mean := stat.Mean(left, nil)
	var square, cube float64
	for _, v := range left {
		d := mean - v
		square, cube = square+d*d, cube+d*d*d
	}
	a := 0.0
	if square > 0 {
		a = cube / (6 * math.Pow(square, 1.5))
	}
	at := func(p float64) float64 {
		z := z0 + mathext.NormalQuantile(p)
		return math.Erfc(-(z0+z/(1-a*z))/math.Sqrt2) / 2
	}
	return at((1 - conf) / 2), at((1 + conf) / 2)
}

func resample(rows []int, rng *rand.Rand) {
	for i := range rows {
		rows[i] = rng.IntN(len(rows))
	}
}

// Jackknife leaves out one example at a time. The mean of the pseudo-values n·θ − (n−1)·θ₍ᵢ₎ is the
// bias-corrected estimate, and their spread determines the standard error. For the mean of v it
// equals s/√n.
//
// The interval is ± 1.96 standard errors around the corrected estimate.
//
// References: [EfronTibshirani1993]. Course: EVAL-28.
func Jackknife(n int, statistic func(rows []int) float64) Estimate {
	if n < 2 {
		panic(model.Errorf("Jackknife", "n must be at least 2, got %d", n))
	}
	all := statistic(identity(n))
	pseudo, rows := make([]float64, n), make([]int, n-1)
	for i := range n {
		for j := range rows {
			rows[j] = j
			if j >= i {
				rows[j] = j + 1
			}
		}
		pseudo[i] = float64(n)*all - float64(n-1)*statistic(rows)
	}
	mean, sd := stat.MeanStdDev(pseudo, nil)
	se := sd / math.Sqrt(float64(n))
	z := normalQuantile(0.95, "Jackknife")
	return Estimate{mean, mean - z*se, mean + z*se, se}
}
