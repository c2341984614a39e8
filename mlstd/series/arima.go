package series

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/digits"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/report"
)

// ARIMAOrder is the order of the model that [ARIMA] fits. Larger orders fit the series more
// closely, but forecast worse if they are larger than necessary.
type ARIMAOrder struct {
	P, D, Q    int // lags of the series, differences, lags of the noise
	SP, SD, SQ int // the same for the season
	Period     int // number of values in a season; needed with SP, SD or SQ
	// Constant adds the mean of the differenced series: a level if D = 0, a drift if D = 1.
	Constant bool
}

// String returns the order in the usual notation.
func (o ARIMAOrder) String() string {
	s := fmt.Sprintf("ARIMA(%d,%d,%d)", o.P, o.D, o.Q)
	if o.SP+o.SD+o.SQ > 0 {
		s += fmt.Sprintf("(%d,%d,%d)[%d]", o.SP, o.SD, o.SQ, o.Period)
	}
	if o.Constant {
		s += " with constant"
	}
	return s
}

// ARIMAModel is a fitted ARIMA model.
type ARIMAModel struct {
	Order         ARIMAOrder
	Coefficients  []regress.Coefficient // ar1 ..., ma1 ..., sar1 ..., sma1 ..., constant
	Sigma2        float64               // variance of the noise
	LogLikelihood float64
	AIC, AICc     float64
	BIC           float64
	N             int       // number of differenced values
	Residuals     []float64 // one-step errors of the differenced series

	x, w       []float64
	phi, theta []float64
	mean       float64
}

// ARIMA fits an autoregressive integrated moving-average model by exact maximum likelihood:
//
//	φ(B) Φ(Bˢ) ((1 − B)ᵈ (1 − Bˢ)ᴰ xₜ − c) = θ(B) Θ(Bˢ) εₜ
//
// The series is differenced first. The Kalman filter, started from the stationary distribution,
// computes the likelihood of the differenced series. The fitted model is stationary and invertible.
// Standard errors come from the curvature of the likelihood at its maximum. Moving-average
// coefficients have the same sign as in R and statsmodels: ε_t + θε_{t−1}.
//
// Cost: O(n·r²) for each of a few hundred evaluations of the likelihood, with r = max(P +
// Period·SP, Q + Period·SQ + 1).
//
// References: [BoxJenkinsReinsel2015], [Harvey1989].
func ARIMA(x []float64, order ARIMAOrder) (*ARIMAModel, error) { return arima("ARIMA", x, order, 12) }

func arima(op string, x []float64, o ARIMAOrder, restarts int) (*ARIMAModel, error) {
	for _, c := range []struct {
		name string
		v    int
	}{{"P", o.P}, {"D", o.D}, {"Q", o.Q}, {"SP", o.SP}, {"SD", o.SD}, {"SQ", o.SQ}} {
		if c.v < 0 || c.v > 20 {
			return nil, model.Errorf(op, "%s must be between 0 and 20, got %d", c.name, c.v)
		}
	}
	if o.SP+o.SD+o.SQ > 0 && o.Period < 2 {
		return nil, model.Errorf(op, "Period must be at least 2 with seasonal terms, got %d", o.Period).WithHint("set Period to the length of a season, such as 12 for monthly data")
	}
	if err := check(op, x, 3); err != nil {
		return nil, err
	}
	if o.Constant && o.D+o.SD > 1 {
		return nil, model.Errorf(op, "Constant must not be set with more than one difference, got %d differences", o.D+o.SD).WithHint("leave Constant out")
	}
	m := &ARIMAModel{Order: o, x: slices.Clone(x), w: slices.Clone(x)}
	for range o.D {
		m.w = difference(m.w, 1)
	}
	for range o.SD {
		m.w = difference(m.w, o.Period)
	}
	k := o.P + o.Q + o.SP + o.SQ
	if o.Constant {
		k++
	}
	m.N = len(m.w)
	if m.N < k+2 || m.N <= max(o.P+o.Period*o.SP, o.Q+o.Period*o.SQ) {
		return nil, model.Errorf(op, "the series of %d values is too short for %v", len(x), o)
	}
	scale, center := stat.StdDev(m.w, nil), stat.Mean(m.w, nil)
	if !(scale > 1e-12*math.Abs(center)) {
		return nil, model.Errorf(op, "the differenced series is constant: %v", m.w[0]).WithHint("set smaller D and SD")
	}
	free := make([]float64, k)
	objective := func(free []float64) float64 {
		c := m.coefficients(free, center, scale)
		l, _, _ := m.likelihood(c, false)
		return -l
	}
	best, value := free, math.Inf(1)
	for _, start := range []float64{0, 0.5, -0.5}[:min(3, 1+2*min(1, restarts/6))] {
		s := slices.Clone(free)
		for i := range s {
			s[i] = start
		}
		if o.Constant {
			s[k-1] = 0
		}
		next, v := minimizeIn(objective, s, 0.4, restarts)
		if v < value-1e-9 {
			best, value = next, v
		}
	}
	if math.IsInf(value, 1) || math.IsNaN(value) {
		return nil, model.Errorf(op, "the likelihood of %v could not be maximized", o).WithHint("use a smaller order")
	}
	coef := m.coefficients(best, center, scale)
	var state *kalman
	m.LogLikelihood, m.Sigma2, state = m.likelihood(coef, true)
	m.Residuals = state.residuals
	m.phi, m.theta, m.mean = m.polynomials(coef)
	n, p := float64(m.N), float64(k+1)
	m.AIC = 2*p - 2*m.LogLikelihood
	m.AICc = m.AIC + 2*p*(p+1)/max(n-p-1, 1e-9)
	m.BIC = p*math.Log(n) - 2*m.LogLikelihood
	m.errors(coef, scale)
	return m, nil
}

