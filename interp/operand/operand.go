// Package operand answers questions about the operands of a cell for hints about errors and
// warnings.
package operand

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// Converted returns an integer expression as an expression of a floating-point type, formatted by
// gofmt. The function code returns the text of a node.
func Converted(x ast.Expr, to string, code func(ast.Node) string) string {
	return Formatted(converted(x, to, code))
}

// converted returns an integer expression as an expression of a floating-point type. It converts
// the operands of a quotient, because the quotient itself has lost its fraction.
func converted(x ast.Expr, to string, code func(ast.Node) string) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Value
	case *ast.ParenExpr:
		if !HasQuotient(x.X) {
			return converted(x.X, to, code)
		}
		return "(" + converted(x.X, to, code) + ")"
	case *ast.UnaryExpr:
		if x.Op == token.SUB || x.Op == token.ADD {
			return x.Op.String() + converted(x.X, to, code)
		}
	case *ast.BinaryExpr:
		left, right := converted(x.X, to, code), converted(x.Y, to, code)
		switch {
		case x.Op == token.QUO:
			if IsLiteral(x.X) && IsLiteral(x.Y) && !strings.ContainsAny(left, ".eEx") {
				left += ".0"
			}
			return left + " / " + right
		case HasQuotient(x) && (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.MUL):
			return left + " " + x.Op.String() + " " + right
		}
	}
	return to + "(" + code(ast.Unparen(x)) + ")"
}

// IsLiteral reports whether an expression is a number, character or string literal.
func IsLiteral(x ast.Expr) bool { _, ok := ast.Unparen(x).(*ast.BasicLit); return ok }

// HasQuotient reports whether an expression contains a division.
func HasQuotient(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return HasQuotient(x.X)
	case *ast.UnaryExpr:
		return HasQuotient(x.X)
	case *ast.BinaryExpr:
		return x.Op == token.QUO || (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.MUL) && (HasQuotient(x.X) || HasQuotient(x.Y))
	}
	return false
}

// Formatted formats an expression as gofmt does.
func Formatted(expr string) string {
	x, err := parser.ParseExpr(expr)
	if err != nil || strings.Contains(expr, "\n") {
		return expr
	}
	var b strings.Builder
	if format.Node(&b, token.NewFileSet(), x) != nil {
		return expr
	}
	return b.String()
}

// ElementOf returns the type of the second value of range, or nil if there is only one value.
func ElementOf(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	case *types.Pointer:
		if a, ok := t.Elem().Underlying().(*types.Array); ok {
			return a.Elem()
		}
	}
	return nil
}

// UsedAsIndex reports whether a variable is an index, or part of one, anywhere in a block.
func UsedAsIndex(info *types.Info, body ast.Node, v types.Object) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		var index []ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			index = []ast.Expr{n.Index}
		case *ast.SliceExpr:
			index = []ast.Expr{n.Low, n.High, n.Max}
		}
		for _, x := range index {
			if x != nil && Uses(info, x, v) {
				found = true
			}
		}
		return !found
	})
	return found
}

// Uses reports whether a variable occurs in code.
func Uses(info *types.Info, n ast.Node, v types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}
