package plot3d

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

func TestFacets(t *testing.T) {
	x, y, z, name := cloud(150)
	half := make([]string, len(x))
	for i := range half {
		half[i] = []string{"first", "second"}[i/75]
	}
	for title, d := range map[string]display.Displayer{
		"facets":     Scatter(x, y, z, name).X("length").Y("width").Z("height").Facet(name).Title("Flowers"),
		"facets-two": Scatter(x, y, z, z).Facet(half, name),
	} {
		figuretest.Check(t, title, d)
		cliptest.Check(t, title, d)
	}
}

// TestFacetsShareTheBox checks that a point has the same position, color and size in its panel as
// in the whole chart.
func TestFacetsShareTheBox(t *testing.T) {
	x, y, z, name := cloud(60)
	c := Scatter(x, y, z, z)
	whole, err := c.scene()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, class := range []string{"setosa", "versicolor", "virginica"} {
		part, err := c.part(func(i int) bool { return name[i] == class }, 60, whole.ranges, usualRadius(60)).scene()
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		for i := range x {
			if name[i] != class {
				continue
			}
			if part.dots[k] != whole.dots[i] {
				t.Fatalf("point %d of %s is %v, in the whole chart %v", i, class, part.dots[k], whole.dots[i])
			}
			k, seen = k+1, seen+1
		}
	}
	if seen != 60 {
		t.Errorf("the panels have %d points of 60", seen)
	}
}

func TestFacetRefuses(t *testing.T) {
	v := []float64{1, 2, 3}
	for want, d := range map[string]display.Displayer{
		"a surface has no rows":                     Surface(saddle, -1, 1, -1, 1).Facet([]int{1}),
		"omit Interactive":                          Scatter(v, v, v).Interactive().Facet([]int{1, 2, 2}),
		"no mark has as many points":                Scatter(v, v, v).Facet([]int{1, 2}),
		"the labels must be names or whole numbers": Scatter(v, v, v).Facet([]float64{0.5, 1, 2}),
	} {
		if _, err := d.Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
