package split

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/interp/pattern"
)

// lexical finds characters that Go does not have, and strings and comments
// without an end. The parser's errors about them would be echoes.
func lexical(text []byte, base token.Pos) []Error {
	f := token.NewFileSet().AddFile("", -1, len(text))
	var errs []Error
	var s scanner.Scanner
	s.Init(f, text, func(pos token.Position, msg string) {
		e := Error{Pos: base + token.Pos(pos.Offset), Msg: msg}
		switch rest := text[pos.Offset:]; {
		case strings.HasPrefix(msg, "illegal character"):
			r, _ := utf8.DecodeRune(rest)
			e.Hint = illegal(r, string(text[:pos.Offset]))
		case strings.HasPrefix(msg, "curly quotation mark"):
			e.Hint = "write straight ones: \"text\""
		case strings.HasSuffix(msg, "literal not terminated"):
			e.Hint = "it ends with the quotation mark that it begins with; `text` may go over several lines"
			if rest[0] == '\'' {
				e.Hint = "text is written with double quotes"
			}
		case msg == "comment not terminated":
			e.Hint = "it ends with */"
		default:
			return // the parser will say it too
		}
		errs = append(errs, e)
	}, scanner.ScanComments)
	for {
		if _, tok, _ := s.Scan(); tok == token.EOF {
			return errs
		}
	}
}

// illegal says what to write instead of a character that Go does not have.
func illegal(r rune, before string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case unicode.Is(unicode.No, r) && (unicode.IsLetter(last) || unicode.IsDigit(last) || last == '_'):
		return "names have letters, digits and _: raised and lowered digits are none of them, write x1 or x_1"
	case r == '?':
		return "there is no ?: in Go, write if; a question mark behind a name that stands alone shows its documentation"
	case r == '#':
		return "comments begin with //"
	case r == '$':
		return "names have no $ before them"
	case r == '@':
		return "there are no decorators; the product of matrices is A * B"
	case unicode.Is(unicode.Pd, r) || r == '−':
		return "write - for minus"
	case r == '×' || r == '·' || r == '⋅':
		return "write * for the product"
	case r == '÷':
		return "write / for the quotient"
	case r == '≤' || r == '≥' || r == '≠':
		return "write <=, >= or !="
	case r == '‘' || r == '’' || r == '´':
		return "text is written with double quotes"
	}
	return ""
}

// foreign are statements of other languages and what Go has for them.
var foreign = map[string]string{
	"while":    "loops are written for condition { }",
	"def":      "functions are written func name(x int) int { }",
	"fn":       "functions are written func name(x int) int { }",
	"function": "functions are written func name(x int) int { }",
	"lambda":   "a function without a name is written func(x int) int { return 2 * x }",
	"class":    "types are written type Name struct { }",
	"elif":     "it is written } else if condition {",
	"let":      "variables are written x := 1",
	"int":      "variables are written x := 1, or var x int",
	"float64":  "variables are written x := 1.5, or var x float64",
	"bool":     "variables are written x := true, or var x bool",
	"float":    "variables are written x := 1.5, or var x float64",
	"double":   "variables are written x := 1.5, or var x float64",
	"string":   "variables are written s := \"text\", or var s string",
	"print":    "fmt.Println(x) prints",
	"from":     "imports are written import \"path\", and known packages need none",
	"try":      "functions return errors; a call whose error is not looked at fails the cell",
	"raise":    "panic(x) ends the cell with an error",
	"throw":    "panic(x) ends the cell with an error",
	"del":      "delete(m, key) removes from a map",
	"assert":   "write if !condition { panic(x) }",
	"not":      "not is written !",
	"with":     "defer f.Close() closes a file at the end",
	"new":      "values are made with T{...}, pointers to them with &T{...}",
	"foreach":  "loops over something are written for i, x := range xs { }",
	"struct":   "types are written type Name struct { }",
	"enum":     "constants in a row are written const ( A = iota; B; C ), each on a line of its own",
	"public":   "names that begin with a capital letter are public",
	"private":  "names that begin with a small letter are private to their package",
	"static":   "leave it out: functions and variables belong to the package",
}

// foreignFound are words that the parser does not expect, and what Go has for
// them.
var foreignFound = map[string]string{
	"and":    "and is written &&",
	"or":     "or is written ||",
	"is":     "compare with ==",
	"in":     "v, ok := m[key] looks into a map, slices.Contains(xs, x) into a slice",
	"catch":  foreign["try"],
	"except": foreign["try"],
}

