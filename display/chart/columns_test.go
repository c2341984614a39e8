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
)

// columns is a table for tests.
type columns map[string]any

func (c columns) Len() int { return 0 }

func (c columns) ColumnValues(name string) (any, bool) {
	v, ok := c[name]
	return v, ok
}

func (c columns) Names() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range c {
			if !yield(name) {
				return
			}
		}
	})
}

// rides returns synthetic data: fares that grow with the distance, in three zones.
func rides() columns {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 240
	km, fare, people := make([]float64, n), make([]float64, n), make([]int64, n)
	zone := Coded{Codes: make([]int32, n), Levels: []string{"Soho", "Harlem", "Midtown"}}
	day, week := make([]time.Time, n), make([]string, n)
	for i := range n {
		k := r.IntN(3)
		zone.Codes[i] = int32(k)
		km[i] = 1 + 14*r.Float64()
		fare[i] = 4 + float64(2*k) + 2.2*km[i] + 2*r.NormFloat64()
		people[i] = 1 + int64(r.IntN(6))
		day[i] = time.Date(2024, 1, 1+r.IntN(12), 0, 0, 0, 0, time.UTC)
		week[i] = []string{"Mon", "Tue", "Wed", "Thu", "Fri"}[r.IntN(5)]
	}
	zone.Codes[7], fare[9], day[11] = -1, math.NaN(), time.Time{}
	return columns{"km": km, "fare": fare, "people": people, "zone": zone, "day": day, "weekday": week}
}

func init() {
	f := rides()
	gallery = append(gallery,
		example{"columns-scatter", func() display.Displayer { return Scatter(f, "km", "fare").By("zone").Size("people") }},
		example{"columns-plot", func() display.Displayer { return Plot(f, "day", "fare").By("zone") }},
		example{"columns-bar", func() display.Displayer { return Bar(f, "zone", "fare").By("weekday") }},
		example{"columns-count", func() display.Displayer { return Bar(f, "weekday") }},
		example{"columns-hist", func() display.Displayer { return Hist(f, "fare").By("zone") }},
		example{"columns-box", func() display.Displayer { return BoxPlot(f, "weekday", "fare").By("zone") }},
		example{"columns-heat", func() display.Displayer { return Heatmap(f, "zone", "weekday", "fare") }},
		example{"columns-facet", func() display.Displayer { return Scatter(f, "km", "fare").By("people").Facet("zone") }},
		example{"columns-lines", func() display.Displayer { return Plot(f, "day", "fare", "km").Interactive() }},
		example{"columns-step", func() display.Displayer {
			return Of(f).Step("people", "fare").By("zone").Title("Means with their intervals")
		}},
	)
}

func draw(t *testing.T, c *Chart) *Chart {
	t.Helper()
	d, err := c.expanded()
	if err != nil {
		t.Fatal(err)
	}
	if c.err != nil {
		t.Fatal(c.err)
	}
	return d
}

// TestByIsWhatTheLegendSays compares the marks of each name in the legend with the rows of its
// class.
func TestByIsWhatTheLegendSays(t *testing.T) {
	x, y := []float64{3, 1, 2, 5, 4, 6}, []float64{30, 10, 20, 50, 40, 60}
	label := []string{"b", "a", "b", "a", "b", "a"}
	e := []float64{1, 1, 1, 1, 1, 1}
	for name, c := range map[string]*Chart{
		"line": Plot(x, y).By(label), "step": New().Step(x, y).By(label), "bars": Bar(x, y).By(label),
		"points": Scatter(x, y).By(label), "errors": New().Errors(x, y, e).By(label),
		"area": New().Area(x, 0, y).By(label), "histogram": Hist(x).By(label),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := newPanel(c)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range p.legend.entries {
				names = append(names, e.name)
			}
			if !slices.Equal(names, []string{"b", "a"}) {
				t.Fatalf("the legend names %q", names)
			}
			if name == "points" {
				return
			}
			if len(p.c.marks) != 2 {
				t.Fatalf("%d marks are drawn", len(p.c.marks))
			}
			for k, want := range [][]float64{{3, 2, 4}, {1, 5, 6}} {
				m := p.c.marks[k]
				if !slices.Equal(m.x, want) || m.name != names[k] || m.colorOf(p.order(k)) != p.legend.entries[k].color {
					t.Errorf("%s is drawn at %v in %v", m.name, m.x, m.colorOf(p.order(k)))
				}
			}
		})
	}
}

