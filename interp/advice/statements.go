package advice

import (
	"go/ast"
	"go/types"
	"strings"
)

// arguments is about too many or too few arguments.
func arguments(s *slip) string {
	call, ok := s.call()
	if !ok {
		return ""
	}
	if len(call.Args) == 1 && s.typeOf(call.Args[0]) == "*data.Dataset" {
		return "pass the parts of the data set: Fit(d.X, d.Y); ml.Fit(model, d) takes it as a whole"
	}
	sig, ok := s.result.Info.Types[call.Fun].Type.(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Variadic() || len(call.Args) < 2 {
		return ""
	}
	if t, ok := sig.Params().At(0).Type().(*types.Slice); ok {
		return "it takes one slice: " + typeName(t) + "{...}"
	}
	return ""
}

// notAssignable is about what cannot stand on the left side of =.
func notAssignable(s *slip) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		return "text cannot be changed in place: make a []byte or []rune of it"
	case *ast.Ident:
		if _, ok := s.result.Info.Uses[x].(*types.Const); ok {
			return "a constant stays what it is: declare it with := or var"
		}
	}
	return "only variables, fields and elements can be assigned"
}

// counts is about unequal numbers of names and values.
func counts(s *slip) string {
	if strings.HasPrefix(s.Msg, "extra init expr") {
		return "there are more values than names; digits are grouped with _: 1_000"
	}
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	values, several := tv.Type.(*types.Tuple)
	names := 0
	_, _ = find(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && n.Rhs[0] == x {
				names = len(n.Lhs)
			}
		case *ast.ValueSpec:
			if len(n.Values) == 1 && n.Values[0] == x {
				names = len(n.Names)
			}
		}
		return names > 0
	})
	if !several || names == 0 || names >= values.Len() {
		return ""
	}
	h := "take all of them, with _ for those that you do not need"
	if names == 1 && values.Len() == 2 {
		h += "; only at the top level of a cell an error may be left out"
	}
	return h
}

// severalValues is about a call with several results where one value is wanted.
func severalValues(s *slip) string {
	if strings.Contains(s.Msg, ", error)") {
		return "inside a function take both, x, err := f(), and look at the error; at the top level of a cell it is checked for you"
	}
	return "it gives several values: take them all, a, b := f(), with _ for those that you do not need"
}

func returned(s *slip) string {
	if strings.HasPrefix(s.Msg, "too many return values") && strings.HasSuffix(s.Msg, "want ()") {
		return "a function says what it returns, func f() int; a cell returns nothing, its last value is shown"
	}
	return ""
}

func structLiteral(s *slip) string {
	if strings.HasPrefix(s.Msg, "too few values") {
		return "give all fields in their order, or those that you want with their names: T{Name: x}"
	}
	return ""
}

// compared is about min and max of a slice.
func compared(s *slip) string {
	if strings.HasPrefix(s.operandType(), "[]") {
		return "slices.Max(xs) and slices.Min(xs) look at all elements"
	}
	return ""
}

func nameOfType(s *slip) string {
	x, tv, ok := s.operand()
	if !ok || !tv.IsType() {
		return ""
	}
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return "a question mark behind the name shows its documentation"
	}
	return ""
}

// ranged is about what range does not go over.
func ranged(s *slip) string {
	t := s.operandType()
	if t == "*display.Bar" {
		return "a bar is moved by hand: bar := Progress(n); for range n { bar.Step() }"
	}
	if t == columnType {
		return "Floats(), Strings(), Ints() and Bools() give the values of a column as a slice"
	}
	return "range goes over slices, maps, text, channels, functions and whole numbers: for i := range int(x)"
}
