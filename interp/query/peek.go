package query

import (
	"context"
	"strings"
	"time"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/source"
)

var (
	importLine  = pattern.New(`(?m)^\s*import\s+(?:[\pL_.][\pL\pN_]*\s+)?"([^"\n]+)"`)
	importGroup = pattern.New(`(?ms)^\s*import\s*\((.*?)\)`)
	quoted      = pattern.New(`"([^"\n]+)"`)
)

// peekTime is how long a query about code may wait for packages that the code imports.
const peekTime = 2 * time.Second

// Peek loads the packages that code imports and that need no fetching, to answer queries about code
// that has not run. It may be called while the compiler works.
func Peek(ctx context.Context, packages *source.Loader, code string) {
	if !strings.Contains(code, "import") {
		return
	}
	var paths []string
	for _, m := range importLine().FindAllStringSubmatch(code, -1) {
		paths = append(paths, m[1])
	}
	for _, g := range importGroup().FindAllStringSubmatch(code, -1) {
		for _, m := range quoted().FindAllStringSubmatch(g[1], -1) {
			paths = append(paths, m[1])
		}
	}
	peek(ctx, packages, paths)
}

func peek(ctx context.Context, packages *source.Loader, paths []string) {
	ctx, cancel := context.WithTimeout(ctx, peekTime)
	defer cancel()
	packages.Peek(ctx, paths)
}

// Modules lists the packages that cells can import from the modules that the notebook requires.
// Named must be set.
func (s *Source) Modules() (list []complete.Package) {
	named := s.Named()
	for _, p := range s.importedPackages() {
		named = append(named, p.Path)
	}
	ctx, cancel := context.WithTimeout(context.Background(), peekTime)
	defer cancel()
	for _, p := range s.Compiler.Sources.Packages(ctx, named) {
		list = append(list, complete.Package{Path: p.Path, Name: p.Name})
	}
	return list
}

// load loads a package for answers about code that does not import it yet.
func (s *Source) load(path string) {
	peek(context.Background(), s.Compiler.Sources, []string{path})
}

// importedPackages lists the packages that cells have imported from source.
func (s *Source) importedPackages() (list []complete.Package) {
	for _, name := range s.Compiler.Scope.ImportNames() {
		if path, ok := s.Compiler.Scope.Imported(name); ok && !source.IsCompiled(path) {
			list = append(list, complete.Package{Path: path, Name: name})
		}
	}
	return list
}
