package rewrite

import (
	"go/ast"
	"go/types"
)

// application is a call in which a function of one or two numbers gets at least one argument that
// has elements.
type application struct {
	args  []kind
	whole int // index of the argument with elements, -1 if both have elements
}

// applied recognizes f(x) where f takes numbers and x has elements, and returns the kind of its
// value. Go has no such call.
func (k *kinds) applied(call *ast.CallExpr) (application, kind) {
	if _, ok := k.made[call]; ok {
		return application{}, other
	}
	n := len(call.Args)
	if n < 1 || n > 2 || call.Ellipsis.IsValid() || !ofNumbers(k.info, call.Fun, n) {
		return application{}, other
	}
	a := application{whole: 0}
	for _, arg := range call.Args {
		a.args = append(a.args, realKind(k.of(arg)))
	}
	if n == 1 {
		if hasNumbers(a.args[0]) {
			return a, a.args[0]
		}
		return a, other
	}
	x, y := a.args[0], a.args[1]
	switch {
	case hasNumbers(x) && y.number():
		return a, x
	case x.number() && hasNumbers(y):
		a.whole = 1
		return a, y
	case (x == slice || x == column) && (y == slice || y == column):
		a.whole = -1
		return a, slice
	}
	return a, other
}

func hasNumbers(k kind) bool { return k == slice || k == vector || k == matrix || k == column }

// ofNumbers reports whether the expression is a function from n float64 to one.
func ofNumbers(info *types.Info, fun ast.Expr, n int) bool {
	tv, ok := info.Types[fun]
	if !ok || !tv.IsValue() {
		return false
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok || sig.Variadic() || sig.Params().Len() != n || sig.Results().Len() != 1 {
		return false
	}
	isFloat := func(v *types.Var) bool { return types.Identical(v.Type(), types.Typ[types.Float64]) }
	for v := range sig.Params().Variables() {
		if !isFloat(v) {
			return false
		}
	}
	return isFloat(sig.Results().At(0))
}

// elementwise returns the call that applies a function to the elements of its arguments, or nil if
// the call is plain Go.
func (v *vectorizer) elementwise(call *ast.CallExpr) ast.Expr {
	a, result := v.applied(call)
	if result == other {
		return nil
	}
	if a.whole < 0 {
		v.u.sites[call.Lparen] = Site{Pos: call.Pos(), End: call.End(), Op: "and", Left: v.text(call.Args[0]), Right: v.text(call.Args[1])}
		return v.call(call, call.Lparen, "MapVV", result, call.Fun, v.operand(call.Args[0], slice), v.operand(call.Args[1], slice))
	}
	f := call.Fun
	if len(call.Args) == 2 {
		other := 1 - a.whole
		f = runtimeCallExpr(f.Pos(), [2]string{"FixFirst", "FixSecond"}[other], f, v.operand(call.Args[other], scalar))
		v.u.importRuntime(v.file)
	}
	if result == column {
		return v.method(call, call.Args[a.whole], call.Lparen, "Map", column, f)
	}
	return v.call(call, call.Lparen, "Map"+string(result), result, f, v.operand(call.Args[a.whole], result))
}
