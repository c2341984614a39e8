package export

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// The text of a cell is written again: code that no rewrite has changed is copied with its comments
// and its layout, and rewritten code is converted to plain Go. Rewrites keep the positions of what
// they replace, so the surrounding text is known.

// writer writes the nodes of a checked cell.
type writer struct {
	x    *exporter
	info *types.Info
	out  *file // receives the imports and helpers
	refs map[*entity]bool
	// literal counts the enclosing function literals.
	literal int
	late    map[*entity]bool // mentioned in function literals
}

// write returns the text of a node.
func (w *writer) write(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return w.identifier(n)
	case *ast.BasicLit:
		return n.Value
	case *ast.SelectorExpr:
		return w.selector(n)
	case *ast.CallExpr:
		return w.call(n)
	case *ast.ParenExpr:
		return w.paren(n)
	case *ast.KeyValueExpr:
		if n.Key.Pos() == n.Value.Pos() {
			return w.write(n.Value) // the checker has added the field name
		}
	case *ast.AssignStmt:
		return w.assignment(n)
	case *ast.BlockStmt:
		if call, ok := uncheckedCall(n); ok {
			return w.must(call)
		}
	case *ast.FuncLit:
		w.literal++
		defer func() { w.literal-- }()
	}
	return w.copy(n)
}

// copy writes the text of a node in its cell, and writes its children recursively.
func (w *writer) copy(n ast.Node) string {
	var b strings.Builder
	at := start(n)
	for _, child := range children(n) {
		if rewrite.IsParameterNames(child) { // not in the text
			b.WriteString(", " + w.parameterNames(child.(*ast.CompositeLit)))
			continue
		}
		s := start(child)
		if s < at || child.End() < s {
			w.x.fail(n, "the positions in its syntax tree are out of order; this is a bug in gokernel, please report it")
			return ""
		}
		b.WriteString(w.x.slice(at, s))
		b.WriteString(w.write(child))
		at = child.End()
	}
	b.WriteString(w.x.slice(at, n.End()))
	return b.String()
}

// parameterNames writes the labels of the controls.
func (w *writer) parameterNames(names *ast.CompositeLit) string {
	return w.importName("github.com/gokernel/gokernel/display/widget", "widget") + ".ParameterNames{" + w.list(names.Elts) + "}"
}

// children returns the direct children of a node, in the order of the text.
func children(n ast.Node) []ast.Node {
	if f, ok := n.(*ast.FuncDecl); ok {
		var list []ast.Node
		if f.Recv != nil {
			list = append(list, f.Recv)
		}
		list = append(list, f.Name)
		if f.Type.TypeParams != nil {
			list = append(list, f.Type.TypeParams)
		}
		list = append(list, f.Type.Params)
		if f.Type.Results != nil {
			list = append(list, f.Type.Results)
		}
		if f.Body != nil {
			list = append(list, f.Body)
		}
		return list
	}
	var list []ast.Node
	ast.Inspect(n, func(m ast.Node) bool {
		switch {
		case m == nil:
			return false
		case m == n:
			return true
		}
		switch m := m.(type) {
		case *ast.CommentGroup, *ast.Comment:
		case ast.Stmt:
			if !isMade(m) {
				list = append(list, m)
			}
		default:
			list = append(list, m)
		}
		return false
	})
	return list
}

// isMade reports whether a rewrite added the statement for an error returned by a call before it.
func isMade(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR && len(g.Specs) == 1 {
			spec := g.Specs[0].(*ast.ValueSpec)
			return rewrite.Reserved(spec.Names[0].Name)
		}
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && rewrite.RuntimeName(call.Fun) == "Check" {
			id, ok := call.Args[0].(*ast.Ident)
			return ok && rewrite.Reserved(id.Name)
		}
	}
	return false
}

// start returns the start of a node's text. If an operator was rewritten to a method call, the
// receiver may be the right operand.
func start(n ast.Node) token.Pos {
	pos := n.Pos()
	switch n := n.(type) {
	case *ast.CallExpr:
		pos = min(start(n.Fun), n.Lparen)
		for _, a := range n.Args {
			pos = min(pos, start(a))
		}
	case *ast.SelectorExpr:
		pos = start(n.X)
	case *ast.IndexExpr:
		pos = start(n.X)
	case *ast.IndexListExpr:
		pos = start(n.X)
	case *ast.SliceExpr:
		pos = start(n.X)
	case *ast.TypeAssertExpr:
		pos = start(n.X)
	case *ast.BinaryExpr:
		pos = start(n.X)
	case *ast.KeyValueExpr:
		pos = start(n.Key)
	case *ast.ExprStmt:
		pos = start(n.X)
	case *ast.AssignStmt:
		pos = start(n.Lhs[0])
	case *ast.IncDecStmt:
		pos = start(n.X)
	case *ast.SendStmt:
		pos = start(n.Chan)
	}
	return pos
}

// stands reports whether the text of the cell has the word at the position.
func (x *exporter) stands(pos token.Pos, word string) bool {
	return x.slice(pos, pos+token.Pos(len(word))) == word
}

func (w *writer) identifier(id *ast.Ident) string {
	if e := w.x.entityOf(w.info.Defs[id]); e != nil {
		return e.final
	}
	o := w.info.Uses[id]
	switch o := o.(type) {
	case nil:
		return id.Name
	case *types.PkgName:
		return w.importName(o.Imported().Path(), o.Imported().Name())
	}
	if e := w.x.entityOf(o); e != nil {
		return w.mention(e)
	}
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() || o.Pkg().Path() == "main" {
		return id.Name // predeclared, a field, or local to a function
	}
	return w.verb(o)
}

