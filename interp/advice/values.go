package advice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/check"
)

// olderType matches a value whose type an earlier cell declared, where the new type of that name is
// needed.
var olderType = pattern.New(`\bof (?:\S+ )?type ([*\[\]]*)main\.([\pL_][\pL\pN_]*).*\) as ([*\[\]]*)(?:main\.)?([\pL_][\pL\pN_]*) value`)

// staleType handles a value whose type was declared again by a later cell.
func staleType(s *slip) string {
	m := olderType().FindStringSubmatch(s.Msg)
	if m == nil || m[1] != m[3] || m[2] != m[4] {
		return ""
	}
	return m[2] + " has been declared again since this value was made: to make the value with the new type, run its cell again"
}

var numeric = map[string]bool{
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true, "byte": true, "rune": true,
	"float32": true, "float64": true,
}

// wrap suggests wrapping the operand in a call, such as f(x, more).
func (s *slip) wrap(lead, fn, more string) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	code := fn + "(" + s.code(ast.Unparen(x)) + more + ")"
	return s.change(lead+"‹"+code+"›", put(x, code))
}

// replace suggests other code for the operand.
func (s *slip) replace(lead, code string) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	return s.change(lead+"‹"+code+"›", put(x, code))
}

// otherNumber handles numbers of another type.
func otherNumber(s *slip) string {
	v, ok := s.value()
	x, _, known := s.operand()
	switch {
	case !ok || !known:
	case integral[v.from] && fractional(v.to):
		return s.convert(x, v.to)
	case numeric[v.from] && numeric[v.to]:
		return s.wrap("convert it: ", v.to, "")
	case v.to == "string" && strings.HasPrefix(v.call, "fmt.") && strings.HasSuffix(v.call, "f"):
		return s.change("write the format first: ‹\"%v\\n\", "+s.code(x)+"›", insert(x.Pos(), "\"%v\\n\", "))
	case numeric[v.from] && v.to == "string":
		return s.wrap("convert it to a string: ", "fmt.Sprint", "")
	case numeric[v.from] && v.to == "time.Duration":
		code := "time.Duration(" + s.code(x) + ") * time.Second"
		return s.replace("convert it, and name the unit: ", code)
	}
	return ""
}

// textForNumber handles a string where a number, an error or a file is needed.
func textForNumber(s *slip) string {
	v, ok := s.value()
	switch {
	case !ok || v.from != "string":
	case v.to == "io.Reader" && v.call == "ml.ReadCSV":
		return s.inCall("read the file by its name: ", "ml.LoadCSV")
	case v.to == "io.Reader":
		return s.wrap("to read from a string, write ", "strings.NewReader", "")
	case v.to == "int":
		return s.number("strconv.Atoi", "")
	case v.to == "float64":
		return s.number("strconv.ParseFloat", ", 64")
	case v.to == "error":
		return s.wrap("convert the string to an error: ", "errors.New", "")
	}
	return ""
}

// number suggests how to parse a number from a string. Inside a function, the call also returns an
// error.
func (s *slip) number(fn, more string) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	if tv.Value != nil && tv.Value.Kind() == constant.String {
		text := constant.StringVal(tv.Value)
		if _, err := strconv.ParseFloat(text, 64); err != nil || fn == "strconv.Atoi" && strings.ContainsAny(text, ".eExX_") {
			return "write a number here, without quotes"
		}
		return s.replace("numbers have no quotes: ", text)
	}
	call := fn + "(" + s.code(x) + more + ")"
	if sig, _ := s.function(x); sig != nil {
		return "read the number first: ‹v, err := " + call + "›, check err, and use v here"
	}
	return s.replace("read the number from the string: ", call)
}

// inCall suggests calling another function with the same arguments.
func (s *slip) inCall(lead, fn string) string {
	call, ok := s.call()
	if !ok || len(call.Args) == 0 {
		return ""
	}
	code := fn + "(" + s.code(call.Args[0]) + ")"
	return s.change(lead+"‹"+code+"›", put(call, code))
}

// columnByName handles the name of a column where its index is needed.
func columnByName(s *slip) string {
	v, ok := s.value()
	if !ok {
		v, ok = s.constant()
	}
	if !ok || v.from != "string" || v.to != "int" || !strings.HasSuffix(v.call, ".At") {
		return ""
	}
	return "count the columns from 0: ‹d.X.At(0, 1)›; ‹d.FeatureNames()› lists their names"
}