func TestBoxesByLabel(t *testing.T) {
	c := draw(t, BoxPlot([]float64{1, 2, 3, 4}).By([]string{"b", "a", "b", "a"}))
	if got := fmt.Sprint(c.marks[0].asBox().groups, c.x.levels); got != "[[1 3] [2 4]] [b a]" {
		t.Error(got)
	}
	f := columns{"g": []string{"u", "v", "u", "v", "u"}, "y": []float64{1, 2, 3, 4, 5}, "s": []string{"m", "m", "w", "w", "m"}}
	c = draw(t, BoxPlot(f, "g", "y").By("s"))
	if got := fmt.Sprint(c.marks[0].name, c.marks[0].asBox().groups, c.marks[1].name, c.marks[1].asBox().groups); got != "m[[1 5] [2]]w[[3] [4]]" {
		t.Error(got)
	}
	if a, b := c.marks[0].x[0], c.marks[1].x[0]; !(a < 0 && b > 0 && b-a > 2*c.marks[0].asBox().half) {
		t.Errorf("boxes at %g and %g, half a width %g", a, b, c.marks[0].asBox().half)
	}
}

// TestMeansHaveIntervals compares with scipy.stats.t.interval(0.95, n-1, mean, sem):
// for 1, 2, 4 it is (-1.4612, 6.1279), for 2, 3 (-3.8531, 8.8531).
func TestMeansHaveIntervals(t *testing.T) {
	f := columns{"g": []string{"a", "b", "a", "b", "a", "c"}, "y": []float64{1, 2, 2, 3, 4, 7}}
	m := draw(t, Bar(f, "g", "y")).marks[0]
	want := [][3]float64{{7.0 / 3, -1.461249700263426, 6.1279163669300925}, {2.5, -3.853102368, 8.853102368}}
	for i, w := range want {
		if math.Abs(m.y[i]-w[0]) > 1e-12 || math.Abs(m.lo[i]-w[1]) > 1e-8 || math.Abs(m.hi[i]-w[2]) > 1e-8 {
			t.Errorf("group %d: %g in %g to %g, want %v", i, m.y[i], m.lo[i], m.hi[i], w)
		}
	}
	if m.y[2] != 7 || !math.IsNaN(m.lo[2]) {
		t.Errorf("of one row: %g from %g", m.y[2], m.lo[2])
	}
	for how, want := range map[string][]float64{
		"sum": {7, 5, 7}, "median": {2, 2.5, 7}, "count": {3, 2, 1}, "min": {1, 2, 7}, "max": {4, 3, 7},
	} {
		if m := draw(t, Bar(f, "g", "y").Aggregate(how)).marks[0]; !slices.Equal(m.y, want) || m.lo != nil {
			t.Errorf("%s: %v", how, m.y)
		}
	}
	if m := draw(t, Bar([]string{"x", "y", "x"})).marks[0]; !slices.Equal(m.y, []float64{2, 1}) {
		t.Errorf("names are counted %v", m.y)
	}
	if m := draw(t, Plot(columns{"x": []float64{3, 1, 2}, "y": []float64{30, 10, 20}}, "x", "y")).marks[0]; !slices.Equal(m.x, []float64{1, 2, 3}) || m.lo != nil {
		t.Errorf("a line through %v with a band %v", m.x, m.lo)
	}
}

// TestStudentQuantile compares with scipy.stats.t.ppf(0.975, df).
func TestStudentQuantile(t *testing.T) {
	for df, want := range map[int]float64{1: 12.706204736174694, 2: 4.302652729749462, 3: 3.1824463052837078, 7: 2.364624251592784,
		30: 2.0422724563012373, 31: 2.039513446396408, 101: 1.983731002955606, 100: 1.9839715185235518, 1000: 1.9623390808264083} {
		if got := studentQuantile(df); math.Abs(got-want) > 1e-8 {
			t.Errorf("%d degrees of freedom: %.12g, want %.12g", df, got, want)
		}
	}
}

func TestMissingRowsAreSaid(t *testing.T) {
	f := columns{"x": []float64{1, math.NaN(), 3, 4}, "y": []float64{1, 2, math.NaN(), 4}, "g": Coded{Codes: []int32{0, 0, 0, -1}, Levels: []string{"a"}}}
	for name, c := range map[string]*Chart{
		"points": Scatter(f, "x", "y").By("g"), "line": Plot(f, "x", "y").By("g"), "bars": Bar(f, "x", "y").By("g"),
	} {
		p, err := newPanel(c)
		if err != nil || p.leftOut.rows != 3 {
			t.Errorf("%s: %d rows are left out: %v", name, p.leftOut.rows, err)
		}
	}
	p, err := newPanel(BoxPlot(f, "g", "y"))
	if err != nil || p.leftOut.rows != 2 {
		t.Errorf("boxes: %d rows are left out: %v", p.leftOut.rows, err)
	}
	panels := Scatter(f, "x", "y").Facet("g")
	if _, err := panels.Figure(); err != nil || panels.charts[0].marks[0].left != 1 {
		t.Errorf("facets: %v", err)
	}
}

