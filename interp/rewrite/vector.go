package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
)

// kind is what an operand is to vector arithmetic; its value is the letter by
// which the functions of cellrt are named.
type kind byte

const (
	other  kind = 0
	scalar kind = 'S' // any real number
	slice  kind = 'V' // []float64
	vector kind = 'D' // mat.Vector
	matrix kind = 'M' // mat.Matrix
)

func (k kind) String() string {
	switch k {
	case scalar:
		return "a number"
	case slice:
		return "a vector"
	case vector:
		return "a mat.Vector"
	case matrix:
		return "a matrix"
	}
	return "something else"
}

// kindOf tells what values of the type are to vector arithmetic.
func kindOf(t types.Type) kind {
	if t == nil {
		return other
	}
	switch b := t.Underlying().(type) {
	case *types.Basic:
		if b.Info()&(types.IsInteger|types.IsFloat) != 0 {
			return scalar
		}
		return other
	case *types.Slice:
		if e, ok := b.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Float64 {
			return slice
		}
		return other
	}
	// A type parameter stands for many types: nothing is known of its values.
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return other
	}
	switch {
	case hasMethods(t, "Dims", "At", "T", "AtVec", "Len"):
		return vector
	case hasMethods(t, "Dims", "At", "T"):
		return matrix
	}
	return other
}

func hasMethods(t types.Type, names ...string) bool {
	for _, name := range names {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		fn, ok := obj.(*types.Func)
		if !ok {
			return false
		}
		if name == "T" {
			res := fn.Signature().Results()
			if res.Len() != 1 || !strings.HasSuffix(res.At(0).Type().String(), "gonum/mat.Matrix") {
				return false
			}
		}
	}
	return true
}

// Site is where an operation on vectors or matrices stands in a cell, for the
// error that its shapes do not fit.
type Site struct {
	Pos, End    token.Pos // the whole operation
	Op          string
	Left, Right string // the operands as written
}

// Sites are the operations of the unit by the position of their operators.
func (u *Unit) Sites() map[token.Pos]Site { return u.sites }

// vectors compiles operators on vectors and matrices, which Go does not have,
// to calls. It goes through each expression from the inside out, so that the
// kinds of nested operations are known although go/types gave up on them.
func (u *Unit) vectors(r *check.Result) bool {
	v := &vectorizer{u: u, info: r.Info, made: map[ast.Expr]kind{}, vars: map[types.Object]kind{}}
	for _, f := range u.Files() {
		v.file = f
		astutil.Apply(f, nil, v.leave)
	}
	return v.changed
}

type vectorizer struct {
	u       *Unit
	file    *ast.File
	info    *types.Info
	made    map[ast.Expr]kind     // the calls made so far
	vars    map[types.Object]kind // variables whose type follows from them
	changed bool
}

func (v *vectorizer) kind(e ast.Expr) kind {
	e = ast.Unparen(e)
	if k, ok := v.made[e]; ok {
		return k
	}
	if id, ok := e.(*ast.Ident); ok {
		if k, ok := v.vars[v.info.Uses[id]]; ok {
			return k
		}
	}
	if t := v.info.TypeOf(e); t != nil && t != types.Typ[types.Invalid] {
		return kindOf(t)
	}
	return other
}

func (v *vectorizer) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		if call := v.binary(n, n.Op, n.X, n.OpPos, n.Y); call != nil {
			c.Replace(call)
		}
	case *ast.UnaryExpr:
		if k := v.kind(n.X); n.Op == token.SUB && (k == slice || k == vector || k == matrix) {
			c.Replace(v.call(n, n.OpPos, "Neg"+string(k), k, n.X))
		}
	case *ast.AssignStmt:
		v.assign(n)
		v.note(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, id := range n.Names {
			names = append(names, id)
		}
		v.note(names, n.Values)
	}
	return true
}

// note remembers the kinds of variables that are made by operations.
func (v *vectorizer) note(names, values []ast.Expr) {
	if len(names) != len(values) {
		return
	}
	for i, x := range values {
		id, ok := names[i].(*ast.Ident)
		if !ok {
			continue
		}
		if obj := v.info.Defs[id]; obj != nil && obj.Type() == types.Typ[types.Invalid] {
			if k := v.kind(x); k != other {
				v.vars[obj] = k
			}
		}
	}
}

var opAssign = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
	token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
}

