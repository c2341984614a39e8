package regress_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/regress"
)

type coefficients struct {
	Names                        []string
	Coef, SE, Stat, P, Low, High []float64
}

type regressOracle struct {
	Data map[string]map[string]any
	OLS  []struct {
		Name, Formula, Weights, Cluster string
		Plain                           coefficients
		R2, Adj, LLF, AIC, BIC, DF, DFM float64
		F, FP                           *float64
		FHC1                            *float64 `json:"f_hc1"`
		Scale, DW, Cond                 float64
		JB                              [4]float64
		Fitted                          []float64
		Robust                          map[string]coefficients
		Influence                       map[string][]float64
		VIF                             map[string]float64
	}
	GLM []struct {
		Name, Formula, Family, Link, Weights string
		Plain                                coefficients
		Deviance, Null, Chi2, Scale, LLF, DF float64
		Fitted, Pearson                      []float64
		DevResid                             []float64 `json:"dev_resid"`
		Robust                               map[string]coefficients
	}
	NB []struct {
		Name, Formula       string
		Plain               coefficients
		LLF, Null, AIC, BIC float64
	}
	ANOVA []struct {
		Name, Formula string
		Kind          int
		Terms         []string
		DF, SS, F, P  []float64
	}
	Predict []struct {
		Name, Formula string
		From          int
		Rows          [][6]float64
	}
	Margins []struct {
		Name, Formula  string
		Effects, SE, P []float64
	}
}

func readRegress(t *testing.T) (o regressOracle, frames map[string]*frame.Frame) {
	t.Helper()
	mltest.ReadOracle(t, "regress", &o)
	frames = map[string]*frame.Frame{}
	for name, cols := range o.Data {
		of := map[string]any{}
		for c, v := range cols {
			list := v.([]any)
			if _, text := list[0].(string); text {
				s := make([]string, len(list))
				for i := range s {
					s[i] = list[i].(string)
				}
				of[c] = s
				continue
			}
			s := make([]float64, len(list))
			for i := range s {
				s[i] = list[i].(float64)
			}
			of[c] = s
		}
		frames[name] = frame.FromRows(of)
	}
	if len(frames) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o, frames
}

var patsy = strings.NewReplacer("np.", "", "Treatment('none')", "ref='none'", "**2", "^2")

// sameName converts a coefficient name of patsy to ours.
func sameName(n string) string {
	n = strings.NewReplacer("np.", "", ", Treatment('none')", "", ", Sum", "", " ** ", "^").Replace(n)
	if n == "Group Var" {
		return n
	}
	return n
}

// relative fails unless got is near want, relative to the size of want.
func relative(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)+1e-300) {
		t.Errorf("%s: got %.12g, want %.12g, off by a share of %.1e", what, got, want, got/want-1)
	}
}

func compareTable(t *testing.T, what string, m []regress.Coefficient, want coefficients, tol float64) {
	t.Helper()
	if len(m) != len(want.Names) {
		t.Errorf("%s: %d coefficients, want %v", what, len(m), want.Names)
		return
	}
	byName := map[string]regress.Coefficient{}
	for _, c := range m {
		byName[c.Name] = c
	}
	for k, name := range want.Names {
		c, ok := byName[sameName(name)]
		if !ok {
			t.Errorf("%s: no coefficient %q among %v", what, sameName(name), m)
			return
		}
		w := fmt.Sprintf("%s, %s: ", what, name)
		scale := want.SE[k] * tol
		if math.Abs(c.Estimate-want.Coef[k]) > scale+tol*math.Abs(want.Coef[k]) {
			t.Errorf("%scoefficient %.12g, want %.12g", w, c.Estimate, want.Coef[k])
		}
		relative(t, w+"error", c.StdErr, want.SE[k], tol)
		if math.Abs(c.Statistic-want.Stat[k]) > tol*(1+math.Abs(want.Stat[k])) {
			t.Errorf("%sstatistic %.12g, want %.12g", w, c.Statistic, want.Stat[k])
		}
		relative(t, w+"P", c.P, want.P[k], tol*(10+want.Stat[k]*want.Stat[k]))
		mltest.Near(t, w+"low", (c.Low-want.Low[k])/want.SE[k], 0, 10*tol)
		mltest.Near(t, w+"high", (c.High-want.High[k])/want.SE[k], 0, 10*tol)
	}
}

