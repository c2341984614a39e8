package figure

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"
	"testing"
)

// noisy returns an image with n different colors, whose opacity is at least least.
func noisy(n int, least uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 37, 29))
	for i := range 37 * 29 {
		k := i % n
		a := max(least, uint8(k))
		img.SetNRGBA(i%37, i/37, color.NRGBA{R: uint8(k), G: uint8(k >> 8 * 50), B: uint8(k * 7), A: a})
	}
	return img
}

func TestEncodePNG(t *testing.T) {
	tests := []struct {
		name      string
		img       *image.NRGBA
		opaque    bool
		tolerance int // of a channel; rounding to a palette may take 2
	}{
		{"palette", noisy(200, 255), true, 0},
		{"transparent palette", noisy(200, 0), false, 0},
		{"transparent", noisy(900, 0), false, 0},
		{"rounded", noisy(900, 255), true, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := encodePNG(tt.img.Pix, tt.img.Stride, 37, 29, tt.opaque)
			got, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if got.Bounds() != tt.img.Bounds() {
				t.Fatalf("bounds %v, want %v", got.Bounds(), tt.img.Bounds())
			}
			for y := range 29 {
				for x := range 37 {
					a, b := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), tt.img.NRGBAAt(x, y)
					for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
						if d > tt.tolerance || -d > tt.tolerance {
							t.Fatalf("pixel (%d, %d) is %v, want %v", x, y, a, b)
						}
					}
				}
			}
		})
	}
}

func TestMarkersCoverTheirArea(t *testing.T) {
	// The coverage adds up to the area, whatever the offset from the pixel grid is.
	for shape := range shapes {
		corners := shape.outline(0, 0, 10)
		want := 0.0
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			want += (a.X*b.Y - a.Y*b.X) / 2
		}
		want = math.Abs(want)
		if shape == Circle {
			want = math.Pi * 100
		}
		for _, at := range []float64{0, 0.25, 0.5, 0.75} {
			st, _, _ := stamps{}.at(shape, 40+at, 40+at, 10, 0)
			sum := 0.0
			for _, c := range st.fill {
				sum += float64(c) / 255
			}
			// Each corner of a shape loses less than a pixel.
			if math.Abs(sum-want) > 0.02*want {
				t.Errorf("shape %d covers %.1f pixels, want %.1f", shape, sum, want)
			}
		}
	}
}

func TestFitAndWrap(t *testing.T) {
	f := Font{Size: 12}
	for _, s := range []string{"", "word", "a longer text of several words", "Donaudampfschifffahrtsgesellschaft", "x₁² + x₂²"} {
		for _, w := range []float64{0, 20, 60, 1000} {
			if short := f.Fit(s, w); f.Width(short) > w && short != "…" && short != "" {
				t.Errorf("Fit(%q, %g) = %q is %.1f wide", s, w, short, f.Width(short))
			}
			lines := f.Wrap(s, w, 2)
			if len(lines) > 2 {
				t.Errorf("Wrap(%q, %g) has %d lines", s, w, len(lines))
			}
		}
	}
	if got := strings.Join(f.Wrap("a bb ccc", 1000, 3), "|"); got != "a bb ccc" {
		t.Errorf("Wrap broke a line that fits: %s", got)
	}
}

func TestSizesOutOfBounds(t *testing.T) {
	for _, size := range [][2]float64{{0, 100}, {100, 1e6}, {math.NaN(), 100}, {-1, -1}} {
		if _, err := New(size[0], size[1]).Display(); err == nil {
			t.Errorf("a figure of %v was drawn", size)
		}
	}
}

func TestWhatIsNotFiniteIsNotDrawn(t *testing.T) {
	f := New(100, 100)
	nan, inf := math.NaN(), math.Inf(1)
	s := Style{Fill: Ink(), Stroke: Ink()}
	f.Rect(nan, 0, 1, 1, 0, s)
	f.Marker(0, inf, 1, Circle, s)
	f.Polyline([]Point{{0, 0}, {nan, 1}, {2, 2}}, s)
	f.Polygon([]Point{{0, 0}, {inf, 1}, {2, 2}}, s)
	f.Curve(Point{nan, 0}, Point{}, Point{}, Point{}, s)
	f.Label(nan, 0, "x", TextStyle{Font: Font{Size: 10}})
	if len(f.ops) != 0 {
		t.Errorf("%d things were drawn", len(f.ops))
	}
}

func TestTextIsOneLineOfXML(t *testing.T) {
	f := New(100, 100)
	f.Label(0, 50, "a\nb\x00\xff<&>\"'", TextStyle{Font: Font{Size: 10}, Color: Ink()})
	if svg := f.SVG(); !strings.Contains(svg, ">a b\ufffd\ufffd&lt;&amp;&gt;&quot;&#39;</text>") {
		t.Errorf("the text is not escaped:\n%s", svg)
	}
}

func TestClassColorsDiffer(t *testing.T) {
	seen := map[Color]int{}
	for i := range 100 {
		if k, ok := seen[Class(i)]; ok {
			t.Errorf("classes %d and %d have one color", k, i)
		}
		seen[Class(i)] = i
	}
}

func TestParseColor(t *testing.T) {
	if c, err := ParseColor("#5071de"); err != nil || c != Class(0) {
		t.Errorf("#5071de is %v, %v", c, err)
	}
	for _, bad := range []string{"", "#12", "#12345g", "mauve"} {
		if _, err := ParseColor(bad); err == nil {
			t.Errorf("ParseColor(%q) returned no error", bad)
		}
	}
}

// TestWidthsInSVG: a text has the width that the layout gave it, whatever font the viewer has.
func TestWidthsInSVG(t *testing.T) {
	style := TextStyle{Font: Font{Size: 10}, Color: Ink()}
	for text, fitted := range map[string]bool{"accuracy": true, "0.25": false, "⟨Sunny, Warm, ?⟩": true, "花の種類の長さ": false} {
		f := New(200, 100)
		f.Label(10, 20, text, style)
		svg := f.SVG()
		want := ` textLength="` + strconv.FormatFloat(math.Round(100*style.Width(text))/100, 'f', -1, 64) + `" lengthAdjust="spacingAndGlyphs">`
		if strings.Contains(svg, want) != fitted {
			t.Errorf("%q is in the SVG %s; %q must be there: %v", text, svg, want, fitted)
		}
	}
}
