package inference_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/inference"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"gonum.org/v1/gonum/stat"
)

type pair [2]float64

type inferenceOracle struct {
	Samples []struct {
		Name                           string
		A, B, C                        []float64
		One, T, MW, Wilcoxon           [3]pair
		OneCI                          pair `json:"one_ci"`
		TCI                            pair `json:"t_ci"`
		KW, F, Welch, Levene, Bartlett pair
		Shapiro                        [3]pair
		AD                             *pair
		JB, KS, KS2                    pair
		Friedman, Spearman, Kendall    *pair
		Pearson                        *[4]float64
	}
	Counts []struct {
		Table         [][]int
		Chi, P, DF, V float64
	}
	Fit []struct {
		Counts        []int
		Probabilities []float64
		Result        pair
	}
	Adjust []map[string][]float64
	Tukey  []struct {
		Name               string
		P, Diff, Low, High [][]float64
	}
	Power []struct {
		Kind                        string
		Effect, P2, N, Alpha, Power float64
		One                         bool
	}
	Kolmogorov  [][3]float64
	Proportions [][6]float64
	BCa         []struct {
		Name          string
		Low, High, SE float64
	}
}

func readInference(t *testing.T) (o inferenceOracle) {
	t.Helper()
	mltest.ReadOracle(t, "inference", &o)
	if len(o.Samples) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

func relative(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: got %.12g, want %.12g", what, got, want)
	}
}

func compare(t *testing.T, what string, got eval.TestResult, want pair) {
	t.Helper()
	mltest.Near(t, what+" statistic", got.Statistic, want[0], 1e-9)
	relative(t, what+" P", got.P, want[1], 1e-8)
}

func TestOracleInference(t *testing.T) {
	for _, s := range readInference(t).Samples {
		for k, side := range []string{"two-sided", "less", "greater"} {
			compare(t, s.Name+" OneSampleTTest "+side, inference.OneSampleTTest(s.A, 5, side), s.One[k])
			compare(t, s.Name+" TTest "+side, inference.TTest(s.A, s.B, side), s.T[k])
			compare(t, s.Name+" MannWhitney "+side, inference.MannWhitney(s.A, s.B, side), s.MW[k])
			if s.Friedman != nil {
				got := inference.WilcoxonTest(s.A, s.B, side)
				if side == "two-sided" { // SciPy's statistic is the smaller sum then
					n := 0
					for i := range s.A {
						if s.A[i] != s.B[i] {
							n++
						}
					}
					got.Statistic = min(got.Statistic, float64(n*(n+1))/2-got.Statistic)
				}
				compare(t, s.Name+" WilcoxonTest "+side, got, s.Wilcoxon[k])
			}
		}
		one, two := inference.OneSampleTTest(s.A, 5), inference.TTest(s.A, s.B)
		mltest.NearAll(t, s.Name+" interval", []float64{one.Estimate.Low, one.Estimate.High, two.Estimate.Low, two.Estimate.High},
			[]float64{s.OneCI[0], s.OneCI[1], s.TCI[0], s.TCI[1]}, 1e-9)
		compare(t, s.Name+" KruskalWallis", inference.KruskalWallis(s.A, s.B, s.C), s.KW)
		compare(t, s.Name+" OneWayANOVA", inference.OneWayANOVA(s.A, s.B, s.C), s.F)
		compare(t, s.Name+" WelchANOVA", inference.WelchANOVA(s.A, s.B, s.C), s.Welch)
		compare(t, s.Name+" LeveneTest", inference.LeveneTest(s.A, s.B, s.C), s.Levene)
		compare(t, s.Name+" BartlettTest", inference.BartlettTest(s.A, s.B, s.C), s.Bartlett)
		for k, v := range [][]float64{s.A, s.B, s.C} {
			got := inference.ShapiroWilk(v)
			mltest.Near(t, s.Name+" ShapiroWilk W", got.Statistic, s.Shapiro[k][0], 1e-9)
			relative(t, s.Name+" ShapiroWilk P", got.P, s.Shapiro[k][1], 1e-6)
		}
		if s.AD != nil {
			compare(t, s.Name+" AndersonDarling", inference.AndersonDarling(s.B), *s.AD)
		}
		compare(t, s.Name+" JarqueBeraTest", inference.JarqueBeraTest(s.B), s.JB)
		cdf := func(x float64) float64 { return math.Erfc(-(x-5)/2/math.Sqrt2) / 2 }
		compare(t, s.Name+" KSTest", inference.KSTest(s.A, cdf), s.KS)
		compare(t, s.Name+" KSTwoSample", inference.KSTwoSample(s.A, s.B), s.KS2)
		if s.Friedman == nil {
			continue
		}
		compare(t, s.Name+" FriedmanTest", inference.FriedmanTest(s.A, s.B, s.C), *s.Friedman)
		p := inference.PearsonTest(s.A, s.B)
		mltest.NearAll(t, s.Name+" PearsonTest", []float64{p.Estimate.Value, p.P, p.Estimate.Low, p.Estimate.High}, s.Pearson[:], 1e-9)
		r := inference.SpearmanTest(s.A, s.B)
		mltest.Near(t, s.Name+" SpearmanTest", r.Estimate.Value, s.Spearman[0], 1e-10)
		relative(t, s.Name+" SpearmanTest P", r.P, s.Spearman[1], 1e-8)
		k := inference.KendallTest(s.A, s.B)
		mltest.Near(t, s.Name+" KendallTest", k.Estimate.Value, s.Kendall[0], 1e-10)
		relative(t, s.Name+" KendallTest P", k.P, s.Kendall[1], 1e-8)
	}
}

