package check

import (
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/pattern"
)

// Names gives the names that a misspelt one may have meant: those in scope for
// a plain name, the members of a package or type for x.name.
type Names func(qualifier string) []string

var (
	undefined     = pattern.New(`^undefined: (?:([\pL_][\pL\pN_]*)\.)?([\pL_][\pL\pN_]*)$`)
	cannotUse     = pattern.New(`^cannot use (.+) \((?:untyped )?(?:variable|value|constant|result)?.*of (?:.*)type (\S+)\) as (\S+) value`)
	constantAs    = pattern.New(`^cannot use (.+) \(untyped (\w+) constant.*?\) as (\S+) value`)
	mismatched    = pattern.New(`mismatched types (?:untyped )?(\S+) and (?:untyped )?(\S+)\)`)
	cannotConvert = pattern.New(`^cannot convert (.+) \((?:untyped (\w+) constant.*|.*of type (\w+))\) to type (\w+)$`)
	noMember      = pattern.New(`^(.+)\.([\pL_][\pL\pN_]*) undefined \(type (.+) has no field or method`)
	truncated     = pattern.New(`^(\S+) \(untyped float constant\) truncated to (\w+)`)
	notAssigned   = pattern.New(`^cannot assign to (.+) \(neither addressable nor a map index expression\)`)
	power         = pattern.New(`^invalid operation: (?:operator \^ not defined on .*float|.+ \^ .+ \(mismatched types \S*float64)`)
	cannotIndex   = pattern.New(`^cannot index \S+ \(variable of (?:\S+ )?type (?:\*model\.Table|\*mat\.\w+|mat\.Matrix)\)`)
	remainder     = pattern.New(`^invalid operation: operator % not defined on .*float`)
	againstNil    = pattern.New(`^invalid operation: .* \(mismatched types \S+ and untyped nil\)`)
	manyForSlice  = pattern.New(`(?s)^too many arguments in call to .*\twant \((\[\]\w+)\)$`)
	textTimes     = pattern.New(`^invalid operation: .+ \* .+ \(mismatched types .*string`)
	textPercent   = pattern.New(`^invalid operation: .+ % .+ \(mismatched types .*string`)
	notUsed       = pattern.New(`(is not used|declared and not used: .*)$`)
	assignCount   = pattern.New(`^assignment mismatch: (\d+) variables? but (.+) returns? (\d+) values?`)
)

var numeric = map[string]bool{
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true, "byte": true, "rune": true,
	"float32": true, "float64": true,
}

