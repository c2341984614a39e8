package series

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/digits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/report"
)

// ETSForm is the form of the exponential smoothing model that [ETS] fits. All forms have additive
// errors. If the season or the errors grow with the level, smooth the logarithm of the series.
type ETSForm struct {
	Trend    bool // a trend that continues (Holt)
	Damped   bool // a trend that levels off
	Seasonal bool // an additive season (Holt-Winters)
	Period   int  // number of values in a season
}

// String returns the form as ETS(A,trend,season).
func (f ETSForm) String() string {
	trend, season := "N", "N"
	switch {
	case f.Damped:
		trend = "Ad"
	case f.Trend:
		trend = "A"
	}
	if f.Seasonal {
		season = "A"
	}
	return fmt.Sprintf("ETS(A,%s,%s)", trend, season)
}

// ETSModel is a fitted exponential smoothing model.
type ETSModel struct {
	Form                                            ETSForm
	SmoothLevel, SmoothTrend, SmoothSeason, Damping float64 // α, β, γ and φ
	Level, Slope                                    float64 // after the last value
	Season                                          []float64
	Sigma2                                          float64 // SSE/n
	LogLikelihood                                   float64
	AIC, AICc, BIC                                  float64
	Fitted, Residuals                               []float64

	x []float64
	k int
}

// ETS fits an exponential smoothing model by maximum likelihood:
//
//	x_t = l + φb + s + ε,  l ← l + φb + αε,  b ← φb + βε,  s ← s + γε
//
// with 0 < α < 1, 0 < β < α, 0 < γ < 1 − α and, where the trend is damped, 0.8 ≤ φ ≤ 0.98. ETS
// searches for the smoothing parameters. For each choice of these parameters, the initial states
// are the least squares solution.
//
// References: [HyndmanKoehlerOrdSnyder2008].
func ETS(x []float64, form ETSForm) (*ETSModel, error) {
	const op = "ETS"
	form.Trend = form.Trend || form.Damped
	if err := check(op, x, 4); err != nil {
		return nil, err
	}
	if form.Seasonal && (form.Period < 2 || len(x) < 2*form.Period) {
		return nil, model.Errorf(op, "Period must be between 2 and %d (half the length of the series), got %d", len(x)/2, form.Period)
	}
	m := &ETSModel{Form: form, x: slices.Clone(x), Damping: 1}
	d := 1
	if form.Trend {
		d++
	}
	if form.Damped {
		d++
	}
	if form.Seasonal {
		d++
	}
	states := m.states()
	m.k = d + states + 1
	if len(x) < states+d+2 {
		return nil, model.Errorf(op, "the series of %d values is too short for %v", len(x), form)
	}
	objective := func(free []float64) float64 {
		m.smoothing(free)
		_, sse := m.best()
		return math.Log(sse + 1e-300)
	}
	best, value := []float64(nil), math.Inf(1)
	for _, start := range []float64{-1, 1} {
		s := slices.Repeat([]float64{-1}, d)
		s[0] = start
		if next, v := minimizeIn(objective, s, 0.7, 8); v < value {
			best, value = next, v
		}
	}
	m.smoothing(best)
	initial, sse := m.best()
	n := float64(len(x))
	m.Sigma2 = sse / n
	m.LogLikelihood = -n / 2 * (math.Log(2*math.Pi*m.Sigma2) + 1)
	k := float64(m.k)
	m.AIC, m.BIC = 2*k-2*m.LogLikelihood, k*math.Log(n)-2*m.LogLikelihood
	m.AICc = m.AIC + 2*k*(k+1)/max(n-k-1, 1e-9)
	m.Fitted, m.Residuals = make([]float64, len(x)), make([]float64, len(x))
	m.Level, m.Slope, m.Season = m.run(m.x, initial, m.Fitted, m.Residuals)
	return m, nil
}

// states returns the number of free initial states: the level, the trend, and one less than the
// period, since the season sums to 0.
func (m *ETSModel) states() int {
	n := 1
	if m.Form.Trend {
		n++
	}
	if m.Form.Seasonal {
		n += m.Form.Period - 1
	}
	return n
}

func (m *ETSModel) smoothing(free []float64) {
	in := func(v, lo, hi float64) float64 { return lo + (hi-lo)/(1+math.Exp(-v)) }
	m.SmoothLevel = in(free[0], 1e-4, 1-1e-4)
	at := 1
	if m.Form.Trend {
		m.SmoothTrend = in(free[at], 1e-4*m.SmoothLevel, (1-1e-4)*m.SmoothLevel)
		at++
	}
	if m.Form.Seasonal {
		m.SmoothSeason = in(free[at], 1e-4*(1-m.SmoothLevel), (1-1e-4)*(1-m.SmoothLevel))
		at++
	}
	if m.Form.Damped {
		m.Damping = in(free[at], 0.8, 0.98)
	}
}

// run smooths y, starting from the states, and returns the final states.
func (m *ETSModel) run(y, initial, fitted, res []float64) (level, slope float64, season []float64) {
	level = initial[0]
	at := 1
	if m.Form.Trend {
		slope = initial[1]
		at = 2
	}
	p := m.Form.Period
	if m.Form.Seasonal {
		season = make([]float64, p)
		for i, s := range initial[at:] {
			season[i] = s
			season[p-1] -= s
		}
	}
	for t, v := range y {
		next := level + m.Damping*slope
		f := next
		if season != nil {
			f += season[t%p]
		}
		e := v - f
		if fitted != nil {
			fitted[t] = f
		}
		res[t] = e
		level = next + m.SmoothLevel*e
		slope = m.Damping*slope + m.SmoothTrend*e
		if season != nil {
			season[t%p] += m.SmoothSeason * e
		}
	}
	if season != nil { // in the order of the next steps
		k := len(y) % p
		season = append(slices.Clone(season[k:]), season[:k]...)
	}
	return level, slope, season
}

