package complete

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The ways in which a name can match what was typed, best first.
const (
	asTyped    = iota // it begins with it
	foldedCase        // it does but for the case of letters
	byParts           // its parts do: forest of RandomForest, rf, ranfor
)

// matches tells how a name matches what was typed.
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

// matchParts reports whether typed is made of beginnings of parts of the name from
// the rune at on, in their order. A part begins with a capital letter after a small
// one, with the last capital of several, after an underscore, or with a digit.
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

// usageText lists the names of a package that are used most, most used first.
//
//go:generate go run ./internal/usage
//go:embed usage.txt
var usageText string

// usage gives the places of the names of a package in that list, from 1.
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
	for i, name := range strings.Fields("len int string float64 append true false nil error make range bool byte any panic map rune") {
		all[""][name] = i + 1
	}
	return all
})

// unused is the place of a name that is in no list.
const unused = 1 << 20

// place returns the place of a name of a package among those used most.
func place(path, name string) int {
	if n := usage()[path][name]; n > 0 {
		return n
	}
	return unused
}
