package display

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
)

// Theme sets how figures and tables look. [SetTheme] applies it to cells, panels, trees, tables
// and saved files. The zero value is the default theme.
type Theme struct {
	// Font is the font family of the text in figures: sans (default) or serif.
	Font string
	// Palette lists the colors of classes 0, 1, 2, ... as #rrggbb. Further classes have the colors
	// of the default palette.
	Palette []string
	// Dark draws figures with light lines on a dark background, for slides and dark pages. By
	// default the background is white, also on dark pages. Use the default for print.
	Dark bool
	// Scale multiplies the size of text, lines and marks. For a slide, use 1.5.
	Scale float64
	// Width is the width in CSS pixels of figures that do not set their own size.
	Width float64
}

// Themes for common uses of figures: one column of a two-column journal, an A4 page with margins,
// a slide, and a dark page.
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

// SetTheme sets the theme of figures and tables that are drawn from now on. A figure that another
// goroutine is drawing may use parts of both themes. SetTheme(Theme{}) restores the default.
func SetTheme(t Theme) error {
	switch {
	case t.Font != "" && t.Font != "sans" && t.Font != "serif":
		return fmt.Errorf("display.SetTheme: Font must be sans or serif, got %q", t.Font)
	case t.Scale != 0 && !(t.Scale >= leastScale && t.Scale <= mostScale):
		return fmt.Errorf("display.SetTheme: the scale must be between %[2]g and %[3]g, got %[1]g", t.Scale, leastScale, mostScale)
	case t.Width != 0 && !(t.Width >= leastWidth && t.Width <= mostWidth):
		return fmt.Errorf("display.SetTheme: the width must be between %[2]g and %[3]g pixels, got %[1]g", t.Width, leastWidth, mostWidth)
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
	return 0, errors.New(strconv.Quote(s) + " must have the form #rrggbb")
}

// CurrentTheme returns the current theme, with defaults filled in. It returns the same pointer
// until the next SetTheme. The caller must not change the theme.
func CurrentTheme() *Theme {
	if t := theme.Load(); t != nil {
		return t
	}
	return &defaultTheme
}

var defaultTheme Theme

// Zoom returns the scale of a theme, or 1 if t is nil or does not set one.
func (t *Theme) Zoom() float64 {
	if t.Scale == 0 {
		return 1
	}
	return t.Scale
}
