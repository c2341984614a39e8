package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/gokernel/gokernel/interp/check"
)

// Variables that a cell declares before its statements are initialized in the order that go/types
// determines. If the cell fails there, only some of the variables have their values. The names of
// the others must keep their earlier meaning, as with statements that the cell has not reached. A
// variable of the cell therefore counts the initial values that have been computed.

// countInitial declares the counting variable if an initial value may fail.
func (u *Unit) countInitial(decls []ast.Decl) {
	for _, d := range decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, v := range s.(*ast.ValueSpec).Values {
				if u.counted == nil && mayFail(v) {
					u.counted = intLit(0, u.Cell.Base)
					u.File.Decls = append(u.File.Decls, &ast.GenDecl{TokPos: u.Cell.Base, Tok: token.VAR, Specs: []ast.Spec{
						&ast.ValueSpec{Names: []*ast.Ident{ident(InitName, u.Cell.Base)}, Values: []ast.Expr{u.counted}},
					}})
				}
			}
		}
	}
}

// mayFail reports whether an expression may panic or run for long.
func mayFail(e ast.Expr) bool {
	fails := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SelectorExpr, *ast.BinaryExpr:
			fails = true
		case *ast.UnaryExpr:
			fails = fails || n.Op == token.ARROW
		case *ast.CompositeLit: // map keys may be equal or not comparable
			fails = true
		}
		return !fails
	})
	return fails
}

// noteInitial adds assignments to the counting variable between the initial values. Call it when
// the initial values are in their order.
func (u *Unit) noteInitial(r *check.Result) {
	if u.counted == nil {
		return
	}
	u.initial = map[string]int{}
	counter := r.Package.Scope().Lookup(InitName).(*types.Var)
	var order []*types.Initializer
	n := 0
	set := func(to int) {
		if to == 0 {
			return
		}
		lit := intLit(to, u.Cell.Base)
		tv := r.Info.Types[u.counted]
		tv.Value = constant.MakeInt64(int64(to))
		r.Info.Types[lit] = tv
		order = append(order, &types.Initializer{Lhs: []*types.Var{counter}, Rhs: lit})
	}
	for _, in := range r.Info.InitOrder {
		if in.Rhs == u.counted {
			continue
		}
		if mayFail(in.Rhs) {
			set(n)
		}
		order = append(order, in)
		n++
		for _, v := range in.Lhs {
			if u.File.FileStart <= v.Pos() && v.Pos() <= u.File.FileEnd && !Reserved(v.Name()) {
				u.initial[v.Name()] = n
			}
		}
	}
	set(n)
	r.Info.InitOrder = order
}

// Initial returns, for each variable with an initial value that is computed before the statements,
// the value that InitName has from then on.
func (u *Unit) Initial() map[string]int { return u.initial }
