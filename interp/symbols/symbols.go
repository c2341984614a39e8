// Package symbols is the compiled world as cells see it: the public standard
// library, gonum, gonum/plot, display and mlstd. For each package it has the
// values (functions, variables, types), the export data that go/types checks
// against, and the documentation, all inside the binary: neither a Go
// installation nor the go command is needed. Nothing is built before it is
// asked for.
package symbols

import (
	"sort"
	"sync"

	"github.com/gokernel/gokernel/interp/symbols/library"
	"github.com/gokernel/gokernel/interp/symbols/science"
	"github.com/gokernel/gokernel/interp/symbols/std"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// Package is the table of one compiled package.
type Package = table.Package

// index has all packages in ascending order of their paths.
var index = sync.OnceValue(func() []*Package {
	var all []*Package
	for _, group := range [][]Package{std.Packages[:], std.Platform[:], science.Packages[:], library.Packages[:]} {
		for i := range group {
			all = append(all, &group[i])
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
})

// Packages gives every package in ascending order of the import paths. The
// caller must not change the slice.
func Packages() []*Package { return index() }

// Lookup gives the package of that import path.
func Lookup(path string) (*Package, bool) {
	all := index()
	i := sort.Search(len(all), func(i int) bool { return all[i].Path >= path })
	if i < len(all) && all[i].Path == path {
		return all[i], true
	}
	return nil, false
}
