package split

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/internal/pattern"
)

// lexical finds characters that Go does not allow, and unterminated strings and comments. The
// errors of the parser about them would be redundant.
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
			e.Hint = "write straight quotation marks: ‹\"text\"›"
		case strings.HasSuffix(msg, "literal not terminated"):
			e.Hint = "close the string with the quotation mark that it begins with, on the same line; a string between backquotes can span several lines"
			if rest[0] == '\'' {
				e.Hint = "write a string with double quotes: ‹\"text\"›"
			}
		case msg == "comment not terminated":
			e.Hint = "end the comment with */"
		default:
			return // the parser also reports it
		}
		errs = append(errs, e)
	}, scanner.ScanComments)
	for {
		if _, tok, _ := s.Scan(); tok == token.EOF {
			return errs
		}
	}
}

// illegal suggests what to write instead of a character that Go does not allow.
func illegal(r rune, before string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case unicode.Is(unicode.No, r) && (unicode.IsLetter(last) || unicode.IsDigit(last) || last == '_'):
		return "a name has only letters, ordinary digits and _, and no raised or lowered digits: write x1 or x_1"
	case r == '?':
		return "there is no ?: in Go; write ‹y := 2; if n > 3 { y = 1 }›; to show documentation, write only a name and a question mark"
	case r == '#':
		return "begin a comment with //"
	case r == '$':
		return "a name has no $: leave it out"
	case r == '@':
		return "there is no @: the product of matrices is A * B, of two vectors ‹ml.Dot(xs, xs)›; Go has no decorators"
	case unicode.Is(unicode.Pd, r) || r == '−':
		return "write - for minus"
	case r == '×' || r == '·' || r == '⋅':
		return "write * for the product"
	case r == '÷':
		return "write / for the quotient"
	case r == '≤' || r == '≥' || r == '≠':
		return "write <=, >= or !="
	case r == '‘' || r == '’' || r == '´':
		return "write a string with double quotes: ‹\"text\"›"
	}
	return ""
}

// foreign maps statements of other languages to their Go equivalents.
var foreign = map[string]string{
	"while":    "write a loop with a condition as ‹for n > 0 { n-- }›",
	"until":    "write a loop with a condition as ‹for n > 0 { n-- }›",
	"def":      "write a function as ‹func double(x int) int { return 2 * x }›",
	"fn":       "write a function as ‹func double(x int) int { return 2 * x }›",
	"function": "write a function as ‹func double(x int) int { return 2 * x }›",
	"lambda":   "write an anonymous function as ‹func(x int) int { return 2 * x }›",
	"class":    "declare a type as ‹type Point struct{ X, Y float64 }›, and write its methods after it",
	"elif":     "write it as ‹if n > 2 { x = 1 } else if n > 1 { x = 2 }›",
	"elseif":   "write it as ‹if n > 2 { x = 1 } else if n > 1 { x = 2 }›",
	"let":      "declare a variable as ‹x := 1›",
	"int":      "declare a variable as ‹x := 1›, or ‹var x int›",
	"float64":  "declare a variable as ‹x := 1.5›, or ‹var x float64›",
	"bool":     "declare a variable as ‹x := true›, or ‹var x bool›",
	"float":    "declare a variable as ‹x := 1.5›, or ‹var x float64›",
	"double":   "declare a variable as ‹x := 1.5›, or ‹var x float64›",
	"string":   "declare a variable as ‹s := \"text\"›, or ‹var s string›",
	"print":    "print with ‹fmt.Println(x)›",
	"from":     "import with ‹import \"strings\"›; known packages need no import",
	"try":      "there are no exceptions: a function returns an error, and a call at the top level of a cell that returns one fails the cell",
	"raise":    "to end the cell with an error, write ‹panic(\"what is wrong\")›",
	"throw":    "to end the cell with an error, write ‹panic(\"what is wrong\")›",
	"del":      "remove a key of a map with ‹delete(m, \"a\")›; a variable needs no removal",
	"assert":   "write ‹if n < 0 { panic(\"n is negative\") }›",
	"not":      "write ! for not, as in ‹!(n > 2)›",
	"with":     "to close a file at the end of the function, write ‹defer file.Close()›",
	"new":      "write a value as ‹T{A: 1}›, and a pointer to one as ‹&T{A: 1}›",
	"foreach":  "loop over elements with ‹for i, x := range xs { fmt.Println(i, x) }›",
	"struct":   "declare a type as ‹type Point struct{ X, Y float64 }›",
	"enum":     "number constants with ‹const ( A = iota; B; C )›, each on a line of its own",
	"public":   "a name that begins with a capital letter is public: leave the word out",
	"private":  "a name that begins with a small letter is private to its package: leave the word out",
	"static":   "leave it out: functions and variables belong to the package",
	"end":      "a block ends with its closing brace: leave the word out",
}

