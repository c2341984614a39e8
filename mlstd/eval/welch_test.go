package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
)

func TestOracleWelch(t *testing.T) {
	var oracle struct {
		Welch []struct {
			Name                       string
			A, B                       []float64
			T, P, DF, Confidence, Diff float64
			Low, High                  float64
		}
	}
	mltest.ReadOracle(t, "eval", &oracle)
	if len(oracle.Welch) < 4 {
		t.Fatalf("%d cases", len(oracle.Welch))
	}
	for _, c := range oracle.Welch {
		r, e := eval.WelchTest(c.A, c.B), eval.MeanDifference(c.A, c.B, c.Confidence)
		mltest.Near(t, c.Name+" t", r.Statistic, c.T, 1e-12*math.Abs(c.T))
		mltest.Near(t, c.Name+" p", r.P, c.P, 1e-9*c.P)
		mltest.Near(t, c.Name+" df", r.DF, c.DF, 1e-11*c.DF)
		mltest.Near(t, c.Name+" difference", e.Value, c.Diff, 1e-12)
		mltest.Near(t, c.Name+" low", e.Low, c.Low, 1e-9)
		mltest.Near(t, c.Name+" high", e.High, c.High, 1e-9)
		if back := eval.WelchTest(c.B, c.A); back.Statistic != -r.Statistic || back.P != r.P {
			t.Errorf("%s: the samples changed about give %v, not the mirror of %v", c.Name, back, r)
		}
	}
}

func TestWelchAtTheEdge(t *testing.T) {
	if r := eval.WelchTest([]float64{2, 2}, []float64{2, 2, 2}); r.Statistic != 0 || r.P != 1 {
		t.Errorf("equal constants: %v", r)
	}
	if r := eval.WelchTest([]float64{1, 1}, []float64{2, 2}); !math.IsInf(r.Statistic, -1) || r.P != 0 {
		t.Errorf("constants: %v", r)
	}
	if e := eval.MeanDifference([]float64{3, 3}, []float64{2, 2}, 0.95); e.Low != 1 || e.High != 1 {
		t.Errorf("constants: %v", e)
	}
	for want, do := range map[string]func(){
		"1":   func() { eval.WelchTest([]float64{1, 2}, []float64{1}) },
		"NaN": func() { eval.WelchTest([]float64{1, math.NaN()}, []float64{1, 2}) },
		"95":  func() { eval.MeanDifference([]float64{1, 2}, []float64{1, 2}, 95) },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			}()
			do()
		}()
	}
}
