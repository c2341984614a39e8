package split

import (
	"go/token"
	"strings"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// IsComplete reports whether the text can run as it is, may become a cell when more is typed, or
// never will.
func IsComplete(src string) evaluator.Completeness {
	if strings.Trim(src, space) == "" {
		return evaluator.Completeness{Status: "complete"}
	}
	c := &Cell{Src: src, Base: token.Pos(gap + 1)}
	text := []byte(src)
	if c.wholeMagic(text) {
		return evaluator.Completeness{Status: "complete"}
	}
	toks := c.lineMagics(text)
	var stack []token.Token
	for _, t := range toks {
		switch {
		case opens(t.tok):
			stack = append(stack, t.tok)
		case closes(t.tok):
			if len(stack) == 0 || closer[stack[len(stack)-1]] != t.tok {
				return evaluator.Completeness{Status: "invalid"}
			}
			stack = stack[:len(stack)-1]
		}
	}
	if openLiteral(text) {
		return evaluator.Completeness{Status: "incomplete"}
	}
	if len(stack) > 0 {
		return evaluator.Completeness{Status: "incomplete", Indent: strings.Repeat("\t", len(stack))}
	}
	if n := len(toks); n > 0 && goesOn(toks[n-1].tok) {
		return evaluator.Completeness{Status: "incomplete", Indent: "\t"}
	}
	if _, errs := Parse(src, token.Pos(gap+1)); len(errs) > 0 {
		return evaluator.Completeness{Status: "invalid"}
	}
	return evaluator.Completeness{Status: "complete"}
}

// goesOn reports whether a statement must continue after the token.
func goesOn(t token.Token) bool {
	switch t {
	case token.SEMICOLON, token.IDENT, token.INC, token.DEC, token.ILLEGAL,
		token.BREAK, token.CONTINUE, token.FALLTHROUGH, token.RETURN:
		return false
	}
	return !t.IsLiteral() && !closes(t)
}

// openLiteral reports whether the text ends inside a raw string or a comment.
func openLiteral(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			q := text[i]
			for i++; i < len(text) && text[i] != q && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '`':
			for i++; ; i++ {
				if i >= len(text) {
					return true
				}
				if text[i] == '`' {
					break
				}
			}
		case '/':
			if i+1 < len(text) && text[i+1] == '/' {
				i = lineEnd(text, i)
			} else if i+1 < len(text) && text[i+1] == '*' {
				end := strings.Index(string(text[i+2:]), "*/")
				if end < 0 {
					return true
				}
				i += 2 + end + 1
			}
		}
	}
	return false
}

// Open returns the brackets that the text opens and does not close, outermost first.
func Open(src string) []byte {
	c := &Cell{Src: src, Base: token.Pos(gap + 1)}
	text := []byte(src)
	if c.wholeMagic(text) {
		return nil
	}
	var stack []byte
	for _, t := range c.lineMagics(text) {
		switch {
		case opens(t.tok):
			stack = append(stack, t.tok.String()[0])
		case closes(t.tok) && len(stack) > 0:
			stack = stack[:len(stack)-1]
		}
	}
	return stack
}
