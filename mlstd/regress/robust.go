package regress

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Robust returns the model with standard errors that do not assume constant noise variance:
//
//	V = (XᵀX)⁻¹ (Σ xᵢxᵢᵀrᵢ²·cᵢ) (XᵀX)⁻¹
//
// with cᵢ = 1 ("HC0"), n/(n−k) ("HC1", Stata's), 1/(1−hᵢ) ("HC2") or 1/(1−hᵢ)² ("HC3", best for
// small samples). The default is HC3 for least squares and HC1 for generalized linear models, which
// support only HC0 and HC1. Tests for least squares still use the t distribution.
//
// References: [White1980], [MacKinnonWhite1985].
func (m *RegressionModel) Robust(kind ...string) (*RegressionModel, error) {
	const op = "RegressionModel.Robust"
	m.mustRows(op)
	which := "HC3"
	if m.fam != "" {
		which = "HC1"
	}
	if len(kind) > 0 {
		which = strings.ToUpper(kind[0])
	}
	factor := 1.0
	scores := m.scores()
	switch which {
	case "HC0":
	case "HC1":
		factor = float64(m.N) / m.DF
	case "HC2", "HC3":
		if m.fam != "" {
			return nil, model.Errorf(op, "the model must be fitted by least squares for %s", which).WithHint("use HC0 or HC1")
		}
		for i, h := range m.hat() {
			c := 1 / (1 - h)
			if which == "HC2" {
				c = math.Sqrt(c)
			}
			if h > 1-1e-10 {
				return nil, model.Errorf(op, "row %d must not determine a coefficient alone, but its leverage is 1", m.rows[i]).WithHint("use HC1, or remove the term from the formula")
			}
			floats.Scale(c, scores.RawRowView(i))
		}
	default:
		return nil, model.Errorf(op, "the kind of standard errors must be HC0, HC1, HC2 or HC3, got %q", kind[0])
	}
	return m.sandwich(which, meat(scores), factor, m.DF), nil
}

// Clustered returns the model with standard errors that allow correlated noise within a cluster,
// such as the rows of one firm. The clusters are the values of a column of f, which is the frame of
// the fit: m.Clustered(f, "firm").
//
//	V = G/(G−1)·(n−1)/(n−k) · (XᵀX)⁻¹ (Σ_g s_g s_gᵀ) (XᵀX)⁻¹,  s_g = Σ_{i in g} xᵢrᵢ
//
// Tests for least squares have G − 1 degrees of freedom. With few clusters, say below 30, the
// standard errors are too small.
//
// References: [LiangZeger1986], [CameronMiller2015].
func (m *RegressionModel) Clustered(f *frame.Frame, column string) (*RegressionModel, error) {
	const op = "RegressionModel.Clustered"
	m.mustRows(op)
	if f.Len() != m.total {
		return nil, model.Errorf(op, "the frame must have %[2]d rows, as in the fit, got %[1]d", f.Len(), m.total).WithHint("pass the frame that the model was fitted to")
	}
	if !f.Has(column) {
		return nil, model.Errorf(op, "the frame has no column %q", column)
	}
	c := f.Col(column)
	labels := c.Strings()
	for _, r := range m.rows {
		if c.IsMissing(r) {
			return nil, model.Errorf(op, "column %[2]q must have a value in each row of the fit, got none in row %[1]d", r, column).WithHint("leave such rows out before the fit: f.DropMissing(%q)", column)
		}
	}
	_, p := m.x.Dims()
	scores := m.scores()
	sums := map[string][]float64{}
	var order []string
	for i, r := range m.rows {
		s := sums[labels[r]]
		if s == nil {
			s = make([]float64, p)
			sums[labels[r]] = s
			order = append(order, labels[r])
		}
		floats.Add(s, scores.RawRowView(i))
	}
	g := len(order)
	if g < 2 {
		return nil, model.Errorf(op, "there must be at least 2 clusters, got %d", g)
	}
	all := mat.NewDense(g, p, nil)
	for k, label := range order {
		all.SetRow(k, sums[label])
	}
	n, df := float64(m.N), float64(g-1)
	return m.sandwich(fmt.Sprintf("clustered by %s (%d)", column, g), meat(all), float64(g)/df*(n-1)/m.DF, df), nil
}

