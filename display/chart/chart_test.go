package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	"github.com/google/go-cmp/cmp"
)

func TestGallery(t *testing.T) {
	for _, e := range gallery {
		t.Run(e.name, func(t *testing.T) { figuretest.Check(t, e.name, e.make()) })
	}
}

func TestBadDataIsAnError(t *testing.T) {
	tests := []struct {
		name string
		c    interface {
			VegaLite() (map[string]any, error)
		}
		want string
	}{
		{"lengths", Plot([]int{1, 2}, []int{1, 2, 3}), "x has 2 values, y has 3"},
		{"nil", Plot(nil), "y is nil"},
		{"no arguments", Plot(), "0 arguments"},
		{"a number", Plot(3), "of type int"},
		{"nothing", New(), "nothing to draw"},
		{"options without a mark", New().Color("red"), "no mark yet"},
		{"color", Plot([]int{1, 2}).Color("reddish"), `got "reddish"`},
		{"labels", Scatter([]int{1, 2}, []int{3, 4}, []string{"a"}), "1 labels for 2 points"},
		{"range", Plot([]int{1, 2}).XRange(3, 1), "ascend"},
		{"log range", Plot([]int{1, 2}).LogY().YRange(-1, 2), "cannot start at -1"},
		{"too far apart", Plot([]float64{-1e308, 1e308}), "too far apart"},
		{"histogram too wide", Hist([]float64{-1e308, 1e308}), "too far apart"},
		{"ragged", Heatmap([][]float64{{1}, {1, 2}}), "row 1 of z has 2 values"},
		{"field", New().Contour(Field{NX: 2, NY: 2, X1: 1, Y1: 1, Z: []float64{1}}), "1 values for 2×2 cells"},
		{"interval", Func(math.Sin, 1, 0), "ascend"},
		{"errors", New().Errors([]int{1}, []int{1}, []int{1, 2}), "e has 2"},
		{"no panels", Grid(), "no charts"},
		{"nil panel", Grid(nil), "chart 1 is nil"},
		{"facets", Plot([]int{1, 2}).Facet([]int{1}), "no mark has as many points"},
		{"facets by measurements", Plot([]int{1, 2}).Facet([]float64{0.5, 0.6}), "must be names or whole numbers"},
		{"bins", Hist([]int{1, 2}).Bins(0), "0 bins"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.c.VegaLite()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("interactive: error %v, want one with %q", err, tt.want)
			}
			var drawn error
			switch c := tt.c.(type) {
			case *Chart:
				_, drawn = c.Display()
			case *Panels:
				_, drawn = c.Display()
			}
			if drawn == nil || !strings.Contains(drawn.Error(), tt.want) {
				t.Errorf("drawn: error %v, want one with %q", drawn, tt.want)
			}
		})
	}
}

func TestNiceTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{0, 1, 5, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{-3.2, 7.9, 5, []float64{-2.5, 0, 2.5, 5, 7.5}},
		{0, 97, 4, []float64{0, 25, 50, 75}},
		{1, 1, 4, nil},
	}
	for _, tt := range tests {
		got := niceTicks(tt.lo, tt.hi, tt.n)
		ok := len(got) == len(tt.want)
		for i := range tt.want {
			ok = ok && math.Abs(got[i]-tt.want[i]) < 1e-12
		}
		if !ok {
			t.Errorf("niceTicks(%g, %g, %d) = %v, want %v", tt.lo, tt.hi, tt.n, got, tt.want)
		}
	}
}

func TestLevelLinesOfACircle(t *testing.T) {
	f := NewField(func(x, y float64) float64 { return x*x + y*y }, -2, 2, -2, 2, 200)
	paths := f.levelLines(1)
	if len(paths) != 1 {
		t.Fatalf("a circle is traced as %d lines, want 1", len(paths))
	}
	p := paths[0]
	if n := len(p.x); p.x[0] != p.x[n-1] || p.y[0] != p.y[n-1] {
		t.Error("the circle is not closed")
	}
	for i := range p.x {
		// Linear interpolation on cells of width h = 0.02 is off by at most h²/8.
		if r := math.Hypot(p.x[i], p.y[i]); math.Abs(r-1) > 1e-4 {
			t.Fatalf("a point of the circle has radius %g", r)
		}
	}
}

func TestHistogramCountsEverything(t *testing.T) {
	v := []float64{0, 0.1, 0.5, 0.9, 1, 1, 0.33, 0.77}
	p, err := newPanel(Hist(v).Bins(4))
	if err != nil {
		t.Fatal(err)
	}
	got := p.heights(p.samples[0])
	want := []float64{2, 1, 1, 4}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("counts %v, want %v", got, want)
		}
	}
	p, err = newPanel(Hist(v).Density())
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for i, h := range p.heights(p.samples[0]) {
		total += h * (p.edges[i+1] - p.edges[i])
	}
	if math.Abs(total-1) > 1e-12 { // rounding of eight sums
		t.Errorf("the density integrates to %g", total)
	}
}

func TestLongLinesAreThinned(t *testing.T) {
	n := 1000000
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Sin(float64(i) / 5000)
	}
	v[777777] = 9 // the peak must stay visible
	f, err := Plot(v).Figure()
	if err != nil {
		t.Fatal(err)
	}
	svg := f.SVG()
	if len(svg) > 200000 {
		t.Errorf("the SVG of a long line has %d bytes", len(svg))
	}
	if err := figuretest.CheckSVG(svg); err != nil {
		t.Error(err)
	}
}

