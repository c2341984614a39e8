package persist_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/regress"
	"github.com/gokernel/gokernel/mlstd/series"
	"github.com/gokernel/gokernel/mlstd/survival"
)

// trial is a frame with numbers, categories and groups.
func trial() *frame.Frame {
	n := 40
	x, y, time, g, id, dead := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n), make([]string, n), make([]int, n)
	for i := range x {
		x[i] = float64(i*7%11) / 2
		g[i], id[i] = string(rune('a'+i%3)), string(rune('p'+i%8))
		y[i] = 1 + 2*x[i] + float64(i%3) + float64(i*i%13)/5 + float64(i%8)/2
		time[i], dead[i] = 1+float64(i*29%23), min(1, i%4)
	}
	return frame.FromRows(map[string]any{"x": x, "y": y, "g": g, "id": id, "time": time, "dead": dead})
}

func sales() []float64 {
	x := make([]float64, 60)
	for i := range x {
		x[i] = 10 + float64(i)/4 + float64(i%4) + float64(i*i%17)/6
	}
	return x
}

// described is how a model of the frame is fitted.
func described[M any](fit func() (M, error)) func(t *testing.T) any {
	return func(t *testing.T) any {
		m, err := fit()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// predicted are the predictions for some rows of the frame.
func predicted(m any) any {
	c, err := m.(interface {
		Predict(f *frame.Frame) (*frame.Column, error)
	}).Predict(trial().Tail(5))
	if err != nil {
		panic(err)
	}
	return c.Floats()
}

// forecast are the next values.
func forecast(m any) any {
	f, err := m.(interface {
		Forecast(h int, levels ...float64) (*series.Forecast, error)
	}).Forecast(4)
	if err != nil {
		panic(err)
	}
	return [][]float64{f.Mean, f.StdErr}
}

func init() {
	special["regress.RegressionModel"] = kind{fitted: described(func() (*regress.RegressionModel, error) {
		return regress.OLS(trial(), "y ~ scale(x)*g + log(time)")
	}), answer: predicted}
	special["regress.MixedRegression"] = kind{fitted: described(func() (*regress.MixedRegression, error) {
		return regress.MixedModel(trial(), "y ~ x + (1 | id)")
	}), answer: predicted}
	special["survival.CoxModel"] = kind{fitted: described(func() (*survival.CoxModel, error) {
		return survival.Cox(trial(), "Surv(time, dead) ~ x + g")
	}), answer: predicted}
	special["series.ARIMAModel"] = kind{fitted: described(func() (*series.ARIMAModel, error) {
		return series.ARIMA(sales(), series.ARIMAOrder{P: 1, D: 1, Q: 1})
	}), answer: forecast}
	special["series.ETSModel"] = kind{fitted: described(func() (*series.ETSModel, error) {
		return series.ETS(sales(), series.ETSForm{Trend: true, Seasonal: true, Period: 4})
	}), answer: forecast}
}
