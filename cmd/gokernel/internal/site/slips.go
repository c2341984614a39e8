package site

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gokernel/gokernel/internal/pattern"
)

// This type is a box of a lecture about a mistake in the notes.
type slip struct {
	ID    string // ID in the page
	Text  string
	Of    *lecture
	Lines []line
}

// line is a place in the notes: lines First to Last of the notes with the number Note.
type line struct{ Note, First, Last int }

var (
	noteLines  = pattern.New(`\b(?:[Nn]otes? (\d)\b|[Ll]ines? (\d+(?:(?: to |-|–|, and |, | and )\d+)*))`)
	lineNumber = pattern.New(`(\d+)(?:(?: to |-|–)(\d+))?`)
)

// slipOf returns the text of a box about a mistake, or false for any other element. Such a box is a
// quotation that begins with "**Slip.**".
func slipOf(quote *html.Node) (string, bool) {
	if !is(quote, atom.Blockquote) {
		return "", false
	}
	for first := range quote.ChildNodes() {
		if first.Type != html.ElementNode {
			continue
		}
		strong := first.FirstChild
		if !is(first, atom.P) || !is(strong, atom.Strong) || wording(asTeX, strong) != "Slip." {
			return "", false
		}
		_, text, _ := strings.Cut(wording(asTeX, quote), "Slip.")
		return strings.TrimSpace(text), true
	}
	return "", false
}

// addSlip converts a quotation about a mistake to a folded box, gives it an ID and stores it.
func (l *lecture) addSlip(quote *html.Node, text string) {
	s := &slip{ID: fmt.Sprintf("slip-%d", len(l.Slips)+1), Text: text, Of: l, Lines: linesOf(text)}
	l.Slips = append(l.Slips, s)
	quote.Data, quote.DataAtom = "details", atom.Details
	quote.Attr = []html.Attribute{{Key: "class", Val: "slip"}, {Key: "id", Val: s.ID}}
	summary := &html.Node{Type: html.ElementNode, Data: "summary", DataAtom: atom.Summary}
	for first := range quote.ChildNodes() {
		if is(first, atom.P) {
			strong := first.FirstChild
			first.RemoveChild(strong)
			summary.AppendChild(strong)
			break
		}
	}
	if len(s.Lines) > 0 {
		// The style sheet shows this place while the box is folded.
		set(summary, "data-place", fmt.Sprintf("Notes %d, line %d", s.Lines[0].Note, s.Lines[0].First))
	}
	quote.InsertBefore(summary, quote.FirstChild)
}

// linesOf parses the places named in a text: "Notes 4, lines 19 and 274". Lines belong to the notes
// that were named last: "Notes 1, line 631, ... Line 651 asks".
func linesOf(text string) (all []line) {
	note := -1
	for _, m := range noteLines().FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			note, _ = strconv.Atoi(m[1]) // a digit
			continue
		}
		if note < 0 {
			continue
		}
		for _, n := range lineNumber().FindAllStringSubmatch(m[2], -1) {
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