// foreignFound maps words that the parser does not expect to their Go equivalents.
var foreignFound = map[string]string{
	"and":    "write && for and, as in ‹n > 1 && n < 10›",
	"or":     "write || for or, as in ‹n < 1 || n > 10›",
	"is":     "compare with ==, as in ‹n == 3›",
	"in":     "look up a key of a map with ‹v, ok := m[\"a\"]›, an element of a slice with ‹slices.Contains(xs, x)›",
	"then":   "write a block in braces, without then: ‹if n > 2 { fmt.Println(n) }›",
	"do":     "write a block in braces, without do: ‹for n > 0 { n-- }›",
	"elif":   foreign["elif"],
	"elseif": foreign["elif"],
	"catch":  foreign["try"],
	"except": foreign["try"],
}

var (
	foundWord   = pattern.New(`found (\w+)$`)
	openStruct  = pattern.New(`struct\s*\{[^{}]*$`)
	loopHeader  = pattern.New(`(?m)^\s*for\b[^\n]*$`)
	openImport  = pattern.New(`import\s*\([^)]*$`)
	openSwitch  = pattern.New(`switch\b[^{}]*\{\s*$`)
	blockStart  = pattern.New(`^\s*(?:\}\s*)?(?:if|else|elif|for|while|switch)\b[^{]*$`)
	funcStart   = pattern.New(`^\s*func\b`)
	openDo      = pattern.New(`(?m)^\s*do\s*\{[^{}]*(?:\}\s*while\b[^\n]*)?$`)
	doStart     = pattern.New(`^\s*do\s*\{`)
	openBrace   = pattern.New(`[\pL_\d.]\{[^{}]*$`)
	openTry     = pattern.New(`(?m)^\s*try\s*\{[^{}]*$`)
	valueStart  = pattern.New(`=\s*$`)
	keywordAt   = pattern.New(`^\s*(?:type|func|var|const|map|range|chan|interface|struct|package|import|go|defer|select|switch|case|default)\s*$`)
	digitsAt    = pattern.New(`(?:^|[^\pL\d_.])\d+$`)
	letterAt    = pattern.New(`^[\pL_]`)
	forStart    = pattern.New(`^\s*for\b`)
	forTyped    = pattern.New(`^\s*for\s*\(?\s*(?:int|float64|float|double|string|auto|var|let|long|byte)\s*$`)
	forEach     = pattern.New(`^\s*for(?:each)?\s*\(\s*(?:const|let|var|[\pL_]+)\s+[\pL_]+\s*(?::|of|in)\s`)
	importStart = pattern.New(`^\s*import\b`)
	structStart = pattern.New(`^\s*struct\s*$`)
	nextField   = pattern.New(`^[\pL_][\pL\pN_]*\s*:`)
)

