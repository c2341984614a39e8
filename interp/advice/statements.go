package advice

import (
	"strings"

	"github.com/gokernel/gokernel/interp/pattern"
)

var (
	manyForSlice = pattern.New(`(?s)^too many arguments in call to .*\twant \((\[\]\w+)\)$`)
	notAssigned  = pattern.New(`^cannot assign to (.+) \(neither addressable nor a map index expression\)`)
	assignCount  = pattern.New(`^assignment mismatch: (\d+) variables? but (.+) returns? (\d+) values?`)
	typeAlone    = pattern.New(`^[\pL_][\pL\pN_.]* \(type\) is not an expression$`)
)

// arguments is about too many or too few arguments.
func arguments(s *slip) string {
	if strings.Contains(s.Msg, "\thave (*data.Dataset)") {
		return "pass the parts of the data set: Fit(d.X, d.Y); ml.Fit(model, d) takes it as a whole"
	}
	if m := manyForSlice.FindStringSubmatch(s.Msg); m != nil {
		return "it takes one slice: " + m[1] + "{...}"
	}
	return ""
}

// notAssignable is about what cannot stand on the left side of =.
func notAssignable(s *slip) string {
	m := notAssigned.FindStringSubmatch(s.Msg)
	switch {
	case m == nil:
		return ""
	case strings.Contains(m[1], "["):
		return "text cannot be changed in place: make a []byte or []rune of it"
	case !strings.ContainsAny(m[1], "[.("):
		return "a constant stays what it is: declare it with := or var"
	}
	return "only variables, fields and elements can be assigned"
}

// counts is about unequal numbers of names and values.
func counts(s *slip) string {
	if strings.HasPrefix(s.Msg, "extra init expr") {
		return "there are more values than names; digits are grouped with _: 1_000"
	}
	m := assignCount.FindStringSubmatch(s.Msg)
	if m == nil || m[1] >= m[3] && len(m[1]) >= len(m[3]) {
		return ""
	}
	h := "take all of them, with _ for those that you do not need"
	if m[1] == "1" && m[3] == "2" {
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
	if strings.Contains(s.Msg, "type []") {
		return "slices.Max(xs) and slices.Min(xs) look at all elements"
	}
	return ""
}

func nameOfType(s *slip) string {
	if typeAlone.MatchString(s.Msg) {
		return "a question mark behind the name shows its documentation"
	}
	return ""
}

// ranged is about what range does not go over.
func ranged(s *slip) string {
	if strings.Contains(s.Msg, "*display.Bar") {
		return "a bar is moved by hand: bar := Progress(n); for range n { bar.Step() }"
	}
	if strings.Contains(s.Msg, columnType) {
		return "Floats(), Strings(), Ints() and Bools() give the values of a column as a slice"
	}
	return "range goes over slices, maps, text, channels, functions and whole numbers: for i := range int(x)"
}
