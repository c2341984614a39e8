package chart

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTickFormats checks the labels of ticks. The wanted labels are written by hand.
func TestTickFormats(t *testing.T) {
	for format, want := range map[string]string{
		"percent": "−50.0 %|0.0 %|12.5 %|100.0 %",
		"$":       "−$0.500|$0.000|$0.125|$1.000", "€": "−€0.500|€0.000|€0.125|€1.000",
		"%.1f km": "−0.5 km|0.0 km|0.1 km|1.0 km", "%d": "0|0|0|1", "%g %%": "−0.5 %|0 %|0.125 %|1 %", "n = %f": "n = −0.500000|n = 0.000000|n = 0.125000|n = 1.000000",
	} {
		var a axis
		if err := a.setFormat("YFormat", format); err != nil {
			t.Error(err)
			continue
		}
		got := strings.Join(a.format.labels([]float64{-0.5, 0, 0.125, 1}), "|")
		if got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
	var a axis
	if err := a.setFormat("XFormat", "$"); err != nil {
		t.Fatal(err)
	}
	for want, amounts := range map[string][]float64{
		"$500|$1,000|$12,500": {500, 1000, 12500}, "$0.00|$0.50": {0, 0.5}, "−$2|$2": {-2, 2},
	} {
		if got := strings.Join(a.format.labels(amounts), "|"); got != want {
			t.Errorf("money is written %q, want %q", got, want)
		}
	}
}

// TestTicksOfAxes checks ticks and directions of axes.
func TestTicksOfAxes(t *testing.T) {
	x, y := []float64{10, 100, 300}, []float64{1, 20, 64}
	texts := textsOf(t, Plot(x, y).XTicks(0, 90, 360).LogY(2))
	for _, want := range []string{"0", "90", "360", "1", "2", "32", "64"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the axes have %q, and not %q", texts, want)
		}
	}
	if texts := textsOf(t, Plot(x, []float64{5, 6, 7}).LogY(2)); !slices.Contains(texts, "6.0") {
		t.Errorf("an axis between two powers of two has %q", texts)
	}
	texts = textsOf(t, Plot(x, y).XTicks(100, 101, 102, 200))
	if slices.Contains(texts, "101") || !slices.Contains(texts, "100") || !slices.Contains(texts, "200") {
		t.Errorf("close ticks have the labels %q", texts)
	}
	p, err := newPanel(Plot(x, y).ReverseX().ReverseY().XTicks(0, 360))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.measure(); err != nil {
		t.Fatal(err)
	}
	p.place(rect{0, 0, 600, 380})
	if p.x.at(10) < p.x.at(300) || p.y.at(1) > p.y.at(64) {
		t.Error("the axes are not reversed")
	}
	if p.x.lo > 0 || p.x.hi < 360 {
		t.Errorf("the axis from %g to %g does not include its ticks", p.x.lo, p.x.hi)
	}
	for want, c := range map[string]*Chart{
		"the ticks must be finite and ascend":     Plot(y).XTicks(2, 1),
		"there are no ticks":                      Plot(y).YTicks(),
		"this axis has names":                     Bar([]string{"a"}, []float64{1}).XTicks(1),
		"this axis shows times":                   Plot([]time.Time{time.Unix(0, 0), time.Unix(9e5, 0)}, y[:2]).XFormat("percent"),
		"must be between the ends of the axis":    Plot(y).XRange(0, 1).XTicks(0, 5),
		"a logarithmic axis cannot show 0":        Plot(y).LogY().YTicks(0, 1),
		"the base must be 2 or 10":                Plot(y).LogY(3),
		`a text with one verb, such as "%.1f km"`: Plot(y).YFormat("%s"),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