// hintOf returns a hint for an error of the parser, or "". Before is the text of the line before
// the error, and rest is the text after it.
func hintOf(msg, before, line, rest string) string {
	colon := strings.HasSuffix(msg, "found ':'") || msg == "illegal label declaration"
	switch {
	case colon && funcStart().MatchString(line), strings.HasPrefix(rest, "->") && funcStart().MatchString(line):
		return "write the type of the result after the parameters: ‹func double(x int) int { return 2 * x }›"
	case colon && blockStart().MatchString(line):
		return "write a block in braces, without a colon: ‹if n > 2 { fmt.Println(n) }›"
	case strings.Contains(rest, "=>"):
		return foreign["lambda"]
	case strings.HasSuffix(msg, "found ':='") && strings.HasPrefix(strings.TrimSpace(line), "const"):
		return "declare a constant as ‹const limit = 1›"
	case strings.HasSuffix(msg, "found ':='") && strings.HasPrefix(strings.TrimSpace(line), "var"):
		return "write ‹x := 1›, or ‹var x = 1›"
	case strings.HasPrefix(msg, "expected 'IDENT'") && keywordAt().MatchString(line):
		return strings.TrimSpace(line) + " is a keyword of Go: choose another name"
	case strings.HasPrefix(msg, "expected ';'") && digitsAt().MatchString(line) && letterAt().MatchString(rest):
		return "a name begins with a letter or _"
	case forTyped().MatchString(line) && strings.HasPrefix(msg, "expected '{'"), strings.HasSuffix(msg, "found 'var'") && forStart().MatchString(line):
		return "write the header of a loop without a type: ‹for i := 0; i < n; i++ { fmt.Println(i) }›"
	case forEach().MatchString(line + rest):
		return foreign["foreach"]
	case strings.Contains(line, "range(") && msg == "expected ')', found ','":
		return "range is not a function; count with ‹for i := range 10 { fmt.Println(i) }›, or ‹for i := 2; i < 10; i++ { fmt.Println(i) }›"
	case msg == "middle index required in 3-index slice", msg == "final index required in 3-index slice":
		return "a slice has no step: ‹for i := 0; i < len(xs); i += 2 { fmt.Println(xs[i]) }›"
	case msg == "expected '==', found '='" && strings.Contains(line, "("):
		return "an argument has no name: write the values in the order of the parameters"
	case strings.HasPrefix(msg, "missing ',' in parameter list") && strings.HasPrefix(rest, "="):
		return "a parameter has no default value: leave it out, and pass each argument"
	case msg == "expected ';', found ','" && funcStart().MatchString(line):
		return "write several results in parentheses: ‹func two() (int, int) { return 1, 2 }›"
	case strings.HasPrefix(msg, "missing type constraint"):
		return "a type parameter has a constraint: ‹func first[T any](list []T) T { return list[0] }›; numbers that can be added are ~int | ~float64"
	case msg == "expected ';', found ','" && importStart().MatchString(line):
		return "write each import on a line of its own, without commas"
	case structStart().MatchString(line):
		return foreign["struct"]
	case strings.HasSuffix(msg, "found ':='") && loopHeader().MatchString(line):
		return "write the header of a loop without parentheses: ‹for i := 0; i < n; i++ { fmt.Println(i) }›"
	case strings.HasPrefix(msg, "expected ';'") && strings.HasSuffix(line, ") ") && blockStart().MatchString(line):
		return "write a block in braces, even if it is one statement: ‹if n > 2 { fmt.Println(n) }›"
	case strings.HasPrefix(msg, "expected ';', found 'if'"):
		return "if is a statement: ‹y := 2; if n > 3 { y = 1 }›"
	case msg == "expected ';', found ','" && openImport().MatchString(before):
		return "write each import on a line of its own, without commas"
	case strings.HasPrefix(msg, "expected '}'") && openSwitch().MatchString(before):
		return "begin each case with case or default: ‹switch n { case 1: fmt.Println(n) }›"
	case strings.HasPrefix(msg, "missing ','") && (doStart().MatchString(line) || openDo().MatchString(before)):
		return "write a loop that ends with its condition as ‹for { n--; if n <= 0 { break } }›"
	case strings.HasPrefix(msg, "missing ',' in composite literal") && nextField().MatchString(rest):
		return "separate the elements with commas"
	case msg == "expected operand, found '{'" && valueStart().MatchString(line):
		return "write the type before the braces: ‹map[string]int{\"a\": 1}›, ‹[]int{1, 2}›"
	case msg == "expected '==', found '='" && openBrace().MatchString(line):
		return "set a field with a colon: ‹T{A: 1}›"
	case strings.HasPrefix(msg, "expected ';'") && strings.HasPrefix(rest, `"`) && strings.HasSuffix(line, "f"):
		return "put values into a string with ‹fmt.Sprintf(\"x is %v\", x)›"
	case msg == "import path must be a string", msg == "missing import path":
		if h := elsewhere(line + rest); h != "" {
			return h
		}
		return "write the path of an import in double quotes, as in ‹import \"strings\"›; known packages need no import"
	case strings.HasPrefix(msg, "missing ','") && openTry().MatchString(before):
		return foreign["try"]
	case strings.HasPrefix(msg, `expected type, found "`):
		return "index a frame by one name; for several columns, write ‹f.Select(\"name\", \"age\")›"
	case msg == "expected type argument list":
		return "write the brackets first: ‹[]float64{1, 2}›"
	case strings.HasPrefix(msg, "expected statement, found 'struct'"), strings.HasPrefix(msg, "expected statement, found 'interface'"):
		return "declare a type as ‹type Point struct{ X, Y float64 }›, or ‹type Shape interface{ Area() float64 }›"
	}
	return ""
}

