package survival

import (
	"fmt"
	"math"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/digits"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/report"
)

// CoxModel is a fitted proportional hazards regression.
type CoxModel struct {
	Formula        string
	Coefficients   []regress.Coefficient // logarithms of hazard ratios
	Covariance     *mat.SymDense
	N, Events      int
	Dropped        int
	LogLikelihood  float64 // partial
	NullLikelihood float64
	LR, LRP        float64 // 2(log L − log L₀) and its P
	Wald, WaldP    float64
	Score, ScoreP  float64
	Concordance    float64   // fraction of the pairs that the model orders as their events happened
	Steps          int       // iterations of Newton's method
	BaselineTime   []float64 // times of events
	BaselineHazard []float64 // cumulative, at the means of the columns

	design *formula.Design
	mean   []float64
	total  int
}

// Cox fits a proportional hazards regression to censored times:
//
//	h(t | x) = h₀(t)·e^(xβ)
//
// by maximizing the partial likelihood, with Efron's treatment of ties. The exponential of a
// coefficient is a hazard ratio. The formula is "Surv(time, event) ~ age + C(treatment)"; it has no
// intercept. The model assumes that hazards are proportional at all times.
//
// Cost: O(n·k²) per iteration of Newton's method.
//
// References: [Cox1972], [Efron1977], [KalbfleischPrentice2002].
func Cox(f *frame.Frame, text string) (*CoxModel, error) {
	const op = "Cox"
	s, err := formula.Parse(op, text)
	if err != nil {
		return nil, err
	}
	if len(s.Terms) == 0 {
		return nil, model.Errorf(op, "formula %q must have a term", text).WithHint("add a term, or use ml.KaplanMeier, which needs none")
	}
	if len(s.Random) > 0 {
		return nil, model.Errorf(op, "formula %q must not have random effects", text)
	}
	time, event, gone, err := times(op, s, f)
	if err != nil {
		return nil, err
	}
	s.Intercept = true // for the contrasts
	d, data, err := s.New(f, formula.None, gone)
	if err != nil {
		return nil, err
	}
	n, p := data.X.Dims()
	p--
	m := &CoxModel{Formula: text, N: n, Dropped: data.Dropped, design: d, mean: make([]float64, p), total: f.Len()}
	z := &partial{x: mat.NewDense(n, p, nil), time: make([]float64, n), event: make([]bool, n), offset: make([]float64, n)}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return time[data.Rows[order[a]]] < time[data.Rows[order[b]]] })
	for i := range n {
		for j := range p {
			m.mean[j] += data.X.At(i, j+1) / float64(n)
		}
	}
	for k, i := range order {
		r := data.Rows[i]
		z.time[k], z.event[k] = time[r], event[r]
		floats.SubTo(z.x.RawRowView(k), data.X.RawRowView(i)[1:], m.mean)
		if data.Offset != nil {
			z.offset[k] = data.Offset[i]
		}
		if event[r] {
			m.Events++
		}
	}
	if m.Events == 0 {
		return nil, model.Errorf(op, "at least one of the %d rows must have an event", n)
	}
	beta, info, err := m.maximize(op, z)
	if err != nil {
		return nil, err
	}
	q := -mathext.NormalQuantile(0.025)
	m.Covariance = info
	for j, name := range d.Names[1:] {
		c := regress.Coefficient{Name: name, Estimate: beta[j], StdErr: math.Sqrt(info.At(j, j))}
		c.Statistic = c.Estimate / c.StdErr
		c.P = math.Erfc(math.Abs(c.Statistic) / math.Sqrt2)
		c.Low, c.High = c.Estimate-q*c.StdErr, c.Estimate+q*c.StdErr
		m.Coefficients = append(m.Coefficients, c)
	}
	m.LR = 2 * (m.LogLikelihood - m.NullLikelihood)
	k := float64(p)
	m.LRP, m.WaldP, m.ScoreP = tails.ChiSquared(m.LR, k), tails.ChiSquared(m.Wald, k), tails.ChiSquared(m.Score, k)
	m.Concordance = z.concordance(beta)
	m.BaselineTime, m.BaselineHazard = z.baseline(beta)
	return m, nil
}

// partial holds the data of the partial likelihood, with rows sorted by time.
type partial struct {
	x      *mat.Dense
	time   []float64
	event  []bool
	offset []float64
}

