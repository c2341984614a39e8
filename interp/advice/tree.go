package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// These functions find the subject of an error in the checked tree by the error's span. go/types
// reports the subject only in the text of its message.

// find returns the first node for which wanted returns true, and whether there is one.
func find[N ast.Node](s *slip, wanted func(N) bool) (found N, ok bool) {
	if s.result == nil {
		return found, false
	}
	for _, f := range s.result.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, is := n.(N); is && !ok && wanted(x) {
				found, ok = x, true
			}
			return !ok
		})
	}
	return found, ok
}

// spans reports whether the error covers a whole node.
func (s *slip) spans(n ast.Node) bool { return n.Pos() == s.Pos && n.End() == s.End }

// operand returns the expression at the error and its type.
func (s *slip) operand() (ast.Expr, types.TypeAndValue, bool) {
	x, ok := find(s, func(x ast.Expr) bool { return s.spans(x) && s.result.Info.Types[x].Type != nil })
	if !ok {
		return nil, types.TypeAndValue{}, false
	}
	return x, s.result.Info.Types[x], true
}

// operandType returns the type of the expression at the error as text, or "" if there is none.
func (s *slip) operandType() string {
	_, tv, _ := s.operand()
	return typeName(tv.Type)
}

// operandCode returns the text of the expression at the error.
func (s *slip) operandCode() string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	return s.code(x)
}

// typeOf returns the type of an expression as text, or "" if it has none.
func (s *slip) typeOf(x ast.Expr) string { return typeName(s.result.Info.Types[x].Type) }

// typeName formats a type with package names, as errors do; for an untyped constant it returns only
// the kind.
func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	return strings.TrimPrefix(types.TypeString(t, (*types.Package).Name), "untyped ")
}

// operator is an operator whose operands don't match.
type operator struct {
	op          token.Token
	left, right string // types of the operands
	node        ast.Node
	x, y        ast.Expr
	isCase      bool // whether it is a case of a switch
}

// operation finds the operator of the error, which covers the whole operation or an operand.
func (s *slip) operation() (operator, bool) {
	b, ok := find(s, func(b *ast.BinaryExpr) bool {
		_, fine := s.result.Info.Types[b]
		return !fine && (s.spans(b) || s.spans(b.X) || s.spans(b.Y))
	})
	if ok {
		return operator{b.Op, s.typeOf(b.X), s.typeOf(b.Y), b, b.X, b.Y, false}, true
	}
	// x += y
	a, ok := find(s, func(a *ast.AssignStmt) bool {
		return assigning[a.Tok] != 0 && (s.spans(a.Lhs[0]) || s.spans(a.Rhs[0]))
	})
	if ok {
		return operator{assigning[a.Tok], s.typeOf(a.Lhs[0]), s.typeOf(a.Rhs[0]), a, a.Lhs[0], a.Rhs[0], false}, true
	}
	// A case is compared with the tag of its switch.
	var of ast.Expr
	sw, ok := find(s, func(sw *ast.SwitchStmt) bool {
		for _, c := range sw.Body.List {
			list := c.(*ast.CaseClause).List
			if i := slices.IndexFunc(list, func(x ast.Expr) bool { return s.spans(x) }); i >= 0 {
				of = list[i]
				return true
			}
		}
		return false
	})
	if ok && sw.Tag == nil {
		return operator{token.EQL, s.typeOf(of), "bool", nil, of, nil, true}, true
	}
	if ok {
		return operator{token.EQL, s.typeOf(of), s.typeOf(sw.Tag), nil, of, sw.Tag, true}, true
	}
	return operator{}, false
}

// assigning maps assignment operators such as += to their operators.
var assigning = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.XOR_ASSIGN: token.XOR, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR,
}

// selector returns the selector x.name whose name has the error, and the type of x.
func (s *slip) selector() (sel *ast.SelectorExpr, of types.Type, ok bool) {
	sel, ok = find(s, func(x *ast.SelectorExpr) bool { return x.Sel.Pos() == s.Pos })
	if !ok {
		return nil, nil, false
	}
	of = s.result.Info.Types[sel.X].Type
	return sel, of, of != nil
}

// call returns the innermost call with the error in one of its arguments or at its end.
func (s *slip) call() (call *ast.CallExpr, ok bool) {
	_, _ = find(s, func(c *ast.CallExpr) bool {
		if c.Rparen == s.Pos || slices.ContainsFunc(c.Args, func(x ast.Expr) bool { return s.spans(x) }) {
			call, ok = c, true // inner calls come later
		}
		return false
	})
	return call, ok
}

// literal returns the innermost composite literal that encloses the error.
func (s *slip) literal() *ast.CompositeLit {
	var lit *ast.CompositeLit
	_, _ = find(s, func(l *ast.CompositeLit) bool {
		if l.Pos() <= s.Pos && s.Pos < l.End() && s.result.Info.Types[l].Type != nil {
			lit = l
		}
		return false
	})
	return lit
}
