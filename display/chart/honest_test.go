package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
)

// textOf returns the text of a chart and fails the test if the chart cannot be drawn.
func textOf(t *testing.T, c *Chart) string {
	t.Helper()
	if _, err := c.VegaLite(); err != nil {
		t.Errorf("interactive: %v", err)
	}
	f, err := c.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return f.SVG() + f.Text
}

// TestEmpty draws charts without values. They must show the frame and a sentence.
func TestEmpty(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]*Chart{
		"no values":              Plot([]float64{}),
		"no histogram":           Hist([]float64{}).Title("Waiting"),
		"not a number":           Scatter([]float64{nan}, []float64{nan}),
		"negative on a log axis": Plot([]int{-1, -2}).LogY(),
		"a range":                Plot([]float64{}).XRange(0, 3).X("time"),
	} {
		if got := textOf(t, c); !strings.Contains(got, "there are no values to draw") {
			t.Errorf("%s: the figure does not say that it is empty", name)
		}
	}
}

// TestEveryKindMayBeEmpty draws each kind without rows: one sentence says so, inside the figure.
func TestEveryKindMayBeEmpty(t *testing.T) {
	e, names := []float64{}, []string{}
	f := columns{"a": e, "b": e, "c": names}
	for name, d := range map[string]display.Displayer{
		"scatter": Scatter(f, "a", "b").By("c"), "bars": Bar(names, e), "bars of columns": Bar(f, "c", "a"), "counts": Bar(names),
		"boxes": BoxPlot(f, "c", "a"), "heat map": Heatmap([][]float64{}), "heat map of columns": Heatmap(f, "c", "c", "a"),
		"density": KDE(e), "densities of two": KDE2D(e, e), "violins": Violin(f, "c", "a"), "strip": Strip(e), "swarm": Swarm(e),
		"ridges": Ridgeline(f, "c", "a"), "distribution function": ECDF(e), "quantiles": QQ(e), "regression": Regression(e, e),
		"hexagons": Hexbin(e, e), "stacked area": StackedArea(e, e), "lollipops": Lollipop(names, e), "slopes": Slope(names, e, e),
		"parallel": ParallelCoordinates(f, "a", "b"), "joint": Joint(e, e), "clustered heat map": Clustermap(nil, [][]float64{}), "heat map in panels": Heatmap(f, "c", "c", "a").Facet("c"), "pairs": Pairs(f, "a", "b"), "facets": Scatter(f, "a", "b").Facet("c"),
		"a histogram of columns": Hist(f, "a").By("c"), "steps": Of(f).Step("a", "b"),
	} {
		said := 0
		for _, s := range textsOf(t, d) {
			if s == "there are no values to draw" {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%s: the figure says %d times that it is empty", name, said)
		}
		cliptest.Check(t, name, d)
	}
}

// TestLeftOutIsSaid checks the counts of values that a chart cannot show.
func TestLeftOutIsSaid(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		c    *Chart
		want string
	}{
		{Plot([]float64{1, nan, 3}), "1 value that is not finite is left out"},
		{Plot([]float64{1, 2, 3}, []float64{0, 10, 100}).LogY(), "1 value that is not positive is left out of the logarithmic axis"},
		{Scatter([]float64{-1, 0, 3, inf}, []float64{1, 2, 3, 4}).LogX(), "3 values are left out: 1 not finite, 2 not positive"},
		{Bar([]float64{1, 0, 5}).LogY(), "1 value that is not positive"},
		{Hist([]float64{1, 2, -3}).LogX(), "1 value that is not positive"},
		{Func(math.Log, -1, 1), ""},
	} {
		got := textOf(t, tt.c)
		if tt.want == "" && strings.Contains(got, "left out") || !strings.Contains(got, tt.want) {
			t.Errorf("the note %q is missing, or there is one too many", tt.want)
		}
	}
}

