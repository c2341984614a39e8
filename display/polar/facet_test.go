package polar

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

func TestFacets(t *testing.T) {
	direction, season := wind()
	weather := make([]string, len(season))
	for i := range weather {
		weather[i] = []string{"dry", "wet", "wet"}[i%3]
	}
	theta, r, value := []float64{0, 1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5, 6}, []float64{0.1, 0.9, 0.4, 0.6, 0.2, 0.7}
	for name, d := range map[string]display.Displayer{
		"facets-rose":    Rose(direction).By(season).Facet(weather).Title("Where the wind comes from"),
		"facets-two":     Rose(direction).Facet(season, weather),
		"facets-scatter": Scatter(theta, r).By(value).R("distance (m)").Facet([]string{"a", "a", "b", "b", "d", "c"}).Cols(2),
	} {
		figuretest.Check(t, name, d)
		cliptest.Check(t, name, d)
	}
}

// TestFacetsShareTheirScale checks that each row is in its own panel, and that the longest
// distance of all panels is at the rim.
func TestFacetsShareTheirScale(t *testing.T) {
	direction, season := wind()
	c := Rose(direction)
	sum := 0.0
	for _, want := range []string{"winter", "summer"} {
		part := c.part(func(i int) bool { return season[i] == want }, len(season))
		petals, left := part.marks[0].petals(16)
		for _, v := range petals[0] {
			sum += v
		}
		part.far = c.farthest()
		d := disc{sectors: 16, root: true}
		if part.scale(&d); left != 0 || d.far < part.far {
			t.Errorf("%s: the rim is at %g, want at least %g; %d rows are left out", want, d.far, part.far, left)
		}
	}
	if sum != float64(len(direction)) {
		t.Errorf("the panels have %g rows of %d", sum, len(direction))
	}
}

func TestFacetRefuses(t *testing.T) {
	v := []float64{1, 2, 3}
	for want, d := range map[string]display.Displayer{
		"there are 2 labels, but no mark has as many points":     Scatter(v, v).Facet([]string{"a", "b"}),
		"polar.Facet: the labels must be names or whole numbers": Scatter(v, v).Facet([]float64{0.5, 1.5, 2}),
		"3 arguments":          Rose(v, v, v).Facet(v),
		"n must be at least 1": Scatter(v, v).Facet([]int{1, 2, 2}).Cols(0),
		"omit Cols":            Scatter(v, v).Facet([]int{1, 2, 2}, []int{1, 1, 2}).Cols(2),
		"cannot be read":       Scatter(v, v).Facet([]int{1, 2, 2}).Size(90, 60),
	} {
		if _, err := d.Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
