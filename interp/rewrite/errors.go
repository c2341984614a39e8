package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
)

// lacksError reports whether the single value is a call with one more result than there are names,
// and the last result is an error.
func lacksError(info *types.Info, names int, values []ast.Expr) (*ast.CallExpr, bool) {
	if len(values) != 1 {
		return nil, false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	res := resultsOf(info, call)
	return call, len(res) == names+1 && len(res) > 1 && isError(res[len(res)-1])
}

// elided completes x := f() and x = f() where f also returns an error: the error is assigned to a
// variable and checked at once.
func (u *Unit) elided(r *check.Result) bool {
	changed := false
	for _, h := range u.hoists {
		call, ok := lacksError(r.Info, len(h.spec.Names), h.spec.Values)
		if !ok {
			continue
		}
		name := u.fresh("err")
		if h.spec.Type != nil {
			// The type applies to every name of a spec, but not to the error: first assign the
			// values to names without a type.
			u.splitTyped(h, name, call)
		} else {
			h.spec.Names = append(h.spec.Names, ident(name, call.Pos()))
		}
		u.checkFirst(h.place, name, call)
		changed = true
	}
	u.eachStmt(func(c *astutil.Cursor) {
		s, ok := c.Node().(*ast.AssignStmt)
		if !ok || s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			return
		}
		call, ok := lacksError(r.Info, len(s.Lhs), s.Rhs)
		if !ok || c.Index() < 0 {
			return
		}
		e := ident(u.fresh("err"), call.Pos())
		if s.Tok == token.ASSIGN {
			c.InsertBefore(&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: s.Pos(), Tok: token.VAR, Specs: []ast.Spec{
				&ast.ValueSpec{Names: []*ast.Ident{ident(e.Name, s.Pos())}, Type: u.predeclared("Error", s.Pos())},
			}}})
		}
		s.Lhs = append(s.Lhs, e)
		check := &ast.ExprStmt{X: u.runtimeCall(call.Pos(), "Check", ident(e.Name, call.Pos()))}
		u.done[check] = true
		c.InsertAfter(check)
		changed = true
	})
	return changed
}

// splitTyped turns var x T = f() into var tmp, err = f() and, after the check of
// err, x = tmp.
func (u *Unit) splitTyped(h *hoist, errName string, call *ast.CallExpr) {
	typed := &ast.ValueSpec{Names: h.spec.Names, Type: h.spec.Type}
	u.File.Decls = append(u.File.Decls, &ast.GenDecl{TokPos: h.spec.Pos(), Tok: token.VAR, Specs: []ast.Spec{typed}})
	var names []*ast.Ident
	for _, id := range typed.Names {
		tmp := u.fresh("val")
		names = append(names, ident(tmp, id.Pos()))
		if id.Name != "_" {
			assign := &ast.AssignStmt{Lhs: []ast.Expr{ident(id.Name, id.Pos())}, TokPos: id.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{ident(tmp, id.Pos())}}
			h.place.List = append([]ast.Stmt{assign}, h.place.List...)
		}
	}
	h.spec.Names = append(names, ident(errName, call.Pos()))
	h.spec.Type = nil
	h.declared = typed.Names
}

// unchecked makes an expression statement fail the cell if its call returns an error.
func (u *Unit) unchecked(r *check.Result) bool {
	changed := false
	u.eachStmt(func(c *astutil.Cursor) {
		s, ok := c.Node().(*ast.ExprStmt)
		if !ok || u.done[s] {
			return
		}
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return
		}
		res := resultsOf(r.Info, call)
		if len(res) == 0 || !isError(res[len(res)-1]) || printing(callee(r.Info, call)) || makesError(callee(r.Info, call)) {
			return
		}
		if s == u.last {
			if len(res) > 1 && !quiet(r.Info, call) {
				return // result handles it
			}
			u.last = nil
		}
		if len(res) == 1 {
			s.X = u.runtimeCall(call.Pos(), "Check", s.X)
			u.done[s] = true
			changed = true
			return
		}
		name := u.fresh("err")
		assign := &ast.AssignStmt{TokPos: call.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{s.X}}
		for range len(res) - 1 {
			assign.Lhs = append(assign.Lhs, ident("_", call.Pos()))
		}
		assign.Lhs = append(assign.Lhs, ident(name, call.Pos()))
		check := &ast.ExprStmt{X: u.runtimeCall(call.Pos(), "Check", ident(name, call.Pos()))}
		u.done[check] = true
		c.Replace(&ast.BlockStmt{Lbrace: s.Pos(), List: []ast.Stmt{assign, check}, Rbrace: s.End() - 1})
		changed = true
	})
	return changed
}

// eachStmt calls f for the statements of the cell's function, including nested blocks. It skips
// function literals, because they can return errors themselves.
func (u *Unit) eachStmt(f func(*astutil.Cursor)) {
	if u.entry == nil {
		return
	}
	astutil.Apply(u.entry.Body, func(c *astutil.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncLit); ok {
			return false
		}
		if _, ok := c.Node().(ast.Stmt); ok && c.Node() != u.entry.Body {
			f(c)
		}
		return true
	}, nil)
}
