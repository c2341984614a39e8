package vet

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
)

// divisor matches a comment in the form of a Python division: n // 2, n //= k.
var divisor = pattern.New(`^//(=?)\s*([0-9]+|[\pL_][\pL\pN_]*)\s*$`)

// divisions finds comments that were meant as integer divisions, like // in Python. After an
// operand that is itself a calculation, a comment more likely states the result.
func (f *finder) divisions() {
	var (
		s    scanner.Scanner
		file = token.NewFileSet().AddFile("", -1, len(f.Text))
		last token.Pos // the end of the previous token on the same line
	)
	s.Init(file, []byte(f.Text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		at := f.Base + token.Pos(file.Offset(pos))
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMENT:
			if m := divisor().FindStringSubmatch(lit); m != nil && last != token.NoPos {
				f.division(last, span{at, at + token.Pos(len(lit))}, m[1], m[2])
			}
			last = token.NoPos
		case tok == token.SEMICOLON && lit == "\n":
			// It is inserted before the comment that ends the line.
		default:
			if lit == "" {
				lit = tok.String()
			}
			if last = at + token.Pos(len(lit)); strings.Contains(lit, "\n") {
				last = token.NoPos
			}
		}
		if tok == token.SEMICOLON && lit == "\n" && !strings.HasPrefix(strings.TrimLeft(f.Text[file.Offset(pos):], " \t"), "//") {
			last = token.NoPos
		}
	}
}

// division checks the expression that ends before a comment on the same line.
func (f *finder) division(end token.Pos, comment span, assigns, by string) {
	var x ast.Expr // the largest expression that ends there
	f.inspect(func(n ast.Node) {
		if e, ok := n.(ast.Expr); ok && n.End() == end && f.own(n) && f.basic(e)&types.IsNumeric != 0 && (x == nil || n.Pos() < x.Pos()) {
			x = e
		}
	})
	switch x := x.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.ParenExpr:
	case *ast.CallExpr:
		if name, ok := x.Fun.(*ast.Ident); !ok || name.Name != "len" {
			return
		}
	default:
		return
	}
	if by == "0" || by == "1" || by[0] > '9' && !f.isNumber(by, end) {
		return
	}
	code := f.code(x) + " / " + by
	switch whole := f.basic(x)&types.IsInteger != 0; {
	case assigns != "" && whole:
		code = f.code(x) + " /= " + by
	case assigns != "":
		code = f.code(x) + " = math.Floor(" + code + ")"
	case !whole:
		code = "math.Floor(" + code + ")"
	}
	all := span{x.Pos(), comment.end}
	f.add(all, "// begins a comment, so that nothing is divided", "to divide without a remainder, write ‹"+code+"›", put(all, code))
}

// isNumber reports whether a name is a number at a position.
func (f *finder) isNumber(name string, at token.Pos) bool {
	scope := f.Package.Scope().Innermost(at)
	if scope == nil {
		scope = f.Package.Scope()
	}
	_, o := scope.LookupParent(name, token.NoPos)
	switch o.(type) {
	case *types.Var, *types.Const:
		b, ok := o.Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	}
	return false
}