func TestManyPointsStaySmall(t *testing.T) {
	n := 1000000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = math.Sin(float64(i)*1.7), math.Cos(float64(i)*2.3)
	}
	b, err := Scatter(x, y).Interactive().Display()
	if err != nil {
		t.Fatal(err)
	}
	if size := len(b.Data["image/svg+xml"].(string)); size > 4<<20 {
		t.Errorf("the SVG of 10⁶ points has %d bytes", size)
	}
	spec := b.Data["application/vnd.vegalite.v5+json"].(map[string]any)
	rows := rowsOfData(spec["layer"].([]any)[0].(object))
	if len(rows) > vegaRows {
		t.Errorf("the specification holds %d rows, want at most %d", len(rows), vegaRows)
	}
}

func TestTypeset(t *testing.T) {
	f, err := Plot([]int{1, 2}).Name(`$\beta_1$`).Line([]int{0, 1}, []int{2, 1}).Name("b").Title(`$x^3$`).X(`$\lambda$`).Y(`$\log \mu$`).Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"β", "λ", "log μ"} {
		if !strings.Contains(f.SVG(), want) {
			t.Errorf("%s is not in the figure", want)
		}
	}
}

// TestHundredThousandPointsAreSmall: however points are distinguished, the SVG of 10⁵ points has
// less than 300,000 bytes.
func TestHundredThousandPointsAreSmall(t *testing.T) {
	const n = 100000
	r := rand.New(rand.NewPCG(7, 8))
	x, y := normal(r, n, 0, 1), normal(r, n, 0, 1)
	class, value := make([]string, n), make([]float64, n)
	for i := range class {
		class[i], value[i] = []string{"a", "b", "c"}[i%3], x[i]+r.Float64()
	}
	for name, c := range map[string]*Chart{
		"alike": Scatter(x, y), "in classes": Scatter(x, y, class), "of a scale": Scatter(x, y, value),
		"as rings": Scatter(x, y).Rings(), "evenly": Scatter(normal(r, n, 0, 1), value),
	} {
		f, err := c.Figure()
		if err != nil {
			t.Fatal(err)
		}
		if size := len(f.SVG()); size > 300000 {
			t.Errorf("%s: the SVG has %d bytes", name, size)
		}
	}
}

func benchmark(b *testing.B, d display.Displayer) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Display(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScatter1000000(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	benchmark(b, Scatter(normal(r, 1000000, 0, 1), normal(r, 1000000, 0, 1)))
}

func BenchmarkECDF100000(b *testing.B) {
	benchmark(b, ECDF(normal(rand.New(rand.NewPCG(7, 8)), 100000, 0, 1)))
}

func BenchmarkSecondAxis1000(b *testing.B) {
	x := span(0, 10, 1000)
	benchmark(b, Plot(x, apply(math.Sin, x)).Y("left").Line(x, apply(math.Exp, x)).Right("right"))
}

func BenchmarkScatter10000(b *testing.B) {
	for _, e := range gallery {
		if e.name != "scatter-many" {
			continue
		}
		d := e.make()
		for b.Loop() {
			if _, err := d.Display(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// A rule is drawn gray unless it has a color, and the legend says the same.
func TestLegendOfRules(t *testing.T) {
	p, err := newPanel(Plot([]float64{1, 2}).Name("line").HRule(1.5).Name("gray").HRule(1.2).Name("red").Color("red"))
	if err != nil {
		t.Fatal(err)
	}
	red := New().VRule(0).Color("red").marks[0].color
	want := []entry{
		{name: "line", color: figure.Class(0), kind: line},
		{name: "gray", color: figure.Soft(), kind: rule},
		{name: "red", color: *red, kind: rule},
	}
	if d := cmp.Diff(want, p.legend.entries, cmp.AllowUnexported(entry{}), cmp.Comparer(func(a, b kind) bool { return a == b })); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The points of a graph are evenly spaced along its axis, whether LogX comes before or after Func.
func TestFuncOnALogarithmicAxis(t *testing.T) {
	square := func(x float64) float64 { return x * x }
	for name, c := range map[string]*Chart{
		"LogX after":  Func(square, 0.01, 100).LogX(),
		"LogX before": New().LogX().Func(square, 0.01, 100),
	} {
		m := c.marks[0]
		middle := len(m.x) / 2
		// Over four decades in 400 steps, rounding errors are far below a billionth.
		if math.Abs(m.x[middle]-1) > 1e-9 || math.Abs(m.y[middle]-1) > 1e-9 {
			t.Errorf("%s: the middle point is (%v, %v), want (1, 1)", name, m.x[middle], m.y[middle])
		}
		if m.x[0] != 0.01 || m.x[len(m.x)-1] != 100 {
			t.Errorf("%s: the graph goes from %v to %v", name, m.x[0], m.x[len(m.x)-1])
		}
	}
	if m := Func(square, -1, 1).LogX().marks[0]; m.x[200] != 0 {
		t.Errorf("an interval that does not begin above zero has its middle at %v, want 0", m.x[200])
	}
}

// Bars of a histogram that are only a pixel or two wide are drawn without the outline in the
// background color, which would cover them.
func TestNarrowBarsAreVisible(t *testing.T) {
	var v []float64
	for i := range 20000 {
		v = append(v, math.Sin(float64(i)))
	}
	for bins, lines := range map[int]bool{20: true, 400: false} {
		b, err := Hist(v).Bins(bins).Display()
		if err != nil {
			t.Fatal(err)
		}
		svg, _ := b.Data["image/svg+xml"].(string)
		if got := strings.Contains(svg, `stroke-width="0.7"`); got != lines {
			t.Errorf("%d bins: lines around the bars: %v, want %v", bins, got, lines)
		}
	}
}
