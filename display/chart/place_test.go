package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
)

// textsOf returns the texts of a figure.
func textsOf(t *testing.T, d display.Displayer) []string {
	t.Helper()
	b, err := d.Display()
	if err != nil {
		t.Fatal(err)
	}
	lines, _, _, err := cliptest.Texts(b.Data[display.MIMESVG].(string))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

var longNames = []string{"a very long name of a category that goes on and on", "another very long name of a category, no less", "short", "the fourth"}

// crowded returns charts whose texts need much room.
func crowded() map[string]display.Displayer {
	y := []float64{1, -2, 3, 4}
	at := []float64{0, 1, 2, 3}
	var fifty []string
	var heights []float64
	for i := range 50 {
		fifty, heights = append(fifty, fmt.Sprintf("a name with the number %d", i)), append(heights, float64(i%7))
	}
	matrix := [][]float64{{1, -0.25, 0.33, -0.5}, {-0.25, 1, -0.77, 0.5}, {0.33, -0.77, 1, 0}, {-0.5, 0.5, 0, 1}}
	lines := New()
	for i := range 20 {
		lines = lines.Line(at, []float64{float64(i), float64(i) + 1, float64(i) - 1, 2}).Name(fmt.Sprintf("series %d", i+1))
	}
	noon := time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)
	return map[string]display.Displayer{
		"bars":    Bar(longNames, y).Title("Bars").X("name").Y("value"),
		"lying":   Bar(longNames, y).Horizontal().X("name").Y("value"),
		"named":   Plot(at, y).XNames(longNames...).YNames(longNames...).YRange(-0.5, 3.5).X("x").Y("y"),
		"fifty":   Bar(fifty, heights).Y("height"),
		"matrix":  Heatmap(matrix).XNames(longNames...).YNames(longNames...).Title("Correlation"),
		"legend":  lines.Title("Twenty"),
		"labels":  Scatter(at, y).Label(at, y, longNames),
		"offset":  Scatter([]float64{1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3}, []float64{1e-7, 2e-7, 3e-7, 4e-7}).ByValue([]float64{2.5e7, 2.5e7 + 1, 2.5e7 + 2, 2.5e7 + 3}),
		"formats": Plot([]float64{1e9, 1e9 + .25, 1e9 + .5, 1e9 + .6}, y).XFormat("%.2f"), "reversed": Plot([]float64{1e9, 1e9 + .25, 1e9 + .5, 1e9 + .6}, y).XFormat("%.2f").ReverseX(),
		"close ticks": Plot(at, y).XTicks(0, 0.01, 0.02, 3).YTicks(-2, -1.9, 0, 4).YFormat("$"),
		"moments":     Plot([]time.Time{noon, noon.Add(5 * time.Hour), noon.Add(15 * time.Hour), noon.Add(20 * time.Hour)}, y).X("time"),
		"grid": Grid(Bar(longNames, y).Title("one"), Bar(longNames, y).Horizontal().Title("two"), Plot(at, y).XNames(longNames...),
			Heatmap(matrix).XNames(longNames...), Plot(at, []float64{1e6, 2e6, 3e6, 4e6}).X("a title"), lines).Title("Six"),
		"titled grid": Grid(Plot(at, y), Plot(at, y), Plot(at, y), Plot(at, y)).X("one x").Y("one y").Title("Title"),
	}
}

// TestNoTextIsCut draws charts whose texts need much room: no text leaves the figure, and no text
// overlaps another.
func TestNoTextIsCut(t *testing.T) {
	for name, d := range crowded() {
		cliptest.Check(t, name, d)
	}
	for _, e := range gallery {
		cliptest.Check(t, e.name, e.make())
	}
}

// TestLongNamesAreWhole finds every word of long names on the figure.
func TestLongNamesAreWhole(t *testing.T) {
	charts := crowded()
	for _, name := range []string{"bars", "lying", "named", "matrix", "labels"} {
		words := strings.Fields(strings.Join(textsOf(t, charts[name]), " "))
		for _, w := range strings.Fields(strings.Join(longNames, " ")) {
			if !slices.Contains(words, w) {
				t.Errorf("%s: the word %q of a name is missing", name, w)
			}
		}
	}
}

func TestEmptyTitlesBlankTheAxes(t *testing.T) {
	if got := textsOf(t, Hist([]float64{1, 2, 3}).Y("")); slices.Contains(got, "count") {
		t.Errorf("a blank title leaves %q", got)
	}
	if got := textsOf(t, Hist([]float64{1, 2, 3})); !slices.Contains(got, "count") {
		t.Errorf("the default title is missing in %q", got)
	}
}

