package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/cliptest"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// crops returns synthetic harvests.
func crops() columns {
	var year []int
	var crop []string
	var tons []float64
	for y := 2000; y <= 2020; y += 2 {
		t := float64(y-2000) / 20
		for k, name := range []string{"wheat", "maize", "rye", "oats"} {
			if name == "oats" && y < 2008 {
				continue
			}
			year, crop = append(year, y), append(crop, name)
			tons = append(tons, []float64{40 + 8*t, 20 + 25*t, 18 - 9*t, 6 + 4*t}[k]+2*math.Sin(float64(3*y+5*k)))
		}
	}
	return columns{"year": year, "crop": crop, "tons": tons}
}

func spin(x, y float64) (u, v float64) { return -1 - x*x + y, 1 + x - y*y }

func init() {
	f := crops()
	x, label := blobs(40)
	gallery = append(gallery,
		example{"stacked-area", func() display.Displayer { return StackedArea(f, "year", "tons").By("crop").Title("Harvests") }},
		example{"stacked-area-normalized", func() display.Displayer { return StackedArea(f, "year", "tons").By("crop").Normalized() }},
		example{"bar-normalized", func() display.Displayer {
			return Bar([]string{"Mon", "Tue", "Wed"}, []float64{3, 5, 2}).Name("spam").Bars([]string{"Mon", "Tue", "Wed"}, []float64{7, 6, 9}).Name("ham").Normalized().Y("messages")
		}},
		example{"lollipop", func() display.Displayer {
			return Lollipop([]string{"a", "b", "c", "d", "e", "f", "g", "h"}, []float64{5, 3, 8, -2, 6, 1, 4, 7}).Y("change (%)")
		}},
		example{"slope", func() display.Displayer {
			return Slope([]string{"Norway", "Spain", "Italy", "Japan", "Chile", "Kenya"}, []float64{20.1, 31, 33.5, 27, 24.4, 18}, []float64{24, 29.5, 33.4, 30.2, 24.4, 23.1}).XNames("1990", "2020").Title("Share of something (%)")
		}},
		example{"parallel", func() display.Displayer {
			c := columns{"length": columnAt(x, 0), "width": columnAt(x, 1), "species": label, "sum": apply(func(v float64) float64 { return 10 - 2*v }, columnAt(x, 0))}
			return ParallelCoordinates(c, "length", "width", "sum", "species").By("species")
		}},
		example{"streamlines", func() display.Displayer {
			return Streamlines(spin, -3, 3, -3, 3).X("x").Y("y").Title("Flow").Size(460, 420)
		}},
		example{"quiver", func() display.Displayer { return Quiver(spin, -3, 3, -3, 3).Equal() }},
	)
}

// Stacked areas add up: at each x an area begins where the area below it ends, and the top area
// ends at the sum of all rows with that x.
func TestStackedAreasAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x, y []float64
	var name []string
	sum := map[float64]float64{}
	for range 300 {
		x = append(x, float64(r.IntN(20)))
		y = append(y, r.ExpFloat64())
		name = append(name, string(rune('a'+r.IntN(4))))
		sum[x[len(x)-1]] += y[len(y)-1]
	}
	for _, share := range []bool{false, true} {
		c := StackedArea(x, y).By(name)
		if share {
			c.Normalized()
		}
		d := draw(t, c)
		below := make([]float64, len(d.marks[0].x))
		for _, m := range d.marks {
			for i := range m.x {
				if math.Abs(m.lo[i]-below[i]) > 1e-9 || m.hi[i] < m.lo[i] {
					t.Fatalf("at %g an area goes from %g to %g, those below end at %g", m.x[i], m.lo[i], m.hi[i], below[i])
				}
				below[i] = m.hi[i]
			}
		}
		for i, v := range d.marks[0].x {
			want := sum[v]
			if share {
				want = 100
			}
			if math.Abs(below[i]-want) > 1e-9 {
				t.Errorf("at %g the areas end at %g, want %g", v, below[i], want)
			}
		}
	}
}

// Streamlines of a rotation are circles; a particle of the field (1, 0) goes straight.
func TestStreamlinesFollowTheField(t *testing.T) {
	c := Streamlines(func(x, y float64) (float64, float64) { return -y, x }, -1, 1, -1, 1)
	m := c.marks[1]
	radius, points := math.NaN(), 0
	for i := range m.x {
		if math.IsNaN(m.x[i]) {
			radius = math.NaN()
			continue
		}
		r := math.Hypot(m.x[i], m.y[i])
		if math.IsNaN(radius) {
			radius = r
		}
		points++
		if math.Abs(r-radius) > 1e-3 {
			t.Fatalf("a line that began at a distance of %g is at %g", radius, r)
		}
	}
	if points < 500 {
		t.Errorf("the lines have %d points", points)
	}
	for i := range c.marks[0].asArrows().u { // the arrows turn counterclockwise
		h, d := c.marks[0], c.marks[0].asArrows()
		if h.x[i]*d.v[i]-h.y[i]*d.u[i] <= 0 {
			t.Errorf("the arrow at %g, %g points to %g, %g", h.x[i], h.y[i], d.u[i], d.v[i])
		}
	}
	if c := Streamlines(func(x, y float64) (float64, float64) { return 0, math.NaN() }, 0, 1, 0, 1); len(c.marks[1].x) != 0 {
		t.Error("a field without directions has lines")
	}
}