// syntaxError rewrites a message of the parser for users. The arguments before and after are the
// text around the error.
func syntaxError(pos token.Pos, msg, before, after string) Error {
	e := Error{Pos: pos, Msg: msg}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	word := lastWord(before)
	if e.Hint = hintOf(msg, before, line, restOfLine(after)); e.Hint != "" {
		return e
	}
	switch {
	case strings.HasPrefix(msg, "expected 1 expression"):
		e.Msg = "a line must have one value, got several"
		e.Hint = "to show several values, write ‹Show(x, n)›"
		if loopHeader().MatchString(line) {
			e.Msg = "this is not the header of a loop"
			e.Hint = "loop over elements with ‹for i, x := range xs { fmt.Println(i, x) }›"
		}
	case strings.Contains(msg, "found assignment"):
		e.Msg = "expected a condition, found an assignment"
		e.Hint = "compare with ==, as in ‹n == 3›"
		if loopHeader().MatchString(line + restOfLine(after)) {
			e.Msg = "this is not the header of a loop"
			e.Hint = "write a loop as ‹for i, x := range xs { fmt.Println(i, x) }›, or ‹for i := 0; i < n; i++ { fmt.Println(i) }›, with several variables ‹for i, j := 0, n; i < j; i++ { }›"
		}
	case strings.Contains(msg, "cannot use") && strings.Contains(msg, "as value"):
		e.Hint = "compare with ==; assign in a statement of its own"
	case strings.Contains(msg, "missing ',' before newline"):
		e.Hint = "end the line with a comma: a list that continues on the next line needs one"
	case strings.Contains(msg, "found 'else'"):
		e.Hint = "write else on the line of the closing brace: } else {"
	case strings.Contains(msg, "unexpected newline, expecting {"), msg == "expected '{', found newline":
		e.Hint = "write the opening brace { at the end of the line of the if, for, switch or func"
	case strings.Contains(msg, "rune literal"):
		e.Hint = "write a string with double quotes: ‹\"text\"›"
	case strings.HasPrefix(msg, "expected '{', found in"):
		e.Hint = "loop over elements with ‹for i, x := range xs { fmt.Println(i, x) }›"
	case strings.Contains(msg, "unexpected comma; expecting ]"), msg == "expected type, found newline" && strings.HasSuffix(before, "]"):
		e.Hint = "write a slice with its type: ‹[]int{1, 2, 3}›"
	case msg == "expected ']', found 'for'":
		e.Hint = "fill a slice in a loop: ‹squares := []int{}; for i := range 3 { squares = append(squares, i*i) }›"
	case strings.HasPrefix(msg, "expected ';', found '++'"), strings.HasPrefix(msg, "expected ';', found '--'"),
		strings.HasPrefix(msg, "expected ';'") && (strings.HasSuffix(word, "++") || strings.HasSuffix(word, "--")):
		e.Hint = "x++ has no value: write it as a statement of its own"
	case msg == "expected statement, found '++'", msg == "expected statement, found '--'":
		e.Hint = "write the operator after the variable: ‹n++›"
	case msg == "expected ';', found ','" && openStruct().MatchString(before):
		e.Hint = "write each field on a line of its own, or a semicolon between them: ‹type Point struct{ X float64; Name string }›"
	case strings.HasPrefix(msg, "missing ',' in argument list") && strings.HasPrefix(after, `"`):
		e.Hint = "put values into a string with ‹fmt.Sprintf(\"x is %v\", x)›, join strings with +"
	case strings.HasPrefix(msg, "missing ','") && strings.HasPrefix(after, "="):
		e.Hint = "set a field with a colon: ‹T{A: 1}›"
	case strings.HasPrefix(msg, "expected '('") && strings.HasSuffix(strings.TrimRight(before, " "), "func"):
		e.Hint = "a function inside another one is a variable: ‹double := func(x int) int { return 2 * x }›"
	case strings.Contains(msg, "in octal literal"):
		e.Hint = "leave the 0 out: a number that begins with 0 is octal"
	case msg == "illegal label declaration":
		e.Hint = "write a map with its type: ‹map[string]int{\"a\": 1}›"
	case msg == "expected statement, found '%'":
		e.Hint = "write a magic on a line of its own, outside of braces"
	case msg == "expected statement, found 'import'":
		e.Hint = "write imports outside of functions"
	case strings.HasSuffix(msg, "must be function call"):
		e.Hint = "write the call with its parentheses, as in ‹defer fmt.Println(x)›"
	case strings.HasPrefix(msg, "expected ';'") && word == "from" && elsewhere(line+restOfLine(after)) != "":
		e.Hint = elsewhere(line + restOfLine(after))
	case strings.HasPrefix(msg, "expected ';'"):
		e.Hint = foreign[word]
		if m := foundWord().FindStringSubmatch(msg); m != nil && foreignFound[m[1]] != "" {
			e.Hint = foreignFound[m[1]]
		}
	}
	return e
}

// libraries maps Python packages to their equivalents here.
var libraries = map[string]string{
	"numpy":      "there is no numpy to import: vectors are []float64 with + - *, matrices ‹mat.NewDense(2, 2, nil)›",
	"pandas":     "there is no pandas to import: read a frame with ‹ml.Read(\"data.csv\")›, show it with ‹Describe(f)›",
	"sklearn":    "the algorithms are in ml, without an import: ‹tree := &ml.DecisionTree{}›",
	"matplotlib": "figures need no import: ‹Plot(xs)›, Scatter, Bar, Hist, Heatmap",
	"seaborn":    "figures need no import: ‹Plot(xs)›, Scatter, Bar, Hist, Heatmap",
	"scipy":      "gonum's packages stat, optimize and mat need no import",
	"torch":      "the algorithms are in ml, without an import",
	"random":     "‹rand.IntN(6)› and ‹rand.Float64()› need no import",
}

// elsewhere names the equivalent of a Python package that a line imports.
func elsewhere(line string) string {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '.' || r == '\t' }) {
		if h := libraries[word]; h != "" {
			return h
		}
	}
	return ""
}

// lastWord returns the last word of the text.
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