func difference(x []float64, lag int) []float64 {
	if len(x) <= lag {
		return nil
	}
	out := make([]float64, len(x)-lag)
	for i := range out {
		out[i] = x[i+lag] - x[i]
	}
	return out
}

// stationary maps any numbers to the coefficients of a stationary autoregression, via partial
// autocorrelations.
func stationary(free []float64) []float64 {
	var phi []float64
	for k, v := range free {
		a := math.Tanh(v)
		next := make([]float64, k+1)
		for j := range k {
			next[j] = phi[j] - a*phi[k-1-j]
		}
		next[k] = a
		phi = next
	}
	return phi
}

// coefficients returns ar, ma, sar, sma and the constant for the free parameters.
func (m *ARIMAModel) coefficients(free []float64, center, scale float64) []float64 {
	o := m.Order
	out := make([]float64, 0, len(free))
	at := 0
	for k, n := range []int{o.P, o.Q, o.SP, o.SQ} {
		part := stationary(free[at : at+n])
		if k%2 == 1 {
			floats.Scale(-1, part)
		}
		out = append(out, part...)
		at += n
	}
	if o.Constant {
		out = append(out, center+free[at]*scale)
	}
	return out
}

// polynomials returns the coefficients at all lags of the series and of the noise, and the mean.
func (m *ARIMAModel) polynomials(c []float64) (phi, theta []float64, mean float64) {
	o := m.Order
	ar, ma, sar, sma := c[:o.P], c[o.P:o.P+o.Q], c[o.P+o.Q:o.P+o.Q+o.SP], c[o.P+o.Q+o.SP:o.P+o.Q+o.SP+o.SQ]
	if o.Constant {
		mean = c[len(c)-1]
	}
	// Multiply the two polynomials of the form 1 − φ(B), without the leading 1.
	join := func(a, b []float64, sign float64) []float64 {
		p := make([]float64, len(a)+o.Period*len(b)+1)
		for i := range len(a) + 1 {
			x := 1.0
			if i > 0 {
				x = sign * a[i-1]
			}
			for j := range len(b) + 1 {
				y := 1.0
				if j > 0 {
					y = sign * b[j-1]
				}
				p[i+j*o.Period] += x * y
			}
		}
		p = p[1:]
		floats.Scale(sign, p)
		return p
	}
	if o.Period == 0 {
		return slices.Clone(ar), slices.Clone(ma), mean
	}
	return join(ar, sar, -1), join(ma, sma, 1), mean
}

// kalman is the state of the filter after the last value.
type kalman struct {
	a         []float64
	p         []float64 // its covariance, in units of σ²
	residuals []float64
}

