package survival_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/survival"
)

type survivalSet struct {
	Name, Time, Event, Group, Terms string
	Data                            map[string]any
	Curves                          []struct {
		N                  int
		Time, S, Low, High []float64
		Median             *float64
	}
	LogRank [2]float64
	Cox     struct {
		Names       []string
		Coef, SE, P []float64
		LLF         float64
	}
	Lifelines *struct {
		LLF, LR, Concordance float64
		Hazard, Baseline     []float64
		BaselineTime         []float64 `json:"baseline_time"`
	}
}

func readSurvival(t *testing.T) (sets []survivalSet, frames []*frame.Frame) {
	t.Helper()
	var o struct{ Sets []survivalSet }
	mltest.ReadOracle(t, "survival", &o)
	for _, s := range o.Sets {
		of := map[string]any{}
		for c, v := range s.Data {
			list := v.([]any)
			if _, text := list[0].(string); text {
				x := make([]string, len(list))
				for i := range x {
					x[i] = list[i].(string)
				}
				of[c] = x
				continue
			}
			x := make([]float64, len(list))
			for i := range x {
				x[i] = list[i].(float64)
			}
			of[c] = x
		}
		frames = append(frames, frame.FromRows(of))
	}
	if len(frames) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o.Sets, frames
}

func TestOracleSurvival(t *testing.T) {
	sets, frames := readSurvival(t)
	for k, s := range sets {
		left := fmt.Sprintf("Surv(%s, %s) ~ ", s.Time, s.Event)
		km, err := survival.KaplanMeier(frames[k], left+s.Group)
		if err != nil {
			t.Fatal(s.Name, err)
		}
		if len(km.Curves) != len(s.Curves) {
			t.Fatalf("%s: %d curves", s.Name, len(km.Curves))
		}
		for i, c := range km.Curves {
			w := s.Curves[i]
			what := s.Name + " KaplanMeier " + c.Group
			time, surv, low, high := w.Time, w.S, w.Low, w.High
			mltest.NearAll(t, what+" times", c.Time, time, 0)
			mltest.NearAll(t, what, c.S, surv, 1e-10)
			for j := range low {
				if c.S[j] > 0 && c.S[j] < 1 { // at 0 lifelines has no band
					mltest.Near(t, what+" low", c.Low[j], low[j], 1e-8)
					mltest.Near(t, what+" high", c.High[j], high[j], 1e-8)
				}
			}
			want := math.Inf(1)
			if w.Median != nil {
				want = *w.Median
			}
			if c.Median != want || c.N != w.N {
				t.Errorf("%s: median %v of %d, want %v of %d", what, c.Median, c.N, want, w.N)
			}
		}
		lr, err := survival.LogRank(frames[k], left+s.Group)
		if err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, s.Name+" LogRank", lr.Statistic, s.LogRank[0], 1e-8)
		mltest.Near(t, s.Name+" LogRank P", lr.P/s.LogRank[1], 1, 1e-7)
		m, err := survival.Cox(frames[k], left+s.Terms)
		if err != nil {
			t.Fatal(s.Name, err)
		}
		mltest.Near(t, s.Name+" Cox log L", m.LogLikelihood, s.Cox.LLF, 1e-8)
		for j, name := range s.Cox.Names {
			found := false
			for _, c := range m.Coefficients {
				if c.Name == strings.NewReplacer(".0]", "]").Replace(name) || c.Name == name {
					found = true
					mltest.Near(t, s.Name+" "+name, (c.Estimate-s.Cox.Coef[j])/s.Cox.SE[j], 0, 1e-5)
					mltest.Near(t, s.Name+" "+name+" error", c.StdErr/s.Cox.SE[j], 1, 1e-5)
					mltest.Near(t, s.Name+" "+name+" P", c.P/max(s.Cox.P[j], 1e-300), 1, 1e-3)
				}
			}
			if !found {
				t.Errorf("%s: no coefficient %s among %v", s.Name, name, m.Coefficients)
			}
		}
		if l := s.Lifelines; l != nil {
			mltest.NearAll(t, s.Name+" lifelines", []float64{m.LogLikelihood, m.LR, m.Concordance}, []float64{l.LLF, l.LR, l.Concordance}, 1e-5)
			h, err := m.Predict(frames[k].Head(5))
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, s.Name+" hazards", h.Floats(), l.Hazard, 1e-5)
			at := map[float64]float64{}
			for i, x := range l.BaselineTime {
				at[x] = l.Baseline[i]
			}
			for i, x := range m.BaselineTime {
				mltest.Near(t, s.Name+" baseline", m.BaselineHazard[i], at[x], 1e-5)
			}
		}
	}
}