// partOfData handles the wrong part of a data set.
func partOfData(s *slip) string {
	v, ok := s.value()
	x, _, known := s.operand()
	if !ok || !known {
		return ""
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch {
	case v.from == "[]int" && v.to == "[]float64" && sel.Sel.Name == "Y":
		return s.replace("Y holds the classes; if the data set has real targets, pass ", s.code(sel.X)+".Target")
	case v.from == "[]float64" && v.to == "[]int" && sel.Sel.Name == "Target":
		return s.replace("Target holds real numbers; if the data set has classes, pass ", s.code(sel.X)+".Y")
	}
	return ""
}

// toMatrix handles a value that is not yet a matrix.
func toMatrix(s *slip) string {
	v, ok := s.value()
	x, _, known := s.operand()
	if !ok || !known || v.to != "mat.Matrix" {
		return ""
	}
	code := s.code(x)
	switch v.from {
	case "[][]float64":
		return s.wrap("make a matrix of the rows: ", "ml.Rows", "")
	case "[]int":
		return "pass the matrix of the examples first, then their classes: Fit(x, y)"
	case "[]float64":
		one := "ml.Rows([][]float64{" + code + "})"
		if lit, ok := x.(*ast.CompositeLit); ok {
			one = "ml.Rows([][]float64{" + code[int(lit.Lbrace-lit.Pos()):] + "})"
			return s.replace("pass a matrix, with one row per example: ", one)
		}
		if _, ok := x.(*ast.Ident); !ok {
			return s.replace("pass a matrix, with one row per example: ", one)
		}
		column := "mat.NewDense(len(" + code + "), 1, " + code + ")"
		return s.replace("pass a matrix, with one row per example: if "+code+" is one example, ‹"+one+"›; if it is the only feature of several, ", column)
	}
	return ""
}

// elementwise handles a vector passed to a function of one number.
func elementwise(s *slip) string {
	v, ok := s.value()
	if !ok || v.call == "" || v.from != "[]float64" && v.from != "[]int" || !numeric[v.to] {
		return ""
	}
	return v.call + " takes one number: call it for each element, in a loop"
}

// toSlice handles a single value, a map or a slice of another numeric type where a slice is needed.
func toSlice(s *slip) string {
	v, ok := s.value()
	x, _, known := s.operand()
	switch {
	case !ok || !known:
	case v.to == "[]"+v.from:
		return s.replace("put the value into a slice: ", v.to+"{"+s.code(x)+"}")
	case strings.HasPrefix(v.from, "map[") && strings.HasSuffix(v.from, "]"+strings.TrimPrefix(v.to, "[]")):
		return s.replace("collect the values of the map: ", "slices.Collect(maps.Values("+s.code(x)+"))")
	case strings.HasPrefix(v.from, "[]") && numeric[v.from[2:]] && strings.HasPrefix(v.to, "[]") && numeric[v.to[2:]]:
		if lit, ok := x.(*ast.CompositeLit); ok && lit.Type != nil {
			return s.change("write the slice with the required type: ‹"+v.to+"›", put(lit.Type, v.to))
		}
		return "a slice of another type can't be converted as a whole: declare it as " + v.to + ", or convert element by element in a loop"
	}
	return ""
}

// spread handles a slice passed to a function that takes its elements.
func spread(s *slip) string {
	v, ok := s.value()
	x, _, known := s.operand()
	if !ok || !known || !strings.HasPrefix(v.from, "[]") || v.from[2:] != v.to || v.call == "" {
		return ""
	}
	call, ok := s.call()
	if !ok || len(call.Args) == 0 || call.Args[len(call.Args)-1] != x {
		return ""
	}
	sig, ok := s.result.Info.Types[call.Fun].Type.(*types.Signature)
	if !(ok && sig.Variadic()) && v.call != "append" {
		return ""
	}
	return s.change("three dots pass the elements of a slice: ‹"+s.code(x)+"...›", insert(x.End(), "..."))
}

// pointerOrValue handles a missing or extra & or *.
func pointerOrValue(s *slip) string {
	v, ok := s.value()
	x, tv, known := s.operand()
	receiver := strings.Contains(s.Msg, "has pointer receiver")
	switch {
	case ok && known && (v.to == "*"+v.from || receiver):
		_, lit := x.(*ast.CompositeLit)
		if !lit && !tv.Addressable() {
			return "assign the value to a variable v first, and pass the pointer &v"
		}
		lead := "pass a pointer: "
		if receiver {
			lead = "the methods have pointer receivers: write "
		}
		return s.replace(lead, "&"+s.code(x))
	case ok && known && v.from == "*"+v.to:
		if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
			return s.replace("pass the value: ", s.code(u.X))
		}
		return s.replace("pass the value that the pointer points to: ", "*"+s.code(x))
	case receiver:
		return "the methods have pointer receivers: write & before the value"
	}
	return ""
}

