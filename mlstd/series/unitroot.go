package series

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// mackinnon holds the polynomials of MacKinnon's response surface for one series: P = Φ(polynomial
// of τ). One polynomial applies up to star, the other above it.
type mackinnon struct {
	star, low, high float64
	small, large    []float64
}

var unitRoots = map[string]mackinnon{
	"n":  {-1.04, -19.04, math.Inf(1), []float64{0.6344, 1.2378, 3.2496e-2}, []float64{0.4797, 0.93557, -0.06999, 0.033066}},
	"c":  {-1.61, -18.83, 2.74, []float64{2.1659, 1.4412, 3.8269e-2}, []float64{1.7339, 0.93202, -0.12745, -0.010368}},
	"ct": {-2.89, -16.18, 0.70, []float64{3.2512, 1.6047, 4.9588e-2}, []float64{2.5261, 0.61654, -0.37956, -0.060285}},
}

// ADF returns the augmented Dickey-Fuller test, whose null hypothesis is a unit root. A small P is
// evidence for stationarity:
//
//	Δx_t = α (+ βt) + γ·x_{t−1} + Σ δⱼΔx_{t−j} + ε,  τ = γ̂/SE(γ̂)
//
// The argument trend is "c" for a constant, "ct" for a constant and a trend, or "n" for neither. By
// default, AIC chooses the number of lagged differences, up to 12·(n/100)^(1/4). P is MacKinnon's
// approximation. DF is the number of lags.
//
// References: [DickeyFuller1979], [MacKinnon1994].
func ADF(x []float64, trend string, lags ...int) (eval.TestResult, error) {
	const op = "ADF"
	table, ok := unitRoots[trend]
	if !ok {
		return eval.TestResult{}, model.Errorf(op, "the trend must be \"n\", \"c\" or \"ct\", got %q", trend)
	}
	if err := check(op, x, 8); err != nil {
		return eval.TestResult{}, err
	}
	n := len(x)
	extra := map[string]int{"n": 0, "c": 1, "ct": 2}[trend]
	most := min(int(math.Ceil(12*math.Pow(float64(n)/100, 0.25))), n/2-extra-1)
	best := most
	if len(lags) > 0 {
		if best = lags[0]; best < 0 || best > n/2-extra-1 {
			return eval.TestResult{}, model.Errorf(op, "the number of lags must be between 0 and %d, got %d", n/2-extra-1, best)
		}
	} else {
		least := math.Inf(1)
		for k := 0; k <= most; k++ {
			_, aic, err := dickeyFuller(op, x, trend, k, most)
			if err != nil {
				return eval.TestResult{}, err
			}
			if aic < least {
				least, best = aic, k
			}
		}
	}
	tau, _, err := dickeyFuller(op, x, trend, best, best)
	if err != nil {
		return eval.TestResult{}, err
	}
	p := 0.0
	switch {
	case tau > table.high:
		p = 1
	case tau < table.low:
		p = 0
	default:
		c := table.large
		if tau <= table.star {
			c = table.small
		}
		z := 0.0
		for i := len(c) - 1; i >= 0; i-- {
			z = z*tau + c[i]
		}
		p = tails.Normal(-z)
	}
	return eval.TestResult{Name: "augmented Dickey-Fuller test", Statistic: tau, DF: float64(best), P: p}, nil
}