// Without censoring, the curve is the fraction of survivors. The order of the rows and the unit of
// time don't matter. The score test of one binary column without ties is the log-rank test.
func TestSurvivalProperties(t *testing.T) {
	rng := model.Rand(8, 0)
	n := 120
	time, dead, x := make([]float64, n), make([]bool, n), make([]float64, n)
	for i := range time {
		time[i], dead[i] = rng.ExpFloat64()*10, true
		x[i] = float64(rng.IntN(2))
	}
	f := frame.FromRows(map[string]any{"time": time, "dead": dead, "x": x, "far": time})
	km, err := survival.KaplanMeier(f, "Surv(time, dead) ~ 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0.5, 5, 12} {
		more := 0.0
		for _, v := range time {
			if v > at {
				more++
			}
		}
		mltest.Near(t, "share", km.Curves[0].At(at), more/float64(n), 1e-12)
	}
	m, err := survival.Cox(f, "Surv(time, dead) ~ x")
	if err != nil {
		t.Fatal(err)
	}
	lr, err := survival.LogRank(f, "Surv(time, dead) ~ x")
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "score and log-rank", m.Score, lr.Statistic, 1e-9)
	scaled, err := survival.Cox(f.Sort("x", "time"), "Surv(I(365*time), dead) ~ I(1 - x)")
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "turned round", scaled.Coefficients[0].Estimate, -m.Coefficients[0].Estimate, 1e-9)
	s, err := m.Survival(f.Head(2), 0)
	if err != nil || s.Floats()[0] != 1 {
		t.Errorf("survival at 0: %v, %v", s, err)
	}
}

func TestSurvivalRefuses(t *testing.T) {
	f := frame.FromRows(map[string]any{"t": []float64{1, 2, 3, 4}, "e": []int{1, 0, 1, 1}, "x": []float64{1, 2, 3, 4}, "bad": []int{0, 1, 2, 1},
		"neg": []float64{-1, 2, 3, 4}, "none": []int{0, 0, 0, 0}, "g": []string{"a", "b", "a", "b"}})
	for want, fit := range map[string]func() error{
		"must be Surv(time, event)":                                 func() error { _, err := survival.Cox(f, "t ~ x"); return err },
		"the event must be 0 or 1, got 2 in row 2":                  func() error { _, err := survival.Cox(f, "Surv(t, bad) ~ x"); return err },
		"the time must be finite and not negative, got -1 in row 0": func() error { _, err := survival.KaplanMeier(f, "Surv(neg, e) ~ 1"); return err },
		"must have an event":                                        func() error { _, err := survival.Cox(f, "Surv(t, none) ~ x"); return err },
		"grows without bound":                                       func() error { _, err := survival.Cox(f, "Surv(t, e) ~ x"); return err },
		"at least 2 groups":                                         func() error { _, err := survival.LogRank(f, "Surv(t, e) ~ 1"); return err },
		"the grouping term must be a column":                        func() error { _, err := survival.KaplanMeier(f, "Surv(t, e) ~ log(x)"); return err },
		"must have a term":                                          func() error { _, err := survival.Cox(f, "Surv(t, e) ~ 1"); return err },
	} {
		var e *model.Error
		if err := fit(); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func ExampleKaplanMeier() {
	f := frame.FromRows(map[string]any{"weeks": []float64{6, 6, 6, 7, 10, 13}, "relapse": []bool{true, true, false, true, false, true}})
	km, err := survival.KaplanMeier(f, "Surv(weeks, relapse) ~ 1")
	if err != nil {
		panic(err)
	}
	for i, t := range km.Curves[0].Time {
		fmt.Printf("%2.0f weeks: %.3f\n", t, km.Curves[0].S[i])
	}
	// Output:
	//  6 weeks: 0.667
	//  7 weeks: 0.444
	// 10 weeks: 0.444
	// 13 weeks: 0.000
}
