package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// FramePath is the import path of the package of frames. Cells index frames by column names.
const FramePath = "github.com/gokernel/gokernel/mlstd/frame"

// LazyPath is the import path of the package of lazy frames, which have the same syntax.
const LazyPath = FramePath + "/lazy"

// frameKind returns the kind of frames and columns, or other for other types.
func frameKind(t types.Type) kind {
	p, isPointer := types.Unalias(t).(*types.Pointer)
	if isPointer {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != FramePath && n.Obj().Pkg().Path() != LazyPath {
		return other
	}
	switch {
	case n.Obj().Name() == "Frame":
		return frame
	case n.Obj().Name() == "Column" && isPointer:
		return column
	}
	return other
}

// IsFrame reports whether the type is a frame with rows in memory.
func IsFrame(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && frameKind(t) == frame && n.Obj().Pkg().Path() == FramePath
}

// columnMethods contains the methods of columns that implement operators, with the column on the
// left and on the right.
var columnMethods = map[token.Token][2]string{
	token.ADD: {"Plus", "Rplus"}, token.SUB: {"Minus", "Rminus"}, token.MUL: {"Times", "Times"},
	token.QUO: {"Over", "Rover"}, token.REM: {"Mod", "Rmod"},
	token.LSS: {"Less", "Greater"}, token.LEQ: {"LessEqual", "GreaterEqual"},
	token.GTR: {"Greater", "Less"}, token.GEQ: {"GreaterEqual", "LessEqual"},
	token.EQL: {"Equal", "Equal"}, token.NEQ: {"NotEqual", "NotEqual"},
	token.LAND: {"And", "And"}, token.LOR: {"Or", "Or"},
}

// columnKind returns the kind of an operation on columns, or other if the operation is plain Go:
// columns are pointers, which Go can compare.
func (k *kinds) columnKind(e *ast.BinaryExpr) kind {
	if _, ok := columnMethods[e.Op]; !ok || k.isNil(e.X) || k.isNil(e.Y) || k.settled(e) {
		return other
	}
	return column
}

// settled reports whether go/types has accepted an operation on columns.
func (k *kinds) settled(e *ast.BinaryExpr) bool {
	if e.Op != token.EQL && e.Op != token.NEQ || !k.valid(e) {
		return false
	}
	for _, x := range []ast.Expr{e.X, e.Y} {
		if k.of(x) == column && !(k.valid(x) && kindOf(k.info.TypeOf(x)) == column) {
			return false
		}
	}
	return true
}

// valid reports whether go/types has found a type for the expression.
func (k *kinds) valid(e ast.Expr) bool {
	t := k.info.TypeOf(e)
	return t != nil && t != types.Typ[types.Invalid]
}

func (k *kinds) isNil(e ast.Expr) bool {
	tv, ok := k.info.Types[ast.Unparen(e)]
	return ok && tv.IsNil()
}

// index returns the call for f["x"] of a frame, or nil if x is not a frame.
func (v *vectorizer) index(e *ast.IndexExpr) ast.Expr {
	if v.of(e.X) != frame {
		return nil
	}
	switch k := v.of(e.Index); {
	case k == mask || k == column:
		v.u.refuse(e, "a frame is indexed by the name of a column", "select rows with Where(mask)")
		return nil
	case k != text && k != other:
		v.u.refuse(e, "a frame is indexed by the name of a column", "select rows with Slice(i, j), the column at j with Columns()[j]")
		return nil
	}
	call := v.method(e, e.X, e.Lbrack, "Col", column, e.Index)
	v.columnOf[call] = true
	return call
}

// method returns a method call that replaces n.
func (v *vectorizer) method(n ast.Node, recv ast.Expr, pos token.Pos, name string, k kind, args ...ast.Expr) *ast.CallExpr {
	switch recv.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.ParenExpr:
	default:
		recv = &ast.ParenExpr{Lparen: recv.Pos(), X: recv, Rparen: recv.End() - 1}
	}
	call := &ast.CallExpr{Fun: &ast.SelectorExpr{X: recv, Sel: ident(name, pos)}, Lparen: pos, Args: args, Rparen: n.End() - 1}
	v.made[call] = k
	v.changed = true
	return call
}

