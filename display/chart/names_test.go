package chart

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// valuesByName returns the values that a chart draws at each name of an axis.
func valuesByName(t *testing.T, c *Chart) map[string]string {
	t.Helper()
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	add := func(at, value float64) {
		name := p.c.x.levels[int(at+0.5)]
		out[name] += " " + short(value)
	}
	for i := range p.c.marks {
		m := &p.c.marks[i]
		switch {
		case m.kind == heat:
			for j, y := range p.c.y.levels {
				for k, x := range p.c.x.levels {
					out[y+"/"+x] = short(m.asField().field.Z[j*m.asField().field.NX+k])
				}
			}
		case m.kind == box:
			for k, g := range m.asBox().groups {
				for _, v := range g {
					add(m.x[k], v)
				}
			}
		case m.kind == points || m.kind == bars || m.kind == texts && !m.asTexts().ticks:
			for k, x := range m.x {
				add(x, m.y[k])
			}
		}
	}
	return out
}

// TestNamesKeepTheirValues: XNames and YNames reorder the names of data on the axis, and values
// stay with their names.
func TestNamesKeepTheirValues(t *testing.T) {
	names, y := []string{"mid", "low", "high"}, []float64{2, 1, 3}
	twice, six := append(slices.Clone(names), names...), []float64{2, 1, 3, 20, 10, 30}
	rows := []string{"u", "v", "u", "v", "u", "v"}
	order := []string{"low", "mid", "high"}
	one := map[string]string{"low": " 1", "mid": " 2", "high": " 3"}
	two := map[string]string{"low": " 1 10", "mid": " 2 20", "high": " 3 30"}
	cells := map[string]string{"u/mid": "2", "u/low": "10", "u/high": "3", "v/mid": "20", "v/low": "1", "v/high": "30"}
	table := map[string]map[string]float64{"u": {"mid": 2, "low": 10, "high": 3}, "v": {"mid": 20, "low": 1, "high": 30}}
	for name, tt := range map[string]struct {
		c    *Chart
		want map[string]string
	}{
		"bars":           {Bar(names, y).XNames(order...), one},
		"before":         {New().XNames(order...).Bars(names, y), one},
		"lollipops":      {Lollipop(names, y).XNames(order...), one},
		"points":         {Scatter(names, y).XNames(order...), one},
		"boxes":          {BoxPlot(twice, six).XNames(order...), two},
		"boxes by Names": {BoxPlot(twice, six).Names(order...), two},
		"boxes of a map": {BoxPlot(map[string][]float64{"mid": {2, 20}, "low": {1, 10}, "high": {3, 30}}).XNames(order...), two},
		"strips":         {Strip(twice, six).XNames(order...), two},
		"columns":        {Bar(columns{"a": names, "b": y}, "a", "b").XNames(order...), one},
		"numbers":        {Bar([]string{"3", "1", "2"}, y).XNames("1", "2", "3"), map[string]string{"3": " 2", "1": " 1", "2": " 3"}},
		"other names for numbers": {BoxPlot([]int{3, 1, 2}, y).XNames("one", "two", "three"),
			map[string]string{"one": " 1", "two": " 3", "three": " 2"}},
		"heat map":            {Heatmap(rows, twice, six[:6]).XNames(order...).YNames("v", "u"), map[string]string{"u/mid": "2", "v/low": "1", "u/high": "3", "v/mid": "20", "u/low": "10", "v/high": "30"}},
		"heat map of a table": {Heatmap(table).XNames(order...).YNames("v", "u"), cells},
		"names of positions":  {Heatmap([][]float64{{1, 2}}).XNames("a", "b").YNames("c"), map[string]string{"c/a": "1", "c/b": "2"}},
		"unused levels":       {Bar(columns{"a": Coded{Codes: []int32{0, 2}, Levels: []string{"x", "never", "y"}}, "b": []float64{1, 2}}, "a", "b").XNames("y", "x"), map[string]string{"x": " 1", "y": " 2"}},
	} {
		got := valuesByName(t, tt.c)
		for s, v := range tt.want {
			if got[s] != v {
				t.Errorf("%s: %s has the values%s, want%s", name, s, got[s], v)
			}
		}
		if d, _ := newPanel(tt.c); len(tt.want) == 3 && name != "numbers" && name != "other names for numbers" && !slices.Equal(d.c.x.levels, order) {
			t.Errorf("%s: the order is %q", name, d.c.x.levels)
		}
		textOf(t, tt.c)
	}
	// The axes of parallel coordinates and the lines of a ridgeline move as a whole.
	p, err := newPanel(ParallelCoordinates(columns{"a": y, "b": six[3:]}, "a", "b").XNames("b", "a"))
	if err != nil || !slices.Equal(p.c.marks[len(p.c.marks)-1].labels[:1], []string{"10"}) && p.asked[0].asParallel().axes[0].name != "b" {
		t.Errorf("the first axis is %q (%v)", p.asked[0].asParallel().axes[0].name, err)
	}
	r, err := newPanel(Ridgeline(rows, six).YNames("v", "u"))
	if err != nil || !slices.Equal(r.c.y.levels, []string{"v", "u"}) {
		t.Fatalf("the lines are %q (%v)", r.c.y.levels, err)
	}
	// The densities are around the midpoints of 1 and 30, and of 2 and 10.
	for i, want := range []float64{15.5, 6} {
		m := &r.c.marks[2*i]
		if lo, hi := bounds(m.x); math.Abs((lo+hi)/2-want) > 1e-9 || m.lo[0] != float64(i) {
			t.Errorf("the density of line %g lies around %g, want %g", m.lo[0], (lo+hi)/2, want)
		}
	}
}

