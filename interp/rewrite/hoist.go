package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/split"
)

// hoist is one definition at the top level. While the cell is checked, it is a package variable
// with its initial value, so that go/types infers its type. Finish moves the value to an assignment
// at its position in the cell's function.
type hoist struct {
	spec *ast.ValueSpec
	end  token.Pos // from here on, the names refer to the new variables
	// place marks the position of the definition among the statements. Its statements run after the
	// assignment.
	place *ast.BlockStmt
	// declared are the names that the session declares, if they differ from those of spec.
	declared []*ast.Ident
}

// hoist builds the entry function from the statements.
func (u *Unit) hoist(stmts []ast.Stmt) {
	hasMain := false
	for _, d := range u.Cell.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			hasMain = true
		}
	}
	if len(stmts) == 0 && !hasMain {
		return
	}
	mine := map[string]bool{}
	for _, d := range u.Cell.Decls {
		for _, id := range check.DeclaredBy(d) {
			mine[id.Name] = true
		}
	}
	var body []ast.Stmt
	for _, s := range stmts {
		body = append(body, u.hoistStmt(s, mine))
	}
	if hasMain {
		pos := u.File.FileEnd
		body = append(body, &ast.ExprStmt{X: &ast.CallExpr{Fun: ident("main", pos), Lparen: pos, Rparen: pos}})
	}
	start, end := u.File.FileStart, u.File.FileEnd
	u.entry = &ast.FuncDecl{
		Name: ident(EntryName, start),
		Type: &ast.FuncType{Func: start, Params: &ast.FieldList{Opening: start, Closing: start}},
		Body: &ast.BlockStmt{Lbrace: start, List: body, Rbrace: end},
	}
	u.File.Decls = append(u.File.Decls, u.entry)
	u.last = u.lastExpr(stmts)
}

// lastExpr finds the expression statement that ends the cell, unless a
// semicolon hides its value.
func (u *Unit) lastExpr(stmts []ast.Stmt) *ast.ExprStmt {
	for i := len(stmts) - 1; i >= 0; i-- {
		if _, ok := stmts[i].(*ast.EmptyStmt); ok {
			continue
		}
		if e, ok := stmts[i].(*ast.ExprStmt); ok {
			if isRuntimeCall(e) {
				continue
			}
			if u.Cell.Hidden {
				for _, e := range append(u.Cell.Values, e) {
					u.hide(e)
				}
				return nil
			}
			return e
		}
		return nil
	}
	return nil
}

// hide converts an expression with an unused value to a statement.
func (u *Unit) hide(e *ast.ExprStmt) {
	if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok && !mustBeUsed(call) {
		return
	}
	u.replaceStmt(e, &ast.AssignStmt{Lhs: []ast.Expr{ident("_", e.Pos())}, TokPos: e.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{e.X}})
}

// mustBeUsed reports whether a call is a conversion or a call of a built-in function that Go does
// not accept as a statement.
func mustBeUsed(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	switch id.Name {
	case "append", "cap", "complex", "imag", "len", "make", "max", "min", "new", "real":
		return true
	}
	_, isType := types.Universe.Lookup(id.Name).(*types.TypeName)
	return isType
}

// replaceStmt replaces one statement of the entry by others.
func (u *Unit) replaceStmt(old ast.Stmt, with ...ast.Stmt) {
	for i, s := range u.entry.Body.List {
		if s == old {
			list := append([]ast.Stmt{}, u.entry.Body.List[:i]...)
			list = append(list, with...)
			u.entry.Body.List = append(list, u.entry.Body.List[i+1:]...)
			return
		}
	}
}

func (u *Unit) hoistStmt(s ast.Stmt, mine map[string]bool) ast.Stmt {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		s.Stmt = u.hoistStmt(s.Stmt, mine)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return u.hoistDefine(s, mine)
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			block := &ast.BlockStmt{Lbrace: s.Pos(), Rbrace: s.End()}
			for _, sp := range d.Specs {
				spec, ok := sp.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, n := range spec.Names {
					mine[n.Name] = true
				}
				block.List = append(block.List, u.addHoist(spec, spec.End()))
			}
			return block
		}
	}
	return s
}

// hoistDefine handles x, y := f(). It assigns names that the cell has already declared, as Go does
// within a block.
func (u *Unit) hoistDefine(s *ast.AssignStmt, mine map[string]bool) ast.Stmt {
	spec := &ast.ValueSpec{Values: s.Rhs}
	var after []ast.Stmt
	anyNew := false
	for _, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			// The parser has reported it.
			return s
		}
		switch {
		case id.Name == "_":
			spec.Names = append(spec.Names, ident("_", id.Pos()))
		case mine[id.Name]:
			tmp := u.fresh("again")
			spec.Names = append(spec.Names, ident(tmp, id.Pos()))
			after = append(after, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{ident(tmp, id.Pos())}})
		default:
			anyNew = true
			spec.Names = append(spec.Names, id)
		}
	}
	if !anyNew {
		u.errs = append(u.errs, check.Error{Pos: s.TokPos, End: s.TokPos + 2, Code: check.NoNewVar, Msg: "no new variables on left side of :="})
		return s
	}
	for _, id := range spec.Names {
		if !Reserved(id.Name) {
			mine[id.Name] = true
		}
	}
	block := u.addHoist(spec, s.End())
	block.List = append(block.List, after...)
	return block
}

