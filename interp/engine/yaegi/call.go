package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// call returns the source of a call, a conversion or a call of a built-in function.
func (l *lowering) call(e *ast.CallExpr) string {
	info := l.unit.info
	if tv := info.Types[e.Fun]; tv.IsType() {
		to := subst(tv.Type, l.env)
		if types.IsInterface(to) {
			l.checkInterface(e.Args[0], to, false)
		}
		typ := l.typ(to, e.Pos())
		switch to.Underlying().(type) {
		case *types.Pointer, *types.Chan, *types.Signature, *types.Interface:
			typ = "(" + typ + ")"
		}
		return typ + "(" + l.expr(e.Args[0]) + ")"
	}
	if info.Types[e.Fun].IsBuiltin() {
		return l.builtin(e, calleeIdent(e.Fun).Name)
	}
	l.checkCall(e)
	sig := l.typeOf(e.Fun).Underlying().(*types.Signature)
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		if s := info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			recv, fn, m := l.receiver(sel)
			if l.isCompiled(m) {
				return recv + "." + m.Name() + "(" + l.args(e, m.Signature()) + ")"
			}
			if len(e.Args) == 1 {
				if t, ok := l.typeOf(e.Args[0]).(*types.Tuple); ok {
					return l.spread(recv, fn, e, t, m.Signature())
				}
			}
			args := l.args(e, m.Signature())
			if args != "" {
				args = ", " + args
			}
			return fn + "(" + recv + args + ")"
		}
	}
	fun := l.callee(e.Fun)
	if _, ok := ast.Unparen(e.Fun).(*ast.FuncLit); ok {
		fun = "(" + fun + ")"
	}
	return fun + "(" + l.args(e, sig) + ")"
}

// callee returns the source of the function that is called.
func (l *lowering) callee(e ast.Expr) string {
	if id := calleeIdent(e); id != nil && l.isDeclared(e) && l.unit.info.Selections[asSelector(e)] == nil {
		return l.function(id)
	}
	return l.expr(e)
}

func asSelector(e ast.Expr) *ast.SelectorExpr {
	s, _ := ast.Unparen(e).(*ast.SelectorExpr)
	return s
}

// spread returns the source of x.M(f()) if f has several results.
func (l *lowering) spread(recv, fn string, e *ast.CallExpr, t *types.Tuple, sig *types.Signature) string {
	if sig.Variadic() {
		refuse(e.Pos(), "several results passed on to a variadic method", "assign them to variables first")
	}
	names := make([]string, t.Len())
	for i := range names {
		names[i] = l.w.fresh("t")
	}
	return fmt.Sprintf("func()%s { %s := %s; %s%s(%s, %s) }()", l.results(sig, e.Pos(), nil),
		strings.Join(names, ", "), l.expr(e.Args[0]), returns(sig), fn, recv, strings.Join(names, ", "))
}

// args returns the source of the arguments of a call.
func (l *lowering) args(e *ast.CallExpr, sig *types.Signature) string {
	parts := make([]string, len(e.Args))
	n := sig.Params().Len()
	id := calleeIdent(e.Fun)
	fn, _ := l.unit.info.Uses[id].(*types.Func)
	compiled := fn != nil && fn.Pkg() != nil && fn.Pkg().Path() != "main"
	for i, a := range e.Args {
		switch {
		case i < n-1 || !sig.Variadic() || e.Ellipsis.IsValid():
			if i < n {
				parts[i] = l.converted(a, sig.Params().At(i).Type(), compiled)
			} else {
				parts[i] = l.expr(a)
			}
		default:
			elem := sig.Params().At(n - 1).Type().Underlying().(*types.Slice).Elem()
			parts[i] = l.converted(a, elem, compiled)
		}
	}
	if e.Ellipsis.IsValid() {
		parts[len(parts)-1] += "..."
	}
	return strings.Join(parts, ", ")
}

