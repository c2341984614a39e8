//go:build !js

package sqlite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a query, or the name of a parameter.
type token struct {
	text      string
	parameter bool
}

// parametersOf returns the names of the parameters of a query, each once, in the order in
// which they first occur.
func parametersOf(query string) []string {
	var names []string
	for _, t := range tokens(query) {
		if t.parameter && !slices.Contains(names, t.text) {
			names = append(names, t.text)
		}
	}
	return names
}

// tokens returns the words and parameters of a query, without its strings, numbers and
// comments. A word in quotation marks may be a name.
func tokens(q string) []token {
	var list []token
	for i := 0; i < len(q); {
		switch c := q[i]; {
		case c == '-' && strings.HasPrefix(q[i:], "--"):
			i = until(q, i, "\n")
		case c == '/' && strings.HasPrefix(q[i:], "/*"):
			i = until(q, i+2, "*/")
		case c == '\'':
			i = until(q, i+1, "'")
		case c == '"' || c == '`':
			end := until(q, i+1, q[i:i+1])
			list = append(list, token{text: strings.TrimSuffix(q[i+1:end], q[i:i+1])})
			i = end
		case c == '[':
			end := until(q, i+1, "]")
			list = append(list, token{text: strings.TrimSuffix(q[i+1:end], "]")})
			i = end
		case c == ':' || c == '@' || c == '$':
			n := word(q[i+1:])
			if n > 0 {
				list = append(list, token{q[i+1 : i+1+n], true})
			}
			i += 1 + n
		default:
			n := word(q[i:])
			if n == 0 {
				_, size := utf8.DecodeRuneInString(q[i:])
				i += size
				continue
			}
			if c < '0' || c > '9' {
				list = append(list, token{text: q[i : i+n]})
			}
			i += n
		}
	}
	return list
}

// until returns the position after the next occurrence of end.
func until(q string, i int, end string) int {
	if i > len(q) {
		return len(q)
	}
	n := strings.Index(q[i:], end)
	if n < 0 {
		return len(q)
	}
	return i + n + len(end)
}

// word returns the length of the word at the start of q.
func word(q string) int {
	for i, r := range q {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(q)
}