// TestClassesKeepTheirNames: Names names classes that are numbers, and reorders other classes.
func TestClassesKeepTheirNames(t *testing.T) {
	x := []float64{1, 2, 3}
	for name, tt := range map[string]struct {
		c    *Chart
		want string
	}{
		"in order":      {Scatter(x, x, []string{"b", "a", "b"}).Names("a", "b"), "b a b"},
		"numbers":       {Scatter(x, x, []int{1, 0, 1}).Names("no", "yes"), "yes no yes"},
		"truth values":  {Scatter(x, x, []bool{true, false, true}).Names("no", "yes"), "yes no yes"},
		"a gap":         {Scatter(x, x, []int{2, 0, 2}).Names("zero", "one", "two"), "two zero two"},
		"by its number": {Scatter(x, x).ByClass([]int{1, 0, 1}, "u", "v").Names("no", "yes"), "yes no yes"},
	} {
		if tt.c.err != nil {
			t.Errorf("%s: %v", name, tt.c.err)
			continue
		}
		m := &tt.c.marks[0]
		var got []string
		for _, k := range m.class {
			got = append(got, m.names[k])
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: the rows are %s, want %s", name, s, tt.want)
		}
	}
}

// TestWrongNamesAreErrors: names that are unknown, missing or too few are errors.
func TestWrongNamesAreErrors(t *testing.T) {
	names, y := []string{"mid", "low", "high"}, []float64{2, 1, 3}
	f := columns{"island": []string{"a", "b", "a"}, "species": names, "mass": y}
	for want, c := range map[string]*Chart{
		`chart.XNames: the names of the axis must be mid, low and high, got "u", "v"`: Heatmap(f, "island", "species", "mass").XNames("u", "v"),
		`chart.YNames: the names of the axis must be a and b, got "c"`:                Heatmap(f, "island", "species", "mass").YNames("a", "c"),
		`chart.XNames: "high" is missing; name all of mid, low and high`:              Bar(names, y).XNames("low", "mid"),
		`chart.XNames: "low" is given twice`:                                          Bar(names, y).XNames("low", "low", "mid"),
		"chart.Names: the names of the axis must be mid, low and high, got":           BoxPlot(names, y).Names("x", "y", "z"),
		"chart.XNames: there are 2 names for 3 values: 1, 2 and 3":                    BoxPlot([][]float64{y, y, y}).XNames("a", "b"),
		"chart.XNames: there are 3 names for 2 columns":                               Heatmap([][]float64{{1, 2}}).XNames("a", "b", "c"),
		"chart.XNames: there are 2 names for the positions 0 to 1, and a value at 2":  Plot(y).XNames("a", "b"),
		"chart.XNames: there are 4 names for 3 bars":                                  Bar(y).XNames("a", "b", "c", "d"),
		"chart.XNames: the axis shows times":                                          Plot(wholeDays(3), y).XNames("a", "b", "c"),
		"chart.Names: this line chart has no classes":                                 Plot(y).Names("a"),
		`chart.Names: the labels must be mid, low and high, got "x"`:                  Scatter(y, y, names).Names("x", "low", "high"),
		"chart.Names: there are 1 names for 3 values: 1, 2 and 3":                     Scatter(y, y, []int{1, 2, 3}).Names("x"),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	m := Clustermap(fourMerges, columns{"a": y, "b": y}, "a", "b").XNames("u", "v")
	if _, err := m.Figure(); err == nil || !strings.Contains(err.Error(), "the columns are called a and b") {
		t.Errorf("the columns of a table are renamed (%v)", err)
	}
}

// wholeDays returns the first days of 2024.
func wholeDays(n int) []time.Time {
	out := make([]time.Time, n)
	for i := range out {
		out[i] = time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC)
	}
	return out
}
