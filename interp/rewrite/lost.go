package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
)

// Methods of frames and columns return new frames and columns. A statement can therefore change or
// create a frame or column to which no variable refers. Such a statement is valid Go, but has no
// effect.

// facadePath is the import path of the library in cells.
const facadePath = "github.com/gokernel/gokernel/mlstd"

// refuseUnnamed rejects an assignment to a column of a frame that a call returns, and reports
// whether the statement is one.
func (v *vectorizer) refuseUnnamed(s ast.Stmt, col *ast.CallExpr, value string, op token.Token) bool {
	call, ok := ast.Unparen(col.Fun.(*ast.SelectorExpr).X).(*ast.CallExpr)
	if !ok {
		return false
	}
	name := v.text(col.Args[0])
	if op != token.ILLEGAL {
		value = "... " + op.String() + " " + value
	}
	v.u.refuse(s, v.lostIn(call), v.named(call, name, value, op))
	return true
}

// lostIn explains why a change to the result of a call is lost.
func (v *vectorizer) lostIn(call *ast.CallExpr) string {
	what := v.text(call.Fun)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && makesFrame(v.info, call) {
		return "the assignment is lost: " + sel.Sel.Name + " makes a new frame, which has no name here"
	}
	return "the assignment could be lost: the frame that " + what + " returns has no name here"
}

// named explains how to assign a column of a frame that a call returns.
func (v *vectorizer) named(call *ast.CallExpr, name, value string, op token.Token) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && sel.Sel.Name == "Where" && len(call.Args) == 1 && makesFrame(v.info, call) {
		if _, chained := ast.Unparen(sel.X).(*ast.CallExpr); !chained {
			col := v.text(sel.X) + "[" + name + "]"
			if op != token.ILLEGAL {
				value = col + strings.TrimPrefix(value, "...")
			}
			return col + ".Set(" + v.text(call.Args[0]) + ", " + value + ") changes the rows of the mask"
		}
	}
	return "give the frame a name first: g := " + v.text(call) + ", then assign to g[" + name + "]"
}

// setRows returns the statement for f["x"].Set(mask, value), which changes f, or nil for others.
func (v *vectorizer) setRows(s *ast.ExprStmt) ast.Stmt {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Set" {
		return nil
	}
	col, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok || !v.columnOf[col] {
		return nil
	}
	f := col.Fun.(*ast.SelectorExpr).X
	if of, ok := ast.Unparen(f).(*ast.CallExpr); ok {
		v.u.refuse(s, v.lostIn(of), "give the frame a name first: g := "+v.text(of)+", then g["+v.text(col.Args[0])+"].Set(...) changes it")
		return nil
	}
	if v.u.last == s {
		v.u.last = nil
	}
	return &ast.ExprStmt{X: v.method(s, f, call.Lparen, "SetWhere", other, col.Args[0], call.Args[0], call.Args[1])}
}

// lost rejects statements that change or create a frame or column that no variable refers to. It
// changes nothing.
func (u *Unit) lost(r *check.Result) bool {
	if len(r.Errors) > 0 {
		return false // report errors of the type check first
	}
	l := &losses{u: u, info: r.Info}
	ast.Inspect(u.File, l.visit)
	return false
}

type losses struct {
	u    *Unit
	info *types.Info
}

func (l *losses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if !l.u.done[n] {
			l.statement(n)
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, x := range n.Lhs {
				l.copied(n, x)
			}
		}
	case *ast.IncDecStmt:
		l.copied(n, n.X)
	case *ast.RangeStmt:
		l.ranged(n)
	}
	return true
}

// statement rejects a call that only creates a frame or column, or that changes the result of
// another call.
func (l *losses) statement(s *ast.ExprStmt) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn := callee(l.info, call)
	if ofFrames(fn) && fn.Signature().Recv() != nil && (fn.Name() == "Set" || fn.Name() == "SetWhere") && fn.Signature().Results().Len() == 0 {
		if of, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok && makesFrame(l.info, of) {
			l.u.refuse(s, "the assignment is lost: "+callee(l.info, of).Name()+" makes a new frame, which has no name here", "give the frame a name first: g := ..., then g."+fn.Name())
		}
		return
	}
	if s == l.u.last || !makesFrame(l.info, call) || runsFunction(l.info, call) {
		return
	}
	what := l.written(call)
	if what == "" || len(what) > 60 {
		what = "..." + fn.Name() + "(...)"
	}
	makes := "a new " + resultName(fn) + ", which is then lost"
	hint := "Show(" + what + ") shows it"
	switch of := ast.Unparen(sel.X); {
	case types.Identical(l.info.TypeOf(of), fn.Signature().Results().At(0).Type()) && l.written(of) != "" && l.assignable(of):
		hint = l.written(of) + " = " + what + " keeps it, " + hint
	default:
		hint = "name := " + what + " keeps it, " + hint
	}
	l.u.refuse(s, fn.Name()+" returns "+makes, hint)
}

// assignable reports whether the expression is a variable, or f["x"] after rewriting.
func (l *losses) assignable(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		_, ok = e.(*ast.Ident)
		return ok
	}
	return strings.HasSuffix(l.written(call), "]")
}

