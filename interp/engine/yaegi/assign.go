package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// assign returns the source of an assignment or a short declaration, as one statement.
func (l *lowering) assign(s *ast.AssignStmt) string {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		return l.expr(s.Lhs[0]) + " " + s.Tok.String() + " " + l.expr(s.Rhs[0])
	}
	left, right := make([]string, len(s.Lhs)), make([]string, len(s.Rhs))
	for i, e := range s.Lhs {
		left[i] = l.expr(e)
	}
	define := s.Tok == token.DEFINE
	for i, e := range s.Rhs {
		if len(s.Lhs) != len(s.Rhs) {
			right[i] = l.expr(e)
			continue
		}
		t := l.unit.info.TypeOf(s.Lhs[i])
		if id, ok := s.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
			t = l.typeOf(e)
		}
		right[i] = l.convert(e, t)
	}
	// A short declaration that also assigns declares the new variables first.
	if define {
		var fresh []string
		for _, e := range s.Lhs {
			if v, ok := l.unit.info.Defs[e.(*ast.Ident)].(*types.Var); ok {
				fresh = append(fresh, fmt.Sprintf("var %s %s\n", l.variable(v), l.typ(subst(v.Type(), l.env), e.Pos())))
			} else if e.(*ast.Ident).Name != "_" {
				define = false
			}
		}
		if !define {
			return strings.Join(fresh, "") + strings.Join(left, ", ") + " = " + strings.Join(right, ", ")
		}
		return strings.Join(left, ", ") + " := " + strings.Join(right, ", ")
	}
	return strings.Join(left, ", ") + " = " + strings.Join(right, ", ")
}

// tupleAssign writes an assignment of several values in its two phases: first the operands and
// values, then the assignments from left to right. It does so if the interpreter would mix up the
// two phases: if there are calls, or if a variable on the left side also determines where another
// value goes. If one value is a composite literal or an interface, the interpreter omits the other
// assignments or fails.
func (l *lowering) tupleAssign(s *ast.AssignStmt) bool {
	define := s.Tok == token.DEFINE
	if s.Tok != token.ASSIGN && !define || len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) || !l.tangled(s) {
		return false
	}
	places, values := make([]string, len(s.Lhs)), make([]string, len(s.Rhs))
	for i, e := range s.Lhs {
		if !define {
			places[i] = l.place(e)
		}
	}
	for i, e := range s.Rhs {
		t := l.unit.info.TypeOf(s.Lhs[i])
		if id, ok := s.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
			t = l.typeOf(e)
		}
		values[i] = l.w.fresh("v")
		l.line("var %s %s = %s", values[i], l.typ(subst(t, l.env), e.Pos()), l.convert(e, t))
	}
	for i, e := range s.Lhs {
		if !define {
			l.line("%s = %s", places[i], values[i])
			continue
		}
		id := e.(*ast.Ident)
		if v, ok := l.unit.info.Defs[id].(*types.Var); ok && id.Name != "_" {
			l.line("var %s %s = %s", l.variable(v), l.typ(subst(v.Type(), l.env), e.Pos()), values[i])
		} else if id.Name != "_" {
			l.line("%s = %s", l.expr(e), values[i])
		}
	}
	return true
}

// tangled reports whether the interpreter would mix up the assignments of s.
func (l *lowering) tangled(s *ast.AssignStmt) bool {
	assigned := map[types.Object]bool{}
	for _, e := range s.Lhs {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			assigned[l.unit.info.Uses[id]] = true
		}
	}
	found := false
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !l.unit.info.Types[n.Fun].IsType()
		case *ast.CompositeLit:
			found = true
		}
		return !found
	}
	for _, e := range s.Rhs {
		if types.IsInterface(l.typeOf(e)) {
			return true
		}
		ast.Inspect(e, look)
	}
	for _, e := range s.Lhs {
		if _, ok := ast.Unparen(e).(*ast.Ident); ok {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && assigned[l.unit.info.Uses[id]] {
				found = true
			}
			return look(n)
		})
	}
	return found
}

// place evaluates the operands of an assignment target, and returns the source of the target with
// the evaluated operands.
func (l *lowering) place(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.place(e.X)
	case *ast.StarExpr:
		return "(*" + l.temp(l.expr(e.X)) + ")"
	case *ast.IndexExpr:
		index := l.typeOf(e.Index)
		var x string
		switch u := l.typeOf(e.X).Underlying().(type) {
		case *types.Array:
			x = l.place(e.X)
		case *types.Pointer:
			x = "(*" + l.temp(l.expr(e.X)) + ")"
		case *types.Map:
			x, index = l.temp(l.expr(e.X)), subst(u.Key(), l.env)
		default:
			x = l.temp(l.expr(e.X))
		}
		if l.unit.info.Types[e.Index].Value != nil {
			return x + "[" + l.typed(e.Index, index) + "]"
		}
		i := l.w.fresh("i")
		l.line("var %s %s = %s", i, l.typ(index, e.Pos()), l.convert(e.Index, index))
		return x + "[" + i + "]"
	}
	return l.expr(e)
}
