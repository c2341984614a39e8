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

// Site is the position of an operation on vectors or matrices in a cell, for errors about
// mismatched shapes.
type Site struct {
	Pos, End    token.Pos // the whole operation
	Op          string
	Left, Right string // the operands as written
}

// Sites returns the operations of the unit by the position of their operators.
func (u *Unit) Sites() map[token.Pos]Site { return u.sites }

// vectors translates operators on vectors and matrices, which Go does not have, to calls. It
// handles each expression from the inside out, so that the kinds of nested operations are known
// even where go/types has no type.
func (u *Unit) vectors(r *check.Result) bool {
	v := &vectorizer{u: u, kinds: newKinds(r.Info, u.Files()), columnOf: map[*ast.CallExpr]bool{}}
	for _, f := range u.Files() {
		v.file = f
		astutil.Apply(f, nil, v.leave)
	}
	return v.changed
}

type vectorizer struct {
	*kinds
	u        *Unit
	file     *ast.File
	columnOf map[*ast.CallExpr]bool // the calls that replace f["x"]
	changed  bool
}

func (v *vectorizer) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		if call := v.binary(n, n.Op, n.X, n.OpPos, n.Y); call != nil {
			c.Replace(call)
		}
	case *ast.UnaryExpr:
		switch k := unaryKind(n.Op, v.of(n.X)); {
		case k == column:
			c.Replace(v.method(n, n.X, n.OpPos, unaryNames[n.Op], k))
		case k.several():
			c.Replace(v.call(n, n.OpPos, unaryNames[n.Op]+string(k), k, n.X))
		}
	case *ast.CallExpr:
		if call := v.elementwise(n); call != nil {
			c.Replace(call)
		}
	case *ast.IndexExpr:
		if call := v.index(n); call != nil {
			c.Replace(call)
		}
	case *ast.ExprStmt:
		if s := v.setRows(n); s != nil {
			c.Replace(s)
		}
	case *ast.IncDecStmt:
		if s := v.step(n); s != nil {
			c.Replace(s)
		}
	case *ast.AssignStmt:
		switch s, ok := v.assignColumn(n); {
		case s != nil:
			c.Replace(s)
		case !ok:
			v.assign(n)
		}
	}
	return true
}

var unaryNames = map[token.Token]string{token.SUB: "Neg", token.NOT: "Not"}

var opAssign = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
	token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM,
}

// assign translates w += x as w = w + x, so that other references to w keep the old vector.
func (v *vectorizer) assign(s *ast.AssignStmt) {
	op, ok := opAssign[s.Tok]
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	left, right := v.of(s.Lhs[0]), v.of(s.Rhs[0])
	if left == other || !left.several() && !(left.number() && right.several()) {
		return
	}
	if v.u.done[s] {
		return
	}
	again, ok := pure(s.Lhs[0])
	if !ok {
		v.u.done[s] = true
		v.u.refuse(s, "the left side of "+s.Tok.String()+" on vectors would be computed twice", "put the element's position into a variable first")
		return
	}
	if right == column && left != column {
		v.u.refuse(s, left.String()+" cannot take the value of a column", "get the numbers of a column with Floats()")
		return
	}
	a, b := meet(left, right)
	if is, _, _ := resultKind(op, a, b); left.number() || left == ints && is == slice {
		v.u.refuse(s, left.String()+" cannot take the value of "+is.String(), "")
		return
	}
	if call := v.binary(s, op, again, s.TokPos, s.Rhs[0]); call != nil {
		s.Tok = token.ASSIGN
		s.Rhs[0] = call
	}
}

// pure copies an expression that can be evaluated twice.
func pure(e ast.Expr) (ast.Expr, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		return ident(e.Name, e.Pos()), true
	case *ast.BasicLit:
		c := *e
		return &c, true
	case *ast.ParenExpr:
		x, ok := pure(e.X)
		return x, ok
	case *ast.StarExpr:
		x, ok := pure(e.X)
		return &ast.StarExpr{Star: e.Star, X: x}, ok
	case *ast.SelectorExpr:
		x, ok := pure(e.X)
		return &ast.SelectorExpr{X: x, Sel: ident(e.Sel.Name, e.Sel.Pos())}, ok
	case *ast.IndexExpr:
		x, ok1 := pure(e.X)
		i, ok2 := pure(e.Index)
		return &ast.IndexExpr{X: x, Lbrack: e.Lbrack, Index: i, Rbrack: e.Rbrack}, ok1 && ok2
	}
	return nil, false
}

var opNames = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div", token.REM: "Rem", token.LAND: "And", token.LOR: "Or",
}

