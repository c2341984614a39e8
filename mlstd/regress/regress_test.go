package regress_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/regress"
)

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// randomFrame has x, w, a category g, y = 1 + 2x − w + g + noise, and whole numbers k.
func randomFrame(seed uint64, n int) *frame.Frame {
	rng := model.Rand(seed, 0)
	x, w, y, k := make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	g := make([]string, n)
	for i := range x {
		c := rng.IntN(3)
		x[i], w[i], g[i] = rng.NormFloat64(), rng.ExpFloat64(), string(rune('a'+c))
		y[i] = 1 + 2*x[i] - w[i] + float64(c) + rng.NormFloat64()
		k[i] = 1 + rng.IntN(3)
	}
	return frame.FromRows(map[string]any{"x": x, "w": w, "g": g, "y": y, "k": k})
}

// Residuals of least squares are orthogonal to the columns. The fit does not depend on the order of
// the rows, on the reference level, or on the unit of a column. A row of weight k counts as k rows.
func TestLeastSquaresProperties(t *testing.T) {
	for seed := range uint64(20) {
		f := randomFrame(seed, 60)
		m := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ x*g + w"))
		r := m.Residuals().Floats()
		for _, col := range []string{"x", "w"} {
			sum := 0.0
			for i, v := range f.Col(col).Floats() {
				sum += v * r[i]
			}
			mltest.Near(t, "x·r", sum, 0, 1e-10)
		}
		other := must[*regress.RegressionModel](t)(regress.OLS(f.Sort("w"), `y ~ w + C(g, ref="c")*x`))
		sum := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ x*C(g, Sum) + w"))
		cells := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ 0 + g + g:x + w"))
		scaled := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ I(1000*x)*g + w"))
		for _, o := range []*regress.RegressionModel{other, sum, cells, scaled} {
			mltest.Near(t, o.Formula+" log L", o.LogLikelihood, m.LogLikelihood, 1e-9)
			mltest.Near(t, o.Formula+" R²", o.R2, m.R2, 1e-9)
			mltest.Near(t, o.Formula+" F", o.F, m.F, 1e-8)
			mltest.NearAll(t, o.Formula+" predictions", must[*frame.Column](t)(o.Predict(f)).Floats(), m.FittedValues().Floats(), 1e-9)
		}
		mltest.Near(t, "slope per thousand", scaled.Coef("I(1000 * x)").Estimate*1000, m.Coef("x").Estimate, 1e-9)
		mltest.Near(t, "P of the slope", scaled.Coef("I(1000 * x)").P, m.Coef("x").P, 1e-9)
		a := must[*regress.ANOVATable](t)(m.ANOVA(1))
		ss := 0.0
		for _, row := range a.Rows {
			ss += row.SumSquares
		}
		mltest.Near(t, "sums of squares", ss/(m.Scale*m.DF/(1-m.R2)), 1, 1e-9)
	}
}

func TestWeightsAreCopies(t *testing.T) {
	f := randomFrame(3, 40)
	var rows []int
	for i, k := range f.Col("k").Ints() {
		for range k {
			rows = append(rows, i)
		}
	}
	x, w, y, g := f.Col("x").Floats(), f.Col("w").Floats(), f.Col("y").Floats(), f.Col("g").Strings()
	var cx, cw, cy []float64
	var cg []string
	for _, i := range rows {
		cx, cw, cy, cg = append(cx, x[i]), append(cw, w[i]), append(cy, y[i]), append(cg, g[i])
	}
	many := frame.FromRows(map[string]any{"x": cx, "w": cw, "y": cy, "g": cg})
	a := must[*regress.RegressionModel](t)(regress.WLS(f, "y ~ x + w + g", "k"))
	b := must[*regress.RegressionModel](t)(regress.OLS(many, "y ~ x + w + g"))
	for i := range a.Coefficients {
		mltest.Near(t, "coefficient", a.Coefficients[i].Estimate, b.Coefficients[i].Estimate, 1e-10)
	}
}

// The intervals of 400 samples have their nominal coverage.
func TestIntervalsCover(t *testing.T) {
	covered, robust := 0, 0
	const samples = 400
	for seed := range uint64(samples) {
		m := must[*regress.RegressionModel](t)(regress.OLS(randomFrame(seed+100, 50), "y ~ x + w + g"))
		if c := m.At(0.9).Coef("x"); c.Low <= 2 && 2 <= c.High {
			covered++
		}
		if c := must[*regress.RegressionModel](t)(m.Robust("HC3")).At(0.9).Coef("x"); c.Low <= 2 && 2 <= c.High {
			robust++
		}
	}
	// 4 standard errors of a proportion of 0.9 among 400 are 0.06.
	for what, k := range map[string]int{"plain": covered, "HC3": robust} {
		if s := float64(k) / samples; s < 0.84 || s > 0.96 {
			t.Errorf("%s: %v of the intervals cover", what, s)
		}
	}
}

