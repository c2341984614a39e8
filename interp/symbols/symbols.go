// Package symbols provides the compiled packages that cells can import: the public standard
// library, gonum, gonum/plot, display and mlstd. For each package it has the values (functions,
// variables, types), the export data for go/types, and the documentation. Everything is in the
// binary: neither a Go installation nor the go command is needed. Data is loaded at its first use.
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

// index returns all packages in ascending order of their paths.
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

// Packages returns every package in ascending order of the import paths. The caller must not change
// the slice.
func Packages() []*Package { return index() }

// Lookup returns the package with that import path.
func Lookup(path string) (*Package, bool) {
	all := index()
	i := sort.Search(len(all), func(i int) bool { return all[i].Path >= path })
	if i < len(all) && all[i].Path == path {
		return all[i], true
	}
	return nil, false
}
