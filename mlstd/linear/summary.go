package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// RegressionSummary holds the standard errors, tests and confidence intervals of a least-squares
// fit. These quantities assume independent Gaussian noise of constant variance.
//
//	s² = RSS/(n − k),  V = s²·(XᵀX)⁻¹,  tⱼ = θⱼ/√Vⱼⱼ
//
// k counts the coefficients and the intercept. P is the probability, under the null hypothesis that
// the true coefficient is 0, of a t at least as far from 0 as the observed t. The interval θⱼ ±
// t_{n−k}·√Vⱼⱼ covers the true coefficient in the fraction Level of all samples. With correlated
// columns, the standard errors grow. It is then possible that no single coefficient is significant
// although the F test shows that the coefficients are jointly significant.
//
// Cost: O(n·d²).
//
// References: [HastieTibshiraniFriedman2009] §3.2. Course: LIN-01, LIN-03.
type RegressionSummary struct {
	Terms         []SummaryTerm
	Level         float64 // confidence level of the intervals, by default 0.95
	N, DF         int     // examples (of weight > 0), and n − k
	Sigma         float64 // s, an estimate of the standard deviation of the noise
	R2, AdjR2     float64 // without an intercept, of the variation of y about 0 instead of its mean
	F, FP         float64 // of all columns together, and its P
	LogLikelihood float64 // in nats, at the variance RSS/n
	AIC, BIC      float64 // 2k − 2·log L and k·log n − 2·log L

	mean  []float64     // of the columns; nil without an intercept
	v     *mat.SymDense // (XᵀX)⁻¹ of the centered columns
	total float64       // the sum of the weights
	coef  []float64
	base  float64 // the intercept

	columns model.Fitted // of the model
}

// SummaryTerm is the row of a [RegressionSummary] for one coefficient.
type SummaryTerm struct {
	Name      string // of the column; "intercept", which comes first
	Coef      float64
	StdErr    float64
	T, P      float64
	Low, High float64 // the interval
}

// PredictionInterval is the prediction of a [RegressionSummary] for one row, with its
// intervals.
type PredictionInterval struct {
	Prediction float64
	StdErr     float64 // of the prediction
	Low, High  float64 // of the mean of y there
	From, To   float64 // of a new y there
}

// Summary returns standard errors, tests and confidence intervals of the coefficients. Pass the x
// and y that the model was fitted to. For a fit with weights, use
// [LinearRegression.SummaryWeighted].
//
// Course: LIN-01, LIN-03.
func (l *LinearRegression) Summary(x mat.Matrix, y []float64) (*RegressionSummary, error) {
	x, err := model.Read("LinearRegression.Summary", &l.Fitted, x)
	if err != nil {
		return nil, err
	}
	return l.summary("LinearRegression.Summary", x, y, nil)
}

// SummaryWeighted is [LinearRegression.Summary] for a fit with weights. It assumes that the
// variance of an example's noise is σ² divided by its weight.
//
// Course: LIN-01, LIN-03.
func (l *LinearRegression) SummaryWeighted(x mat.Matrix, y, weights []float64) (*RegressionSummary, error) {
	const op = "LinearRegression.SummaryWeighted"
	x, err := model.Read(op, &l.Fitted, x)
	if err != nil {
		return nil, err
	}
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return nil, err
	}
	return l.summary(op, x, y, weights)
}

func (l *LinearRegression) summary(op string, x mat.Matrix, y, weights []float64) (*RegressionSummary, error) {
	if l.Coef == nil {
		return nil, model.NotFitted(op)
	}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return nil, err
	}
	n, p := d.Dims()
	if p != len(l.Coef) {
		return nil, model.Errorf(op, "x must have %d columns, as in Fit, got %d", len(l.Coef), p).WithHint("pass the training data")
	}
	names := make([]string, p)
	for j, c := range model.ColumnsOf(x) {
		names[j] = c.Name
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	} else {
		kept := positive(weights)
		d, y, weights = pick.Rows(d, kept), pick.Of(y, kept), pick.Of(weights, kept)
		n = len(y)
	}
	k := stride(p, !l.NoIntercept)
	if n <= k {
		return nil, model.Errorf(op, "there must be more examples than coefficients, got %d and %d", n, k)
	}
	s := &RegressionSummary{N: n, DF: n - k, total: floats.Sum(weights), coef: slices.Clone(l.Coef), base: l.Intercept, columns: l.Fitted}
	if err := s.solve(op, d, y, weights, !l.NoIntercept); err != nil {
		return nil, err
	}
	return s.terms(names, 0.95), nil
}

