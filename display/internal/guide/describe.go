package guide

import (
	"strings"

	"github.com/gokernel/gokernel/display/figure"
)

// linesSaid is the number of lines of a figure's text in its description.
const linesSaid = 16

// Describe sets the title of a figure and, for readers who cannot see it, a description of its
// kind and its text.
func Describe(f *figure.Figure, title, kind string) {
	f.Title = title
	text := f.Text
	if title != "" {
		text = strings.TrimPrefix(text, title)
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	more := ""
	if len(lines) > linesSaid {
		lines, more = lines[:linesSaid], "; and more"
	}
	for i, s := range lines {
		s = strings.Map(func(r rune) rune {
			if r >= '▁' && r <= '█' {
				return -1 // bars have no meaning when read aloud
			}
			return r
		}, s)
		lines[i] = strings.Join(strings.Fields(s), " ")
	}
	f.Desc = kind + ": " + strings.Join(lines, "; ") + more + "."
}