var (
	foundWord  = pattern.New(`found (\w+)$`)
	openStruct = pattern.New(`struct\s*\{[^{}]*$`)
	loopHeader = pattern.New(`(?m)^\s*for\b[^\n]*$`)
	openImport = pattern.New(`import\s*\([^)]*$`)
	openSwitch = pattern.New(`switch\b[^{}]*\{\s*$`)
	blockStart = pattern.New(`^\s*(?:\}\s*)?(?:if|else|elif|for|while|switch)\b[^{]*$`)
	funcStart  = pattern.New(`^\s*func\b`)
	doStart    = pattern.New(`^\s*do\s*\{`)
	openBrace  = pattern.New(`[\pL_\d.]\{[^{}]*$`)
	openTry    = pattern.New(`(?m)^\s*try\s*\{[^{}]*$`)
	valueStart = pattern.New(`=\s*$`)
	nextField  = pattern.New(`^[\pL_][\pL\pN_]*\s*:`)
)

// hintOf says what to do about an error of the parser, or gives nothing. line is
// what stands before it in its line, rest what stands behind it.
func hintOf(msg, before, line, rest string) string {
	colon := strings.HasSuffix(msg, "found ':'") || msg == "illegal label declaration"
	switch {
	case colon && funcStart.MatchString(line), strings.HasPrefix(rest, "->") && funcStart.MatchString(line):
		return "the type of the result stands behind the parameters: func f(x int) float64 { }"
	case colon && blockStart.MatchString(line):
		return "a block stands in braces, with no colon: if condition { }"
	case strings.Contains(rest, "=>"):
		return foreign["lambda"]
	case strings.HasSuffix(msg, "found ':='") && strings.HasPrefix(strings.TrimSpace(line), "const"):
		return "constants are written const x = 1"
	case strings.HasSuffix(msg, "found ':='") && strings.HasPrefix(strings.TrimSpace(line), "var"):
		return "write x := 1, or var x = 1"
	case strings.HasSuffix(msg, "found ':='") && loopHeader.MatchString(line):
		return "the header of a loop has no parentheses: for i := 0; i < n; i++ { }"
	case strings.HasPrefix(msg, "expected ';'") && strings.HasSuffix(line, ") ") && blockStart.MatchString(line):
		return "the block of an if or for stands in braces, also when it is one statement"
	case strings.HasPrefix(msg, "expected ';', found 'if'"):
		return "if is a statement: x := a, and then if condition { x = b }"
	case msg == "expected ';', found ','" && openImport.MatchString(before):
		return "imports stand on lines of their own, without commas"
	case strings.HasPrefix(msg, "expected '}'") && openSwitch.MatchString(before):
		return "each case begins with case, or default: case 1:"
	case strings.HasPrefix(msg, "missing ','") && doStart.MatchString(line):
		return "a loop that ends with its condition is written for { ...; if !condition { break } }"
	case strings.HasPrefix(msg, "missing ',' in composite literal") && nextField.MatchString(rest):
		return "elements are separated by commas"
	case msg == "expected operand, found '{'" && valueStart.MatchString(line):
		return "values in braces have their type before them: map[string]int{\"a\": 1}, []int{1, 2}"
	case msg == "expected '==', found '='" && openBrace.MatchString(line):
		return "fields are set with a colon: T{A: 1}"
	case strings.HasPrefix(msg, "expected ';'") && strings.HasPrefix(rest, `"`) && strings.HasSuffix(line, "f"):
		return "fmt.Sprintf(\"x is %v\", x) puts values into text"
	case msg == "import path must be a string", msg == "missing import path":
		if h := elsewhere(line + rest); h != "" {
			return h
		}
		return "import paths stand in double quotes; known packages need no import"
	case strings.HasPrefix(msg, "missing ','") && openTry.MatchString(before):
		return foreign["try"]
	case strings.HasPrefix(msg, `expected type, found "`):
		return "a frame is indexed by one name; Select(\"a\", \"b\") gives several columns"
	case msg == "expected type argument list":
		return "the brackets stand in front: a slice is written []float64"
	case strings.HasPrefix(msg, "expected statement, found 'struct'"), strings.HasPrefix(msg, "expected statement, found 'interface'"):
		return "types are written type Name struct { }, or type Name interface { }"
	}
	return ""
}

