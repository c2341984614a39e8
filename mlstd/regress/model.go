package regress

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/digits"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/report"
)

// RegressionModel is a regression model that was fitted to a frame by [OLS], [WLS], [GLM] or one of
// the functions for a single family, such as [LogitModel]. Its methods do not change the model.
//
// The model keeps the rows that it was fitted to, because residuals and robust standard errors need
// the rows. [RegressionModel.WithoutRows] returns a smaller copy that can only predict and show its
// summary.
type RegressionModel struct {
	Method       string // "OLS", "WLS", "GLM" or "negative binomial"
	Formula      string
	Family, Link string        // for a generalized linear model
	Coefficients []Coefficient // in the order of the formula
	Level        float64       // of the intervals
	Errors       string        // how the standard errors were estimated
	Covariance   *mat.SymDense // of the coefficients

	N       int     // rows of the fit
	Dropped int     // rows that lack a value
	DF      float64 // residual degrees of freedom
	DFModel float64 // coefficients without the intercept

	R2, AdjR2      float64 // for least squares; uncentered if there is no intercept
	F, FP          float64 // for least squares: test of all terms together, and its P
	FDF            float64 // degrees of freedom of the denominator of F
	Scale          float64 // the variance of the noise, or the dispersion of a family
	LogLikelihood  float64
	NullLikelihood float64 // log likelihood of the intercept-only model
	LR, LRP        float64 // for a generalized linear model: 2(log L − log L₀), and its P
	AIC, BIC       float64
	Deviance       float64 // for a generalized linear model
	NullDeviance   float64
	PearsonChi2    float64
	Steps          int // iterations of the fit
	Notes          []string

	design   *formula.Design
	fam      string // name of the family of a GLM
	alpha    float64
	bread    *mat.SymDense // (XᵀWX)⁻¹
	x        *mat.Dense
	y, w     []float64 // weights are nil without any
	offset   []float64
	mu       []float64 // fitted values
	rows     []int     // of the frame
	total    int       // rows of the frame
	success  string
	constant bool // the columns span a constant
	useT     bool
	testDF   float64 // of t
}

// Coefficient is a row of the coefficient table of a fitted model.
type Coefficient struct {
	Name      string
	Estimate  float64
	StdErr    float64
	Statistic float64 // t or z: the estimate divided by its standard error
	P         float64 // two-sided
	Low, High float64 // the interval
}

// Coef returns the coefficient with the given name, as in the summary.
func (m *RegressionModel) Coef(name string) Coefficient {
	for _, c := range m.Coefficients {
		if c.Name == name {
			return c
		}
	}
	panic(model.Errorf("RegressionModel.Coef", "there is no coefficient %q", name).WithHint("use one of %v", m.Names()))
}

// Names returns the names of the coefficients.
func (m *RegressionModel) Names() []string {
	out := make([]string, len(m.Coefficients))
	for i, c := range m.Coefficients {
		out[i] = c.Name
	}
	return out
}

func (m *RegressionModel) beta() []float64 {
	out := make([]float64, len(m.Coefficients))
	for i, c := range m.Coefficients {
		out[i] = c.Estimate
	}
	return out
}

// tests computes the standard errors, tests and intervals from the coefficients and their
// covariance.
func (m *RegressionModel) tests(beta []float64) {
	names := m.design.Names
	if m.Coefficients != nil {
		names = m.Names()
	}
	m.Coefficients = make([]Coefficient, len(beta))
	q := m.critical(m.Level)
	for j, b := range beta {
		c := Coefficient{Name: names[j], Estimate: b, StdErr: math.Sqrt(m.Covariance.At(j, j))}
		c.Statistic = b / c.StdErr
		c.P = m.twoSided(c.Statistic)
		c.Low, c.High = b-q*c.StdErr, b+q*c.StdErr
		m.Coefficients[j] = c
	}
}

func (m *RegressionModel) critical(level float64) float64 {
	if m.useT {
		return tails.QuantileT((1-level)/2, m.testDF)
	}
	return -mathext.NormalQuantile((1 - level) / 2)
}

func (m *RegressionModel) twoSided(z float64) float64 {
	if m.useT {
		return tails.TwoSidedT(z, m.testDF)
	}
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}

func mustLevel(op string, level float64) {
	if !(level > 0 && level < 1) {
		panic(model.Errorf(op, "the level must be between 0 and 1, got %v", level).WithHint("choose a level such as 0.95"))
	}
}

// At returns a copy of the model whose intervals have the given confidence level.
func (m *RegressionModel) At(level float64) *RegressionModel {
	mustLevel("RegressionModel.At", level)
	out := *m
	out.Level = level
	out.tests(m.beta())
	return &out
}

