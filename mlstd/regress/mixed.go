package regress

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/optimize"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/digits"
	"github.com/gokernel/gokernel/mlstd/internal/formula"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/report"
)

// MixedRegression is a fitted linear mixed model.
type MixedRegression struct {
	Formula       string
	REML          bool
	Coefficients  []Coefficient // of the fixed effects, with z tests
	Covariance    *mat.SymDense // of the fixed effects
	Group         string        // the grouping of the random effects
	RandomNames   []string      // the columns of the random effects
	RandomCov     *mat.SymDense // their covariance
	Scale         float64       // the variance of the noise
	Levels        []string      // the groups
	RandomEffects *mat.Dense    // the predicted effects, one row for each of Levels
	LogLikelihood float64       // restricted with REML
	AIC, BIC      float64       // for maximum likelihood; NaN with REML
	N, Dropped    int

	design, random *formula.Design
	total          int
}

// MixedModel fits a linear mixed model by restricted maximum likelihood (REML):
//
//	y = Xβ + Zb + ε,  b ~ N(0, σ²Λ) for each group,  ε ~ N(0, σ²)
//
// In the formula, random effects are in parentheses. For example, "reaction ~ days + (1 | subject)"
// has a random intercept for each subject. "(days | subject)" is a correlated random intercept and
// slope, and "(0 + days | subject)" is a random slope without a random intercept. The formula can
// have only one such term. REML estimates variances with less bias than maximum likelihood. To
// compare models with different fixed effects, use [MixedModelML].
//
// Cost: O(n·(p + q)²) per evaluation of the likelihood.
//
// References: [LairdWare1982], [BatesMaechlerBolkerWalker2015].
func MixedModel(f *frame.Frame, formula string) (*MixedRegression, error) {
	return mixed("MixedModel", f, formula, true)
}

// MixedModelML fits the model of [MixedModel] by maximum likelihood instead of REML.
func MixedModelML(f *frame.Frame, formula string) (*MixedRegression, error) {
	return mixed("MixedModelML", f, formula, false)
}

// mixedData holds the data for the profiled likelihood: for each group the cross products of Z, X
// and y.
type mixedData struct {
	n, p, q        int
	zz, zx, xx     []*mat.Dense
	zy, xy         []*mat.VecDense
	yy             float64
	reml           bool
	beta           *mat.VecDense
	sigma2, logDet float64
	info           *mat.SymDense // Xᵀ V⁻¹ X
	lambda         *mat.Dense    // Cholesky factor of Λ
}

