package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/scope"
)

// arguments handles too many or too few arguments.
func arguments(s *slip) string {
	call, ok := s.call()
	if !ok {
		return ""
	}
	if h := s.constructed(call); h != "" {
		return h
	}
	sig, ok := s.result.Info.Types[call.Fun].Type.(*types.Signature)
	if !ok {
		return ""
	}
	if len(call.Args) == 1 && s.typeOf(call.Args[0]) == "*data.Dataset" && sig.Params().Len() == 2 {
		d := s.code(call.Args[0])
		code := d + ".X, " + d + ".Y"
		if typeName(sig.Params().At(1).Type()) == "[]float64" {
			code = d + ".X, " + d + ".Target"
		}
		return s.change("pass the parts of the data set: ‹"+s.code(call.Fun)+"("+code+")›", put(call.Args[0], code))
	}
	if t, ok := onlySlice(sig); ok && len(call.Args) > 1 {
		from, to := call.Args[0], call.Args[len(call.Args)-1]
		code := typeName(t) + "{" + s.src.Slice(from.Pos(), to.End()) + "}"
		return s.change("it takes one slice: ‹"+code+"›", check.Edit{Pos: from.Pos(), End: to.End(), Text: code})
	}
	var params []string
	for p := range sig.Params().Variables() {
		params = append(params, strings.TrimSpace(p.Name()+" "+scope.TypeString(p.Type())))
	}
	if len(params) == 0 {
		return "it takes no arguments"
	}
	return "it takes " + strings.Join(params, ", ")
}

func onlySlice(sig *types.Signature) (types.Type, bool) {
	if sig.Params().Len() != 1 || sig.Variadic() {
		return nil, false
	}
	t := sig.Params().At(0).Type()
	_, ok := t.(*types.Slice)
	return t, ok
}

// constructed handles T(a, b) where T is a struct.
func (s *slip) constructed(call *ast.CallExpr) string {
	tv := s.result.Info.Types[call.Fun]
	if !tv.IsType() {
		return ""
	}
	st, ok := tv.Type.Underlying().(*types.Struct)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	name, values := s.code(call.Fun), s.src.Slice(call.Args[0].Pos(), call.Args[len(call.Args)-1].End())
	if len(call.Args) != st.NumFields() {
		if st.NumFields() == 0 || len(call.Args) != 1 {
			return "write the fields of a struct in braces, each by its name: " + name + "{ }"
		}
		values = st.Field(0).Name() + ": " + values
	}
	code := name + "{" + values + "}"
	return s.change("write the fields of a struct in braces: ‹"+code+"›", put(call, code))
}

// notAssignable handles an expression on the left side of = that can't be assigned.
func notAssignable(s *slip) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		return "a string can't be changed in place: convert it to a slice with ‹chars := []rune(s)›, change that slice, and convert it back with ‹string(chars)›"
	case *ast.Ident:
		if _, ok := s.result.Info.Uses[x].(*types.Const); ok {
			return "a constant keeps its value: declare it with var or := to change it"
		}
	}
	return "only variables, fields and elements can be assigned to"
}

