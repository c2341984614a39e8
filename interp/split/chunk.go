package split

import (
	"go/scanner"
	"go/token"
	"strings"
)

// tokenSpan is one token of the cell.
type tokenSpan struct {
	tok        token.Token
	lit        string
	start, end int
}

type chunkKind int

const (
	stmtChunk chunkKind = iota
	packageChunk
	importChunk
	declChunk
)

// chunkSpan is a sequence of tokens up to and including a semicolon outside brackets.
type chunkSpan struct {
	kind        chunkKind
	first, last int // indices of tokens
	start, end  int // offsets
}

// scan returns the tokens of text, including automatic semicolons (with literal "\n"), and without
// comments.
func scan(text []byte) []tokenSpan {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, func(token.Position, string) {}, 0)
	var toks []tokenSpan
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return toks
		}
		start := f.Offset(pos)
		end := start + len(lit)
		switch {
		case tok == token.SEMICOLON && lit != ";":
			end = start
		case tok.IsOperator():
			end = start + len(tok.String())
		}
		toks = append(toks, tokenSpan{tok, lit, start, min(end, len(text))})
	}
}

func opens(t token.Token) bool {
	return t == token.LBRACE || t == token.LPAREN || t == token.LBRACK
}

func closes(t token.Token) bool {
	return t == token.RBRACE || t == token.RPAREN || t == token.RBRACK
}

var closer = map[token.Token]token.Token{
	token.LBRACE: token.RBRACE, token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK,
}

// balance finds the first unmatched bracket. Because parser errors occur far from such a bracket,
// only this error is reported.
func balance(text []byte, toks []tokenSpan, base token.Pos) *Error {
	var stack []tokenSpan
	for _, t := range toks {
		switch {
		case opens(t.tok):
			stack = append(stack, t)
		case closes(t.tok):
			if len(stack) == 0 {
				return &Error{Pos: base + token.Pos(t.start), Msg: "'" + t.tok.String() + "' closes nothing", Hint: "remove it, or write the '" + opener(t.tok) + "' that it closes"}
			}
			open := stack[len(stack)-1]
			if closer[open.tok] != t.tok {
				return &Error{Pos: base + token.Pos(t.start),
					Msg:  "'" + t.tok.String() + "' where '" + closer[open.tok].String() + "' is expected",
					Hint: "it would have to close the '" + open.tok.String() + "' at " + lineCol(text, open.start)}
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) > 0 {
		open := stack[len(stack)-1]
		return &Error{Pos: base + token.Pos(open.start), Msg: "'" + open.tok.String() + "' is never closed", Hint: "write the '" + closer[open.tok].String() + "' that closes it"}
	}
	return nil
}

// opener returns the opening bracket for a closing one.
func opener(closing token.Token) string {
	for open, c := range closer {
		if c == closing {
			return open.String()
		}
	}
	return ""
}

// lineCol formats the position of the offset.
func lineCol(text []byte, off int) string {
	line := 1 + strings.Count(string(text[:off]), "\n")
	col := off - strings.LastIndexByte(string(text[:off]), '\n')
	return "line " + itoa(line) + ", column " + itoa(col)
}

// chunk groups the tokens and distinguishes declarations from statements by their first tokens. The
// parts of a for statement's header become separate chunks, which is harmless: none of them can
// begin like a declaration.
func chunk(toks []tokenSpan, src string) []chunkSpan {
	var chunks []chunkSpan
	seenStmt := false
	for i := 0; i < len(toks); {
		if toks[i].tok == token.SEMICOLON && toks[i].lit != ";" {
			i++
			continue
		}
		j, depth := i, 0
		for ; j < len(toks); j++ {
			switch t := toks[j].tok; {
			case opens(t):
				depth++
			case closes(t):
				depth--
			}
			if depth == 0 && toks[j].tok == token.SEMICOLON {
				break
			}
		}
		last := min(j, len(toks)-1)
		kind := classify(toks[i:last+1], seenStmt)
		if kind == stmtChunk && toks[i].tok != token.SEMICOLON {
			seenStmt = true
		}
		chunks = append(chunks, chunkSpan{kind, i, last, toks[i].start, toks[last].end})
		i = last + 1
	}
	return chunks
}

func classify(toks []tokenSpan, seenStmt bool) chunkKind {
	switch toks[0].tok {
	case token.PACKAGE:
		return packageChunk
	case token.IMPORT:
		return importChunk
	case token.TYPE, token.CONST:
		return declChunk
	case token.VAR:
		if seenStmt {
			return stmtChunk
		}
		return declChunk
	case token.FUNC:
		if isFuncDecl(toks) {
			return declChunk
		}
	}
	return stmtChunk
}

// isFuncDecl reports whether tokens begin a declaration func f( or func (r T) m(, and not a
// function literal.
func isFuncDecl(toks []tokenSpan) bool {
	if len(toks) < 2 {
		return false
	}
	if toks[1].tok == token.IDENT {
		return true
	}
	if toks[1].tok != token.LPAREN {
		return false
	}
	depth := 0
	for i := 1; i < len(toks); i++ {
		switch t := toks[i].tok; {
		case opens(t):
			depth++
		case closes(t):
			depth--
		}
		if depth == 0 {
			return i+2 < len(toks) && toks[i+1].tok == token.IDENT && toks[i+2].tok == token.LPAREN
		}
	}
	return false
}

func has(chunks []chunkSpan, kind chunkKind) bool {
	for _, c := range chunks {
		if c.kind == kind {
			return true
		}
	}
	return false
}

// mask blanks all chunks except those of the kind. It keeps every offset and line, and comments
// outside of chunks.
func mask(text []byte, chunks []chunkSpan, kind chunkKind) []byte {
	out := append([]byte(nil), text...)
	for _, c := range chunks {
		if c.kind != kind {
			blank(out, c.start, c.end)
		}
	}
	return out
}

func blank(b []byte, start, end int) {
	for i := start; i < end; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
