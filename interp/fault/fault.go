// Package fault describes errors of cells: what happened, where, the line of the cell with a mark
// under the position, and what to do.
package fault

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Font weights in a traceback, as ANSI sequences. None of JupyterLab's colors is readable on both
// its light and its dark background of errors.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	reset = "\x1b[0m"
)

// Sources returns the text of a cell for the file name in its positions.
type Sources func(filename string) (text string, ok bool)

// Diagnostic is one error in the text of a cell.
type Diagnostic struct {
	Pos  token.Position
	Len  int // length in bytes; 0 means the token at Pos
	Msg  string
	Hint string // code in it is between ‹ and ›
}

// Place formats a position for users.
func Place(p token.Position) string {
	return fmt.Sprintf("%s line %d, column %d", p.Filename, p.Line, p.Column)
}

// String returns the diagnostic as one line.
func (d Diagnostic) String() string {
	s := Place(d.Pos) + ": " + d.message()
	if d.Hint != "" && !d.suggests() {
		s += "; " + Unmarked(d.Hint)
	}
	return s
}

func (d Diagnostic) suggests() bool { return strings.HasPrefix(d.Hint, "did you mean") }

func (d Diagnostic) message() string {
	if d.suggests() {
		return d.Msg + " (" + Unmarked(d.Hint) + ")"
	}
	return d.Msg
}

// Compile describes the errors of a cell that did not compile. If there is only one error, its
// message is in the heading, and Compile does not repeat it at the position.
func Compile(list []Diagnostic, src Sources) *evaluator.Error {
	e := &evaluator.Error{Name: "compile error", Value: FirstLine(list[0].message())}
	head := list[0].message()
	if len(list) > 1 {
		e.Value += fmt.Sprintf(" (and %d more)", len(list)-1)
		head = fmt.Sprintf("%d errors", len(list))
	}
	add(e, bold+e.Name+reset+": "+head)
	for _, d := range list {
		if len(list) > 1 {
			add(e, faint+Place(d.Pos)+": "+reset+d.message())
		} else {
			add(e, faint+Place(d.Pos)+reset)
		}
		add(e, Excerpt(d.Pos, d.Len, src)...)
		if d.Hint != "" && !d.suggests() {
			add(e, hintLine(d.Hint))
		}
	}
	return e
}

// hintLine formats a hint, with its code in bold.
func hintLine(hint string) string {
	return "  " + bold + "hint: " + reset + strings.NewReplacer("‹", bold, "›", reset).Replace(hint)
}

// Unmarked returns a hint without the marks around its code.
func Unmarked(hint string) string { return strings.NewReplacer("‹", "", "›", "").Replace(hint) }

// add adds lines to the traceback.
func add(e *evaluator.Error, lines ...string) {
	for _, l := range lines {
		e.Traceback = append(e.Traceback, strings.Split(l, "\n")...)
	}
}

// FirstLine returns the first line of a message.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Excerpt returns the line at the position and a line that marks the n bytes from there. It returns
// nothing if the text is not known.
func Excerpt(p token.Position, n int, src Sources) []string {
	text, ok := src(p.Filename)
	if !ok || p.Line < 1 {
		return nil
	}
	lines := strings.Split(text, "\n")
	if p.Line > len(lines) {
		return nil
	}
	line := strings.TrimRight(lines[p.Line-1], "\r")
	col := min(max(p.Column-1, 0), len(line))
	if n <= 0 {
		n = TokenLen(line[col:])
	}
	n = min(n, len(strings.TrimRight(line[col:], " \t")))
	trimmed := strings.TrimLeft(line, " \t")
	before := strings.TrimLeft(line[:col], " \t")
	mark := "^" + strings.Repeat("~", max(utf8.RuneCountInString(line[col:col+max(n, 0)])-1, 0))
	return []string{
		"  " + expand(trimmed),
		"  " + strings.Repeat(" ", utf8.RuneCountInString(expand(before))) + bold + mark + reset,
	}
}

func expand(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// TokenLen returns the length of the first token of the text.
func TokenLen(s string) int {
	if s == "" {
		return 0
	}
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(s))
	var sc scanner.Scanner
	sc.Init(f, []byte(s), func(token.Position, string) {}, 0)
	_, tok, lit := sc.Scan()
	switch {
	case tok.IsOperator() && tok != token.SEMICOLON:
		return len(tok.String())
	case lit != "" && lit != "\n":
		return len(lit)
	}
	return 1
}
