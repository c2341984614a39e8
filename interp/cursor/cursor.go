// Package cursor finds the name at a position of a cell that is being written. Such a cell is
// rarely complete, so the package closes brackets and fills in the missing name until the type
// checker can type the expression before it.
package cursor

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/split"
)

// Env is what a cell can refer to.
type Env struct {
	Importer types.Importer
	// Visible returns the object of the session, or the predeclared object, with that name.
	Visible func(name string) types.Object
	// ImportPath returns the import path for a package name.
	ImportPath func(name string, members []string) (string, bool)
}

// Place describes the name at the cursor.
type Place struct {
	Ident *ast.Ident // the name at the cursor
	// Selector is the selector expression with Ident on its right side.
	Selector *ast.SelectorExpr
	// Literal is the composite literal that contains Ident as an element or a key.
	Literal *ast.CompositeLit
	Info    *types.Info
	Package *types.Package
	// Scope is the innermost scope at the cursor.
	Scope *types.Scope
	// Expected is the type of the value needed at the cursor, or nil if any type is allowed.
	// WantsType reports whether only a type is allowed.
	Expected  types.Type
	WantsType bool
	// Addressed reports whether the name follows &, as the type of a literal does.
	Addressed bool
}

// maxRounds is the maximum number of rounds of rewriting.
const maxRounds = 6

// placeholder replaces a name that is not written yet.
const placeholder = "ǃhere"

// Word returns the bounds of the name that contains the offset.
func Word(code string, offset int) (start, end int) {
	start, end = offset, offset
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(code[:start])
		if !nameRune(r) {
			break
		}
		start -= n
	}
	for end < len(code) {
		r, n := utf8.DecodeRuneInString(code[end:])
		if !nameRune(r) {
			break
		}
		end += n
	}
	return start, end
}

func nameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Complete finds the name to complete between start and the offset: it replaces the name by a
// placeholder.
func Complete(env *Env, code string, start, offset int) *Place {
	_, end := Word(code, offset)
	return find(env, code[:start]+placeholder, code[end:], start, placeholder)
}

// Find finds the name that begins at start and ends at end.
func Find(env *Env, code string, start, end int) *Place {
	return find(env, code[:end], code[end:], start, code[start:end])
}

// find tries the code as it is. Then it tries only the text before the cursor, with its brackets
// closed in several ways: as an expression, as the head of a block, and as the left side of an
// assignment. Finally it tries only the line, because the text above may contain other errors.
func find(env *Env, before, after string, at int, name string) *Place {
	var best *Place
	texts := []string{
		before + after,
		before + closers(before) + "\n",
		before + " {\n}" + closers(before) + "\n",
		before + head(before) + "\n",
		before + " = nil" + closers(before) + "\n",
		before + restOfLine(after) + closers(before+restOfLine(after)) + "\n",
	}
	if beginsBlock(before) {
		texts = append([]string{before + after, before + head(before) + "\n"}, texts[1:]...)
	}
	for _, text := range texts {
		p := analyze(env, text, at, name)
		if p == nil {
			continue
		}
		if p.known() {
			return p
		}
		if best == nil {
			best = p
		}
	}
	if best == nil {
		start := strings.LastIndexByte(before, '\n') + 1
		line := before[start:]
		best = analyze(env, line+closers(line)+"\n", at-start, name)
	}
	return best
}

// beginsBlock reports whether the last line begins like the head of a block.
func beginsBlock(text string) bool {
	line := strings.TrimLeft(text[strings.LastIndexByte(text, '\n')+1:], " \t")
	line = strings.TrimPrefix(line, "} else ")
	word, _, ok := strings.Cut(line, " ")
	return ok && (word == "if" || word == "for" || word == "switch")
}

// head closes the brackets of the last line, adds a block, and closes the other brackets.
func head(text string) string {
	inLine := closers(text[strings.LastIndexByte(text, '\n')+1:])
	return inLine + " {\n}" + strings.TrimPrefix(closers(text), inLine)
}

func restOfLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// known reports whether the types determine what the name refers to, or what it is selected from.
func (p *Place) known() bool {
	if p.Selector == nil {
		return p.Literal == nil || p.LiteralType() != nil
	}
	if id, ok := p.Selector.X.(*ast.Ident); ok {
		if _, ok := p.Info.Uses[id].(*types.PkgName); ok {
			return true
		}
	}
	t := p.Info.TypeOf(p.Selector.X)
	return t != nil && t != types.Typ[types.Invalid]
}

