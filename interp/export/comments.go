package export

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/gokernel/gokernel/interp/pipeline"
)

// span is the range of a comment in a cell.
type span struct{ start, end int }

// comments returns the comments of a cell, without lines that are magics, and without //go:debug
// settings, which are written before the package clause.
func comments(c *cell) []span {
	text := []byte(c.src.Text)
	for _, m := range c.split.Lines {
		at := int(m.Pos - c.src.Base)
		end := at + len(m.Text)
		if m.Code {
			end = int(m.ArgsPos - c.src.Base)
		}
		for i := at; i < end && i < len(text); i++ {
			text[i] = ' '
		}
	}
	var list []span
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return list
		}
		if tok == token.COMMENT && !strings.HasPrefix(lit, pipeline.SettingDirective) {
			at := f.Offset(pos)
			list = append(list, span{at, at + len(lit)})
		}
	}
}

// around returns the comments between the previous item and an item, and the comment after the item
// on its line.
func around(c *cell, free []span, at token.Pos, it *item) (lead, trail string) {
	text, from, to := c.src.Text, int(at-c.src.Base), int(it.start-c.src.Base)
	end := int(it.end - c.src.Base)
	if to < 0 || end > len(text) || it.start == it.end {
		return "", ""
	}
	var b strings.Builder
	for _, s := range free {
		switch {
		case strings.HasPrefix(text[s.start:], embedDirective): // belongs to its variable
		case s.start >= from && s.end <= to:
			if from > 0 && !strings.Contains(text[from:s.start], "\n") {
				continue // belongs to the item before
			}
			b.WriteString(text[s.start:s.end])
			if rest := text[s.end:to]; strings.Contains(rest, "\n") {
				b.WriteString("\n")
				if blankLine(rest) {
					b.WriteString("\n")
				}
			}
		case s.start >= end && trail == "" && !strings.Contains(text[end:s.start], "\n"):
			trail = " " + text[s.start:s.end]
		}
	}
	return b.String(), trail
}

// blankLine reports whether the first two line breaks of a text have only white space between them.
func blankLine(text string) bool {
	_, rest, ok := strings.Cut(text, "\n")
	if !ok {
		return false
	}
	line, _, ok := strings.Cut(rest, "\n")
	return ok && strings.TrimSpace(line) == ""
}

// blankBetween reports whether there is a blank line before an item and its comments.
func blankBetween(c *cell, at token.Pos, it *item, lead string) bool {
	text, from, to := c.src.Text, int(at-c.src.Base), int(it.start-c.src.Base)
	if from < 0 || to > len(text) || from >= to {
		return false
	}
	return strings.Count(strings.SplitN(text[from:to], "//", 2)[0], "\n") > 1
}

// restOf returns the comments after the last item.
func restOf(c *cell, free []span, at token.Pos) string {
	text, from := c.src.Text, int(at-c.src.Base)
	var list []string
	for _, s := range free {
		if s.start >= from && (from == 0 || strings.Contains(text[from:s.start], "\n")) {
			list = append(list, text[s.start:s.end])
		}
	}
	return strings.Join(list, "\n")
}