func TestMissingRowsKeepTheirPlace(t *testing.T) {
	f := randomFrame(1, 30)
	y := f.Col("y").Floats()
	y[4] = math.NaN()
	f = f.With("y", y)
	m := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ x + g"))
	if m.N != 29 || m.Dropped != 1 || !strings.Contains(m.String(), "1 of 30 rows lack a value") {
		t.Errorf("%d rows, %d dropped:\n%s", m.N, m.Dropped, m)
	}
	if r := m.Residuals(); r.Len() != 30 || !r.IsMissing(4) || r.IsMissing(5) {
		t.Error("the residuals are not beside the rows")
	}
}

func TestPredictFindsColumnsByName(t *testing.T) {
	f := randomFrame(2, 50)
	m := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ log(w)*g + scale(x)")).WithoutRows()
	want := must[*frame.Column](t)(m.Predict(f)).Floats()
	turned := f.Select("w", "y", "x", "g", "k").Sort("g")
	back := must[*frame.Column](t)(m.Predict(turned))
	sorted := f.With("p", want).Sort("g").Col("p").Floats()
	mltest.NearAll(t, "predictions", back.Floats(), sorted, 1e-12)
	for text, bad := range map[string]*frame.Frame{
		`no column "g"`:                  f.Drop("g"),
		`level "z" of column "g" in row`: f.With("g", strings.Split(strings.Repeat("z", 50), "")),
	} {
		if _, err := m.Predict(bad); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
}

func TestRegressRefuses(t *testing.T) {
	f := frame.FromRows(map[string]any{"y": []float64{1, 2, 3, 4, 5, 6}, "x": []float64{1, 2, 3, 4, 5, 7}, "x2": []float64{2, 4, 6, 8, 10, 14},
		"b": []int{0, 0, 0, 1, 1, 1}, "g": []string{"p", "p", "q", "q", "r", "r"}, "w": []float64{1, 1, -1, 1, 1, 1}, "z": []float64{0, 0, 0, 0, 0, 0}})
	for want, fit := range map[string]func() (*regress.RegressionModel, error){
		"column x2 must not depend linearly":                          func() (*regress.RegressionModel, error) { return regress.OLS(f, "y ~ x + x2") },
		"got 6 and 7":                                                 func() (*regress.RegressionModel, error) { return regress.OLS(f, "y ~ C(x) + b") },
		"must be more rows than coefficients":                         func() (*regress.RegressionModel, error) { return regress.OLS(f, "y ~ C(x)") },
		"the weight in row 2 must be finite and not negative, got -1": func() (*regress.RegressionModel, error) { return regress.WLS(f, "y ~ x", "w") },
		"separate the two classes":                                    func() (*regress.RegressionModel, error) { return regress.LogitModel(f, "b ~ x") },
		"with the number of trials as weights, got 2 in row 1":        func() (*regress.RegressionModel, error) { return regress.LogitModel(f, "y ~ x") },
		"must have 2 levels, got 3":                                   func() (*regress.RegressionModel, error) { return regress.LogitModel(f, "g ~ x") },
		"a count of 0 or more, got -1 in row 2":                       func() (*regress.RegressionModel, error) { return regress.PoissonModel(f, "w ~ x") },
		"must vary more than a Poisson":                               func() (*regress.RegressionModel, error) { return regress.NegativeBinomialModel(f, "y ~ x") },
		`there is no family "normal"`: func() (*regress.RegressionModel, error) {
			return regress.GLM(f, "y ~ x", regress.GLMFamily{Family: "normal"})
		},
		`inverse, log, identity, got "probit"`: func() (*regress.RegressionModel, error) {
			return regress.GLM(f, "y ~ x", regress.GLMFamily{Family: "gamma", Link: "probit"})
		},
		"must not have random effects":        func() (*regress.RegressionModel, error) { return regress.OLS(f, "y ~ x + (1|g)") },
		"column z must not be 0 in every row": func() (*regress.RegressionModel, error) { return regress.OLS(f, "y ~ x + z") },
	} {
		_, err := fit()
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestSuccessIsSaid(t *testing.T) {
	f := randomFrame(9, 80)
	out := make([]string, 80)
	for i, v := range f.Col("y").Floats() {
		out[i] = "no"
		if v > 1 {
			out[i] = "yes"
		}
	}
	m := must[*regress.RegressionModel](t)(regress.LogitModel(f.With("out", out), "out ~ x + w"))
	if s := m.String(); !strings.Contains(s, `of the probability of "yes"`) || m.Coef("x").Estimate < 0 {
		t.Errorf("got %s", s)
	}
	r := must[*frame.Frame](t)(m.Ratios())
	mltest.Near(t, "odds ratio", r.Col("ratio").Floats()[1], math.Exp(m.Coef("x").Estimate), 1e-12)
	small := must[*regress.RegressionModel](t)(regress.LogitModel(f.With("out", out), "out ~ x"))
	c := must[regress.ModelComparison](t)(regress.CompareModels(small, m))
	mltest.Near(t, "LR", c.Statistic, small.Deviance-m.Deviance, 1e-8)
}

func TestCompareModelsIsTheFOfANOVA(t *testing.T) {
	f := randomFrame(4, 60)
	a, b := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ x + w")), must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ x + w + g"))
	c := must[regress.ModelComparison](t)(regress.CompareModels(a, b))
	rows := must[*regress.ANOVATable](t)(b.ANOVA(2)).Rows
	mltest.Near(t, "F", c.Statistic, rows[2].F, 1e-9)
	mltest.Near(t, "P", c.P, rows[2].P, 1e-9)
}

// Newton's method and reweighting agree with the score equations: Σ xᵢ(yᵢ − μᵢ)·… = 0.
func TestScoresVanish(t *testing.T) {
	f := randomFrame(12, 200)
	counts := make([]float64, 200)
	rng := model.Rand(12, 1)
	for i, v := range f.Col("x").Floats() {
		for e := rng.ExpFloat64(); e < math.Exp(0.5+0.4*v)*(0.5+rng.ExpFloat64()); e += rng.ExpFloat64() {
			counts[i]++
		}
	}
	f = f.With("count", counts)
	m := must[*regress.RegressionModel](t)(regress.PoissonModel(f, "count ~ x + g"))
	sum := 0.0
	for _, r := range m.Residuals().Floats() {
		sum += r
	}
	mltest.Near(t, "Σ(y − μ)", sum, 0, 1e-7)
	nb := must[*regress.RegressionModel](t)(regress.NegativeBinomialModel(f, "count ~ x + g"))
	fixed := must[*regress.RegressionModel](t)(regress.GLM(f, "count ~ x + g", regress.GLMFamily{Family: "negative binomial", Alpha: nb.Coef("alpha").Estimate}))
	mltest.Near(t, "log L", fixed.LogLikelihood, nb.LogLikelihood, 1e-9)
	for i, c := range fixed.Coefficients {
		mltest.Near(t, c.Name, nb.Coefficients[i].Estimate, c.Estimate, 1e-6)
	}
	if nb.LogLikelihood < m.LogLikelihood {
		t.Error("the negative binomial fits worse than Poisson")
	}
}

// P values in the far tail are not 0.
func TestTailsOfTests(t *testing.T) {
	x, y := make([]float64, 1200), make([]float64, 1200)
	for i := range x {
		x[i] = float64(i)
		y[i] = x[i] + 400*math.Sin(float64(7*i))
	}
	m := must[*regress.RegressionModel](t)(regress.OLS(frame.FromRows(map[string]any{"x": x, "y": y}), "y ~ x"))
	if p := m.Coef("x").P; !(p > 0 && p < 1e-100) || !(m.FP > 0 && m.FP < 1e-100) {
		t.Errorf("P %v, P(F) %v", p, m.FP)
	}
	mltest.Near(t, "log P of t and of F", math.Log(m.Coef("x").P), math.Log(m.FP), 1e-9)
}

func ExampleOLS() {
	cars := frame.FromRows(map[string]any{
		"mpg": []float64{21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4}, "wt": []float64{2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19},
		"gear": []string{"4", "4", "4", "3", "3", "3", "3", "4"}})
	m, err := regress.OLS(cars, "mpg ~ wt + gear")
	if err != nil {
		panic(err)
	}
	for _, c := range m.Coefficients {
		fmt.Printf("%-10s %8.3f %6.3f  p = %.3f\n", c.Name, c.Estimate, c.StdErr, c.P)
	}
	// Output:
	// Intercept    21.844 12.815  p = 0.149
	// wt           -1.087  3.727  p = 0.782
	// gear[T.4]     3.447  3.091  p = 0.315
}