// assign compiles w += x, which is w = w + x: the vector that w was stays what
// it is for those who hold it.
func (v *vectorizer) assign(s *ast.AssignStmt) {
	op, ok := opAssign[s.Tok]
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	left := v.kind(s.Lhs[0])
	if left == other || left == scalar && !tensor(v.kind(s.Rhs[0])) {
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
	if left == scalar {
		v.u.refuse(s, "a number cannot take the value of "+v.kind(s.Rhs[0]).String(), "")
		return
	}
	if call := v.binary(s, op, again, s.TokPos, s.Rhs[0]); call != nil {
		s.Tok = token.ASSIGN
		s.Rhs[0] = call
	}
}

// pure copies an expression that can be computed twice.
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

func tensor(k kind) bool { return k == slice || k == vector || k == matrix }

var opNames = map[token.Token]string{token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div"}

// binary gives the call for an operation, nil when it is plain Go.
func (v *vectorizer) binary(n ast.Node, op token.Token, x ast.Expr, opPos token.Pos, y ast.Expr) ast.Expr {
	name, ok := opNames[op]
	if !ok {
		return nil
	}
	a, b := v.kindOrAgain(x, n), v.kind(y)
	if a == other || b == other || !tensor(a) && !tensor(b) {
		return nil
	}
	result, what, hint := resultKind(op, a, b)
	if result == other {
		v.u.refuse(n, what, hint)
		return nil
	}
	v.u.sites[opPos] = Site{Pos: n.Pos(), End: n.End(), Op: op.String(), Left: v.text(x), Right: v.text(y)}
	// w + s*x in one pass over the vectors.
	if a == slice && b == slice {
		if s, vec, ok := v.scaled(y); ok {
			return v.call(n, opPos, name+"Scaled", slice, v.operand(x), v.operand(s), v.operand(vec))
		}
	}
	return v.call(n, opPos, name+string(a)+string(b), result, v.operand(x), v.operand(y))
}

// kindOrAgain is kind, also for the copy of an assignment's left side.
func (v *vectorizer) kindOrAgain(x ast.Expr, n ast.Node) kind {
	if s, ok := n.(*ast.AssignStmt); ok {
		return v.kind(s.Lhs[0])
	}
	return v.kind(x)
}

// scaled recognises the call that s*x of a number and a vector has become.
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

// operand converts numbers of other types to float64.
func (v *vectorizer) operand(e ast.Expr) ast.Expr {
	if v.kind(e) != scalar {
		return e
	}
	t := v.info.TypeOf(e)
	b, ok := types.Unalias(t).(*types.Basic)
	if ok && (b.Kind() == types.Float64 || b.Info()&types.IsUntyped != 0) {
		return e
	}
	if t == nil || t == types.Typ[types.Invalid] {
		return e
	}
	v.u.importRuntime(v.file)
	return &ast.CallExpr{Fun: runtimeMember("Float", e.Pos()), Lparen: e.Pos(), Args: []ast.Expr{e}, Rparen: e.End()}
}

func (v *vectorizer) call(n ast.Node, opPos token.Pos, fn string, k kind, args ...ast.Expr) ast.Expr {
	v.u.importRuntime(v.file)
	if !strings.HasPrefix(fn, "Neg") {
		args = append([]ast.Expr{intLit(int(opPos), opPos)}, args...)
	}
	call := runtimeCallExpr(n.Pos(), fn, args...)
	call.Lparen = opPos
	call.Rparen = n.End() - 1
	v.made[call] = k
	v.changed = true
	return call
}

// text gives the operand as written.
func (v *vectorizer) text(e ast.Expr) string {
	start, end := int(e.Pos()-v.u.Cell.Base), int(e.End()-v.u.Cell.Base)
	if start < 0 || end > len(v.u.Cell.Src) || start >= end {
		return "it"
	}
	return strings.Join(strings.Fields(v.u.Cell.Src[start:end]), " ")
}

// resultKind gives what an operation makes, or why there is none.
func resultKind(op token.Token, a, b kind) (k kind, what, hint string) {
	switch op {
	case token.ADD, token.SUB:
		switch {
		case a == b:
			return a, "", ""
		case a == scalar:
			return b, "", ""
		case b == scalar:
			return a, "", ""
		}
		return other, a.String() + " " + op.String() + " " + b.String() + " is not defined", toSameKind(a, b)
	case token.MUL:
		switch {
		case a == scalar:
			return b, "", ""
		case b == scalar:
			return a, "", ""
		case a == matrix:
			return b, "", ""
		case b == matrix:
			return other, a.String() + " * a matrix is not defined", "a vector stands as a column: write A.T() * v for vᵀA"
		}
		return other, "the product of two vectors can mean two things", "write ml.Dot(a, b) for the sum of products, ml.Hadamard(a, b) for the products one by one"
	case token.QUO:
		if b == scalar {
			return a, "", ""
		}
		if a == slice && b == slice {
			return other, "division by a vector is not defined", "divide one by one in a loop, or multiply by a number"
		}
		return other, "division by " + b.String() + " is not defined", "solve the system instead: x.SolveVec(A, b) finds x with A x = b"
	}
	return other, "", ""
}

func toSameKind(a, b kind) string {
	if a == vector && b == slice || a == slice && b == vector {
		return "mat.NewVecDense(len(v), v) makes a mat.Vector of a []float64"
	}
	return "bring both to the same shape first"
}
