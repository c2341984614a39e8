package regress

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Influence returns a frame with one row for each row of the frame that the model was fitted to.
// Its columns are the leverage h, the internally and externally studentized residuals and Cook's
// distance. The values are missing in rows that were left out of the fit.
//
//	h = x(XᵀWX)⁻¹xᵀ,  D = r²h/(k(1 − h)),  r = e/(s√(1 − h))
//
// A leverage above 2k/n is high, and a Cook's distance above 4/n is high.
//
// References: [Cook1977].
func (m *RegressionModel) Influence() (*frame.Frame, error) {
	const op = "RegressionModel.Influence"
	m.mustRows(op)
	if m.fam != "" {
		return nil, model.Errorf(op, "the model must be fitted by least squares, got the %s family", m.Family)
	}
	h, p := m.hat(), float64(len(m.Coefficients))
	inner, outer, cook := make([]float64, m.N), make([]float64, m.N), make([]float64, m.N)
	for i := range h {
		e := (m.y[i] - m.mu[i]) * math.Sqrt(m.weight(i))
		r := e / math.Sqrt(m.Scale*(1-h[i]))
		inner[i] = r
		outer[i] = r * math.Sqrt((m.DF-1)/(m.DF-r*r))
		cook[i] = r * r * h[i] / (p * (1 - h[i]))
	}
	return frame.New(m.column("leverage", h), m.column("standardized residual", inner), m.column("studentized residual", outer),
		m.column("Cook's distance", cook))
}

// VIF returns the variance inflation factor of each column except the intercept. The factor is the
// ratio of the coefficient's variance to the variance that the coefficient would have if the column
// were uncorrelated with the other columns. A common rule calls a factor above 5 or 10 high.
//
// References: [Fox2016].
func (m *RegressionModel) VIF() (*frame.Frame, error) {
	const op = "RegressionModel.VIF"
	m.mustRows(op)
	var names []string
	var out []float64
	total, mean := 0.0, 0.0
	for i := range m.N {
		total += m.weight(i)
	}
	for j, name := range m.design.Names {
		if name == "Intercept" {
			continue
		}
		mean = 0
		for i := range m.N {
			mean += m.weight(i) * m.x.At(i, j) / total
		}
		if !m.constant {
			mean = 0
		}
		ss := 0.0
		for i := range m.N {
			d := m.x.At(i, j) - mean
			ss += m.weight(i) * d * d
		}
		names, out = append(names, name), append(out, ss*m.unweighted().At(j, j))
	}
	return frame.New(frame.StringColumn("column", names), frame.FloatColumn("VIF", out))
}

// unweighted returns (XᵀWX)⁻¹ with only the weights of the rows.
func (m *RegressionModel) unweighted() *mat.SymDense {
	if m.fam == "" {
		return m.bread
	}
	s, err := solve("RegressionModel.VIF", m.x, m.y, m.w, m.design.Names)
	if err != nil {
		panic(err)
	}
	return s.v
}

// Ratios returns a frame with the exponentials of the coefficients and of their confidence limits.
// The exponentials are odds ratios in a logistic regression, and rate ratios in a model of counts.
func (m *RegressionModel) Ratios() (*frame.Frame, error) {
	if m.Link != "logit" && m.Link != "log" {
		return nil, model.Errorf("RegressionModel.Ratios", "the link must be \"logit\" or \"log\", got %q", m.Link).
			WithHint("use a logistic regression, or a model with the link \"log\"")
	}
	p := len(m.design.Names)
	var names []string
	cols := make([][]float64, 4)
	for _, c := range m.Coefficients[:p] {
		names = append(names, c.Name)
		for k, v := range []float64{math.Exp(c.Estimate), math.Exp(c.Low), math.Exp(c.High), c.P} {
			cols[k] = append(cols[k], v)
		}
	}
	return frame.New(frame.StringColumn("coefficient", names), frame.FloatColumn("ratio", cols[0]),
		frame.FloatColumn("low", cols[1]), frame.FloatColumn("high", cols[2]), frame.FloatColumn("P", cols[3]))
}

// Margins returns the average marginal effects, with standard errors by the delta method. A
// marginal effect is the change of the mean of y per unit of a column, averaged over the rows of
// the fit. Columns of categories are treated as numbers, as in statsmodels without dummy=True.
//
//	AMEⱼ = βⱼ·mean(dμ/dη),  V = J·V(β)·Jᵀ
//
// References: [Greene2018].
func (m *RegressionModel) Margins() ([]Coefficient, error) {
	const op = "RegressionModel.Margins"
	m.mustRows(op)
	if m.fam == "" {
		return nil, model.Errorf(op, "the model must not be fitted by least squares: its marginal effects would be its coefficients")
	}
	link, p := m.link(), len(m.design.Names)
	beta := m.linear()
	mean, curve := 0.0, make([]float64, p)
	for i := range m.N {
		row := m.x.RawRowView(i)
		eta := link.of(m.mu[i])
		mean += link.slope(eta) / float64(m.N)
		h := 1e-4 * max(1, math.Abs(eta))
		second := (8*(link.slope(eta+h)-link.slope(eta-h)) - (link.slope(eta+2*h) - link.slope(eta-2*h))) / (12 * h)
		floats.AddScaled(curve, second/float64(m.N), row)
	}
	v := m.Covariance.SliceSym(0, p)
	q := m.critical(m.Level)
	var out []Coefficient
	for j, name := range m.design.Names {
		if name == "Intercept" {
			continue
		}
		g := make([]float64, p)
		floats.AddScaled(g, beta[j], curve)
		g[j] += mean
		gv := mat.NewVecDense(p, g)
		c := Coefficient{Name: name, Estimate: beta[j] * mean, StdErr: math.Sqrt(mat.Inner(gv, v, gv))}
		c.Statistic = c.Estimate / c.StdErr
		c.P = m.twoSided(c.Statistic)
		c.Low, c.High = c.Estimate-q*c.StdErr, c.Estimate+q*c.StdErr
		out = append(out, c)
	}
	return out, nil
}
