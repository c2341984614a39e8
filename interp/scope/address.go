package scope

import (
	"go/ast"
	"go/token"
	"go/types"
)

// NoteAddresses records the session's variables whose address is taken: by &x, including fields and
// elements, and by slicing an array. Calls of methods with pointer receivers don't count: they
// rarely keep the pointer.
func (sc *Scope) NoteAddresses(files []*ast.File, info *types.Info) {
	note := func(x ast.Expr) {
		if v := rootVariable(x, info); v != nil && IsDeclared(v) {
			sc.addressed[v] = true
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			case *ast.SliceExpr:
				if t := info.TypeOf(n.X); t != nil {
					if _, ok := t.Underlying().(*types.Array); ok {
						note(n.X)
					}
				}
			}
			return true
		})
	}
}

// rootVariable returns the variable that the expression is a part of.
func rootVariable(x ast.Expr, info *types.Info) *types.Var {
	for {
		switch e := x.(type) {
		case *ast.ParenExpr:
			x = e.X
		case *ast.Ident:
			v, _ := info.Uses[e].(*types.Var)
			return v
		case *ast.SelectorExpr:
			if s := info.Selections[e]; s == nil || s.Indirect() {
				return nil
			}
			x = e.X
		case *ast.IndexExpr:
			if _, ok := info.TypeOf(e.X).Underlying().(*types.Array); !ok {
				return nil
			}
			x = e.X
		default:
			return nil
		}
	}
}