func mixed(op string, f *frame.Frame, text string, reml bool) (*MixedRegression, error) {
	s, err := formula.Parse(op, text)
	if err != nil {
		return nil, err
	}
	if len(s.Random) != 1 {
		return nil, model.Errorf(op, "formula %q must have one random part, got %d", text, len(s.Random)).WithHint("write \"y ~ x + (x | group)\"")
	}
	r := s.Random[0]
	if r.Group.Op != "name" || f == nil || !f.Has(r.Group.Text) {
		return nil, model.Errorf(op, "the right side of | must be a column, got %s", r.Group).WithHint("write \"y ~ x + (x | group)\"")
	}
	group := f.Col(r.Group.Text)
	gone := make([]bool, f.Len())
	for i := range gone {
		gone[i] = group.IsMissing(i)
	}
	inner := *s
	inner.Terms, inner.Intercept, inner.Offsets, inner.Response = r.Terms, r.Intercept, nil, nil
	// Rows with a missing value in a random-effects column are removed from both.
	zd, zdata, err := inner.New(f, formula.None, gone)
	if err != nil {
		return nil, err
	}
	kept := make([]bool, f.Len())
	for _, i := range zdata.Rows {
		kept[i] = true
	}
	for i := range gone {
		gone[i] = !kept[i]
	}
	d, data, err := s.New(f, formula.Numeric, gone)
	if err != nil {
		return nil, err
	}
	m := &MixedRegression{Formula: text, REML: reml, Group: r.Group.Text, RandomNames: zd.Names, N: len(data.Rows), Dropped: data.Dropped,
		design: d, random: zd, total: f.Len()}
	if _, err := solve(op, data.X, data.Y, nil, d.Names); err != nil {
		return nil, err
	}
	position := map[int]int{}
	for k, i := range zdata.Rows {
		position[i] = k
	}
	n, p := data.X.Dims()
	q := len(zd.Names)
	w := &mixedData{n: n, p: p, q: q, reml: reml}
	at := map[string]int{}
	var members [][]int
	for k, i := range data.Rows {
		l := group.Text(i)
		g, ok := at[l]
		if !ok {
			g = len(members)
			at[l] = g
			m.Levels, members = append(m.Levels, l), append(members, nil)
		}
		members[g] = append(members[g], k)
	}
	if len(members) < 2 {
		return nil, model.Errorf(op, "there must be at least 2 groups of %q, got %d", m.Group, len(members))
	}
	if len(members) == n {
		return nil, model.Errorf(op, "at least one group of %q must have 2 rows, got only groups of one row", m.Group)
	}
	for _, rows := range members {
		x, z, y := mat.NewDense(len(rows), p, nil), mat.NewDense(len(rows), q, nil), mat.NewVecDense(len(rows), nil)
		for a, k := range rows {
			x.SetRow(a, data.X.RawRowView(k))
			z.SetRow(a, zdata.X.RawRowView(position[data.Rows[k]]))
			v := data.Y[k]
			if data.Offset != nil {
				v -= data.Offset[k]
			}
			y.SetVec(a, v)
			w.yy += v * v
		}
		var zz, zx, xx mat.Dense
		var zy, xy mat.VecDense
		zz.Mul(z.T(), z)
		zx.Mul(z.T(), x)
		xx.Mul(x.T(), x)
		zy.MulVec(z.T(), y)
		xy.MulVec(x.T(), y)
		w.zz, w.zx, w.xx = append(w.zz, &zz), append(w.zx, &zx), append(w.xx, &xx)
		w.zy, w.xy = append(w.zy, &zy), append(w.xy, &xy)
	}
	theta, value, err := w.minimize(op)
	if err != nil {
		return nil, err
	}
	w.at(theta)
	m.LogLikelihood, m.Scale = -value/2, w.sigma2
	var lt mat.Dense
	lt.Mul(w.lambda, w.lambda.T())
	m.RandomCov = mat.NewSymDense(q, nil)
	for i := range q {
		for j := i; j < q; j++ {
			m.RandomCov.SetSym(i, j, w.sigma2*lt.At(i, j))
		}
	}
	var c mat.Cholesky
	m.Covariance = mat.NewSymDense(p, nil)
	if !c.Factorize(w.info) || c.InverseTo(m.Covariance) != nil {
		return nil, model.Errorf(op, "the columns must be linearly independent").WithHint("remove terms from the formula")
	}
	m.Covariance.ScaleSym(w.sigma2, m.Covariance)
	zq := -mathext.NormalQuantile(0.025)
	for j, name := range d.Names {
		e := Coefficient{Name: name, Estimate: w.beta.AtVec(j), StdErr: math.Sqrt(m.Covariance.At(j, j))}
		e.Statistic = e.Estimate / e.StdErr
		e.P = math.Erfc(math.Abs(e.Statistic) / math.Sqrt2)
		e.Low, e.High = e.Estimate-zq*e.StdErr, e.Estimate+zq*e.StdErr
		m.Coefficients = append(m.Coefficients, e)
	}
	m.RandomEffects = mat.NewDense(len(members), q, nil)
	for g := range members {
		b := w.effects(g)
		m.RandomEffects.SetRow(g, b)
	}
	m.AIC, m.BIC = math.NaN(), math.NaN()
	if !reml {
		k := float64(p + q*(q+1)/2 + 1)
		m.AIC, m.BIC = 2*k-2*m.LogLikelihood, k*math.Log(float64(n))-2*m.LogLikelihood
	}
	return m, nil
}

