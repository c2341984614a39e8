package advice

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// toPower is about ^, which many mean for a power.
func toPower(s *slip) string {
	if o, ok := s.operation(); ok && o.op == token.XOR && (real(o.left) || real(o.right)) {
		return "^ is exclusive or; x * x squares, math.Pow(x, y) raises to a power"
	}
	return ""
}

func realRemainder(s *slip) string {
	if o, ok := s.operation(); ok && o.op == token.REM && (real(o.left) || real(o.right)) {
		return "math.Mod(x, y) is the remainder of real numbers"
	}
	return ""
}

// real reports whether the values of a type, the elements of a vector, or constants of a
// kind have fractions.
func real(t string) bool {
	return strings.HasSuffix(t, "float64") || strings.HasSuffix(t, "float32") || t == "float"
}

func comparedToNil(s *slip) string {
	if o, ok := s.operation(); ok && (o.left == "nil" || o.right == "nil") {
		return "pointers, slices, maps, channels, functions and interfaces can be nil; v, ok := m[key] reports whether a map has a key"
	}
	return ""
}

// onlyToNil is about two slices or maps that are compared.
func onlyToNil(s *slip) string {
	o, ok := s.operation()
	_, tv, known := s.operand()
	if !ok || !known || o.op != token.EQL && o.op != token.NEQ {
		return ""
	}
	switch tv.Type.Underlying().(type) {
	case *types.Slice:
		return "slices.Equal(a, b) compares slices"
	case *types.Map:
		return "maps.Equal(a, b) compares maps"
	}
	return ""
}

// condition is about a condition that is not one bool.
func condition(s *slip) string {
	if s.result != nil {
		for x, tv := range s.result.Info.Types {
			if x.Pos() != s.Pos || tv.Type == nil {
				continue
			}
			switch tv.Type.String() {
			case "*" + rewrite.FramePath + ".Column":
				return "a comparison of a column gives a column of bools: f.Where(mask) selects the rows in which it is true"
			case "[]bool":
				return "a comparison of vectors gives a bool for each element: slices.Contains(mask, true) reports whether any is true, slices.Equal(a, b) whether all are equal"
			}
		}
	}
	return "conditions are bool: compare with == or !="
}

// vectorOperand is about vectors of numbers that are not float64 or int, and about
// what vectors cannot be joined with.
func vectorOperand(s *slip) string {
	o, ok := s.operation()
	if !ok || !joining[o.op] {
		return ""
	}
	isVector := func(t string) bool { return strings.HasPrefix(t, "[]") && numeric[t[2:]] }
	if !isVector(o.left) && !isVector(o.right) {
		return ""
	}
	return "operators take []float64, []int and numbers: convert the elements in a loop, or make the vector of one of these types"
}

// joining has the operators that vectors have.
var joining = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.MUL: true, token.QUO: true,
	token.LSS: true, token.GTR: true, token.LEQ: true, token.GEQ: true, token.EQL: true, token.NEQ: true,
}

// matrixOperand is about a matrix that is not a pointer.
func matrixOperand(s *slip) string {
	o, ok := s.operation()
	if !ok {
		return ""
	}
	for _, t := range []string{o.left, o.right} {
		if t == "mat.Dense" || t == "mat.SymDense" || t == "mat.VecDense" || t == "mat.TriDense" || t == "mat.DiagDense" {
			return "operators take pointers to matrices: write &m for a variable m of type " + t
		}
	}
	return ""
}

// twoTypes is about operands of two types.
func twoTypes(s *slip) string {
	o, ok := s.operation()
	left, right := o.left, o.right
	switch {
	case !ok:
	case left == "time.Duration" || right == "time.Duration":
		return "convert the number: time.Duration(n) * time.Second"
	case character[left] && right == "string" || left == "string" && character[right]:
		return "single quotes make one character, double quotes text; string(c) makes text of a character"
	case numeric[left] && numeric[right]:
		to := left
		if right == "float64" {
			to = "float64"
		}
		return "convert one of them with " + to + "(...)"
	case left == "any" || right == "any":
		return "an any may hold a value of each type: x.(string) takes a text out, x.(float64) a number"
	case o.op == token.MUL && (left == "string" || right == "string"):
		return "strings.Repeat(text, n) repeats a text"
	case o.op == token.REM && (left == "string" || right == "string"):
		return "fmt.Sprintf(\"n is %d\", n) puts values into text"
	case left == "string" && number(right) || number(left) && right == "string":
		return "fmt.Sprint(...) makes text of a number"
	}
	return ""
}

// number reports whether a type, or the kind of an untyped constant, is numeric.
func number(t string) bool { return numeric[t] || t == "float" }

var character = map[string]bool{"rune": true, "byte": true}

// indexed is about what has no elements that [i] could give.
func indexed(s *slip) string {
	switch t := s.operandType(); {
	case t == columnType:
		return "At(i) gives the value in row i"
	case t == "*data.Dataset":
		return "d.X has the features, d.X.At(i, j) is one of them, d.Y has the classes"
	case t == "*model.Table" || t == "mat.Matrix" || strings.HasPrefix(t, "*mat."):
		return "X.At(i, j) is an element of a matrix, mat.Row(nil, i, X) a row, mat.Col(nil, j, X) a column"
	}
	return ""
}
