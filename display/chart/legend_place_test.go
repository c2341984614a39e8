package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display/figure"
)

// TestLegendPlaces: a legend is where LegendAt puts it, and the axes leave room for it.
func TestLegendPlaces(t *testing.T) {
	x, label := blobs(20)
	at := func(place string) (area rect, legend *panel) {
		t.Helper()
		c := Scatter(x, label).LegendAt(place)
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.measure(); err != nil {
			t.Fatal(err)
		}
		p.draw(figure.New(600, 380), rect{0, 0, 600, 380})
		return p.area, p
	}
	right, _ := at("right")
	for place, moved := range map[string]func(a rect) bool{
		"top":        func(a rect) bool { return a.y0 >= right.y0+entryHeight && a.x1 > right.x1 },
		"bottom":     func(a rect) bool { return a.y1 <= right.y1-entryHeight && a.x1 > right.x1 },
		"lower left": func(a rect) bool { return a.h() == right.h() && a.x1 > right.x1 },
	} {
		if a, _ := at(place); !moved(a) {
			t.Errorf("with the legend at %s, the area is %v; on the right it is %v", place, a, right)
		}
	}
	// All of these points are on the left, so the first corner without a point is on the right.
	_, p := at("best")
	if got := p.legend.place; !slices.Contains(corners, got) {
		t.Errorf("the best place is %q", got)
	}
	box, n := p.legendBox(), 0
	for _, q := range p.drawnPoints() {
		if box.contains(q.X, q.Y) {
			n++
		}
	}
	for _, corner := range corners {
		p.legend.place = corner
		other, m := p.legendBox(), 0
		for _, q := range p.drawnPoints() {
			if other.contains(q.X, q.Y) {
				m++
			}
		}
		if m < n {
			t.Errorf("the best corner covers %d points, %s covers %d", n, corner, m)
		}
	}
}

// TestLegendFlow: entries side by side neither overlap nor leave the width.
func TestLegendFlow(t *testing.T) {
	var l legend
	for _, s := range []string{"a", "a longer name", "b", "another long name", "c", "d"} {
		l.entries = append(l.entries, entry{name: s, kind: line})
	}
	for _, width := range []float64{90, 200, 400, 1000} {
		columns, at, height := l.flow(width)
		for i, q := range at {
			end := q.X + l.entries[i].entryWidth()
			if end > width && columns > 1 {
				t.Errorf("at the width %g, entry %d ends at %g", width, i, end)
			}
			if i > 0 && at[i-1].Y == q.Y && at[i-1].X+l.entries[i-1].entryWidth() >= q.X {
				t.Errorf("at the width %g, entries %d and %d overlap", width, i-1, i)
			}
		}
		if last := at[len(at)-1].Y; height != last+entryHeight {
			t.Errorf("the last row begins at %g of %g", last, height)
		}
	}
}

// TestLegendOrder: the legend has the order of LegendOrder, and names keep their colors.
func TestLegendOrder(t *testing.T) {
	x, label := blobs(5)
	names := func(c *Chart) (names []string, colors []figure.Color) {
		p, err := newPanel(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.legend.entries {
			names, colors = append(names, e.name), append(colors, e.color)
		}
		return names, colors
	}
	_, before := names(Scatter(x, label))
	got, colors := names(Scatter(x, label).LegendOrder("virginica", "setosa", "versicolor"))
	if strings.Join(got, " ") != "virginica setosa versicolor" || colors[0] != before[2] || colors[1] != before[0] {
		t.Errorf("the legend has %v in %v; before, the colors were %v", got, colors, before)
	}
}

// TestErrorsOfLegends: places and orders that a legend cannot have are errors.
func TestErrorsOfLegends(t *testing.T) {
	v, l := []float64{1, 2, 3}, []string{"a", "b", "c"}
	for want, c := range map[string]interface {
		Figure() (*figure.Figure, error)
	}{
		"chart.LegendAt: the place must be right, top, bottom, best, upper right, upper left, lower left or lower right, got \"left\"": Scatter(v, v, l).LegendAt("left"),
		"chart.LegendAt: the chart has no legend: name marks with Name or By":                                                          Plot(v).LegendAt("top"),
		"chart.LegendAt: the chart has no legend: NoLegend leaves it out":                                                              Scatter(v, v, l).NoLegend().LegendAt("top"),
		"chart.LegendAt: the colors show numbers":                                                                                      Scatter(v, v).ByValue(v).LegendAt("top"),
		"chart.LegendAt: the chart has no legend: DirectLabels":                                                                        Plot(v).Name("a").DirectLabels().LegendAt("top"),
		"chart.LegendAt: the chart has no legend: the colors of the axes":                                                              Plot(v).Y("a").Line(v, v).Right("b").LegendAt("top"),
		"chart.LegendOrder: the names of the legend must be a, b and c, got \"d\"":                                                     Scatter(v, v, l).LegendOrder("a", "d", "b", "c"),
		"chart.LegendOrder: \"c\" is missing; name all of a, b and c":                                                                  Scatter(v, v, l).LegendOrder("a", "b"),
		"chart.LegendOrder: \"a\" is given twice":                                                                                      Scatter(v, v, l).LegendOrder("a", "b", "c", "a"),
		"chart.LegendOrder: the legend has one name":                                                                                   Plot(v).Name("a").LegendOrder("a"),
		"chart.LegendAt: panels share a legend":                                                                                        Scatter(v, v, l).LegendAt("best").Facet(l),
	} {
		if _, err := c.Figure(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if f, err := Scatter(v, v, l).LegendOrder("c", "b", "a").LegendAt("top").Facet(l).Figure(); err != nil || f == nil {
		t.Errorf("panels with an ordered legend: %v", err)
	}
}