// at returns −2 log of the profiled likelihood at the entries of the lower triangle of Λ's factor
// L. With u = L⁻¹b, the model of a group is a least squares problem with the matrix LᵀZᵀZL + I.
func (w *mixedData) at(theta []float64) float64 {
	l := mat.NewDense(w.q, w.q, nil)
	k := 0
	for j := range w.q {
		for i := j; i < w.q; i++ {
			l.Set(i, j, theta[k])
			k++
		}
	}
	w.lambda = l
	info, right, yy, logDet := mat.NewSymDense(w.p, nil), mat.NewVecDense(w.p, nil), w.yy, 0.0
	for g := range w.zz {
		a, chol := w.inner(g)
		if a == nil {
			return math.Inf(1)
		}
		logDet += chol.LogDet()
		var lx, sx mat.Dense
		var ly, sy mat.VecDense
		lx.Mul(l.T(), w.zx[g])
		ly.MulVec(l.T(), w.zy[g])
		if chol.SolveTo(&sx, &lx) != nil || chol.SolveVecTo(&sy, &ly) != nil {
			return math.Inf(1)
		}
		var xx mat.Dense
		xx.Mul(lx.T(), &sx)
		for i := range w.p {
			for j := i; j < w.p; j++ {
				info.SetSym(i, j, info.At(i, j)+w.xx[g].At(i, j)-xx.At(i, j))
			}
		}
		var xy mat.VecDense
		xy.MulVec(lx.T(), &sy)
		right.AddVec(right, w.xy[g])
		right.SubVec(right, &xy)
		yy -= mat.Dot(&ly, &sy)
	}
	var c mat.Cholesky
	if !c.Factorize(info) {
		return math.Inf(1)
	}
	beta := mat.NewVecDense(w.p, nil)
	if c.SolveVecTo(beta, right) != nil && math.IsInf(c.Cond(), 1) {
		return math.Inf(1)
	}
	rss := yy - mat.Dot(beta, right)
	df := float64(w.n)
	out := logDet
	if w.reml {
		df -= float64(w.p)
		out += c.LogDet()
	}
	if !(rss > 0) {
		return math.Inf(1)
	}
	w.beta, w.info, w.sigma2, w.logDet = beta, info, rss/df, logDet
	return out + df*(1+math.Log(2*math.Pi*rss/df))
}