// likelihood returns the log likelihood of the differenced series, maximized over the variance.
// With keep, it also returns the state and the one-step errors.
func (m *ARIMAModel) likelihood(c []float64, keep bool) (l, sigma2 float64, state *kalman) {
	phi, theta, mean := m.polynomials(c)
	r := max(len(phi), len(theta)+1)
	ph, rr := make([]float64, r), make([]float64, r)
	copy(ph, phi)
	rr[0] = 1
	copy(rr[1:], theta)
	p, ok := stationaryVariance(ph, rr)
	if !ok {
		return math.Inf(-1), 0, nil
	}
	a, next := make([]float64, r), make([]float64, r)
	gain, q := make([]float64, r), make([]float64, r*r)
	sum, logs := 0.0, 0.0
	steady := false
	if keep {
		state = &kalman{residuals: make([]float64, len(m.w))}
	}
	f := 0.0
	for t, w := range m.w {
		v := w - mean - a[0]
		if !steady {
			f = p[0]
			if !(f > 0) {
				return math.Inf(-1), 0, nil
			}
			for i := range gain {
				gain[i] = p[i*r] / f
			}
		}
		sum += v * v / f
		logs += math.Log(f)
		if keep {
			state.residuals[t] = v
		}
		for i := range a {
			a[i] += gain[i] * v
		}
		for i := range next { // T·a
			next[i] = ph[i] * a[0]
			if i+1 < r {
				next[i] += a[i+1]
			}
		}
		a, next = next, a
		if steady {
			continue
		}
		for i := range r {
			for j := range r {
				q[i*r+j] = p[i*r+j] - gain[i]*p[j]
			}
		}
		at := func(i, j int) float64 {
			if i >= r || j >= r {
				return 0
			}
			return q[i*r+j]
		}
		change := 0.0
		for i := range r {
			for j := i; j < r; j++ {
				v := ph[i]*ph[j]*q[0] + ph[i]*at(0, j+1) + ph[j]*at(i+1, 0) + at(i+1, j+1) + rr[i]*rr[j]
				change = max(change, math.Abs(v-p[i*r+j]))
				p[i*r+j], p[j*r+i] = v, v
			}
		}
		steady = change < 1e-14
	}
	n := float64(len(m.w))
	sigma2 = sum / n
	if keep {
		state.a, state.p = a, p
	}
	return -n/2*(math.Log(2*math.Pi*sigma2)+1) - logs/2, sigma2, state
}

// stationaryVariance solves P = TPTᵀ + RRᵀ by doubling.
func stationaryVariance(phi, rr []float64) ([]float64, bool) {
	r := len(phi)
	a, p := mat.NewDense(r, r, nil), mat.NewDense(r, r, nil)
	for i := range r {
		a.Set(i, 0, phi[i])
		if i+1 < r {
			a.Set(i, i+1, 1)
		}
		for j := range r {
			p.Set(i, j, rr[i]*rr[j])
		}
	}
	var left, add, square mat.Dense
	for range 60 {
		left.Mul(a, p)
		add.Mul(&left, a.T())
		p.Add(p, &add)
		square.Mul(a, a)
		a.Copy(&square)
		size := mat.Norm(&add, 1)
		if math.IsNaN(size) || math.IsInf(size, 0) {
			return nil, false
		}
		if size <= 1e-16*mat.Norm(p, 1) {
			return p.RawMatrix().Data, true
		}
	}
	return nil, false
}

// errors computes the standard errors from the second derivatives of the log likelihood.
func (m *ARIMAModel) errors(c []float64, scale float64) {
	o, k := m.Order, len(c)
	var names []string
	for _, part := range []struct {
		name string
		n    int
	}{{"ar", o.P}, {"ma", o.Q}, {"sar", o.SP}, {"sma", o.SQ}} {
		for i := range part.n {
			names = append(names, part.name+strconv.Itoa(i+1))
		}
	}
	h := slices.Repeat([]float64{1e-4}, k)
	if o.Constant {
		names = append(names, "constant")
		h[k-1] = 1e-4 * scale
	}
	at := func(i, j int, si, sj float64) float64 {
		d := slices.Clone(c)
		d[i] += si * h[i]
		d[j] += sj * h[j]
		l, _, _ := m.likelihood(d, false)
		return l
	}
	info := mat.NewSymDense(max(k, 1), nil)
	for i := range k {
		for j := i; j < k; j++ {
			v := (at(i, j, 1, 1) - at(i, j, 1, -1) - at(i, j, -1, 1) + at(i, j, -1, -1)) / 4
			info.SetSym(i, j, -v)
		}
	}
	var chol mat.Cholesky
	var inv mat.SymDense
	ok := k > 0 && chol.Factorize(info) && chol.InverseTo(&inv) == nil
	z := -mathext.NormalQuantile(0.025)
	for i, name := range names {
		e := regress.Coefficient{Name: name, Estimate: c[i], StdErr: math.NaN()}
		if ok {
			e.StdErr = h[i] * math.Sqrt(inv.At(i, i))
		}
		e.Statistic = e.Estimate / e.StdErr
		e.P = math.Erfc(math.Abs(e.Statistic) / math.Sqrt2)
		e.Low, e.High = e.Estimate-z*e.StdErr, e.Estimate+z*e.StdErr
		m.Coefficients = append(m.Coefficients, e)
	}
}