// solve computes the statistics of the whole fit: V, the variance of the noise, and the variation
// that the columns explain.
func (s *RegressionSummary) solve(op string, d *mat.Dense, y, weights []float64, intercept bool) error {
	n, p := d.Dims()
	mean, my := make([]float64, p), 0.0
	if intercept {
		mean, my = centerOf(d, y, weights)
		s.mean = mean
	}
	z, size := mat.NewDense(n, p, nil), make([]float64, p)
	rss, tss, logs := 0.0, 0.0, 0.0
	right, scale := make([]float64, p), 0.0
	for i, w := range weights {
		row := z.RawRowView(i)
		floats.SubTo(row, d.RawRowView(i), mean)
		r := y[i] - s.base - floats.Dot(s.coef, d.RawRowView(i))
		rss += w * r * r
		tss += w * (y[i] - my) * (y[i] - my)
		logs += math.Log(w)
		floats.Scale(math.Sqrt(w), row)
		floats.AddScaled(right, math.Sqrt(w)*r, row)
		scale += w * r
		for j, v := range row {
			size[j] += v * v
		}
	}
	for j := range size {
		if size[j] = math.Sqrt(size[j]); size[j] == 0 {
			return dependent(op)
		}
		// At the least-squares solution the residuals are orthogonal to the columns.
		if math.Abs(right[j]) > 1e-5*size[j]*math.Sqrt(tss) {
			return otherExamples(op)
		}
	}
	if intercept && math.Abs(scale) > 1e-5*math.Sqrt(s.total*tss) {
		return otherExamples(op)
	}
	for i := range n {
		floats.Div(z.RawRowView(i), size)
	}
	if err := s.invert(op, z, size); err != nil {
		return err
	}
	s.R2 = 1 - rss/tss
	s.AdjR2 = 1 - rss/float64(s.DF)/(tss/float64(s.DF+p))
	s.Sigma = math.Sqrt(rss / float64(s.DF))
	s.F = (tss - rss) / float64(p) / (rss / float64(s.DF))
	s.FP = tails.F(s.F, float64(p), float64(s.DF))
	s.LogLikelihood = -float64(n)/2*(math.Log(2*math.Pi*rss/float64(n))+1) + logs/2
	k := float64(n - s.DF)
	s.AIC, s.BIC = 2*k-2*s.LogLikelihood, k*math.Log(float64(n))-2*s.LogLikelihood
	return nil
}

// invert computes V from the R factor of z, the columns scaled to length 1.
func (s *RegressionSummary) invert(op string, z *mat.Dense, size []float64) error {
	var qr mat.QR
	qr.Factorize(z)
	if !(qr.Cond() < 1e10) {
		return dependent(op)
	}
	p := len(size)
	var r, inverse mat.Dense
	qr.RTo(&r)
	if err := inverse.Inverse(r.Slice(0, p, 0, p)); err != nil {
		return dependent(op)
	}
	s.v = mat.NewSymDense(p, nil)
	s.v.SymOuterK(1, &inverse)
	for i := range p {
		for j := i; j < p; j++ {
			s.v.SetSym(i, j, s.v.At(i, j)/size[i]/size[j])
		}
	}
	return nil
}

func dependent(op string) error {
	return model.Errorf(op, "the columns of x must be linearly independent").WithHint("drop a column that depends on others")
}

func otherExamples(op string) error {
	return model.Errorf(op, "the coefficients must be the least-squares fit of these examples").
		WithHint("pass the training data and its weights; a fit by Gradient must have converged")
}

// terms computes the lines for the coefficients.
func (s *RegressionSummary) terms(names []string, level float64) *RegressionSummary {
	out := *s
	out.Level, out.Terms = level, nil
	t := s.quantile(level)
	add := func(name string, coef, variance float64) {
		term := SummaryTerm{Name: name, Coef: coef, StdErr: s.Sigma * math.Sqrt(variance)}
		term.T = coef / term.StdErr
		term.P = tails.TwoSidedT(term.T, float64(s.DF))
		term.Low, term.High = coef-t*term.StdErr, coef+t*term.StdErr
		out.Terms = append(out.Terms, term)
	}
	if s.mean != nil {
		m := mat.NewVecDense(len(s.mean), s.mean)
		add("intercept", s.base, 1/s.total+mat.Inner(m, s.v, m))
	}
	for j, c := range s.coef {
		add(names[j], c, s.v.At(j, j))
	}
	return &out
}

func (s *RegressionSummary) quantile(level float64) float64 {
	return tails.QuantileT((1-level)/2, float64(s.DF))
}

func mustLevel(op string, level float64) {
	if !(level > 0 && level < 1) {
		panic(model.Errorf(op, "the level must be between 0 and 1, got %v", level).WithHint("use a level such as 0.95"))
	}
}

// At returns the summary with intervals of the given level.
func (s *RegressionSummary) At(level float64) *RegressionSummary {
	mustLevel("RegressionSummary.At", level)
	names := make([]string, 0, len(s.Terms))
	for _, t := range s.Terms[len(s.Terms)-len(s.coef):] {
		names = append(names, t.Name)
	}
	return s.terms(names, level)
}

// Intervals returns the prediction for each row, with a confidence interval for the mean of y and a
// prediction interval for a new y. The prediction interval is wider because it includes the noise.
//
//	ŷ ± t·s·√h,  ŷ ± t·s·√(1 + h),  h = x·(XᵀX)⁻¹·x
//
// Course: LIN-01, LIN-03.
func (s *RegressionSummary) Intervals(x mat.Matrix) []PredictionInterval {
	const op = "RegressionSummary.Intervals"
	d := model.MustRows(op, model.MustRead(op, &s.columns, x), len(s.coef))
	n, p := d.Dims()
	out, t := make([]PredictionInterval, n), s.quantile(s.Level)
	from := mat.NewVecDense(p, nil)
	for i := range out {
		row, h := d.RawRowView(i), 0.0
		copy(from.RawVector().Data, row)
		if s.mean != nil {
			floats.Sub(from.RawVector().Data, s.mean)
			h = 1 / s.total
		}
		h += mat.Inner(from, s.v, from)
		f, e := s.base+floats.Dot(s.coef, row), s.Sigma*math.Sqrt(h)
		wide := t * s.Sigma * math.Sqrt(1+h)
		out[i] = PredictionInterval{Prediction: f, StdErr: e, Low: f - t*e, High: f + t*e, From: f - wide, To: f + wide}
	}
	return out
}
