package complete

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// columns lists the names of columns that may stand in the string that begins at
// from: f["..., f.By("..., f.Where(...).Sort("..., Scatter(f, "...
func columns(env *Env, code string, from, offset int) []evaluator.Match {
	if env.Columns == nil || from == 0 || from > offset {
		return nil
	}
	open := opening(code[:from-1])
	if open < 0 {
		return nil
	}
	before := code[:open]
	variables := roots(before)
	if code[open] == '(' {
		variables = append(variables, firstName(code[open+1:from-1]))
	}
	prefix := code[from:offset]
	// A minus before the name sorts downwards.
	sign := ""
	if rest, ok := strings.CutPrefix(prefix, "-"); ok && strings.HasSuffix(before, ".Sort") {
		sign, prefix = "-", rest
	}
	var list []evaluator.Match
	for _, v := range variables {
		if v == "" {
			continue
		}
		for _, name := range env.Columns(v) {
			if strings.HasPrefix(name, prefix) {
				list = append(list, evaluator.Match{Text: sign + name, Kind: "field", Signature: "column of " + v})
			}
		}
	}
	return list
}

// opening gives the place of the innermost bracket that the code leaves open, -1
// when there is none. Brackets in strings are not looked for: what is offered then
// is nothing, or names too many.
func opening(code string) int {
	depth := 0
	for i := len(code) - 1; i >= 0; i-- {
		switch code[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// roots gives the variables that a chain of calls may begin with that ends the
// code: taxis of taxis.Where(mask).By, and of Scatter(taxis, "km", "fare").By.
func roots(code string) []string {
	i := len(code)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(code[:i])
		if r == ')' || r == ']' {
			open := opening(code[:i-size])
			if open < 0 {
				return nil
			}
			i = open
			continue
		}
		if r != '.' && !inName(r) {
			break
		}
		i -= size
	}
	name := firstName(code[i:])
	if args, ok := strings.CutPrefix(code[i+len(name):], "("); ok {
		return []string{name, firstName(args)}
	}
	return []string{name}
}

// firstName gives the name with which the code begins.
func firstName(code string) string {
	code = strings.TrimSpace(code)
	if end := strings.IndexFunc(code, func(r rune) bool { return !inName(r) }); end >= 0 {
		return code[:end]
	}
	return code
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
