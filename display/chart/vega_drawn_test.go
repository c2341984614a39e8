package chart

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// interactive returns the charts of the gallery, a chart of times for each kind that supports
// times, and charts that Vega-Lite would stack, sort, join or fill by itself.
func interactive() []example {
	var all []example
	for _, e := range gallery {
		if _, ok := e.make().(*Chart); ok {
			all = append(all, e)
		}
	}
	at := wholeDays(30)
	y, z := make([]float64, len(at)), make([]float64, len(at))
	group := make([]string, len(at))
	for i := range y {
		y[i], z[i] = 3+float64(i*i%17), 1+float64(i%5)
		group[i] = []string{"mid", "low", "high"}[i%3]
	}
	nan := func(v []float64, at ...int) []float64 {
		out := append([]float64(nil), v...)
		for _, i := range at {
			out[i] = missing
		}
		return out
	}
	x := span(0, 29, 30)
	few, fewNames := []float64{3, 1, 2}, []string{"mid", "low", "high"}
	for name, c := range map[string]*Chart{
		"times-line": Plot(at, y), "times-few": Plot(at[:3], y[:3]), "times-points": Scatter(at, y, group), "times-values": Scatter(at, y).ByValue(z).Size(z),
		"times-bars": Bar(at, y), "times-bars-by": Bar(at[:20], y[:20]).By(group[:20]), "times-steps": New().Step(at, y), "times-area": New().Area(at, z, y),
		"times-errors": New().Errors(at, y, z), "times-stacked": StackedArea(at, y, z), "times-lollipop": Lollipop(at, y),
		"times-hist": Hist(at), "times-gap": Plot(at, nan(y, 4, 9, 10)), "times-box": BoxPlot(group, at), "times-strip": Strip(group, at),
		"times-y": Scatter(y, at), "times-polygon": New().Polygon(at[:3], y[:3]), "times-rules": Plot(at, y).HRule(5),
		"times-right": Plot(at, y).Y("left").Line(at, nan(z, 3)).Right("right"), "times-texts": Plot(at, y).Label(at[:2], y[:2], []string{"a", "b"}),
		"times-regression": Regression(at, y), "times-density": KDE(at), "times-ecdf": ECDF(at), "times-vectors": New().Vectors(at, y, z, z),
		"times-annotation": Plot(at, y).Name("course").DirectLabels().Annotate(at[3], y[3], "here"),
		"gap":              Plot([]float64{1, 2, missing, 4, 3, 2}), "gap-alone": Plot(nan(y, 3, 5)), "gap-area": New().Area(x, z, nan(y, 4, 12)),
		"tan": Func(tan, -5, 5), "bars-order": Bar(fewNames, few), "bin-edges": Hist(y).BinEdges(0, 5, 7, 20), "cumulative": Hist(y).Name("y").Hist(z).Name("z").Cumulative(), "times-edges": Hist(at).BinEdges(at[2], at[9], at[25]).Density(),
		"symlog": Plot(x, apply(func(v float64) float64 { return (v - 5) * (v - 5) * (v - 5) }, y)).SymlogY(2).HRule(0), "symlog-bars": Bar(fewNames, []float64{-100, 3, 5000}).SymlogY(1),
		"symlog-points": Scatter(apply(func(v float64) float64 { return v*v*v - 50 }, x), z).SymlogX(5).VSpan(-10, 100),
		"legend-order":  Scatter(x, y, group).Legend("groups").LegendOrder("high", "mid", "low").LegendAt("bottom"), "legend-inside": Plot(x, y).Name("b").Line(x, z).Name("a").LegendAt("best").LegendOrder("a", "b"),
		"bars-sorted": Bar(fewNames, few).XOrder("descending"), "bars-lying": Bar(fewNames, few).Horizontal(),
		"bars-by": Bar(group, y).By(at2(group)).Aggregate("mean"), "bars-stacked": Bar(fewNames, few).Name("z").Bars(fewNames, few).Name("a").Stacked(),
		"bars-below": Bar(fewNames, []float64{1, -2, 3}), "bars-log": Bar(fewNames, []float64{10, 1000, 100}).LogY(),
		"violins": Violin(group, y), "violins-lying": Violin(group, y).Horizontal(), "strips": Strip(group, y), "swarms": Swarm(group, y),
		"boxes-lying": BoxPlot(group, y).Horizontal(), "boxes-by": BoxPlot(group, y).By(at2(group)),
		"lollipops": Lollipop(fewNames, few), "reverse": Ridgeline(group, y), "names-on-y": Scatter(y, group),
		"heat-gaps": Heatmap([][]float64{{1, missing}, {3, 4}}), "right-bars": berlin(), "log": Scatter(span(1, 1000, 30), y).LogX().LogY(),
		"direct": Plot(x, y).Name("first").Line(x, z).Name("second").DirectLabels(), "sizes": Scatter(x, y).Size(z),
		"streams": Streamlines(func(x, y float64) (float64, float64) { return -y, x }, -2, 2, -2, 2), "pointed": Scatter(x, y).Annotate(3, y[3], "a point"),
		"range":    Plot(x, y).XRange(5, 20).YRange(0, 12),
		"reversed": Plot(x, y).Name("a").Line(x, z).Name("b").ReverseX().ReverseY(), "reversed-bars": Bar(fewNames, few).ReverseY(), "reversed-heat": Heatmap([][]float64{{1, 2}, {3, 4}}).ReverseX(),
		"reversed-times": Plot(at, y).ReverseX(), "ticks": Plot(x, y).XTicks(0, 10, 29).YFormat("$"), "percent": Plot(x, z).YFormat("percent").LogX(2).XRange(1, 29),
		"money": Plot(x, apply(func(v float64) float64 { return 1000 * v }, y)).YFormat("€").YTicks(-5000, 0, 2500, 10000).XFormat("%.1f km").XTicks(0, 7.5, 20), "percents": Plot(x, y).YFormat("percent").YTicks(-1, 0.125, 1).ReverseY().XFormat("%g").XTicks(0, 0.5, 30),
		"reversed-hist": Hist(y).ReverseX(), "reversed-density": KDE2D(y, z).ReverseX().ReverseY(), "reversed-field": New().HeatField(NewField(bowl, -1, 1, -1, 1, 60)).ReverseX(),
		"tick-labels": Plot(x, y).XTicks(0, 10, 29).XTickLabels("start", "a third", "end").YFormat("si W"),
		"times-ticks": Plot(at, y).XTicks(at[2], at[20]).XRange(at[1], at[25]).VRule(at[9]), "si": Plot(x, apply(func(v float64) float64 { return 250000 * v }, y)).YFormat("si").YTicks(0, 500000, 1500000, 5e6),
		"times-span": Plot(at, y).VSpan(at[3], at[9]).Name("span"), "bars-span": Bar(fewNames, few).HSpan(1, 2), "lying-span": Bar(fewNames, few).HSpan(1, 2).Horizontal(),
		"asymmetric": New().Errors(x, y, z, span(0, 3, 30)), "names-span": Bar(fewNames, few).VSpan("low", "high"), "log-span": Plot(span(1, 30, 30), y).LogX().VSpan(0, 5), "cut-span": Plot(x, y).XRange(5, 20).VSpan(2, 9), "heat-span": Heatmap([][]float64{{1, 2}, {3, 4}}).HSpan(0.5, 1),
		"names-errors": New().Errors(few, fewNames, []float64{0.2, 0.4, 0.3}), "empty": Plot([]float64{}),
	} {
		all = append(all, example{name, func() display.Displayer { return c }})
	}
	return all
}

