package advice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/operand"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// toPower handles ^, which is often meant as a power.
func toPower(s *slip) string {
	o, ok := s.operation()
	if !ok || o.op != token.XOR || !real(o.left) && !real(o.right) {
		return ""
	}
	const lead = "^ is exclusive or; to raise to a power, write "
	if b, ok := o.node.(*ast.BinaryExpr); ok && !strings.HasPrefix(o.left, "[]") && !strings.HasPrefix(o.right, "[]") {
		code := "math.Pow(" + s.asFloat(o.x, o.left) + ", " + s.asFloat(o.y, o.right) + ")"
		return s.change(lead+"‹"+code+"›", put(b, code))
	}
	return lead + "‹math.Pow(x, 2)›"
}

// asFloat converts an operand to an argument for a function of float64.
func (s *slip) asFloat(x ast.Expr, t string) string {
	if t == "float64" || t == "float" || s.result.Info.Types[x].Value != nil && operand.IsLiteral(x) {
		return s.code(ast.Unparen(x))
	}
	return operand.Converted(x, "float64", s.code)
}

func realRemainder(s *slip) string {
	o, ok := s.operation()
	if !ok || o.op != token.REM || !real(o.left) && !real(o.right) {
		return ""
	}
	const lead = "for the remainder of numbers with fractions, write "
	if b, ok := o.node.(*ast.BinaryExpr); ok && !strings.HasPrefix(o.left, "[]") && !strings.HasPrefix(o.right, "[]") {
		code := "math.Mod(" + s.asFloat(o.x, o.left) + ", " + s.asFloat(o.y, o.right) + ")"
		return s.change(lead+"‹"+code+"›", put(b, code))
	}
	return lead + "‹math.Mod(x, y)›"
}

// real reports whether the values of a type, the elements of a vector, or constants of a kind can
// have fractions.
func real(t string) bool {
	return strings.HasSuffix(t, "float64") || strings.HasSuffix(t, "float32") || t == "float"
}

// stars handles x ** y, which is often meant as a power.
func stars(s *slip) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	b, ok := find(s, func(b *ast.BinaryExpr) bool {
		star, is := b.Y.(*ast.StarExpr)
		return is && b.Op == token.MUL && star.X == x
	})
	if !ok {
		return "only a pointer can be dereferenced with *"
	}
	base, lead := ast.Unparen(b.X), "there is no **; write "
	if t := s.typeOf(b.X); !number(t) {
		code := "math.Pow(" + s.code(b.X) + ", " + s.code(x) + ")"
		return s.change(lead+"‹"+code+"›", put(b, code))
	}
	tv := s.result.Info.Types[x]
	if k, exact := int64Of(tv.Value); exact && k >= 2 && k <= 3 {
		if _, isName := base.(*ast.Ident); isName {
			code := strings.Repeat(" * "+s.code(base), int(k))[3:]
			return s.change(lead+"‹"+code+"›", put(b, code))
		}
	}
	code := "math.Pow(" + s.asFloat(b.X, s.typeOf(b.X)) + ", " + s.asFloat(x, typeName(tv.Type)) + ")"
	return s.change(lead+"‹"+code+"›", put(b, code))
}

