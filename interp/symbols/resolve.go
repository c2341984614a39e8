package symbols

import (
	"slices"
	"strings"
	"sync"
)

// preferred orders the packages of one name where the shortest path of the
// standard library is not what a notebook most likely means. As in gopls, only
// packages that have every name selected from them are considered, so that
// rand.Intn finds math/rand and rand.Read finds crypto/rand.
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

// rank orders packages of one name: those preferred, then the standard library,
// this module's and the rest, then the shorter path.
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

// Named gives the packages of that name, best first.
func Named(name string) []*Package { return byName()[name] }

// Resolve gives the package that a cell means by name when it selects the given
// names from it without an import: the best one that has them all.
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
