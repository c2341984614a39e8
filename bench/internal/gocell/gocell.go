// Package gocell runs files of plain Go as cells, for benchmarks of the engines.
package gocell

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Session is an engine with the cells that it has run.
type Session struct {
	Engine   engine.Engine
	packages *symbols.Importer
	fset     *token.FileSet
	cells    int
}

// New opens a session on the engine with a name.
func New(name string, hooks engine.Hooks) (*Session, error) {
	packages := symbols.NewImporter()
	e, err := engines.ByName[name](hooks, packages)
	return &Session{Engine: e, packages: packages, fset: token.NewFileSet()}, err
}

// Compile checks and compiles the files of a cell. If there is a function main, it is the entry
// point.
func (s *Session) Compile(texts ...string) (engine.Code, error) {
	s.cells++
	var files []*ast.File
	for i, text := range texts {
		f, err := parser.ParseFile(s.fset, fmt.Sprintf("cell [%d.%d]", s.cells, i+1), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: s.packages, GoVersion: "go1.26", Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg, err := conf.Check("main", s.fset, files, info)
	if err != nil {
		return nil, err
	}
	entry, _ := pkg.Scope().Lookup("main").(*types.Func)
	return s.Engine.Compile(&engine.Cell{Number: s.cells, Fset: s.fset, Package: pkg, Files: files, Info: info, Entry: entry})
}

// Run compiles and runs the files of a cell.
func (s *Session) Run(texts ...string) error {
	code, err := s.Compile(texts...)
	if err != nil {
		return err
	}
	return code.Run(context.Background())
}
