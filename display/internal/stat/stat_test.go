package stat

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

type fitted struct{ Mean, Lo, Hi []float64 }

type probability struct{ Quantiles, Line []float64 }

// oracle contains results of SciPy and statsmodels; testdata/oracle.py writes it.
type oracle struct {
	X, Y, Tied, At                                []float64
	Scott, Silverman                              []float64
	PlaneScott, PlaneSilverman                    []float64
	Linear, Cubic                                 fitted
	Lowess, LowessNarrow, LowessDelta, LowessTied []float64
	Normal, Logistic                              probability
	Beta                                          [][]float64
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	b, err := os.ReadFile("testdata/oracle.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*(1+math.Abs(want[i]))) {
			t.Errorf("%s: value %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func TestKDEAgainstScipy(t *testing.T) {
	o := readOracle(t)
	n, sd := len(o.X), Deviation(o.X)
	near(t, "Scott", NewKDE(o.X, Scott(n, 1)*sd).At(o.At), o.Scott, 1e-12)
	near(t, "Silverman", NewKDE(o.X, Silverman(n, 1)*sd).At(o.At), o.Silverman, 1e-12)
	for _, tt := range []struct {
		rule string
		by   func(n, d int) float64
		want []float64
	}{{"Scott", Scott, o.PlaneScott}, {"Silverman", Silverman, o.PlaneSilverman}} {
		p := Plane{X0: -3, X1: 6, Y0: -2, Y1: 3, NX: 10, NY: 8}
		if err := p.Fill(o.X, o.Y, tt.by(n, 2)); err != nil {
			t.Fatal(err)
		}
		near(t, "in the plane, "+tt.rule, p.Z, tt.want, 1e-10)
	}
}

// TestKDEOfManyPoints compares the density of merged points with the density of all points.
func TestKDEOfManyPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 20000)
	for i := range v {
		v[i] = r.ExpFloat64()
	}
	sort.Float64s(v)
	h := Scott(len(v), 1) * Deviation(v)
	k := NewKDE(v, h)
	if len(k.at) > len(v)/4 {
		t.Errorf("%d of %d points are left", len(k.at), len(v))
	}
	at := []float64{-0.1, 0, 0.1, 0.5, 1, 3, 8}
	want := make([]float64, len(at))
	for i, x := range at {
		for _, p := range v {
			want[i] += math.Exp(-0.5*(x-p)*(x-p)/h/h) / (h * math.Sqrt(2*math.Pi) * float64(len(v)))
		}
	}
	near(t, "joined", k.At(at), want, 2e-5) // fine²/24 of a curvature of at most f/h²
}

// TestLevelsEncloseTheirShare compares with the circles of a Gaussian.
func TestLevelsEncloseTheirShare(t *testing.T) {
	p := Plane{X0: -6, X1: 6, Y0: -6, Y1: 6, NX: 401, NY: 401, Z: make([]float64, 401*401)}
	for j := range 401 {
		for i := range 401 {
			x, y := p.X0+0.03*float64(i), p.Y0+0.03*float64(j)
			p.Z[j*401+i] = math.Exp(-(x*x+y*y)/2) / (2 * math.Pi)
		}
	}
	shares := []float64{0.95, 0.5, 0.1}
	for i, level := range p.Levels(shares...) {
		// The probability outside of a radius r is exp(-r²/2), and the density there is that
		// divided by 2π.
		if want := (1 - shares[i]) / (2 * math.Pi); math.Abs(level-want) > 2e-3*want+2e-4 {
			t.Errorf("the level of %g is %g, want %g", shares[i], level, want)
		}
	}
	if err := p.Fill([]float64{1, 2, 3}, []float64{2, 4, 6}, 1); err != ErrLine {
		t.Errorf("points of a line: %v", err)
	}
}

func TestPolynomialAgainstStatsmodels(t *testing.T) {
	o := readOracle(t)
	for _, tt := range []struct {
		degree int
		want   fitted
	}{{1, o.Linear}, {3, o.Cubic}} {
		p := FitPolynomial(o.X, o.Y, tt.degree)
		var mean, lo, hi []float64
		for _, x := range o.At {
			y, half := p.At(x)
			mean, lo, hi = append(mean, y), append(lo, y-half), append(hi, y+half)
		}
		near(t, "mean", mean, tt.want.Mean, 1e-9)
		near(t, "lower end", lo, tt.want.Lo, 1e-8)
		near(t, "upper end", hi, tt.want.Hi, 1e-8)
	}
	if y, half := FitPolynomial([]float64{0, 1, 2}, []float64{0, 1, 4}, 2).At(3); math.Abs(y-9) > 1e-12 || !math.IsNaN(half) {
		t.Errorf("a parabola through three points is %v ± %v at 3", y, half)
	}
}

