package symbols

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/symbols/table"
)

// Generics is the checked source of the generic functions of one compiled package, and of those
// that table.FromSource reports, with the unexported declarations that their bodies need.
//
// Package has the path and name of the compiled package, but is a separate package. Its functions
// represent the functions of the compiled package with the same names. All other exported objects,
// including types, are the objects of the compiled package.
type Generics struct {
	Fset    *token.FileSet
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
}

// Generics returns the source of a package's generic functions, checked against the packages of
// this Importer, or nil if the package has none. Generic functions that depend on the runtime
// (iter.Pull, maps.Clone, reflect.TypeFor, unique.Make and similar ones) are declared without a
// body.
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
	src, err := content(path, ".generics", genericFiles)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("source of package %s: its description cannot be read: %w", path, err)
	}
	bodiless := withoutSource(compiled, src)
	if src == nil && len(bodiless) == 0 {
		im.generics[path] = nil
		return nil, nil
	}
	g := &Generics{
		Fset:    im.sources,
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
	parse := func(name string, src []byte) (*ast.File, error) {
		file, err := parser.ParseFile(g.Fset, path+"/"+name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("source of package %s: %w", path, err)
		}
		g.Files = append(g.Files, file)
		return file, nil
	}
	if src != nil {
		if _, err := parse("generics.go", src); err != nil {
			return nil, err
		}
	}
	declared, err := parse("runtime.go", declarations(compiled, bodiless))
	if err != nil {
		return nil, err
	}
	t, _ := Lookup(path)
	for _, name := range compiled.Scope().Names() {
		obj := compiled.Scope().Lookup(name)
		if _, kind := t.Lookup(name); kind == table.Generic || src != nil && table.FromSource(path, name) {
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
	for _, d := range declared.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
	im.generics[path] = g
	return g, nil
}

// unlocked imports packages while the caller holds the Importer's lock.
type unlocked struct{ im *Importer }

func (u unlocked) Import(path string) (*types.Package, error) { return u.im.load(path) }

// withoutSource returns those generic functions of a package that its source lacks.
func withoutSource(compiled *types.Package, src []byte) []*types.Func {
	var missing []*types.Func
	for _, name := range compiled.Scope().Names() {
		f, ok := compiled.Scope().Lookup(name).(*types.Func)
		if ok && f.Exported() && f.Signature().TypeParams().Len() > 0 && !bytes.Contains(src, []byte("func "+name+"[")) {
			missing = append(missing, f)
		}
	}
	return missing
}

// declarations writes functions as a file. They have bodies because the type checker requires a
// body for a generic function.
func declarations(pkg *types.Package, fns []*types.Func) []byte {
	imports := map[string]bool{}
	var body bytes.Buffer
	qualifier := func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		imports[p.Path()] = true
		return p.Name()
	}
	written := map[string]bool{}
	for _, f := range fns {
		for tp := range f.Signature().TypeParams().TypeParams() {
			// An unexported constraint is not in the scope.
			n, ok := tp.Constraint().(*types.Named)
			if ok && n.Obj().Pkg() == pkg && !n.Obj().Exported() && !written[n.Obj().Name()] {
				written[n.Obj().Name()] = true
				fmt.Fprintf(&body, "type %s %s\n", n.Obj().Name(), types.TypeString(n.Underlying(), qualifier))
			}
		}
		sig := types.TypeString(f.Signature(), qualifier)
		fmt.Fprintf(&body, "func %s%s { panic(0) }\n", f.Name(), strings.TrimPrefix(sig, "func"))
	}
	var file bytes.Buffer
	fmt.Fprintf(&file, "package %s\n", pkg.Name())
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&file, "import %q\n", path)
	}
	file.Write(body.Bytes())
	return file.Bytes()
}