func TestOracleCounts(t *testing.T) {
	o := readInference(t)
	for _, c := range o.Counts {
		r := inference.ChiSquareCounts(c.Table)
		what := fmt.Sprint("ChiSquareCounts ", c.Table)
		compare(t, what, r, pair{c.Chi, c.P})
		mltest.Near(t, what+" V", r.Effect, c.V, 1e-10)
		if r.DF != c.DF {
			t.Errorf("%s: %v degrees of freedom", what, r.DF)
		}
		// The same from a frame.
		var a, b []string
		for i, row := range c.Table {
			for j, n := range row {
				for range n {
					a, b = append(a, fmt.Sprint("r", i)), append(b, fmt.Sprint("c", j))
				}
			}
		}
		if f := inference.ChiSquareTest(frame.FromRows(map[string]any{"a": a, "b": b}), "a", "b"); math.Abs(f.Statistic-r.Statistic) > 1e-9*r.Statistic {
			t.Errorf("%s: ChiSquareTest of the frame: %v", what, f)
		}
	}
	for _, c := range o.Fit {
		compare(t, fmt.Sprint("GoodnessOfFit ", c.Counts), inference.GoodnessOfFit(c.Counts, c.Probabilities...), c.Result)
	}
	for _, c := range o.Proportions {
		compare(t, fmt.Sprint("ProportionTest ", c[:4]), inference.ProportionTest(int(c[0]), int(c[1]), int(c[2]), int(c[3])), pair{c[4], c[5]})
	}
}

func TestOracleAdjustP(t *testing.T) {
	for _, c := range readInference(t).Adjust {
		for _, method := range []string{"bonferroni", "holm", "bh", "by"} {
			for i, got := range inference.AdjustP(c["p"], method) {
				relative(t, "AdjustP "+method, got, c[method][i], 1e-12)
			}
		}
	}
}

func TestOracleTukey(t *testing.T) {
	o := readInference(t)
	for k, c := range o.Tukey {
		var y []float64
		var g []string
		for i, v := range [][]float64{o.Samples[k].A, o.Samples[k].B, o.Samples[k].C} {
			for _, x := range v {
				y, g = append(y, x), append(g, string(rune('a'+i)))
			}
		}
		f, err := inference.TukeyHSD(frame.FromRows(map[string]any{"y": y, "g": g}), "y", "g")
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		for i := range 3 {
			for j := i + 1; j < 3; j++ {
				what := fmt.Sprint(c.Name, " TukeyHSD ", i, j)
				at := func(col string) float64 { return f.Col(col).Floats()[row] }
				mltest.Near(t, what+" difference", at("difference"), -c.Diff[i][j], 1e-10)
				mltest.Near(t, what+" low", at("low"), -c.High[i][j], 1e-7)
				mltest.Near(t, what+" high", at("high"), -c.Low[i][j], 1e-7)
				if want := c.P[i][j]; want > 1e-9 {
					relative(t, what+" P", at("P"), want, 1e-6+1e-10/want)
				} else if !(at("P") > 0 && at("P") < 1e-8) { // SciPy integrates to about 1e-10
					t.Errorf("%s: P %v", what, at("P"))
				}
				row++
			}
		}
	}
}