// columnOperation returns the call for an operator with a column on one side, or nil if the
// operation is plain Go.
func (v *vectorizer) columnOperation(n ast.Node, op token.Token, x ast.Expr, onLeft bool, opPos token.Pos, y ast.Expr) ast.Expr {
	methods, ok := columnMethods[op]
	if !ok {
		if op == token.AND || op == token.OR {
			v.u.refuse(n, op.String()+" is for the bits of numbers", "join comparisons of columns with && and ||, and negate them with !")
		}
		return nil
	}
	if op == token.EQL || op == token.NEQ {
		// Code that go/types accepts keeps its meaning.
		e, ok := n.(*ast.BinaryExpr)
		both := onLeft && v.of(y) == column
		_, madeX := v.made[ast.Unparen(x)]
		_, madeY := v.made[ast.Unparen(y)]
		switch {
		case v.isNil(x) || v.isNil(y):
			if madeX || madeY {
				v.u.refuse(n, "missing values are not nil", "drop rows with missing values with f.DropMissing, or count missing values with Missing")
			}
			return nil
		case both && !madeX && !madeY:
			v.u.refuse(n, op.String()+" of two variables compares pointers, not what the columns hold",
				v.text(x)+"."+methods[0]+"("+v.text(y)+") compares row by row")
			return nil
		case ok && v.settled(e):
			return nil
		}
	}
	if onLeft {
		return v.method(n, x, opPos, methods[0], column, y)
	}
	return v.method(n, y, opPos, methods[1], column, x)
}

// assignColumn returns the statement for f["x"] = value and similar assignments. It reports whether
// s is such an assignment. It may reject the assignment.
func (v *vectorizer) assignColumn(s *ast.AssignStmt) (ast.Stmt, bool) {
	var col *ast.CallExpr
	for _, l := range s.Lhs {
		if call, ok := ast.Unparen(l).(*ast.CallExpr); ok && v.columnOf[call] {
			col = call
		}
	}
	op, updates := opAssign[s.Tok]
	switch {
	case col == nil || s.Tok != token.ASSIGN && !updates:
		return nil, false
	case len(s.Lhs) > 1 || len(s.Rhs) > 1:
		v.u.refuse(s, "columns are assigned one at a time", "write a statement for each column")
		return nil, true
	case v.refuseUnnamed(s, col, v.text(s.Rhs[0]), op):
		return nil, true
	case !updates:
		return v.set(s, col, s.TokPos, s.Rhs[0]), true
	}
	if value := v.updated(s, col, op, s.TokPos, s.Rhs[0]); value != nil {
		return v.set(s, col, s.TokPos, value), true
	}
	return nil, true
}

// step returns the statement for f["x"]++ and f["x"]--, or nil for others.
func (v *vectorizer) step(s *ast.IncDecStmt) ast.Stmt {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok || !v.columnOf[call] {
		return nil
	}
	op := map[token.Token]token.Token{token.INC: token.ADD, token.DEC: token.SUB}[s.Tok]
	if v.refuseUnnamed(s, call, "1", op) {
		return nil
	}
	value := v.updated(s, call, op, s.TokPos, intLit(1, s.TokPos))
	if value == nil {
		return nil
	}
	return v.set(s, call, s.TokPos, value)
}

// updated returns the new value of a column for f["x"] op= y, or nil if the left side can't be
// evaluated twice.
func (v *vectorizer) updated(s ast.Stmt, col *ast.CallExpr, op token.Token, opPos token.Pos, y ast.Expr) ast.Expr {
	f, ok1 := pure(col.Fun.(*ast.SelectorExpr).X)
	name, ok2 := pure(col.Args[0])
	if !ok1 || !ok2 {
		v.u.refuse(s, "the left side would be computed twice", "put the frame and the name of the column into variables first")
		return nil
	}
	old := v.method(col, f, col.Lparen, "Col", column, name)
	return v.method(s, old, opPos, columnMethods[op][0], column, y)
}

func (v *vectorizer) set(s ast.Stmt, col *ast.CallExpr, pos token.Pos, value ast.Expr) ast.Stmt {
	return &ast.ExprStmt{X: v.method(s, col.Fun.(*ast.SelectorExpr).X, pos, "Set", other, col.Args[0], value)}
}