// AddHint says what to do about the usual slips.
func (e *Error) AddHint(names Names) {
	if e.Hint != "" {
		return
	}
	if m := undefined.FindStringSubmatch(e.Msg); m != nil {
		known := names(m[1])
		best := scikit[m[2]]
		if best == "" || m[1] != "ml" || !slices.Contains(known, best) {
			best = Closest(m[2], known)
		}
		if best == "" && m[1] != "" {
			best = related(m[2], known)
		}
		switch h := foreign[m[2]]; {
		case best != "" && m[1] != "":
			e.Hint = "did you mean " + m[1] + "." + best + "?"
		case best != "" && (h == "" || strings.EqualFold(best, m[2])):
			e.Hint = "did you mean " + best + "?"
		case m[1] == "":
			e.Hint = h
		}
		return
	}
	if m := cannotUse.FindStringSubmatch(e.Msg); m != nil {
		expr, from, to := m[1], m[2], m[3]
		switch {
		case to == "io.Reader" && from == "string" && strings.HasSuffix(e.Msg, "missing method Read)"):
			if strings.Contains(e.Msg, "ml.ReadCSV") {
				e.Hint = "ml.LoadCSV(" + expr + ") reads a file"
				break
			}
			e.Hint = "strings.NewReader(" + expr + ") reads a text, os.Open(" + expr + ") a file"
		case from == "[]int" && to == "[]float64" && strings.HasSuffix(expr, ".Y"):
			e.Hint = "Y holds classes; the real targets of a data set are in " + strings.TrimSuffix(expr, "Y") + "Target"
		case from == "[]float64" && to == "[]int" && strings.HasSuffix(expr, ".Target"):
			e.Hint = "Target holds real numbers; the classes of a data set are in " + strings.TrimSuffix(expr, "Target") + "Y"
		case to == "mat.Matrix" && from == "[][]float64":
			e.Hint = "ml.Rows(" + expr + ") makes a matrix of rows"
		case to == "mat.Matrix" && from == "[]int":
			e.Hint = "the matrix of the examples comes first, then their classes: Fit(X, y)"
		case to == "mat.Matrix" && from == "[]float64":
			e.Hint = "ml.Rows([][]float64{" + expr + "}) makes a matrix of one row"
		case numeric[from] && numeric[to]:
			e.Hint = "convert it: " + to + "(" + expr + ")"
		case numeric[from] && to == "string":
			e.Hint = "fmt.Sprint(" + expr + ") makes text of a number"
		case from == "string" && (to == "int" || to == "float64"):
			if to == "int" {
				e.Hint = "strconv.Atoi(" + expr + ") reads a number from text"
			} else {
				e.Hint = "strconv.ParseFloat(" + expr + ", 64) reads a number from text"
			}
		case numeric[from] && to == "time.Duration":
			e.Hint = "convert the number: time.Duration(" + expr + ") * time.Second"
		case to == "[]"+from:
			e.Hint = to + "{" + expr + "} is a slice of one"
		case strings.HasPrefix(from, "map[") && strings.HasSuffix(from, strings.TrimPrefix(to, "[]")):
			e.Hint = "slices.Collect(maps.Values(" + expr + ")) makes a slice of the values"
		case strings.HasPrefix(from, "[]") && numeric[from[2:]] && strings.HasPrefix(to, "[]") && numeric[to[2:]]:
			e.Hint = "make it a " + to + " from the start, or convert its elements one by one: " + to[2:] + "(x)"
		case from == "string" && to == "error":
			e.Hint = "errors.New(" + expr + ") makes an error of text"
		case to == "*"+from:
			e.Hint = "take its address: &" + expr
		case from == "*"+to:
			e.Hint = "take what it points to: *" + expr
		case strings.Contains(e.Msg, "has pointer receiver"):
			e.Hint = "its methods belong to the pointer: write &" + expr
		}
		return
	}
	if strings.HasPrefix(e.Msg, "cannot use ") && strings.Contains(e.Msg, " as func() model.") {
		e.Hint = "it makes fresh models by itself: give it a function, func() ml.Classifier { return &T{...} }"
		return
	}
	if m := constantAs.FindStringSubmatch(e.Msg); m != nil {
		e.Hint = constantHint(m[1], m[2], m[3])
		return
	}
	if m := cannotConvert.FindStringSubmatch(e.Msg); m != nil {
		e.Hint = conversionHint(m[1], m[2]+m[3], m[4])
		return
	}
	if m := noMember.FindStringSubmatch(e.Msg); m != nil {
		e.Hint = memberOfBasic(m[1], m[2], m[3])
		return
	}
	switch {
	case strings.Contains(e.Msg, "has pointer receiver"):
		e.Hint = "its methods belong to the pointer: use &value"
	case truncated.MatchString(e.Msg):
		e.Hint = "whole numbers have no fraction: convert the others with float64(...), or this one with int(x)"
		if truncated.FindStringSubmatch(e.Msg)[2] == "int64" {
			e.Hint = "whole numbers have no fraction; a time is written 500 * time.Millisecond"
		}
	case notAssigned.MatchString(e.Msg):
		e.Hint = "only variables, fields and elements can be assigned"
		if x := notAssigned.FindStringSubmatch(e.Msg)[1]; strings.Contains(x, "[") {
			e.Hint = "text cannot be changed in place: make a []byte or []rune of it"
		} else if !strings.ContainsAny(x, "[.(") {
			e.Hint = "a constant stays what it is: declare it with := or var"
		}
	case strings.HasPrefix(e.Msg, "cannot assign to struct field"):
		e.Hint = "take the value out of the map, change it and put it back, or keep pointers in the map"
	case strings.HasPrefix(e.Msg, "cannot call pointer method"):
		e.Hint = "the method belongs to the pointer: put the value into a variable first, or write (&T{...}).Method()"
	case strings.HasPrefix(e.Msg, "use of untyped nil"):
		e.Hint = "nil has no type of its own: write var x []int, or var x *T"
	case strings.HasSuffix(e.Msg, "is not constant"):
		e.Hint = "constants are known before anything runs: use := or var"
	case strings.HasPrefix(e.Msg, "too many return values") && strings.HasSuffix(e.Msg, "want ()"):
		e.Hint = "a function says what it returns, func f() int; a cell returns nothing, its last value is shown"
	case strings.Contains(e.Msg, "cannot indirect"):
		e.Hint = "* before a value follows a pointer; x * x squares, math.Pow(x, y) raises to a power"
	case strings.HasPrefix(e.Msg, "extra init expr"):
		e.Hint = "there are more values than names; digits are grouped with _: 1_000"
	case strings.HasPrefix(e.Msg, "cannot range over"):
		e.Hint = "range goes over slices, maps, text, channels, functions and whole numbers: for i := range int(x)"
	case strings.HasPrefix(e.Msg, "invalid argument: index -"), strings.Contains(e.Msg, "must not be negative"):
		e.Hint = "counting begins at 0: xs[len(xs)-1] is the last element, xs[:len(xs)-1] leaves it out"
	case remainder.MatchString(e.Msg):
		e.Hint = "math.Mod(x, y) is the remainder of real numbers"
	case againstNil.MatchString(e.Msg):
		e.Hint = "pointers, slices, maps, channels, functions and interfaces can be nil; v, ok := m[key] tells whether a map has a key"
	case strings.HasPrefix(e.Msg, "cannot use nil as "):
		e.Hint = "pointers, slices, maps, channels, functions and interfaces can be nil; a struct is empty as T{}, or is pointed to by a *T"
	case strings.HasSuffix(e.Msg, " cannot be ordered") && strings.Contains(e.Msg, "type []"):
		e.Hint = "slices.Max(xs) and slices.Min(xs) look at all elements"
	case strings.HasPrefix(e.Msg, "too few values in struct literal"):
		e.Hint = "give all fields in their order, or those that you want with their names: T{Name: x}"
	case strings.Contains(e.Msg, "\thave (*data.Dataset)"):
		e.Hint = "pass the parts of the data set: Fit(d.X, d.Y); ml.Fit(model, d) takes it as a whole"
	case manyForSlice.MatchString(e.Msg):
		e.Hint = "it takes one slice: " + manyForSlice.FindStringSubmatch(e.Msg)[1] + "{...}"
	case power.MatchString(e.Msg):
		e.Hint = "^ is exclusive or; x * x squares, math.Pow(x, y) raises to a power"
	case mismatched.MatchString(e.Msg):
		m := mismatched.FindStringSubmatch(e.Msg)
		switch {
		case strings.HasSuffix(m[2], "time.Duration") || strings.HasSuffix(m[1], "time.Duration"):
			e.Hint = "convert the number: time.Duration(n) * time.Second"
		case character[m[1]] && m[2] == "string" || m[1] == "string" && character[m[2]]:
			e.Hint = "single quotes make one character, double quotes text; string(c) makes text of a character"
		case numeric[m[1]] && numeric[m[2]]:
			to := m[1]
			if m[2] == "float64" {
				to = "float64"
			}
			e.Hint = "convert one of them with " + to + "(...)"
		case m[1] == "any" || m[2] == "any":
			e.Hint = "an any may hold a value of each type: x.(string) takes a text out, x.(float64) a number"
		case textTimes.MatchString(e.Msg):
			e.Hint = "strings.Repeat(text, n) repeats a text"
		case textPercent.MatchString(e.Msg):
			e.Hint = "fmt.Sprintf(\"n is %d\", n) puts values into text"
		case m[1] == "string" && number(m[2]) || number(m[1]) && m[2] == "string":
			e.Hint = "fmt.Sprint(...) makes text of a number"
		}
	case strings.HasPrefix(e.Msg, "cannot index ") && strings.Contains(e.Msg, "*data.Dataset"):
		e.Hint = "d.X has the features, d.X.At(i, j) is one of them, d.Y has the classes"
	case cannotIndex.MatchString(e.Msg):
		e.Hint = "X.At(i, j) is an element of a matrix, mat.Row(nil, i, X) a row, mat.Col(nil, j, X) a column"
	case strings.HasPrefix(e.Msg, "label ") && strings.HasSuffix(e.Msg, " declared and not used"):
		e.Hint = "a name and a colon make a label for break and continue; a variable is written var x int = 1, or x := 1"
	case strings.HasPrefix(e.Msg, "could not import "):
		e.Hint = "cells can use Go's standard library, gonum.org/v1/gonum, gonum.org/v1/plot and ml; import \"\" with Tab lists them"
	case strings.HasPrefix(e.Msg, "declared and not used"):
		e.Hint = "use it, or remove it; at the top level of a cell unused variables are fine"
	case notUsed.MatchString(e.Msg):
		e.Hint = "only the last expression of a cell is shown; Show(...) shows any"
	case strings.HasPrefix(e.Msg, "multiple-value") && !strings.Contains(e.Msg, ", error)"):
		e.Hint = "it gives several values: take them all, a, b := f(), with _ for those that you do not need"
	case strings.HasPrefix(e.Msg, "multiple-value"):
		e.Hint = "inside a function take both, x, err := f(), and look at the error; at the top level of a cell it is checked for you"
	case strings.HasPrefix(e.Msg, "no new variables on left side of :="):
		e.Hint = "assign with ="
	case assignCount.MatchString(e.Msg):
		m := assignCount.FindStringSubmatch(e.Msg)
		if m[1] < m[3] || len(m[1]) < len(m[3]) {
			e.Hint = "take all of them, with _ for those that you do not need"
			if m[1] == "1" && m[3] == "2" {
				e.Hint += "; only at the top level of a cell an error may be left out"
			}
		}
	case strings.Contains(e.Msg, "slice can only be compared to nil"):
		e.Hint = "slices.Equal(a, b) compares slices"
	case strings.Contains(e.Msg, "map can only be compared to nil"):
		e.Hint = "maps.Equal(a, b) compares maps"
	case strings.Contains(e.Msg, "missing return"):
		e.Hint = "every way through the function must end in return"
	case strings.Contains(e.Msg, "non-boolean condition"):
		e.Hint = "conditions are bool: compare with == or !="
	case typeAlone.MatchString(e.Msg):
		e.Hint = "a question mark behind the name shows its documentation"
	case strings.HasPrefix(e.Msg, "use of package"):
		e.Hint = "a question mark behind the name shows its documentation"
	}
}