// dickeyFuller fits the regression with k lagged differences to the rows that have at least from
// lags.
func dickeyFuller(op string, x []float64, trend string, k, from int) (tau, aic float64, err error) {
	rows := len(x) - 1 - from
	p := 1 + k + map[string]int{"n": 0, "c": 1, "ct": 2}[trend]
	if rows <= p {
		return 0, 0, model.Errorf(op, "the series of %d values is too short for %d lags", len(x), k)
	}
	a, y := mat.NewDense(rows, p, nil), mat.NewVecDense(rows, nil)
	scale := stat.StdDev(x, nil)
	for i := range rows {
		t := i + from + 1
		y.SetVec(i, (x[t]-x[t-1])/scale)
		row := a.RawRowView(i)
		row[0] = x[t-1] / scale
		for j := 1; j <= k; j++ {
			row[j] = (x[t-j] - x[t-j-1]) / scale
		}
		if trend != "n" {
			row[k+1] = 1
		}
		if trend == "ct" {
			row[k+2] = float64(i+1) / float64(rows)
		}
	}
	var qr mat.QR
	qr.Factorize(a)
	var b mat.VecDense
	if e := qr.SolveVecTo(&b, false, y); e != nil && qr.Cond() > 1e14 {
		return 0, 0, model.Errorf(op, "the lagged values are linearly dependent").WithHint("pass a smaller number of lags")
	}
	rss := 0.0
	for i := range rows {
		r := y.AtVec(i) - mat.Dot(a.RowView(i), &b)
		rss += r * r
	}
	var r, inv mat.Dense
	qr.RTo(&r)
	if e := inv.Inverse(r.Slice(0, p, 0, p)); e != nil && math.IsInf(mat.Cond(r.Slice(0, p, 0, p), 1), 1) {
		return 0, 0, model.Errorf(op, "the lagged values are linearly dependent").WithHint("pass a smaller number of lags")
	}
	v := 0.0
	for j := range p {
		v += inv.At(0, j) * inv.At(0, j)
	}
	n := float64(rows)
	return b.AtVec(0) / math.Sqrt(v*rss/(n-float64(p))), n*math.Log(rss/n) + 2*float64(p), nil
}

// KPSS tests whether a series is stationary about a level ("c") or a trend ("ct"). Stationarity is
// the null hypothesis of KPSS, but the alternative hypothesis of [ADF]. A small P of KPSS is
// therefore evidence against stationarity.
//
//	η = Σ S_t² / (n²·s²(l)),  S_t the partial sums of the residuals
//
// s²(l) is the Newey-West variance with l lags; by default, l is ⌊4(n/100)^(1/4)⌋. P is
// interpolated in the published table, so it is never below 0.01 or above 0.1. DF is the number of
// lags.
//
// References: [KwiatkowskiPhillipsSchmidtShin1992].
func KPSS(x []float64, trend string, lags ...int) (eval.TestResult, error) {
	const op = "KPSS"
	quantiles, ok := map[string][]float64{"c": {0.347, 0.463, 0.574, 0.739}, "ct": {0.119, 0.146, 0.176, 0.216}}[trend]
	if !ok {
		return eval.TestResult{}, model.Errorf(op, "the trend must be \"c\" or \"ct\", got %q", trend)
	}
	if err := check(op, x, 4); err != nil {
		return eval.TestResult{}, err
	}
	n := len(x)
	l := int(4 * math.Pow(float64(n)/100, 0.25))
	if len(lags) > 0 {
		if l = lags[0]; l < 0 || l >= n {
			return eval.TestResult{}, model.Errorf(op, "the number of lags must be between 0 and %d, got %d", n-1, l)
		}
	}
	slope := 0.0
	mean, mid := stat.Mean(x, nil), float64(n-1)/2
	if trend == "ct" {
		num, den := 0.0, 0.0
		for i, v := range x {
			num += (float64(i) - mid) * (v - mean)
			den += (float64(i) - mid) * (float64(i) - mid)
		}
		slope = num / den
	}
	res, sum, squares := make([]float64, n), 0.0, 0.0
	for i, v := range x {
		res[i] = v - mean - slope*(float64(i)-mid)
		sum += res[i]
		squares += sum * sum
	}
	s2 := 0.0
	for k := 0; k <= l; k++ {
		g := 0.0
		for t := k; t < n; t++ {
			g += res[t] * res[t-k]
		}
		if k > 0 {
			g *= 2 * (1 - float64(k)/float64(l+1))
		}
		s2 += g
	}
	eta := squares / float64(n) / s2
	ps := []float64{0.10, 0.05, 0.025, 0.01}
	p := ps[0]
	for k := 1; k < len(ps); k++ {
		if eta >= quantiles[k-1] {
			share := min(1, (eta-quantiles[k-1])/(quantiles[k]-quantiles[k-1]))
			p = ps[k-1] + share*(ps[k]-ps[k-1])
		}
	}
	return eval.TestResult{Name: "KPSS test", Statistic: eta, DF: float64(l), P: p}, nil
}
