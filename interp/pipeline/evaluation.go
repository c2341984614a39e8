package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"sync"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
)

// Evaluation is an expression or an assignment in the scope of a function that a debugger has
// stopped. Because it accesses the variables through pointers, it can run again for other variables
// with the same names and types.
type Evaluation struct {
	c          *Compiler
	code       engine.Code
	pkg, frame *types.Package
	pointers   map[string]*types.Var // pointers to the variables that it mentions, by name

	mu sync.Mutex // held while the pointers are set for a run
}

// Names that an evaluation declares.
const (
	evaluatedName  = "ǃvalue"
	evaluationName = "ǃevaluate"
	pointerPrefix  = "ǃ"
)

// Evaluation compiles an expression or an assignment as part of a run.
func (c *Compiler) Evaluation(run int, text string, locals []engine.Local) (*Evaluation, error) {
	head := "package main; "
	src := head + "var " + evaluatedName + " = " + text
	if _, err := parser.ParseExpr(text); err != nil {
		src = head + "func " + evaluationName + "() { " + text + " }"
	}
	file, err := parser.ParseFile(c.Fset, "debugger", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, errors.New("this is neither an expression nor an assignment: " + text)
	}
	e := &Evaluation{c: c, frame: types.NewPackage("main", "main"), pointers: map[string]*types.Var{}}
	for _, l := range locals {
		e.frame.Scope().Insert(types.NewVar(token.NoPos, e.frame, l.Name, l.Type))
	}
	visible := func(name string) types.Object {
		if o := e.frame.Scope().Lookup(name); o != nil {
			return o
		}
		return c.Scope.Visible(name)
	}
	c.importInto(file, visible)
	checker := &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: visible}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) == 0 && e.reachByPointers(file, r.Info) {
		r = checker.Check([]*ast.File{file})
	}
	if len(r.Errors) > 0 {
		return nil, errors.New(r.Errors[0].Msg)
	}
	e.pkg = r.Package
	cell := &engine.Cell{Number: run, Fset: c.Fset, Package: r.Package, Files: []*ast.File{file}, Info: r.Info, Evaluated: true}
	cell.Entry, _ = r.Package.Scope().Lookup(evaluationName).(*types.Func)
	if e.code, err = c.Engine.Compile(cell); err != nil {
		return nil, err
	}
	return e, nil
}

// reachByPointers replaces the frame's variables in the file by pointers, and reports whether there
// are any.
func (e *Evaluation) reachByPointers(file *ast.File, info *types.Info) bool {
	scope := e.frame.Scope()
	astutil.Apply(file, func(at *astutil.Cursor) bool {
		id, ok := at.Node().(*ast.Ident)
		if !ok {
			return true
		}
		if v, ok := info.Uses[id].(*types.Var); ok && v.Pkg() == e.frame && v.Parent() == scope {
			p := e.pointers[v.Name()]
			if p == nil {
				p = types.NewVar(token.NoPos, e.frame, pointerPrefix+v.Name(), types.NewPointer(v.Type()))
				scope.Insert(p)
				e.pointers[v.Name()] = p
			}
			at.Replace(&ast.ParenExpr{Lparen: id.Pos(), X: &ast.StarExpr{Star: id.Pos(), X: &ast.Ident{NamePos: id.Pos(), Name: p.Name()}}, Rparen: id.Pos()})
		}
		return false
	}, nil)
	return len(e.pointers) > 0
}

// importInto adds missing imports to a file.
func (c *Compiler) importInto(file *ast.File, visible func(string) types.Object) {
	seen := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok || seen[id.Name] || visible(id.Name) != nil {
			return true
		}
		seen[id.Name] = true
		path, ok := c.Scope.ImportPath(id.Name, []string{sel.Sel.Name})
		if !ok {
			return true
		}
		spec := &ast.ImportSpec{Name: ast.NewIdent(id.Name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
		file.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}}}, file.Decls...)
		file.Imports = append(file.Imports, spec)
		return true
	})
}

// Run evaluates the expression with variables of the names and types for which it was compiled. For
// an assignment it returns the zero Value.
func (e *Evaluation) Run(ctx context.Context, locals []engine.Local) (reflect.Value, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, l := range locals {
		if p := e.pointers[l.Name]; p != nil {
			v, err := e.c.Engine.Var(p)
			if err != nil {
				return reflect.Value{}, err
			}
			v.Set(reflect.NewAt(v.Type().Elem(), l.Value.Addr().UnsafePointer()))
		}
	}
	if err := e.code.Run(ctx); err != nil {
		return reflect.Value{}, err
	}
	v, ok := e.pkg.Scope().Lookup(evaluatedName).(*types.Var)
	if !ok {
		return reflect.Value{}, nil
	}
	place, err := e.c.Engine.Var(v)
	if err != nil {
		return reflect.Value{}, err
	}
	value := reflect.New(place.Type()).Elem() // the next run reuses the variable
	value.Set(place)
	return value, nil
}

// Close releases the code of the evaluation. The caller holds the lock of the compiler's session.
func (e *Evaluation) Close() {
	f, ok := e.c.Engine.(engine.Forgetter)
	if !ok {
		return
	}
	f.Forget(e.pkg)
	f.Forget(e.frame)
}

// CopyLocal copies a function's variable to a variable of the session. If a variable with the same
// name and type exists, CopyLocal sets it; otherwise it declares one.
func (c *Compiler) CopyLocal(l engine.Local, name string, cell *scope.Source) error {
	if !token.IsIdentifier(name) || name == "_" || rewrite.Reserved(name) {
		return fmt.Errorf("%q is not a name for a variable", name)
	}
	var v *types.Var
	if d := c.Scope.Lookup(name); d != nil {
		old, ok := d.Obj.(*types.Var)
		if !ok || !types.Identical(old.Type(), l.Type) {
			return fmt.Errorf("%s is already declared in a cell, with another type: %s", name, scope.TypeString(d.Obj.Type()))
		}
		v = old
	}
	declared := v != nil
	if !declared {
		pkg := check.NewPackage()
		v = types.NewVar(token.NoPos, pkg, name, l.Type)
		pkg.Scope().Insert(v)
	}
	place, err := c.Engine.Var(v)
	if err != nil {
		return err
	}
	place.Set(reflect.NewAt(place.Type(), l.Value.Addr().UnsafePointer()).Elem())
	if !declared {
		c.Scope.Declare(name, &scope.Declaration{Name: name, Obj: v, Cell: cell, Start: cell.Base, End: cell.Base})
	}
	return nil
}
