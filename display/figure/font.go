package figure

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbolditalic"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-fonts/liberation/liberationserifbold"
	"codeberg.org/go-fonts/liberation/liberationserifbolditalic"
	"codeberg.org/go-fonts/liberation/liberationserifitalic"
	"codeberg.org/go-fonts/liberation/liberationserifregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/internal/asset"
)

// typeface is one cut of the font with a cache of character widths.
type typeface struct {
	name     string
	data     []byte
	mu       sync.Mutex
	font     *opentype.Font
	advances map[rune]float64 // in ems
	foreign  map[rune]bool    // measured characters that other fonts draw
}

var typefaces = [8]*typeface{
	{name: "LiberationSans-Regular.ttf", data: liberationsansregular.TTF},
	{name: "LiberationSans-Bold.ttf", data: liberationsansbold.TTF},
	{name: "LiberationSans-Italic.ttf", data: liberationsansitalic.TTF},
	{name: "LiberationSans-BoldItalic.ttf", data: liberationsansbolditalic.TTF},
	{name: "LiberationSerif-Regular.ttf", data: liberationserifregular.TTF},
	{name: "LiberationSerif-Bold.ttf", data: liberationserifbold.TTF},
	{name: "LiberationSerif-Italic.ttf", data: liberationserifitalic.TTF},
	{name: "LiberationSerif-BoldItalic.ttf", data: liberationserifbolditalic.TTF},
}

// serif reports whether the theme uses the serif font.
func serif() bool { return display.CurrentTheme().Font == "serif" }

// face returns the cut, which is parsed when it is first needed.
func (f Font) face() *typeface {
	i := 0
	if f.Bold {
		i |= 1
	}
	if f.Italic {
		i |= 2
	}
	if serif() {
		i |= 4
	}
	t := typefaces[i]
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.font != nil {
		return t
	}
	data, err := asset.Read("fonts/"+t.name, t.data)
	if err == nil {
		t.font, err = opentype.Parse(data)
	}
	if err != nil {
		panic("figure: there is no font: " + err.Error())
	}
	t.advances, t.foreign = map[rune]float64{}, map[rune]bool{}
	return t
}

// substitutes maps characters of formulas that the font lacks to similar ones. It is used where
// characters are drawn: in the PNG.
var substitutes = map[rune]rune{'∅': 'Ø', '∈': 'є', '⋮': ':', '⋯': '…', '≪': '«', '≫': '»', '⟨': '‹', '⟩': '›', 'ℓ': 'l', '∥': '‖'}

// drawable replaces characters that the font lacks.
func drawable(text string) string {
	return strings.Map(func(r rune) rune {
		if s, ok := substitutes[r]; ok {
			return s
		}
		return r
	}, text)
}

func variant() string {
	if serif() {
		return "Serif"
	}
	return "Sans"
}

// vg returns the font for gonum/plot's canvas.
func (t *typeface) vg(size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: font.Variant(variant()), Size: font.Length(size)}, Face: t.font}
}

// Width returns the width of a line of text. It ignores kerning, which differs between viewers.
func (f Font) Width(text string) float64 {
	if parts := runs(text); parts != nil {
		w := 0.0
		for _, p := range parts {
			font, _ := f.at(p.level)
			w += font.Width(p.text)
		}
		return w
	}
	t := f.face()
	t.mu.Lock()
	defer t.mu.Unlock()
	w := 0.0
	for _, r := range text {
		w += t.advance(r)
	}
	return w * f.Size
}

// exact returns the width of a line of text. ok is false if the font lacks more than a quarter of
// the characters, so that the width depends on the fonts of the viewer.
func (f Font) exact(text string) (width float64, ok bool) {
	width = f.Width(text)
	t := f.face()
	t.mu.Lock()
	defer t.mu.Unlock()
	all, foreign := 0, 0
	for _, r := range text {
		if all++; t.foreign[r] {
			foreign++
		}
	}
	return width, 4*foreign <= all
}

// width returns the width of a character in ems.
func (t *typeface) width(r rune) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.advance(r)
}

func (t *typeface) advance(of rune) float64 {
	r := of
	if a, ok := t.advances[r]; ok {
		return a
	}
	var buf sfnt.Buffer
	units := fixed.Int26_6(t.font.UnitsPerEm())
	if s, ok := substitutes[r]; ok {
		r, t.foreign[of] = s, true
	}
	a := usual(r)
	if i, err := t.font.GlyphIndex(&buf, r); err != nil || i == 0 {
		t.foreign[of] = true
	}
	if i, err := t.font.GlyphIndex(&buf, r); err == nil && i != 0 {
		if adv, err := t.font.GlyphAdvance(&buf, i, units, 0); err == nil {
			a = float64(adv) / float64(units)
		}
	}
	t.advances[of] = a
	return a
}

// Fit shortens a text with "…" to the given width.
func (f Font) Fit(text string, width float64) string {
	if f.Width(text) <= width {
		return text
	}
	for text != "" {
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
		if short := strings.TrimRight(text, " ") + "…"; f.Width(short) <= width {
			return short
		}
	}
	return "…"
}

// FitMiddle shortens a text with "…" in the middle to the given width, so that both ends remain.
func (f Font) FitMiddle(text string, width float64) string {
	if f.Width(text) <= width {
		return text
	}
	r := []rune(text)
	for keep := len(r) - 1; keep > 1; keep-- {
		tail := (2*keep + 2) / 3 // file names differ at their ends
		if short := string(r[:keep-tail]) + "…" + string(r[len(r)-tail:]); f.Width(short) <= width {
			return short
		}
	}
	return "…"
}

// Wrap breaks a text at spaces into lines of the given width. The parameter most is the maximum
// number of lines; if the text needs more, Wrap shortens the last line. It also shortens words that
// are too long.
func (f Font) Wrap(text string, width float64, most int) []string {
	var lines []string
	line := ""
	words := strings.Fields(text)
	for i, w := range words {
		next := w
		if line != "" {
			next = line + " " + w
		}
		if line == "" || f.Width(next) <= width {
			line = next
			continue
		}
		if len(lines) == most-1 {
			return append(lines, f.Fit(line+" "+strings.Join(words[i:], " "), width))
		}
		lines = append(lines, f.Fit(line, width))
		line = w
	}
	if line != "" {
		lines = append(lines, f.Fit(line, width))
	}
	return lines
}

// usual returns the width in ems that a character has in most fonts. It is used for characters
// that the embedded font lacks, so that the layout is the same on all machines.
func usual(r rune) float64 {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r >= 0x3000 && r < 0x3100, r >= 0xff00 && r < 0xff60, r >= 0x1f300:
		return 1
	}
	return 0.6
}