// TestPoles checks that graphs break at jumps and nowhere else.
func TestPoles(t *testing.T) {
	steep := func(x float64) float64 { return math.Tanh(1e4 * (x - 0.1234)) }
	for name, tt := range map[string]struct {
		c     *Chart
		gaps  []float64
		poles bool
	}{
		"tan":     {Func(math.Tan, -5, 5), []float64{-1.5 * math.Pi, -0.5 * math.Pi, 0.5 * math.Pi, 1.5 * math.Pi}, true},
		"1/x":     {Func(func(x float64) float64 { return 1 / x }, -1, 2), []float64{0}, true},
		"floor":   {Func(math.Floor, 0.5, 3.5), []float64{1, 2, 3}, false},
		"steep":   {Func(steep, -1, 1), nil, false},
		"sine":    {Func(math.Sin, 0, 100), nil, false},
		"its log": {Func(math.Log, 0.001, 10), nil, false},
	} {
		m := tt.c.marks[0]
		var gaps []float64
		for i, y := range m.y {
			if math.IsNaN(y) {
				gaps = append(gaps, m.x[i])
			}
		}
		if len(gaps) != len(tt.gaps) || m.asLine().poles != tt.poles {
			t.Errorf("%s: gaps at %v, poles %v", name, gaps, m.asLine().poles)
			continue
		}
		for i, x := range gaps {
			if math.Abs(x-tt.gaps[i]) > 1e-9 {
				t.Errorf("%s: gap %d at %v, want %v", name, i, x, tt.gaps[i])
			}
		}
	}
	p, err := newPanel(Func(math.Tan, -5, 5))
	if err != nil {
		t.Fatal(err)
	}
	if p.ye.hi > 20 || p.ye.lo < -20 {
		t.Errorf("the axis of tan goes from %v to %v", p.ye.lo, p.ye.hi)
	}
}

// TestLogLabels checks that all ticks of a log axis have the same format.
func TestLogLabels(t *testing.T) {
	for _, tt := range []struct {
		ticks []float64
		want  string
	}{
		{[]float64{1, 10, 100}, "1 10 100"},
		{[]float64{1, 1e3, 1e6}, "10⁰ 10³ 10⁶"},
		{[]float64{1e-4, 2e-4, 5e-4, 1e-3}, "10⁻⁴ 2×10⁻⁴ 5×10⁻⁴ 10⁻³"},
		{[]float64{1e-3, 1e5}, "0.001 100,000"},
	} {
		if got := strings.Join(logLabels(tt.ticks), " "); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.ticks, got, tt.want)
		}
	}
}

// TestColorBarOfOnePanel keeps the colors of a heat map beside its own panel.
func TestColorBarOfOnePanel(t *testing.T) {
	heat, plain := Heatmap([][]float64{{1, 2}, {3, 4}}), Hist([]float64{1, 2, 2})
	for _, tt := range []struct {
		charts []*Chart
		common bool
	}{
		{[]*Chart{heat, plain}, false},
		{[]*Chart{plain, heat}, false},
		{[]*Chart{heat, heat}, true},
	} {
		var panels []*panel
		for _, c := range tt.charts {
			p, err := newPanel(c)
			if err != nil {
				t.Fatal(err)
			}
			panels = append(panels, p)
		}
		if _, common := sameLegend(panels); common != tt.common {
			t.Errorf("common: %v, want %v", common, tt.common)
		}
	}
}

// TestFiftyNames labels each of fifty bars.
func TestFiftyNames(t *testing.T) {
	names, y := make([]string, 50), make([]float64, 50)
	for i := range names {
		names[i], y[i] = "item "+strings.Repeat("i", i%7+1)+string(rune('A'+i%26))+string(rune('a'+i/26)), float64(i)
	}
	f, err := Bar(names, y).Figure()
	if err != nil {
		t.Fatal(err)
	}
	svg := f.SVG()
	for _, name := range names {
		if !strings.Contains(svg, ">"+name+"<") {
			t.Errorf("%s is not labeled", name)
		}
	}
}

