package ssa

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// The form of a cell that a debugger can stop is built from a copy of the cell's syntax. In the
// copy, a call of a synthetic function precedes each statement. Such a call is called a stop here.
// Its argument is the number of the statement's site.

// stopPackage is the package of the synthetic function.
var stopPackage = types.NewPackage("stop", "stop")

// stopFunc is the synthetic function, which is called before each statement.
var stopFunc = types.NewFunc(token.NoPos, stopPackage, "ǃstop", types.NewSignatureType(nil, nil, nil,
	types.NewTuple(types.NewParam(token.NoPos, stopPackage, "site", types.Typ[types.Int])), nil, false))

func init() { stopPackage.Scope().Insert(stopFunc) }

// copier copies syntax with its type information.
type copier struct{ copies map[any]any }

// instrument returns a copy of files with a stop before each statement.
func instrument(fset *token.FileSet, files []*ast.File, info *types.Info) ([]*ast.File, *types.Info, *machine.Form) {
	c := &copier{copies: map[any]any{}}
	var copied []*ast.File
	for _, f := range files {
		copied = append(copied, c.copy(reflect.ValueOf(f)).Interface().(*ast.File))
	}
	own := c.info(info)
	in := &instrumenter{info: own, form: &machine.Form{Fset: fset, Vars: map[token.Pos][]*types.Var{}}}
	for _, f := range copied {
		in.file(f)
	}
	note := func(o types.Object) {
		if v, ok := o.(*types.Var); ok && v.Pos().IsValid() && !v.IsField() {
			in.form.Vars[v.Pos()] = append(in.form.Vars[v.Pos()], v)
		}
	}
	for _, o := range info.Defs {
		note(o)
	}
	for _, o := range info.Implicits {
		note(o)
	}
	return copied, own, in.form
}

// copy copies a node and shares everything that is not syntax.
func (c *copier) copy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return c.copy(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(c.copy(v.Index(i)))
		}
		return list
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return v
		}
		n, ok := v.Interface().(ast.Node)
		if _, comments := n.(*ast.CommentGroup); !ok || comments {
			return v
		}
		if p, ok := c.copies[v.Interface()]; ok {
			return reflect.ValueOf(p)
		}
		to := reflect.New(v.Type().Elem())
		c.copies[v.Interface()] = to.Interface()
		for i := range v.Elem().NumField() {
			to.Elem().Field(i).Set(c.copy(v.Elem().Field(i)))
		}
		return to
	}
	return v
}

// info returns the type information of the copies.
func (c *copier) info(of *types.Info) *types.Info {
	own := &types.Info{
		Types: rekeyed(c, of.Types), Instances: rekeyed(c, of.Instances), Defs: rekeyed(c, of.Defs),
		Uses: rekeyed(c, of.Uses), Implicits: rekeyed(c, of.Implicits), Selections: rekeyed(c, of.Selections),
		Scopes: rekeyed(c, of.Scopes), FileVersions: rekeyed(c, of.FileVersions),
	}
	for _, init := range of.InitOrder {
		rhs := init.Rhs
		if e, ok := c.copies[rhs]; ok {
			rhs = e.(ast.Expr)
		} else {
			own.Types[rhs] = of.Types[rhs] // the initializer's expression is in no file
		}
		own.InitOrder = append(own.InitOrder, &types.Initializer{Lhs: init.Lhs, Rhs: rhs})
	}
	return own
}

func rekeyed[K interface {
	comparable
	ast.Node
}, V any](c *copier, of map[K]V) map[K]V {
	own := make(map[K]V, len(of))
	for k, v := range of {
		if n, ok := c.copies[k]; ok {
			own[n.(K)] = v
		}
	}
	return own
}

// instrumenter puts stops into syntax.
type instrumenter struct {
	info      *types.Info
	form      *machine.Form
	functions int // number of functions visited
	function  int // index of the function with the stops
}

// file puts stops into a file.
func (in *instrumenter) file(f *ast.File) {
	type node struct {
		ast.Node
		function int
	}
	var nodes []node // the nodes before any stop is added
	stack := []int{0}
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		function := stack[len(stack)-1]
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			in.functions++
			function = in.functions
		}
		stack = append(stack, function)
		nodes = append(nodes, node{n, function})
		return true
	})
	for _, n := range nodes {
		in.function = n.function
		switch n := n.Node.(type) {
		case *ast.FuncDecl:
			in.end(n.Type, n.Body)
		case *ast.FuncLit:
			in.end(n.Type, n.Body)
		case *ast.BlockStmt:
			n.List = in.list(n.List)
		case *ast.CaseClause:
			n.Body = in.list(n.Body)
		case *ast.CommClause:
			n.Body = in.list(n.Body)
		case *ast.ForStmt:
			if n.Post != nil && n.For.IsValid() {
				n.Post = &ast.BlockStmt{List: []ast.Stmt{in.stop(n.For, n.Post.Pos()), n.Post}}
			}
		case *ast.IfStmt:
			if other, ok := n.Else.(*ast.IfStmt); ok && other.If.IsValid() {
				n.Else = &ast.BlockStmt{List: []ast.Stmt{in.stop(other.If, other.If), other}}
			}
		}
	}
}

// end adds a stop at the closing brace of a function without results.
func (in *instrumenter) end(t *ast.FuncType, body *ast.BlockStmt) {
	if !engine.EndsWithStop(t, body) {
		return
	}
	body.List = append(body.List, in.stop(body.Rbrace, body.Rbrace))
}

// list puts stops before statements.
func (in *instrumenter) list(list []ast.Stmt) []ast.Stmt {
	var all []ast.Stmt
	for _, s := range list {
		if engine.Stoppable(s) && !in.isStop(s) {
			all = append(all, in.stop(s.Pos(), s.Pos()))
		}
		all = append(all, s)
	}
	return all
}

// stop returns the stop for the statement at pos. While code is stopped there, the debugger looks
// up names in the scope at the second position.
func (in *instrumenter) stop(pos, scope token.Pos) ast.Stmt {
	in.form.Sites = append(in.form.Sites, &machine.Site{Pos: pos, Scope: scope, Index: len(in.form.Sites), Function: in.function})
	fun, number := ast.NewIdent(stopFunc.Name()), &ast.BasicLit{Kind: token.INT}
	call := &ast.CallExpr{Fun: fun, Lparen: pos, Args: []ast.Expr{number}}
	in.info.Uses[fun] = stopFunc
	in.info.Types[number] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(int64(len(in.form.Sites) - 1))}
	in.info.Types[call] = types.TypeAndValue{Type: types.NewTuple()}
	return &ast.ExprStmt{X: call}
}

// isStop reports whether a statement is a stop.
func (in *instrumenter) isStop(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun, ok := call.Fun.(*ast.Ident)
	return ok && in.info.Uses[fun] == stopFunc
}
