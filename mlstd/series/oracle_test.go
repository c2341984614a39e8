package series_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/series"
)

type seriesOracle struct {
	Series []struct {
		Name         string
		X, ACF, PACF []float64
		Band         []float64 `json:"acf_band"`
		LB, LBP      []float64
		ADF          map[string][5]float64
		KPSS         map[string][3]float64
	}
	STL []struct {
		Name             string
		Period, Seasonal int
		Window           int `json:"trend_window"`
		Robust           bool
		Trend, Season    []float64
		Weights          []float64
	}
	ARIMA []struct {
		Name        string
		Order       [3]int
		Seasonal    [4]int
		Constant    bool
		Names       []string
		Coef, SE    []float64
		Sigma2, LLF float64
		Mean        []float64
		ForecastSE  []float64 `json:"forecast_se"`
	}
	ETS []struct {
		Name          string
		Trend, Damped bool
		Period        int
		LLF, Alpha    float64
		Forecast      []float64
	}
}

func readSeries(t *testing.T) (o seriesOracle, x map[string][]float64) {
	t.Helper()
	mltest.ReadOracle(t, "series", &o)
	x = map[string][]float64{}
	for _, s := range o.Series {
		x[s.Name] = s.X
	}
	if len(x) < 5 {
		t.Fatal("the oracle lacks series")
	}
	return o, x
}

func TestOracleCorrelograms(t *testing.T) {
	o, _ := readSeries(t)
	for _, s := range o.Series {
		a, err := series.ACF(s.X, 20)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Name+" ACF", a.Value, s.ACF, 1e-10)
		mltest.NearAll(t, s.Name+" ACF band", a.Band, s.Band, 1e-8)
		p, err := series.PACF(s.X, 20)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Name+" PACF", p.Value, s.PACF, 1e-9)
		for k, c := range [][2]int{{10, 0}, {5, 2}} {
			q, err := series.LjungBox(s.X, c[0], c[1])
			if err != nil {
				t.Fatal(err)
			}
			mltest.Near(t, s.Name+" LjungBox", q.Statistic, s.LB[k], 1e-9)
			mltest.Near(t, s.Name+" LjungBox P", q.P/max(s.LBP[k], 1e-300), 1, 1e-7)
		}
	}
}

func TestOracleUnitRoots(t *testing.T) {
	o, _ := readSeries(t)
	for _, s := range o.Series {
		for trend, want := range s.ADF {
			what := s.Name + " ADF " + trend
			a, err := series.ADF(s.X, trend)
			if err != nil {
				t.Fatal(what, err)
			}
			mltest.Near(t, what, a.Statistic, want[0], 1e-7)
			mltest.Near(t, what+" P", a.P, want[1], 1e-7)
			mltest.Near(t, what+" lags", a.DF, want[2], 0)
			b, err := series.ADF(s.X, trend, 3)
			if err != nil {
				t.Fatal(what, err)
			}
			mltest.NearAll(t, what+" of 3 lags", []float64{b.Statistic, b.P}, want[3:], 1e-7)
		}
		for trend, want := range s.KPSS {
			k, err := series.KPSS(s.X, trend)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Name+" KPSS "+trend, []float64{k.Statistic, k.P, k.DF}, want[:], 1e-8)
		}
	}
}

func TestOracleSTL(t *testing.T) {
	o, x := readSeries(t)
	for _, c := range o.STL {
		what := fmt.Sprintf("%s STL of period %d, robust %v", c.Name, c.Period, c.Robust)
		d, err := series.STL{Period: c.Period, Seasonal: c.Seasonal, Trend: c.Window, Robust: c.Robust}.Decompose(x[c.Name])
		if err != nil {
			t.Fatal(what, err)
		}
		mltest.NearAll(t, what+": trend", d.Trend, c.Trend, 1e-8)
		mltest.NearAll(t, what+": season", d.Season, c.Season, 1e-8)
		mltest.NearAll(t, what+": weights", d.Weights, c.Weights, 1e-7)
	}
}

func TestOracleARIMA(t *testing.T) {
	o, x := readSeries(t)
	for _, c := range o.ARIMA {
		order := series.ARIMAOrder{P: c.Order[0], D: c.Order[1], Q: c.Order[2], SP: c.Seasonal[0], SD: c.Seasonal[1], SQ: c.Seasonal[2],
			Period: c.Seasonal[3], Constant: c.Constant}
		what := fmt.Sprint(c.Name, " ", order)
		m, err := series.ARIMA(x[c.Name], order)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if m.LogLikelihood < c.LLF-1e-5 {
			t.Errorf("%s: log L %v, statsmodels finds %v", what, m.LogLikelihood, c.LLF)
		}
		if m.LogLikelihood > c.LLF+1e-3 {
			continue // it did not find the maximum
		}
		// statsmodels has the constant first; its other names are ar.L1, ma.L1, ar.S.L12, ma.S.L12.
		want := c.Coef
		se := c.SE
		if c.Constant {
			want, se = append(append([]float64(nil), want[1:]...), want[0]), append(append([]float64(nil), se[1:]...), se[0])
		}
		for i, e := range m.Coefficients {
			mltest.Near(t, what+" "+e.Name, (e.Estimate-want[i])/se[i], 0, 0.01)
			mltest.Near(t, what+" "+e.Name+" error", e.StdErr/se[i], 1, 0.02)
		}
		mltest.Near(t, what+" σ²", m.Sigma2/c.Sigma2, 1, 1e-3)
		f, err := m.Forecast(18)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Mean {
			// The full filter of statsmodels starts from a diffuse state, which the first values of
			// a differenced series do not forget at once.
			mltest.Near(t, fmt.Sprint(what, " forecast ", i+1), (f.Mean[i]-c.Mean[i])/c.ForecastSE[i], 0, 0.02)
			mltest.Near(t, fmt.Sprint(what, " band ", i+1), f.StdErr[i]/c.ForecastSE[i], 1, 0.01)
		}
	}
}

func TestOracleETS(t *testing.T) {
	o, x := readSeries(t)
	for _, c := range o.ETS {
		form := series.ETSForm{Trend: c.Trend, Damped: c.Damped, Seasonal: c.Period > 0, Period: c.Period}
		what := fmt.Sprint(c.Name, " ", form)
		m, err := series.ETS(x[c.Name], form)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if m.LogLikelihood < c.LLF-1e-3 {
			t.Errorf("%s: log L %v, statsmodels finds %v", what, m.LogLikelihood, c.LLF)
		}
		f, err := m.Forecast(8)
		if err != nil {
			t.Fatal(err)
		}
		if m.LogLikelihood < c.LLF+0.01 {
			for i, v := range f.Mean {
				mltest.Near(t, fmt.Sprint(what, " forecast ", i+1), (v-c.Forecast[i])/math.Sqrt(m.Sigma2), 0, 0.1)
			}
		}
	}
}
