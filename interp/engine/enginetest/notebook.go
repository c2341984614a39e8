package enginetest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/symbols"
)

// NewEngine returns the engine under test. The importer provides the packages that cells import.
type NewEngine func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)

// Notebook runs cells on an engine as a session does, but the cells are plain Go: imports and
// declarations, with the statements in a function main.
type Notebook struct {
	engine   engine.Engine
	fset     *token.FileSet
	packages *symbols.Importer
	objects  map[string]types.Object // what earlier cells declare
	cells    int
}

// NewNotebook opens a notebook with an engine of its own.
func NewNotebook(newEngine NewEngine, hooks engine.Hooks) (*Notebook, error) {
	n := &Notebook{
		fset:     token.NewFileSet(),
		packages: symbols.NewImporter(),
		objects:  map[string]types.Object{},
	}
	e, err := newEngine(hooks, n.packages)
	n.engine = e
	return n, err
}

// Close ends the engine.
func (n *Notebook) Close() error { return n.engine.Close() }

// Engine returns the engine of the notebook.
func (n *Notebook) Engine() engine.Engine { return n.engine }

// Object returns the latest declaration of a name in the cells, or nil if there is none.
func (n *Notebook) Object(name string) types.Object { return n.objects[name] }

// Eval compiles and runs a cell. It returns the error of the type checker, Compile or Run.
func (n *Notebook) Eval(ctx context.Context, src string) error {
	code, err := n.Compile(fmt.Sprintf("cell [%d]", n.cells+1), src)
	if err != nil {
		return err
	}
	return code.Run(ctx)
}

// Compile compiles a cell. A cell without a package clause gets one on its first line.
func (n *Notebook) Compile(name, src string) (engine.Code, error) {
	cell, err := n.check(name, src)
	if err != nil {
		return nil, err
	}
	code, err := n.engine.Compile(cell)
	if err != nil {
		return nil, err
	}
	n.cells++
	scope := cell.Package.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Pkg() == cell.Package && name != "main" {
			n.objects[name] = o
		}
	}
	return code, nil
}

// check parses and checks a cell in the scope of the notebook.
func (n *Notebook) check(name, src string) (*engine.Cell, error) {
	if !strings.Contains(src, "package main") {
		src = "package main;" + src
	}
	file, err := parser.ParseFile(n.fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	checker := &check.Checker{
		Fset:     n.fset,
		Importer: n.packages,
		Visible:  func(name string) types.Object { return n.objects[name] },
	}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) > 0 {
		e := r.Errors[0]
		return nil, fmt.Errorf("%v: %s", n.fset.Position(e.Pos), e.Msg)
	}
	cell := &engine.Cell{
		Number:   n.cells + 1,
		Fset:     n.fset,
		Package:  r.Package,
		Files:    []*ast.File{file},
		Info:     r.Info,
		Replaces: map[types.Object]types.Object{},
	}
	for _, name := range r.Package.Scope().Names() {
		now, old := r.Package.Scope().Lookup(name), n.objects[name]
		if now.Pkg() == r.Package && old != nil && replaces(old, now) {
			cell.Replaces[old] = now
		}
	}
	cell.Entry, _ = r.Package.Scope().Lookup("main").(*types.Func)
	return cell, nil
}

// replaces reports whether code that uses the old object can use the new object.
func replaces(old, now types.Object) bool {
	switch old.(type) {
	case *types.Var:
		_, ok := now.(*types.Var)
		return ok && types.Identical(old.Type(), now.Type())
	case *types.Func:
		_, ok := now.(*types.Func)
		return ok && types.Identical(old.Type(), now.Type())
	}
	return false
}
