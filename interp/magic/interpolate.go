package magic

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// interpolate inserts values of variables into a command. {x} and $x stand for the value of the
// variable x if there is one, {{ and }} for braces, and $$ for a dollar sign. Other text, such as
// $HOME, ${x} and {1..3}, is left to the shell.
func interpolate(command string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for i := 0; i < len(command); {
		rest := command[i:]
		switch {
		case strings.HasPrefix(rest, "$$") && nameLen(rest[2:]) > 0:
			b.WriteByte('$')
			n := nameLen(rest[2:])
			b.WriteString(rest[2 : 2+n])
			i += 2 + n
			continue
		case strings.HasPrefix(rest, "${"):
			b.WriteString("${")
			i += 2
			continue
		case rest[0] == '$':
			if n := nameLen(rest[1:]); n > 0 {
				if text, ok := value(rest[1 : 1+n]); ok {
					b.WriteString(text)
					i += 1 + n
					continue
				}
			}
		case strings.HasPrefix(rest, "{{"):
			if end := strings.Index(rest, "}}"); end > 0 {
				b.WriteString("{" + rest[2:end] + "}")
				i += end + 2
				continue
			}
		case rest[0] == '{':
			if n := nameLen(rest[1:]); n > 0 && strings.HasPrefix(rest[1+n:], "}") {
				if text, ok := value(rest[1 : 1+n]); ok {
					b.WriteString(text)
					i += n + 2
					continue
				}
			}
		}
		_, n := utf8.DecodeRuneInString(rest)
		b.WriteString(rest[:n])
		i += n
	}
	return b.String()
}

// nameLen returns the length of the name at the start of text, or 0 if there is none.
func nameLen(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(text)
}
