package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// The theme sets the colors of background and text. Figures have a light background on dark pages
// too, unless the theme is dark, so that they look the same in a notebook, in print and on the
// web.

// Paper returns the background color of figures.
func Paper() Color { return current().paper }

// Ink returns the color of text.
func Ink() Color { return current().ink }

// Soft returns the color of tick labels and notes.
func Soft() Color { return current().soft }

// Frame returns the color of axes.
func Frame() Color { return current().frame }

// Faint returns the color of grid lines.
func Faint() Color { return current().faint }

// Shade returns the background color of boxes.
func Shade() Color { return current().shade }

// Accent returns the highlight color, for the parts of a figure that a reader should see first.
func Accent() Color { return current().accent }

// inks are the colors of a theme.
type inks struct{ paper, ink, soft, frame, faint, shade, accent Color }

var (
	lightInks = inks{
		paper: rgb(0xffffff), ink: rgb(0x262626), soft: rgb(0x555555),
		frame: rgb(0x8c8c8c), faint: rgb(0xe6e6e6), shade: rgb(0xf5f6f8), accent: rgb(0xcc3311),
	}
	darkInks = inks{
		paper: rgb(0x14181b), ink: rgb(0xe8ebed), soft: rgb(0xa3adb5),
		frame: rgb(0x727d86), faint: rgb(0x2b3238), shade: rgb(0x1e2429), accent: rgb(0xff7a5c),
	}
)

// current returns the colors of the current theme.
func current() *inks {
	if display.CurrentTheme().Dark {
		return &darkInks
	}
	return &lightInks
}

func rgb(v uint32) Color {
	return Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// Opacity returns c with opacity a in [0, 1].
func Opacity(c Color, a float64) Color {
	c.A = uint8(math.Round(255 * math.Max(0, math.Min(1, a))))
	return c
}

// Mix interpolates between two colors: t = 0 is a, and t = 1 is b.
func Mix(a, b Color, t float64) Color {
	m := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return Color{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: m(a.A, b.A)}
}

// On returns a text color that is readable on the background c.
func On(c Color) Color {
	// The luminance of WCAG 2 without its gamma is sufficient to choose between two colors.
	light, dark := Paper(), Ink()
	if Luminance(light) < Luminance(dark) {
		light, dark = dark, light
	}
	if 0.2126*float64(c.R)+0.7152*float64(c.G)+0.0722*float64(c.B) < 140 {
		return light
	}
	return dark
}

// Scheme is a continuous range of colors.
type Scheme struct {
	Name  string
	Low   float64 // position in [0, 1) where the colors start, so that the lowest ones stand out from the background
	stops []Color
}

// The color schemes for quantities, named from the low end to the high end. Viridis (S. van der
// Walt and N. Smith, 2015) and BlueRed, Paul Tol's "BuRd", keep their order for any color vision.
// BlueRed is for values around zero, such as correlations: cold colors for low values, warm
// colors for high values, as in matplotlib's coolwarm and RdBu_r. RedBlue is for gains and
// losses, where red is a loss.
var (
	Viridis = Scheme{"viridis", 0, hexStops("440154 482475 414487 355f8d 2a788e 21918c 22a884 44bf70 7ad151 bddf26 fde725")}
	BlueRed = Scheme{"bluered", 0, hexStops("2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b")}
	RedBlue = Scheme{"redblue", 0, hexStops("b2182b d6604d f4a582 fddbc7 f7f7f7 d1e5f0 92c5de 4393c3 2166ac")}
	Blues   = Scheme{"blues", 0, hexStops("f7fbff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b")}
	Grays   = Scheme{"greys", 0, hexStops("ffffff f0f0f0 d9d9d9 bdbdbd 969696 737373 525252 252525 000000")}
)

// SchemeNamed returns the scheme with the given name. The error lists the names.
func SchemeNamed(name string) (Scheme, error) {
	schemes := []Scheme{Viridis, BlueRed, RedBlue, Blues, Grays}
	var names []string
	for _, s := range schemes {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Scheme{}, fmt.Errorf("%q is not one of %s", name, strings.Join(names, ", "))
}

// Diverges reports whether the middle of the scheme represents zero.
func (s Scheme) Diverges() bool { return s.Name == BlueRed.Name || s.Name == RedBlue.Name }

func hexStops(s string) []Color {
	var out []Color
	for _, f := range strings.Fields(s) {
		v, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			panic("figure: bad color " + f)
		}
		out = append(out, rgb(uint32(v)))
	}
	return out
}

// At returns the color at t in [0, 1]; for NaN, it returns the zero color.
func (s Scheme) At(t float64) Color {
	if math.IsNaN(t) {
		return Color{}
	}
	t = (s.Low + (1-s.Low)*math.Max(0, math.Min(1, t))) * float64(len(s.stops)-1)
	i := min(int(t), len(s.stops)-2)
	return Mix(s.stops[i], s.stops[i+1], t-float64(i))
}

// ParseColor parses a color name (blue, red, green, yellow, cyan, purple, gray, black, white,
// orange) or #rrggbb. The names are colors of the palette.
func ParseColor(s string) (Color, error) {
	switch strings.ToLower(s) {
	case "blue":
		return palette[0], nil
	case "red":
		return palette[1], nil
	case "green":
		return palette[2], nil
	case "yellow":
		return palette[3], nil
	case "cyan":
		return palette[4], nil
	case "purple":
		return palette[5], nil
	case "gray", "grey":
		return palette[6], nil
	case "orange":
		return palette[7], nil
	case "black":
		return Ink(), nil
	case "white":
		return Paper(), nil
	}
	if len(s) == 7 && s[0] == '#' {
		if v, err := strconv.ParseUint(s[1:], 16, 32); err == nil {
			return rgb(uint32(v)), nil
		}
	}
	return Color{}, fmt.Errorf("a color must be #rrggbb or one of blue, red, green, yellow, cyan, purple, orange, gray, black, white, got %q", s)
}

// Hex formats a color as #rrggbb.
func Hex(c Color) string { return hex(c) }
