package symbols

import (
	"slices"
	"strings"
	"sync"
)

// preferred orders packages with the same name for which the shortest path of the standard library
// is not the most likely one. As in gopls, only packages with every selected name are considered:
// rand.Intn finds math/rand, and rand.Read finds crypto/rand.
var preferred = [...]string{
	"math/rand/v2",  // before crypto/rand and math/rand
	"crypto/rand",   // before math/rand, whose Read is deprecated
	"text/template", // before html/template
	"text/scanner",  // before go/scanner
}

// byName lists the packages of each package name, best first.
var byName = sync.OnceValue(func() map[string][]*Package {
	m := map[string][]*Package{}
	for _, p := range Packages() {
		m[p.Name] = append(m[p.Name], p)
	}
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b *Package) int { return rank(a) - rank(b) })
	}
	return m
})

// rank orders packages with the same name: preferred ones, then the standard library, this module
// and the rest, then by length of the path.
func rank(p *Package) int {
	if i := slices.Index(preferred[:], p.Path); i >= 0 {
		return i
	}
	group := 2
	switch {
	case !strings.Contains(strings.Split(p.Path, "/")[0], "."):
		group = 0
	case strings.HasPrefix(p.Path, "github.com/gokernel/"):
		group = 1
	}
	return len(preferred) + group<<16 + len(p.Path)
}

// Named returns the packages with that name, best first.
func Named(name string) []*Package { return byName()[name] }

// Resolve returns the package that a cell means by name if it selects the given names from it
// without an import: the best package that has them all.
func Resolve(name string, selected ...string) (*Package, bool) {
next:
	for _, p := range byName()[name] {
		for _, s := range selected {
			if !p.Has(s) {
				continue next
			}
		}
		return p, true
	}
	return nil, false
}