// freshModels handles a model where a function that creates models is needed.
func freshModels(s *slip) string {
	if strings.Contains(s.Msg, " as func() model.") {
		return "pass a function that makes a model: ‹func() ml.Classifier { return &ml.KNN{K: 3} }›; CrossValidate takes the model itself"
	}
	return ""
}

// missingMethod handles a type that lacks a method of an interface.
func missingMethod(s *slip) string {
	_, method, ok := strings.Cut(s.Msg, "(missing method ")
	v, isValue := s.value()
	if !ok || !isValue || !strings.HasPrefix(v.from, "main.") && strings.Contains(v.from, ".") || strings.ContainsAny(v.from, "[]*") || types.Universe.Lookup(v.from) != nil {
		return ""
	}
	method, _, _ = strings.Cut(method, ")")
	if strings.Contains(s.Msg, "\t\thave ") {
		return "write the method as the interface declares it, with the same upper and lower case"
	}
	return "declare the method " + method + " for " + strings.TrimPrefix(v.from, "main.") + ", as the interface declares it"
}

// otherConstant handles a constant that can't be converted to the type.
func otherConstant(s *slip) string {
	if c, ok := s.constant(); ok {
		return s.constantAs(c.from, c.to)
	}
	return ""
}

// nilForValue handles nil where the type has no nil.
func nilForValue(s *slip) string {
	_, to, ok := strings.Cut(s.Msg, "cannot use nil as ")
	if !ok {
		return ""
	}
	to, _, _ = strings.Cut(to, " value")
	x, _, known := s.operand()
	zero := ""
	switch {
	case numeric[to]:
		zero = "0"
	case to == "string":
		zero = `""`
	case to == "bool":
		zero = "false"
	}
	if zero != "" && known {
		return s.change(to+" has no nil; its zero value is ‹"+zero+"›", put(x, zero))
	}
	return "only pointers, slices, maps, channels, functions and interfaces can be nil: write the zero value of the type"
}

// wholeNumber handles a constant with a fraction where an integer is needed.
func wholeNumber(s *slip) string {
	_, to, ok := strings.Cut(s.Msg, " truncated to ")
	if !ok {
		return ""
	}
	x, tv, known := s.operand()
	if !known {
		return "whole numbers have no fraction"
	}
	if b, ok := find(s, func(b *ast.BinaryExpr) bool { return b.X == x || b.Y == x }); ok {
		other := b.X
		if other == x {
			other = b.Y
		}
		if typeName(s.result.Info.Types[other].Type) == "time.Duration" {
			return s.duration(b, tv.Value, other)
		}
		if integral[to] && (b.Op == token.ADD || b.Op == token.SUB || b.Op == token.MUL || b.Op == token.QUO || comparison(b.Op)) {
			return s.convert(other, "float64")
		}
	}
	if _, ok := find(s, func(i *ast.IndexExpr) bool { return i.Index == x }); ok {
		return "an index is a whole number: 0 is the first element"
	}
	return "write a whole number here, without a fraction"
}

func comparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
		return true
	}
	return false
}

// duration suggests how to write a fraction of a unit of time: b is 0.5 * time.Second.
func (s *slip) duration(b ast.Expr, factor constant.Value, unit ast.Expr) string {
	f, _ := constant.Float64Val(constant.ToFloat(factor))
	if sel, ok := unit.(*ast.SelectorExpr); ok && sel.Sel.Name == "Second" {
		if code := milliseconds(f); code != "" {
			return s.change("write a time as a whole number of a unit: ‹"+code+"›", put(b, code))
		}
	}
	return "write a time as a whole number of a unit: ‹500 * time.Millisecond›"
}

// milliseconds formats a number of seconds in milliseconds, or returns "" if the result is not an
// integer.
func milliseconds(seconds float64) string {
	ms := seconds * 1000
	if ms != float64(int64(ms)) {
		return ""
	}
	return strconv.FormatInt(int64(ms), 10) + " * time.Millisecond"
}

// conversion handles a conversion that Go does not have.
func conversion(s *slip) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	from := typeName(tv.Type)
	if call, ok := find(s, func(c *ast.CallExpr) bool { return len(c.Args) == 1 && c.Args[0] == x }); ok {
		return s.converting(call, x, tv, from, s.typeOf(call.Fun))
	}
	if i, ok := find(s, func(i *ast.IndexExpr) bool { return i.Index == x }); ok && from == "string" {
		return "the elements of " + s.code(i.X) + " are counted from 0: write a whole number; only a map with string keys is indexed by a string"
	}
	if o, ok := s.operation(); ok && o.isCase {
		if o.right == "bool" {
			return "a switch without a value has conditions as its cases: case x == 1:"
		}
		return "the cases must have the type of the switch value, " + o.right
	}
	return ""
}