func (u *Unit) addHoist(spec *ast.ValueSpec, end token.Pos) *ast.BlockStmt {
	pos := spec.Pos()
	decl := &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}
	u.File.Decls = append(u.File.Decls, decl)
	h := &hoist{spec: spec, end: end, place: &ast.BlockStmt{Lbrace: pos, Rbrace: end}}
	u.hoists = append(u.hoists, h)
	if !u.reached {
		u.reached = true
		u.File.Decls = append(u.File.Decls, &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{
			&ast.ValueSpec{Names: []*ast.Ident{ident(ReachedName, u.Cell.Base)}, Values: []ast.Expr{intLit(0, u.Cell.Base)}},
		}})
	}
	if len(spec.Values) == 0 && spec.Type != nil {
		// var x T is zero from here on, whatever an earlier x was.
		for _, id := range spec.Names {
			if id.Name != "_" {
				h.place.List = append(h.place.List, u.zero(id.Name, end, spec.Type)...)
			}
		}
	}
	h.place.List = append(h.place.List, &ast.AssignStmt{
		Lhs: []ast.Expr{ident(ReachedName, end)}, TokPos: end, Tok: token.ASSIGN, Rhs: []ast.Expr{intLit(len(u.hoists), end)},
	})
	return h.place
}

// NeedsOrder reports whether a variable that is declared before the statements must become a
// statement. Either its value reads a variable of an earlier cell with the same name, or its value
// is a call whose error the declaration leaves out.
func (u *Unit) NeedsOrder(r *check.Result) bool {
	hoisted := map[ast.Spec]bool{}
	for _, h := range u.hoists {
		hoisted[h.spec] = true
	}
	for _, d := range u.File.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, sp := range g.Specs {
			spec := sp.(*ast.ValueSpec)
			if hoisted[spec] {
				continue
			}
			if _, lacks := lacksError(r.Info, len(spec.Names), spec.Values); lacks || u.readsItself(spec, r) {
				return true
			}
			operand := false
			outsideLiterals(spec, func(c *astutil.Cursor) {
				if call, ok := c.Node().(*ast.CallExpr); ok && lacksOperand(r.Info, c.Parent(), call) > 0 {
					operand = true
				}
			})
			if operand {
				return true
			}
		}
	}
	return false
}

// readsItself reports whether a declaration has the form var x = x + 1.
func (u *Unit) readsItself(spec *ast.ValueSpec, r *check.Result) bool {
	own := map[types.Object]bool{}
	for _, id := range spec.Names {
		if u.OlderVar(id.Name) {
			own[r.Info.Defs[id]] = true
		}
	}
	found := false
	for _, v := range spec.Values {
		ast.Inspect(v, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && r.Info.Uses[id] != nil && own[r.Info.Uses[id]] {
				found = true
			}
			return !found
		})
	}
	return found
}

// OrderVariables converts the declarations of variables before the first statement of a cell to
// statements.
func OrderVariables(c *split.Cell) {
	var decls []ast.Decl
	var stmts []ast.Stmt
	for _, d := range c.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			stmts = append(stmts, &ast.DeclStmt{Decl: g})
			continue
		}
		decls = append(decls, d)
	}
	c.Decls, c.Stmts = decls, append(stmts, c.Stmts...)
}

// zero sets x to the zero value of the type.
func (u *Unit) zero(x string, pos token.Pos, t ast.Expr) []ast.Stmt {
	name := u.fresh("zero")
	return []ast.Stmt{
		&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{ident(name, pos)}, Type: t}}}},
		&ast.AssignStmt{Lhs: []ast.Expr{ident(x, pos)}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{ident(name, pos)}},
	}
}

// StartErrors returns the errors found while the unit was created.
func (u *Unit) StartErrors() []check.Error { return u.errs }

// Definitions returns, for each name that a statement declares, the value that ReachedName has from
// the definition on.
func (u *Unit) Definitions() map[string]int {
	names := map[string]int{}
	for i, h := range u.hoists {
		for _, id := range append(h.declared, h.spec.Names...) {
			if id.Name != "_" && !Reserved(id.Name) {
				names[id.Name] = i + 1
			}
		}
	}
	return names
}

// Finish moves the initial values of hoisted variables to their positions among the statements.
// Call it once, after the last check found no errors. It keeps the information of that check
// correct.
func (u *Unit) Finish(r *check.Result) {
	moved := map[ast.Expr]bool{}
	for _, h := range u.hoists {
		if len(h.spec.Values) == 0 {
			continue
		}
		assign := &ast.AssignStmt{TokPos: h.spec.Pos(), Tok: token.ASSIGN, Rhs: h.spec.Values}
		for _, id := range h.spec.Names {
			assign.Lhs = append(assign.Lhs, u.use(id, r))
		}
		for _, v := range h.spec.Values {
			moved[v] = true
		}
		h.spec.Values = nil
		h.place.List = append([]ast.Stmt{assign}, h.place.List...)
	}
	kept := r.Info.InitOrder[:0]
	for _, in := range r.Info.InitOrder {
		if !moved[in.Rhs] {
			kept = append(kept, in)
		}
	}
	r.Info.InitOrder = kept
	u.noteInitial(r)
}

// use returns an identifier that refers to the variable declared by id.
func (u *Unit) use(id *ast.Ident, r *check.Result) *ast.Ident {
	n := ident(id.Name, id.Pos())
	if id.Name != "_" {
		// The only possible error is an undeclared name, and the name is declared.
		_ = types.CheckExpr(u.Fset, r.Package, token.NoPos, n, r.Info)
	}
	return n
}
