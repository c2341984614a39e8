package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/digits"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/report"
)

// ANOVATable is the analysis of variance of a least-squares fit.
type ANOVATable struct {
	Title string
	Type  int // 1, 2 or 3
	Rows  []ANOVARow
	Notes []string
}

// ANOVARow is a row of an [ANOVATable]. The last row is "Residual" and has no F statistic; every
// other row is a term of the model.
type ANOVARow struct {
	Term       string
	DF         float64
	SumSquares float64
	MeanSquare float64
	F, P       float64
	Eta2       float64 // partial η²: SS/(SS + SS of the residuals)
	Omega2     float64 // partial ω², a less biased estimate than η²; can be below 0
}

// ANOVA returns the analysis of variance of a least-squares fit. The argument kind is the type of
// the sums of squares. When ANOVA tests a term, it adjusts for other terms:
//
//   - 1: the terms that precede the term in the formula, so the order of the terms matters;
//   - 2: all other terms that do not contain the term. Use this type by default;
//   - 3: all other terms, including interactions with the term. This type is meaningful only with
//     contrasts that sum to zero: write C(g, Sum).
//
// F is the mean square of a term divided by the mean square of the residuals.
//
// References: [Fisher1925], [Fox2016].
func (m *RegressionModel) ANOVA(kind int) (*ANOVATable, error) {
	const op = "RegressionModel.ANOVA"
	m.mustRows(op)
	if m.fam != "" {
		return nil, model.Errorf(op, "the model must be fitted by least squares, got the %s family", m.Family).
			WithHint("compare two models with ml.CompareModels")
	}
	if kind < 1 || kind > 3 {
		return nil, model.Errorf(op, "the type must be 1, 2 or 3, got %d", kind)
	}
	t := &ANOVATable{Title: fmt.Sprintf("Analysis of variance, type %s: %s", strings.Repeat("I", kind), m.Formula), Type: kind}
	rss := m.Scale * m.DF
	add := func(b int, ss float64) {
		block := m.design.Blocks[b]
		df := float64(block.To - block.From)
		if df == 0 {
			return
		}
		r := ANOVARow{Term: block.Term, DF: df, SumSquares: max(ss, 0), MeanSquare: max(ss, 0) / df, Eta2: ss / (ss + rss)}
		r.F = r.MeanSquare / m.Scale
		r.P = tails.F(r.F, df, m.DF)
		r.Omega2 = (ss - df*m.Scale) / (ss + (float64(m.N)-df)*m.Scale)
		t.Rows = append(t.Rows, r)
	}
	y := slices.Clone(m.y)
	for i, o := range m.offset {
		y[i] -= o
	}
	switch kind {
	case 1:
		s, err := solve(op, m.x, y, m.w, m.design.Names)
		if err != nil {
			return nil, err
		}
		for b, block := range m.design.Blocks {
			if block.Term == "Intercept" {
				continue
			}
			ss := 0.0
			for _, e := range s.effects[block.From:block.To] {
				ss += e * e
			}
			add(b, ss)
		}
	case 2:
		for b, block := range m.design.Blocks {
			if block.Term == "Intercept" {
				continue
			}
			var without, with []int
			for c, other := range m.design.Blocks {
				if c != b && !contains(other.Term, block.Term) {
					without = append(without, c)
				}
				if c == b || !contains(other.Term, block.Term) {
					with = append(with, c)
				}
			}
			small, err := m.rssOf(op, y, without)
			if err != nil {
				return nil, err
			}
			large, err := m.rssOf(op, y, with)
			if err != nil {
				return nil, err
			}
			add(b, small-large)
		}
	case 3:
		v := mat.NewSymDense(len(m.Coefficients), nil)
		v.ScaleSym(1, m.bread)
		for b, block := range m.design.Blocks {
			var at []int
			for j := block.From; j < block.To; j++ {
				at = append(at, j)
			}
			if len(at) == 0 {
				continue
			}
			ss, ok := wald(m.beta(), v, at)
			if !ok {
				return nil, model.Errorf(op, "the columns of %s must be linearly independent", block.Term)
			}
			add(b, ss)
		}
		if m.interacts() && !m.sumCoded() {
			t.Notes = append(t.Notes, "Type III tests of terms with interactions are meaningful only with contrasts that sum to zero: write C(g, Sum).")
		}
	}
	t.Rows = append(t.Rows, ANOVARow{Term: "Residual", DF: m.DF, SumSquares: rss, MeanSquare: m.Scale, F: math.NaN(), P: math.NaN(), Eta2: math.NaN(), Omega2: math.NaN()})
	return t, nil
}

// contains reports whether a term has all factors of another term and at least one more.
func contains(term, part string) bool {
	a, b := strings.Split(term, ":"), strings.Split(part, ":")
	if len(a) <= len(b) {
		return false
	}
	for _, f := range b {
		if !slices.Contains(a, f) {
			return false
		}
	}
	return true
}

