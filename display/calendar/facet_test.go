package calendar

import (
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

func TestFacets(t *testing.T) {
	days, values := warmth()
	var at []time.Time
	var warm []float64
	var place []string
	for i, d := range days {
		if d.Year() == 2023 {
			at, warm, place = append(at, d, d), append(warm, values[i], values[i]-6), append(place, "valley", "mountain")
		}
	}
	d := New(at, warm).Legend("mean (°C)").Facet(place).Title("One year")
	figuretest.Check(t, "facets", d)
	cliptest.Check(t, "facets", d)
}

// TestFacetsShareTheirColors checks that a value has the same color in all panels, although
// separate scales would differ.
func TestFacetsShareTheirColors(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2024, 1, d, 0, 0, 0, 0, time.UTC) }
	b, err := New([]time.Time{day(1), day(2), day(1), day(2)}, []float64{0, 5, 5, 100}).Facet([]string{"a", "a", "b", "b"}).Display()
	if err != nil {
		t.Fatal(err)
	}
	c := New([]time.Time{day(1)}, []float64{0})
	five := c.scheme.At(0.05)
	svg, _ := b.Data[display.MIMESVG].(string)
	if n := strings.Count(svg, hex(five.R, five.G, five.B)); n == 0 {
		t.Errorf("no day has the color %v of 5 on a scale from 0 to 100", five)
	}
}

func hex(channels ...uint8) string {
	s := "#"
	for _, c := range channels {
		s += string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15])
	}
	return s
}

func TestFacetRefuses(t *testing.T) {
	at := make([]time.Time, 40)
	years := make([]int, 40)
	for i := range at {
		at[i], years[i] = time.Date(2000+i%20, 1, 1, 0, 0, 0, 0, time.UTC), i%20
	}
	for want, d := range map[string]display.Displayer{
		"pass one label":                        New(at).Facet(years, years),
		"there are 3 labels for 40":             New(at).Facet(years[:3]),
		"got 20 classes with 20 years":          New(at).Facet(years),
		"the days must be times":                New([]int{1}).Facet(years),
		"labels must be names or whole numbers": New(at).Facet(make([]time.Time, 40)),
		"in at most 30 years":                   New([]time.Time{at[0], at[0].AddDate(50, 0, 0)}).Facet([]int{1, 2}),
	} {
		if _, err := d.Display(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