func int64Of(v constant.Value) (int64, bool) {
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

func comparedToNil(s *slip) string {
	if o, ok := s.operation(); ok && (o.left == "nil" || o.right == "nil") {
		return "only pointers, slices, maps, channels, functions and interfaces can be nil; to learn whether a map has a key, write ‹v, ok := m[\"a\"]›"
	}
	return ""
}

// onlyToNil handles the comparison of two slices or maps.
func onlyToNil(s *slip) string {
	o, ok := s.operation()
	_, tv, known := s.operand()
	if !ok || !known || o.op != token.EQL && o.op != token.NEQ || o.node == nil {
		return ""
	}
	fn := ""
	switch tv.Type.Underlying().(type) {
	case *types.Slice:
		fn = "slices.Equal"
	case *types.Map:
		fn = "maps.Equal"
	default:
		return ""
	}
	code := fn + "(" + s.code(o.x) + ", " + s.code(o.y) + ")"
	if o.op == token.NEQ {
		code = "!" + code
	}
	return s.change("compare them with ‹"+code+"›", put(o.node, code))
}

// condition handles a condition that is not a single bool.
func condition(s *slip) string {
	const plain = "a condition is a bool: compare with == or !="
	x, tv, ok := s.operand()
	if !ok {
		if s.result == nil {
			return plain
		}
		for e, t := range s.result.Info.Types {
			if e.Pos() == s.Pos && t.Type != nil && (typeName(t.Type) == columnType || t.Type.String() == "[]bool") {
				x, tv, ok = e, t, true
			}
		}
		if !ok {
			return plain
		}
	}
	switch tv.Type.String() {
	case "*" + rewrite.FramePath + ".Column":
		return "comparing a column returns a column of bools; to select the rows for which the comparison is true, write ‹f.Where(mask)›"
	case "[]bool":
		return "comparing vectors returns a bool for each element. To check whether any is true, write ‹slices.Contains(bools, true)›; to check whether all elements are equal, write ‹slices.Equal(a, b)›"
	}
	code := s.code(x)
	switch t := tv.Type.Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsNumeric != 0:
			return s.replace("a condition is a bool: ", code+" != 0")
		case t.Info()&types.IsString != 0:
			return s.replace("a condition is a bool: ", code+` != ""`)
		}
	case *types.Slice, *types.Map:
		return s.replace("a condition is a bool: ", "len("+code+") > 0")
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return s.replace("a condition is a bool: ", code+" != nil")
	}
	return plain
}

// vectorOperand handles vectors of numbers other than float64 or int, and operands that can't be
// combined with vectors.
func vectorOperand(s *slip) string {
	o, ok := s.operation()
	if !ok || !joining[o.op] {
		return ""
	}
	isVector := func(t string) bool { return strings.HasPrefix(t, "[]") && numeric[t[2:]] }
	if !isVector(o.left) && !isVector(o.right) {
		return ""
	}
	return "operators take []float64, []int and numbers: convert the elements in a loop, or declare the vector with one of these types"
}

// joining lists the operators of vectors.
var joining = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.MUL: true, token.QUO: true,
	token.LSS: true, token.GTR: true, token.LEQ: true, token.GEQ: true, token.EQL: true, token.NEQ: true,
}

// matrixOperand handles a matrix that is not a pointer.
func matrixOperand(s *slip) string {
	o, ok := s.operation()
	if !ok || o.node == nil {
		return ""
	}
	for _, x := range []ast.Expr{o.x, o.y} {
		switch s.typeOf(x) {
		case "mat.Dense", "mat.SymDense", "mat.VecDense", "mat.TriDense", "mat.DiagDense":
			if tv := s.result.Info.Types[x]; tv.Addressable() {
				code := "&" + s.code(x)
				return s.change("operators take pointers to matrices: ‹"+code+"›", put(x, code))
			}
			return "operators take pointers to matrices"
		}
	}
	return ""
}

// chained handles a < b < c.
func chained(s *slip) string {
	o, ok := s.operation()
	outer, isBinary := o.node.(*ast.BinaryExpr)
	if !ok || !isBinary || !comparison(outer.Op) || o.left != "bool" {
		return ""
	}
	inner, ok := ast.Unparen(outer.X).(*ast.BinaryExpr)
	if !ok || !comparison(inner.Op) {
		return ""
	}
	code := operand.Formatted(s.code(inner) + " && " + s.code(inner.Y) + " " + outer.Op.String() + " " + s.code(outer.Y))
	return s.change("join two comparisons: ‹"+code+"›", put(outer, code))
}

