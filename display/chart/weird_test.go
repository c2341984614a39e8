package chart

import (
	"bytes"
	"encoding/json"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// TestWeirdDataNeverBreaksABundle draws charts of random marks over values that
// break naive code: an error is fine, a panic or a broken document is not.
func TestWeirdDataNeverBreaksABundle(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 1))
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 5e-324, 1e-300, 1e15, 1e15 + 1, 123456789, 0.1, 1e-9}
	values := func(n int) []float64 {
		v := make([]float64, n)
		scale := math.Pow(10, float64(r.IntN(40)-20))
		for i := range v {
			v[i] = scale * r.NormFloat64()
			if r.IntN(4) == 0 {
				v[i] = special[r.IntN(len(special))]
			}
		}
		return v
	}
	names := func(n int) []string {
		v := make([]string, n)
		for i := range v {
			v[i] = []string{"a", "", "<b>&\"'</b>", strings.Repeat("long ", 40), "日本語", "\x00\xff", "a\nb"}[r.IntN(7)]
		}
		return v
	}
	field := func() Field {
		nx, ny := 1+r.IntN(60), 1+r.IntN(60)
		return Field{NX: nx, NY: ny, X0: -1, X1: 1 + r.Float64(), Y0: 0, Y1: math.Pow(10, float64(r.IntN(6)-3)), Z: values(nx * ny)}
	}
	drawn := 0
	for range 250 {
		c := New()
		for range 1 + r.IntN(3) {
			n := r.IntN(12)
			x, y := values(n), values(n)
			switch r.IntN(16) {
			case 0:
				c.Line(x, y)
			case 1:
				c.Points(x, y).By(names(n))
			case 2:
				c.Points(x, y).ByValue(values(n))
			case 3:
				c.Step(y)
			case 4:
				c.Area(x, values(n), y)
			case 5:
				c.Bars(names(n), y).Aggregate("sum")
			case 6:
				c.Bars(x, y)
			case 7:
				c.Hist(x)
			case 8:
				c.Errors(x, y, values(n))
			case 9:
				c.Box([][]float64{x, y})
			case 10:
				c.Heat([][]float64{x, y})
			case 11:
				c.HeatField(field())
			case 12:
				c.Contour(field())
			case 13:
				c.Region(field(), nil).Names(names(3)...)
			case 14:
				c.Vectors(x, y, values(n), values(n))
			case 15:
				c.Label(x, y, names(n)).Polygon(x, y).HRule(y).VRule(x)
			}
			if m := c.last("Name"); m.kind.takes(m, "Name") && m.kind != contour {
				c.Name(names(1)[0])
			}
		}
		for _, option := range []func(){
			func() { c.LogX() }, func() { c.LogY() }, func() {
				if !c.x.log && !c.y.log {
					c.Equal()
				}
			}, func() { c.Horizontal() }, func() {
				if has(c, bars) {
					c.Stacked()
				}
			},
			func() { c.Title(names(1)[0]).X(names(1)[0]).Y(names(1)[0]) }, func() { c.Size(60+600*r.Float64(), 60+300*r.Float64()) },
			func() { c.NoAxes() }, func() {
				if has(c, hist) {
					c.Density()
				}
			},
		} {
			if r.IntN(5) == 0 {
				option()
			}
		}
		b, err := c.Interactive().Display()
		if err != nil {
			continue
		}
		drawn++
		if err := figuretest.CheckSVG(b.Data[display.MIMESVG].(string)); err != nil {
			t.Errorf("%+v: %v", kindsOf(c), err)
		}
		if _, err := png.Decode(bytes.NewReader(b.Data[display.MIMEPNG].([]byte))); err != nil {
			t.Errorf("%v: %v", kindsOf(c), err)
		}
		if err := figuretest.CheckPDF(b.Data[display.MIMEPDF].([]byte)); err != nil {
			t.Errorf("%v: %v", kindsOf(c), err)
		}
		if _, err := json.Marshal(b.Data[display.MIMEVegaLite]); err != nil {
			t.Errorf("%v: the specification cannot be encoded: %v", kindsOf(c), err)
		}
	}
	if drawn < 50 {
		t.Errorf("only %d of 250 charts were drawn: the test tests nothing", drawn)
	}
}

func has(c *Chart, k kind) bool {
	return slices.ContainsFunc(c.marks, func(m mark) bool { return m.kind == k })
}

// TestLargeDataMakeSmallPictures checks that charts of very many points and long lines stay small
// in a notebook.
func TestLargeDataMakeSmallPictures(t *testing.T) {
	const most = 512 << 10 // bytes of each representation
	r := rand.New(rand.NewPCG(3, 1))
	class := func(n, classes int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = r.IntN(classes)
		}
		return out
	}
	for _, n := range []int{manyPoints, 10_000, 200_000} {
		x, y := normal(r, n, 0, 1), normal(r, n, 0, 1)
		for name, c := range map[string]*Chart{
			"points":      Scatter(x, y),
			"classes":     Scatter(x, y, class(n, 3)),
			"many":        Scatter(x, y, class(n, 30)),
			"values":      Scatter(x, y, normal(r, n, 0, 1)),
			"line":        Plot(y),
			"interactive": Scatter(x, y, class(n, 3)).Interactive(),
		} {
			b, err := c.Display()
			if err != nil {
				t.Fatalf("%s of %d: %v", name, n, err)
			}
			sizes := map[string]int{
				display.MIMESVG: len(b.Data[display.MIMESVG].(string)),
				display.MIMEPNG: len(b.Data[display.MIMEPNG].([]byte)),
				display.MIMEPDF: len(b.Data[display.MIMEPDF].([]byte)),
			}
			if spec, ok := b.Data[display.MIMEVegaLite]; ok {
				data, err := json.Marshal(spec)
				if err != nil {
					t.Fatal(err)
				}
				sizes[display.MIMEVegaLite] = len(data)
			}
			for mime, size := range sizes {
				if size > most {
					t.Errorf("%s of %d: %s has %d bytes, at most %d are bearable", name, n, mime, size, most)
				}
			}
		}
	}
}

func kindsOf(c *Chart) (out []kind) {
	for _, m := range c.marks {
		out = append(out, m.kind)
	}
	return out
}