func TestOracleOLS(t *testing.T) {
	o, frames := readRegress(t)
	if len(o.OLS) < 10 {
		t.Fatal("too few models")
	}
	for _, c := range o.OLS {
		f, what := frames[c.Name], c.Name+": "+c.Formula
		var m *regress.RegressionModel
		var err error
		if c.Weights == "" {
			m, err = regress.OLS(f, patsy.Replace(c.Formula))
		} else {
			m, err = regress.WLS(f, patsy.Replace(c.Formula), c.Weights)
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		tol := 1e-8
		if c.Name == "longley" {
			tol = 1e-6 // its columns are nearly dependent, and statsmodels takes a pseudoinverse
		}
		compareTable(t, what, m.Coefficients, c.Plain, tol)
		mltest.Near(t, what+" R²", m.R2, c.R2, tol)
		mltest.Near(t, what+" adjusted R²", m.AdjR2, c.Adj, tol)
		relative(t, what+" log L", m.LogLikelihood, c.LLF, tol)
		relative(t, what+" AIC", m.AIC, c.AIC, tol)
		relative(t, what+" BIC", m.BIC, c.BIC, tol)
		relative(t, what+" scale", m.Scale, c.Scale, tol)
		if m.DF != c.DF || m.DFModel != c.DFM {
			t.Errorf("%s: %v and %v degrees of freedom, want %v and %v", what, m.DF, m.DFModel, c.DF, c.DFM)
		}
		if c.F != nil {
			relative(t, what+" F", m.F, *c.F, tol)
			relative(t, what+" P(F)", m.FP, *c.FP, 100*tol)
		}
		d := m.Diagnostics()
		mltest.Near(t, what+" Durbin-Watson", d.DurbinWatson, c.DW, tol)
		mltest.NearAll(t, what+" Jarque-Bera", []float64{d.JarqueBera, d.JarqueBeraP, d.Skewness, d.Kurtosis}, c.JB[:], tol)
		relative(t, what+" condition", d.Condition, c.Cond, 1e-6)
		mltest.NearAll(t, what+" fitted", m.FittedValues().Floats(), c.Fitted, tol)
		for kind, want := range c.Robust {
			var r *regress.RegressionModel
			switch kind {
			case "NW3":
				r, err = m.NeweyWest(3)
			case "cluster":
				r, err = m.Clustered(f, c.Cluster)
			default:
				r, err = m.Robust(kind)
			}
			if err != nil {
				t.Errorf("%s %s: %v", what, kind, err)
				continue
			}
			compareTable(t, what+" "+kind, r.Coefficients, want, 10*tol)
			if kind == "HC1" && c.FHC1 != nil {
				relative(t, what+" F by HC1", r.F, *c.FHC1, 100*tol)
			}
		}
		if c.Influence != nil {
			got, err := m.Influence()
			if err != nil {
				t.Fatal(err)
			}
			for col, key := range map[string]string{"leverage": "hat", "standardized residual": "inner", "studentized residual": "outer", "Cook's distance": "cook"} {
				mltest.NearAll(t, what+" "+col, got.Col(col).Floats(), c.Influence[key], 1e-6)
			}
			mltest.NearAll(t, what+" standardized", m.Residuals("standardized").Floats(), c.Influence["inner"], 1e-6)
			vif, err := m.VIF()
			if err != nil {
				t.Fatal(err)
			}
			names := vif.Col("column").Strings()
			for k, v := range c.VIF {
				for i, n := range names {
					if n == sameName(k) {
						relative(t, what+" VIF of "+k, vif.Col("VIF").Floats()[i], v, 1e-6)
					}
				}
			}
		}
	}
}

func TestOracleGLM(t *testing.T) {
	o, frames := readRegress(t)
	if len(o.GLM) < 12 {
		t.Fatal("too few models")
	}
	for _, c := range o.GLM {
		f, what := frames[c.Name], c.Name+": "+c.Family+" "+c.Link+": "+c.Formula
		m, err := regress.GLM(f, patsy.Replace(c.Formula), regress.GLMFamily{Family: c.Family, Link: c.Link, Weights: c.Weights})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		const tol = 1e-6
		compareTable(t, what, m.Coefficients, c.Plain, tol)
		mltest.Near(t, what+" deviance", m.Deviance, c.Deviance, tol)
		mltest.Near(t, what+" null deviance", m.NullDeviance, c.Null, tol)
		mltest.Near(t, what+" χ²", m.PearsonChi2, c.Chi2, tol)
		relative(t, what+" scale", m.Scale, c.Scale, tol)
		relative(t, what+" log L", m.LogLikelihood, c.LLF, 1e-8)
		mltest.NearAll(t, what+" fitted", m.FittedValues().Floats(), c.Fitted, tol)
		mltest.NearAll(t, what+" Pearson residuals", m.Residuals("pearson").Floats(), c.Pearson, 1e-5)
		mltest.NearAll(t, what+" deviance residuals", m.Residuals("deviance").Floats(), c.DevResid, 1e-5)
		for kind, want := range c.Robust {
			var r *regress.RegressionModel
			if kind == "cluster" {
				r, err = m.Clustered(f, "field")
			} else {
				r, err = m.Robust(kind)
			}
			if err != nil {
				t.Fatal(err)
			}
			compareTable(t, what+" "+kind, r.Coefficients, want, tol)
		}
	}
}

// The named models are the same as those of GLM.
func TestNamedModelsAreGLMs(t *testing.T) {
	_, frames := readRegress(t)
	f := frames["plants"]
	for _, c := range []struct {
		fit    func(*frame.Frame, string) (*regress.RegressionModel, error)
		family regress.GLMFamily
		y      string
	}{
		{regress.LogitModel, regress.GLMFamily{Family: "binomial"}, "alive"},
		{regress.ProbitModel, regress.GLMFamily{Family: "binomial", Link: "probit"}, "alive"},
		{regress.PoissonModel, regress.GLMFamily{Family: "poisson"}, "seeds"},
	} {
		a, err := c.fit(f, c.y+" ~ fert*light")
		if err != nil {
			t.Fatal(err)
		}
		b, err := regress.GLM(f, c.y+" ~ fert*light", c.family)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Coefficients {
			if a.Coefficients[i] != b.Coefficients[i] {
				t.Errorf("%s: %v and %v", a.Method, a.Coefficients[i], b.Coefficients[i])
			}
		}
	}
}

func TestOracleNegativeBinomial(t *testing.T) {
	o, frames := readRegress(t)
	for _, c := range o.NB {
		what := c.Name + ": " + c.Formula
		m, err := regress.NegativeBinomialModel(frames[c.Name], c.Formula)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		compareTable(t, what, m.Coefficients, c.Plain, 1e-5)
		relative(t, what+" log L", m.LogLikelihood, c.LLF, 1e-9)
		relative(t, what+" null", m.NullLikelihood, c.Null, 1e-7)
		relative(t, what+" AIC", m.AIC, c.AIC, 1e-9)
		relative(t, what+" BIC", m.BIC, c.BIC, 1e-9)
	}
}

func TestOracleANOVA(t *testing.T) {
	o, frames := readRegress(t)
	if len(o.ANOVA) < 15 {
		t.Fatal("too few tables")
	}
	for _, c := range o.ANOVA {
		what := fmt.Sprintf("%s: %s, type %d", c.Name, c.Formula, c.Kind)
		m, err := regress.OLS(frames[c.Name], c.Formula)
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.ANOVA(c.Kind)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Rows) != len(c.Terms)+1 {
			t.Errorf("%s: %d rows, want %v", what, len(a.Rows), c.Terms)
			continue
		}
		for k, term := range c.Terms {
			found := false
			for _, r := range a.Rows {
				if r.Term != strings.ReplaceAll(term, "C(fert, Sum):C(soil, Sum)", "C(fert, Sum):C(soil, Sum)") {
					continue
				}
				found = true
				if r.DF != c.DF[k] {
					t.Errorf("%s, %s: %v degrees of freedom, want %v", what, term, r.DF, c.DF[k])
				}
				relative(t, what+", "+term+" SS", r.SumSquares, c.SS[k], 1e-5)
				relative(t, what+", "+term+" F", r.F, c.F[k], 1e-5)
				relative(t, what+", "+term+" P", r.P, c.P[k], 1e-3)
			}
			if !found {
				t.Errorf("%s: no term %s", what, term)
			}
		}
	}
}