// twoTypes handles operands of different types.
func twoTypes(s *slip) string {
	o, ok := s.operation()
	left, right := o.left, o.right
	isText := func(t string) bool { return t == "string" }
	if !ok {
		return ""
	}
	b, _ := o.node.(*ast.BinaryExpr)
	switch {
	case left == "time.Duration" || right == "time.Duration":
		return s.timed(o)
	case character[left] && isText(right) || isText(left) && character[right]:
		return s.quoted(o)
	case numeric[left] && numeric[right]:
		return s.twoNumbers(o)
	case left == "any" || right == "any":
		return "to use the value of an any, convert it with a type assertion: ‹v, ok := holder.(float64)›"
	case o.op == token.MUL && b != nil && isText(left) && number(right):
		code := "strings.Repeat(" + s.code(o.x) + ", " + s.code(o.y) + ")"
		return s.change("to repeat a string, write ‹"+code+"›", put(b, code))
	case o.op == token.MUL && b != nil && isText(right) && number(left):
		code := "strings.Repeat(" + s.code(o.y) + ", " + s.code(o.x) + ")"
		return s.change("to repeat a string, write ‹"+code+"›", put(b, code))
	case o.op == token.REM && b != nil && isText(left):
		code := "fmt.Sprintf(" + s.code(o.x) + ", " + s.code(o.y) + ")"
		return s.change("to put values into a string, write ‹"+code+"›", put(b, code))
	case o.op == token.ADD && isText(left) && (number(right) || right == "bool"):
		return s.printed(o.y)
	case o.op == token.ADD && isText(right) && (number(left) || left == "bool"):
		return s.printed(o.x)
	case isText(left) && number(right) || number(left) && isText(right):
		return "a string and a number cannot be joined by " + o.op.String() + ": convert one of them, so that both are numbers or both are strings"
	case left == "bool" && number(right) || number(left) && right == "bool":
		return "a bool is not a number: count with ‹if x > 1 { n++ }›"
	}
	return ""
}

// printed converts an operand to a string.
func (s *slip) printed(x ast.Expr) string {
	code := "fmt.Sprint(" + s.code(ast.Unparen(x)) + ")"
	return s.change("convert it to a string: ‹"+code+"›", put(x, code))
}

// timed converts a number combined with a duration.
func (s *slip) timed(o operator) string {
	x, t := o.x, o.left
	if t == "time.Duration" {
		x, t = o.y, o.right
	}
	if !numeric[t] {
		return ""
	}
	code := "time.Duration(" + s.code(ast.Unparen(x)) + ")"
	if fractional(t) {
		if b, ok := o.node.(*ast.BinaryExpr); ok && o.op == token.MUL {
			unit := b.X
			if unit == x {
				unit = b.Y
			}
			code = "time.Duration(" + s.code(x) + " * float64(" + s.code(unit) + "))"
			return s.change("convert the product, to keep the fraction: ‹"+code+"›", put(b, code))
		}
		return "convert the number: time.Duration(...)"
	}
	return s.change("convert the number: ‹"+code+"›", put(x, code))
}

// quoted handles a character combined with a string.
func (s *slip) quoted(o operator) string {
	text, char := o.x, o.y
	if character[o.left] {
		text, char = o.y, o.x
	}
	if lit, ok := ast.Unparen(text).(*ast.BasicLit); ok && comparison(o.op) {
		to := s.typeOf(char)
		if h := s.character(lit, s.result.Info.Types[lit], to); h != "" {
			return h
		}
	}
	if lit, ok := ast.Unparen(char).(*ast.BasicLit); ok {
		if r, err := strconv.Unquote(lit.Value); err == nil {
			code := strconv.Quote(r)
			return s.change("write a string in double quotes: ‹"+code+"›", put(lit, code))
		}
	}
	code := "string(" + s.code(char) + ")"
	return s.change("convert the character to a string: ‹"+code+"›", put(char, code))
}

// twoNumbers handles numbers of different types.
func (s *slip) twoNumbers(o operator) string {
	if a, ok := o.node.(*ast.AssignStmt); ok {
		return s.addedNumber(a, o)
	}
	x, y := o.x, o.y
	switch {
	case integral[o.left] && fractional(o.right):
		return s.convert(x, o.right)
	case fractional(o.left) && integral[o.right]:
		return s.convert(y, o.left)
	}
	// Of two sizes, the larger one holds both.
	to, from := o.left, y
	if size(o.right) > size(o.left) {
		to, from = o.right, x
	}
	code := to + "(" + s.code(ast.Unparen(from)) + ")"
	return s.change("convert it: ‹"+code+"›", put(from, code))
}

