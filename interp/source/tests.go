package source

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
)

// Tests is a package with its tests.
type Tests struct {
	Path, Dir string
	Packages  []*Package // the package with its internal tests, and the package of external tests
}

// Functions calls f for the functions of the test files, with their text, in the order of the
// files. The file of a package that a cell has declared counts as a test file, too.
func (t *Tests) Functions(f func(p *Package, fn *ast.FuncDecl, text string)) error {
	for _, p := range t.Packages {
		if p.declared {
			p.functions(p.Files[0], p.text, f)
		}
		for _, name := range p.tests {
			file, text, err := p.file(name)
			if err != nil {
				return err
			}
			if p.Fset.Position(file.End()).Offset > len(text) {
				return fmt.Errorf("%s has changed while its tests were loaded", name)
			}
			p.functions(file, text, f)
		}
	}
	return nil
}

// functions calls f for the functions of a file.
func (p *Package) functions(file *ast.File, text string, f func(p *Package, fn *ast.FuncDecl, text string)) {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			f(p, fn, text[p.Fset.Position(fn.Pos()).Offset:p.Fset.Position(fn.End()).Offset])
		}
	}
}

// Tests loads a package with its test files, as go test does: as a separate package, which the
// external tests and their imports use instead of the original. Cells cannot see the separate
// package. It is loaded again if files have changed. A package that a cell has declared contains
// its tests, and is the package that cells see.
func (l *Loader) Tests(ctx context.Context, path string, progress func(line string)) (t *Tests, changes []Change, err error) {
	if IsCompiled(path) {
		return nil, nil, fmt.Errorf("package %s is compiled into the kernel, without its tests", path)
	}
	if p := l.Lookup(path); p != nil && p.declared {
		return &Tests{Path: path, Dir: p.Place.Dir, Packages: []*Package{p}}, nil, nil
	}
	l.preparing.Lock()
	defer l.preparing.Unlock()
	b, err := l.modules()
	if err != nil {
		return nil, nil, err
	}
	b.Progress = progress
	defer func() { b.Progress = nil }()
	defer undoIf(&err, b.Try())
	w := &walk{l: l, b: b}
	var inner, outer *found
	for generation := -1; generation != b.Generation(); {
		generation = b.Generation()
		w.reset()
		if inner, outer, err = w.tests(ctx, path); err != nil {
			return nil, nil, err
		}
	}
	if changes, err = w.load(ctx); err != nil {
		return nil, nil, err
	}
	t = &Tests{Path: inner.place.Path, Dir: inner.place.Dir}
	for _, f := range []*found{inner, outer} {
		if f != nil {
			t.Packages = append(t.Packages, l.Lookup(w.key(f)))
		}
	}
	return t, changes, b.Save()
}

// tests finds a package with its tests and all their imports; outer is nil if the package has no
// external tests.
func (w *walk) tests(ctx context.Context, path string) (inner, outer *found, err error) {
	place, err := w.b.Find(ctx, path, nil)
	if err != nil {
		return nil, nil, err
	}
	inner = &found{place: place}
	w.found[place.Path], w.tested = inner, inner
	if inner.files, err = w.l.choose(place, w.b.Tags()); err != nil {
		return nil, nil, err
	}
	all := *inner.files
	if len(all.tests)+len(all.external) == 0 {
		return nil, nil, fmt.Errorf("package %s has no test files", place.Path)
	}
	inner.files = &files{
		names: slices.Concat(all.names, all.tests), tests: all.tests, cgo: all.cgo, stamp: all.stamp,
		imports: union(all.imports, all.testImports),
	}
	if err := w.follow(ctx, inner, nil); err != nil || len(all.external) == 0 {
		return inner, nil, err
	}
	beside := *place
	outer = &found{place: &beside, external: true, files: &files{
		names: all.external, tests: all.external, cgo: all.cgo, stamp: all.stamp, imports: all.externalImports,
	}}
	return inner, outer, w.follow(ctx, outer, nil)
}

// union returns the elements of two lists, in ascending order.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.SortFunc(all, cmp.Compare[string])
	return slices.Compact(all)
}

// key returns the key of a package in the map: its path. If the package is not the one that cells
// see, the path of the tested package follows.
func (w *walk) key(f *found) string {
	path := f.path()
	if w.tested != nil && w.forTests(f) {
		return path + " [" + w.tested.place.Path + ".test]"
	}
	return path
}

// forTests reports whether a package is the tested one, or imports it.
func (w *walk) forTests(f *found) bool {
	if f == w.tested || f.external {
		return true
	}
	for _, g := range f.imports {
		if w.forTests(g) {
			return true
		}
	}
	return false
}

// path returns the import path of a package. External tests have a separate path.
func (f *found) path() string {
	if f.external {
		return f.place.Path + "_test"
	}
	return f.place.Path
}

// file returns a file of the package with its text.
func (p *Package) file(name string) (*ast.File, string, error) {
	text, err := os.ReadFile(filepath.Join(p.Place.Dir, name))
	if err != nil {
		return nil, "", err
	}
	for _, f := range p.Files {
		if p.Fset.Position(f.Pos()).Filename == shown(&p.Place, name) {
			return f, string(text), nil
		}
	}
	return nil, "", fmt.Errorf("there is no file %s in package %s", name, p.Place.Path)
}