// TestLogAxesHaveMinorTicks: between the labeled powers of ten are the other multiples, each once,
// if they can be distinguished.
func TestLogAxesHaveMinorTicks(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		minor  bool
	}{{1, 1000, true}, {2, 50, true}, {0.003, 7, true}, {1e-12, 1e20, false}} {
		p, err := newPanel(Plot([]float64{1, 2}, []float64{tt.lo, tt.hi}).LogY())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.measure(); err != nil {
			t.Fatal(err)
		}
		p.place(rect{0, 0, 500, 320})
		if got := len(p.y.minor) > 0; got != tt.minor {
			t.Errorf("%g to %g: ticks without labels: %v", tt.lo, tt.hi, p.y.minor)
		}
		seen := map[float64]bool{}
		for _, v := range append(append([]float64(nil), p.y.ticks...), p.y.minor...) {
			if m := v / math.Pow(10, math.Floor(math.Log10(v)+1e-9)); seen[v] || math.Abs(m-math.Round(m)) > 1e-6 {
				t.Errorf("%g to %g: a tick at %g", tt.lo, tt.hi, v)
			}
			seen[v] = true
		}
	}
}

// TestColorBarsAndClassesAreReadable: color bars omit a common offset or factor of their numbers
// and say so, as axes do; the class -1 has a minus sign.
func TestColorBarsAndClassesAreReadable(t *testing.T) {
	x := []float64{0, 1, 2, 3}
	for want, c := range map[string]*Chart{
		"+ 2.5×10|7": Scatter(x, x).ByValue([]float64{2.5e7, 2.5e7 + 1, 2.5e7 + 2, 2.5e7 + 3}),
		"×10|6":      Heatmap([][]float64{{1e7, 2e7}, {3e7, 4e7}}),
		"×10|−6":     Scatter(x, []float64{1e-6, 2e-6, 3e-6, 4e-6}),
		"−1":         Scatter(x, x, []int{-1, 1, -1, 1}),
	} {
		if got := strings.Join(textsOf(t, c), "|"); !strings.Contains("|"+got+"|", "|"+want+"|") {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
}

// TestStackedAreasHaveGaps: where an amount is missing, its area and the areas above it have gaps,
// and the areas below it do not; a missing x is left out. The figure says so.
func TestStackedAreasHaveGaps(t *testing.T) {
	nan := math.NaN()
	c := StackedArea([]float64{1, 2, 3, nan}, []float64{1, 1, 1, 9}, []float64{2, nan, 2, 9}, []float64{4, 4, 4, 9})
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{"[1 1 1]", "[3 NaN 3]", "[7 NaN 7]"} {
		if got := fmt.Sprint(p.c.marks[k].hi); got != want {
			t.Errorf("area %d goes up to %s, want %s", k, got, want)
		}
	}
	if got, want := p.leftOut.note(), "4 rows with missing values are left out; areas have gaps there"; got != want {
		t.Errorf("the note is %q, want %q", got, want)
	}
}

// TestBoxesOfGroupsStandInTheMiddle: classes that never share a group are at its name, as wide as
// without classes; classes that share a group are beside each other.
func TestBoxesOfGroupsStandInTheMiddle(t *testing.T) {
	group, values := []string{"a", "a", "b", "b"}, []float64{1, 2, 3, 4}
	for name, tt := range map[string]struct {
		class []string
		at    []float64
		half  float64
	}{"apart": {group, []float64{0, 1}, 0.28}, "meeting": {[]string{"u", "v", "u", "v"}, []float64{-0.2, 0.8, 0.2, 1.2}, 0.168}} {
		p, err := newPanel(New().Box(group, values).By(tt.class))
		if err != nil {
			t.Fatal(err)
		}
		var at []float64
		for _, m := range p.c.marks {
			at = append(at, m.x...)
			if math.Abs(m.asBox().half-tt.half) > 1e-12 {
				t.Errorf("%s: boxes are %g wide, want %g", name, 2*m.asBox().half, 2*tt.half)
			}
		}
		if fmt.Sprintf("%.2f", at) != fmt.Sprintf("%.2f", tt.at) {
			t.Errorf("%s: boxes stand at %v, want %v", name, at, tt.at)
		}
	}
}

// TestUnnamedStackedAreasDiffer: areas without names have different colors.
func TestUnnamedStackedAreasDiffer(t *testing.T) {
	p, err := newPanel(StackedArea([]float64{1, 2, 3}, []float64{1, 2, 3}, []float64{1, 2, 3}))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := p.c.marks[0].colorOf(p.order(0)), p.c.marks[1].colorOf(p.order(1)); a == b {
		t.Errorf("both areas are %v", a)
	}
}
