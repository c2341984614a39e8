package chart

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestSymlog: positions follow the formula of d3-scale's scaleSymlog, sign(v) · ln(1 + |v|/c).
func TestSymlog(t *testing.T) {
	s := scale{lo: -100, hi: 1000, symlog: 2, to: 300}
	f := func(v float64) float64 { return math.Copysign(math.Log(1+math.Abs(v)/2), v) }
	for _, v := range []float64{-100, -3, 0, 0.5, 40, 1000} {
		want := 300 * (f(v) - f(-100)) / (f(1000) - f(-100))
		if got := s.at(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%g is at %g, want %g", v, got, want)
		}
		if got := s.value(s.at(v)); math.Abs(got-v) > 1e-9*math.Max(1, math.Abs(v)) {
			t.Errorf("the value at the place of %g is %g", v, got)
		}
	}
	c := Plot([]float64{1, 2, 3, 4}, []float64{-1000, -5, 0, 20000}).SymlogY(1)
	texts := textsOf(t, c)
	for _, want := range []string{"−1,000", "0", "10,000"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the axis has %q, and not %q", texts, want)
		}
	}
	if slices.Contains(texts, "1 value that is not positive is left out of the logarithmic axis") {
		t.Errorf("zero and negative values are left out: %q", texts)
	}
	if texts := textsOf(t, Plot([]float64{0.1, 0.2, 0.4}).SymlogY(100)); !slices.Contains(texts, "0.3") {
		t.Errorf("an axis within the threshold has %q", texts)
	}
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := p.vega(400, 300, 0, names{})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.axisChannel("y")["scale"].(object); got["type"] != "symlog" || got["constant"] != 1.0 {
		t.Errorf("the interactive scale is %v", got)
	}
}

// TestErrorsOfSymlog: a symmetric logarithmic axis that a chart cannot have is an error.
func TestErrorsOfSymlog(t *testing.T) {
	v := []float64{1, 2}
	for want, c := range map[string]*Chart{
		"chart.SymlogY: the threshold must be positive, got 0":                               Plot(v).SymlogY(0),
		"chart.SymlogX: the axis is already logarithmic; leave SymlogX or LogX out":          Plot(v, v).LogX().SymlogX(1),
		"chart.SymlogX: names, times and durations have no logarithm":                        Bar([]string{"a", "b"}, v).SymlogX(1),
		"chart.SymlogY: the units of a logarithmic axis differ in length":                    Plot(v).SymlogY(1).Equal(),
		"chart.SymlogX: this heat map has cells or axes of equal steps; leave SymlogX out (": Heatmap([][]float64{v, v}).SymlogX(1),
	} {
		if _, err := c.Figure(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