// maximize computes the coefficients by Newton's method with step halving, and their covariance.
func (m *CoxModel) maximize(op string, z *partial) ([]float64, *mat.SymDense, error) {
	_, p := z.x.Dims()
	beta := make([]float64, p)
	value, grad, info := z.at(beta)
	m.NullLikelihood = value
	var control model.Control
	run := control.Begin(op, 100)
	defer run.End()
	unit := make([]float64, p)
	for k := 1; ; k++ {
		scaled := mat.NewSymDense(p, nil)
		for i := range p {
			if unit[i] = math.Sqrt(info.At(i, i)); !(unit[i] > 0) {
				return nil, nil, model.Errorf(op, "column %s must vary among the rows at risk", m.design.Names[i+1]).WithHint("remove its term from the formula")
			}
		}
		for i := range p {
			for j := i; j < p; j++ {
				scaled.SetSym(i, j, info.At(i, j)/unit[i]/unit[j])
			}
		}
		var c mat.Cholesky
		if !c.Factorize(scaled) || c.Cond() > 1e12 {
			return nil, nil, model.Errorf(op, "the columns must be linearly independent, and every coefficient finite").WithHint("remove terms from the formula")
		}
		step := make([]float64, p)
		for i := range p {
			step[i] = grad[i] / unit[i]
		}
		sv := mat.NewVecDense(p, step)
		if err := c.SolveVecTo(sv, sv); err != nil && math.IsInf(c.Cond(), 1) {
			return nil, nil, model.Errorf(op, "the columns must be linearly independent").WithHint("remove terms from the formula")
		}
		floats.Div(step, unit)
		drop := floats.Dot(step, grad)
		if k == 1 {
			m.Score = drop
		}
		next := make([]float64, p)
		t := 1.0
		var v float64
		for range 40 {
			floats.AddScaledTo(next, beta, t, step)
			var g []float64
			var in *mat.SymDense
			if v, g, in = z.at(next); v >= value-1e-12*math.Abs(value) {
				grad, info = g, in
				break
			}
			t /= 2
		}
		copy(beta, next)
		if err := run.Step(k, -v); err != nil {
			return nil, nil, err
		}
		value = v
		if drop < 1e-14*(1+math.Abs(value)) || k == 100 {
			m.LogLikelihood, m.Steps = value, k
			for i := range p {
				unit[i] = math.Sqrt(info.At(i, i))
				for j := i; j < p; j++ {
					scaled.SetSym(i, j, info.At(i, j)/math.Sqrt(info.At(i, i))/math.Sqrt(info.At(j, j)))
				}
			}
			var last mat.Cholesky
			out := mat.NewSymDense(p, nil)
			if k == 100 || !last.Factorize(scaled) || last.InverseTo(out) != nil {
				return nil, nil, model.Errorf(op, "a coefficient grows without bound, because a category has no event or the terms predict the order of the events perfectly").
					WithHint("remove terms from the formula, or join categories")
			}
			for i := range p {
				m.Wald += beta[i] * info.At(i, i) * beta[i]
				for j := i + 1; j < p; j++ {
					m.Wald += 2 * beta[i] * info.At(i, j) * beta[j]
				}
				for j := i; j < p; j++ {
					out.SetSym(i, j, out.At(i, j)/unit[i]/unit[j])
				}
			}
			for i := range p {
				if math.Abs(beta[i])*math.Sqrt(m.columnVariance(z, i)) > 20 {
					return nil, nil, model.Errorf(op, "the coefficient of %s grows without bound, because a category has no event or the terms predict the order of the events perfectly", m.design.Names[i+1]).
						WithHint("remove its term from the formula, or join categories")
				}
			}
			return beta, out, nil
		}
	}
}

func (m *CoxModel) columnVariance(z *partial, j int) float64 {
	n, _ := z.x.Dims()
	s := 0.0
	for i := range n {
		s += z.x.At(i, j) * z.x.At(i, j) / float64(n)
	}
	return s
}

// at returns the log partial likelihood, its gradient and its negative second derivatives.
func (z *partial) at(beta []float64) (value float64, grad []float64, info *mat.SymDense) {
	n, p := z.x.Dims()
	grad, info = make([]float64, p), mat.NewSymDense(p, nil)
	eta, top := make([]float64, n), math.Inf(-1)
	for i := range n {
		eta[i] = floats.Dot(z.x.RawRowView(i), beta) + z.offset[i]
		top = max(top, eta[i])
	}
	// sums over those at risk, from the last time on
	s0, s1, s2 := 0.0, make([]float64, p), make([]float64, p*p)
	d1, d2 := make([]float64, p), make([]float64, p*p)
	for hi := n; hi > 0; {
		lo := hi
		d0, d := 0.0, 0
		clear(d1)
		clear(d2)
		for lo > 0 && z.time[lo-1] == z.time[hi-1] {
			lo--
			row, w := z.x.RawRowView(lo), math.Exp(eta[lo]-top)
			s0 += w
			for a, v := range row {
				s1[a] += w * v
				for b := a; b < p; b++ {
					s2[a*p+b] += w * v * row[b]
				}
			}
			if z.event[lo] {
				d++
				value += eta[lo] - top
				floats.Add(grad, row)
				d0 += w
				for a, v := range row {
					d1[a] += w * v
					for b := a; b < p; b++ {
						d2[a*p+b] += w * v * row[b]
					}
				}
			}
		}
		for k := range d { // Efron: the tied events leave one after another
			f := float64(k) / float64(d)
			c := s0 - f*d0
			value -= math.Log(c)
			for a := range p {
				ma := (s1[a] - f*d1[a]) / c
				grad[a] -= ma
				for b := a; b < p; b++ {
					info.SetSym(a, b, info.At(a, b)+(s2[a*p+b]-f*d2[a*p+b])/c-ma*(s1[b]-f*d1[b])/c)
				}
			}
		}
		hi = lo
	}
	if math.IsNaN(value) {
		value = math.Inf(-1)
	}
	return value, grad, info
}