// size orders the numeric types by their range.
func size(t string) int {
	switch t {
	case "float64", "int64", "int", "uint64", "uint", "uintptr":
		return 64
	case "float32", "int32", "uint32", "rune":
		return 32
	case "int16", "uint16":
		return 16
	}
	return 8
}

// addedNumber handles x += y with numbers of different types.
func (s *slip) addedNumber(a *ast.AssignStmt, o operator) string {
	if integral[o.left] && fractional(o.right) {
		id, ok := o.x.(*ast.Ident)
		if !ok {
			return s.change("to drop the fraction, write ‹"+o.left+"("+s.code(o.y)+")›", put(o.y, o.left+"("+s.code(o.y)+")"))
		}
		lead := id.Name + " is an " + o.left + "; to keep fractions, begin with "
		if lit := s.firstValue(id); lit != nil && lit.Kind == token.INT {
			return s.change(lead+"‹"+id.Name+" := "+lit.Value+".0›", put(lit, lit.Value+".0"))
		}
		return lead + id.Name + " := 0.0"
	}
	code := operand.Converted(o.y, o.left, s.code)
	if !fractional(o.left) || !integral[o.right] {
		code = o.left + "(" + s.code(ast.Unparen(o.y)) + ")"
	}
	return s.change("convert it: ‹"+code+"›", put(o.y, code))
}

// firstValue returns the number literal with which the cell declares a variable. It returns nil if
// there is none, or if other code determines the variable's type.
func (s *slip) firstValue(id *ast.Ident) *ast.BasicLit {
	obj := s.result.Info.Uses[id]
	var lit *ast.BasicLit
	_, _ = find(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if d, ok := l.(*ast.Ident); ok && s.result.Info.Defs[d] == obj && obj != nil && i < len(n.Rhs) {
					lit, _ = n.Rhs[i].(*ast.BasicLit)
				}
			}
		case *ast.ValueSpec:
			for i, d := range n.Names {
				if s.result.Info.Defs[d] == obj && obj != nil && i < len(n.Values) && n.Type == nil {
					lit, _ = n.Values[i].(*ast.BasicLit)
				}
			}
		}
		return lit != nil
	})
	if lit == nil || lit.Pos() < s.src.Base || int(lit.Pos()-s.src.Base) > len(s.src.Text) {
		return nil
	}
	return lit
}

// number reports whether a type, or the kind of an untyped constant, is numeric.
func number(t string) bool { return numeric[t] || t == "float" }

var character = map[string]bool{"rune": true, "byte": true}

// indexed handles [i] on a value without elements.
func indexed(s *slip) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	code := s.code(x)
	inner, _ := find(s, func(i *ast.IndexExpr) bool { return i.X == x })
	switch t := s.operandType(); {
	case t == columnType:
		if inner != nil {
			return s.change("for the value in that row, write ‹"+code+".At("+s.code(inner.Index)+")›", put(inner, code+".At("+s.code(inner.Index)+")"))
		}
		return "for the value in row i, call At(i)"
	case t == "*data.Dataset":
		return "write ‹" + code + ".X› for the features, ‹" + code + ".X.At(0, 1)› for a single value, ‹" + code + ".Y› for the classes"
	case t == "*model.Table" || t == "mat.Matrix" || strings.HasPrefix(t, "*mat."):
		if inner != nil {
			if outer, ok := find(s, func(i *ast.IndexExpr) bool { return i.X == inner }); ok {
				code += ".At(" + s.code(inner.Index) + ", " + s.code(outer.Index) + ")"
				return s.change("write an element of a matrix as ‹"+code+"›", put(outer, code))
			}
			if t == "*mat.VecDense" {
				code += ".AtVec(" + s.code(inner.Index) + ")"
				return s.change("write an element of a vector as ‹"+code+"›", put(inner, code))
			}
			row := "mat.Row(nil, " + s.code(inner.Index) + ", " + code + ")"
			return s.change("write a row of a matrix as ‹"+row+"›, an element as X.At(i, j), a column as mat.Col(nil, j, X)", put(inner, row))
		}
	}
	return ""
}
