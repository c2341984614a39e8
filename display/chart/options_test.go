package chart

import (
	"strings"
	"testing"
)

// matrixKinds returns a chart of each kind.
func matrixKinds() map[string]func() *Chart {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	y := []float64{3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7, 9, 3}
	e := []float64{.5, .4, .6, .5, .4, .6, .5, .4, .6, .5, .4, .6}
	g := []string{"p", "q", "r", "p", "q", "r", "p", "q", "r", "p", "q", "r"}
	f := columns{"x": []float64{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}, "y": y, "g": g, "h": append([]string{"r", "q", "q", "q"}, g[:8]...)}
	return map[string]func() *Chart{
		"line": func() *Chart { return Plot(x, y) }, "means": func() *Chart { return Plot(f, "x", "y") }, "graph": func() *Chart { return Func(func(x float64) float64 { return x * x }, 0, 2) },
		"points": func() *Chart { return Scatter(x, y) }, "step": func() *Chart { return New().Step(x, y) }, "area": func() *Chart { return New().Area(x, 1, y) },
		"stacked area": func() *Chart { return StackedArea(x, y) }, "bars": func() *Chart { return Bar(x, y) }, "named bars": func() *Chart { return Bar(f, "g", "y") },
		"counts": func() *Chart { return Bar(f, "h") }, "lollipop": func() *Chart { return Lollipop(x, y) }, "histogram": func() *Chart { return Hist(y) },
		"errors": func() *Chart { return New().Errors(x, y, e) }, "boxes": func() *Chart { return BoxPlot(f, "g", "y") }, "boxes of groups": func() *Chart { return BoxPlot([][]float64{y, x}) },
		"heat map": func() *Chart { return Heatmap([][]float64{{1, 2}, {3, 4}}) }, "heat map of columns": func() *Chart { return Heatmap(f, "g", "x", "y") },
		"contour": func() *Chart { return Contour(bowl, -1, 1, -1, 1) },
		"region": func() *Chart {
			return New().Region(NewField(func(x, y float64) float64 {
				if x > 0 {
					return 1
				}
				return 0
			}, -1, 1, -1, 1, 20), nil)
		},
		"vectors": func() *Chart { return New().Vectors(x, y, e, e) }, "texts": func() *Chart { return New().Label(x, y, g) },
		"span": func() *Chart { return New().HSpan(1, 3) },
		"rule": func() *Chart { return Plot(x, y).HRule(3) }, "polygon": func() *Chart { return New().Polygon(x, y) },
		"slope": func() *Chart {
			return Slope(f, "g", "y").By([]string{"a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"})
		},
		"parallel": func() *Chart { return ParallelCoordinates(columns{"a": x, "b": y}, "a", "b") },
		"density":  func() *Chart { return KDE(y) }, "densities": func() *Chart { return KDE2D(x, y) }, "ridges": func() *Chart { return Ridgeline(g, y) },
		"violin": func() *Chart { return Violin(g, y) }, "strip": func() *Chart { return Strip(g, y) }, "swarm": func() *Chart { return Swarm(g, y) },
		"ecdf": func() *Chart { return ECDF(y) }, "qq": func() *Chart { return QQ(y) }, "regression": func() *Chart { return Regression(x, y) },
		"hexagons": func() *Chart { return Hexbin(x, y) },
	}
}

