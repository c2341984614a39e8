package geo

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// twoYears returns rates of lands of the island in two years.
func twoYears() (names []string, rates []float64, year []int) {
	for i := range 19 {
		for k := range 2 {
			names, rates, year = append(names, string(rune('A'+i))+"land"), append(rates, float64(i)+8*float64(k)), append(year, 2000+10*k)
		}
	}
	return names, rates, year
}

func TestFacets(t *testing.T) {
	names, rates, year := twoYears()
	lon, lat, size, kind := stations()
	for name, d := range map[string]display.Displayer{
		"facets-regions": Choropleth(names, rates).On(island()).Legend("storks").Facet(year).Title("Storks"),
		"facets-points":  Scatter(lon, lat).By(kind).Size(size).On(island()).Facet(kind),
		"world-points":   Scatter([]float64{-170, -60, 0, 77, 151}, []float64{-20, 40, 51, 28, -33}),
		"facets-bare":    Scatter(lon, lat).By(kind).Facet(kind),
	} {
		figuretest.Check(t, name, d)
		cliptest.Check(t, name, d)
	}
}

// TestFacetsShareTheirColors checks that equal values have the same color in both years, although
// the years have different ranges, and that a point has the same position.
func TestFacetsShareTheirColors(t *testing.T) {
	m := Choropleth([]string{"North", "South", "North", "South"}, []float64{-2, 5, 5, 9}).On(world)
	panels := m.Facet([]int{1, 1, 2, 2})
	if _, err := panels.Display(); err != nil {
		t.Fatal(err)
	}
	whole := sheetOf(t, m)
	for k, keep := range []func(int) bool{func(i int) bool { return i < 2 }, func(i int) bool { return i >= 2 }} {
		part := m.part(keep, 4)
		part.ends = &[2]float64{-9, 9}
		s := sheetOf(t, part)
		if s.scheme.Name != "bluered" || s.layout != whole.layout {
			t.Errorf("panel %d has the scheme %s and the layout %v, want %v", k, s.scheme.Name, s.layout, whole.layout)
		}
		if got, want := s.color(1-k), s.scheme.At((5.0+9)/18); got != want {
			t.Errorf("panel %d: 5 has the color %v, want %v", k, got, want)
		}
	}
}

func TestFacetRefuses(t *testing.T) {
	names, rates, year := twoYears()
	measured := make([]float64, len(rates))
	for i, r := range rates {
		measured[i] = r + 0.5
	}
	for want, d := range map[string]display.Displayer{
		"leave Interactive out":                     Choropleth(names, rates).On(island()).Interactive().Facet(year),
		"there are 2 labels for 38 rows":            Choropleth(names, rates).On(island()).Facet(year[:2]),
		"there are 2 labels for 1 point":            Scatter([]float64{1}, []float64{2}).Facet(year[:2]),
		"there are no regions":                      Choropleth(names, rates).Facet(year),
		"the labels must be names or whole numbers": Choropleth(names, rates).On(island()).Facet(measured),
	} {
		if _, err := d.Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
