package history

import (
	"regexp"
	"strings"
)

// compileGlob converts a glob to a regular expression. In a glob, * matches any text, ? matches one
// character, and [a-z] or [^a-z] matches one character of a set. An opening bracket without a
// closing bracket matches itself.
func compileGlob(glob string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for rest := strings.ToValidUTF8(glob, "\uFFFD"); rest != ""; {
		switch rest[0] {
		case '*':
			b.WriteString(`.*`)
		case '?':
			b.WriteString(`.`)
		case '[':
			if set, after, ok := cutSet(rest[1:]); ok {
				b.WriteString(set)
				rest = after
				continue
			}
			b.WriteString(`\[`)
		default:
			n := strings.IndexAny(rest, "*?[")
			if n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			rest = rest[n:]
			continue
		}
		rest = rest[1:]
	}
	b.WriteString(`\z`)
	return regexp.Compile(b.String())
}

// cutSet converts the set after an opening bracket to a character class and returns the rest of
// the glob. A closing bracket that comes first belongs to the set.
func cutSet(s string) (class, after string, ok bool) {
	var b strings.Builder
	b.WriteByte('[')
	s, not := strings.CutPrefix(s, "^")
	if not {
		b.WriteByte('^')
	}
	end := strings.IndexByte(s[min(1, len(s)):], ']')
	if end < 0 {
		return "", "", false
	}
	set := []rune(s[:end+1])
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= set[i+2] { // a reversed range matches nothing
				b.WriteString(classRune(set[i]) + "-" + classRune(set[i+2]))
			}
			i += 2
			continue
		}
		b.WriteString(classRune(set[i]))
	}
	after = s[end+2:]
	switch class := b.String(); class {
	case "[":
		return `[^\x{0}-\x{10FFFF}]`, after, true
	case "[^":
		return `.`, after, true
	default:
		return class + "]", after, true
	}
}

func classRune(r rune) string {
	if strings.ContainsRune(`\]^-[`, r) {
		return `\` + string(r)
	}
	return string(r)
}
