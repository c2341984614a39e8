package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/display"
)

func init() {
	f := rides()
	gallery = append(gallery,
		example{"kde", func() display.Displayer { return KDE(f, "fare").By("zone").Fill().Title("Fares by zone") }},
		example{"kde-log", func() display.Displayer { return KDE(f, "km").Bandwidth("silverman").LogX() }},
		example{"kde2d", func() display.Displayer { return KDE2D(f, "km", "fare") }},
		example{"kde2d-fill", func() display.Displayer { return KDE2D(f, "km", "fare").Fill() }},
		example{"kde2d-classes", func() display.Displayer { return KDE2D(f, "km", "fare").By("zone") }},
		example{"violin", func() display.Displayer { return Violin(f, "weekday", "fare") }},
		example{"violin-split", func() display.Displayer {
			long := make([]bool, 240)
			for i := range long {
				long[i] = f["people"].([]int64)[i] > 3
			}
			return Violin(f, "weekday", "fare").By(long).Split().Names("few", "many").Legend("people")
		}},
		example{"strip", func() display.Displayer { return Strip(f, "zone", "fare").By("zone") }},
		example{"swarm", func() display.Displayer { return Swarm(f, "zone", "fare") }},
		example{"swarm-crowded", func() display.Displayer {
			return Swarm(normal(rand.New(rand.NewPCG(1, 1)), 6000, 0, 1)).Size(300, 200).Interactive()
		}},
		example{"ridgeline", func() display.Displayer { return Ridgeline(f, "weekday", "fare") }},
		example{"ecdf", func() display.Displayer { return ECDF(f, "fare").By("zone") }},
		example{"qq", func() display.Displayer { return QQ(f, "fare") }},
		example{"qq-exponential", func() display.Displayer { return QQ(f["fare"], distuv.Exponential{Rate: 1}).Y("fare") }},
		example{"regression", func() display.Displayer { return Regression(f, "km", "fare").By("zone").Interactive() }},
		example{"regression-lowess", func() display.Displayer { return Regression(f, "km", "fare").Lowess(0.3) }},
		example{"hexbin", func() display.Displayer { return Hexbin(f, "km", "fare").Interactive() }},
		example{"box-strip", func() display.Displayer {
			return BoxPlot(f, "zone", "fare").Strip("zone", "fare").Color("black").Opacity(0.4).Interactive()
		}},
	)
}

// TestDensityHasAreaOne integrates the curves of all classes.
func TestDensityHasAreaOne(t *testing.T) {
	for name, c := range map[string]*Chart{
		"one":    KDE(rides(), "fare"),
		"by":     KDE(rides(), "fare").By("zone"),
		"narrow": KDE(rides(), "fare").Bandwidth(0.3),
		"half":   KDE(rides(), "km").Adjust(0.5).Bandwidth("silverman"),
	} {
		for _, m := range draw(t, c).marks {
			area := 0.0
			for i := 1; i < len(m.x); i++ {
				area += (m.x[i] - m.x[i-1]) * (m.y[i] + m.y[i-1]) / 2
			}
			// At either end, 0.0013 of the kernels' mass is beyond three bandwidths.
			if area < 0.995 || area > 1.0001 {
				t.Errorf("%s: the area below the curve of %q is %g", name, m.name, area)
			}
		}
	}
	v := rides()["km"].([]float64)
	m := draw(t, KDE(v).Cut(0)).marks[0]
	lo, hi := bounds(v)
	if m.x[0] != lo || m.x[len(m.x)-1] != hi {
		t.Errorf("a density cut at the data goes from %v to %v, the data from %v to %v", m.x[0], m.x[len(m.x)-1], lo, hi)
	}
}

// TestClassesAreEstimatedAlone compares the curve of each class with the curve of a chart of only
// its rows.
func TestClassesAreEstimatedAlone(t *testing.T) {
	x, y, label := []float64{1, 2, 4, 2, 3, 7, 8, 5}, []float64{2, 1, 4, 5, 3, 9, 7, 6}, []string{"a", "a", "a", "b", "b", "b", "b", "a"}
	of := func(name string, v []float64) (out []float64) {
		for i, l := range label {
			if l == name {
				out = append(out, v[i])
			}
		}
		return out
	}
	for name, make := range map[string]func(x, y []float64) *Chart{
		"density":    func(x, _ []float64) *Chart { return KDE(x) },
		"ecdf":       func(x, _ []float64) *Chart { return ECDF(x) },
		"regression": func(x, y []float64) *Chart { return Regression(x, y).NoPoints() },
		"lowess":     func(x, y []float64) *Chart { return Regression(x, y).NoPoints().Lowess(1) },
	} {
		all := draw(t, make(x, y).By(label)).marks
		for _, class := range []string{"a", "b"} {
			alone := draw(t, make(of(class, x), of(class, y))).marks
			want := alone[len(alone)-1]
			found := false
			for _, m := range all {
				found = found || m.name == class && fmt.Sprint(m.x, m.y) == fmt.Sprint(want.x, want.y)
			}
			if !found {
				t.Errorf("%s: there is no mark of %q as of its rows alone", name, class)
			}
		}
		panels := make(x, y).Facet(label)
		if len(panels.charts) != 2 || panels.err != nil {
			t.Fatalf("%s: %d panels, %v", name, len(panels.charts), panels.err)
		}
		alone := draw(t, make(of("b", x), of("b", y))).marks
		second := draw(t, panels.charts[1]).marks
		if a, b := alone[len(alone)-1], second[len(second)-1]; fmt.Sprint(a.x, a.y) != fmt.Sprint(b.x, b.y) {
			t.Errorf("%s: the second panel is not that of its rows", name)
		}
	}
}

