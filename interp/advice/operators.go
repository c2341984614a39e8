package advice

import (
	"strings"

	"github.com/gokernel/gokernel/interp/pattern"
	"github.com/gokernel/gokernel/interp/rewrite"
)

var (
	power       = pattern.New(`^invalid operation: (?:operator \^ not defined on .*float|.+ \^ .+ \(mismatched types \S*float64)`)
	remainder   = pattern.New(`^invalid operation: operator % not defined on .*float`)
	againstNil  = pattern.New(`^invalid operation: .* \(mismatched types \S+ and untyped nil\)`)
	textTimes   = pattern.New(`^invalid operation: .+ \* .+ \(mismatched types .*string`)
	textPercent = pattern.New(`^invalid operation: .+ % .+ \(mismatched types .*string`)
	comparison  = pattern.New(`^invalid operation: (\S+) (<|>|<=|>=|==|!=) (\S+) \(mismatched types `)
	arithmetic  = pattern.New(`^invalid operation: .+ [-+*/] .+ \(mismatched types `)
	cannotIndex = pattern.New(`cannot index \S+ \(variable of (?:\S+ )?type (?:\*model\.Table|\*mat\.\w+|mat\.Matrix)\)`)
)

// toPower is about ^, which many mean for a power.
func toPower(s *slip) string {
	if power.MatchString(s.Msg) {
		return "^ is exclusive or; x * x squares, math.Pow(x, y) raises to a power"
	}
	return ""
}

func realRemainder(s *slip) string {
	if remainder.MatchString(s.Msg) {
		return "math.Mod(x, y) is the remainder of real numbers"
	}
	return ""
}

func comparedToNil(s *slip) string {
	if againstNil.MatchString(s.Msg) {
		return "pointers, slices, maps, channels, functions and interfaces can be nil; v, ok := m[key] reports whether a map has a key"
	}
	return ""
}

// onlyToNil is about two slices or maps that are compared.
func onlyToNil(s *slip) string {
	switch {
	case strings.Contains(s.Msg, "slice can only be compared to nil"):
		return "slices.Equal(a, b) compares slices"
	case strings.Contains(s.Msg, "map can only be compared to nil"):
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
	left, right, ok := s.operands()
	if !ok {
		return ""
	}
	isVector := func(t string) bool { return strings.HasPrefix(t, "[]") && numeric[t[2:]] }
	if !isVector(left) && !isVector(right) || !comparison.MatchString(s.Msg) && !arithmetic.MatchString(s.Msg) {
		return ""
	}
	return "operators take []float64, []int and numbers: convert the elements in a loop, or make the vector of one of these types"
}

// matrixOperand is about a matrix that is not a pointer.
func matrixOperand(s *slip) string {
	left, right, ok := s.operands()
	if !ok || !strings.HasPrefix(strings.TrimPrefix(left, "*"), "mat.") && !strings.HasPrefix(strings.TrimPrefix(right, "*"), "mat.") {
		return ""
	}
	for _, t := range []string{left, right} {
		if t == "mat.Dense" || t == "mat.SymDense" || t == "mat.VecDense" || t == "mat.TriDense" || t == "mat.DiagDense" {
			return "operators take pointers to matrices: write &m for a variable m of type " + t
		}
	}
	return ""
}

// twoTypes is about operands of two types.
func twoTypes(s *slip) string {
	left, right, ok := s.operands()
	switch {
	case !ok:
	case strings.HasSuffix(right, "time.Duration") || strings.HasSuffix(left, "time.Duration"):
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
	case textTimes.MatchString(s.Msg):
		return "strings.Repeat(text, n) repeats a text"
	case textPercent.MatchString(s.Msg):
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
	switch {
	case strings.Contains(s.Msg, columnType):
		return "At(i) gives the value in row i"
	case strings.Contains(s.Msg, "*data.Dataset"):
		return "d.X has the features, d.X.At(i, j) is one of them, d.Y has the classes"
	case cannotIndex.MatchString(s.Msg):
		return "X.At(i, j) is an element of a matrix, mat.Row(nil, i, X) a row, mat.Col(nil, j, X) a column"
	}
	return ""
}
