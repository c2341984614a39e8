package advice

import (
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/rewrite"
)

var ownPackage = pattern.New(`\bmain\.`)

// mustCall matches, in rewritten code, a call whose error is checked.
var mustCall = pattern.New(`ǃmust\d+\((.*?\))\)`)

// PlainWords removes internal names from a message.
func PlainWords(msg string) string {
	msg = ownPackage().ReplaceAllString(msg, "")
	msg = columnCall().ReplaceAllString(msg, "[$1]")
	msg = mustCall().ReplaceAllString(msg, "$1")
	msg = strings.ReplaceAll(msg, " (declared at -)", "")
	msg = strings.ReplaceAll(msg, " (type has unexported fields - use key:value pairs)", "") // cells can also write keys
	msg = strings.ReplaceAll(msg, rewrite.StdinName, "os.Stdin")
	msg = strings.ReplaceAll(msg, " in variable declaration", " in assignment")
	return plainOperators(msg)
}

// operators maps the name prefixes of the functions that implement vector and matrix operations to
// the operators.
var operators = map[string]string{"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Rem": "%", "And": "&&", "Or": "||"}

// plainOperators restores the vector and matrix operations in a message to the form in the cell:
// ǃrt.MulMV(7, A, v) becomes A * v.
func plainOperators(msg string) string {
	const call = "ǃrt."
	for {
		at := strings.LastIndex(msg, call) // the innermost of nested calls is the last one
		if at < 0 {
			return msg
		}
		name, rest, ok := strings.Cut(msg[at+len(call):], "(")
		args, end := splitCall(rest)
		if !ok || end < 0 {
			return msg
		}
		msg = msg[:at] + operation(name, args) + rest[end:]
	}
}

// splitCall splits the arguments of a call. The text starts after the opening parenthesis.
// splitCall also returns where the call ends, or -1 if it does not end.
func splitCall(text string) (args []string, end int) {
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return append(args, strings.TrimSpace(text[start:i])), i + 1
			}
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return nil, -1
}

// open stands for the argument that FixFirst or FixSecond has not set.
const open = "\x00"

// operation writes a call of package cellrt as written in the cell.
func operation(name string, args []string) string {
	word := strings.TrimSuffix(strings.TrimSuffix(name, "In"), "Scaled")
	n := len(args)
	switch word = strings.TrimRight(word, "SNTVIWBDM"); {
	case word == "Neg" && n == 1:
		return "-" + args[0]
	case word == "Not" && n == 1:
		return "!" + args[0]
	case word == "Compare" && n == 4:
		return args[2] + " " + strings.Trim(args[1], `"`) + " " + args[3]
	case word == "FixFirst" && n == 2:
		return args[0] + "(" + args[1] + ", " + open + ")"
	case word == "FixSecond" && n == 2:
		return args[0] + "(" + open + ", " + args[1] + ")"
	case word == "Map" && n == 3 && strings.Contains(args[1], open):
		return strings.Replace(args[1], open, args[2], 1)
	case word == "Map" && n >= 3:
		return args[1] + "(" + strings.Join(args[2:], ", ") + ")"
	case operators[word] != "" && n == 4:
		return args[1] + " " + operators[word] + " " + args[2] + " * " + args[3]
	case operators[word] != "" && n == 3:
		return args[1] + " " + operators[word] + " " + args[2]
	}
	return args[n-1] // the argument of a check or a magic
}