// converting handles T(x).
func (s *slip) converting(call *ast.CallExpr, x ast.Expr, tv types.TypeAndValue, from, to string) string {
	code := s.code(x)
	switch {
	case from == "string" && (to == "int" || to == "float64"):
		read := "strconv.Atoi(" + code + ")"
		if to == "float64" {
			read = "strconv.ParseFloat(" + code + ", 64)"
		}
		if tv.Value != nil {
			if _, err := strconv.ParseFloat(constant.StringVal(tv.Value), 64); err != nil {
				return "only a string of digits can be converted to a number"
			}
		}
		if sig, _ := s.function(call); sig != nil {
			return "read the number first: ‹v, err := " + read + "›, check err, and use v here"
		}
		return s.change("read the number from the string: ‹"+read+"›", put(call, read))
	case to == "[]"+from:
		return s.change("put the value into a slice: ‹"+to+"{"+code+"}›", put(call, to+"{"+code+"}"))
	case to == "string":
		return s.change("convert it to a string: ‹fmt.Sprint("+code+")›", put(call, "fmt.Sprint("+code+")"))
	case from == "bool" && numeric[to]:
		return "a bool is not a number: count with if condition { n++ }"
	}
	return ""
}

// constantAs suggests how to convert a constant of a kind to a value of a type.
func (s *slip) constantAs(kind, to string) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	code := s.code(x)
	switch {
	case to == "[]"+kind || to == "[]float64" && kind == "int":
		return s.replace("put the value into a slice: ", to+"{"+code+"}")
	case to == "string" && (kind == "int" || kind == "float"):
		return s.replace("write a string in double quotes: ", strconv.Quote(code))
	case to == "string" && kind == "rune":
		if text, err := strconv.Unquote(code); err == nil {
			return s.replace("write a string in double quotes: ", strconv.Quote(text))
		}
	case to == "error" && kind == "string":
		return s.wrap("convert the string to an error: ", "errors.New", "")
	case kind == "string" && to == "int":
		return s.number("strconv.Atoi", "")
	case kind == "string" && to == "float64":
		return s.number("strconv.ParseFloat", ", 64")
	case kind == "string" && (to == "rune" || to == "byte"):
		return s.character(x, tv, to)
	case kind == "int" && numeric[to]:
		return "the number does not fit into " + to + ": choose a larger type, or big.Int, which has no limit"
	case strings.HasPrefix(to, "*") && types.Default(tv.Type).String() == to[1:]:
		return s.wrap("pass a pointer to the value: ", "new", "")
	case kind == "float" && to == "time.Duration":
		f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		if ms := milliseconds(f); ms != "" {
			return s.replace("name the unit of the time: ", ms)
		}
		return "name the unit of the time: ‹500 * time.Millisecond›"
	case kind == "float" && numeric[to]:
		return s.fraction(x, to)
	case kind == "int" && strings.HasPrefix(to, "[]"), kind == "string" && strings.HasPrefix(to, "[]"):
		return "write a slice here, with its elements in braces: " + to + "{ }"
	}
	return ""
}

// character suggests single quotes for a string of one character.
func (s *slip) character(x ast.Expr, tv types.TypeAndValue, to string) string {
	if tv.Value == nil {
		return ""
	}
	text := constant.StringVal(tv.Value)
	r, n := utf8.DecodeRuneInString(text)
	if n != len(text) || n == 0 || to == "byte" && r > 0x7f {
		return "single quotes are for one character, double quotes for a string"
	}
	code := strconv.QuoteRune(r)
	return s.change("write one character in single quotes: ‹"+code+"›", put(x, code))
}

// fraction handles a constant like 2.7 where an integer is needed.
func (s *slip) fraction(x ast.Expr, to string) string {
	as, ok := find(s, func(a *ast.AssignStmt) bool { return a.Tok == token.ASSIGN && len(a.Rhs) == 1 && a.Rhs[0] == x })
	if ok {
		id, isName := as.Lhs[0].(*ast.Ident)
		if sig, _ := s.function(as); isName && sig == nil && s.advisor.Scope.Lookup(id.Name) != nil && s.result.Info.Uses[id] == s.advisor.Scope.Visible(id.Name) {
			code := id.Name + " := " + s.code(x)
			return s.change(id.Name+" is an "+to+"; to let it have a fraction, declare it again: ‹"+code+"›",
				check.Edit{Pos: as.TokPos, End: as.TokPos + 1, Text: ":="})
		}
		return types.ExprString(as.Lhs[0]) + " has the type " + to + ": declare it as a float64 to keep the fraction"
	}
	return "write a whole number here, without a fraction"
}