func TestECDFIsExact(t *testing.T) {
	m := draw(t, ECDF([]float64{3, 1, 2, 2, math.NaN()})).marks[0]
	if got := fmt.Sprint(m.x, m.y); got != "[1 1 2 3] [0 0.25 0.75 1]" {
		t.Errorf("steps %s", got)
	}
	m = draw(t, ECDF([]float64{3, 1, 2, 2}).Complement()).marks[0]
	if got := fmt.Sprint(m.x, m.y); got != "[1 1 2 3] [1 0.75 0.25 0]" {
		t.Errorf("complement %s", got)
	}
}

// TestHexagonsCountEachRowOnce compares the counts with the nearest of all centers.
func TestHexagonsCountEachRowOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	x, y := normal(r, 3000, 0, 2), normal(r, 3000, 5, 1)
	x[7] = math.Inf(1)
	m := draw(t, Hexbin(x, y)).marks[0]
	sum := 0.0
	for _, n := range m.value {
		sum += n
	}
	if sum != 2999 {
		t.Errorf("the hexagons hold %g rows, want 2999", sum)
	}
	if m.lost.notFinite != 1 {
		t.Errorf("%d rows are said to be left out", m.lost.notFinite)
	}
	counts := make([]float64, len(m.x))
	for i := range x {
		best, far := 0, math.Inf(1)
		for k := range m.x {
			// In a regular tiling, the distance between rows is √3/2 of a hexagon's width.
			u, v := (x[i]-m.x[k])/m.asHexes().dx, (y[i]-m.y[k])/m.asHexes().dy*math.Sqrt(3)/2
			if d := u*u + v*v; d < far {
				best, far = k, d
			}
		}
		if isFinite(x[i]) {
			counts[best]++
		}
	}
	for k := range counts {
		if counts[k] != m.value[k] {
			t.Fatalf("hexagon %d holds %g rows, %g have its center as the nearest", k, m.value[k], counts[k])
		}
	}
	z := make([]float64, len(x))
	for i := range z {
		z[i] = 4
	}
	for how, want := range map[string]float64{"mean": 4, "max": 4} {
		for _, v := range draw(t, Hexbin(x, y, z).Aggregate(how)).marks[0].value {
			if v != want {
				t.Fatalf("a hexagon's %s of fours is %g", how, v)
			}
		}
	}
}

// TestSwarmsDoNotOverlap measures the distances of the points of a swarm.
func TestSwarmsDoNotOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for _, n := range []int{1, 50, 400, 1500} {
		y := make([]float64, n)
		for i := range y {
			y[i] = 100 + 30*r.NormFloat64()
		}
		middle := make([]float64, n)
		x, radius, crowded := swarmOf(middle, y, 120, 3.6)
		if crowded != 0 {
			t.Fatalf("%d of %d points do not fit", crowded, n)
		}
		for i := range x {
			if math.Abs(x[i])+radius > 120+1e-9 {
				t.Errorf("point %d is %g beside the middle", i, x[i])
			}
			for k := range i {
				if d := math.Hypot(x[i]-x[k], y[i]-y[k]); d < 2*radius {
					t.Fatalf("of %d points %d and %d are %g apart, their radius is %g", n, i, k, d, radius)
				}
			}
		}
	}
	c := Swarm(normal(r, 6000, 0, 1)).Size(300, 200)
	if got := textOf(t, c); !strings.Contains(got, "points at the borders of their swarms cover each other") {
		t.Error("a crowded swarm does not say so")
	}
}

