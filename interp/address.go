package interp

import (
	"go/ast"
	"go/token"
	"go/types"
)

// noteAddresses notes the session's variables whose address code takes: by &x,
// also of a field or element, and by slicing an array. Calls of methods with
// pointer receivers are not counted: they seldom keep the pointer.
func (sc *scope) noteAddresses(files []*ast.File, info *types.Info) {
	note := func(x ast.Expr) {
		if v := rootVariable(x, info); v != nil && sessionObject(v) {
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

// rootVariable gives the variable that the expression is a part of.
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

// carryOver gives the new variables of a cell the values of those whose names
// they take, which they have until the cell comes to their definition.
func (s *Session) carryOver(p *program) {
	for name, old := range p.old {
		now := s.scope.names[name]
		if now == nil || !replaces(old.obj, now.obj) {
			continue
		}
		if _, isVar := now.obj.(*types.Var); !isVar {
			continue
		}
		nv, err1 := s.engineVar(now.obj)
		ov, err2 := s.engineVar(old.obj)
		if err1 != nil || err2 != nil {
			continue // what cannot be read cannot be carried over
		}
		if p.zeroed[name] {
			nv.SetZero()
		} else if nv.Addr().Pointer() != ov.Addr().Pointer() {
			nv.Set(ov)
		}
	}
}
