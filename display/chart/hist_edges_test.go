package chart

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// heightsOf returns the edges and the heights of the first histogram of a chart.
func heightsOf(t *testing.T, c *Chart) (edges, heights []float64, note string) {
	t.Helper()
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	return p.edges, p.heights(p.samples[0]), p.leftOut.note()
}

// TestBinEdges compares with numpy.histogram(values, edges), also with density=True (NumPy 2.4.6).
func TestBinEdges(t *testing.T) {
	v := []float64{0, 1, 1.5, 2, 3, 5, 9.5, 10, 11, -1}
	edges, heights, note := heightsOf(t, Hist(v).BinEdges(0, 1, 3, []float64{10}))
	if !slices.Equal(edges, []float64{0, 1, 3, 10}) || !slices.Equal(heights, []float64{1, 3, 4}) {
		t.Errorf("the bins %v hold %v", edges, heights)
	}
	if want := "2 values lie outside of the bins; the bins differ in width, and their heights are counts"; note != want {
		t.Errorf("the note is %q, want %q", note, want)
	}
	_, heights, note = heightsOf(t, Hist(v).BinEdges(0, 1, 3, 10).Density())
	for i, want := range []float64{0.125, 0.1875, 0.07142857142857142} {
		if d := heights[i] - want; d > 1e-15 || d < -1e-15 {
			t.Errorf("density %d is %v, want %v", i, heights[i], want)
		}
	}
	if want := "2 values lie outside of the bins"; note != want {
		t.Errorf("the note is %q, want %q", note, want)
	}
	if _, _, note = heightsOf(t, Hist([]float64{1, 2, 3}).BinEdges(0, 2, 4)); note != "" {
		t.Errorf("equal bins have the note %q", note)
	}
	day := func(d int) time.Time { return time.Date(2024, 3, d, 0, 0, 0, 0, time.UTC) }
	if _, heights, _ = heightsOf(t, Hist([]time.Time{day(1), day(2), day(5)}).BinEdges(day(1), day(3), day(6))); !slices.Equal(heights, []float64{2, 1}) {
		t.Errorf("the bins of times hold %v", heights)
	}
}

// TestCumulative checks sums of bins against sums by hand.
func TestCumulative(t *testing.T) {
	v := []float64{1, 1, 2, 3, 3, 3, 4}
	c := Hist(v).BinEdges(0.5, 1.5, 2.5, 3.5, 4.5).Cumulative()
	if _, h, _ := heightsOf(t, c); !slices.Equal(h, []float64{2, 3, 6, 7}) || c.y.label() != "cumulative count" {
		t.Errorf("the counts of %s are %v", c.y.label(), h)
	}
	c = Hist(v).BinEdges(0.5, 1.5, 2.5, 3.5, 4.5).Density().Cumulative()
	if _, h, _ := heightsOf(t, c); h[0] != 2.0/7 || h[3] != 1 || c.y.label() != "share of values" {
		t.Errorf("the proportions of %s are %v", c.y.label(), h)
	}
	f, err := c.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if want := "most between 2.5 and 3.5"; !strings.Contains(f.Alt(), want) {
		t.Errorf("the description %q does not say %q", f.Alt(), want)
	}
}

// TestErrorsOfBins: edges that a chart cannot use are errors.
func TestErrorsOfBins(t *testing.T) {
	v, now := []float64{1, 2}, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for want, c := range map[string]*Chart{
		"chart.BinEdges: the edges must be at least two ascending numbers or times, got [1]":       Hist(v).BinEdges(1),
		"chart.BinEdges: the edges must be at least two ascending numbers or times, got [2 1]":     Hist(v).BinEdges(2, 1),
		"chart.BinEdges: the edges must be numbers, as the values, and not times":                  Hist(v).BinEdges(now, now.Add(time.Hour)),
		"chart.BinEdges: Bins already sets the number of bins":                                     Hist(v).Bins(3).BinEdges(1, 2),
		"chart.BinEdges: a logarithmic axis cannot show the edge 0":                                Hist(v).BinEdges(0, 2).LogX(),
		"chart.BinEdges: this line chart has no bins with edges; leave BinEdges out (possible for": Plot(v).BinEdges(1, 2),
		"chart.Cumulative: the chart has no histogram; draw a distribution function with ECDF":     Bar(v).Cumulative(),
	} {
		if _, err := c.Figure(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
