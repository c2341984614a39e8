package regress

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// OLS fits a linear model by ordinary least squares:
//
//	y = Xβ + ε,  β̂ = (XᵀX)⁻¹Xᵀy,  V(β̂) = s²(XᵀX)⁻¹,  s² = RSS/(n − k)
//
// The formula defines the columns of X, for example "mpg ~ wt + C(cyl)*log(hp)". Rows that lack a
// value are left out, and the summary reports how many. Standard errors assume that the noise has
// constant variance and is independent from row to row. See [RegressionModel.Robust],
// [RegressionModel.Clustered] and [RegressionModel.NeweyWest] for standard errors with weaker
// assumptions. If a column is a linear combination of other columns, OLS returns an error that
// names the column.
//
// Cost: O(n·k²).
//
// References: [HastieTibshiraniFriedman2009] §3.2.
func OLS(f *frame.Frame, formula string) (*RegressionModel, error) {
	return leastSquares("OLS", f, formula, "")
}

// WLS is [OLS] with a column of weights: the noise variance of a row is σ² divided by its weight. A
// row with a larger weight counts more. Rows of weight 0 are left out.
//
// References: [HastieTibshiraniFriedman2009] §3.2.
func WLS(f *frame.Frame, formula, weights string) (*RegressionModel, error) {
	if weights == "" {
		return nil, model.Errorf("WLS", "weights must be the name of a column, got an empty string").WithHint("write ml.WLS(f, \"y ~ x\", \"w\")")
	}
	return leastSquares("WLS", f, formula, weights)
}

func leastSquares(op string, f *frame.Frame, text, weights string) (*RegressionModel, error) {
	m, data, err := begin(op, f, text, formula.Numeric, weights)
	if err != nil {
		return nil, err
	}
	for i, o := range data.Offset {
		m.y[i] -= o
	}
	s, err := solve(op, m.x, m.y, m.w, m.design.Names)
	if err != nil {
		return nil, err
	}
	p := len(s.beta)
	if m.N == p {
		return nil, model.Errorf(op, "there must be more rows than coefficients (to estimate the noise), got %d of each", p).WithHint("use fewer terms")
	}
	m.bread, m.constant = s.v, s.constant
	rss := 0.0
	m.mu = make([]float64, m.N)
	for i := range m.mu {
		m.mu[i] = floats.Dot(m.x.RawRowView(i), s.beta)
		r := m.y[i] - m.mu[i]
		rss += m.weight(i) * r * r
	}
	m.DF = float64(m.N - p)
	m.DFModel = float64(p)
	if m.constant {
		m.DFModel--
	}
	m.Scale = rss / m.DF
	tss, logs := m.squares(), 0.0
	for i := range m.N {
		logs += math.Log(m.weight(i))
	}
	n := float64(m.N)
	m.R2 = 1 - rss/tss
	m.AdjR2 = 1 - (rss/m.DF)/(tss/(m.DF+m.DFModel))
	m.LogLikelihood = -n/2*(math.Log(2*math.Pi*rss/n)+1) + logs/2
	m.criteria(p)
	m.FDF = m.DF
	m.F, m.FP = math.NaN(), math.NaN()
	if m.DFModel > 0 {
		m.F = (tss - rss) / m.DFModel / m.Scale
		m.FP = tails.F(m.F, m.DFModel, m.DF)
	}
	m.Errors = "non-robust"
	m.useT, m.testDF = true, m.DF
	m.Covariance = mat.NewSymDense(p, nil)
	m.Covariance.ScaleSym(m.Scale, s.v)
	m.tests(s.beta)
	if data.Offset != nil {
		for i, o := range data.Offset {
			m.y[i] += o
			m.mu[i] += o
		}
	}
	if rss <= 1e-20*tss {
		m.Notes = append(m.Notes, "The fit is perfect: the standard errors show only rounding errors.")
	}
	if s.condition > 1e4 {
		m.Notes = append(m.Notes, "The columns are nearly dependent (condition number of standardized columns above 1e4): the coefficients are poorly determined.")
	}
	return m, nil
}

// squares returns the sum of squares of y about its mean, or about 0 if the columns do not span a
// constant.
func (m *RegressionModel) squares() float64 {
	mean, sum, tss := 0.0, 0.0, 0.0
	if m.constant {
		for i, v := range m.y {
			mean += m.weight(i) * v
			sum += m.weight(i)
		}
		mean /= sum
	}
	for i, v := range m.y {
		tss += m.weight(i) * (v - mean) * (v - mean)
	}
	return tss
}

