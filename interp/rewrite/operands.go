package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
)

const mustPrefix = reserved + "must"

// IsMust reports whether the name is one of the functions that check the error of a call within an
// expression. An error there is reported at the call.
func IsMust(name string) bool {
	return strings.HasPrefix(strings.TrimPrefix(name, "main."), mustPrefix)
}

// operands checks the errors of calls within expressions. If only one value is allowed and f()
// returns one value and an error, f() becomes must(f()). Such an expression is not valid Go. The
// order of evaluation stays the same.
func (u *Unit) operands(r *check.Result) bool {
	changed := false
	inits := map[ast.Node]bool{}
	wrap := func(n ast.Node) {
		initStatements(n, inits)
		outsideLiterals(n, func(c *astutil.Cursor) {
			call, ok := c.Node().(*ast.CallExpr)
			if !ok {
				return
			}
			n := lacksOperand(r.Info, c.Parent(), call)
			if n == 0 && inits[c.Parent()] {
				n = lacksInit(r.Info, c.Parent().(*ast.AssignStmt), call)
			}
			if n > 0 {
				c.Replace(u.must(call, n))
				changed = true
			}
		})
	}
	if u.entry != nil {
		wrap(u.entry.Body)
	}
	for _, h := range u.hoists {
		wrap(h.spec)
	}
	return changed
}

// initStatements records the definitions and assignments in the headers of if, for and switch
// statements, which can't be followed by an error check.
func initStatements(n ast.Node, found map[ast.Node]bool) {
	note := func(s ast.Stmt) {
		if a, ok := s.(*ast.AssignStmt); ok {
			found[a] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			note(n.Init)
		case *ast.SwitchStmt:
			note(n.Init)
		case *ast.TypeSwitchStmt:
			note(n.Init)
		case *ast.ForStmt:
			note(n.Init)
			note(n.Post)
		}
		return true
	})
}

// lacksInit returns the number of names of such a statement if its single value is a call that also
// returns an error.
func lacksInit(info *types.Info, s *ast.AssignStmt, call *ast.CallExpr) int {
	if c, ok := lacksError(info, len(s.Lhs), s.Rhs); ok && c == call && (s.Tok == token.DEFINE || s.Tok == token.ASSIGN) {
		return len(s.Lhs)
	}
	return 0
}

// outsideLiterals calls f for the nodes below n, inner ones first. It skips function literals,
// because they can return errors themselves.
func outsideLiterals(n ast.Node, f func(*astutil.Cursor)) {
	depth := 0
	astutil.Apply(n, func(c *astutil.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncLit); ok {
			depth++
		}
		return true
	}, func(c *astutil.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncLit); ok {
			depth--
		} else if depth == 0 {
			f(c)
		}
		return true
	})
}

// lacksOperand returns the number of results before the error if the call is used where only these
// results are allowed. Otherwise it returns 0.
func lacksOperand(info *types.Info, parent ast.Node, call *ast.CallExpr) int {
	res := resultsOf(info, call)
	n := len(res) - 1
	if n < 1 || !isError(res[n]) {
		return 0
	}
	single := func(ok bool) int {
		if ok && n == 1 {
			return 1
		}
		return 0
	}
	switch p := parent.(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ReturnStmt, *ast.BlockStmt:
		return 0
	case *ast.ParenExpr:
		// The parent of (f()) determines which results are wanted; it is not known here.
		return 0
	case *ast.AssignStmt:
		return single(len(p.Rhs) > 1 || p.Tok != token.ASSIGN && p.Tok != token.DEFINE)
	case *ast.ValueSpec:
		return single(len(p.Values) > 1)
	case *ast.CallExpr:
		if p.Fun == call || len(p.Args) > 1 || p.Ellipsis.IsValid() {
			return single(true)
		}
		return lacksArgument(info, p, res)
	}
	return single(true)
}

// lacksArgument is like lacksOperand, for a call that is the only argument of another call. Go
// passes all results of such a call.
func lacksArgument(info *types.Info, outer *ast.CallExpr, res []types.Type) int {
	n := len(res) - 1
	if id, ok := ast.Unparen(outer.Fun).(*ast.Ident); ok && Reserved(id.Name) {
		return 0
	}
	if sel, ok := ast.Unparen(outer.Fun).(*ast.SelectorExpr); ok && isRuntime(sel) {
		return 0
	}
	tv := info.Types[outer.Fun]
	sig, ok := tv.Type.(*types.Signature)
	switch {
	case tv.IsType():
	case tv.IsBuiltin():
		id, _ := ast.Unparen(outer.Fun).(*ast.Ident)
		if id == nil || id.Name == "append" || id.Name == "print" || id.Name == "println" {
			return 0
		}
	case !ok:
		return 0
	case !sig.Variadic():
		if sig.Params().Len() == n {
			return n
		}
		return 0
	default:
		last := sig.Params().Len() - 1
		elem := sig.Params().At(last).Type().(*types.Slice).Elem()
		// The verbs take values: they show the existing values, never an error.
		if n >= last && (!types.AssignableTo(errorType, elem) || isVerb(callee(info, outer))) {
			return n
		}
		return 0
	}
	if n == 1 {
		return 1
	}
	return 0
}

// isVerb reports whether the function is one of the display functions that every cell has.
func isVerb(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	path := fn.Pkg().Path()
	return path == displayPath || path == displayPath+"/verbs"
}

const displayPath = "github.com/gokernel/gokernel/display"

// must wraps a call of n results and an error in a call of a function of the cell, which checks the
// error and returns the results. The new nodes have the position of the call.
func (u *Unit) must(call *ast.CallExpr, n int) ast.Expr {
	pos := call.Pos()
	name := u.fresh("must")
	fields := func() *ast.FieldList { return &ast.FieldList{Opening: pos, Closing: pos} }
	add := func(l *ast.FieldList, name string, t ast.Expr) {
		f := &ast.Field{Type: t}
		if name != "" {
			f.Names = []*ast.Ident{ident(name, pos)}
		}
		l.List = append(l.List, f)
	}
	params, results, typeParams := fields(), fields(), fields()
	ret := &ast.ReturnStmt{Return: pos}
	for i := range n {
		t, v := reserved+"T"+strconv.Itoa(i), reserved+"v"+strconv.Itoa(i)
		add(typeParams, t, u.predeclared("Any", pos))
		add(params, v, ident(t, pos))
		add(results, "", ident(t, pos))
		ret.Results = append(ret.Results, ident(v, pos))
	}
	err := reserved + "err"
	add(params, err, u.predeclared("Error", pos))
	check := &ast.ExprStmt{X: u.runtimeCall(pos, "Check", ident(err, pos))}
	u.File.Decls = append(u.File.Decls, &ast.FuncDecl{
		Name: ident(name, pos),
		Type: &ast.FuncType{Func: pos, TypeParams: typeParams, Params: params, Results: results},
		Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{check, ret}, Rbrace: pos},
	})
	return &ast.CallExpr{Fun: ident(name, pos), Lparen: pos, Args: []ast.Expr{call}, Rparen: call.End() - 1}
}