func TestOraclePredictions(t *testing.T) {
	o, frames := readRegress(t)
	for _, c := range o.Predict {
		f := frames[c.Name]
		m, err := regress.OLS(f.Slice(c.From, f.Len()), patsy.Replace(c.Formula))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.At(0.9).Intervals(f.Head(c.From))
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(f.Head(c.From))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.Rows {
			for k, name := range map[int]string{0: "prediction", 2: "low", 3: "high", 4: "from", 5: "to"} {
				mltest.Near(t, fmt.Sprintf("%s, row %d: %s", c.Formula, i, name), got.Col(name).Floats()[i], want[k], 1e-8)
			}
			mltest.Near(t, "prediction", p.Floats()[i], want[0], 1e-10)
		}
	}
}

func TestOracleMargins(t *testing.T) {
	o, frames := readRegress(t)
	for _, c := range o.Margins {
		m, err := regress.LogitModel(frames[c.Name], c.Formula)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Margins()
		if err != nil {
			t.Fatal(err)
		}
		byPosition := map[string]int{"grade ~ gpa + tuce + psi": 0, "alive ~ light + C(soil)": 1}
		for k, e := range got {
			at := k
			if byPosition[c.Formula] == 1 { // patsy has the category first
				at = 1 - k
			}
			relative(t, c.Formula+" "+e.Name, e.Estimate, c.Effects[at], 1e-6)
			relative(t, c.Formula+" "+e.Name+" error", e.StdErr, c.SE[at], 1e-6)
			relative(t, c.Formula+" "+e.Name+" P", e.P, c.P[at], 1e-4)
		}
	}
}
