package complete

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The ways in which a name can match the typed text, best first.
const (
	asTyped    = iota // it starts with the text
	foldedCase        // it starts with the text if case is ignored
	byParts           // its parts match: forest of RandomForest, rf, ranfor
)

// matches reports whether and how a name matches the typed text.
func matches(name, typed string) (how int, ok bool) {
	switch {
	case strings.HasPrefix(name, typed):
		return asTyped, true
	case len(name) >= len(typed) && strings.EqualFold(name[:len(typed)], typed):
		return foldedCase, true
	case utf8.RuneCountInString(typed) >= 2 && matchParts([]rune(name), []rune(typed), 0):
		return byParts, true
	}
	return 0, false
}

// matchParts reports whether typed consists of prefixes of parts of the name, in order. It skips
// the first at runes of the name. A part begins at a capital letter after a lower-case one, at the
// last of several capitals, after an underscore, or at a digit.
func matchParts(name, typed []rune, at int) bool {
	if len(typed) == 0 {
		return true
	}
	for i := at; i < len(name); i++ {
		if !beginsPart(name, i) {
			continue
		}
		n := 0
		for n < len(typed) && i+n < len(name) && unicode.ToLower(name[i+n]) == unicode.ToLower(typed[n]) {
			n++
		}
		for ; n > 0; n-- {
			if matchParts(name, typed[n:], i+n) {
				return true
			}
		}
	}
	return false
}

func beginsPart(name []rune, i int) bool {
	if i == 0 {
		return true
	}
	before, r := name[i-1], name[i]
	switch {
	case before == '_':
		return true
	case unicode.IsDigit(r):
		return !unicode.IsDigit(before)
	case unicode.IsUpper(r):
		return !unicode.IsUpper(before) || i+1 < len(name) && unicode.IsLower(name[i+1])
	}
	return false
}

// usageText lists the most used names of each package, in descending order of use.
//
//go:generate go run ./internal/usage
//go:embed usage.txt
var usageText string

// usage returns the positions of the names of a package in that list, from 1.
var usage = sync.OnceValue(func() map[string]map[string]int {
	all := map[string]map[string]int{}
	for line := range strings.Lines(usageText) {
		fields := strings.Fields(line)
		places := map[string]int{}
		for i, name := range fields[1:] {
			places[name] = i + 1
		}
		all[fields[0]] = places
	}
	// Predeclared names have no package.
	all[""] = map[string]int{}
	for i, name := range strings.Fields("len int string float64 append true false nil error make range bool byte any panic map rune uint64 int64 max min float32 uint") {
		all[""][name] = i + 1
	}
	return all
})

// The groups of the list that are not packages: names that cells see without a package, and methods
// and fields.
const (
	preludeNames = "prelude"
	memberNames  = "."
)

// unused is the position of a name that is not in the list.
const unused = 1 << 20

// place returns the position of a name of a package among the most used names.
func place(path, name string) int {
	if n := usage()[path][name]; n > 0 {
		return n
	}
	return unused
}
