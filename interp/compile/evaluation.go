package compile

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strconv"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
)

// Evaluation is an expression, or an assignment, among the variables of a function that a
// debugger has stopped.
type Evaluation struct {
	c    *Compiler
	code engine.Code
	pkg  *types.Package
}

// What an evaluation declares.
const (
	evaluatedName  = "ǃvalue"
	evaluationName = "ǃevaluate"
)

// Evaluation compiles an expression or an assignment, which belongs to a run.
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
	frame := types.NewPackage("main", "main")
	bound := map[*types.Var]reflect.Value{}
	for _, l := range locals {
		v := types.NewVar(token.NoPos, frame, l.Name, l.Type)
		if frame.Scope().Insert(v) == nil {
			bound[v] = l.Value
		}
	}
	visible := func(name string) types.Object {
		if o := frame.Scope().Lookup(name); o != nil {
			return o
		}
		return c.Scope.Visible(name)
	}
	c.importInto(file, visible)
	checker := &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: visible}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) > 0 {
		return nil, errors.New(r.Errors[0].Msg)
	}
	cell := &engine.Cell{
		Number: run, Fset: c.Fset, Package: r.Package, Files: []*ast.File{file}, Info: r.Info, Evaluated: true, Bound: bound,
	}
	cell.Entry, _ = r.Package.Scope().Lookup(evaluationName).(*types.Func)
	code, err := c.Engine.Compile(cell)
	if err != nil {
		return nil, err
	}
	return &Evaluation{c, code, r.Package}, nil
}

// importInto adds the imports that a file needs.
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

// Run evaluates; it gives the zero Value for an assignment.
func (e *Evaluation) Run(ctx context.Context) (reflect.Value, error) {
	if err := e.code.Run(ctx); err != nil {
		return reflect.Value{}, err
	}
	v, ok := e.pkg.Scope().Lookup(evaluatedName).(*types.Var)
	if !ok {
		return reflect.Value{}, nil
	}
	return e.c.Engine.Var(v)
}
