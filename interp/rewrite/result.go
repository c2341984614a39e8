package rewrite

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
)

// keepValue prepares the last expression before the first check: an expression that is not a call
// has one value, which is assigned to a variable.
func (u *Unit) keepValue() {
	e := u.last
	if e == nil {
		return
	}
	if len(u.Cell.Values) > 0 {
		u.keepValues(u.Cell.Values)
		return
	}
	x := ast.Unparen(e.X)
	if _, ok := x.(*ast.CallExpr); ok {
		return
	}
	u.keepIn(resultPrefix, e)
	u.last = nil
}

// keepValues assigns to variables the values of a last statement that lists several values.
func (u *Unit) keepValues(list []*ast.ExprStmt) {
	for i, e := range list {
		u.keepIn(resultPrefix+strconv.Itoa(i), e)
	}
	u.last = nil
}

// keepIn assigns the value of a statement to a variable.
func (u *Unit) keepIn(name string, e *ast.ExprStmt) {
	spec := &ast.ValueSpec{Names: []*ast.Ident{ident(name, e.Pos())}, Values: []ast.Expr{e.X}}
	if id, ok := ast.Unparen(e.X).(*ast.Ident); ok && id.Name == "nil" {
		spec.Type = u.predeclared("Any", e.Pos())
	}
	u.Results = append(u.Results, name)
	u.replaceStmt(e, u.addHoist(spec, e.End()))
}

// result assigns to variables the values of a call that ends the cell, once the type of the call is
// known.
func (u *Unit) result(r *check.Result) bool {
	if u.last == nil {
		return false
	}
	call, ok := ast.Unparen(u.last.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	types := resultsOf(r.Info, call)
	if len(types) == 0 || quiet(r.Info, call) {
		return false
	}
	failing := isError(types[len(types)-1]) && !makesError(callee(r.Info, call))
	if failing && len(types) == 1 {
		return false // unchecked handles it
	}
	spec := &ast.ValueSpec{Values: []ast.Expr{u.last.X}}
	for i := range types {
		name := resultPrefix + strconv.Itoa(i)
		spec.Names = append(spec.Names, ident(name, call.Pos()))
		if !failing || i < len(types)-1 {
			u.Results = append(u.Results, name)
		}
	}
	block := u.addHoist(spec, u.last.End())
	if failing {
		u.checkFirst(block, spec.Names[len(types)-1].Name, call)
	}
	u.replaceStmt(u.last, block)
	u.last = nil
	return true
}

// checkFirst inserts the check of the error variable at the start of block. Its position is the
// position of the call that returned the error.
func (u *Unit) checkFirst(block *ast.BlockStmt, name string, call ast.Expr) {
	check := &ast.ExprStmt{X: u.runtimeCall(call.Pos(), "Check", ident(name, call.Pos()))}
	u.done[check] = true
	block.List = append([]ast.Stmt{check}, block.List...)
}

func isError(t types.Type) bool { return types.Identical(t, errorType) }

// callee returns the called function or method, if it is known.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		if s, ok := f.X.(*ast.SelectorExpr); ok {
			id = s.Sel
		} else {
			id, _ = f.X.(*ast.Ident)
		}
	}
	if id == nil {
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}

// quiet reports whether a call is made for its effect and not for its results: printing, scanning,
// writing.
func quiet(info *types.Info, call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			return b.Name() == "copy" || b.Name() == "recover"
		}
	}
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	name := fn.Name()
	if fn.Signature().Recv() != nil {
		return strings.HasPrefix(name, "Write") && intAndError(fn)
	}
	switch fn.Pkg().Path() {
	case "fmt":
		return printing(fn) || strings.HasPrefix(name, "Scan") || strings.HasPrefix(name, "Fscan") || strings.HasPrefix(name, "Sscan")
	case "io":
		return name == "WriteString"
	}
	return false
}

// makesError reports whether the function is called for the error that it creates.
func makesError(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	return fn.Pkg().Path() == "errors" || fn.Pkg().Path() == "fmt" && fn.Name() == "Errorf"
}

// printing reports whether the function is an fmt function whose errors are usually ignored.
func printing(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" && fn.Signature().Recv() == nil &&
		(strings.HasPrefix(fn.Name(), "Print") || strings.HasPrefix(fn.Name(), "Fprint"))
}

func intAndError(fn *types.Func) bool {
	res := fn.Signature().Results()
	return res.Len() == 2 && types.Identical(res.At(0).Type(), types.Typ[types.Int]) && isError(res.At(1).Type())
}

// isRuntimeCall reports whether the statement was generated for a magic.
func isRuntimeCall(e *ast.ExprStmt) bool {
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == runtimeName
}
