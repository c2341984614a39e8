package chart

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestEachKindIsRegistered requires an entry in kinds for each file mark_NAME.go, so that the tests
// that iterate over all kinds include it.
func TestEachKindIsRegistered(t *testing.T) {
	files, err := filepath.Glob("mark_*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			n++
		}
	}
	if n != len(kinds) {
		t.Errorf("there are %d files mark_*.go, but %d kinds are registered", n, len(kinds))
	}
	seen := map[string]bool{}
	for _, k := range kinds {
		if seen[k.String()] {
			t.Errorf("two kinds are called %q", k)
		}
		seen[k.String()] = true
		for _, option := range strings.Fields(k.about().options) {
			if !knownOption(option) {
				t.Errorf("%s takes the option %s, which no method of Chart asks for", k, option)
			}
		}
	}
}

// knownOption reports whether a method of Chart asks kinds for an option.
func knownOption(option string) bool {
	switch option {
	case "Aggregate", "Bandwidth", "Adjust", "Cut", "Fill", "Split", "Complement", "Degree", "Lowess", "NoPoints":
		return true
	}
	_, ok := options[option]
	return ok
}