func TestLowessAgainstStatsmodels(t *testing.T) {
	o := readOracle(t)
	near(t, "lowess", Lowess(o.X, o.Y, 2.0/3, 3, 0).Fitted, o.Lowess, 1e-9)
	near(t, "narrow", Lowess(o.X, o.Y, 0.3, 0, 0).Fitted, o.LowessNarrow, 1e-9)
	near(t, "delta", Lowess(o.X, o.Y, 0.4, 2, 0.5).Fitted, o.LowessDelta, 1e-9)
	near(t, "ties", Lowess(o.Tied, o.Y, 0.5, 1, 0).Fitted, o.LowessTied, 1e-9)
}

// TestLowessBandCovers draws samples around a known curve. The bands must contain the curve at
// about the promised fraction of positions. A curve with so little smoothing has almost no bias.
func TestLowessBandCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	at := []float64{-0.5, 0, 0.5, 1, 1.5}
	inside, all := 0, 0
	for range 300 {
		x, y := make([]float64, 150), make([]float64, 150)
		for i := range x {
			x[i] = -1 + 3*float64(i)/149
			y[i] = math.Sin(x[i]) + 0.5*r.NormFloat64()
		}
		value, half := Lowess(x, y, 0.3, 3, 0).On(at)
		for i, v := range at {
			all++
			if math.Abs(value[i]-math.Sin(v)) <= half[i] {
				inside++
			}
		}
	}
	if share := float64(inside) / float64(all); share < 0.91 || share > 0.98 {
		t.Errorf("the bands hold the curve at %.3f of the places, want 0.95", share)
	}
}

func TestQuantilesAgainstScipy(t *testing.T) {
	o := readOracle(t)
	n := len(o.X)
	for _, tt := range []struct {
		name     string
		quantile func(p float64) float64
		want     probability
	}{
		{"normal", distuv.UnitNormal.Quantile, o.Normal},
		{"logistic", func(p float64) float64 { return math.Log(p / (1 - p)) }, o.Logistic},
	} {
		q := Positions(n)
		for i, p := range q {
			q[i] = tt.quantile(p)
		}
		near(t, tt.name, q, tt.want.Quantiles, 1e-9)
		slope, intercept, r := Line(q, o.X)
		near(t, tt.name+" line", []float64{slope, intercept, r}, tt.want.Line, 1e-9)
	}
	for i, want := range o.Beta {
		lo, hi := Range(i, len(o.Beta))
		near(t, "order statistic", []float64{lo, hi}, want, 1e-9)
	}
}

func BenchmarkPlane(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, 10000), make([]float64, 10000)
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	for b.Loop() {
		p := Plane{X0: -5, X1: 5, Y0: -5, Y1: 5, NX: 128, NY: 128}
		if err := p.Fill(x, y, Scott(len(x), 2)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKDE(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	x := make([]float64, 1000000)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	at := make([]float64, 256)
	for i := range at {
		at[i] = -5 + 10*float64(i)/255
	}
	for b.Loop() {
		v := slices.Clone(x)
		sort.Float64s(v)
		NewKDE(v, Scott(len(v), 1)).At(at)
	}
}

// TestSort compares the order of many and few values with the order that the standard library
// finds.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	kinds := map[string]func(i int) float64{
		"normal": func(int) float64 { return r.NormFloat64() }, "few": func(int) float64 { return float64(r.IntN(5) - 2) },
		"wide": func(int) float64 { return math.Exp(300*r.NormFloat64()) * float64(1-2*r.IntN(2)) }, "one": func(int) float64 { return 3 },
		"descending": func(i int) float64 { return -float64(i) }, "infinite": func(i int) float64 { return math.Inf(i%2*2 - 1) },
	}
	for name, value := range kinds {
		for _, n := range []int{0, 1, 2, 100, manySorted, 50000} {
			var v []float64
			for i := range n {
				v = append(v, value(i))
			}
			want := slices.Sorted(slices.Values(v))
			if Sort(v); !slices.Equal(v, want) {
				t.Errorf("%d %s values are not in order", n, name)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	x := make([]float64, 100000)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	v := make([]float64, len(x))
	for b.Loop() {
		copy(v, x)
		Sort(v)
	}
}