// builtin returns the source of a call of a built-in function.
func (l *lowering) builtin(e *ast.CallExpr, name string) string {
	exprs := func() string {
		parts := make([]string, len(e.Args))
		for i, a := range e.Args {
			parts[i] = l.expr(a)
		}
		s := strings.Join(parts, ", ")
		if e.Ellipsis.IsValid() {
			s += "..."
		}
		return s
	}
	switch name {
	case "min", "max":
		return l.extremum(e, name)
	case "clear":
		return l.host("Clear") + "(" + exprs() + ")"
	case "print", "println":
		for _, a := range e.Args {
			if types.IsInterface(l.typeOf(a)) {
				refuse(a.Pos(), name+" of an interface value", "use fmt.Print")
			}
		}
		return l.host(strings.ToUpper(name[:1])+name[1:]) + "(" + exprs() + ")"
	case "new":
		if !l.unit.info.Types[e.Args[0]].IsType() {
			v := l.w.fresh("v")
			t := l.typeOf(e).Underlying().(*types.Pointer).Elem()
			return fmt.Sprintf("func() *%s { var %s %s = %s; return &%s }()", l.typ(t, e.Pos()), v, l.typ(t, e.Pos()), l.convert(e.Args[0], t), v)
		}
		return "new(" + l.typ(l.typeOf(e.Args[0]), e.Pos()) + ")"
	case "make":
		parts := []string{l.typ(l.typeOf(e.Args[0]), e.Pos())}
		for _, a := range e.Args[1:] {
			parts = append(parts, l.expr(a))
		}
		return "make(" + strings.Join(parts, ", ") + ")"
	case "append":
		return l.appendTo(e)
	case "delete":
		m := l.typeOf(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + l.expr(e.Args[0]) + ", " + l.convert(e.Args[1], m.Key()) + ")"
	case "panic":
		x := l.convert(e.Args[0], types.Universe.Lookup("any").Type())
		if n, ok := types.Unalias(l.typeOf(e.Args[0])).(*types.Named); ok && l.own(n) && types.Implements(n, errorType) {
			put(l.w, l.w.panicked, types.Object(n.Obj()), true)
			x = l.host("Error") + "(" + x + ")" // otherwise its text would be lost
		}
		return "panic(" + x + ")"
	case "recover":
		fn, ok := l.w.functions["recover"]
		if !ok {
			fn = l.w.fresh("recovered")
			put(l.w, l.w.functions, "recover", fn)
			l.top("func %s(v interface{}) interface{} {\nif v == nil {\nreturn nil\n}\nreturn %s(v)\n}", fn, l.host("Recovered"))
		}
		return fn + "(recover())"
	case "copy", "len", "cap", "real", "imag", "complex", "close":
		return name + "(" + exprs() + ")"
	}
	refuse(e.Pos(), "unsafe."+name, "the fallback engine has no access to memory layout")
	return ""
}

// appendTo returns the source of a call of append. The interpreter writes to the backing array
// before it has read all arguments, so arguments that read memory come first.
func (l *lowering) appendTo(e *ast.CallExpr) string {
	t := l.typeOf(e)
	elem := t.Underlying().(*types.Slice).Elem()
	parts := []string{l.expr(e.Args[0])}
	if _, isNil := l.unit.info.Types[e.Args[0]].Type.(*types.Basic); isNil {
		parts[0] = "(" + l.typ(t, e.Pos()) + ")(nil)"
	}
	_, sliced := ast.Unparen(e.Args[0]).(*ast.SliceExpr)
	var temps []string
	for _, a := range e.Args[1:] {
		var s string
		if e.Ellipsis.IsValid() {
			s = l.expr(a) + "..."
		} else if s = l.convert(a, elem); sliced && len(e.Args) > 2 && l.unit.info.Types[a].Value == nil {
			v := l.w.fresh("v")
			temps = append(temps, fmt.Sprintf("var %s %s = %s", v, l.typ(elem, a.Pos()), s))
			s = v
		}
		parts = append(parts, s)
	}
	call := "append(" + strings.Join(parts, ", ") + ")"
	if temps == nil {
		return call
	}
	return fmt.Sprintf("func() %s { %s; return %s }()", l.typ(t, e.Pos()), strings.Join(temps, "; "), call)
}

// extremum returns the source of min or max, as a call of a function made for the type.
func (l *lowering) extremum(e *ast.CallExpr, name string) string {
	t := l.typeOf(e)
	typ := l.typ(t, e.Pos())
	key := name + " " + typ
	fn, ok := l.w.functions[key]
	if !ok {
		fn = l.w.fresh(name)
		put(l.w, l.w.functions, key, fn)
		op := map[string]string{"min": "<", "max": ">"}[name]
		nan := ""
		if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
			// If an argument is NaN, the result is NaN; -0 is less than +0.
			sign := map[string]string{"min": "1/a < 1/b", "max": "1/a > 1/b"}[name]
			nan = fmt.Sprintf("if a != a {\nreturn a\n}\nif b != b {\nreturn b\n}\nif a == 0 && b == 0 {\nif %s {\nreturn a\n}\nreturn b\n}\n", sign)
		}
		l.top("func %s(a, b %s) %s {\n%sif a %s b {\nreturn a\n}\nreturn b\n}", fn, typ, typ, nan, op)
	}
	s := l.typed(e.Args[0], t)
	for _, a := range e.Args[1:] {
		s = fn + "(" + s + ", " + l.typed(a, t) + ")"
	}
	return s
}

// typed returns the source of an operand as a value of type t, even if the operand is a constant.
func (l *lowering) typed(e ast.Expr, t types.Type) string {
	if v := l.unit.info.Types[e].Value; v != nil {
		return l.constant(v, t, e.Pos())
	}
	return l.expr(e)
}

// host returns a function of the engine that interpreted code calls.
func (l *lowering) host(name string) string { return l.pkg(hostPath, token.NoPos) + "." + name }