// typeAlone is about the name of a type where a value is wanted.
var typeAlone = pattern.New(`^[\pL_][\pL\pN_.]* \(type\) is not an expression$`)

// number tells whether a type, or the kind of an untyped constant, is numeric.
func number(t string) bool { return numeric[t] || t == "float" }

var character = map[string]bool{"rune": true, "byte": true}

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

// memberOfBasic says what Go has for methods that slices, maps and text have in
// other languages.
func memberOfBasic(expr, name, typ string) string {
	name, typ = strings.ToLower(name), strings.TrimPrefix(typ, "untyped ")
	switch {
	case typ == "*data.Dataset" && name == "shape":
		return expr + ".X.Dims() gives the numbers of rows and columns"
	case typ == "*data.Dataset" && (name == "head" || name == "info" || name == "describe"):
		return expr + " alone shows its first rows, Describe(" + expr + ") what is in its columns"
	case name == "len" || name == "length" || name == "size" && !strings.Contains(typ, "."):
		return "len(" + expr + ") is the number of elements"
	case strings.HasPrefix(typ, "[]"):
		switch name {
		case "append", "push", "add", "extend":
			return "append makes the longer slice: " + expr + " = append(" + expr + ", x)"
		case "sort":
			return "slices.Sort(" + expr + ") sorts"
		case "contains":
			return "slices.Contains(" + expr + ", x) looks for x"
		case "shape":
			return "len(" + expr + ") is the number of elements; a matrix has Dims"
		}
	case strings.HasPrefix(typ, "map["):
		switch name {
		case "keys", "values", "items":
			return "for k, v := range " + expr + " { } goes over all; maps.Keys and maps.Values give one side"
		case "get":
			return "v, ok := " + expr + "[key] tells whether the key is there"
		}
		if strings.HasPrefix(typ, "map[string]") {
			return "elements are written " + expr + "[\"" + name + "\"]"
		}
	case typ == "string":
		if fn := textFunctions[name]; fn != "" {
			return "strings." + fn + " does it"
		}
	}
	return ""
}