func TestOraclePower(t *testing.T) {
	for _, c := range readInference(t).Power {
		what := fmt.Sprintf("%+v", c)
		var power, n float64
		var err error
		switch c.Kind {
		case "two", "paired":
			s := inference.TTestPower{Effect: c.Effect, N: c.N, Alpha: c.Alpha, OneSided: c.One, Paired: c.Kind == "paired"}
			if s, err = s.Solve(); err != nil {
				t.Fatal(what, err)
			}
			if power = s.Power; power < 1-1e-9 {
				s.N = 0
				if s, err = s.Solve(); err != nil {
					t.Fatal(what, err)
				}
				n = s.N
				s.Effect = 0
				if s, err = s.Solve(); err != nil {
					t.Fatal(what, err)
				}
				mltest.Near(t, what+" effect", s.Effect, c.Effect, 1e-8)
			}
		case "anova":
			s := inference.ANOVAPower{Groups: 4, Effect: c.Effect, N: c.N, Alpha: c.Alpha}
			if s, err = s.Solve(); err != nil {
				t.Fatal(what, err)
			}
			power = s.Power
		case "proportions":
			s := inference.ProportionPower{P1: c.Effect, P2: c.P2, N: c.N}
			if s, err = s.Solve(); err != nil {
				t.Fatal(what, err)
			}
			power = s.Power
			s.N = 0
			if s, err = s.Solve(); err != nil {
				t.Fatal(what, err)
			}
			n = s.N
		}
		mltest.Near(t, what, power, c.Power, 1e-8)
		if n > 0 {
			mltest.Near(t, what+" N", n/c.N, 1, 1e-7)
		}
	}
}

func TestOracleKolmogorov(t *testing.T) {
	rows := readInference(t).Kolmogorov
	if len(rows) < 40 {
		t.Fatal("too few values")
	}
	for _, r := range rows {
		// Make n values whose largest distance from the uniform distribution is d.
		n, d := int(r[0]), r[1]
		x := make([]float64, n)
		for i := range x {
			x[i] = min(float64(i+1)/r[0]+0, 1)
		}
		shift := d - 1/r[0]
		for i := range x {
			x[i] = float64(i)/r[0] + 1/r[0] + shift
		}
		cdf := func(v float64) float64 { return min(max(v-0, 0), 1) }
		got := inference.KSTest(x, cdf)
		if math.Abs(got.Statistic-d) > 1e-12 {
			continue // the largest distance is elsewhere
		}
		relative(t, fmt.Sprint("KSTest of ", n, " at ", d), got.P, r[2], 1e-7)
	}
}

// 20,000 draws of each side are as near to SciPy's 200,000 as chance allows: 4 standard errors of a
// percentile of the mean are about 0.08 of its standard error.
func TestOracleBCa(t *testing.T) {
	o := readInference(t)
	for _, c := range o.BCa {
		for _, s := range o.Samples {
			if s.Name != c.Name {
				continue
			}
			e, _ := eval.Bootstrap{Repeats: 20000, BCa: true, Seed: 1}.Of(len(s.A), func(rows []int) float64 {
				sum := 0.0
				for _, i := range rows {
					sum += s.A[i]
				}
				return sum / float64(len(rows))
			})
			mltest.Near(t, c.Name+" BCa low", (e.Low-c.Low)/c.SE, 0, 0.1)
			mltest.Near(t, c.Name+" BCa high", (e.High-c.High)/c.SE, 0, 0.1)
			mltest.Near(t, c.Name+" mean", e.Value, stat.Mean(s.A, nil), 1e-12)
		}
	}
}
