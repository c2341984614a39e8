package advice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/operand"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// A hint with a fix keeps the fix as edits of the cell, so that a test can apply the edits, run the
// cell and compare the results. In the text of a hint, code is between ‹ and ›.

// change returns a hint and keeps the edits that fix the cell. It drops edits of the text of
// earlier cells.
func (s *slip) change(hint string, edits ...check.Edit) string {
	end := s.src.Base + token.Pos(len(s.src.Text))
	for _, e := range edits {
		if e.Pos < s.src.Base || e.End < e.Pos || e.End > end {
			return hint
		}
	}
	s.Fix = edits
	return hint
}

// put replaces the text of a node.
func put(n ast.Node, code string) check.Edit {
	return check.Edit{Pos: n.Pos(), End: n.End(), Text: code}
}

// insert adds text at a position.
func insert(pos token.Pos, code string) check.Edit { return check.Edit{Pos: pos, End: pos, Text: code} }

// code returns the text of an expression or statement as written in the cell.
func (s *slip) code(n ast.Node) string {
	at, end := int(n.Pos()-s.src.Base), int(n.End()-s.src.Base)
	if 0 <= at && at < end && end <= len(s.src.Text) {
		text := s.src.Text[at:end]
		if _, isExpr := n.(ast.Expr); !isExpr {
			return text
		}
		if _, err := parser.ParseExpr(text); err == nil {
			return text
		}
	}
	if x, ok := n.(ast.Expr); ok {
		return PlainWords(types.ExprString(x))
	}
	return ""
}

// path returns the nodes that enclose a node, outermost first, and the node itself.
func (s *slip) path(to ast.Node) []ast.Node {
	if s.result == nil {
		return nil
	}
	var stack, found []ast.Node
	for _, f := range s.result.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			if n == to && found == nil {
				found = append([]ast.Node{}, stack...)
			}
			return true
		})
	}
	return found
}

// function returns the type and the body of the innermost function that encloses a node. The cell
// itself does not count as a function.
func (s *slip) function(n ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	var (
		sig  *ast.FuncType
		body *ast.BlockStmt
	)
	for _, outer := range s.path(n) {
		switch f := outer.(type) {
		case *ast.FuncDecl:
			sig, body = f.Type, f.Body
			if f.Name.Name == rewrite.EntryName {
				sig = nil // the statements of the cell
			}
		case *ast.FuncLit:
			sig, body = f.Type, f.Body
		}
	}
	if sig != nil && sig.Func.IsValid() && !s.written(sig) {
		return nil, body
	}
	return sig, body
}

// written reports whether a function is part of the cell's text and was not generated from it.
func (s *slip) written(sig *ast.FuncType) bool {
	at := int(sig.Func - s.src.Base)
	return at >= 0 && at < len(s.src.Text) && strings.HasPrefix(s.src.Text[at:], "func")
}

// convert suggests a conversion of an integer expression to a floating-point type.
func (s *slip) convert(x ast.Expr, to string) string {
	code := operand.Converted(x, to, s.code)
	if operand.HasQuotient(x) {
		return s.change("a quotient of ints drops its fraction; convert before you divide: ‹"+code+"›", put(x, code))
	}
	return s.change("convert it: ‹"+code+"›", put(x, code))
}

var integral = map[string]bool{
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true, "byte": true, "rune": true, "uintptr": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
}

func fractional(t string) bool { return t == "float64" || t == "float32" }

// rangeOf finds the range loop that declares an expression as its only variable, and returns the
// type of the elements. It does not return a loop whose variable is used as an index.
func (s *slip) rangeOf(x ast.Expr) (loop *ast.RangeStmt, elem types.Type) {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || s.result == nil {
		return nil, nil
	}
	obj := s.result.Info.Uses[id]
	if obj == nil {
		return nil, nil
	}
	loop, ok = find(s, func(r *ast.RangeStmt) bool {
		key, ok := r.Key.(*ast.Ident)
		return ok && r.Value == nil && s.result.Info.Defs[key] == obj
	})
	if !ok {
		return nil, nil
	}
	elem = operand.ElementOf(s.result.Info.Types[loop.X].Type)
	if elem == nil || operand.UsedAsIndex(s.result.Info, loop.Body, obj) {
		return nil, nil
	}
	return loop, elem
}

// elements explains that range with one variable yields the index or the key.
func (s *slip) elements(loop *ast.RangeStmt) string {
	name, what := loop.Key.(*ast.Ident).Name, "the index"
	if _, ok := s.result.Info.Types[loop.X].Type.Underlying().(*types.Map); ok {
		what = "the key"
	}
	return s.change(name+" is "+what+"; for the elements write ‹for _, "+name+" := range "+s.code(loop.X)+"›", insert(loop.Key.Pos(), "_, "))
}

// indexForElement handles the index variable of a range loop where an element is meant.
func indexForElement(s *slip) string {
	if s.result == nil {
		return ""
	}
	if sel, _, ok := s.selector(); ok {
		loop, elem := s.rangeOf(sel.X)
		if loop == nil {
			return ""
		}
		if o, _, _ := types.LookupFieldOrMethod(elem, true, s.result.Package, sel.Sel.Name); o != nil {
			return s.elements(loop)
		}
		return ""
	}
	if o, ok := s.operation(); ok && o.x != nil && o.y != nil {
		if loop, elem := s.rangeOf(o.x); loop != nil && suits(o.right, elem) {
			return s.elements(loop)
		}
		if loop, elem := s.rangeOf(o.y); loop != nil && suits(o.left, elem) {
			return s.elements(loop)
		}
		return ""
	}
	if x, _, ok := s.operand(); ok {
		v, isValue := s.value()
		if loop, elem := s.rangeOf(x); loop != nil && isValue && suits(v.to, elem) {
			return s.elements(loop)
		}
	}
	return ""
}

// suits reports whether elements have the given type, which may be the kind of a constant.
func suits(t string, elem types.Type) bool {
	name := typeName(elem)
	return t == name || t == "string" && name == "string" || (t == "float" || t == "int") && fractional(name)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
