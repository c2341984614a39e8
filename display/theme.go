package display

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
)

// Theme is how figures and tables look, set once for a notebook by [SetTheme]: cells,
// panels, trees, tables and saved files follow it. The zero value is the default.
type Theme struct {
	// Font is the family of the text in figures: sans, the default, or serif.
	Font string
	// Palette are the colors of classes 0, 1, 2 ..., as #rrggbb; further classes keep
	// those of the default palette.
	Palette []string
	// Dark draws figures in light ink on dark paper, for slides and dark pages; else they
	// have white paper, also on dark pages. What is printed should not be dark.
	Dark bool
	// Scale is the size of text, lines and marks against the default; 1.5 suits a slide.
	Scale float64
	// Width is how wide figures are that do not set their size, in CSS pixels.
	Width float64
}

// The themes of the places where figures stand: a column of a journal with two of them, a
// page of A4 with its margins, a slide; and light ink on dark paper.
var (
	DarkTheme   = Theme{Dark: true}
	ColumnTheme = Theme{Width: 336, Scale: 0.8}
	PageTheme   = Theme{Width: 640}
	SlideTheme  = Theme{Width: 1120, Scale: 1.6}
)

// Limits of a theme.
const (
	leastScale, mostScale = 0.5, 4.0
	leastWidth, mostWidth = 200.0, 4000.0
)

var theme atomic.Pointer[Theme]

// SetTheme lets the figures and tables that are drawn from now on follow a theme; a
// figure that is being drawn meanwhile may get some of it. SetTheme(Theme{}) goes back to
// the default.
func SetTheme(t Theme) error {
	switch {
	case t.Font != "" && t.Font != "sans" && t.Font != "serif":
		return fmt.Errorf("display.SetTheme: the font %q is neither sans nor serif", t.Font)
	case t.Scale != 0 && !(t.Scale >= leastScale && t.Scale <= mostScale):
		return fmt.Errorf("display.SetTheme: the scale is %g; give %g to %g", t.Scale, leastScale, mostScale)
	case t.Width != 0 && !(t.Width >= leastWidth && t.Width <= mostWidth):
		return fmt.Errorf("display.SetTheme: the width is %g pixels; give %g to %g", t.Width, leastWidth, mostWidth)
	}
	for i, c := range t.Palette {
		if _, err := parseHex(c); err != nil {
			return fmt.Errorf("display.SetTheme: color %d: %w", i, err)
		}
	}
	t.Palette = append([]string(nil), t.Palette...)
	theme.Store(&t)
	return nil
}

func parseHex(s string) (uint32, error) {
	if len(s) == 7 && s[0] == '#' {
		if v, err := strconv.ParseUint(s[1:], 16, 32); err == nil {
			return uint32(v), nil
		}
	}
	return 0, errors.New(strconv.Quote(s) + " is not written as #rrggbb")
}

// CurrentTheme returns the theme that figures follow, with its defaults filled in; it is
// the same pointer until the next SetTheme. What it points to must not be changed.
func CurrentTheme() *Theme {
	if t := theme.Load(); t != nil {
		return t
	}
	return &defaultTheme
}

var defaultTheme Theme

// Zoom is the scale of a theme, 1 without one.
func (t *Theme) Zoom() float64 {
	if t.Scale == 0 {
		return 1
	}
	return t.Scale
}