// WithoutRows returns a copy of the model without the rows that the model was fitted to. The copy
// is smaller when you save it, and can still predict and show its summary.
func (m *RegressionModel) WithoutRows() *RegressionModel {
	out := *m
	out.x, out.y, out.w, out.offset, out.mu, out.rows = nil, nil, nil, nil, nil, nil
	return &out
}

func (m *RegressionModel) mustRows(op string) {
	if m.x == nil {
		panic(model.Errorf(op, "the model must keep its rows, but WithoutRows removed them").WithHint("call this method on the model before WithoutRows"))
	}
}

// column returns values for the rows of the fit as a column for the frame of the fit. Rows that
// were left out are missing.
func (m *RegressionModel) column(name string, v []float64) *frame.Column {
	out := slices.Repeat([]float64{math.NaN()}, m.total)
	for k, r := range m.rows {
		out[r] = v[k]
	}
	return frame.FloatColumn(name, out)
}

// FittedValues returns the predictions for all rows of the frame that the model was fitted to. The
// prediction is missing for rows that lack a value.
func (m *RegressionModel) FittedValues() *frame.Column {
	m.mustRows("RegressionModel.FittedValues")
	return m.column("fitted", m.mu)
}

// Residuals returns the residuals of the rows of the fit. The kinds are "response" (y − μ, the
// default), "pearson" (y − μ divided by the standard deviation of the family) and "deviance" (the
// signed root of the row's contribution to the deviance). Least squares also has "standardized": y
// − μ divided by the residual's own standard deviation s·√(1 − h).
func (m *RegressionModel) Residuals(kind ...string) *frame.Column {
	const op = "RegressionModel.Residuals"
	m.mustRows(op)
	which := "response"
	if len(kind) > 0 {
		which = kind[0]
	}
	out := make([]float64, m.N)
	fam := m.family()
	var h []float64
	if which == "standardized" {
		h = m.hat()
	}
	for i := range out {
		r, w := m.y[i]-m.mu[i], 1.0
		if m.w != nil {
			w = m.w[i]
		}
		switch which {
		case "response":
			out[i] = r
		case "pearson":
			out[i] = r * math.Sqrt(w/fam.variance(m.mu[i]))
		case "deviance":
			out[i] = math.Copysign(math.Sqrt(w*max(0, fam.deviance(m.y[i], m.mu[i]))), r)
		case "standardized":
			out[i] = r * math.Sqrt(w/(fam.variance(m.mu[i])*m.Scale*(1-h[i])))
		default:
			panic(model.Errorf(op, "the residuals must be response, pearson, deviance or standardized, got %q", which))
		}
	}
	return m.column(which+" residual", out)
}

// Predict returns one prediction for each row of a frame. It finds the columns of the frame by
// name. A prediction is the mean of y, which for a binary y is the probability that y is 1. A row
// that lacks a value has a missing prediction. Predict returns an error if the frame lacks a column
// of the formula or has a level that the fit did not see.
func (m *RegressionModel) Predict(f *frame.Frame) (*frame.Column, error) {
	const op = "RegressionModel.Predict"
	x, offset, err := m.design.Apply(op, f)
	if err != nil {
		return nil, err
	}
	link := m.link()
	out := make([]float64, f.Len())
	beta := m.linear()
	for i := range out {
		eta := floats.Dot(x.RawRowView(i), beta)
		if offset != nil {
			eta += offset[i]
		}
		out[i] = link.inverse(eta)
	}
	return frame.FloatColumn("prediction", out), nil
}

// linear returns the coefficients of the columns, without other parameters.
func (m *RegressionModel) linear() []float64 { return m.beta()[:len(m.design.Names)] }

// Intervals returns a frame with the prediction for each row and the confidence interval of the
// mean of y (low and high), at the confidence level of the model. For least squares, the frame also
// has the wider prediction interval of a new y (from and to). For a generalized linear model, the
// intervals of the linear predictor are transformed by the inverse link.
func (m *RegressionModel) Intervals(f *frame.Frame) (*frame.Frame, error) {
	const op = "RegressionModel.Intervals"
	x, offset, err := m.design.Apply(op, f)
	if err != nil {
		return nil, err
	}
	link, beta, q := m.link(), m.linear(), m.critical(m.Level)
	n, p := x.Dims()
	cols := make([][]float64, 5)
	for k := range cols {
		cols[k] = make([]float64, n)
	}
	v := m.Covariance.SliceSym(0, p).(*mat.SymDense)
	for i := range n {
		row := x.RawRowView(i)
		eta := floats.Dot(row, beta)
		if offset != nil {
			eta += offset[i]
		}
		r := mat.NewVecDense(p, row)
		se := math.Sqrt(mat.Inner(r, v, r))
		lo, hi := link.inverse(eta-q*se), link.inverse(eta+q*se)
		cols[0][i], cols[1][i], cols[2][i] = link.inverse(eta), min(lo, hi), max(lo, hi)
		wide := q * math.Sqrt(se*se+m.Scale)
		cols[3][i], cols[4][i] = eta-wide, eta+wide
	}
	names := []string{"prediction", "low", "high", "from", "to"}
	if m.fam != "" {
		names = names[:3]
	}
	var out []*frame.Column
	for k, name := range names {
		out = append(out, frame.FloatColumn(name, cols[k]))
	}
	return frame.New(out...)
}

