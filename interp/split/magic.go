package split

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
)

// space contains the white space characters of Go.
const space = " \t\r\n"

func itoa(n int) string { return strconv.Itoa(n) }

// asked matches names and expressions whose documentation can be requested: a name, or members of
// the result of an index or a call, as in f["fare"].Rank.
const asked = `([\pL_%][\pL\pN_./]*(?:(?:\[[^\[\]\n]*\]|\([^()\n]*\))+(?:\.[\pL_][\pL\pN_]*)*)*)`

var (
	askName = pattern.New(`^\?\??\s*` + asked + `$`)
	// timeitOptions matches text that is not valid Go: a number can't follow a name.
	timeitOptions = pattern.New(`^(?:-[nr][ \t]+\d+(?:[ \t]+|$))+`)
	nameAsks      = pattern.New(`^` + asked + `\s*\?\??$`)
)

// wholeMagic finds a %% magic on the first nonempty line.
func (c *Cell) wholeMagic(text []byte) bool {
	src := string(text)
	start := len(src) - len(strings.TrimLeft(src, space))
	if !strings.HasPrefix(src[start:], "%%") {
		return false
	}
	line, body, _ := strings.Cut(src[start:], "\n")
	m := c.newMagic(start, line)
	m.Body = body
	switch m.Name {
	case "", "main": // as GoNB notebooks begin cells
		m.Name, m.Text, m.Body = "main", "%main", ""
		blank(text, start, start+len(line))
		c.Lines = append(c.Lines, m)
		return false
	case "capture":
		blank(text, start, start+len(line))
		m.Code, m.Body = true, ""
		c.Lines = append(c.Lines, m)
		return false
	}
	if CodeCellMagics[m.Name] {
		// The body and the text after the name on the first line are Go.
		blank(text, start, int(m.ArgsPos-c.Base))
		m.Code = true
		m.Body = ""
		c.Lines = append(c.Lines, m)
		return false
	}
	c.Whole = m
	return true
}

func (c *Cell) newMagic(start int, line string) *Magic {
	text := strings.TrimRight(line, space)
	m := &Magic{Pos: c.Base + token.Pos(start), Text: text}
	rest := text
	switch {
	case strings.HasPrefix(rest, "!"):
		m.Name, m.Args = "!", strings.TrimSpace(rest[1:])
		return m
	case strings.HasPrefix(rest, "%"):
		rest = strings.TrimLeft(rest, "%")
		name, args, _ := strings.Cut(rest, " ")
		if i := strings.IndexAny(name, "\t"); i >= 0 {
			name, args = rest[:i], rest[i:]
		}
		if name == "timeit" {
			args = strings.TrimLeft(args, " \t")
			m.Options = timeitOptions().FindString(args)
			args = args[len(m.Options):]
		}
		m.Name, m.Args = name, strings.TrimSpace(args)
		m.ArgsPos = c.Base + token.Pos(start+len(text)-len(strings.TrimLeft(args, " \t")))
		return m
	}
	m.Name = "?"
	if strings.HasPrefix(text, "??") || strings.HasSuffix(text, "??") {
		m.Name = "??"
	}
	if s := askName().FindStringSubmatch(text); s != nil {
		m.Args = s[1]
	} else if s := nameAsks().FindStringSubmatch(text); s != nil {
		m.Args = s[1]
	}
	return m
}

// lineMagics finds the magics that start a statement on a line of their own. It blanks them in
// text, except the Go code of some of them, and returns the remaining tokens.
func (c *Cell) lineMagics(text []byte) []tokenSpan {
	// A blanked line can change how the rest is scanned (after an open quote), so scan the text
	// again after each.
	for {
		toks := scan(text)
		start, ok := findMagic(text, toks)
		if !ok {
			return toks
		}
		end := start
		for end < len(text) && text[end] != '\n' {
			end++
		}
		m := c.newMagic(start, string(text[start:end]))
		if CodeMagics[m.Name] && m.Args != "" {
			m.Code = true
			blank(text, start, int(m.ArgsPos-c.Base))
		} else {
			blank(text, start, end)
		}
		c.Lines = append(c.Lines, m)
	}
}

func findMagic(text []byte, toks []tokenSpan) (start int, ok bool) {
	depth := 0
	atStart := true
	for i, t := range toks {
		if depth == 0 {
			line := lineStart(text, t.start)
			first := strings.Trim(string(text[line:t.start]), space) == ""
			if atStart && first {
				switch text[t.start] {
				case '%', '!', '?':
					return t.start, true
				}
			}
			if text[min(t.start, len(text)-1)] == '?' && t.tok == token.ILLEGAL {
				// name? on a line of its own.
				s := strings.Trim(string(text[line:lineEnd(text, t.start)]), space)
				if nameAsks().MatchString(s) {
					return line + strings.Index(string(text[line:]), s), true
				}
			}
		}
		switch {
		case opens(t.tok):
			depth++
		case closes(t.tok):
			depth--
		}
		atStart = toks[i].tok == token.SEMICOLON
	}
	return 0, false
}

func lineStart(text []byte, off int) int {
	for off > 0 && text[off-1] != '\n' {
		off--
	}
	return off
}

func lineEnd(text []byte, off int) int {
	for off < len(text) && text[off] != '\n' {
		off++
	}
	return off
}

// placeMagics assigns a statement to each line magic: its code, or an empty statement at its
// position.
func (c *Cell) placeMagics() {
	for _, m := range c.Lines {
		if m.Code && strings.HasPrefix(m.Text, "%%") {
			continue
		}
		i := 0
		for i < len(c.Stmts) && c.Stmts[i].Pos() < m.Pos {
			i++
		}
		if m.Code {
			if i < len(c.Stmts) {
				m.Stmt = c.Stmts[i]
			}
			continue
		}
		m.Stmt = &ast.EmptyStmt{Semicolon: m.Pos}
		c.Stmts = append(c.Stmts[:i], append([]ast.Stmt{m.Stmt}, c.Stmts[i:]...)...)
	}
}