// binary returns the call for an operation, or nil if it is plain Go.
func (v *vectorizer) binary(n ast.Node, op token.Token, x ast.Expr, opPos token.Pos, y ast.Expr) ast.Expr {
	a, b := v.kindOrAgain(x, n), v.of(y)
	if a == column || b == column {
		return v.columnOperation(n, op, x, a == column, opPos, y)
	}
	if a == other || b == other || !a.several() && !b.several() {
		return nil
	}
	a, b = meet(a, b)
	result, what, hint := resultKind(op, a, b)
	if result == other {
		if what != "" {
			v.u.refuse(n, what, hint)
		}
		return nil
	}
	v.u.sites[opPos] = Site{Pos: n.Pos(), End: n.End(), Op: op.String(), Left: v.text(x), Right: v.text(y)}
	if isComparison(op) {
		sign := &ast.BasicLit{ValuePos: opPos, Kind: token.STRING, Value: strconv.Quote(op.String())}
		return v.call(n, opPos, "Compare"+string(a)+string(b), result, sign, v.operand(x, a), v.operand(y, b))
	}
	name := opNames[op]
	// w + s*x in one pass over the vectors.
	if a == slice && b == slice {
		if s, vec, ok := v.scaled(y); ok {
			return v.call(n, opPos, name+"Scaled", slice, v.operand(x, slice), s, vec)
		}
	}
	return v.call(n, opPos, name+string(a)+string(b), result, v.operand(x, a), v.operand(y, b))
}

// kindOrAgain returns the kind of an expression, even for the copy of an assignment's left side.
func (v *vectorizer) kindOrAgain(x ast.Expr, n ast.Node) kind {
	if s, ok := n.(*ast.AssignStmt); ok {
		return v.of(s.Lhs[0])
	}
	return v.of(x)
}

// scaled recognizes the call that replaces s*x of a number and a vector.
func (v *vectorizer) scaled(e ast.Expr) (s, vec ast.Expr, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || v.made[call] != slice {
		return nil, nil, false
	}
	switch call.Fun.(*ast.SelectorExpr).Sel.Name {
	case "MulSV":
		return call.Args[1], call.Args[2], true
	case "MulVS":
		return call.Args[2], call.Args[1], true
	}
	return nil, nil, false
}

// operand converts an operand to the kind required by the operation.
func (v *vectorizer) operand(e ast.Expr, to kind) ast.Expr {
	switch to {
	case slice:
		switch v.of(e) {
		case ints:
			return v.convert("Floats", e)
		case column:
			return v.method(e, e, e.Pos(), "Floats", slice)
		}
	case scalar:
		if !v.isBasic(e, types.Float64) {
			return v.convert("Float", e)
		}
	case whole:
		if !v.isBasic(e, types.Int) {
			return v.convert("Int", e)
		}
	case text:
		if !v.isBasic(e, types.String) {
			return v.convert("String", e)
		}
	}
	return e
}

// isBasic reports whether the operand already has the type, or is a constant that can have it.
func (v *vectorizer) isBasic(e ast.Expr, kind types.BasicKind) bool {
	t := v.info.TypeOf(e)
	if t == nil || t == types.Typ[types.Invalid] {
		return true
	}
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && (b.Kind() == kind || b.Info()&types.IsUntyped != 0)
}

// convert returns a call of a conversion function of package cellrt.
func (v *vectorizer) convert(name string, e ast.Expr) ast.Expr {
	v.u.importRuntime(v.file)
	return &ast.CallExpr{Fun: runtimeMember(name, e.Pos()), Lparen: e.Pos(), Args: []ast.Expr{e}, Rparen: e.End() - 1}
}

func (v *vectorizer) call(n ast.Node, opPos token.Pos, fn string, k kind, args ...ast.Expr) ast.Expr {
	v.u.importRuntime(v.file)
	if !strings.HasPrefix(fn, "Neg") && !strings.HasPrefix(fn, "Not") {
		args = append([]ast.Expr{intLit(int(opPos), opPos)}, args...)
	}
	call := runtimeCallExpr(n.Pos(), fn, args...)
	call.Lparen = opPos
	call.Rparen = n.End() - 1
	v.made[call] = k
	v.changed = true
	return call
}

// text returns the operand as written.
func (v *vectorizer) text(e ast.Expr) string {
	start, end := int(e.Pos()-v.u.Cell.Base), int(e.End()-v.u.Cell.Base)
	if start < 0 || end > len(v.u.Cell.Src) || start >= end {
		return "it"
	}
	return strings.Join(strings.Fields(v.u.Cell.Src[start:end]), " ")
}
