package source

import (
	"go/ast"
	"go/types"
	"os"
	"slices"
	"strconv"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/modules"
)

// Declare creates a package from one file with its text. Later imports of the path find it before
// any other package. The packages that the file imports must have been prepared. Declare returns
// the errors of the type checker, and a Change with the new package and the one that it replaces.
func (l *Loader) Declare(path string, file *ast.File, text string) (*Change, []types.Error, error) {
	l.preparing.Lock()
	defer l.preparing.Unlock()
	info := newInfo([]*ast.File{file})
	var errs []types.Error
	conf := types.Config{
		Importer: l, Sizes: sizes, GoVersion: "go" + modules.Language(), DisableUnusedImportCheck: true,
		Error: func(err error) {
			if te, ok := err.(types.Error); ok {
				errs = append(errs, te)
			}
		},
	}
	pkg := types.NewPackage(path, file.Name.Name)
	// The Error function has collected the errors.
	_ = types.NewChecker(&conf, l.fset, pkg, info).Files([]*ast.File{file})
	if len(errs) > 0 {
		return nil, errs, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	p := &Package{
		Package:  engine.Package{Fset: l.fset, Types: pkg, Files: []*ast.File{file}, Info: info},
		Place:    modules.Place{Path: path, Dir: dir},
		declared: true,
		text:     text,
	}
	for _, s := range file.Imports {
		if from, err := strconv.Unquote(s.Path.Value); err == nil {
			if q := l.Lookup(from); q != nil && !IsCompiled(from) {
				p.Imports = append(p.Imports, q)
			}
		}
	}
	if err := p.Complete(); err != nil {
		return nil, nil, err
	}
	if err := Link([]*Package{p}, l.known()); err != nil {
		return nil, nil, err
	}
	old := l.Lookup(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.packages[path] = p
	if old != nil {
		return &Change{old, p}, nil, nil
	}
	return nil, nil, nil
}

// Declared lists the packages that cells have declared, in ascending order.
func (l *Loader) Declared() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var list []string
	for path, p := range l.packages {
		if p.declared {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// isDeclared reports whether a cell has declared the package with the path.
func (l *Loader) isDeclared(path string) bool {
	p := l.Lookup(path)
	return p != nil && p.declared
}