// LiteralType returns the struct type of Literal, or nil if it is not a struct.
func (p *Place) LiteralType() *types.Struct {
	if p.Literal == nil {
		return nil
	}
	t := p.Info.TypeOf(p.Literal)
	if t == nil {
		return nil
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// closers returns the brackets that close the open ones of the text.
func closers(text string) string {
	var stack []byte
	for _, b := range split.Open(text) {
		switch b {
		case '(':
			stack = append(stack, ')')
		case '[':
			stack = append(stack, ']')
		case '{':
			stack = append(stack, '}')
		}
	}
	var out strings.Builder
	for i := len(stack) - 1; i >= 0; i-- {
		out.WriteByte(stack[i])
	}
	return out.String()
}

// analyze checks the text and finds the name at the offset.
func analyze(env *Env, text string, at int, name string) (place *Place) {
	// The tree of an invalid cell can have gaps that no pass expects.
	defer func() {
		if recover() != nil {
			place = nil
		}
	}()
	fset := token.NewFileSet()
	base := token.Pos(split.Reserve(fset, "cell", text).Base())
	cell, _ := split.Parse(text, base)
	if cell.Whole != nil {
		return nil
	}
	unit := rewrite.New(fset, cell)
	unit.OlderVar = func(string) bool { return false }
	unit.Import(func(name string) bool { return false }, func(_ *ast.File, name string, members []string) (string, bool) {
		for i, m := range members {
			if m == placeholder {
				members = append(members[:i:i], members[i+1:]...)
				break
			}
		}
		if obj := env.Visible(name); obj != nil {
			return "", false
		}
		return env.ImportPath(name, members)
	})
	checker := &check.Checker{Fset: fset, Importer: env.Importer, Visible: env.Visible}
	r := checker.Check(unit.Files())
	pos := base + token.Pos(at)
	find := func() (p *Place, parents []ast.Node) {
		p = &Place{Info: r.Info, Package: r.Package}
		for _, f := range unit.Files() {
			if around := p.search(f, pos, name); around != nil {
				parents = around
			}
		}
		return p, parents
	}
	// Code in the cell language gets its types only in rounds of rewriting, which may also remove
	// the name.
	p, parents := find()
	checked := r // the result of the check that found the place
	for round := 0; len(r.Errors) > 0 && round < maxRounds; round++ {
		if changed, _ := unit.Rewrite(r); !changed {
			break
		}
		r = checker.Check(unit.Files())
		q, around := find()
		if q.Ident == nil || p.Ident != nil && p.known() && !q.known() {
			break
		}
		p, parents, checked = q, around, r
	}
	if p.Ident == nil {
		return nil
	}
	p.Scope = innermost(checked, pos)
	p.expect(parents)
	return p
}

// search finds the name at the position and the expression it belongs to. It returns the nodes that
// enclose the name, outermost first, or nil if the file does not contain it.
func (p *Place) search(f *ast.File, pos token.Pos, name string) (parents []ast.Node) {
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.Ident:
			if n.Pos() == pos && n.Name == name {
				p.Ident = n
				parents = slices.Clone(stack[:len(stack)-1])
			}
		case *ast.SelectorExpr:
			if n.Sel.Pos() == pos {
				p.Selector = n
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Key
				}
				if e.Pos() == pos {
					p.Literal = n
				}
			}
		}
		return true
	})
	return parents
}

// innermost returns the smallest scope that contains the position.
func innermost(r *check.Result, pos token.Pos) *types.Scope {
	best := r.Package.Scope()
	size := token.Pos(1 << 40)
	for n, s := range r.Info.Scopes {
		if _, isFile := n.(*ast.File); isFile {
			continue
		}
		start, end := n.Pos(), n.End()
		// The scope of a function is recorded for its type.
		if s.Pos().IsValid() && s.End() > end {
			start, end = s.Pos(), s.End()
		}
		if start <= pos && pos <= end && end-start < size {
			best, size = s, end-start
		}
	}
	return best
}

// Object returns the object that the name refers to.
func (p *Place) Object() types.Object {
	if p.Ident == nil {
		return nil
	}
	if p.Selector != nil {
		if s := p.Info.Selections[p.Selector]; s != nil {
			return s.Obj()
		}
		// strings.Builder.WriteString is not a valid Go expression, because the method has a
		// pointer receiver, but users request its documentation in this form.
		if x, ok := p.Info.Types[p.Selector.X]; ok && x.IsType() {
			if o, _, _ := types.LookupFieldOrMethod(x.Type, true, p.Package, p.Ident.Name); o != nil {
				return o
			}
		}
	}
	if o := p.Info.Uses[p.Ident]; o != nil {
		return o
	}
	return p.Info.Defs[p.Ident]
}
