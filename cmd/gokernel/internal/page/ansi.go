package page

import (
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"
)

// pre shows text as a terminal does: escape sequences become colors, carriage
// returns and backspaces overwrite.
func pre(s string) template.HTML {
	return template.HTML("<pre>" + ansi(overwrite(s)) + "</pre>")
}

// overwrite applies carriage returns, which progress indicators use.
func overwrite(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(s, "\r\n", "\n")) {
		line, hadEnd := strings.CutSuffix(line, "\n")
		var shown []rune
		for part := range strings.SplitSeq(strings.TrimRight(line, "\r"), "\r") {
			r := []rune(part)
			if len(r) < len(shown) {
				r = append(r, shown[len(r):]...)
			}
			shown = r
		}
		b.WriteString(string(shown))
		if hadEnd {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// pen contains the attributes of text.
type pen struct {
	fg, bg                         string // CSS colors
	bold, faint, italic, underline bool
}

func (p pen) open() string {
	var class, style []string
	for _, f := range []struct {
		on   bool
		name string
	}{{p.bold, "bold"}, {p.faint, "faint"}, {p.italic, "italic"}, {p.underline, "underline"}} {
		if f.on {
			class = append(class, f.name)
		}
	}
	if p.fg != "" {
		style = append(style, "color:"+p.fg)
	}
	if p.bg != "" {
		style = append(style, "background:"+p.bg)
	}
	var b strings.Builder
	b.WriteString("<span")
	if class != nil {
		fmt.Fprintf(&b, ` class="%s"`, strings.Join(class, " "))
	}
	if style != nil {
		fmt.Fprintf(&b, ` style="%s"`, strings.Join(style, ";"))
	}
	b.WriteString(">")
	return b.String()
}

// ansi converts the escape sequences that set colors and styles to HTML elements, and drops all
// other escape sequences.
func ansi(s string) string {
	var b strings.Builder
	var p pen
	for s != "" {
		text, rest, found := strings.Cut(s, "\x1b[")
		if text != "" {
			if p != (pen{}) {
				b.WriteString(p.open() + html.EscapeString(text) + "</span>")
			} else {
				b.WriteString(html.EscapeString(text))
			}
		}
		if !found {
			break
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if end < 0 {
			break
		}
		if rest[end] == 'm' {
			p = p.apply(rest[:end])
		}
		s = rest[end+1:]
	}
	return b.String()
}

// apply returns the pen after the parameters of one sequence.
func (p pen) apply(params string) pen {
	var codes []int
	for f := range strings.SplitSeq(params, ";") {
		n, err := strconv.Atoi(f)
		if err != nil {
			n = 0
		}
		codes = append(codes, n)
	}
	for i := 0; i < len(codes); i++ {
		switch n := codes[i]; {
		case n == 0:
			p = pen{}
		case n == 1:
			p.bold = true
		case n == 2:
			p.faint = true
		case n == 3:
			p.italic = true
		case n == 4:
			p.underline = true
		case n == 22:
			p.bold, p.faint = false, false
		case n == 23:
			p.italic = false
		case n == 24:
			p.underline = false
		case n >= 30 && n <= 37:
			p.fg = palette(n - 30)
		case n >= 90 && n <= 97:
			p.fg = palette(n - 90)
		case n >= 40 && n <= 47:
			p.bg = palette(n - 40)
		case n >= 100 && n <= 107:
			p.bg = palette(n - 100)
		case n == 39:
			p.fg = ""
		case n == 49:
			p.bg = ""
		case n == 38 || n == 48:
			color, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				p.fg = color
			} else {
				p.bg = color
			}
		}
	}
	return p
}

// palette returns one of the eight named colors, which the page's theme sets.
func palette(n int) string { return fmt.Sprintf("var(--ansi%d)", n) }

// extended parses a color of the palette of 256 colors, or a color with 24 bits. It returns the
// number of codes that it has used.
func extended(codes []int) (color string, used int) {
	switch {
	case len(codes) >= 2 && codes[0] == 5:
		n := codes[1]
		switch {
		case n < 16:
			return palette(n % 8), 2
		case n < 232:
			level := func(i int) int {
				if i == 0 {
					return 0
				}
				return 55 + 40*i
			}
			n -= 16
			return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6)), 2
		case n < 256:
			g := 8 + 10*(n-232)
			return fmt.Sprintf("#%02x%02x%02x", g, g, g), 2
		}
		return "", 2
	case len(codes) >= 4 && codes[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", codes[1]&255, codes[2]&255, codes[3]&255), 4
	}
	return "", len(codes)
}
