package graph

import (
	"math"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// shops returns the flows of two shops.
func shops() (from, to []string, amount []float64, shop []string) {
	for _, name := range []string{"north", "south"} {
		from = append(from, "visit", "visit", "cart", "cart")
		to = append(to, "cart", "leave", "pay", "leave")
		shop = append(shop, name, name, name, name)
	}
	return from, to, []float64{420, 480, 230, 190, 100, 220, 90, 10}, shop
}

func TestFacets(t *testing.T) {
	continent, country, amount := people()
	size := make([]string, len(amount))
	for i, x := range amount {
		if size[i] = "below 100 million"; x >= 100 {
			size[i] = "100 million and more"
		}
	}
	from, to, flows, shop := shops()
	day := []int{1, 1, 2, 2, 1, 1, 2, 2}
	for name, d := range map[string]display.Displayer{
		"facets-treemap":    NewTreemap(continent, country, amount).Facet(size).Title("People"),
		"facets-flat":       NewTreemap(country, amount).Facet(continent),
		"facets-sankey":     NewSankey(from, to, flows).Facet(shop).Title("Two shops"),
		"facets-sankey-two": NewSankey(from, to, flows).Facet(shop, day),
	} {
		figuretest.Check(t, name, d)
		if name != "facets-flat" { // names in rectangles are below each other, not next to each other
			cliptest.Check(t, name, d)
		}
	}
}

// TestTreemapsOfFacetsShareTheirScale checks that a unit has the same area in each panel.
func TestTreemapsOfFacetsShareTheirScale(t *testing.T) {
	continent, country, amount := people()
	m := NewTreemap(continent, country, amount)
	for _, c := range []string{"Asia", "Europe", "Oceania"} {
		part := m.part(func(i int) bool { return continent[i] == c })
		root, err := part.tiles()
		if err != nil {
			t.Fatal(err)
		}
		const most = 4000
		part.panel(root, 300, 200, most)
		root.leaves(func(leaf *tile) {
			if got, want := leaf.r.w*leaf.r.h, 300*200*leaf.amount/most; math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s has an area of %g, want %g", leaf.name, got, want)
			}
		})
	}
}

// TestSankeysOfFacetsShareTheirScale checks that the shared scale is the smallest one that the
// diagrams would have on their own, and that all diagrams fit.
func TestSankeysOfFacetsShareTheirScale(t *testing.T) {
	from, to, amount, shop := shops()
	var parts []*Sankey
	for _, name := range []string{"north", "south"} {
		var a, b []string
		var x []float64
		for i := range from {
			if shop[i] == name {
				a, b, x = append(a, from[i]), append(b, to[i]), append(x, amount[i])
			}
		}
		parts = append(parts, NewSankey(a, b, x))
	}
	scale := sharedScale(parts, 260)
	for i, s := range parts {
		l := s.layout()
		l.place(8, 252)
		own := l.scale
		l.limit = scale
		l.place(8, 252)
		if l.scale != scale || own < scale {
			t.Errorf("diagram %d is drawn with %g pixels a unit, alone with %g; want %g", i, l.scale, own, scale)
		}
		for _, layer := range l.layers {
			for _, n := range layer {
				if math.Abs(n.height-scale*n.amount()) > 1e-9 || n.y < 8-1e-9 || n.y+n.height > 252+1e-9 {
					t.Errorf("%s of %g is at %g to %g", n.name, n.amount(), n.y, n.y+n.height)
				}
			}
		}
	}
}

func TestFacetRefuses(t *testing.T) {
	names, v := []string{"a", "b", "c"}, []float64{1, 2, 3}
	for want, d := range map[string]display.Displayer{
		"there are 2 labels for 3 amounts":                       NewTreemap(names, v).Facet(names[:2]),
		"must not be negative":                                   NewTreemap(names, []float64{1, -2, 3}).Facet(names),
		"there are 2 labels for 3 flows":                         NewSankey(names, []string{"x", "y", "z"}, v).Facet(names[:2]),
		"graph.Facet: the labels must be names or whole numbers": NewTreemap(names, v).Facet([]float64{0.5, 1, 2}),
		"graph.Sankey: a flows to itself":                        NewSankey([]string{"a"}, []string{"a"}, []int{1}).Facet([]int{1}),
		"graph.Facet: 3 labels; give one, or one for the":        NewTreemap(names, v).Facet(names, names, names),
	} {
		if _, err := d.Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