// TestInteractiveAsDrawn writes, with -specs, the specification of each chart and a drawing of
// its marks on axes of the same length. testdata/e2e/test_vega.py lets Vega draw the
// specification and compares the two.
func TestInteractiveAsDrawn(t *testing.T) {
	for _, e := range interactive() {
		c := e.make().(*Chart)
		spec, err := c.VegaLite()
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		w, h := spec["width"].(float64), spec["height"].(float64)
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		f := marksAlone(t, p, w, h)
		data, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		if len(spec["layer"].([]any)) == 0 {
			t.Errorf("%s: the specification has no layers", e.name)
		}
		if *specs == "" {
			continue
		}
		texts, err := json.Marshal(textsBeside(p))
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string][]byte{".vl.json": data, ".svg": []byte(f.SVG()), ".texts.json": texts} {
			if err := os.WriteFile(filepath.Join(*specs, e.name+name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// drawnAxis has the texts of a drawn axis: its title, and its names from one end to the other.
type drawnAxis struct {
	Title  string
	Names  []string
	Hidden bool
}

// drawnTexts has the texts of a drawing outside of its area.
type drawnTexts struct {
	Title, Note, LegendTitle string
	Legend                   []string
	X, Y                     drawnAxis
	Right                    string
}

// textsBeside returns the texts that a drawing has beside the marks. X is the horizontal axis.
func textsBeside(p *panel) drawnTexts {
	left := p.leftOut
	left.binned = "" // the points themselves are drawn
	axisTexts := func(a *axis, s *scale) drawnAxis {
		d := drawnAxis{Title: a.label(), Names: a.levels, Hidden: a.hidden}
		if a.chosen != nil && (a.format != nil || a.texts != nil || a.times) {
			d.Names = a.chosenLabels(s)
		}
		if s.from > s.to == (a == p.h) {
			d.Names = slices.Clone(d.Names)
			slices.Reverse(d.Names)
		}
		return d
	}
	h, v := p.scales()
	out := drawnTexts{Title: p.c.title, Note: left.note(), X: axisTexts(p.h, h), Y: axisTexts(p.v, v)}
	if !p.c.noLegend {
		for _, e := range p.legend.entries {
			if e.size == 0 && !slices.Contains(out.Legend, e.name) {
				out.Legend = append(out.Legend, e.name)
			}
		}
		if len(out.Legend) > 0 {
			out.LegendTitle = p.legend.title
		}
	}
	if p.second != nil {
		out.Right = p.second.c.y.label()
	}
	return out
}

// TestPanelsAsDrawn writes, with -specs, the specification of the panels of the gallery and the
// texts beside each panel, for testdata/e2e/test_vega.py.
func TestPanelsAsDrawn(t *testing.T) {
	n := 0
	for _, e := range gallery {
		p, ok := e.make().(*Panels)
		if !ok {
			continue
		}
		n++
		panels, err := p.panels()
		if err != nil {
			t.Fatal(err)
		}
		var texts []drawnTexts
		for _, q := range panels {
			if err := q.measure(); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, textsBeside(q))
		}
		spec, err := p.VegaLite()
		if err != nil {
			t.Fatal(err)
		}
		if got := len(spec["concat"].([]any)); got != len(panels) {
			t.Errorf("%s: the specification has %d panels, want %d", e.name, got, len(panels))
		}
		if *specs == "" {
			continue
		}
		for name, value := range map[string]any{".panels.json": texts, ".vl.json": spec} {
			data, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*specs, e.name+name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n < 5 {
		t.Errorf("the gallery has %d figures of several panels", n)
	}
}

// marksAlone draws the marks of a panel and the texts beside them, without axes.
func marksAlone(t *testing.T, p *panel, w, h float64) *figure.Figure {
	t.Helper()
	if err := p.measure(); err != nil {
		t.Fatal(err)
	}
	v := &vegaPanel{panel: p}
	v.lay(w, h)
	f := figure.New(w, h)
	for i := range p.c.marks {
		p.mark(f, &p.c.marks[i], i)
	}
	p.directLabels(f)
	if q := p.second; q != nil {
		q.area, q.x = p.area, p.x
		q.y.from, q.y.to = h, 0
		for i := range q.c.marks {
			q.mark(f, &q.c.marks[i], i)
		}
	}
	if p.nothing {
		sayNothing(f, p.area)
	}
	return f
}

// at2 labels pairs of rows alternately.
func at2(rows []string) []string {
	out := make([]string, len(rows))
	for i := range out {
		out[i] = []string{"u", "v"}[i/2%2]
	}
	return out
}

func tan(x float64) float64 { return math.Tan(x) }

var missing = math.NaN()
