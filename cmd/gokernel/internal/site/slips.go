package site

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// slip is a box of a lecture about a mistake of the notes.
type slip struct {
	ID    string // in the page
	Text  string
	Of    *lecture
	Lines []line
}

// line is a place in the notes.
type line struct{ Note, First, Last int }

var (
	noteLines  = regexp.MustCompile(`\b(?:[Nn]otes? (\d)\b|[Ll]ines? (\d+(?:(?: to |-|–|, and |, | and )\d+)*))`)
	lineNumber = regexp.MustCompile(`(\d+)(?:(?: to |-|–)(\d+))?`)
)

// addSlip gives a box about a mistake an identity and remembers it.
func (l *lecture) addSlip(box string) string {
	m := slipBox.FindStringSubmatch(box)
	inner := m[1]
	text := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(inner, " "))), " ")
	s := &slip{ID: fmt.Sprintf("slip-%d", len(l.Slips)+1), Text: text, Of: l, Lines: linesOf(text)}
	l.Slips = append(l.Slips, s)
	return `<aside class="slip" id="` + s.ID + `" aria-label="Slip ` + strconv.Itoa(len(l.Slips)) + `"><p><strong>Slip.</strong>` + inner + `</aside>`
}

// linesOf reads the places that a text names: "Notes 4, lines 19 and 274". Lines are
// those of the notes that were named last: "Notes 1, line 631, ... Line 651 asks".
func linesOf(text string) (all []line) {
	note := -1
	for _, m := range noteLines.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			note, _ = strconv.Atoi(m[1]) // a digit
			continue
		}
		if note < 0 {
			continue
		}
		for _, n := range lineNumber.FindAllStringSubmatch(m[2], -1) {
			first, _ := strconv.Atoi(n[1])
			last := first
			if n[2] != "" {
				last, _ = strconv.Atoi(n[2])
			}
			all = append(all, line{note, first, last})
		}
	}
	return all
}

// meets reports whether two places have a line in common.
func (a line) meets(b line) bool {
	return a.Note == b.Note && a.First <= b.Last && b.First <= a.Last
}