// matrixOptions returns the options of marks and charts, with arguments that differ from all
// defaults.
func matrixOptions() map[string]func(*Chart) *Chart {
	u := []string{"u", "v", "u", "v", "v", "u", "u", "v", "u", "v", "v", "u"}
	code := []int{0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0}
	v := []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1.05, 1.15, 1.25}
	return map[string]func(*Chart) *Chart{
		"Name": func(c *Chart) *Chart { return c.Name("a name") }, "Names": func(c *Chart) *Chart { return c.Names("one", "two") },
		"By": func(c *Chart) *Chart { return c.By(u) }, "ByClass": func(c *Chart) *Chart { return c.ByClass(code, "u", "v") }, "ByValue": func(c *Chart) *Chart { return c.ByValue(v) },
		"Color": func(c *Chart) *Chart { return c.Color("green") }, "ClassColor": func(c *Chart) *Chart { return c.ClassColor(4) }, "Scheme": func(c *Chart) *Chart { return c.Scheme("greys") },
		"Radius": func(c *Chart) *Chart { return c.Radius(7.5) }, "Width": func(c *Chart) *Chart { return c.Width(3.7) }, "Opacity": func(c *Chart) *Chart { return c.Opacity(0.31) },
		"Dashed": func(c *Chart) *Chart { return c.Dashed() }, "Rings": func(c *Chart) *Chart { return c.Rings() }, "Bins": func(c *Chart) *Chart { return c.Bins(9) },
		"Size": func(c *Chart) *Chart { return c.Size(v) }, "Aggregate": func(c *Chart) *Chart { return c.Aggregate("max") }, "NoIntervals": func(c *Chart) *Chart { return c.NoIntervals() },
		"Bandwidth": func(c *Chart) *Chart { return c.Bandwidth("silverman") }, "Adjust": func(c *Chart) *Chart { return c.Adjust(0.5) }, "Cut": func(c *Chart) *Chart { return c.Cut(1.2) },
		"Fill": func(c *Chart) *Chart { return c.Fill() }, "Split": func(c *Chart) *Chart { return c.Split() }, "Degree": func(c *Chart) *Chart { return c.Degree(3) },
		"Lowess": func(c *Chart) *Chart { return c.Lowess() }, "NoPoints": func(c *Chart) *Chart { return c.NoPoints() }, "Complement": func(c *Chart) *Chart { return c.Complement() },
		"Centered": func(c *Chart) *Chart { return c.Centered() }, "Stacked": func(c *Chart) *Chart { return c.By(u).Stacked() }, "Normalized": func(c *Chart) *Chart { return c.By(u).Normalized() },
		"Density": func(c *Chart) *Chart { return c.Density() }, "DirectLabels": func(c *Chart) *Chart { return c.DirectLabels() }, "Legend": func(c *Chart) *Chart { return c.Legend("a title") },
		"the place of a legend": func(c *Chart) *Chart { return c.Legend("bottom") }, "Horizontal": func(c *Chart) *Chart { return c.Horizontal() }, "NoAxes": func(c *Chart) *Chart { return c.NoAxes() },
		"LogX": func(c *Chart) *Chart { return c.LogX() }, "LogY": func(c *Chart) *Chart { return c.LogY() }, "Equal": func(c *Chart) *Chart { return c.LogX().Equal() },
		"X": func(c *Chart) *Chart { return c.X("a title") }, "Y": func(c *Chart) *Chart { return c.Y("a title") }, "Title": func(c *Chart) *Chart { return c.Title("a title") },
		"XNames": func(c *Chart) *Chart { return c.XNames("k", "l") }, "YNames": func(c *Chart) *Chart { return c.YNames("k", "l") },
		"XRange": func(c *Chart) *Chart { return c.XRange(0.3, 5) }, "YRange": func(c *Chart) *Chart { return c.YRange(0.2, 4) },
		"XTicks": func(c *Chart) *Chart { return c.XTicks(2, 3.5) }, "YTicks": func(c *Chart) *Chart { return c.YTicks(2, 3.5) },
		"XTickLabels": func(c *Chart) *Chart { return c.XTicks(2, 3.5).XTickLabels("low", "high") }, "YTickLabels": func(c *Chart) *Chart { return c.YTicks(2, 3.5).YTickLabels("low", "high") },
		"XFormat(si)": func(c *Chart) *Chart { return c.XFormat("si m") }, "XFormat": func(c *Chart) *Chart { return c.XFormat("percent") }, "YFormat": func(c *Chart) *Chart { return c.YFormat("%.1f km") },
		"ReverseX": func(c *Chart) *Chart { return c.ReverseX() }, "ReverseY": func(c *Chart) *Chart { return c.ReverseY() },
		"LogX(2)": func(c *Chart) *Chart { return c.LogX(2) },
		"XOrder":  func(c *Chart) *Chart { return c.XOrder("descending") }, "YOrder": func(c *Chart) *Chart { return c.YOrder("descending") },
		"BinEdges": func(c *Chart) *Chart { return c.BinEdges(0, 2, 3, 10) }, "Cumulative": func(c *Chart) *Chart { return c.Cumulative() },
		"SizeCM":  func(c *Chart) *Chart { return c.SizeCM(9, 7) },
		"SymlogX": func(c *Chart) *Chart { return c.SymlogX(0.5) }, "SymlogY": func(c *Chart) *Chart { return c.SymlogY(0.5) },
		"Subtitle": func(c *Chart) *Chart { return c.Title("a title").Subtitle("a subtitle") },
		"LegendAt": func(c *Chart) *Chart { return c.By(u).LegendAt("best") }, "LegendAt(top)": func(c *Chart) *Chart { return c.Name("a name").LegendAt("top") },
		"LegendOrder": func(c *Chart) *Chart { return c.By(u).LegendOrder("v", "u") },
		"Right":       func(c *Chart) *Chart { return c.Right("another") },
	}
}

// namesTakers holds options whose errors name the kinds that take them in a sentence of their own.
var namesTakers = map[string]bool{"Aggregate": true}

// TestEachOptionOfEachKind: each option changes the drawing of each kind, or it is an error that
// says that this kind does not take it, what to do, and which kinds take it.
func TestEachOptionOfEachKind(t *testing.T) {
	pairs := 0
	for kindName, chart := range matrixKinds() {
		plain, err := chart().Figure()
		if err != nil {
			t.Fatalf("%s: %v", kindName, err)
		}
		before := plain.SVG()
		for option, set := range matrixOptions() {
			pairs++
			c := chart()
			was := len(c.marks)
			f, err := set(c).Figure()
			if err != nil {
				text := err.Error()
				if !strings.HasPrefix(text, "chart") || len(text) < 30 {
					t.Errorf("%s with %s: the error %q does not say what to do", kindName, option, text)
				}
				m := &c.marks[was-1]
				if taken := takers(option); taken != "possible for: " && !m.kind.takes(m, option) && !strings.Contains(text, taken) && !namesTakers[option] {
					t.Errorf("%s with %s: the error %q does not name the kinds that take it", kindName, option, text)
				}
				continue
			}
			if f.SVG() == before {
				t.Errorf("%s with %s: nothing changes, and no error says so (%d marks)", kindName, option, was)
			}
		}
	}
	if pairs < 1500 {
		t.Errorf("only %d pairs", pairs)
	}
}

// TestErrorsOfOptionsAreSentences: the name of a kind, singular or plural, agrees with the verb.
func TestErrorsOfOptionsAreSentences(t *testing.T) {
	v := []float64{1, 2}
	for want, c := range map[string]*Chart{
		"chart.Radius: this histogram has no points; leave Radius out (possible for: ": Hist(v).Radius(3),
		"chart.Radius: these error bars have no points; ":                              New().Errors(v, v, v).Radius(3),
		"chart.ByClass: these shaded ranges cannot be split by classes; ":              New().HSpan(1, 2).ByClass([]int{0, 1}, "a", "b"),
	} {
		if _, err := c.Figure(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
