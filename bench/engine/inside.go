package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"time"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// runSSA runs the program in this process as the cells of a session.
func runSSA(p program, calls int) measured {
	im, fset := symbols.NewImporter(), token.NewFileSet()
	e, err := ssa.New(ssa.Config{
		Value: func(path, name string) (reflect.Value, bool) {
			if t, ok := symbols.Lookup(path); ok {
				v, kind := t.Lookup(name)
				return v, kind == table.Func || kind == table.Var
			}
			return reflect.Value{}, false
		},
		Type: func(path, name string) reflect.Type {
			if t, ok := symbols.Lookup(path); ok {
				return t.TypeOf(name)
			}
			return nil
		},
	})
	if err != nil {
		return measured{err: err}
	}
	defer e.Close()
	f, err := parser.ParseFile(fset, "cell [1]", p.goSrc, parser.SkipObjectResolution)
	if err != nil {
		return measured{err: err}
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: im, GoVersion: "go1.26", Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg, err := conf.Check("main", fset, []*ast.File{f}, info)
	if err != nil {
		return measured{err: err}
	}
	code, err := e.Compile(&engine.Cell{Number: 1, Fset: fset, Package: pkg, Files: []*ast.File{f}, Info: info})
	if err != nil {
		return measured{err: err}
	}
	if err := code.Run(context.Background()); err != nil {
		return measured{err: err}
	}
	work, err := e.Func(pkg.Scope().Lookup("work").(*types.Func))
	if err != nil {
		return measured{err: err}
	}
	return timed(work.Interface().(func() any), calls)
}

// runYaegi runs the program in this process by yaegi alone.
func runYaegi(p program, calls int) (m measured) {
	defer func() {
		if r := recover(); r != nil {
			m.err = fmt.Errorf("panic: %v", r)
		}
	}()
	i := interp.New(interp.Options{})
	if err := i.Use(stdlib.Symbols); err != nil {
		return measured{err: err}
	}
	if _, err := i.Eval(p.goSrc); err != nil {
		return measured{err: err}
	}
	v, err := i.Eval("main.work")
	if err != nil {
		return measured{err: err}
	}
	return timed(v.Interface().(func() any), calls)
}

// timed calls work and takes the best time.
func timed(work func() any, calls int) (m measured) {
	defer func() {
		if r := recover(); r != nil {
			m.err = fmt.Errorf("panic: %v", r)
		}
	}()
	m.best = 1 << 62
	for range calls {
		start := time.Now()
		v := work()
		m.best = min(m.best, time.Since(start))
		m.result = fmt.Sprint(v)
	}
	return m
}
