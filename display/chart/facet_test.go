package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
)

func init() {
	f := rides()
	gallery = append(gallery,
		example{"facets-heat", func() display.Displayer {
			return Heatmap(f, "weekday", "zone", "fare").Facet("people").Title("Mean fares")
		}},
		example{"facets-heat-two", func() display.Displayer {
			return Heatmap(f, "weekday", "people").Facet(halves(240), "zone")
		}},
	)
}

// halves labels n rows.
func halves(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = []string{"odd", "even"}[i%2]
	}
	return out
}

// TestFacetsOfEveryKind draws each kind whose rows can be labeled in panels, by one label
// and by two.
func TestFacetsOfEveryKind(t *testing.T) {
	f := rides()
	x, y := f["km"].([]float64), f["fare"].([]float64)
	half := halves(len(x))
	e := make([]float64, len(x))
	for i := range e {
		e[i] = 1
	}
	week, class := f["weekday"].([]string), make([]string, len(x))
	for i := range class {
		class[i] = []string{"a", "b", "c"}[i%3]
	}
	for name, c := range map[string]*Chart{
		"points": Scatter(f, "km", "fare"), "sizes": Scatter(f, "km", "fare").Size("people"), "line": Plot(f, "day", "fare"),
		"steps": Of(f).Step("day", "fare"), "area": New().Area(x, 0, y), "bars": Bar(f, "zone", "fare"), "counts": Bar(f, "zone").By("weekday"),
		"stacked": Bar(f, "zone").By("weekday").Stacked(), "lying": Bar(f, "zone", "fare").Horizontal(),
		"histogram": Hist(f, "fare"), "errors": New().Errors(x, y, e), "boxes": BoxPlot(f, "zone", "fare"), "box": BoxPlot(f, "fare"),
		"heat map": Heatmap(f, "zone", "weekday", "fare"), "heat map of counts": Heatmap(week, class), "sums": Heatmap(f, "zone", "weekday", "fare").Aggregate("sum"),
		"density": KDE(f, "fare").By("zone"), "density of two": KDE2D(f, "km", "fare"), "violins": Violin(f, "zone", "fare"),
		"strips": Strip(f, "zone", "fare"), "swarms": Swarm(f, "zone", "km"), "ridges": Ridgeline(f, "zone", "km"), "distribution": ECDF(f, "fare"),
		"quantiles": QQ(f, "km"), "regression": Regression(f, "km", "fare"), "hexagons": Hexbin(f, "km", "fare"),
		"stacked area": StackedArea(f, "day", "fare").By("weekday"), "lollipops": Lollipop(f, "zone", "fare"),
		"slopes": Slope(f, "people", "fare").By("zone"), "parallel": ParallelCoordinates(f, "km", "fare", "people"), "arrows": New().Vectors(x, y, e, e),
		"points on a log axis": Scatter(f, "km", "fare").LogX().LogY(), "two axes": Plot(f, "day", "fare").Y("fare ($)").Line("day", "km").Right("distance (km)"),
		"texts": New().Label(x[:12], y[:12], class[:12]),
	} {
		labels := half
		if name == "texts" {
			labels = half[:12]
		}
		for _, d := range []*Panels{c.Facet(labels), c.Facet(labels, labels)} {
			b, err := d.Display()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			texts, _, _, err := cliptest.Texts(b.Data[display.MIMESVG].(string))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"odd", "even"} {
				if !slices.ContainsFunc(texts, func(s cliptest.Text) bool { return s.Text == want }) {
					t.Errorf("%s: no panel is called %s", name, want)
				}
			}
		}
	}
}

// TestHeatMapsOfFacets compares the cells with means computed by hand; both panels share a color
// scale.
func TestHeatMapsOfFacets(t *testing.T) {
	row, column := []string{"a", "a", "b", "a", "b"}, []string{"u", "u", "v", "v", "v"}
	p := Heatmap(row, column, []float64{1, 3, 10, 40, 7}).Facet([]int{1, 1, 1, 2, 2})
	panels, err := p.panels()
	if err != nil {
		t.Fatal(err)
	}
	p.arrange(panels)
	for k, want := range [][]string{{"2", "–", "–", "10"}, {"–", "40", "–", "7"}} {
		m := &panels[k].c.marks[0]
		var got []string
		for _, z := range m.asField().field.Z {
			got = append(got, cellText(z, true, 0))
		}
		if lo, hi := m.valueRange(m.asField().field.Z); !slices.Equal(got, want) || lo != 2 || hi != 40 {
			t.Errorf("panel %d has the cells %q with colors from %g to %g, want %q from 2 to 40", k+1, got, lo, hi, want)
		}
	}
	if sum := Heatmap(row, column, []float64{1, 3, 10, 40, 7}).Aggregate("sum"); len(sum.marks) == 1 {
		q, err := newPanel(sum)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.c.marks[0].asField().field.Z[0]; got != 4 {
			t.Errorf("the sum of 1 and 3 is drawn as %g", got)
		}
	}
}

// TestFacetRefuses: for a kind without rows, the error says so, and what to do.
func TestFacetRefuses(t *testing.T) {
	names := []string{"a", "b"}
	for want, d := range map[string]display.Displayer{
		"a heat map of a matrix has no rows":          Heatmap([][]float64{{1, 2}, {3, 4}}).Facet(names),
		"these boxes already show groups":             BoxPlot([][]float64{{1, 2}, {3, 4}}).Facet(names),
		"the graph of a function has no rows":         Func(func(x float64) float64 { return x }, 0, 1).Facet(names),
		"this contour plot has no rows":               Contour(func(x, y float64) float64 { return x * y }, 0, 1, 0, 1).Facet(names),
		"there are 2 labels, but no mark has as many": Scatter([]float64{1}, []float64{1}).Facet(names),
		"the colors of a heat map show its values":    Heatmap(names, names).By(names),
	} {
		if _, err := d.Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestHexagonsOfFacetsAreEquallyLarge: counts in two panels can be compared, although the points of
// one panel are in a small part of the plane.
func TestHexagonsOfFacetsAreEquallyLarge(t *testing.T) {
	x, y, name := []float64{0, 0.1, 0.2, 10, 20, 30}, []float64{0, 0.2, 0.1, 5, 10, 15}, []string{"near", "near", "near", "far", "far", "far"}
	panels, err := Hexbin(x, y).Facet(name).panels()
	if err != nil {
		t.Fatal(err)
	}
	a, b := panels[0].c.marks[0].asHexes(), panels[1].c.marks[0].asHexes()
	if *a != *b || a.dx < 1 {
		t.Errorf("the hexagons of the panels are %g×%g and %g×%g", a.dx, a.dy, b.dx, b.dy)
	}
}

// TestSlopesOfSlicesInPanels: a label per name applies to both values of the name.
func TestSlopesOfSlicesInPanels(t *testing.T) {
	p := Slope([]string{"a", "b", "c"}, []float64{1, 2, 3}, []float64{4, 5, 6}).Facet([]string{"u", "v", "u"})
	if _, err := p.Figure(); err != nil {
		t.Fatal(err)
	}
	for k, want := range [][]float64{{1, 3, 4, 6}, {2, 5}} {
		if got := p.charts[k].marks[0].y; !slices.Equal(got, want) {
			t.Errorf("panel %d has the values %v, want %v", k+1, got, want)
		}
	}
}
