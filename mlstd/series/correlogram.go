package series

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Correlogram is the correlation of a series with itself at lags 0, 1 and so on. As the last value
// of a cell, it is drawn with the band that contains 95 % of the autocorrelations of an
// uncorrelated series.
type Correlogram struct {
	Name  string    // "autocorrelation" or "partial autocorrelation"
	Value []float64 // at each lag
	Band  []float64 // half the width of the band at each lag
}

func check(op string, x []float64, least int) error {
	if len(x) < least {
		return model.Errorf(op, "the series must have at least %d values, got %d", least, len(x))
	}
	if i := finite.First(x); i >= 0 {
		return model.Errorf(op, "value %d must be finite, got %v", i, x[i]).WithHint("fill gaps first: f.FillMissing(...)")
	}
	for _, v := range x {
		if v != x[0] {
			return nil
		}
	}
	return model.Errorf(op, "the %d values of the series must vary, got only %v", len(x), x[0]).WithHint("pass a series that varies")
}

func checkLags(op string, lags, n int) error {
	if lags < 1 || lags >= n {
		return model.Errorf(op, "the number of lags must be between 1 and %d, got %d", n-1, lags)
	}
	return nil
}

func autocorrelations(x []float64, lags int) []float64 {
	mean := stat.Mean(x, nil)
	r := make([]float64, lags+1)
	for k := range r {
		for t := k; t < len(x); t++ {
			r[k] += (x[t] - mean) * (x[t-k] - mean)
		}
	}
	for k := lags; k >= 0; k-- {
		r[k] /= r[0]
	}
	return r
}

// ACF returns the autocorrelations of a series:
//
//	r_k = Σ (x_t − x̄)(x_{t−k} − x̄) / Σ (x_t − x̄)²
//
// The band at lag k assumes that the correlations are 0 from lag k on (Bartlett): ±1.96·√((1 +
// 2Σ_{j<k} r_j²)/n).
//
// References: [BoxJenkinsReinsel2015].
func ACF(x []float64, lags int) (*Correlogram, error) {
	if err := check("ACF", x, 3); err != nil {
		return nil, err
	}
	if err := checkLags("ACF", lags, len(x)); err != nil {
		return nil, err
	}
	c := &Correlogram{Name: "autocorrelation", Value: autocorrelations(x, lags), Band: make([]float64, lags+1)}
	sum := 0.0
	for k := 1; k <= lags; k++ {
		c.Band[k] = -mathext.NormalQuantile(0.025) * math.Sqrt((1+2*sum)/float64(len(x)))
		sum += c.Value[k] * c.Value[k]
	}
	return c, nil
}

// PACF returns the partial autocorrelations of a series: at lag k, the correlation that smaller
// lags do not explain. They are computed with the Levinson-Durbin recursion. The band is ±1.96/√n.
//
// References: [BoxJenkinsReinsel2015].
func PACF(x []float64, lags int) (*Correlogram, error) {
	if err := check("PACF", x, 3); err != nil {
		return nil, err
	}
	if err := checkLags("PACF", lags, len(x)); err != nil {
		return nil, err
	}
	r := autocorrelations(x, lags)
	c := &Correlogram{Name: "partial autocorrelation", Value: make([]float64, lags+1), Band: make([]float64, lags+1)}
	c.Value[0] = 1
	phi, v := []float64{}, 1.0
	for k := 1; k <= lags; k++ {
		a := r[k]
		for j, p := range phi {
			a -= p * r[k-1-j]
		}
		a /= v
		next := make([]float64, k)
		for j, p := range phi {
			next[j] = p - a*phi[len(phi)-1-j]
		}
		next[k-1] = a
		phi, v = next, v*(1-a*a)
		c.Value[k] = a
		c.Band[k] = -mathext.NormalQuantile(0.025) / math.Sqrt(float64(len(x)))
	}
	return c, nil
}

// LjungBox tests the null hypothesis that the autocorrelations of a series are 0 at all lags from 1
// to the argument lags. The statistic is
//
//	Q = n(n + 2) Σ r_k²/(n − k)
//
// and is compared with χ² with lags − fitted degrees of freedom. If x holds the residuals of an
// ARMA model, let fitted be the number of coefficients of the model; for a raw series, let fitted
// be 0.
//
// References: [LjungBox1978].
func LjungBox(x []float64, lags, fitted int) (eval.TestResult, error) {
	const op = "LjungBox"
	if err := check(op, x, 3); err != nil {
		return eval.TestResult{}, err
	}
	if err := checkLags(op, lags, len(x)); err != nil {
		return eval.TestResult{}, err
	}
	if fitted < 0 || fitted >= lags {
		return eval.TestResult{}, model.Errorf(op, "fitted must be between 0 and %d, got %d", lags-1, fitted).WithHint("pass a larger number of lags")
	}
	r, n, q := autocorrelations(x, lags), float64(len(x)), 0.0
	for k := 1; k <= lags; k++ {
		q += r[k] * r[k] / (n - float64(k))
	}
	q *= n * (n + 2)
	df := float64(lags - fitted)
	return eval.TestResult{Name: "Ljung-Box test", Statistic: q, DF: df, P: tails.ChiSquared(q, df)}, nil
}