// NeweyWest returns the model with standard errors that allow heteroscedastic noise with
// autocorrelation up to the given number of lags. The rows must be in chronological order.
//
//	V = (XᵀX)⁻¹ (Γ₀ + Σ_l (1 − l/(L+1))(Γ_l + Γ_lᵀ)) (XᵀX)⁻¹,  Γ_l = Σ_t xₜrₜrₜ₋ₗxₜ₋ₗᵀ
//
// Without an argument, the number of lags L is ⌊4(n/100)^(2/9)⌋. A larger value allows correlation
// over more rows, but makes the standard errors less precise. There is no small-sample correction.
//
// References: [NeweyWest1987].
func (m *RegressionModel) NeweyWest(lags ...int) (*RegressionModel, error) {
	const op = "RegressionModel.NeweyWest"
	m.mustRows(op)
	l := int(4 * math.Pow(float64(m.N)/100, 2.0/9))
	if len(lags) > 0 {
		l = lags[0]
	}
	if l < 0 || l >= m.N {
		return nil, model.Errorf(op, "lags must be between 0 and %d, got %d", m.N-1, l)
	}
	s := m.scores()
	sum := meat(s)
	_, p := s.Dims()
	for k := 1; k <= l; k++ {
		w := 1 - float64(k)/float64(l+1)
		var g mat.Dense
		g.Mul(s.Slice(k, m.N, 0, p).T(), s.Slice(0, m.N-k, 0, p))
		for i := range p {
			for j := i; j < p; j++ {
				sum.SetSym(i, j, sum.At(i, j)+w*(g.At(i, j)+g.At(j, i)))
			}
		}
	}
	return m.sandwich(fmt.Sprintf("Newey-West, %d lags", l), sum, 1, m.DF), nil
}

// scores returns each row's contribution to the derivative of the log likelihood, times the
// dispersion.
func (m *RegressionModel) scores() *mat.Dense {
	fam, link := m.family(), m.link()
	n, p := m.x.Dims()
	out := mat.NewDense(n, p, nil)
	for i := range n {
		r := (m.y[i] - m.mu[i]) * m.weight(i)
		if m.fam != "" {
			r *= link.slope(link.of(m.mu[i])) / fam.variance(m.mu[i])
		}
		floats.ScaleTo(out.RawRowView(i), r, m.x.RawRowView(i))
	}
	if _, q := m.bread.Dims(); q > p { // with the score of α
		wide := mat.NewDense(n, q, nil)
		for i := range n {
			copy(wide.RawRowView(i), out.RawRowView(i))
			_, d := alphaDerivatives(m.y[i], m.mu[i], m.alpha)
			wide.Set(i, p, d*m.weight(i))
		}
		return wide
	}
	return out
}

func meat(s *mat.Dense) *mat.SymDense {
	_, p := s.Dims()
	out := mat.NewSymDense(p, nil)
	out.SymOuterK(1, s.T())
	return out
}

// hat returns the leverage of each row: the diagonal of √W·X(XᵀWX)⁻¹Xᵀ·√W.
func (m *RegressionModel) hat() []float64 {
	fam, link := m.family(), m.link()
	n, p := m.x.Dims()
	v := m.bread.SliceSym(0, p)
	out := make([]float64, n)
	for i := range n {
		w := m.weight(i)
		if m.fam != "" {
			d := link.slope(link.of(m.mu[i]))
			w *= d * d / fam.variance(m.mu[i])
		}
		r := mat.NewVecDense(p, m.x.RawRowView(i))
		out[i] = w * mat.Inner(r, v, r)
	}
	return out
}

func (m *RegressionModel) sandwich(name string, meat *mat.SymDense, factor, df float64) *RegressionModel {
	out := *m
	p, _ := m.bread.Dims()
	var left, v mat.Dense
	left.Mul(m.bread, meat)
	v.Mul(&left, m.bread)
	out.Covariance = mat.NewSymDense(p, nil)
	for i := range p {
		for j := i; j < p; j++ {
			out.Covariance.SetSym(i, j, factor*(v.At(i, j)+v.At(j, i))/2)
		}
	}
	out.Errors = name
	if out.useT {
		out.testDF = df
	}
	if out.fam == "" {
		out.FDF = df
		out.F, out.FP = math.NaN(), math.NaN()
		first := 0
		if len(m.Coefficients) > 0 && m.Coefficients[0].Name == "Intercept" {
			first = 1
		}
		if q := p - first; q > 0 && (first == 1 || !m.constant) {
			var rest []int
			for j := first; j < p; j++ {
				rest = append(rest, j)
			}
			if w, ok := wald(m.beta(), out.Covariance, rest); ok {
				out.F = w / float64(q)
				out.FP = tails.F(out.F, float64(q), df)
			}
		}
	}
	out.tests(m.beta())
	return &out
}

// wald returns bᵀV⁻¹b for the coefficients at the positions.
func wald(beta []float64, v *mat.SymDense, at []int) (float64, bool) {
	k := len(at)
	sub, b := mat.NewSymDense(k, nil), make([]float64, k)
	unit := make([]float64, k)
	for i, a := range at {
		unit[i] = math.Sqrt(v.At(a, a))
	}
	for i, a := range at {
		b[i] = beta[a] / unit[i]
		for j := i; j < k; j++ {
			sub.SetSym(i, j, v.At(a, at[j])/unit[i]/unit[j])
		}
	}
	var c mat.Cholesky
	if !c.Factorize(sub) {
		return 0, false
	}
	var s mat.VecDense
	vb := mat.NewVecDense(k, b)
	if err := c.SolveVecTo(&s, vb); err != nil {
		return 0, false
	}
	return mat.Dot(vb, &s), true
}
