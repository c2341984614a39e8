package figure

import "strings"

// The font has only some superscripts and subscripts, so they are drawn as smaller normal
// characters.
const (
	raised    = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾ⁿⁱʲᵏᵐᵖᵗˣʸᵃᵇᵈᵉᵀ"
	raisedOf  = "0123456789−+()nijkmptxyabdeT"
	lowered   = "₀₁₂₃₄₅₆₇₈₉₋₊₍₎ᵢⱼₖₙₘₚₜₓₐₑᵣₛ"
	loweredOf = "0123456789−+()ijknmptxaers"
)

var (
	raise = table(raised, raisedOf)
	lower = table(lowered, loweredOf)
)

func table(from, to string) map[rune]rune {
	m := map[rune]rune{}
	t := []rune(to)
	for i, r := range []rune(from) {
		m[r] = t[i]
	}
	return m
}

// run is a part of a text on one level: on the baseline (0), above it (1) or below it (-1).
type run struct {
	text  string
	level int
}

// runs splits a text at its superscripts and subscripts. It returns nil if there are none.
func runs(text string) []run {
	if !strings.ContainsAny(text, raised+lowered) {
		return nil
	}
	var out []run
	for _, r := range text {
		level := 0
		if c, ok := raise[r]; ok {
			level, r = 1, c
		} else if c, ok := lower[r]; ok {
			level, r = -1, c
		}
		if n := len(out); n > 0 && out[n-1].level == level {
			out[n-1].text += string(r)
			continue
		}
		out = append(out, run{string(r), level})
	}
	return out
}

// at returns the font of a run and its shift above the baseline.
func (f Font) at(level int) (Font, float64) {
	switch level {
	case 1:
		return Font{0.7 * f.Size, f.Bold, f.Italic}, 0.38 * f.Size
	case -1:
		return Font{0.7 * f.Size, f.Bold, f.Italic}, -0.16 * f.Size
	}
	return f, 0
}

// script draws a text run by run.
func (f *Figure) script(x, y float64, parts []run, s TextStyle) {
	total := 0.0
	for _, p := range parts {
		font, _ := s.at(p.level)
		total += font.Width(p.text)
	}
	at := 0.0
	switch s.Anchor {
	case Middle:
		at = -total / 2
	case End:
		at = -total
	}
	for _, p := range parts {
		font, up := s.at(p.level)
		style := TextStyle{Font: font, Color: s.Color, Up: s.Up}
		if s.Up {
			f.ops = append(f.ops, label{x - up, y - at, p.text, style})
		} else {
			f.ops = append(f.ops, label{x + at, y - up, p.text, style})
		}
		at += font.Width(p.text)
	}
}