// coefTable is the table of coefficients of a summary.
func coefTable(coefs []Coefficient, stat string, level float64) report.SummaryTable {
	pc := digits.Percent(level)
	t := report.SummaryTable{Head: []string{"", "coefficient", "std. error", stat, "P>|" + stat + "|", pc + " from", "to"}}
	for _, c := range coefs {
		t.Rows = append(t.Rows, []string{c.Name, digits.Number(c.Estimate), digits.Number(c.StdErr), digits.Decimals(c.Statistic, 3),
			digits.P(c.P), digits.Number(c.Low), digits.Number(c.High)})
	}
	return t
}

func count(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Summary returns the summary of the model, which has the methods String, HTML and LaTeX.
func (m *RegressionModel) Summary() *report.ModelSummary {
	s := &report.ModelSummary{Title: m.Method + ": " + m.Formula}
	s.Add("Observations", strconv.Itoa(m.N))
	s.Add("Residual df", count(m.DF))
	s.Add("Model df", count(m.DFModel))
	s.Add("Standard errors", m.Errors)
	if m.fam == "" {
		s.Add("R²", digits.Number(m.R2))
		s.Add("Adjusted R²", digits.Number(m.AdjR2))
		if !math.IsNaN(m.F) {
			s.Add(fmt.Sprintf("F(%s, %s)", count(m.DFModel), count(m.FDF)), digits.Decimals(m.F, 3))
			s.Add("P(F)", digits.P(m.FP))
		}
		s.Add("Residual std. error", digits.Number(math.Sqrt(m.Scale)))
	} else {
		s.Add("Family", m.Family)
		s.Add("Link", m.Link)
		if m.NullLikelihood != 0 && !math.IsNaN(m.NullLikelihood) {
			s.Add("Pseudo R² (McFadden)", digits.Number(1-m.LogLikelihood/m.NullLikelihood))
			s.Add(fmt.Sprintf("LR χ²(%s)", count(m.DFModel)), digits.Decimals(m.LR, 3))
			s.Add("P(LR)", digits.P(m.LRP))
		}
		s.Add("Deviance", digits.Decimals(m.Deviance, 3))
		s.Add("Null deviance", digits.Decimals(m.NullDeviance, 3))
		s.Add("Pearson χ²", digits.Decimals(m.PearsonChi2, 3))
		s.Add("Dispersion", digits.Number(m.Scale))
		s.Add("Iterations", strconv.Itoa(m.Steps))
	}
	s.Add("Log likelihood", digits.Decimals(m.LogLikelihood, 3))
	s.Add("AIC", digits.Decimals(m.AIC, 2))
	s.Add("BIC", digits.Decimals(m.BIC, 2))
	stat := "z"
	if m.useT {
		stat = "t"
	}
	s.Tables = []report.SummaryTable{coefTable(m.Coefficients, stat, m.Level)}
	if m.fam == "" && m.x != nil {
		d := m.Diagnostics()
		s.AddMore("Durbin-Watson", digits.Decimals(d.DurbinWatson, 3))
		s.AddMore("Skewness", digits.Decimals(d.Skewness, 3))
		s.AddMore("Kurtosis", digits.Decimals(d.Kurtosis, 3))
		s.AddMore("Jarque-Bera", digits.Decimals(d.JarqueBera, 3))
		s.AddMore("P(Jarque-Bera)", digits.P(d.JarqueBeraP))
		s.AddMore("Condition number", digits.Decimals(d.Condition, 1))
	}
	if m.success != "" {
		s.Notes = append(s.Notes, fmt.Sprintf("The model is of the probability of %q.", m.success))
	}
	if m.Dropped > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d rows lack a value and are left out.", m.Dropped, m.total))
	}
	s.Notes = append(s.Notes, m.Notes...)
	return s
}

// String returns the summary as text.
func (m *RegressionModel) String() string { return m.Summary().String() }