// Forecast returns the expected values of the next h observations, with prediction bands of the
// given levels, by default 0.8 and 0.95. The bands ignore the uncertainty of the coefficients.
func (m *ARIMAModel) Forecast(h int, levels ...float64) (*Forecast, error) {
	const op = "ARIMAModel.Forecast"
	if h < 1 || h > 1_000_000 {
		return nil, model.Errorf(op, "the number of steps must be between 1 and 1,000,000, got %d", h)
	}
	o := m.Order
	var c []float64
	for _, e := range m.Coefficients {
		c = append(c, e.Estimate)
	}
	_, _, state := m.likelihood(c, true)
	r := len(state.a)
	ph, a := make([]float64, r), slices.Clone(state.a)
	copy(ph, m.phi)
	delta := []float64{1}
	times := func(lag int) {
		next := make([]float64, len(delta)+lag)
		for i, v := range delta {
			next[i] += v
			next[i+lag] -= v
		}
		delta = next
	}
	for range o.D {
		times(1)
	}
	for range o.SD {
		times(o.Period)
	}
	mean := make([]float64, h)
	past := slices.Clone(m.x)
	for t := range h {
		v := a[0] + m.mean
		for i, d := range delta[1:] {
			v -= d * past[len(past)-1-i]
		}
		past, mean[t] = append(past, v), v
		next := make([]float64, r)
		for i := range next {
			next[i] = ph[i] * a[0]
			if i+1 < r {
				next[i] += a[i+1]
			}
		}
		a = next
	}
	se := spread(state, ph, m.theta, delta, h)
	floats.Scale(math.Sqrt(m.Sigma2), se)
	return newForecast(op, o.String(), m.x, mean, se, levels)
}

// spread returns the standard errors of the next h values in units of σ. It propagates the
// covariance of the state and of the last values of the series step by step.
func spread(state *kalman, phi, theta, delta []float64, h int) []float64 {
	r, l := len(state.a), max(1, len(delta)-1)
	n := r + l
	a, c, q := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	noise := func(i int) float64 {
		switch {
		case i == 0:
			return 1
		case i <= len(theta):
			return theta[i-1]
		}
		return 0
	}
	for i := range r {
		a.Set(i, 0, phi[i])
		if i+1 < r {
			a.Set(i, i+1, 1)
		}
		for j := range r {
			c.Set(i, j, state.p[i*r+j])
			q.Set(i, j, noise(i)*noise(j))
		}
	}
	a.Set(r, 0, 1)
	for i, d := range delta[1:] {
		a.Set(r, r+i, -d)
	}
	for i := 1; i < l; i++ {
		a.Set(r+i, r+i-1, 1)
	}
	out := make([]float64, h)
	var left, next mat.Dense
	for t := range out {
		left.Mul(a, c)
		next.Mul(&left, a.T())
		c.Add(&next, q)
		out[t] = math.Sqrt(c.At(r, r))
	}
	return out
}

// Summary returns the summary of the model.
func (m *ARIMAModel) Summary() *report.ModelSummary {
	s := &report.ModelSummary{Title: m.Order.String()}
	s.Add("Observations", strconv.Itoa(len(m.x)))
	s.Add("After differencing", strconv.Itoa(m.N))
	s.Add("σ²", digits.Number(m.Sigma2))
	s.Add("Log likelihood", digits.Decimals(m.LogLikelihood, 3))
	s.Add("AIC", digits.Decimals(m.AIC, 2))
	s.Add("AICc", digits.Decimals(m.AICc, 2))
	s.Add("BIC", digits.Decimals(m.BIC, 2))
	t := report.SummaryTable{Head: []string{"", "coefficient", "std. error", "z", "P>|z|", "95 % from", "to"}}
	for _, c := range m.Coefficients {
		t.Rows = append(t.Rows, []string{c.Name, digits.Number(c.Estimate), digits.Number(c.StdErr), digits.Decimals(c.Statistic, 3),
			digits.P(c.P), digits.Number(c.Low), digits.Number(c.High)})
	}
	if len(t.Rows) > 0 {
		s.Tables = []report.SummaryTable{t}
	}
	if lags := min(10, m.N/5); lags > len(m.Coefficients) {
		if q, err := LjungBox(m.Residuals, lags, len(m.Coefficients)); err == nil {
			s.AddMore(fmt.Sprintf("Ljung-Box Q(%d)", lags), digits.Decimals(q.Statistic, 3))
			s.AddMore("P(Q)", digits.P(q.P))
		}
	}
	return s
}

// String returns the summary as text.
func (m *ARIMAModel) String() string { return m.Summary().String() }
