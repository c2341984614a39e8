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
	"strconv"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/interp/symbols"
)

// runInside evaluates the program as cells in this process, and prints what the
// compiled program would.
func runInside(name string, p program, calls int) error {
	var printed bytes.Buffer
	packages, fset := symbols.NewImporter(), token.NewFileSet()
	e, err := engines.ByName[name](engine.Hooks{Stdout: func(_ int, text []byte) { printed.Write(text) }}, packages)
	if err != nil {
		return err
	}
	defer e.Close()
	// Both parts are one cell: each is a file of its package.
	var files []*ast.File
	for i, text := range []string{p.goSrc, timing("calls := " + strconv.Itoa(calls))} {
		f, err := parser.ParseFile(fset, fmt.Sprintf("cell [%d]", i+1), text, parser.SkipObjectResolution)
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
	conf := types.Config{Importer: packages, GoVersion: "go1.26", Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg, err := conf.Check("main", fset, files, info)
	if err != nil {
		return err
	}
	entry := pkg.Scope().Lookup("main").(*types.Func)
	code, err := e.Compile(&engine.Cell{Number: 1, Fset: fset, Package: pkg, Files: files, Info: info, Entry: entry})
	if err != nil {
		return err
	}
	if err := code.Run(context.Background()); err != nil {
		return err
	}
	_, err = os.Stdout.Write(printed.Bytes())
	return err
}
