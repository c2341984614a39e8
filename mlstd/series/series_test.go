package series_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/series"
)

func noise(seed uint64, n int) []float64 {
	rng := model.Rand(seed, 0)
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// The parts of a decomposition sum to the series; a shift moves the trend only.
func TestDecompositionProperties(t *testing.T) {
	x := noise(1, 96)
	for i := range x {
		x[i] += 0.2*float64(i) + 5*math.Sin(2*math.Pi*float64(i)/12)
	}
	for _, robust := range []bool{false, true} {
		d, err := series.STL{Period: 12, Robust: robust}.Decompose(x)
		if err != nil {
			t.Fatal(err)
		}
		up := slices.Clone(x)
		for i := range up {
			mltest.Near(t, "sum", d.Trend[i]+d.Season[i]+d.Remainder[i], x[i], 1e-12)
			up[i] += 100
		}
		e, err := series.STL{Period: 12, Robust: robust}.Decompose(up)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, "season", e.Season, d.Season, 1e-7)
		if trend, season := d.Strength(); trend < 0.9 || season < 0.8 {
			t.Errorf("strengths %v and %v", trend, season)
		}
	}
}

// The likelihood of a white noise is that of a Gaussian; simple smoothing is ARIMA(0,1,1).
func TestARIMAIdentities(t *testing.T) {
	x := noise(2, 80)
	m, err := series.ARIMA(x, series.ARIMAOrder{Constant: true})
	if err != nil {
		t.Fatal(err)
	}
	sum, ss := 0.0, 0.0
	for _, v := range x {
		sum += v
	}
	for _, v := range x {
		ss += (v - sum/80) * (v - sum/80)
	}
	mltest.Near(t, "log L", m.LogLikelihood, -40*(math.Log(2*math.Pi*ss/80)+1), 1e-8)
	mltest.Near(t, "mean", m.Coefficients[0].Estimate, sum/80, 1e-5)
	level := 0.0
	y := noise(3, 150)
	for i, e := range y {
		y[i], level = level+e, level+0.4*e
	}
	a, err := series.ARIMA(y, series.ARIMAOrder{D: 1, Q: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := series.ETS(y, series.ETSForm{})
	if err != nil {
		t.Fatal(err)
	}
	if theta := a.Coefficients[0].Estimate; math.Abs(1+theta-s.SmoothLevel) > 0.03 || math.Abs(s.SmoothLevel-0.4) > 0.2 {
		t.Errorf("1 + θ is %v, α %v", 1+theta, s.SmoothLevel)
	}
	fa, _ := a.Forecast(5)
	fs, _ := s.Forecast(5)
	for i := range fa.Mean {
		mltest.Near(t, "forecasts", fa.Mean[i]-fs.Mean[i], 0, 0.1)
		mltest.Near(t, "bands", fa.StdErr[i]/fs.StdErr[i], 1, 0.03)
	}
}

// Bands widen, and contain the next values about as often as their level says.
func TestBandsCover(t *testing.T) {
	inside, all := 0, 0
	for seed := range uint64(40) {
		e := noise(100+seed, 130)
		x := make([]float64, 130)
		for i := 1; i < 130; i++ {
			x[i] = 0.6*x[i-1] + e[i]
		}
		m, err := series.ARIMA(x[:120], series.ARIMAOrder{P: 1})
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Forecast(10, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			all++
			if x[120+i] > f.Low[0][i] && x[120+i] < f.High[0][i] {
				inside++
			}
			if i > 0 && f.StdErr[i] < f.StdErr[i-1] {
				t.Error("a band narrows")
			}
		}
	}
	if s := float64(inside) / float64(all); s < 0.68 || s > 0.92 {
		t.Errorf("%v of the values are in the band", s)
	}
}

func TestAutomaticOrders(t *testing.T) {
	_, x := readSeries(t)
	m, err := series.AutoARIMA(x["season"], 12)
	if err != nil {
		t.Fatal(err)
	}
	if m.Order.SD != 1 || m.Order.D > 1 {
		t.Errorf("the season gives %v", m.Order)
	}
	white := noise(7, 100)
	m, err = series.AutoARIMA(white, 0)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := series.ARIMA(white, series.ARIMAOrder{Constant: true})
	if err != nil {
		t.Fatal(err)
	}
	if m.Order.D != 0 || m.AICc > plain.AICc+1e-6 {
		t.Errorf("white noise gives %v with AICc %v, the mean has %v", m.Order, m.AICc, plain.AICc)
	}
	e, err := series.AutoETS(x["season"], 12)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Form.Seasonal || !e.Form.Trend {
		t.Errorf("the season gives %v", e.Form)
	}
}

func TestSeriesRefuses(t *testing.T) {
	x := noise(1, 30)
	flat := make([]float64, 30)
	gap := slices.Clone(x)
	gap[3] = math.NaN()
	for want, f := range map[string]func() error{
		"value 3 must be finite, got NaN":                   func() error { _, err := series.ACF(gap, 5); return err },
		"the 30 values of the series must vary, got only 0": func() error { _, err := series.PACF(flat, 5); return err },
		"between 1 and 29, got 30":                          func() error { _, err := series.ACF(x, 30); return err },
		`must be "n", "c" or "ct"`:                          func() error { _, err := series.ADF(x, "x"); return err },
		"Period must be between 2":                          func() error { _, err := series.STL{Period: 20}.Decompose(x); return err },
		"Seasonal must be an odd":                           func() error { _, err := series.STL{Period: 4, Seasonal: 8}.Decompose(x); return err },
		"P must be between 0 and 20":                        func() error { _, err := series.ARIMA(x, series.ARIMAOrder{P: -1}); return err },
		"Period must be at least 2":                         func() error { _, err := series.ARIMA(x, series.ARIMAOrder{SP: 1}); return err },
		"Constant must not be set":                          func() error { _, err := series.ARIMA(x, series.ARIMAOrder{D: 2, Constant: true}); return err },
		"is too short":                                      func() error { _, err := series.ARIMA(x[:6], series.ARIMAOrder{P: 6}); return err },
		"fitted must be between 0":                          func() error { _, err := series.LjungBox(x, 2, 2); return err },
		"Period must be between 2 and":                      func() error { _, err := series.ETS(x, series.ETSForm{Seasonal: true}); return err },
	} {
		var e *model.Error
		if err := f(); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func ExampleADF() {
	walk, sum := noise(4, 100), 0.0
	for i, e := range walk {
		sum += e
		walk[i] = sum
	}
	r, err := series.ADF(walk, "c")
	if err != nil {
		panic(err)
	}
	fmt.Println(r.P > 0.05)
	// Output: true
}
