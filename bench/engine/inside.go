package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/interp/symbols"
)

// evaluatorPercent is the garbage collector's percentage with which a heap of the runtime's
// initial size has as much space for garbage as in an evaluator (cmd/gokernel/collector.go).
const evaluatorPercent = 400

// runInside evaluates a program as a cell in this process and prints what the compiled program
// would print.
func runInside(name, set string, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("-inside needs a program and a number of calls, got %q", args)
	}
	ps := load(set, args[:1])
	if len(ps) != 1 {
		return fmt.Errorf("unknown program %q", args[0])
	}
	debug.SetGCPercent(evaluatorPercent)
	var printed bytes.Buffer
	s, err := newSession(name, engine.Hooks{Stdout: func(_ int, text []byte) { printed.Write(text) }})
	if err != nil {
		return err
	}
	// Both parts are one cell: each is a file of its package.
	if err := s.run(ps[0].goSrc, timing("calls := "+args[1])); err != nil {
		return err
	}
	_, err = os.Stdout.Write(printed.Bytes())
	return err
}

// session is an engine with the cells that it has run.
type session struct {
	engine   engine.Engine
	packages *symbols.Importer
	fset     *token.FileSet
	cells    int
}

func newSession(name string, hooks engine.Hooks) (*session, error) {
	packages := symbols.NewImporter()
	e, err := engines.ByName[name](hooks, packages)
	return &session{engine: e, packages: packages, fset: token.NewFileSet()}, err
}

// run checks, compiles and runs the files of a cell. If there is a function main, it is the entry
// point.
func (s *session) run(texts ...string) error {
	s.cells++
	var files []*ast.File
	for i, text := range texts {
		f, err := parser.ParseFile(s.fset, fmt.Sprintf("cell [%d.%d]", s.cells, i+1), text, parser.SkipObjectResolution)
		if err != nil {
			return err
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
		return err
	}
	entry, _ := pkg.Scope().Lookup("main").(*types.Func)
	code, err := s.engine.Compile(&engine.Cell{Number: s.cells, Fset: s.fset, Package: pkg, Files: files, Info: info, Entry: entry})
	if err != nil {
		return err
	}
	return code.Run(context.Background())
}