func TestParallelKeepsRows(t *testing.T) {
	d := draw(t, ParallelCoordinates(columns{"a": []float64{1, 2, 3}, "b": []float64{5, math.NaN(), 7}, "c": []string{"x", "y", "x"}}, "a", "b", "c"))
	m := d.marks[0]
	want := []float64{0, 0, 0.25, math.NaN(), 0.5, math.NaN(), 0.75, math.NaN(), 1, 1, 0.25, math.NaN()}
	for i, y := range want {
		if !(m.y[i] == y || math.IsNaN(m.y[i]) && math.IsNaN(y)) {
			t.Errorf("value %d is %g, want %g", i, m.y[i], y)
		}
	}
}

func TestKindsRefuse(t *testing.T) {
	one, two := []float64{1, 2}, []float64{1, 3}
	for want, c := range map[string]*Chart{
		"must not be negative, got −1":                 StackedArea(one, []float64{1, -1}),
		"must not be negative, got −2":                 Bar(one, []float64{1, -2}).Normalized(),
		"neither bars nor stacked areas":               Plot(one).Normalized(),
		"call By with the column that names the lines": Slope(columns{"a": []int{1, 2}, "b": one}, "a", "b"),
		"there are 1 moments":                          Slope(columns{"a": []int{1, 1}, "b": one}, "a", "b"),
		"there are 2 names for 1 values":               Slope([]string{"a", "b"}, one, []float64{1}),
		"there are 1 columns; give 2 to 30":            ParallelCoordinates(columns{"a": one}, "a"),
		"x and y must ascend":                          Streamlines(spin, 1, 0, 0, 1),
		"both axes need a title":                       Plot(one).Line(two).Right("b"),
		"two scales for one quantity mislead":          Plot(one).Y("b").Line(two).Right("b"),
		"the left axis has no values":                  Plot(one).Y("a").Right("b"),
		"each axis must have one series":               Plot(one).Y("a").Line(two).Line([]float64{4, 5}).Right("b"),
		"bars or an area, got histogram":               Hist(one).Right("b"),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one that says %q", err, want)
		}
	}
}

// Each of two axes has its ticks and its title in the color of its series, and draws values by its
// own scale.
func TestSecondAxis(t *testing.T) {
	c := Plot([]float64{0, 1, 2}, []float64{0, 5, 10}).Y("left").Line([]float64{0, 1, 2}, []float64{100, 300, 200}).Right("right")
	p, err := newPanel(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.measure(); err != nil {
		t.Fatal(err)
	}
	if p.y.lo > 0 || p.y.hi > 20 || p.second.y.lo < 50 || p.second.y.hi < 300 {
		t.Errorf("the axes go from %g to %g and from %g to %g", p.y.lo, p.y.hi, p.second.y.lo, p.second.y.hi)
	}
	if p.x.lo != p.second.x.lo || p.x.hi != p.second.x.hi {
		t.Error("the x axes differ")
	}
	if p.ink() == p.second.ink() {
		t.Error("both axes have one color")
	}
	spec, err := c.VegaLite()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(spec["resolve"]); !strings.Contains(got, "y:independent") || len(spec["layer"].([]any)) != 2 {
		t.Errorf("the interactive form has the scales %s", got)
	}
}

// berlin returns the rain and the temperature in each month.
func berlin() *Chart {
	month := []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	rain := []float64{42, 33, 41, 37, 54, 69, 56, 58, 45, 37, 44, 55}
	warm := []float64{0.6, 1.8, 5, 9.6, 14.4, 17.5, 19.6, 19.1, 14.8, 9.9, 5, 1.9}
	return Bar(month, rain).Y("rain (mm)").Line(month, warm).Right("temperature (°C)").Title("Berlin")
}

func TestSecondAxisPicture(t *testing.T) { figuretest.Check(t, "second-axis", berlin()) }

// TestSlopesWriteWholeNames: names and values at the ends of slopes are complete, however many
// moments are between them and however narrow the panel is.
func TestSlopesWriteWholeNames(t *testing.T) {
	var year []int
	var land, half []string
	var rate []float64
	for k := range 4 {
		for j, name := range []string{"Norway", "Switzerland", "Kenya"} {
			for _, h := range []string{"first", "second"} {
				year, land, half, rate = append(year, 2000+5*k), append(land, name), append(half, h), append(rate, 1284.0275+float64(700*j+31*k*j))
			}
		}
	}
	f := columns{"year": year, "land": land, "half": half, "rate": rate}
	slopes := func() *Chart { return Slope(f, "year", "rate").By("land") }
	for name, d := range map[string]display.Displayer{"alone": slopes(), "facets": slopes().Facet("half"), "grid": Grid(slopes(), slopes())} {
		cliptest.Check(t, name, d)
		got := textsOf(t, d)
		want := []string{"Norway  1284", "Switzerland  2077"}
		if name != "alone" { // names are at the last moment, above their values
			want = []string{"1284", "Switzerland", "2077"}
		}
		for _, s := range want {
			if !slices.Contains(got, s) {
				t.Errorf("%s: %q is missing in %q", name, s, got)
			}
		}
		if all := strings.Join(got, "\n"); strings.Contains(all, "…") {
			t.Errorf("%s: a name is cut in\n%s", name, all)
		}
	}
}
