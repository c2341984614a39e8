package verbs

import (
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/series"
	"github.com/gokernel/gokernel/mlstd/survival"
)

// ResidualPanels draws four checks of the residuals of a regression. See [course.ResidualPanels].
func ResidualPanels(m *regress.RegressionModel) *chart.Panels { return course.ResidualPanels(m) }

// ForestPlot draws the coefficients of a fitted model with their confidence intervals. See
// [course.ForestPlot].
func ForestPlot(m any) *chart.Chart { return course.ForestPlot(m) }

// SurvivalCurves draws Kaplan-Meier curves with their confidence bands. See
// [course.SurvivalCurves].
func SurvivalCurves(k *survival.KaplanMeierCurves) *chart.Chart { return course.SurvivalCurves(k) }

// ForecastFan draws a series and its forecast with bands. See [course.ForecastFan].
func ForecastFan(f *series.Forecast) *chart.Chart { return course.ForecastFan(f) }

// Correlogram draws the autocorrelations of a series. See [course.Correlogram].
func Correlogram(r *series.Correlogram) *chart.Chart { return course.Correlogram(r) }

// SeriesParts draws a decomposed series. See [course.SeriesParts].
func SeriesParts(d *series.Decomposition) *chart.Panels { return course.SeriesParts(d) }