func (m *RegressionModel) weight(i int) float64 {
	if m.w == nil {
		return 1
	}
	return m.w[i]
}

func (m *RegressionModel) criteria(k int) {
	m.AIC = 2*float64(k) - 2*m.LogLikelihood
	m.BIC = math.Log(float64(m.N))*float64(k) - 2*m.LogLikelihood
}

// begin parses the formula and reads the rows.
func begin(op string, f *frame.Frame, text string, left formula.Response, weights string) (*RegressionModel, *formula.Data, error) {
	spec, err := formula.Parse(op, text)
	if err != nil {
		return nil, nil, err
	}
	if len(spec.Random) > 0 {
		return nil, nil, model.Errorf(op, "formula %q must not have random effects", text).WithHint("fit it with ml.MixedModel")
	}
	var w []float64
	var gone []bool
	if weights != "" {
		if w, gone, err = weightsOf(op, f, weights); err != nil {
			return nil, nil, err
		}
	}
	d, data, err := spec.New(f, left, gone)
	if err != nil {
		return nil, nil, err
	}
	m := &RegressionModel{Method: op, Formula: text, Level: 0.95, N: len(data.Rows), Dropped: data.Dropped, design: d,
		x: data.X, y: data.Y, offset: data.Offset, rows: data.Rows, total: f.Len(), success: data.Success}
	if w != nil {
		m.w = make([]float64, m.N)
		for k, r := range data.Rows {
			m.w[k] = w[r]
		}
	}
	return m, data, nil
}

// weightsOf reads a column of weights; rows with a zero or missing weight are left out.
func weightsOf(op string, f *frame.Frame, name string) (w []float64, gone []bool, err error) {
	if f == nil || !f.Has(name) {
		return nil, nil, model.Errorf(op, "the frame has no column %q for the weights", name)
	}
	c := f.Col(name)
	if k := c.Kind(); k != frame.FloatKind && k != frame.IntKind && k != frame.BoolKind {
		return nil, nil, model.Errorf(op, "column %q must be numeric to be weights, got kind %v", name, k).WithHint("pass a column of numbers of 0 or more")
	}
	w, gone = c.Floats(), make([]bool, c.Len())
	for i, v := range w {
		if v < 0 || math.IsInf(v, 0) {
			return nil, nil, model.Errorf(op, "the weight in row %d must be finite and not negative, got %v", i, v)
		}
		gone[i] = !(v > 0)
	}
	return w, gone, nil
}

// ModelDiagnostics are checks of the residuals of a least-squares fit.
type ModelDiagnostics struct {
	DurbinWatson            float64 // near 2 if neighboring rows are uncorrelated, below with positive correlation
	Skewness, Kurtosis      float64 // 0 and 3 for a Gaussian
	JarqueBera, JarqueBeraP float64 // test of Gaussian residuals by skewness and kurtosis
	Condition               float64 // ratio of the largest to the smallest singular value of the columns
}

// Diagnostics returns checks of the residuals.
//
// References: [DurbinWatson1950], [JarqueBera1980].
func (m *RegressionModel) Diagnostics() ModelDiagnostics {
	m.mustRows("RegressionModel.Diagnostics")
	r := make([]float64, m.N)
	num, den := 0.0, 0.0
	for i := range r {
		r[i] = (m.y[i] - m.mu[i]) * math.Sqrt(m.weight(i))
		if i > 0 {
			num += (r[i] - r[i-1]) * (r[i] - r[i-1])
		}
		den += r[i] * r[i]
	}
	n := float64(m.N)
	mean := floats.Sum(r) / n
	var m2, m3, m4 float64
	for _, v := range r {
		d := v - mean
		m2 += d * d / n
		m3 += d * d * d / n
		m4 += d * d * d * d / n
	}
	d := ModelDiagnostics{DurbinWatson: num / den, Skewness: m3 / math.Pow(m2, 1.5), Kurtosis: m4 / (m2 * m2)}
	d.JarqueBera = n / 6 * (d.Skewness*d.Skewness + (d.Kurtosis-3)*(d.Kurtosis-3)/4)
	d.JarqueBeraP = tails.ChiSquared(d.JarqueBera, 2)
	x := mat.DenseCopyOf(m.x)
	for i := range m.N {
		floats.Scale(math.Sqrt(m.weight(i)), x.RawRowView(i))
	}
	var svd mat.SVD
	if svd.Factorize(x, mat.SVDNone) {
		v := svd.Values(nil)
		d.Condition = v[0] / slices.Min(v)
	}
	return d
}
