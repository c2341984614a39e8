package complete

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// keys lists the keys that can complete the string that begins at from. The keys are columns of a
// frame, as in f["..., f.By("..., f.Where(...).Sort("... and Scatter(f, "..., or keys of a map, as
// in ages["...
func keys(env *Env, code string, from, offset int) []evaluator.Match {
	if env.Keys == nil || from == 0 || from > offset {
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
	// A minus before the name sorts in descending order.
	sign := ""
	if rest, ok := strings.CutPrefix(prefix, "-"); ok && strings.HasSuffix(before, ".Sort") {
		sign, prefix = "-", rest
	}
	var list []evaluator.Match
	for _, v := range variables {
		if v == "" {
			continue
		}
		k := env.Keys(v)
		if !k.Strings || k.OfMap && (code[open] != '[' || strings.TrimSpace(before[strings.LastIndexAny(before, "\n;")+1:]) == "") {
			continue
		}
		for _, name := range k.List {
			if strings.HasPrefix(name, prefix) {
				list = append(list, evaluator.Match{Text: sign + name, Kind: "field", Signature: k.what() + v})
			}
		}
	}
	return list
}

func (k Keys) what() string {
	if k.OfMap {
		return "key of "
	}
	return "column of "
}

// index lists the keys that can complete the index whose bracket is open before start, in Go
// syntax.
func (c *collector) index(code string, start int) {
	before := strings.TrimRight(code[:start], " \t")
	name, ok := strings.CutSuffix(before, "[")
	if !ok || c.env.Keys == nil {
		return
	}
	variable := lastName(name)
	if variable == "" {
		return
	}
	k := c.env.Keys(variable)
	for n, key := range k.List {
		text := key
		if k.Strings {
			if c.prefix != "" && !strings.HasPrefix(key, c.prefix) {
				continue
			}
			text = strconv.Quote(key)
		} else if !strings.HasPrefix(key, c.prefix) {
			continue
		}
		c.list = append(c.list, ranked{Match: evaluator.Match{Text: text, Kind: "field", Signature: k.what() + variable}, rank: rankKey, use: n})
	}
}

// lastName returns the name at the end of the code if it is not a selector.
func lastName(code string) string {
	word := lastWord(code)
	if strings.HasSuffix(code[:len(code)-len(word)], ".") {
		return ""
	}
	return word
}

// lastWord returns the name at the end of the code.
func lastWord(code string) string {
	i := len(code)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(code[:i])
		if !inName(r) {
			break
		}
		i -= size
	}
	return code[i:]
}

// opening returns the offset of the innermost bracket that the code leaves open, or -1 if there is
// none. It ignores that brackets may be inside strings; at worst, completion offers nothing or too
// many names.
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

// roots returns the variables with which the chain of calls at the end of the code may begin: taxis
// for taxis.Where(mask).By, and for Scatter(taxis, "km", "fare").By.
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

// firstName returns the name at the start of the code.
func firstName(code string) string {
	code = strings.TrimSpace(code)
	if end := strings.IndexFunc(code, func(r rune) bool { return !inName(r) }); end >= 0 {
		return code[:end]
	}
	return code
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
