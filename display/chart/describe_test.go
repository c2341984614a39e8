package chart

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
)

func altOf(t *testing.T, d display.Displayer) string {
	t.Helper()
	b, err := d.Display()
	if err != nil {
		t.Fatal(err)
	}
	alt, _ := b.Metadata[display.MIMEPNG].(map[string]any)["alt"].(string)
	svg, _ := b.Data[display.MIMESVG].(string)
	if !strings.Contains(svg, `role="img" aria-labelledby="title-`) {
		t.Errorf("the SVG is not an image with a name: %.300s", svg)
	}
	if text, _ := b.Data[display.MIMEText].(string); !strings.HasPrefix(text, alt) {
		t.Errorf("the text begins %.60q, not with %q", text, alt)
	}
	return alt
}

func TestDescriptions(t *testing.T) {
	for _, c := range []struct {
		chart *Chart
		want  string
	}{
		{Scatter([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8}).X("dose").Y("response"),
			"Scatter plot of response over dose; dose from 1 to 4; response from 2 to 8; 4 points; response rises with dose (correlation 1.00)."},
		// Pearson's correlation of (1, 2, 3) and (3, 1, 2) is −1/2.
		{Scatter([]float64{1, 2, 3}, []float64{3, 1, 2}),
			"Scatter plot; x from 1 to 3; y from 1 to 3; 3 points; y falls with x (correlation −0.50)."},
		{Scatter([]float64{1, 2, 3, 4}, []float64{0, 1, 1, 0}).By([]string{"a", "b", "a", "b"}).Legend("zone"),
			"Scatter plot; x from 1 to 4; y from 0 to 1; zone: a and b; 4 points; no linear trend (correlation 0.00)."},
		{Plot([]float64{0, 1, 2, 3}, []float64{1, 5, 0, 2}).Title("Up and down"),
			"Up and down. Line chart; x from 0 to 3; y from 0 to 5; rises from 1 to 2, highest 5 at 1, lowest 0 at 2."},
		{Plot([]float64{0, 1}, []float64{3, 3}), "Line chart; x from 0 to 1; y from 3 to 3; stays at 3."},
		{Plot([]float64{1, 10, 100}, []float64{1, 10, 100}).LogX().LogY(),
			"Line chart; x from 1 to 100 on a logarithmic scale; y from 1 to 100 on a logarithmic scale; rises from 1 to 100."},
		{Plot([]float64{1, 2, 3}, []float64{6310, 70, 1}).LogY(),
			"Line chart; x from 1 to 3; y from 1 to 6310 on a logarithmic scale; falls from 6310 to 1."},
		{Bar([]string{"no", "yes"}, []float64{5, 9}).Y("days"),
			"Bar chart of days; x: no and yes; days from 0 to 9; largest yes (9), smallest no (5)."},
		{BoxPlot(map[string][]float64{"a": {1, 2, 3}, "b": {4, 5, 9}}),
			"Box plot; x: a and b; y from 1 to 9; medians: a 2 and b 5."},
		{Heatmap([][]float64{{1, 2}, {3, 8}}).XNames("p", "q").YNames("u", "v"),
			"Heat map; x: p and q; y: u and v; colors show values from 1 to 8; 2 rows of 2 cells, largest at v, q (8), smallest at u, p (1)."},
		{Plot([]float64{1, 2}, []float64{1, 2}).Alt("As one sees"), "As one sees"},
	} {
		if got := altOf(t, c.chart); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestDescriptionOfPanels(t *testing.T) {
	a := Plot([]float64{0, 1}, []float64{0, 1}).Title("a")
	b := Plot([]float64{0, 1}, []float64{1, 0}).Alt("It falls.")
	want := "Both. 2 panels. Panel 1, a: Line chart; x from 0 to 1; y from 0 to 1; rises from 0 to 1. Panel 2: It falls."
	if got := altOf(t, Grid(a, b).Title("Both")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := altOf(t, Grid(b)), "1 panel. Panel 1: It falls."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	spec, err := Grid(a, b).Title("Both").VegaLite()
	if err != nil || spec["description"] != want {
		t.Errorf("the specification says %q (%v)", spec["description"], err)
	}
}

func TestEveryKindIsNamed(t *testing.T) {
	for _, k := range kinds {
		if t1 := k.about(); t1.name == "" || t1.chart == "" || t1.part == "" {
			t.Errorf("%T has no name", k)
		}
	}
}