// written returns the text of the expression in the cell, or "" if a rewrite created it.
func (l *losses) written(e ast.Expr) string {
	c := l.u.Cell
	start, end := int(e.Pos()-c.Base), int(e.End()-c.Base)
	if start < 0 || end > len(c.Src) || start >= end {
		return ""
	}
	return strings.Join(strings.Fields(c.Src[start:end]), " ")
}

// copied rejects an assignment to an element of a slice that a frame or column created for the
// caller.
func (l *losses) copied(s ast.Stmt, x ast.Expr) {
	inside := false
	for {
		switch e := x.(type) {
		case *ast.ParenExpr:
			x = e.X
			continue
		case *ast.IndexExpr:
			x, inside = e.X, true
			continue
		case *ast.SliceExpr:
			x = e.X
			continue
		}
		break
	}
	call, ok := x.(*ast.CallExpr)
	if !ok || !inside {
		return
	}
	fn := callee(l.info, call)
	if !ofFrames(fn) || fn.Signature().Recv() == nil {
		return
	}
	if _, ok := l.info.TypeOf(call).Underlying().(*types.Slice); !ok {
		return
	}
	hint := `f["x"].Set(i, value) changes row i of a column, f["x"].Set(mask, value) those of a mask`
	switch fn.Name() {
	case "Names":
		hint = `f.Rename("old", "new") returns the frame with other names`
	case "Columns":
		hint = `f["x"] = value replaces a column`
	}
	l.u.refuse(s, "the assignment is lost: "+fn.Name()+" returns a copy", hint+"; v := "+l.written(call)+" keeps the copy")
}

// ranged rejects changes to a copy of a frame's row if nothing reads the copy afterwards.
func (l *losses) ranged(s *ast.RangeStmt) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	fn := callee(l.info, callOf(call))
	if !ok || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != facadePath && fn.Pkg().Path() != FramePath || fn.Name() != "RowsOf" && fn.Name() != "Rows" {
		return
	}
	row, ok := s.Value.(*ast.Ident)
	if fn.Name() == "Rows" {
		row, ok = s.Key.(*ast.Ident)
	}
	if !ok || l.info.Defs[row] == nil {
		return
	}
	v := l.info.Defs[row]
	var assigned ast.Stmt
	var changed []ast.Node
	read := token.NoPos // the last position at which the row is read
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id := l.field(x, v); id != nil {
					assigned, changed = n, append(changed, id)
				}
			}
		case *ast.IncDecStmt:
			if id := l.field(n.X, v); id != nil {
				assigned, changed = n, append(changed, id)
			}
		case *ast.FuncLit:
			if uses(l.info, n, v) {
				read = s.End() // the function literal may run at any time
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && uses(l.info, n.X, v) {
				read = s.End()
			}
		case *ast.Ident:
			if l.info.Uses[n] == v && !contains(changed, n) {
				read = max(read, n.Pos())
			}
		}
		return true
	})
	if assigned != nil && read < assigned.End() {
		l.u.refuse(assigned, "the assignment is lost: "+row.Name+" is a copy of the row",
			`f["x"] = ... and f["x"].Set(mask, value) change a column of the frame; rows := `+l.written(call)+", then rows[i] can be changed")
	}
}

// field returns the identifier of variable v if x is a field of v, or nil for others.
func (l *losses) field(x ast.Expr, v types.Object) *ast.Ident {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	switch of := ast.Unparen(sel.X).(type) {
	case *ast.Ident:
		if l.info.Uses[of] == v {
			return of
		}
	case *ast.SelectorExpr:
		return l.field(of, v)
	}
	return nil
}

func contains(list []ast.Node, n ast.Node) bool {
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}

// uses reports whether the variable is mentioned within n.
func uses(info *types.Info, n ast.Node, v types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// callOf returns the call, or an empty call if it is nil.
func callOf(call *ast.CallExpr) *ast.CallExpr {
	if call == nil {
		return &ast.CallExpr{Fun: ident("_", token.NoPos)}
	}
	return call
}

// ofFrames reports whether the function is one of package frame.
func ofFrames(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == FramePath
}

// makesFrame reports whether the call is a call of a library function whose only result is a frame,
// a column, or groups or a window of these. Such results are always new.
func makesFrame(info *types.Info, call *ast.CallExpr) bool {
	fn := callee(info, call)
	if !ofFrames(fn) && !(fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == facadePath) {
		return false
	}
	return fn.Signature().Results().Len() == 1 && resultName(fn) != ""
}

// resultName returns the name of the type of package frame that a function returns, or "" for
// anything else.
func resultName(fn *types.Func) string {
	p, ok := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Pointer)
	if !ok {
		return ""
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != FramePath {
		return ""
	}
	switch n.Obj().Name() {
	case "Frame", "Column", "Window":
		return strings.ToLower(n.Obj().Name())
	case "Groups":
		return "grouping"
	}
	return ""
}

// runsFunction reports whether an argument of the call is a function, which can have other effects
// than creating the result.
func runsFunction(info *types.Info, call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if t := info.TypeOf(arg); t != nil {
			if _, ok := t.Underlying().(*types.Signature); ok {
				return true
			}
		}
	}
	return false
}