// best returns the initial states with the smallest sum of squared errors: the errors are linear in
// the states.
func (m *ETSModel) best() (initial []float64, sse float64) {
	n, k := len(m.x), m.states()
	a, right := mat.NewDense(n, k, nil), mat.NewVecDense(n, nil)
	initial = make([]float64, k)
	m.run(m.x, initial, nil, right.RawVector().Data)
	zero, col := make([]float64, n), make([]float64, n)
	for j := range k {
		initial[j] = 1
		m.run(zero, initial, nil, col)
		initial[j] = 0
		for i, v := range col {
			a.Set(i, j, -v)
		}
	}
	var qr mat.QR
	qr.Factorize(a)
	var sol mat.VecDense
	if err := qr.SolveVecTo(&sol, false, right); err != nil && math.IsInf(qr.Cond(), 1) {
		return initial, math.Inf(1)
	}
	for j := range initial {
		initial[j] = sol.AtVec(j)
	}
	m.run(m.x, initial, nil, col)
	for _, e := range col {
		sse += e * e
	}
	return initial, sse
}

// Forecast returns the expected values of the next h observations, with prediction bands of the
// given levels, by default 0.8 and 0.95. The variance at step h is
//
//	V(h) = σ²(1 + Σ_{j<h} (α + β(φ + … + φʲ) + γ·[j is a multiple of the period])²)
//
// where σ² is the sum of squared errors, divided by the difference between n and the number of
// parameters.
func (m *ETSModel) Forecast(h int, levels ...float64) (*Forecast, error) {
	const op = "ETSModel.Forecast"
	if h < 1 || h > 1_000_000 {
		return nil, model.Errorf(op, "the number of steps must be between 1 and 1,000,000, got %d", h)
	}
	mean, se := make([]float64, h), make([]float64, h)
	n := float64(len(m.x))
	s2, sum, damp, power := m.Sigma2*n/max(1, n-float64(m.k)+1), 1.0, 0.0, 1.0
	for t := range h {
		if t > 0 {
			c := m.SmoothLevel + m.SmoothTrend*damp
			if m.Form.Seasonal && t%m.Form.Period == 0 {
				c += m.SmoothSeason
			}
			sum += c * c
		}
		power *= m.Damping
		damp += power
		mean[t] = m.Level + damp*m.Slope
		if m.Form.Seasonal {
			mean[t] += m.Season[t%m.Form.Period]
		}
		se[t] = math.Sqrt(s2 * sum)
	}
	return newForecast(op, m.Form.String(), m.x, mean, se, levels)
}

// AutoETS fits the exponential smoothing models with and without a trend, a damped trend and a
// season, and returns the model with the smallest AICc. The argument period is the number of values
// in a season; 0 or 1 means no season.
//
// References: [HyndmanKoehlerOrdSnyder2008].
func AutoETS(x []float64, period int) (*ETSModel, error) {
	var best *ETSModel
	var failed error
	for _, f := range []ETSForm{{}, {Trend: true}, {Damped: true}, {Seasonal: true}, {Trend: true, Seasonal: true}, {Damped: true, Seasonal: true}} {
		if f.Seasonal && (period < 2 || len(x) < 2*period) {
			continue
		}
		f.Period = period
		m, err := ETS(x, f)
		if err != nil {
			failed = err
			continue
		}
		if best == nil || m.AICc < best.AICc {
			best = m
		}
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
}

// Summary returns the summary of the model.
func (m *ETSModel) Summary() *report.ModelSummary {
	s := &report.ModelSummary{Title: m.Form.String()}
	s.Add("Observations", strconv.Itoa(len(m.x)))
	s.Add("σ²", digits.Number(m.Sigma2))
	s.Add("Log likelihood", digits.Decimals(m.LogLikelihood, 3))
	s.Add("AIC", digits.Decimals(m.AIC, 2))
	s.Add("AICc", digits.Decimals(m.AICc, 2))
	s.Add("BIC", digits.Decimals(m.BIC, 2))
	t := report.SummaryTable{Head: []string{"", "value"}, Rows: [][]string{{"α (level)", digits.Number(m.SmoothLevel)}}}
	if m.Form.Trend {
		t.Rows = append(t.Rows, []string{"β (trend)", digits.Number(m.SmoothTrend)})
	}
	if m.Form.Seasonal {
		t.Rows = append(t.Rows, []string{"γ (season)", digits.Number(m.SmoothSeason)})
	}
	if m.Form.Damped {
		t.Rows = append(t.Rows, []string{"φ (damping)", digits.Number(m.Damping)})
	}
	t.Rows = append(t.Rows, []string{"level at the end", digits.Number(m.Level)})
	if m.Form.Trend {
		t.Rows = append(t.Rows, []string{"trend at the end", digits.Number(m.Slope)})
	}
	s.Tables = []report.SummaryTable{t}
	return s
}

// String returns the summary as text.
func (m *ETSModel) String() string { return m.Summary().String() }
