package language

import (
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/internal/lsp"
)

// text is the text of a document with its lines. Positions of the protocol count UTF-16 units.
type text struct {
	s     string
	lines []int // the offsets at which they begin
}

func newText(s string) text {
	t := text{s: s, lines: []int{0}}
	for i := range len(s) {
		if s[i] == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// offset returns the byte offset of a position. A position after the end of a line or of the text
// becomes that end.
func (t text) offset(p lsp.Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.s)
	}
	at := t.lines[p.Line]
	end := len(t.s)
	if p.Line+1 < len(t.lines) {
		end = t.lines[p.Line+1] - 1
	}
	for units := 0; at < end && units < p.Character; {
		r, n := utf8.DecodeRuneInString(t.s[at:])
		if units += unitsOf(r); units > p.Character {
			break // inside of a surrogate pair
		}
		at += n
	}
	return at
}

// position returns the position of a byte offset.
func (t text) position(offset int) lsp.Position {
	offset = min(max(offset, 0), len(t.s))
	low, high := 0, len(t.lines)
	for high-low > 1 {
		if mid := (low + high) / 2; t.lines[mid] <= offset {
			low = mid
		} else {
			high = mid
		}
	}
	p := lsp.Position{Line: low}
	for _, r := range t.s[t.lines[low]:offset] {
		p.Character += unitsOf(r)
	}
	return p
}

// span returns the range between two byte offsets.
func (t text) span(start, end int) lsp.Range {
	return lsp.Range{Start: t.position(start), End: t.position(end)}
}

// change returns the text after a change of the client.
func (t text) change(c lsp.TextDocumentContentChangeEvent) text {
	if c.Range == nil {
		return newText(c.Text)
	}
	start, end := t.offset(c.Range.Start), t.offset(c.Range.End)
	return newText(t.s[:start] + c.Text + t.s[max(start, end):])
}

func unitsOf(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// part is a cell in a text document.
type part struct {
	start int // byte offset
	text  string
}

// markers begin the cells of a script in the percent format, as jupytext writes it.
var markers = []string{"// %%", "//%%", "# %%"}

// isMarker reports whether a line begins a cell of a script, and whether that cell has code.
func isMarker(line string) (marker, code bool) {
	for _, m := range markers {
		if rest, ok := strings.CutPrefix(line, m); ok && (rest == "" || rest[0] == ' ') {
			return true, !strings.Contains(rest, "[markdown]") && !strings.Contains(rest, "[raw]")
		}
	}
	return false, false
}

// parts returns the cells of a text document. A script has lines that begin cells; the document of
// a notebook that JupyterLab sends has two empty lines between cells.
func parts(s string) []part {
	var list []part
	begin, at, code, script := 0, 0, true, false
	add := func(end int) {
		if code && end > begin {
			list = append(list, part{begin, strings.TrimRight(s[begin:end], "\n")})
		}
	}
	for at < len(s) {
		end := at + strings.IndexByte(s[at:]+"\n", '\n')
		if marker, hasCode := isMarker(strings.TrimRight(s[at:end], " \t\r")); marker {
			add(at)
			begin, code, script = min(end+1, len(s)), hasCode, true
		}
		at = end + 1
	}
	if script {
		add(len(s))
		return list
	}
	list = nil
	for begin = 0; begin < len(s); {
		end, next := boundary(s, begin)
		add(end)
		begin = next
	}
	return list
}

// boundary returns the end of the cell that begins at an offset, and the start of the next one. Two
// empty lines inside of a raw string or a comment do not end a cell.
func boundary(s string, begin int) (end, next int) {
	const gap = "\n\n\n"
	for at := begin; ; {
		i := strings.Index(s[at:], gap)
		if i < 0 {
			return len(s), len(s)
		}
		end = at + i
		if !openText(s[begin:end]) {
			break
		}
		if at = end + 1; !strings.ContainsAny(s[end:], "`*") {
			break
		}
	}
	next = end
	for next < len(s) && s[next] == '\n' {
		next++
	}
	return end, next
}

// openText reports whether a text ends inside of a raw string or a comment.
func openText(s string) bool {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"' || s[i] == '\'':
			quote := s[i]
			for i++; i < len(s) && s[i] != quote && s[i] != '\n'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case s[i] == '`':
			close := strings.IndexByte(s[i+1:], '`')
			if close < 0 {
				return true
			}
			i += close + 1
		case strings.HasPrefix(s[i:], "//"):
			i += strings.IndexByte(s[i:]+"\n", '\n')
		case strings.HasPrefix(s[i:], "/*"):
			close := strings.Index(s[i+2:], "*/")
			if close < 0 {
				return true
			}
			i += close + 3
		}
	}
	return false
}
