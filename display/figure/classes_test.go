package figure

import (
	"math"
	"testing"
)

// The backgrounds of gokernel's pages and of JupyterLab in dark mode.
var darkPages = []Color{rgb(0x14181b), rgb(0x111111)}

func TestClassContrast(t *testing.T) {
	for i := -1; i < 60; i++ {
		c := Class(i)
		for _, page := range append(darkPages, Paper()) {
			if r := Contrast(c, page); r < 3 {
				t.Errorf("class %d, %s: contrast %.2f on %s", i, Hex(c), r, Hex(page))
			}
		}
	}
	// Known values: black on white, and the lightest gray that is allowed for text.
	if r := Contrast(rgb(0), Paper()); r != 21 {
		t.Errorf("black on white is %g", r)
	}
	if r := Contrast(rgb(0x767676), Paper()); math.Abs(r-4.54) > 0.005 {
		t.Errorf("#767676 on white is %g", r)
	}
}

// The matrices for linear RGB at severity 1 in table 1 of Machado, Oliveira and Fernandes (2009).
var visions = map[string][3][3]float64{
	"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen returns the CIELAB coordinates (D65) of a color for a kind of vision.
func seen(c Color, m [3][3]float64) [3]float64 {
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var rgb [3]float64
	for i := range 3 {
		for j := range 3 {
			rgb[i] += m[i][j] * in[j]
		}
		rgb[i] = math.Max(0, math.Min(1, rgb[i]))
	}
	xyz := [3]float64{
		0.4124564*rgb[0] + 0.3575761*rgb[1] + 0.1804375*rgb[2],
		0.2126729*rgb[0] + 0.7151522*rgb[1] + 0.0721750*rgb[2],
		0.0193339*rgb[0] + 0.1191920*rgb[1] + 0.9503041*rgb[2],
	}
	var f [3]float64
	for i, white := range [3]float64{0.95047, 1, 1.08883} {
		v := xyz[i] / white
		if v > 216.0/24389 {
			f[i] = math.Cbrt(v)
		} else {
			f[i] = (24389.0/27*v + 16) / 116
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// difference computes CIEDE2000 as in Sharma, Wu and Dalal, "The CIEDE2000 color-difference
// formula: implementation notes" (2005).
func difference(p, q [3]float64) float64 {
	deg := math.Pi / 180
	pow7 := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 0.5 * (1 - pow7((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2))
	a1, a2 := p[1]*(1+g), q[1]*(1+g)
	c1, c2 := math.Hypot(a1, p[2]), math.Hypot(a2, q[2])
	hue := func(b, a float64) float64 { return math.Mod(math.Atan2(b, a)/deg+360, 360) }
	h1, h2 := hue(p[2], a1), hue(q[2], a2)
	dh, mean := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, mean = 0, h1+h2
	case math.Abs(dh) > 180:
		dh -= math.Copysign(360, dh)
		if mean < 180 {
			mean += 180
		} else {
			mean -= 180
		}
	}
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh*deg/2)
	t := 1 - 0.17*math.Cos((mean-30)*deg) + 0.24*math.Cos(2*mean*deg) + 0.32*math.Cos((3*mean+6)*deg) - 0.2*math.Cos((4*mean-63)*deg)
	sl := 1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	dL, dC := (q[0]-p[0])/sl, (c2-c1)/(1+0.045*c)
	dH /= 1 + 0.015*c*t
	turn := -math.Sin(60*math.Exp(-(mean-275)*(mean-275)/625)*deg) * 2 * pow7(c)
	return math.Sqrt(dL*dL + dC*dC + dH*dH + turn*dC*dH)
}

func TestDifference(t *testing.T) {
	// Pairs 1, 4, 7, 9 and 17 of table 1 of Sharma, Wu and Dalal.
	for _, c := range []struct {
		p, q [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, -1.3802, -84.2814}, [3]float64{50, 0, -82.7485}, 1.0000},
		{[3]float64{50, 0, 0}, [3]float64{50, -1, 2}, 2.3669},
		{[3]float64{50, 2.49, -0.001}, [3]float64{50, -2.49, 0.0009}, 7.1792},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
	} {
		if got := difference(c.p, c.q); math.Abs(got-c.want) > 5e-5 {
			t.Errorf("%v and %v differ by %.4f, want %.4f", c.p, c.q, got, c.want)
		}
	}
}

func TestClassesDiffer(t *testing.T) {
	// The minimum differences among the first 8 and the first 12 colors. For comparison, Paul
	// Tol's scheme "bright" with one color of "muted" has 20.3, 5.9, 13.2 and 8.6 among 8.
	least := map[string][2]float64{"usual": {21.5, 11.5}, "protanopia": {13, 7}, "deuteranopia": {13, 7}, "tritanopia": {13, 7}}
	for vision, m := range visions {
		for k, n := range []int{8, 12} {
			min, a, b := math.Inf(1), 0, 0
			for i := range n {
				for j := range i {
					if d := difference(seen(Class(i), m), seen(Class(j), m)); d < min {
						min, a, b = d, j, i
					}
				}
			}
			if min < least[vision][k] {
				t.Errorf("%s: classes %d and %d of %d differ by %.1f, less than %g", vision, a, b, n, min, least[vision][k])
			}
		}
	}
}

// TestSchemesAroundZero checks that bluered starts with blue at low values and ends with red,
// that redblue is its reverse, and that both have the same color at zero.
func TestSchemesAroundZero(t *testing.T) {
	warm, err := SchemeNamed("bluered")
	if err != nil {
		t.Fatal(err)
	}
	cold, err := SchemeNamed("redblue")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0, 0.2, 0.5, 0.9, 1} {
		if warm.At(at) != cold.At(1-at) {
			t.Errorf("at %g the schemes have the colors %v and %v", at, warm.At(at), cold.At(1-at))
		}
	}
	if lo, hi := warm.At(0), warm.At(1); lo.B < lo.R || hi.R < hi.B || !warm.Diverges() || Viridis.Diverges() {
		t.Errorf("bluered goes from %v to %v", lo, hi)
	}
	if _, err := SchemeNamed("coolwarm"); err == nil || err.Error() != `"coolwarm" is not one of viridis, bluered, redblue, blues, greys` {
		t.Errorf("an unknown scheme: %v", err)
	}
}
