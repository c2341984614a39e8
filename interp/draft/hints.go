package draft

import (
	"go/scanner"
	"go/token"
	"go/types"

	"github.com/gokernel/gokernel/interp/scope"
)

// lexeme is a token of a cell with its bounds.
type lexeme struct {
	tok        token.Token
	start, end int
}

// scan returns the tokens of a cell, including comments.
func scan(text string) []lexeme {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	var list []lexeme
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return list
		}
		start := file.Offset(pos)
		n := len(lit)
		switch {
		case tok == token.SEMICOLON && lit != ";":
			n = 0
		case tok.IsOperator():
			n = len(tok.String())
		}
		list = append(list, lexeme{tok, start, min(start+n, len(text))})
	}
}

// InlayType is the type of a variable that is declared without one.
type InlayType struct {
	At   int // offset at which an editor shows the type
	Type string
}

// InlayTypes lists the types of the variables that := declares in a cell.
func (n *Notebook) InlayTypes(id string) []InlayType {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, _ := n.at(id, true)
	if c == nil {
		return nil
	}
	objects := map[int]types.Object{}
	for _, m := range c.mentions() {
		if m.def {
			objects[m.Start] = m.obj
		}
	}
	var list []InlayType
	toks := scan(c.Text)
	for i, t := range toks {
		if t.tok != token.DEFINE {
			continue
		}
		first := i
		for first >= 1 && toks[first-1].tok == token.IDENT {
			if first--; first >= 1 && toks[first-1].tok == token.COMMA {
				first--
			}
		}
		for _, id := range toks[first:i] {
			v, ok := objects[id.start].(*types.Var)
			if !ok || v.Type() == nil || v.Type() == types.Typ[types.Invalid] {
				continue
			}
			list = append(list, InlayType{id.end, scope.TypeString(v.Type())})
		}
	}
	return list
}
