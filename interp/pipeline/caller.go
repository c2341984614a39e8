package pipeline

import (
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/split"
)

// Caller returns code for the engine that only calls f, as a cell would. The run can be stopped,
// and a panic of f ends it. If where is not "", it is the place at which f recovers panics, such as
// engine.WhileShown.
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

// Uses returns the names, qualified names and keywords in the text of a function of the session,
// and in the functions of the session that it calls. Names of packages are the packages' own names,
// even if the cell renames them. It returns nil if the session does not have the text of the
// function.
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
		c.addNames(used, d.Cell, d.Cell.Slice(d.Start, d.End))
		if v, ok := d.Obj.(*types.Var); ok && !d.Cell.Trusted && callable(v.Type(), 0) {
			c.addMentions(used, d.Name)
		}
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

// callable reports whether code can be called through a variable of the type.
func callable(t types.Type, depth int) bool {
	if depth > 10 {
		return true
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.NumMethods() > 0 {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Signature, *types.Interface, *types.Chan:
		return true
	case *types.Pointer:
		return callable(t.Elem(), depth+1)
	case *types.Slice:
		return callable(t.Elem(), depth+1)
	case *types.Array:
		return callable(t.Elem(), depth+1)
	case *types.Map:
		return callable(t.Key(), depth+1) || callable(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if callable(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// addMentions adds the names in the cells that mention a variable through which code can be called,
// because one of those cells has set it.
func (c *Compiler) addMentions(used map[string]bool, variable string) {
	for _, src := range c.Scope.Sources() {
		if src.Trusted {
			continue
		}
		names := map[string]bool{}
		c.addNames(names, src, src.Text)
		if names[variable] {
			maps.Copy(used, names)
		}
	}
}

// packageName returns the name of a package for checks: the name from the path, or ml for the
// library and its subpackages.
func packageName(path string) string {
	if path == libraryPath || strings.HasPrefix(path, libraryPath+"/") {
		return "ml"
	}
	return rewrite.PackageName(path)
}

// addNames adds the names and keywords in a part of a cell's text, with the packages' own names.
func (c *Compiler) addNames(used map[string]bool, src *scope.Source, text string) {
	inner := ""
	if path, ok := src.Imports["."]; ok {
		inner = packageName(path)
	}
	addNames(used, text, inner, func(name string) string {
		path, ok := src.Imports[name]
		if !ok {
			path, ok = c.Scope.Imported(name)
		}
		if !ok {
			return name
		}
		return packageName(path)
	})
}

// addNames adds the names and keywords of Go text. Inner is the package whose names need no
// qualifier, or "" for none. Own returns the package name for a qualifier.
func addNames(used map[string]bool, text, inner string, own func(qualifier string) string) {
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
				if last != token.PERIOD {
					qualified = own(lit)
					used[qualified] = true
				}
				if inner != "" && last != token.PERIOD && token.IsExported(lit) {
					used[inner], used[inner+"."+lit] = true, true
				}
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

// Initializer returns code for the engine that initializes packages from source and all their
// imports.
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

// NoteChanges records packages that were loaded again, for the next cell.
func (c *Compiler) NoteChanges(changes []source.Change) { c.changes = append(c.changes, changes...) }
