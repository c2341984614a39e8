package course

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/report"
	"github.com/gokernel/gokernel/mlstd/series"
	"github.com/gokernel/gokernel/mlstd/survival"
)

// modelSummary shows a summary as a page, as LaTeX and as text.
type modelSummary struct{ s *report.ModelSummary }

// Display implements [display.Displayer].
func (m modelSummary) Display() (display.Bundle, error) {
	return display.Bundle{Data: map[string]any{display.MIMEHTML: m.s.HTML(), display.MIMELaTeX: m.s.LaTeX(), display.MIMEText: m.s.String()}}, nil
}

// statisticsOf returns the Displayer of a fitted statistical model or a result about a series.
func statisticsOf(v any) (display.Displayer, bool) {
	switch v := v.(type) {
	case *report.ModelSummary:
		if v != nil {
			return modelSummary{v}, true
		}
	case *regress.RegressionModel:
		if v != nil && v.Coefficients != nil {
			return modelSummary{v.Summary()}, true
		}
	case *regress.MixedRegression:
		if v != nil && v.Coefficients != nil {
			return modelSummary{v.Summary()}, true
		}
	case *regress.ANOVATable:
		if v != nil {
			return modelSummary{v.Summary()}, true
		}
	case *survival.CoxModel:
		if v != nil && v.Coefficients != nil {
			return modelSummary{v.Summary()}, true
		}
	case *series.ARIMAModel:
		if v != nil && v.N > 0 {
			return modelSummary{v.Summary()}, true
		}
	case *series.ETSModel:
		if v != nil && v.Fitted != nil {
			return modelSummary{v.Summary()}, true
		}
	case *survival.KaplanMeierCurves:
		if v != nil && len(v.Curves) > 0 {
			return SurvivalCurves(v), true
		}
	case *series.Forecast:
		if v != nil && len(v.Mean) > 0 {
			return ForecastFan(v), true
		}
	case *series.Correlogram:
		if v != nil && len(v.Value) > 1 {
			return Correlogram(v), true
		}
	case *series.Decomposition:
		if v != nil && len(v.Observed) > 0 {
			return SeriesParts(v), true
		}
	}
	return nil, false
}

// ResidualPanels draws diagnostic plots of a regression: residuals against fitted values with a
// smooth line, their quantiles against the quantiles of a Gaussian, and the square root of their
// absolute values against fitted values. For least squares, it also draws the residuals against the
// leverage. For generalized linear models, it draws deviance residuals.
func ResidualPanels(m *regress.RegressionModel) *chart.Panels {
	if m == nil || m.Coefficients == nil {
		return chart.Grid(failed("ResidualPanels", "the model is not fitted: pass a fitted model, such as one from ml.OLS or ml.GLM"))
	}
	kind := "standardized"
	if m.Family != "" {
		kind = "deviance"
	}
	present := func(v []float64) []float64 {
		return slices.DeleteFunc(v, math.IsNaN)
	}
	fitted, res := present(m.FittedValues().Floats()), present(m.Residuals(kind).Floats())
	root := make([]float64, len(res))
	for i, r := range res {
		root[i] = math.Sqrt(math.Abs(r))
	}
	cloud := func(x, y []float64) *chart.Chart {
		c := chart.New().Points(x, y).ClassColor(0).Opacity(0.6)
		if len(x) >= 10 && slices.Min(x) < slices.Max(x) {
			c.Regression(x, y).Lowess().ClassColor(1).NoPoints().NoIntervals()
		}
		return c
	}
	panels := []*chart.Chart{
		cloud(fitted, res).HRule(0).Color("gray").Dashed().Title("Residuals and fitted values").X("fitted").Y(kind + " residual").NoLegend(),
		chart.New().QQ(res).Title("Normal quantiles").X("quantile of a Gaussian").Y(kind + " residual").NoLegend(),
		cloud(fitted, root).Title("Scale and location").X("fitted").Y("√|residual|").NoLegend(),
	}
	if m.Family == "" {
		f, err := m.Influence()
		if err != nil {
			return chart.Grid(chart.Fail(err))
		}
		h := present(f.Col("leverage").Floats())
		panels = append(panels, chart.New().Points(h, res).ClassColor(0).Opacity(0.6).HRule(0).Color("gray").Dashed().
			Title("Leverage").X("leverage").Y(kind+" residual").NoLegend())
	}
	return chart.Grid(panels...).Cols(2).Title(m.Formula).Size(900, 700)
}

// ForestPlot draws the coefficients of a fitted model with their confidence intervals, without the
// intercept. The coefficients of logistic regressions, of models with the link "log" and of Cox
// regressions are drawn as ratios on a logarithmic axis. It takes a fitted regression (as from
// ml.OLS), a fitted mixed model (ml.MixedModel) or a fitted Cox model (ml.Cox).
func ForestPlot(model any) *chart.Chart {
	var coefs []regress.Coefficient
	title, ratios := "", false
	switch m := model.(type) {
	case *regress.RegressionModel:
		coefs, title, ratios = m.Coefficients, m.Formula, m.Link == "logit" || m.Link == "log"
	case *regress.MixedRegression:
		coefs, title = m.Coefficients, m.Formula
	case *survival.CoxModel:
		coefs, title, ratios = m.Coefficients, m.Formula, true
	case []regress.Coefficient:
		coefs = m
	default:
		return failed("ForestPlot", "a %T has no coefficients with intervals: pass a model from ml.OLS, ml.GLM, ml.MixedModel or ml.Cox", model)
	}
	var names []string
	var x, y, lx, ly []float64
	for _, c := range slices.Backward(coefs) { // the first one is at the top
		if c.Name == "Intercept" || c.Name == "alpha" {
			continue
		}
		at := float64(len(names))
		v, low, high := c.Estimate, c.Low, c.High
		if ratios {
			v, low, high = math.Exp(v), math.Exp(low), math.Exp(high)
		}
		names = append(names, c.Name)
		x, y = append(x, v), append(y, at)
		lx, ly = append(lx, low, high, math.NaN()), append(ly, at, at, math.NaN())
	}
	if len(names) == 0 {
		return failed("ForestPlot", "the model must have a coefficient besides the intercept")
	}
	c := chart.New().Line(lx, ly).ClassColor(0).Width(1.8).Points(x, y).ClassColor(0).Radius(4.5)
	null, label := 0.0, "coefficient"
	if ratios {
		null, label = 1, "ratio"
		c.LogX()
	}
	return c.VRule(null).Color("gray").Dashed().YNames(names...).YRange(-0.6, float64(len(names))-0.4).Title(title).X(label).Y("").NoLegend().
		Size(600, float64(min(900, 110+34*len(names))))
}