// fieldInMap handles m[k].f = v.
func fieldInMap(s *slip) string {
	as, ok := find(s, func(a *ast.AssignStmt) bool { return len(a.Lhs) == 1 && s.spans(a.Lhs[0]) })
	if !ok {
		return "take the value out of the map, change it, and put it back"
	}
	sel, ok := as.Lhs[0].(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	element := s.code(sel.X)
	lines := []string{
		"v := " + element,
		"v." + sel.Sel.Name + s.src.Text[int(sel.End()-s.src.Base):int(as.End()-s.src.Base)],
		element + " = v",
	}
	indent := s.indent(as.Pos())
	return s.change("take the value out of the map, change it, and put it back: ‹"+strings.Join(lines, "; ")+"›",
		put(as, strings.Join(lines, "\n"+indent)))
}

// indent returns the white space at the start of a position's line.
func (s *slip) indent(pos token.Pos) string {
	at := int(pos - s.src.Base)
	if at < 0 || at > len(s.src.Text) {
		return ""
	}
	line := s.src.Text[strings.LastIndexByte(s.src.Text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// counts handles different numbers of names and values.
func counts(s *slip) string {
	if strings.HasPrefix(s.Msg, "extra init expr") {
		return "there are more values than names; separate the digits of a large number with _: ‹1_000›"
	}
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	values, several := tv.Type.(*types.Tuple)
	if !several {
		return "give as many values as names, separated by commas"
	}
	var as *ast.AssignStmt
	_, _ = find(s, func(a *ast.AssignStmt) bool {
		if len(a.Rhs) == 1 && a.Rhs[0] == x {
			as = a
		}
		return as != nil
	})
	if as == nil || len(as.Lhs) == 0 {
		return "take as many values as the call returns, with _ for those that you don't need"
	}
	last := values.At(values.Len() - 1).Type()
	sig, _ := s.function(as)
	isError := types.Identical(last, types.Universe.Lookup("error").Type())
	if len(as.Lhs) == 1 && values.Len() == 2 && isError && as.Tok == token.DEFINE && sig != nil {
		left := s.code(as.Lhs[0])
		indent := s.indent(as.Pos())
		code := left + ", err := " + s.code(x)
		return s.change("assign the error too: ‹"+code+"›, and handle it with if err != nil { panic(err) } or a return",
			insert(as.Lhs[0].End(), ", err"), insert(as.End(), "\n"+indent+"if err != nil {\n"+indent+"\tpanic(err)\n"+indent+"}"))
	}
	if missing := values.Len() - len(as.Lhs); missing > 0 {
		end := as.Lhs[len(as.Lhs)-1].End()
		code := s.src.Slice(as.Lhs[0].Pos(), end) + strings.Repeat(", _", missing) + " " + as.Tok.String() + " " + s.code(x)
		return s.change("take all values, with _ for those that you don't need: ‹"+code+"›", insert(end, strings.Repeat(", _", missing)))
	}
	return "the call returns fewer values than there are names: leave names out"
}

// severalValues handles a call with several results where one value is needed.
func severalValues(s *slip) string {
	if strings.Contains(s.Msg, "(no value)") {
		return "the call returns nothing: write it on a line of its own, or let the function return a value"
	}
	if strings.Contains(s.Msg, ", error)") {
		return "inside a function, assign both results, ‹v, err := strconv.Atoi(s)›, and handle err; at the top level of a cell, the kernel handles the error"
	}
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	values, isTuple := tv.Type.(*types.Tuple)
	spec, isVar := find(s, func(v *ast.ValueSpec) bool { return len(v.Values) == 1 && v.Values[0] == x && len(v.Names) == 1 })
	if isTuple && isVar && !strings.HasPrefix(spec.Names[0].Name, "ǃ") { // no name of the cell
		more := strings.Repeat(", _", values.Len()-1)
		return s.change("take all values, with _ for those that you don't need: ‹"+spec.Names[0].Name+more+" := "+s.code(x)+"›", insert(spec.Names[0].End(), more))
	}
	return "the call returns several values: assign them to variables first, with _ for those that you don't need"
}

// returned handles returned values that the function does not declare.
func returned(s *slip) string {
	ret, ok := find(s, func(r *ast.ReturnStmt) bool { return len(r.Results) > 0 && r.Results[0].Pos() == s.Pos })
	if !ok {
		return ""
	}
	sig, body := s.function(ret)
	tooMany := strings.HasPrefix(s.Msg, "too many return values")
	if sig == nil && tooMany {
		return s.change("leave return out: a cell shows its last value",
			check.Edit{Pos: ret.Pos(), End: ret.Results[0].Pos()})
	}
	if tooMany && sig != nil && sig.Results == nil {
		var list []string
		for _, x := range ret.Results {
			t := s.typeOf(x)
			if tv := s.result.Info.Types[x]; tv.Type != nil {
				t = scope.TypeString(types.Default(tv.Type))
			}
			list = append(list, t)
		}
		code := strings.Join(list, ", ")
		if len(list) > 1 {
			code = "(" + code + ")"
		}
		head := s.src.Slice(sig.Func, body.Lbrace)
		return s.change("declare the result type: ‹"+head+" "+code+"›", insert(sig.Params.End(), " "+code))
	}
	return "return as many values as the function declares"
}

func structLiteral(s *slip) string {
	lit := s.literal()
	if lit == nil || !strings.HasPrefix(s.Msg, "too few values") {
		return ""
	}
	st, ok := s.result.Info.Types[lit].Type.Underlying().(*types.Struct)
	if !ok || lit.Type == nil {
		return ""
	}
	var fields []string
	var edits []check.Edit
	for i, x := range lit.Elts {
		if i < st.NumFields() {
			fields = append(fields, st.Field(i).Name()+": "+s.code(x))
			edits = append(edits, insert(x.Pos(), st.Field(i).Name()+": "))
		}
	}
	return s.change("give all fields in their order, or some by their names: ‹"+s.code(lit.Type)+"{"+strings.Join(fields, ", ")+"}›", edits...)
}

// compared handles min and max of a slice.
func compared(s *slip) string {
	x, _, ok := s.operand()
	if !ok || !strings.HasPrefix(s.operandType(), "[]") {
		return ""
	}
	call, ok := find(s, func(c *ast.CallExpr) bool { return len(c.Args) == 1 && c.Args[0] == x })
	if !ok {
		return ""
	}
	fn := "slices.Max"
	if s.code(call.Fun) == "min" {
		fn = "slices.Min"
	}
	code := fn + "(" + s.code(x) + ")"
	return s.change("for the elements of a slice, write ‹"+code+"›", put(call, code))
}

func nameOfType(s *slip) string {
	x, tv, ok := s.operand()
	if !ok || !tv.IsType() {
		return ""
	}
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return "for its documentation, write " + s.code(x) + "?"
	}
	return ""
}

// ranged handles a value that range can't iterate over.
func ranged(s *slip) string {
	t := s.operandType()
	if t == "*display.Bar" {
		return "move the bar by hand: ‹bar := Progress(3); for range 3 { bar.Step() }›"
	}
	x, tv, ok := s.operand()
	if !ok {
		return "range goes over slices, maps, strings, channels, functions and whole numbers"
	}
	code := s.code(x)
	switch {
	case t == columnType:
		return s.values(x, "range over the values of the column: ", "Floats")
	case tv.Value != nil && number(t):
		if n, exact := int64Of(tv.Value); exact {
			whole := itoa(n)
			return s.change("range counts up to a whole number: ‹range "+whole+"›", put(x, whole))
		}
	case tv.Value == nil && number(t):
		return s.change("range counts up to a whole number: ‹range int("+code+")›", put(x, "int("+code+")"))
	}
	return "range goes over slices, maps, strings, channels, functions and whole numbers"
}

// values suggests a method that returns a column's values. The column's type does not show how the
// column stores its values.
func (s *slip) values(x ast.Expr, lead, method string) string {
	code := s.code(x) + "." + method + "()"
	hint := lead + "‹" + code + "›"
	if method == "Floats" {
		hint += "; for values of other types, call Ints, Strings or Bools"
	}
	if loop, ok := find(s, func(r *ast.RangeStmt) bool { return r.X == x && r.Value == nil && r.Key != nil }); ok {
		key := s.code(loop.Key)
		return s.change(lead+"‹for _, "+key+" := range "+code+"›; for values of other types, call Ints, Strings or Bools", insert(loop.Key.Pos(), "_, "), put(x, code))
	}
	return s.change(hint, put(x, code))
}

// called handles a call of a value that is not a function.
func called(s *slip) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	id, isName := x.(*ast.Ident)
	if _, isVar := s.result.Info.Uses[id].(*types.Var); isName && isVar && types.Universe.Lookup(id.Name) != nil {
		return id.Name + " is a variable here, not the built-in function: give the variable another name"
	}
	if _, isSlice := tv.Type.Underlying().(*types.Slice); isSlice {
		return "write an index in brackets: xs[0]"
	}
	if number(typeName(tv.Type)) {
		return "write * for a product"
	}
	return "only a function can be called"
}

// unused handles a value that is not used.
func unused(s *slip) string {
	x, _, ok := s.operand()
	if !ok {
		return "only the last expression of a cell is shown; to show another one, write Show(x)"
	}
	if b, ok := x.(*ast.BinaryExpr); ok && b.Op == token.EQL {
		if _, addressable := ast.Unparen(b.X).(*ast.Ident); addressable {
			code := s.code(b.X) + " = " + s.code(b.Y)
			return s.change("assign with one =: ‹"+code+"›", check.Edit{Pos: b.OpPos, End: b.OpPos + 2, Text: "="})
		}
	}
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) > 0 {
		if fn, ok := call.Fun.(*ast.Ident); ok && fn.Name == "append" && s.result.Info.Types[fn].IsBuiltin() {
			first := s.code(call.Args[0])
			code := first + " = " + s.code(call)
			return s.change("append returns the longer slice: ‹"+code+"›", insert(call.Pos(), first+" = "))
		}
	}
	if sig, _ := s.function(x); sig != nil {
		return "use the value: assign it to a variable, print it, or return it"
	}
	return s.change("only the last expression of a cell is shown; to show this too, write ‹Show("+s.code(x)+")›", put(x, "Show("+s.code(x)+")"))
}

// assignAgain handles := without a new variable.
func assignAgain(s *slip) string {
	as, ok := find(s, func(a *ast.AssignStmt) bool { return a.TokPos == s.Pos && a.Tok == token.DEFINE })
	if !ok {
		if at := int(s.Pos - s.src.Base); at < 0 || !strings.HasPrefix(s.src.Text[min(at, len(s.src.Text)):], ":=") {
			return "assign with ="
		}
		return s.change("the variable exists already; assign with =", check.Edit{Pos: s.Pos, End: s.Pos + 2, Text: "="})
	}
	line := s.src.Slice(as.Pos(), as.TokPos) + " = " + s.src.Slice(as.TokPos+2, as.End())
	return s.change("the variable exists already; assign with =: ‹"+line+"›", check.Edit{Pos: s.Pos, End: s.Pos + 2, Text: "="})
}

// lastElement returns the hint for an index that is negative or not a whole number.
func lastElement(s *slip) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	if tv.Value == nil {
		if fractional(typeName(tv.Type)) {
			code := "int(" + s.code(x) + ")"
			return s.change("an index is a whole number: ‹"+code+"›", put(x, code))
		}
		return "an index is a whole number: 0 is the first element"
	}
	neg, isNeg := x.(*ast.UnaryExpr)
	var of ast.Expr
	_, _ = find(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if n.Index == x {
				of = n.X
			}
		case *ast.SliceExpr:
			if n.Low == x || n.High == x {
				of = n.X
			}
		}
		return of != nil
	})
	if !isNeg || neg.Op != token.SUB || of == nil {
		return "an index is not negative: 0 is the first element"
	}
	code := "len(" + s.code(of) + ")-" + s.code(neg.X)
	return s.change("count from the end with ‹"+code+"›", put(x, code))
}
