package figure

import "math"

// palette holds the colors of classes. Each has a contrast of at least 3:1, which WCAG 2.2
// requires of graphics (criterion 1.4.11), on white paper and on dark pages, so that a color
// means the same class on both. The first eight were chosen by a search within the hues of their
// names. It maximized the minimum difference (CIEDE2000) between them for normal vision,
// protanopia, deuteranopia and tritanopia, as simulated by Machado, Oliveira and Fernandes ("A
// physiologically-based model for simulation of color vision deficiency", 2009). The other colors
// differ from these as much as possible. The tests check the numbers.
var palette = []Color{
	rgb(0x5071de), rgb(0xdf7485), rgb(0x4a7850), rgb(0xaa912e), rgb(0x02a3ba), rgb(0x88508d), rgb(0x656467), rgb(0xa54a05),
	rgb(0x9686f0), rgb(0xa17432), rgb(0xcf3777), rgb(0x1189b7),
}

// Class returns the color of the i-th class. After the palette, the hue advances by the golden
// angle from class to class, so that the colors of neighboring classes differ. The generated colors
// have three lightness levels, with the same contrast as the palette.
func Class(i int) Color {
	if i < 0 {
		return rgb(0x8f8f8f) // noise, unknown
	}
	if set := themePalette(); i < len(set) {
		return set[i]
	}
	if i < len(palette) {
		return palette[i]
	}
	return ofLuminance(math.Mod(float64(i)*137.50776405, 360), 0.55, [...]float64{0.2, 0.28, 0.14}[i%3])
}

// ofLuminance returns the color with the given hue in degrees, saturation and luminance. It
// searches by bisection.
func ofLuminance(hue, saturation, luminance float64) Color {
	lo, hi := 0.0, 1.0
	for range 12 {
		if mid := (lo + hi) / 2; Luminance(hsl(hue, saturation, mid)) < luminance {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hsl(hue, saturation, (lo+hi)/2)
}

func hsl(h, s, l float64) Color {
	c := (1 - math.Abs(2*l-1)) * s
	channel := func(n float64) uint8 {
		k := math.Mod(n+h/30, 12)
		v := l - c/2*math.Max(-1, math.Min(math.Min(k-3, 9-k), 1))
		return uint8(math.Round(255 * v))
	}
	return Color{R: channel(0), G: channel(8), B: channel(4), A: 255}
}

// Luminance returns the relative luminance of a color, in [0, 1], as WCAG 2 defines it.
func Luminance(c Color) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear returns the light intensity of an sRGB channel.
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// Contrast returns the contrast of two opaque colors as WCAG 2 defines it, from 1 to 21.
func Contrast(a, b Color) float64 {
	x, y := Luminance(a), Luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}