// baseline is Breslow's estimate of the cumulative hazard.
func (z *partial) baseline(beta []float64) (times, hazard []float64) {
	n, _ := z.x.Dims()
	risk := make([]float64, n+1)
	for i := n - 1; i >= 0; i-- {
		risk[i] = risk[i+1] + math.Exp(floats.Dot(z.x.RawRowView(i), beta)+z.offset[i])
	}
	sum := 0.0
	for i := 0; i < n; {
		j, d := i, 0.0
		for ; j < n && z.time[j] == z.time[i]; j++ {
			if z.event[j] {
				d++
			}
		}
		if d > 0 {
			sum += d / risk[i]
			times, hazard = append(times, z.time[i]), append(hazard, sum)
		}
		i = j
	}
	return times, hazard
}

// concordance is the fraction of comparable pairs whose predicted risks are in the order of their
// times. Pairs with equal risks count one half.
func (z *partial) concordance(beta []float64) float64 {
	n, _ := z.x.Dims()
	eta := make([]float64, n)
	for i := range n {
		eta[i] = floats.Dot(z.x.RawRowView(i), beta) + z.offset[i]
	}
	good, all := 0.0, 0.0
	for i := range n {
		if !z.event[i] {
			continue
		}
		for j := range n {
			if z.time[j] > z.time[i] || z.time[j] == z.time[i] && !z.event[j] {
				all++
				switch {
				case eta[i] > eta[j]:
					good++
				case eta[i] == eta[j]:
					good += 0.5
				}
			}
		}
	}
	return good / all
}

// Predict returns the hazard of each row of a frame relative to a row in which each column has its
// mean. Predict returns an error if the frame lacks a column of the formula or has a level that the
// fit did not see.
func (m *CoxModel) Predict(f *frame.Frame) (*frame.Column, error) {
	const op = "CoxModel.Predict"
	x, offset, err := m.design.Apply(op, f)
	if err != nil {
		return nil, err
	}
	out := make([]float64, f.Len())
	for i := range out {
		eta := 0.0
		for j, c := range m.Coefficients {
			eta += c.Estimate * (x.At(i, j+1) - m.mean[j])
		}
		if offset != nil {
			eta += offset[i]
		}
		out[i] = math.Exp(eta)
	}
	return frame.FloatColumn("relative hazard", out), nil
}

// Survival returns, for each row of a frame, the predicted probability of surviving a time:
//
//	S(t | x) = exp(−H₀(t)·e^(xβ)), H₀ by Breslow
func (m *CoxModel) Survival(f *frame.Frame, time float64) (*frame.Column, error) {
	r, err := m.Predict(f)
	if err != nil {
		return nil, err
	}
	h := 0.0
	for i, t := range m.BaselineTime {
		if t <= time {
			h = m.BaselineHazard[i]
		}
	}
	v := r.Floats()
	for i := range v {
		v[i] = math.Exp(-h * v[i])
	}
	return frame.FloatColumn("survival", v), nil
}

// Summary returns the summary of the model.
func (m *CoxModel) Summary() *report.ModelSummary {
	s := &report.ModelSummary{Title: "Cox regression: " + m.Formula}
	s.Add("Observations", strconv.Itoa(m.N))
	s.Add("Events", strconv.Itoa(m.Events))
	s.Add("Log partial likelihood", digits.Decimals(m.LogLikelihood, 3))
	s.Add("Concordance", digits.Number(m.Concordance))
	k := len(m.Coefficients)
	s.Add(fmt.Sprintf("LR χ²(%d)", k), digits.Decimals(m.LR, 3))
	s.Add("P(LR)", digits.P(m.LRP))
	s.Add(fmt.Sprintf("Wald χ²(%d)", k), digits.Decimals(m.Wald, 3))
	s.Add("P(Wald)", digits.P(m.WaldP))
	s.Add(fmt.Sprintf("Score χ²(%d)", k), digits.Decimals(m.Score, 3))
	s.Add("P(score)", digits.P(m.ScoreP))
	t := report.SummaryTable{Head: []string{"", "coefficient", "hazard ratio", "std. error", "z", "P>|z|", "ratio from", "to"}}
	for _, c := range m.Coefficients {
		t.Rows = append(t.Rows, []string{c.Name, digits.Number(c.Estimate), digits.Number(math.Exp(c.Estimate)), digits.Number(c.StdErr),
			digits.Decimals(c.Statistic, 3), digits.P(c.P), digits.Number(math.Exp(c.Low)), digits.Number(math.Exp(c.High))})
	}
	s.Tables = []report.SummaryTable{t}
	if m.Dropped > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d rows lack a value and are left out.", m.Dropped, m.total))
	}
	s.Notes = append(s.Notes, "Ties are treated by Efron's method.")
	return s
}

// String returns the summary as text.
func (m *CoxModel) String() string { return m.Summary().String() }