func (m *RegressionModel) interacts() bool {
	return slices.ContainsFunc(m.Names(), func(n string) bool { return strings.Contains(n, "]:") || strings.Contains(n, ":") })
}

func (m *RegressionModel) sumCoded() bool {
	for _, f := range m.design.Factors {
		if !f.Numeric && !f.Sum {
			return false
		}
	}
	return true
}

// rssOf returns the residual sum of squares of the model with the columns of some terms.
func (m *RegressionModel) rssOf(op string, y []float64, blocks []int) (float64, error) {
	var at []int
	for _, b := range blocks {
		for j := m.design.Blocks[b].From; j < m.design.Blocks[b].To; j++ {
			at = append(at, j)
		}
	}
	beta, x := []float64(nil), mat.NewDense(m.N, max(1, len(at)), nil)
	if len(at) > 0 {
		names := make([]string, len(at))
		for k, j := range at {
			names[k] = m.design.Names[j]
			for i := range m.N {
				x.Set(i, k, m.x.At(i, j))
			}
		}
		s, err := solve(op, x, y, m.w, names)
		if err != nil {
			return 0, err
		}
		beta = s.beta
	}
	rss := 0.0
	for i := range m.N {
		r := y[i]
		if beta != nil {
			r -= floats.Dot(x.RawRowView(i), beta)
		}
		rss += m.weight(i) * r * r
	}
	return rss, nil
}

// Summary returns the table with its title.
func (t *ANOVATable) Summary() *report.ModelSummary {
	s := &report.ModelSummary{Title: t.Title, Notes: t.Notes}
	tab := report.SummaryTable{Head: []string{"", "df", "sum of squares", "mean square", "F", "P(>F)", "partial η²"}}
	for _, r := range t.Rows {
		row := []string{r.Term, count(r.DF), digits.Number(r.SumSquares), digits.Number(r.MeanSquare), "", "", ""}
		if !math.IsNaN(r.F) {
			row[4], row[5], row[6] = digits.Decimals(r.F, 3), digits.P(r.P), digits.Decimals(r.Eta2, 3)
		}
		tab.Rows = append(tab.Rows, row)
	}
	s.Tables = []report.SummaryTable{tab}
	return s
}

// String returns the table as text.
func (t *ANOVATable) String() string { return t.Summary().String() }

// ModelComparison is the result of a test of a model against a larger model.
type ModelComparison struct {
	Small, Large string // the formulas
	Statistic    float64
	DF           float64 // number of additional coefficients in the larger model
	DFResidual   float64 // denominator of F; 0 for a likelihood ratio
	P            float64
}

// CompareModels tests whether a model fits significantly better than a smaller model. The null
// hypothesis is that the additional terms have no effect. CompareModels uses the F test for least
// squares, and the likelihood ratio test for generalized linear models. Both models must be fitted
// to the same rows, and the larger model must contain all terms of the smaller model.
func CompareModels(small, large *RegressionModel) (ModelComparison, error) {
	const op = "CompareModels"
	small.mustRows(op)
	large.mustRows(op)
	if small.Method != large.Method || small.Family != large.Family {
		return ModelComparison{}, model.Errorf(op, "both models must have the same method and family, got %s and %s", small.Method, large.Method)
	}
	if !slices.Equal(small.rows, large.rows) || !slices.Equal(small.y, large.y) {
		return ModelComparison{}, model.Errorf(op, "both models must be fitted to the same rows, got %d and %d rows", small.N, large.N).
			WithHint("drop rows with missing values first: f.DropMissing(...)")
	}
	c := ModelComparison{Small: small.Formula, Large: large.Formula, DF: small.DF - large.DF}
	if c.DF <= 0 {
		return c, model.Errorf(op, "the second model must have more coefficients than the first, which has %d", len(small.Coefficients))
	}
	if small.fam == "" {
		c.DFResidual = large.DF
		c.Statistic = (small.Scale*small.DF - large.Scale*large.DF) / c.DF / large.Scale
		c.P = tails.F(c.Statistic, c.DF, c.DFResidual)
		return c, nil
	}
	c.Statistic = 2 * (large.LogLikelihood - small.LogLikelihood)
	c.P = tails.ChiSquared(c.Statistic, c.DF)
	return c, nil
}

// String returns the test on one line.
func (c ModelComparison) String() string {
	if c.DFResidual > 0 {
		return fmt.Sprintf("F(%s, %s) = %s, p = %s", count(c.DF), count(c.DFResidual), digits.Decimals(c.Statistic, 3), digits.P(c.P))
	}
	return fmt.Sprintf("LR χ²(%s) = %s, p = %s", count(c.DF), digits.Decimals(c.Statistic, 3), digits.P(c.P))
}
