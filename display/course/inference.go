package course

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/eval"
)

// PValue draws the null distribution of a test statistic. The filled area, with the values at least
// as extreme as the observed value, is the p-value. density is the density function of the null
// distribution. If it is nil, PValue uses the t distribution with the test's degrees of freedom, or
// the standard normal distribution if the test has no degrees of freedom. For a two-sided test,
// both tails are filled.
func PValue(t eval.TestResult, density func(x float64) float64, twoSided bool) *chart.Chart {
	if math.IsNaN(t.Statistic) || math.IsInf(t.Statistic, 0) {
		return failed("PValue", "the statistic is %v", t.Statistic)
	}
	if density == nil {
		twoSided = true
		density = distuv.UnitNormal.Prob
		if t.DF > 0 {
			density = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: t.DF}.Prob
		}
	}
	s := t.Statistic
	hi := math.Max(4, 1.4*math.Abs(s))
	lo := -hi
	if !twoSided {
		lo = math.Min(0, 1.4*s)
		hi = math.Max(hi, lo+8)
	}
	curve := func(a, b float64) (x, y []float64) {
		const n = 240
		for i := range n + 1 {
			v := a + (b-a)*float64(i)/n
			x, y = append(x, v), append(y, density(v))
		}
		return x, y
	}
	c := chart.New()
	tail := func(a, b float64, name string) {
		if a < b {
			x, y := curve(a, b)
			c.Area(x, 0.0, y).Color("red").Opacity(0.45)
			if name != "" {
				c.Name(name)
			}
		}
	}
	name := "p = " + strconv.FormatFloat(t.P, 'g', 3, 64)
	if twoSided {
		tail(math.Abs(s), hi, name)
		tail(lo, -math.Abs(s), "")
	} else {
		tail(s, hi, name)
	}
	x, y := curve(lo, hi)
	return c.XRange(lo, hi).YRange(0, 1.06*slices.Max(y)).Line(x, y).ClassColor(0).Width(2).VRule(s).Color("red").Name("observed").
		Title(t.Name).X("statistic").Y("density").Size(520, 320)
}

// Intervals draws estimates with their confidence intervals, one below the other.
func Intervals(names []string, estimates []eval.Estimate) *chart.Chart {
	if len(estimates) == 0 || len(names) != len(estimates) {
		return failed("Intervals", "there are %d names and %d estimates: pass a name for each estimate", len(names), len(estimates))
	}
	var x, y, lx, ly []float64
	// The first estimate is at the top.
	labels := slices.Clone(names)
	slices.Reverse(labels)
	for i, e := range estimates {
		at := float64(len(estimates) - 1 - i)
		x, y = append(x, e.Value), append(y, at)
		const cap = 0.12
		lx = append(lx, e.Low, e.Low, e.Low, e.High, e.High, e.High, math.NaN())
		ly = append(ly, at-cap, at+cap, at, at, at+cap, at-cap, math.NaN())
	}
	return chart.New().Line(lx, ly).ClassColor(0).Width(1.6).Points(x, y).ClassColor(0).Radius(4.5).
		YNames(labels...).YRange(-0.6, float64(len(estimates))-0.4).X("estimate").Y("").
		Size(560, float64(min(900, 90+34*len(estimates))))
}