// verb writes a name that is available in every cell.
func (w *writer) verb(o types.Object) string {
	if o.Pkg().Path() == askPath {
		name := strings.ToLower(o.Name()[:1]) + o.Name()[1:]
		if _, ok := helpers[name]; !ok && w.x.err == nil {
			w.x.err = fmt.Errorf("export: %s works only in a notebook: in a cell that you export, read os.Stdin instead", o.Name())
		}
		return w.helper(name)
	}
	return w.importName(o.Pkg().Path(), o.Pkg().Name()) + "." + o.Name()
}

// mention records that the program uses the entity, and returns its name.
func (w *writer) mention(e *entity) string {
	w.refs[e] = true
	if w.literal > 0 {
		w.late[e] = true
	}
	e.mentioned++
	if e.variable != nil {
		return e.variable.final
	}
	return e.final
}

func (w *writer) selector(s *ast.SelectorExpr) string {
	if id, ok := s.X.(*ast.Ident); ok {
		switch name := rewrite.RuntimeName(s); {
		case name != "":
			return predeclared[name]
		case rewrite.IsStdin(s):
			w.x.readsStdin = true
			return w.importName("os", "os") + ".Stdin"
		case rewrite.Reserved(id.Name):
			w.x.fail(s, "it has no name in Go")
		}
	}
	if !w.x.stands(s.Sel.Pos(), s.Sel.Name) {
		return w.write(s.X) + "." + s.Sel.Name
	}
	return w.write(s.X) + w.x.slice(s.X.End(), s.Sel.Pos()) + s.Sel.Name
}

// predeclared maps names in package cellrt to the predeclared types of Go.
var predeclared = map[string]string{"Any": "any", "Error": "error", "Float": "float64", "Int": "int", "String": "string"}

func (w *writer) paren(p *ast.ParenExpr) string {
	if star, ok := p.X.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok && rewrite.Reserved(id.Name) {
			return w.identifier(id) // the variable of an earlier cell
		}
	}
	made := p.X.Pos() == p.Lparen
	text := w.write(p.X)
	switch x := p.X.(type) {
	case *ast.CallExpr:
		if made || w.isMade(x) {
			return text
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		if made {
			return text
		}
	}
	if made {
		return "(" + text + ")"
	}
	return w.x.slice(p.Lparen, start(p.X)) + text + w.x.slice(p.X.End(), p.End())
}

// isMade reports whether the call replaced an operator.
func (w *writer) isMade(call *ast.CallExpr) bool {
	if rewrite.RuntimeName(call.Fun) != "" || !w.x.stands(call.Lparen, "(") || call.Lparen <= call.Fun.Pos() {
		return true
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && !w.x.stands(s.Sel.Pos(), s.Sel.Name)
}

func (w *writer) call(call *ast.CallExpr) string {
	if name := rewrite.RuntimeName(call.Fun); name != "" {
		return w.operation(call, name)
	}
	if id, ok := call.Fun.(*ast.Ident); ok && rewrite.IsMust(id.Name) {
		return w.must(call.Args[0].(*ast.CallExpr))
	}
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if rewrite.IsNamed(s) {
			return w.write(call.Args[len(call.Args)-1])
		}
		if len(call.Args) > 0 && rewrite.IsStdin(call.Args[0]) && strings.HasPrefix(s.Sel.Name, "Fscan") && !w.x.stands(s.Sel.Pos(), s.Sel.Name) {
			w.x.readsStdin = true
			return w.write(s.X) + ".S" + s.Sel.Name[2:] + "(" + w.list(call.Args[1:]) + ")"
		}
	}
	if w.isMade(call) {
		return w.write(call.Fun) + "(" + w.list(call.Args) + ")"
	}
	return w.copy(call)
}

func (w *writer) list(list []ast.Expr) string {
	var texts []string
	for _, e := range list {
		texts = append(texts, w.write(e))
	}
	return strings.Join(texts, ", ")
}

// must writes a call whose error ends the program.
func (w *writer) must(call *ast.CallExpr) string {
	n := 1
	if t, ok := w.info.TypeOf(call).(*types.Tuple); ok {
		n = t.Len() - 1
	}
	switch n {
	case 1:
		return w.helper("must") + "(" + w.write(call) + ")"
	case 2:
		return w.helper("must2") + "(" + w.write(call) + ")"
	case 3:
		return w.helper("must3") + "(" + w.write(call) + ")"
	}
	w.x.fail(call, "it returns an error and more than three other values: assign the error in the cell")
	return ""
}

// uncheckedCall recognizes the block generated for a call of several results whose error is not
// checked.
func uncheckedCall(b *ast.BlockStmt) (*ast.CallExpr, bool) {
	if len(b.List) != 2 || !isMade(b.List[1]) {
		return nil, false
	}
	s, ok := b.List[0].(*ast.AssignStmt)
	if !ok || s.Tok != token.DEFINE {
		return nil, false
	}
	id, ok := s.Lhs[len(s.Lhs)-1].(*ast.Ident)
	if !ok || !rewrite.Reserved(id.Name) {
		return nil, false
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	return call, ok
}

// assignment writes x = f() and similar assignments. An error added on the left by a rewrite ends
// the program.
func (w *writer) assignment(s *ast.AssignStmt) string {
	var left []string
	failing := false
	for _, l := range s.Lhs {
		if id, ok := l.(*ast.Ident); ok && rewrite.Reserved(id.Name) {
			failing = true
			continue
		}
		left = append(left, w.write(l))
	}
	right := ""
	if call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); ok && failing {
		right = w.must(call)
	} else {
		right = w.list(s.Rhs)
	}
	return strings.Join(left, ", ") + " " + s.Tok.String() + " " + right
}

// callee returns the called function, or nil if it is not known.
func (w *writer) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, _ := w.info.Uses[id].(*types.Func)
	return f
}
