package advice

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/pattern"
)

// olderType is a value of a type of an earlier cell where the new type of that name
// is wanted.
var olderType = pattern.New(`\bof (?:\S+ )?type ([*\[\]]*)main\.([\pL_][\pL\pN_]*).*\) as ([*\[\]]*)(?:main\.)?([\pL_][\pL\pN_]*) value`)

// staleType is about a value whose type a later cell has declared again.
func staleType(s *slip) string {
	m := olderType.FindStringSubmatch(s.Msg)
	if m == nil || m[1] != m[3] || m[2] != m[4] {
		return ""
	}
	return m[2] + " has been declared again since this value was made: run the cell that makes it again"
}

var numeric = map[string]bool{
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true, "byte": true, "rune": true,
	"float32": true, "float64": true,
}

// otherNumber is about numbers of another type.
func otherNumber(s *slip) string {
	v, ok := s.value()
	switch {
	case !ok:
	case numeric[v.from] && numeric[v.to]:
		return "convert it: " + v.to + "(" + v.expr + ")"
	case numeric[v.from] && v.to == "string":
		return "fmt.Sprint(" + v.expr + ") makes text of a number"
	case numeric[v.from] && v.to == "time.Duration":
		return "convert the number: time.Duration(" + v.expr + ") * time.Second"
	}
	return ""
}

// textForNumber is about text where a number, an error or a file is wanted.
func textForNumber(s *slip) string {
	v, ok := s.value()
	switch {
	case !ok || v.from != "string":
	case v.to == "io.Reader" && v.call == "ml.ReadCSV":
		return "ml.LoadCSV(" + v.expr + ") reads a file"
	case v.to == "io.Reader":
		return "strings.NewReader(" + v.expr + ") reads a text, os.Open(" + v.expr + ") a file"
	case v.to == "int":
		return "strconv.Atoi(" + v.expr + ") reads a number from text"
	case v.to == "float64":
		return "strconv.ParseFloat(" + v.expr + ", 64) reads a number from text"
	case v.to == "error":
		return "errors.New(" + v.expr + ") makes an error of text"
	}
	return ""
}

// columnByName is about the name of a column where its number is wanted.
func columnByName(s *slip) string {
	v, ok := s.value()
	if !ok {
		v, ok = s.constant()
	}
	if !ok || v.from != "string" || v.to != "int" || !strings.HasSuffix(v.call, ".At") {
		return ""
	}
	return "columns are counted from 0: At(i, j); the data set has their names, d.Names"
}

// partOfData is about the other part of a data set.
func partOfData(s *slip) string {
	v, ok := s.value()
	switch {
	case !ok:
	case v.from == "[]int" && v.to == "[]float64" && strings.HasSuffix(v.expr, ".Y"):
		return "Y holds classes; the real targets of a data set are in " + strings.TrimSuffix(v.expr, "Y") + "Target"
	case v.from == "[]float64" && v.to == "[]int" && strings.HasSuffix(v.expr, ".Target"):
		return "Target holds real numbers; the classes of a data set are in " + strings.TrimSuffix(v.expr, "Target") + "Y"
	}
	return ""
}

// toMatrix is about what is no matrix yet.
func toMatrix(s *slip) string {
	v, ok := s.value()
	if !ok || v.to != "mat.Matrix" {
		return ""
	}
	switch v.from {
	case "[][]float64":
		return "ml.Rows(" + v.expr + ") makes a matrix of rows"
	case "[]int":
		return "the matrix of the examples comes first, then their classes: Fit(X, y)"
	case "[]float64":
		return "ml.Rows([][]float64{" + v.expr + "}) makes a matrix of one row"
	}
	return ""
}

// elementwise is about a vector where a function takes one number.
func elementwise(s *slip) string {
	v, ok := s.value()
	if !ok || v.call == "" || v.from != "[]float64" && v.from != "[]int" || !numeric[v.to] {
		return ""
	}
	return v.call + " takes one number: for i, v := range " + v.expr + " { y[i] = " + v.call + "(v) } goes over the elements"
}

// slices is about slices, maps and single values in each other's place.
func toSlice(s *slip) string {
	v, ok := s.value()
	switch {
	case !ok:
	case v.to == "[]"+v.from:
		return v.to + "{" + v.expr + "} is a slice of one"
	case strings.HasPrefix(v.from, "map[") && strings.HasSuffix(v.from, strings.TrimPrefix(v.to, "[]")):
		return "slices.Collect(maps.Values(" + v.expr + ")) makes a slice of the values"
	case strings.HasPrefix(v.from, "[]") && numeric[v.from[2:]] && strings.HasPrefix(v.to, "[]") && numeric[v.to[2:]]:
		return "make it a " + v.to + " from the start, or convert its elements one by one: " + v.to[2:] + "(x)"
	}
	return ""
}

