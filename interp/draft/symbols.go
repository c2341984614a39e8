package draft

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/complete"
)

// Symbol is a declaration of a cell.
type Symbol struct {
	Name   string // "x", or "T.m" for a method
	Kind   string // as in completions: function, method, type, variable or constant
	Detail string
	Range        // of the declaration
	Ident  Range // of its name
}

// Symbols lists the declarations of a cell.
func (n *Notebook) Symbols(id string) []Symbol {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, _ := n.at(id, true)
	if c == nil {
		return nil
	}
	return n.symbols(c)
}

// AllSymbols lists the declarations of the notebook whose names contain the text, ignoring case.
func (n *Notebook) AllSymbols(text string) []Symbol {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.finish()
	var list []Symbol
	for _, c := range n.cells {
		for _, s := range n.symbols(c) {
			if strings.Contains(strings.ToLower(s.Name), strings.ToLower(text)) {
				list = append(list, s)
			}
		}
	}
	return list
}

func (n *Notebook) symbols(c *cell) []Symbol {
	r := c.checked()
	if r == nil || !c.current {
		return nil
	}
	var list []Symbol
	add := func(id *ast.Ident, owner string, around ast.Node) {
		o := r.Info.Defs[id]
		if o == nil || !c.owns(id) || id.Name == "_" {
			return
		}
		s := Symbol{Name: id.Name, Kind: complete.Kind(o), Detail: complete.Signature(o)}
		if owner != "" {
			s.Name, s.Kind = owner+"."+id.Name, "method"
		}
		at := int(id.Pos()) - c.base
		s.Ident = Range{c.ID, at, at + len(id.Name)}
		s.Range = s.Ident
		if from, to := int(around.Pos())-c.base, int(around.End())-c.base; from >= 0 && from <= at && s.End <= to && to <= len(c.Text) {
			s.Range = Range{c.ID, from, to}
		}
		list = append(list, s)
	}
	for _, d := range r.Files[0].Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name, check.ReceiverBase(d), d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, "", around(d, spec))
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id, "", around(d, spec))
					}
				}
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Ident.Start < list[j].Ident.Start })
	return list
}

// around returns the declaration of a single spec, or the spec of a group.
func around(d *ast.GenDecl, spec ast.Spec) ast.Node {
	if len(d.Specs) == 1 {
		return d
	}
	return spec
}

// Token is a name in a cell with its meaning.
type Token struct {
	Range
	// Type is namespace, type, typeParameter, function, method, variable, parameter, property or
	// macro (a magic).
	Type                          string
	Declaration, Constant, Static bool // Static marks names that Go predeclares
}

// Tokens lists the names of a cell in the order of its text.
func (n *Notebook) Tokens(id string) []Token {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, _ := n.at(id, true)
	if c == nil {
		return nil
	}
	var list []Token
	if c.current {
		magics := c.program.Cell.Lines
		if w := c.program.Cell.Whole; w != nil {
			magics = append(magics[:len(magics):len(magics)], w)
		}
		for _, m := range magics {
			if name, _, _ := strings.Cut(m.Text, " "); strings.HasPrefix(name, "%") {
				at := int(m.Pos - c.program.Src.Base)
				list = append(list, Token{Range: Range{c.ID, at, at + len(name)}, Type: "macro"})
			}
		}
	}
	for _, m := range c.mentions() {
		t := Token{Range: m.Range, Declaration: m.def, Static: m.obj.Pkg() == nil}
		switch o := m.obj.(type) {
		case *types.PkgName:
			t.Type, t.Static = "namespace", false
		case *types.TypeName:
			t.Type = "type"
			if _, ok := o.Type().(*types.TypeParam); ok {
				t.Type = "typeParameter"
			}
		case *types.Func:
			t.Type = "function"
			if o.Signature().Recv() != nil {
				t.Type = "method"
			}
		case *types.Builtin:
			t.Type = "function"
		case *types.Const, *types.Nil:
			t.Type, t.Constant = "variable", true
		case *types.Var:
			switch {
			case o.IsField():
				t.Type = "property"
			case o.Kind() == types.ParamVar, o.Kind() == types.RecvVar, o.Kind() == types.ResultVar:
				t.Type = "parameter"
			default:
				t.Type = "variable"
			}
		default:
			continue
		}
		list = append(list, t)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Start < list[j].Start })
	return list
}

// Fold is a part of a cell that an editor can fold.
type Fold struct {
	Start, End int
	Kind       string // "", "comment" or "imports"
}

// Folds lists the parts of a cell between brackets on several lines, and its comments.
func Folds(text string) []Fold {
	var list []Fold
	type open struct {
		at   int
		kind string
	}
	var stack []open
	comment := Fold{Start: -1}
	end := func() {
		if comment.Start >= 0 && strings.Contains(text[comment.Start:comment.End], "\n") {
			list = append(list, comment)
		}
		comment.Start = -1
	}
	last := token.ILLEGAL
	for _, t := range scan(text) {
		if t.tok == token.COMMENT {
			if comment.Start < 0 || strings.Count(text[comment.End:t.start], "\n") > 1 {
				end()
				comment = Fold{t.start, t.end, "comment"}
			}
			comment.End = t.end
			continue
		}
		if t.tok == token.SEMICOLON && t.end == t.start {
			continue
		}
		end()
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			kind := ""
			if last == token.IMPORT {
				kind = "imports"
			}
			stack = append(stack, open{t.end, kind})
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(stack) == 0 {
				continue
			}
			o := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if strings.Contains(text[o.at:t.start], "\n") {
				list = append(list, Fold{o.at, t.start, o.kind})
			}
		}
		last = t.tok
	}
	end()
	sort.SliceStable(list, func(i, j int) bool { return list[i].Start < list[j].Start })
	return list
}
