package pipeline

import (
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/split"
)

// Caller makes a run of the engine's that calls f and nothing else, as if a cell did: it
// can be stopped, and what f does wrong ends the run. Where tells what f recovers panics for,
// as engine.WhileShown; it may be "".
func (c *Compiler) Caller(run int, where string, f func()) (engine.Code, error) {
	if e, ok := c.Engine.(engine.Caller); ok {
		return e.Caller(run, where, f), nil
	}
	const text = "main"
	at := token.Pos(split.Reserve(c.Fset, "call", text).Base())
	name := func(s string) *ast.Ident { return &ast.Ident{Name: s, NamePos: at} }
	signature := func() *ast.FuncType { return &ast.FuncType{Func: at, Params: &ast.FieldList{}} }
	file := &ast.File{Package: at, Name: name("main"), FileStart: at, FileEnd: at, Decls: []ast.Decl{
		&ast.GenDecl{TokPos: at, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{name(rewrite.CalledName)}, Type: signature()}}},
		&ast.FuncDecl{Name: name(rewrite.EntryName), Type: signature(), Body: &ast.BlockStmt{Lbrace: at, Rbrace: at, List: []ast.Stmt{
			&ast.ExprStmt{X: &ast.CallExpr{Fun: name(rewrite.CalledName), Lparen: at, Rparen: at}},
		}}},
	}}
	checker := &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: func(string) types.Object { return nil }}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) > 0 {
		return nil, errors.New(r.Errors[0].Msg)
	}
	members := r.Package.Scope()
	entry, _ := members.Lookup(rewrite.EntryName).(*types.Func)
	called := members.Lookup(rewrite.CalledName)
	code, err := c.Engine.Compile(&engine.Cell{
		Number: run, Fset: c.Fset, Package: r.Package, Files: []*ast.File{file}, Info: r.Info, Entry: entry,
		Preset: map[types.Object]bool{called: true},
	})
	if err != nil {
		return nil, err
	}
	v, err := c.engineVar(called)
	if err != nil {
		return nil, err
	}
	v.Set(reflect.ValueOf(f))
	return code, nil
}

// Uses returns the names, qualified names and keywords in the text of a function of the
// session, and in those of the session's functions that it calls. It is nil when the
// session has no such text.
func (c *Compiler) Uses(function string) map[string]bool {
	d := c.Scope.Lookup(function)
	if d == nil || d.Start == 0 {
		return nil
	}
	used := map[string]bool{}
	seen := map[*scope.Declaration]bool{}
	var look func(d *scope.Declaration)
	look = func(d *scope.Declaration) {
		if d == nil || seen[d] || d.Start == 0 {
			return
		}
		seen[d] = true
		addNames(used, d.Cell.Slice(d.Start, d.End))
		for _, m := range d.Methods {
			look(m)
		}
		for _, o := range d.Uses {
			look(c.Scope.Lookup(o.Name()))
		}
	}
	look(d)
	return used
}

// addNames adds the names and keywords of a text in Go.
func addNames(used map[string]bool, text string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), nil, 0)
	qualified, last := "", token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.IDENT:
			used[lit] = true
			if last == token.PERIOD && qualified != "" {
				qualified += "." + lit
				used[qualified] = true
			} else {
				qualified = lit
			}
		case tok.IsKeyword():
			used[tok.String()] = true
			qualified = ""
		case tok != token.PERIOD:
			qualified = ""
		}
		last = tok
	}
}

// Initializer makes a run of the engine's that initializes packages from source, with all
// that they import.
func (c *Compiler) Initializer(run int, packages []*source.Package) (engine.Code, error) {
	at := token.Pos(split.Reserve(c.Fset, "packages", "main").Base())
	file := &ast.File{Package: at, Name: &ast.Ident{Name: "main", NamePos: at}, FileStart: at, FileEnd: at}
	checker := &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: func(string) types.Object { return nil }}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) > 0 {
		return nil, errors.New(r.Errors[0].Msg)
	}
	cell := &engine.Cell{Number: run, Fset: c.Fset, Package: r.Package, Files: []*ast.File{file}, Info: r.Info}
	for _, p := range source.Closure(packages...) {
		cell.Packages = append(cell.Packages, &p.Package)
	}
	return c.Engine.Compile(cell)
}

// NoteChanges lets the next cell know of packages that were loaded again.
func (c *Compiler) NoteChanges(changes []source.Change) { c.changes = append(c.changes, changes...) }