// spread is about a slice where a function takes its elements.
func spread(s *slip) string {
	v, ok := s.value()
	if !ok || !strings.HasPrefix(v.from, "[]") || v.from[2:] != v.to || v.call == "" {
		return ""
	}
	return "three dots pass the elements of a slice: " + v.call + "(" + v.expr + "...)"
}

// pointerOrValue is about an & or * too many or too few.
func pointerOrValue(s *slip) string {
	v, ok := s.value()
	switch {
	case ok && v.to == "*"+v.from:
		return "take its address: &" + v.expr
	case ok && v.from == "*"+v.to:
		return "take what it points to: *" + v.expr
	case ok && strings.Contains(s.Msg, "has pointer receiver"):
		return "its methods belong to the pointer: write &" + v.expr
	case strings.Contains(s.Msg, "has pointer receiver"):
		return "its methods belong to the pointer: use &value"
	}
	return ""
}

// freshModels is about a model where a function is wanted that makes models.
func freshModels(s *slip) string {
	if strings.Contains(s.Msg, " as func() model.") {
		return "it makes fresh models by itself: give it a function, func() ml.Classifier { return &T{...} }; CrossValidate takes the model itself"
	}
	return ""
}

// otherConstant is about a constant that does not become a value of the type.
func otherConstant(s *slip) string {
	if c, ok := s.constant(); ok {
		return constantHint(c.expr, c.from, c.to)
	}
	return ""
}

// nilForValue is about nil where the type has none.
func nilForValue(s *slip) string {
	if strings.HasPrefix(s.Msg, "cannot use nil as ") {
		return "pointers, slices, maps, channels, functions and interfaces can be nil; a struct is empty as T{}, or is pointed to by a *T"
	}
	return ""
}

// wholeNumber is about a constant with a fraction where whole numbers stand.
func wholeNumber(s *slip) string {
	_, to, ok := strings.Cut(s.Msg, " truncated to ")
	switch {
	case !ok:
		return ""
	case to == "int64":
		return "whole numbers have no fraction; a time is written 500 * time.Millisecond"
	}
	return "whole numbers have no fraction: convert the others with float64(...), or this one with int(x)"
}

// conversion is about a conversion that Go does not have.
func conversion(s *slip) string {
	x, tv, ok := s.operand()
	if !ok {
		return ""
	}
	to := ""
	if call, ok := find(s, func(c *ast.CallExpr) bool { return len(c.Args) == 1 && c.Args[0] == x }); ok {
		to = s.typeOf(call.Fun)
	} else if _, ok := find(s, func(i *ast.IndexExpr) bool { return i.Index == x }); ok {
		to = "int"
	} else if o, ok := s.operation(); ok {
		to = o.right // of a case, what the switch is about
	}
	return conversionHint(types.ExprString(x), typeName(tv.Type), to)
}

// conversionHint says how a value is read from text, or becomes text.
func conversionHint(expr, from, to string) string {
	switch {
	case from == "string" && to != "string":
		return constantHint(expr, from, to)
	case to == "string":
		return "fmt.Sprint(" + expr + ") makes text of a number"
	}
	return ""
}

// constantHint says how a constant of a kind becomes a value of a type.
func constantHint(expr, kind, to string) string {
	switch {
	case to == "[]"+kind:
		return to + "{" + expr + "} is a slice of one"
	case to == "string" && (kind == "int" || kind == "float"):
		return "text stands in quotes; fmt.Sprint(" + expr + ") makes text of a number"
	case to == "string" && kind == "rune":
		return "single quotes make one character, double quotes text"
	case to == "error" && kind == "string":
		return "errors.New(" + expr + ") makes an error of text"
	case kind == "string" && to == "int":
		return "strconv.Atoi(" + expr + ") reads a number from text"
	case kind == "string" && to == "float64":
		return "strconv.ParseFloat(" + expr + ", 64) reads a number from text"
	case kind == "string" && (to == "rune" || to == "byte"):
		return "single quotes make one character"
	case kind == "int" && numeric[to]:
		return "it does not fit into " + to + ", whose limits package math has; big.Int has none"
	case strings.HasPrefix(to, "*"):
		return "a pointer is made with new(" + expr + ")"
	case kind == "float" && to == "time.Duration":
		return "a time is written 500 * time.Millisecond"
	case kind == "float" && numeric[to]:
		return "whole numbers have no fraction: int(math.Round(x)) rounds"
	}
	return ""
}
