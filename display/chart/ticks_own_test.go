package chart

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOwnTickLabels: labels are at the ticks that the user chose, in the drawing and in Vega-Lite.
func TestOwnTickLabels(t *testing.T) {
	c := Plot([]float64{0, 90, 300}, []float64{1, 2, 3}).XTicks(0, 180, 360).XTickLabels("north", "south", "north again")
	texts := textsOf(t, c)
	for _, want := range []string{"north", "south", "north again"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the axis has %q, and not %q", texts, want)
		}
	}
	if slices.Contains(texts, "180") {
		t.Errorf("the axis has numbers too: %q", texts)
	}
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := p.vega(400, 300, 0, names{})
	if err != nil {
		t.Fatal(err)
	}
	look := v.axisChannel("x")["axis"].(object)
	if got, want := look["labelExpr"], `["north","south","north again"][indexof([0,180,360],toNumber(datum.value))]`; got != want {
		t.Errorf("the labels are %v, want %v", got, want)
	}
}

// TestOwnTimes: ranges, ticks and rules of an axis of times are times.
func TestOwnTimes(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2024, 3, d, 0, 0, 0, 0, time.UTC) }
	at := []time.Time{day(1), day(5), day(9)}
	c := Plot(at, []float64{1, 2, 3}).XRange(day(2), day(8)).XTicks(day(3), day(6)).VRule(day(4))
	texts := textsOf(t, c)
	for _, want := range []string{"Mar 3, 2024", "Mar 6, 2024", "2 values lie outside of the axes"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the chart has %q, and not %q", texts, want)
		}
	}
	if got, want := c.marks[1].x[0], float64(day(4).Unix()); got != want {
		t.Errorf("the rule is at %v, want %v", got, want)
	}
	span := Plot([]time.Duration{time.Second, time.Minute}, []float64{1, 2}).VRule(30 * time.Second)
	if got := span.marks[1].x[0]; got != 30 {
		t.Errorf("a rule at 30 s is at %v", got)
	}
	if got := Bar([]string{"a", "b"}, []float64{1, 2}).VRule("b").marks[1].x[0]; got != 1 {
		t.Errorf("a rule at the second name is at %v", got)
	}
	if got := Plot(at, []float64{1, 2, 3}).HRule([]float64{1, missing, 3}, 2); len(got.marks[1].y) != 3 || !slices.Contains(textsOf(t, got), "1 value that is not finite is left out") {
		t.Errorf("rules of a slice are at %v, in %q", got.marks[1].y, textsOf(t, got))
	}
}

// TestErrorsOfCoordinates: a coordinate that does not fit its axis is an error.
func TestErrorsOfCoordinates(t *testing.T) {
	now := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	times, y := []time.Time{now, now.AddDate(0, 0, 3)}, []float64{1, 2}
	for want, c := range map[string]*Chart{
		"chart.VRule: x must be one of the times that its axis shows, got 5":                                   Plot(times, y).VRule(5),
		"chart.VRule: x must be one of the numbers that its axis shows, got 2024":                              Plot(y).VRule(now),
		"chart.HRule: y must be a name on its axis, got \"c\"":                                                 Plot(y).HRule("c"),
		"chart.Annotate: x and y must be finite":                                                               Plot(y).Annotate(missing, 1, "a"),
		"chart.VSpan: lo and hi must be finite":                                                                Plot(y).VSpan(missing, 1),
		"chart.XRange: this axis shows times; the ends must be times, too, and not numbers":                    Plot(times, y).XRange(0, 1),
		"chart.YRange: this axis shows numbers; the ends must be numbers, too, and not times":                  Plot(y).YRange(now, now.Add(time.Hour)),
		"chart.XRange: the ends must be two numbers or two times, got 1 and 2024":                              Plot(times, y).XRange(1, now),
		"chart.XRange: the range must ascend":                                                                  Plot(times, y).XRange(now, now),
		"chart.XRange: this axis has names; ":                                                                  Bar([]string{"a"}, []float64{1}).XRange(now, times[1]),
		"chart.XTicks: this axis shows times; the ticks must be times, too, and not numbers":                   Plot(times, y).XTicks(1, 2),
		"chart.YTicks: this axis shows numbers; the ticks must be numbers, too, and not times":                 Plot(y).YTicks(now),
		"chart.YTicks: the ticks must all be numbers, got 2024":                                                Plot(y).YTicks(1, now),
		"chart.YTicks: the ticks must be numbers or times, got a":                                              Plot(y).YTicks("a"),
		"chart.XFormat: this axis shows times, with a format of its own":                                       Plot(times, y).XTicks(now).XFormat("percent"),
		"chart.XTickLabels: labels need ticks of your own: call XTicks, too; an axis of names takes XNames":    Plot(y).XTickLabels("a"),
		"chart.XTickLabels: there must be 2 labels, one for each tick, got 1":                                  Plot(y).XTicks(1, 2).XTickLabels("a"),
		"chart.YTickLabels: an axis has a format or labels of its own; leave YTickLabels or YFormat out":       Plot(y).YTicks(1).YTickLabels("a").YFormat("$"),
		`chart.XFormat: the format must be "percent", "si", a currency ($, €, £ or ¥) or a text with one verb`: Plot(y).XFormat("si %"),
	} {
		if _, err := c.Figure(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestSIPrefixes compares with the prefixes of the SI brochure, 9th edition, table 7.
func TestSIPrefixes(t *testing.T) {
	var a axis
	for format, want := range map[string]string{
		"si":   "0|1|−1.5 k|1 M|2.5 G|12 m|3 µ|999.999 k|1 M|5×",
		"si W": "0 W|1 W|−1.5 kW|1 MW|2.5 GW|12 mW|3 µW|999.999 kW|1 MW|5×",
	} {
		if err := a.setFormat("XFormat", format); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(a.format.labels([]float64{0, 1, -1500, 1e6, 2.5e9, 0.012, 3e-6, 999999, 999999.9}), "|") + "|5×"
		if got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}
