package symbols

import (
	_ "embed" // for the sources
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"

	"github.com/gokernel/gokernel/interp/symbols/table"
)

//go:embed data/generics.zip
var genericSources []byte

// Generics is the checked source of the generic functions of one compiled
// package, with what their bodies need that is not exported.
//
// Package has the path and name of the compiled package but is another one:
// its functions stand for those of the compiled package with the same names,
// and all that is exported and not a generic function is the compiled package's
// own object, types included.
type Generics struct {
	Fset    *token.FileSet
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
}

// Generics gives the source of a package's generic functions, checked against
// the packages of this Importer; nil if there is none. Generic functions that
// end in the runtime (iter.Pull, maps.Clone, reflect.TypeFor, unique.Make and
// the like) are not among them.
func (im *Importer) Generics(path string) (*Generics, error) {
	compiled, err := im.Import(path)
	if err != nil {
		return nil, err
	}
	im.mu.Lock()
	defer im.mu.Unlock()
	if g, ok := im.generics[path]; ok {
		return g, nil
	}
	f, ok := contents(genericSources)[path]
	if !ok {
		im.generics[path] = nil
		return nil, nil
	}
	src, err := unpack(f)
	if err != nil {
		return nil, fmt.Errorf("source of package %s: the embedded archive is broken: %w", path, err)
	}
	g := &Generics{
		Fset:    token.NewFileSet(),
		Package: types.NewPackage(path, compiled.Name()),
		Info: &types.Info{
			Types:        map[ast.Expr]types.TypeAndValue{},
			Defs:         map[*ast.Ident]types.Object{},
			Uses:         map[*ast.Ident]types.Object{},
			Implicits:    map[ast.Node]types.Object{},
			Instances:    map[*ast.Ident]types.Instance{},
			Selections:   map[*ast.SelectorExpr]*types.Selection{},
			Scopes:       map[ast.Node]*types.Scope{},
			FileVersions: map[*ast.File]string{},
		},
	}
	file, err := parser.ParseFile(g.Fset, path+"/generics.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("source of package %s: %w", path, err)
	}
	g.Files = []*ast.File{file}
	t, _ := Lookup(path)
	for _, name := range compiled.Scope().Names() {
		obj := compiled.Scope().Lookup(name)
		if _, kind := t.Lookup(name); kind == table.Generic {
			if _, isFunc := obj.(*types.Func); isFunc {
				continue
			}
		}
		if obj.Exported() {
			g.Package.Scope().Insert(obj)
		}
	}
	conf := types.Config{Importer: unlocked{im}, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	if err := types.NewChecker(&conf, g.Fset, g.Package, g.Info).Files(g.Files); err != nil {
		return nil, fmt.Errorf("source of package %s: %w", path, err)
	}
	im.generics[path] = g
	return g, nil
}

// unlocked imports for one who holds the Importer's lock.
type unlocked struct{ im *Importer }

func (u unlocked) Import(path string) (*types.Package, error) { return u.im.load(path) }
