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

func TestOracleMixed(t *testing.T) {
	var o struct {
		Data map[string]map[string]any
		Fits []struct {
			Name, Formula string
			REML          bool
			Names         []string
			Coef, SE      []float64
			Cov           [][]float64
			Scale, LLF    float64
			Effects       map[string][]float64
		}
	}
	mltest.ReadOracle(t, "mixed", &o)
	if len(o.Fits) < 16 {
		t.Fatal("too few fits")
	}
	for _, c := range o.Fits {
		of := map[string]any{}
		for name, v := range o.Data[c.Name] {
			list := v.([]any)
			s, x := make([]string, len(list)), make([]float64, len(list))
			for i, e := range list {
				if str, ok := e.(string); ok {
					s[i] = str
					of[name] = s
				} else {
					x[i] = e.(float64)
					of[name] = x
				}
			}
		}
		f := frame.FromRows(of)
		fit := regress.MixedModelML
		if c.REML {
			fit = regress.MixedModel
		}
		what := fmt.Sprintf("%s: %s, REML %v", c.Name, c.Formula, c.REML)
		m, err := fit(f, c.Formula)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if m.LogLikelihood < c.LLF-1e-6 {
			t.Errorf("%s: log L %.9g, statsmodels finds %.9g", what, m.LogLikelihood, c.LLF)
		}
		if m.LogLikelihood > c.LLF+1e-3 {
			continue // it did not find the maximum
		}
		for j, name := range c.Names {
			for _, e := range m.Coefficients {
				if e.Name == name {
					mltest.Near(t, what+" "+name, (e.Estimate-c.Coef[j])/c.SE[j], 0, 2e-3)
					mltest.Near(t, what+" "+name+" error", e.StdErr/c.SE[j], 1, 2e-3)
				}
			}
		}
		mltest.Near(t, what+" scale", m.Scale/c.Scale, 1, 5e-3)
		for i, row := range c.Cov {
			for j, v := range row {
				unit := math.Sqrt(c.Cov[i][i]*c.Cov[j][j]) + 1e-3*c.Scale
				mltest.Near(t, what+" covariance", (m.RandomCov.At(i, j)-v)/unit, 0, 2e-2)
			}
		}
		spread := math.Sqrt(c.Scale)
		for g, l := range m.Levels {
			for j, v := range c.Effects[l] {
				mltest.Near(t, what+" effect of "+l, (m.RandomEffects.At(g, j)-v)/spread, 0, 2e-2)
			}
		}
	}
}

// If the groups do not differ, the fixed effects equal the least squares coefficients. Predictions
// for a group that was not in the fit use only the fixed effects.
func TestMixedProperties(t *testing.T) {
	f := randomFrame(21, 90)
	ids := make([]string, 90)
	for i := range ids {
		ids[i] = fmt.Sprint("g", i%9)
	}
	f = f.With("id", ids)
	m := must[*regress.MixedRegression](t)(regress.MixedModel(f, "y ~ x + w + (1 | id)"))
	if m.RandomCov.At(0, 0) < 1e-6*m.Scale {
		o := must[*regress.RegressionModel](t)(regress.OLS(f, "y ~ x + w"))
		for i, c := range m.Coefficients {
			mltest.Near(t, c.Name, c.Estimate, o.Coefficients[i].Estimate, 1e-5)
		}
	}
	sum := 0.0
	for g := range m.Levels {
		sum += m.RandomEffects.At(g, 0)
	}
	mltest.Near(t, "effects", sum, 0, 1e-6)
	other := f.With("id", strings.Fields(strings.Repeat("new ", 90)))
	p := must[*frame.Column](t)(m.Predict(other)).Floats()
	mltest.Near(t, "prediction", p[0], m.Coefficients[0].Estimate+m.Coefficients[1].Estimate*f.Col("x").Floats()[0]+m.Coefficients[2].Estimate*f.Col("w").Floats()[0], 1e-10)
	for want, text := range map[string]string{"one random part, got 0": "y ~ x", "side of | must be a column, got nope": "y ~ x + (1 | nope)", "must have 2 rows, got only groups of one row": "y ~ x + (1 | w)"} {
		if _, err := regress.MixedModel(f, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if s := m.String(); !strings.Contains(s, "Random effects of id") || !strings.Contains(s, "REML") {
		t.Error(s)
	}
}