// TestEnclosedKeepsHoles compares the area above a level with the area of a ring.
func TestEnclosedKeepsHoles(t *testing.T) {
	f := NewField(func(x, y float64) float64 { return 2 - math.Abs(math.Hypot(x, y)-1.5) }, -3, 3, -3, 3, 300)
	x, y := f.enclosed(1.5)
	p := path{x, y}
	want := math.Pi * (2*2 - 1)
	if got := math.Abs(p.area()); math.Abs(got-want) > 0.01 {
		t.Errorf("the area between the circles is %g, want %g", got, want)
	}
	if p.holds(0, 0) || !p.holds(1.5, 0.1) || p.holds(2.5, 2.5) {
		t.Error("the outline does not hold the ring alone")
	}
}

// TestEstimatesSayWhatTheyLeaveOut checks the notes.
func TestEstimatesSayWhatTheyLeaveOut(t *testing.T) {
	nan := math.NaN()
	x, y, label := []float64{1, 2, 3, 5, 5, 5}, []float64{2, 4, 3, 1, 2, 3}, []string{"a", "a", "a", "b", "b", "b"}
	for _, tt := range []struct {
		c    *Chart
		want string
	}{
		{KDE([]float64{1, 2, nan}), "1 value that is not finite is left out"},
		{KDE([]float64{1, 2, -3}).LogX(), "1 value that is not positive is left out of the logarithmic axis"},
		{KDE(x).By(label), "no density of b: all of its 3 values are 5"},
		{Violin(label, x), "no violin of b: all of its 3 values are 5"},
		{Regression(x, y).By(label), "no curve of b: there are 1 different x, but 2 are needed"},
		{QQ(x).By(label), "no quantiles of b: all of its 3 values are 5"},
		{ECDF(x).ByClass([]int{0, 0, 0, 1, 1, 1}, "a", "b", "c"), "no steps of c: it has no values"},
		{Ridgeline(label, x), "no density of b: all of its 3 values are 5"},
		{Strip(label, []float64{1, 2, nan, 3, 4, 5}), "1 value that is not finite is left out"},
		{KDE2D(x, y).By(label), "no density of b: a variable has the same value in all rows"},
		{Hexbin([]float64{1, nan}, []float64{1, 2}), "1 value that is not finite is left out"},
		{KDE([]float64{}), "there are no values to draw"},
		{Violin([]float64{}), "there are no values to draw"},
		{Hexbin([]float64{}, []float64{}), "there are no values to draw"},
		{Regression([]float64{}, []float64{}), "there are no values to draw"},
		{QQ([]float64{}), "there are no values to draw"},
		{Swarm([]string{}, []float64{}), "there are no values to draw"},
	} {
		if got := textOf(t, tt.c); !strings.Contains(got, tt.want) {
			t.Errorf("the note %q is missing", tt.want)
		}
	}
}

func TestBadEstimatesAreErrors(t *testing.T) {
	same, v, names := []float64{3, 3, 3}, []float64{1, 2, 4}, []string{"a", "b", "c"}
	for want, c := range map[string]*Chart{
		"all of its 3 values are 3; a density needs":             KDE(same),
		"it has 1 value; a density":                              KDE([]float64{3}),
		"the values must be numbers, got names":                  KDE(names),
		"there are 1 different x, but 2 are needed":              Regression(same, v),
		"there are 3 different x, but 4 are needed":              Regression(v, v).Degree(3),
		"a variable has the same value in all rows":              KDE2D(same, v),
		"the points lie on one line":                             KDE2D(v, v),
		"there are 2 rows, but at least 3 are needed":            KDE2D(v[:2], v[:2]),
		"it needs at least three values that are not all equal":  QQ(same),
		"the distribution must have quantiles, got []float64":    QQ(v, v),
		"neither \"scott\", \"silverman\" nor a positive number": KDE(v).Bandwidth(-1),
		"a histogram has no kernels":                             Hist(v).Bandwidth(1),
		"the factor must be positive, got 0":                     KDE(v).Adjust(0),
		"bandwidths, got -1":                                     KDE(v).Cut(-1),
		"must be greater than 0 and at most 1":                   Regression(v, v).Lowess(2),
		"the degree must be between 0 and 15, got 99":            Regression(v, v).Degree(99),
		"so By must have 2 classes, got 3":                       Violin(names, v).By(names).Split(),
		"x and y must be numbers, not names":                     Regression(names, v),
		"hexagons have one color each":                           Hexbin(v, v).By(names),
		"there are 3 groups for 2 values":                        Ridgeline(names, v[:2]),
		"chart.Violin: there are 3 groups for 2 values":          Violin(names, v[:2]),
		"chart.Strip: give values":                               Strip(v, v, v),
		"chart.KDE: no values":                                   KDE(),
		"values to color by, got 1 variables":                    Hexbin(v),
		"a mark that By splits has a color for each class":       KDE(v).By(names).Color("red"),
		"the quantile 0.206 of the distribution is NaN":          QQ(v, distuv.Uniform{Min: math.NaN(), Max: 1}),
	} {
		_, err := c.Display()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