// SurvivalCurves draws Kaplan-Meier curves with their confidence bands, one color for each group,
// and marks censored times.
func SurvivalCurves(k *survival.KaplanMeierCurves) *chart.Chart {
	if k == nil || len(k.Curves) == 0 {
		return failed("SurvivalCurves", "there is no curve: make some with ml.KaplanMeier")
	}
	c := chart.New()
	for i, curve := range k.Curves {
		var t, s, low, high, ct, cs []float64
		t, s, low, high = append(t, 0), append(s, 1), append(low, 1), append(high, 1)
		for j, at := range curve.Time {
			n := len(s) - 1
			t, s, low, high = append(t, at), append(s, s[n]), append(low, low[n]), append(high, high[n])
			t, s, low, high = append(t, at), append(s, curve.S[j]), append(low, curve.Low[j]), append(high, curve.High[j])
			if curve.Censored[j] > 0 {
				ct, cs = append(ct, at), append(cs, curve.S[j])
			}
		}
		c.Area(t, low, high).ClassColor(i).Opacity(0.15)
		c.Line(t, s).ClassColor(i).Width(2)
		if curve.Group != "" {
			c.Name(curve.Group)
		}
		if len(ct) > 0 {
			c.Points(ct, cs).ClassColor(i).Radius(2.5)
		}
	}
	return c.Title(fmt.Sprintf("Kaplan-Meier curves with bands of %s", percent(k.Level))).X("time").Y("survival").YRange(0, 1.02)
}

// ForecastFan draws a series and its forecast with bands, darker for lower levels. For a long
// series, it shows only the last values.
func ForecastFan(f *series.Forecast) *chart.Chart {
	if f == nil || len(f.Mean) == 0 {
		return failed("ForecastFan", "there is no forecast: make one with m.Forecast(12)")
	}
	n := len(f.Observed)
	from := max(0, n-max(60, 6*len(f.Mean)))
	var t []float64
	for i := from; i < n; i++ {
		t = append(t, float64(i+1))
	}
	ahead := []float64{float64(n)}
	mean := []float64{f.Observed[n-1]}
	for i, v := range f.Mean {
		ahead, mean = append(ahead, float64(n+i+1)), append(mean, v)
	}
	c := chart.New()
	for k := len(f.Levels) - 1; k >= 0; k-- {
		low, high := append([]float64{f.Observed[n-1]}, f.Low[k]...), append([]float64{f.Observed[n-1]}, f.High[k]...)
		c.Area(ahead, low, high).ClassColor(1).Opacity(0.18).Name(percent(f.Levels[k]) + " band")
	}
	return c.Line(t, f.Observed[from:]).ClassColor(0).Width(1.6).Name("observed").Line(ahead, mean).ClassColor(1).Width(2).Name("forecast").
		Title("Forecast by " + f.Model).X("step").Y("value")
}

// Correlogram draws the autocorrelations of a series at each lag, with the confidence band for an
// uncorrelated series.
func Correlogram(r *series.Correlogram) *chart.Chart {
	if r == nil || len(r.Value) < 2 {
		return failed("Correlogram", "there are no lags: make some with ml.ACF or ml.PACF")
	}
	var x, y, lx, ly, low, high []float64
	for k := 1; k < len(r.Value); k++ {
		v := float64(k)
		x, y = append(x, v), append(y, r.Value[k])
		lx, ly = append(lx, v, v, math.NaN()), append(ly, 0, r.Value[k], math.NaN())
		low, high = append(low, -r.Band[k]), append(high, r.Band[k])
	}
	return chart.New().Area(x, low, high).Color("gray").Opacity(0.2).HRule(0).Color("gray").Line(lx, ly).ClassColor(0).Width(1.8).
		Points(x, y).ClassColor(0).Radius(3.5).Title("Correlogram").X("lag").Y(r.Name).NoLegend()
}

// SeriesParts draws a decomposed series: the observed values, trend, season and remainder.
func SeriesParts(d *series.Decomposition) *chart.Panels {
	if d == nil || len(d.Observed) == 0 {
		return chart.Grid(failed("SeriesParts", "there is no decomposition: make one with ml.STL{Period: 12}.Decompose(x)"))
	}
	t := make([]float64, len(d.Observed))
	for i := range t {
		t[i] = float64(i + 1)
	}
	panel := func(name string, v []float64) *chart.Chart {
		return chart.New().Line(t, v).ClassColor(0).Width(1.4).X("step").Y(name).NoLegend()
	}
	return chart.Grid(panel("observed", d.Observed), panel("trend", d.Trend), panel("season", d.Season), panel("remainder", d.Remainder)).
		Cols(1).Title(fmt.Sprintf("Decomposition by STL with period %d", d.Period)).Size(760, 720)
}

func percent(level float64) string { return strconv.FormatFloat(100*level, 'g', 6, 64) + " %" }