func TestPanelsHaveTitlesOfTheirOwn(t *testing.T) {
	c := func() *Chart { return Plot([]float64{1, 2}, []float64{1, 2}).X("own x").Y("own y") }
	p := Grid(c(), c()).X("one x").Y("one y")
	got := textsOf(t, p)
	for title, want := range map[string]int{"one x": 1, "one y": 1, "own x": 0, "own y": 0} {
		n := 0
		for _, s := range got {
			if s == title {
				n++
			}
		}
		if n != want {
			t.Errorf("%q stands %d times in the panels, want %d", title, n, want)
		}
	}
	spec, err := p.VegaLite()
	if s := fmt.Sprint(spec); err != nil || strings.Contains(s, "own x") || !strings.Contains(s, "one y") {
		t.Errorf("the interactive panels have other titles: %v", err)
	}
}

// TestPanelsOfARowAreEquallyHigh compares the areas of panels with and without titles,
// long names and large numbers.
func TestPanelsOfARowAreEquallyHigh(t *testing.T) {
	x := []float64{0, 1, 2, 3}
	p := Grid(Plot(x, x).Title("with a title"), Plot(x, []float64{1e6, 2e6, 3e6, 4e6}).X("x"), Bar(longNames, x), Scatter(x, x), Plot(x, x).X("x").Y("y"))
	panels, err := p.panels()
	if err != nil {
		t.Fatal(err)
	}
	l := p.arrange(panels)
	if err := p.prepare(panels, l); err != nil {
		t.Fatal(err)
	}
	l.align(panels)
	for i, q := range panels {
		q.place(l.cell(i))
		if first := panels[i/l.cols*l.cols]; math.Abs(q.area.y0-first.area.y0) > 1 || math.Abs(q.area.y1-first.area.y1) > 1 {
			t.Errorf("panel %d goes from %g to %g, the first of its row from %g to %g", i, q.area.y0, q.area.y1, first.area.y0, first.area.y1)
		}
	}
}

// TestTwentySeriesAreToldApart checks that all names of twenty series are shown, and that no
// combination of color and dash or shape occurs twice.
func TestTwentySeriesAreToldApart(t *testing.T) {
	p, err := newPanel(crowded()["legend"].(*Chart))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.legend.entries) != 20 || p.legend.more != 0 {
		t.Fatalf("%d of 20 series are in the legend", len(p.legend.entries))
	}
	seen := map[string]bool{}
	for i, e := range p.legend.entries {
		if key := fmt.Sprint(e.color, e.dash); seen[key] {
			t.Errorf("series %d looks like another one", i)
		} else {
			seen[key] = true
		}
		if (e.dash > 0) != (i >= 12) {
			t.Errorf("series %d has the dashes %d; those from 12 on differ by them", i, e.dash)
		}
	}
}

func TestAllCellsAreAnnotatedOrNone(t *testing.T) {
	for n := 2; n <= 20; n++ {
		z := make([][]float64, n)
		for i := range z {
			z[i] = make([]float64, n)
			for j := range z[i] {
				z[i][j] = math.Sin(float64(3*i + 5*j))
			}
		}
		inside := 0
		for _, s := range textsOf(t, Heatmap(z)) {
			if strings.ContainsAny(s, ".") {
				inside++
			}
		}
		if n <= 14 && inside < n*n || inside >= n*n/2 && inside < n*n {
			t.Errorf("%d of %d×%d cells show their numbers", inside, n, n)
		}
	}
}

// TestSeveralNotes checks that notes are complete and do not overlap.
func TestSeveralNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	f := columns{"x": normal(r, 400, 0, 1), "a group with a long name": make([]string, 400)}
	x, names := f["x"].([]float64), f["a group with a long name"].([]string)
	for i := range x {
		names[i] = "crowd"
		if i < 2 {
			names[i] = []string{"one", "two"}[i]
		}
	}
	x[5] = math.NaN()
	c := Violin(f, "a group with a long name", "x").Swarm("a group with a long name", "x").Size(360, 300)
	for name, d := range map[string]display.Displayer{"alone": c, "in a grid": Grid(c, c), "in a table": c.Facet(names, names)} {
		cliptest.Check(t, name, d)
		for _, s := range textsOf(t, d) {
			if len(strings.Fields(s)) > 3 && strings.Contains(s, "…") {
				t.Errorf("%s: a note is cut: %s", name, s)
			}
		}
	}
}