// textFunctions are the functions of package strings for the methods of text in
// other languages.
var textFunctions = map[string]string{
	"upper": "ToUpper", "toupper": "ToUpper", "lower": "ToLower", "tolower": "ToLower", "split": "Split", "join": "Join",
	"strip": "TrimSpace", "trim": "TrimSpace", "replace": "ReplaceAll", "startswith": "HasPrefix", "hasprefix": "HasPrefix",
	"endswith": "HasSuffix", "hassuffix": "HasSuffix", "contains": "Contains", "find": "Index", "indexof": "Index", "index": "Index",
	"count": "Count", "repeat": "Repeat", "fields": "Fields",
}

// Closest gives the name that differs least from the misspelt one, if any is
// near enough to have been meant.
func Closest(name string, names []string) string {
	if len(name) < 2 {
		if i := slices.IndexFunc(names, func(n string) bool { return n != name && strings.EqualFold(n, name) }); i >= 0 {
			return names[i]
		}
		return ""
	}
	best, bestDist := "", 2+(len(name)-1)/4
	for _, n := range names {
		d := 0
		if !strings.EqualFold(n, name) {
			d = distance(strings.ToLower(name), strings.ToLower(n), bestDist+1)
		}
		if n != name && (d < bestDist || d == bestDist && best != "" && n < best) {
			best, bestDist = n, d
		}
	}
	return best
}

// distance is the number of insertions, deletions, changes and swaps of
// neighbors between two words, or limit when it is not smaller.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	prev2 := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}