// TestLineHasGaps: at a date whose value is missing, the line and its band have a gap, and the
// chart says so. If only one of several values is missing, the line continues.
func TestLineHasGaps(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2024, 1, d, 0, 0, 0, 0, time.UTC) }
	nan := math.NaN()
	f := columns{"at": []time.Time{day(4), day(1), day(2), day(3), day(1), day(5), {}}, "y": []float64{4, 1, 2, nan, nan, 5, 6}}
	for name, c := range map[string]*Chart{"line": Plot(f, "at", "y"), "step": Of(f).Step("at", "y"), "sum": Plot(f, "at", "y").Aggregate("sum")} {
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		if y := p.c.marks[0].y; len(y) != 5 || y[0] != 1 || y[1] != 2 || !math.IsNaN(y[2]) || y[3] != 4 || y[4] != 5 {
			t.Errorf("%s: %v", name, y)
		}
		if note := p.leftOut.note(); note != "3 rows with missing values are left out; lines have gaps there" {
			t.Errorf("%s: %s", name, note)
		}
		if _, err := c.Figure(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHistogramOfTimes checks that the edges of the bins are written as dates.
func TestHistogramOfTimes(t *testing.T) {
	c := Hist([]time.Time{time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}).Interactive()
	b, err := c.Display()
	if err != nil {
		t.Fatal(err)
	}
	if text := b.Data[display.MIMEText].(string); !strings.Contains(text, "2024-01-01 to 2024-01-") {
		t.Error(text)
	}
	if spec := fmt.Sprint(b.Data[display.MIMEVegaLite]); !strings.Contains(spec, "x:[1704067200000 ") && !strings.Contains(spec, "x:1704067200000") {
		t.Error(spec)
	}
}

func TestAreasOfPoints(t *testing.T) {
	c := draw(t, Scatter([]int{1, 2, 3}, []int{1, 2, 3}).Size([]float64{1, 4, math.NaN()}))
	m := &c.marks[0]
	if len(m.x) != 2 || m.left != 1 || math.Abs(m.sized(4)/m.sized(1)-2) > 1e-12 {
		t.Errorf("%d points, radii %g and %g", len(m.x), m.sized(1), m.sized(4))
	}
	if w, h := New().Size(300, 200).size(); w != 300 || h != 200 {
		t.Errorf("a chart of %g by %g", w, h)
	}
}

func TestColumnsThatCannotBeDrawn(t *testing.T) {
	f := rides()
	y := []float64{1, 2, 3}
	for name, tt := range map[string]struct {
		c    *Chart
		want string
	}{
		"unknown":              {Scatter(f, "km", "fair"), `there is no column "fair"; there are day, fare, km`},
		"a name without table": {Plot("km"), "pass the table first"},
		"by what measures":     {Plot(f, "day", "fare").By("km"), "must be strings or whole numbers"},
		"by in a heat map":     {Heatmap([][]float64{{1, 2}}).By(y), "no rows that could be labeled"},
		"by in a function":     {Func(math.Sin, 0, 1).By(y), "no rows that could be labeled"},
		"by of groups":         {BoxPlot(map[string][]float64{"a": y}).By(y), "already show groups"},
		"color of classes":     {Plot(y).By([]string{"a", "b", "a"}).Color("red"), "leave Color out"},
		"lengths":              {Hist(f, "fare").By([]string{"a"}), "1 labels for 240"},
		"by value":             {Hist(f, "fare").ByValue("km"), "no continuous colors"},
		"heat of numbers":      {Heatmap(f, "km", "zone"), "must be names or whole numbers"},
		"box of names":         {BoxPlot(f, "zone"), "the values must be numbers, got names"},
		"sizes below zero":     {Scatter(y, y).Size([]float64{-1, 1, 2}), "must not be negative"},
		"sizes of bars":        {Bar(y).Size(y), "no points"},
		"aggregate":            {Bar(f, "zone", "fare").Aggregate("avg"), "the aggregate must be one of mean"},
		"aggregated points":    {Scatter(f, "km", "fare").Aggregate("mean"), "heat map of columns, got"},
		"bars of names":        {Bar(f, "zone", "weekday"), `because it holds names; use a column of numbers, or count the names: Bar(f, x).By("weekday")`},
		"mean of names":        {Plot(f, "people", "zone"), "because it holds names"},
		"sum of counts":        {Bar(f, "zone").Aggregate("sum"), "name the column"},
		"size of one side":     {New().Size(300, "km"), "width and the height"},
	} {
		if _, err := tt.c.Display(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	none := Of(nil)
	if _, err := none.Display(); err == nil {
		t.Error("a chart of no table is drawn")
	}
}

// TestShares: bars of booleans show proportions, on an axis of numbers between 0 and 1.
func TestShares(t *testing.T) {
	f := columns{
		"g":   []string{"a", "b", "a", "a", "a"},
		"yes": []bool{true, false, false, false, true},
		"gap": Coded{Codes: []int32{1, 0, 0, -1, 1}, Levels: []string{"false", "true"}},
	}
	for name, want := range map[string][]float64{"yes": {0.5, 0}, "gap": {2.0 / 3, 0}} {
		c := draw(t, Bar(f, "g", name))
		if m := c.marks[0]; !slices.Equal(m.y, want) {
			t.Errorf("%s: bars of %v, want %v", name, m.y, want)
		}
		if c.y.whole || c.y.levels != nil {
			t.Errorf("%s: an axis of %v, whole %v", name, c.y.levels, c.y.whole)
		}
	}
	states := columns{"x": []float64{1, 2, 3}, "state": []string{"on", "off", "on"}}
	if m := draw(t, Plot(states, "x", "state")).marks[0]; !slices.Equal(m.y, []float64{0, 1, 0}) {
		t.Errorf("a line through names, one at each x: %v", m.y)
	}
}

// TestBarsStandAtTheirPlaces: bars of classes that never share an x are at their x; bars that share
// one are side by side and do not overlap.
func TestBarsStandAtTheirPlaces(t *testing.T) {
	day := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	tenth := 0.1
	for name, tt := range map[string]struct {
		c     *Chart
		width float64
		mid   bool
	}{
		"apart":         {Bar([]float64{1, 2, 3, 4}, []float64{3, 1, 4, 1}).By([]string{"a", "b", "a", "b"}), 0.8, true},
		"names apart":   {Bar([]string{"u", "v"}, []float64{3, 1}).By([]string{"u", "v"}), 0.8, true},
		"side by side":  {Bar([]float64{1, 1, 2, 2}, []float64{3, 1, 4, 1}).By([]string{"a", "b", "a", "b"}), 0.4, false},
		"nearly":        {Bar([]float64{1, 2, 3}, []float64{3, 1, 4}).Bars([]float64{1.5}, []float64{2}), 0.4, true},
		"one moment":    {Bar([]time.Time{day}, []float64{1}), 0.8 * oneDay, true},
		"rounded":       {Bar([]float64{0.3, 1}, []float64{3, 1}).Bars([]float64{tenth + 0.2}, []float64{1}), 0.4 * 0.7, false},
		"of a few days": {Bar([]time.Time{day, day.AddDate(0, 0, 2)}, []float64{1, 2}), 1.6 * oneDay, true},
	} {
		p, err := newPanel(tt.c)
		if err != nil {
			t.Fatal(err)
		}
		var ends [][2]float64
		for i, m := range p.c.marks {
			s := p.stacks[i]
			if math.Abs(s.width-tt.width) > 1e-9*tt.width {
				t.Errorf("%s: bars are %g wide, want %g", name, s.width, tt.width)
			}
			for _, x := range m.x {
				if tt.mid && math.Abs(s.offset+s.width/2) > 1e-9 {
					t.Errorf("%s: a bar stands %g from its place", name, s.offset+s.width/2)
				}
				ends = append(ends, [2]float64{x + s.offset, x + s.offset + s.width})
			}
		}
		for i, a := range ends {
			for _, b := range ends[:i] {
				if over := math.Min(a[1], b[1]) - math.Max(a[0], b[0]); over > 1e-9 {
					t.Errorf("%s: bars overlap by %g", name, over)
				}
			}
		}
	}
	if got := textsOf(t, Bar([]time.Time{day}, []float64{1})); !slices.Contains(got, "Mar 3, 2026") {
		t.Errorf("one bar stands at %q", got)
	}
}