// syntaxError puts the parser's words in a reader's. The error stands between
// before and after.
func syntaxError(pos token.Pos, msg, before, after string) Error {
	e := Error{Pos: pos, Msg: msg}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	word := lastWord(before)
	if e.Hint = hintOf(msg, before, line, restOfLine(after)); e.Hint != "" {
		return e
	}
	switch {
	case strings.HasPrefix(msg, "expected 1 expression"):
		e.Msg = "a line gives one value, here are several"
		e.Hint = "Show(x, y) shows several values"
		if loopHeader.MatchString(line) {
			e.Msg = "this is no header of a loop"
			e.Hint = "loops over something are written for i, x := range xs { }"
		}
	case strings.Contains(msg, "found assignment"):
		e.Msg = "expected a condition, found an assignment"
		e.Hint = "compare with =="
		if loopHeader.MatchString(line + restOfLine(after)) {
			e.Msg = "this is no header of a loop"
			e.Hint = "loops are written for i, x := range xs { }, or for i := 0; i < n; i++ { }, with several variables for i, j := 0, n"
		}
	case strings.Contains(msg, "cannot use") && strings.Contains(msg, "as value"):
		e.Hint = "compare with ==, assign in a statement of its own"
	case strings.Contains(msg, "missing ',' before newline"):
		e.Hint = "a list that goes on in the next line needs a comma at the end of this one"
	case strings.Contains(msg, "found 'else'"):
		e.Hint = "else stands on the line of the closing brace: } else {"
	case strings.Contains(msg, "unexpected newline, expecting {"), msg == "expected '{', found newline":
		e.Hint = "the opening brace { stands at the end of the line of the if, for, switch or func"
	case strings.Contains(msg, "rune literal"):
		e.Hint = "strings are written with double quotes"
	case strings.HasPrefix(msg, "expected '{', found in"):
		e.Hint = "loops over something are written for i, x := range xs { }"
	case strings.Contains(msg, "unexpected comma; expecting ]"), msg == "expected type, found newline" && strings.HasSuffix(before, "]"):
		e.Hint = "a slice is written []int{1, 2, 3}"
	case msg == "expected ']', found 'for'":
		e.Hint = "slices are filled in a loop: for i := range 3 { xs = append(xs, i) }"
	case strings.HasPrefix(msg, "expected ';', found '++'"), strings.HasPrefix(msg, "expected ';', found '--'"),
		strings.HasPrefix(msg, "expected ';'") && (strings.HasSuffix(word, "++") || strings.HasSuffix(word, "--")):
		e.Hint = "x++ is a statement of its own and has no value"
	case msg == "expected statement, found '++'", msg == "expected statement, found '--'":
		e.Hint = "x++ is written with the signs behind the name"
	case msg == "expected ';', found ','" && openStruct.MatchString(before):
		e.Hint = "fields stand on lines of their own, or with ; between them"
	case strings.HasPrefix(msg, "missing ',' in argument list") && strings.HasPrefix(after, `"`):
		e.Hint = "fmt.Sprintf(\"x is %v\", x) puts values into text, + joins texts"
	case strings.HasPrefix(msg, "missing ','") && strings.HasPrefix(after, "="):
		e.Hint = "fields are set with a colon: T{A: 1}"
	case strings.HasPrefix(msg, "expected '('") && strings.HasSuffix(strings.TrimRight(before, " "), "func"):
		e.Hint = "a function inside another one is a variable: name := func() { }"
	case strings.Contains(msg, "in octal literal"):
		e.Hint = "a number that begins with 0 is octal: leave the 0 out"
	case msg == "illegal label declaration":
		e.Hint = "a map is written map[string]int{\"a\": 1}"
	case msg == "expected statement, found '%'":
		e.Hint = "magics stand on lines of their own, outside of braces"
	case msg == "expected statement, found 'import'":
		e.Hint = "imports stand outside of functions"
	case strings.HasSuffix(msg, "must be function call"):
		e.Hint = "write the call with its parentheses"
	case strings.HasPrefix(msg, "expected ';'") && word == "from" && elsewhere(line+restOfLine(after)) != "":
		e.Hint = elsewhere(line + restOfLine(after))
	case strings.HasPrefix(msg, "expected ';'"):
		e.Hint = foreign[word]
		if m := foundWord.FindStringSubmatch(msg); e.Hint == "" && m != nil {
			e.Hint = foreignFound[m[1]]
		}
	}
	return e
}

// libraries are packages of Python, and what has their place here.
var libraries = map[string]string{
	"numpy":      "numpy has no counterpart to import: vectors are []float64 with + - *, matrices are mat.NewDense",
	"pandas":     "pandas has no counterpart to import: ml.LoadCSV(name) reads a table, Describe and Table show one",
	"sklearn":    "the algorithms are in ml, without an import: ml.DecisionTree{}",
	"matplotlib": "figures need no import: Plot, Scatter, Bar, Hist, Heatmap",
	"seaborn":    "figures need no import: Plot, Scatter, Bar, Hist, Heatmap",
	"scipy":      "gonum's packages stat, optimize and mat need no import",
	"torch":      "the algorithms are in ml, without an import",
	"random":     "rand.IntN(n) and rand.Float64() need no import",
}

// elsewhere says what has the place of a package of Python that a line imports.
func elsewhere(line string) string {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '.' || r == '\t' }) {
		if h := libraries[word]; h != "" {
			return h
		}
	}
	return ""
}

// lastWord gives the last word of the text.
func lastWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func restOfLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
