package polar

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// wind returns directions with strong west winds in winter.
func wind() (direction []float64, season []string) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		if i%2 == 0 {
			direction, season = append(direction, 260+35*r.NormFloat64()), append(season, "winter")
		} else {
			direction, season = append(direction, 120+80*r.NormFloat64()), append(season, "summer")
		}
	}
	return direction, season
}

var gallery = []struct {
	name string
	make func() display.Displayer
}{
	{"line", func() display.Displayer {
		return Func(func(t float64) float64 { return math.Cos(2 * t) }, 0, 2*math.Pi).Title("A rose with four petals: r = cos 2θ")
	}},
	{"scatter", func() display.Displayer {
		r := rand.New(rand.NewPCG(3, 4))
		var theta, d []float64
		var name []string
		for i := range 120 {
			theta = append(theta, float64(i%3)*2+0.4*r.NormFloat64())
			d = append(d, 3+float64(i%3)+0.7*r.NormFloat64())
			name = append(name, []string{"a", "b", "c"}[i%3])
		}
		return Scatter(theta, d, name).R("distance (m)")
	}},
	{"rose", func() display.Displayer {
		direction, season := wind()
		return Rose(direction).By(season).Title("Where the wind comes from")
	}},
	{"rose-months", func() display.Displayer {
		return Rose([]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
			[]float64{42, 36, 41, 39, 54, 69, 56, 58, 45, 37, 44, 55}).R("rain (mm)").Title("Rain in Berlin")
	}},
	{"radar", func() display.Displayer {
		var theta []float64
		for k := range 6 {
			theta = append(theta, float64(k)*math.Pi/3)
		}
		return Plot(theta, []float64{4, 3, 5, 2, 4, 3}).Name("first").Fill().Line(theta, []float64{2, 4, 3, 4, 2, 5}).Name("second").Fill()
	}},
	{"missing", func() display.Displayer { return Scatter([]float64{1, math.NaN(), 2}, []float64{1, 2, 3}) }},
}

func TestGallery(t *testing.T) {
	for _, g := range gallery {
		figuretest.Check(t, g.name, g.make())
	}
}

// A point is at x = r cos θ to the right and y = r sin θ upwards, and (θ, -r) is (θ+π, r).
func TestCoordinates(t *testing.T) {
	d := disc{x: 100, y: 200, radius: 50, far: 2}
	for _, tt := range []struct{ theta, r, x, y float64 }{
		{0, 2, 150, 200}, {math.Pi / 2, 2, 100, 150}, {math.Pi, 1, 75, 200}, {-math.Pi / 2, 1, 100, 225},
		{0, -2, 50, 200}, {math.Pi / 4, 2, 100 + 50/math.Sqrt2, 200 - 50/math.Sqrt2},
	} {
		if p := d.at(tt.theta, tt.r); math.Abs(p.X-tt.x)+math.Abs(p.Y-tt.y) > 1e-9 {
			t.Errorf("(%g, %g) is at %v, want %g, %g", tt.theta, tt.r, p, tt.x, tt.y)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		theta, v := 10*r.NormFloat64(), r.NormFloat64()
		p, q := d.at(theta, -v), d.at(theta+math.Pi, v)
		if math.Hypot(p.X-q.X, p.Y-q.Y) > 1e-9 {
			t.Fatalf("(%g, %g) is at %v, and its opposite point is at %v", theta, -v, p, q)
		}
	}
}

// area computes the area of a polygon with the shoelace formula.
func area(p []figure.Point) float64 {
	s := 0.0
	for i, a := range p {
		b := p[(i+1)%len(p)]
		s += a.X*b.Y - a.Y*b.X
	}
	return math.Abs(s) / 2
}

// The areas of petals are proportional to the amounts, wherever the petals start.
func TestPetalsAreProportional(t *testing.T) {
	d := disc{x: 100, y: 100, radius: 80, far: 10, root: true, sectors: 12}
	unit := area(d.petal(0, 0, 1))
	for _, tt := range [][2]float64{{0, 4}, {2, 3}, {3, 9.5}, {9, 10}} {
		if got := area(d.petal(5, tt[0], tt[1])) / unit; math.Abs(got-(tt[1]-tt[0])) > 1e-9 {
			t.Errorf("the petal from %g to %g has %g times the area of that from 0 to 1", tt[0], tt[1], got)
		}
	}
}

func TestSectors(t *testing.T) {
	for degrees, want := range map[float64]string{0: "N", 11.2: "N", 11.3: "NNE", 90: "E", 180: "S", 270: "W", 348.7: "NNW", 348.8: "N", 360: "N", -90: "W", 720 + 45: "NE"} {
		if got := winds[int(sector(degrees, 16))]; got != want {
			t.Errorf("%g degrees are %s, want %s", degrees, got, want)
		}
	}
	direction, season := wind()
	c := Rose(direction).By(season)
	petals, left := c.marks[0].petals(16)
	sum := 0.0
	for _, p := range petals {
		for _, v := range p {
			sum += v
		}
	}
	if sum != 600 || left != 0 || len(petals) != 2 {
		t.Errorf("%d classes have %g rows, want 2 and 600", len(petals), sum)
	}
}

func TestRefuses(t *testing.T) {
	one := []float64{1}
	for want, c := range map[string]*Chart{
		"pass angles in radians and distances, got 1": Plot(one),
		"there are 1 angles and 2 distances":          Scatter(one, []float64{1, 2}),
		"there is nothing to draw":                    New(),
		"amount 1 is −2":                              Rose([]string{"a", "b"}, []float64{1, -2}),
		"the angles must be numbers":                  Plot([]string{"a"}, one),
		"a line has no continuous colors":             Plot(one, one).By([]float64{1.5}),
		"a rose and lines or points measure angles":   Rose(one).Points(one, one),
		"from must be below to":                       Func(math.Cos, 1, 0),
		"there are 2 labels for 1 points":             Scatter(one, one).By([]string{"a", "b"}),
		"polar.Fill: a mark of the kind":              Scatter(one, one).Fill(),
		"the names must be strings or whole numbers":  Rose([]float64{1.5, 2.5}, []float64{1, 2}),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

// TestEmptyCirclesSaySo draws charts without values.
func TestEmptyCirclesSaySo(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]*Chart{
		"line": Plot([]float64{}, []float64{}), "rose": Rose([]string{}, []float64{}), "missing": Scatter([]float64{nan}, []float64{1}),
	} {
		f, err := c.Figure()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(f.SVG(), "there are no values to draw") || !strings.Contains(f.Text, "there are no values to draw") || strings.Contains(f.Text, "Inf") {
			t.Errorf("%s: the figure does not say that it is empty: %s", name, f.Text)
		}
	}
}