// inner is LᵀZᵀZL + I of a group.
func (w *mixedData) inner(g int) (*mat.SymDense, *mat.Cholesky) {
	var half, full mat.Dense
	half.Mul(w.lambda.T(), w.zz[g])
	full.Mul(&half, w.lambda)
	a := mat.NewSymDense(w.q, nil)
	for i := range w.q {
		for j := i; j < w.q; j++ {
			a.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
		a.SetSym(i, i, a.At(i, i)+1)
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		return nil, nil
	}
	return a, &c
}

// effects are the predicted random effects of a group: L·(LᵀZᵀZL + I)⁻¹LᵀZᵀ(y − Xβ).
func (w *mixedData) effects(g int) []float64 {
	_, c := w.inner(g)
	var r, u, b mat.VecDense
	r.MulVec(w.zx[g], w.beta)
	r.SubVec(w.zy[g], &r)
	u.MulVec(w.lambda.T(), &r)
	if c.SolveVecTo(&u, &u) != nil {
		return slices.Repeat([]float64{math.NaN()}, w.q)
	}
	b.MulVec(w.lambda, &u)
	return slices.Clone(b.RawVector().Data)
}

// minimize searches for the factor of Λ with the Nelder-Mead method, started at several scales.
// Diagonal entries of either sign have the same Λ, so the search can pass through variances of 0.
func (w *mixedData) minimize(op string) ([]float64, float64, error) {
	k := w.q * (w.q + 1) / 2
	// Scale the random-effects columns to a length of about 1 per row.
	unit := make([]float64, w.q)
	for i := range unit {
		for g := range w.zz {
			unit[i] += w.zz[g].At(i, i)
		}
		unit[i] = math.Sqrt(unit[i]/float64(w.n)) + 1e-300
	}
	scaled := func(x []float64) []float64 {
		out, at := make([]float64, k), 0
		for j := range w.q {
			for i := j; i < w.q; i++ {
				out[at] = x[at] / unit[i]
				at++
			}
		}
		return out
	}
	f := func(x []float64) float64 { return w.at(scaled(x)) }
	best, value := []float64(nil), math.Inf(1)
	for _, start := range []float64{1, 0.2} {
		x, at := make([]float64, k), 0
		for j := range w.q {
			x[at] = start
			at += w.q - j
		}
		for range 8 {
			r, err := optimize.Minimize(optimize.Problem{Func: f}, x, &optimize.Settings{FuncEvaluations: 4000 * k,
				Converger: &optimize.FunctionConverge{Absolute: 1e-11, Iterations: 60}}, &optimize.NelderMead{SimplexSize: 0.3})
			if r == nil || err != nil && r.F >= value {
				break
			}
			done := !(r.F < value-1e-9)
			if r.F < value {
				best, value = slices.Clone(r.X), r.F
			}
			x = slices.Clone(r.X)
			if done {
				break
			}
		}
	}
	if math.IsInf(value, 1) || best == nil {
		return nil, 0, model.Errorf(op, "the likelihood could not be maximized").WithHint("remove random effects from the formula")
	}
	return scaled(best), value, nil
}

// Predict returns one prediction for each row of a frame. For groups that were in the fit, the
// prediction includes the predicted random effects. For other groups, the prediction uses only the
// fixed effects.
func (m *MixedRegression) Predict(f *frame.Frame) (*frame.Column, error) {
	const op = "MixedRegression.Predict"
	x, offset, err := m.design.Apply(op, f)
	if err != nil {
		return nil, err
	}
	z, _, err := m.random.Apply(op, f)
	if err != nil {
		return nil, err
	}
	if !f.Has(m.Group) {
		return nil, model.Errorf(op, "the frame has no column %q of the groups", m.Group)
	}
	at := map[string]int{}
	for g, l := range m.Levels {
		at[l] = g
	}
	out := make([]float64, f.Len())
	group := f.Col(m.Group)
	for i := range out {
		for j, c := range m.Coefficients {
			out[i] += c.Estimate * x.At(i, j)
		}
		if offset != nil {
			out[i] += offset[i]
		}
		if g, ok := at[group.Text(i)]; ok && !group.IsMissing(i) {
			for j := range m.RandomNames {
				out[i] += z.At(i, j) * m.RandomEffects.At(g, j)
			}
		}
	}
	return frame.FloatColumn("prediction", out), nil
}

// Effects returns the predicted random effects as a frame with one row per group.
func (m *MixedRegression) Effects() *frame.Frame {
	cols := []*frame.Column{frame.StringColumn(m.Group, slices.Clone(m.Levels))}
	for j, name := range m.RandomNames {
		cols = append(cols, frame.FloatColumn("effect of "+name, mat.Col(nil, j, m.RandomEffects)))
	}
	f, err := frame.New(cols...)
	if err != nil {
		panic(err)
	}
	return f
}

// Summary returns the summary of the model.
func (m *MixedRegression) Summary() *report.ModelSummary {
	s := &report.ModelSummary{Title: "Mixed linear model: " + m.Formula}
	s.Add("Observations", strconv.Itoa(m.N))
	s.Add("Groups of "+m.Group, strconv.Itoa(len(m.Levels)))
	how := "maximum likelihood"
	if m.REML {
		how = "REML"
	}
	s.Add("Method", how)
	s.Add("Residual variance", digits.Number(m.Scale))
	s.Add("Log likelihood", digits.Decimals(m.LogLikelihood, 3))
	if !m.REML {
		s.Add("AIC", digits.Decimals(m.AIC, 2))
		s.Add("BIC", digits.Decimals(m.BIC, 2))
	}
	t := report.SummaryTable{Caption: "Random effects of " + m.Group, Head: []string{"", "variance", "std. deviation", "correlation"}}
	for j, name := range m.RandomNames {
		row := []string{name, digits.Number(m.RandomCov.At(j, j)), digits.Number(math.Sqrt(m.RandomCov.At(j, j))), ""}
		for k := range j {
			if k > 0 {
				row[3] += " "
			}
			row[3] += digits.Decimals(m.RandomCov.At(j, k)/math.Sqrt(m.RandomCov.At(j, j)*m.RandomCov.At(k, k)), 3)
		}
		t.Rows = append(t.Rows, row)
	}
	fixed := coefTable(m.Coefficients, "z", 0.95)
	fixed.Caption = "Fixed effects"
	s.Tables = []report.SummaryTable{fixed, t}
	if m.Dropped > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d rows lack a value and are left out.", m.Dropped, m.total))
	}
	for j := range m.RandomNames {
		if m.RandomCov.At(j, j) < 1e-8*m.Scale {
			s.Notes = append(s.Notes, "The variance of "+m.RandomNames[j]+" is 0: the noise alone explains how much the groups differ in "+m.RandomNames[j]+".")
		}
	}
	return s
}

// String returns the summary as text.
func (m *MixedRegression) String() string { return m.Summary().String() }
