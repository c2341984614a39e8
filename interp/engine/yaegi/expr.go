package yaegi

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
)

// expr returns the source of an expression.
func (l *lowering) expr(e ast.Expr) string {
	tv := l.unit.info.Types[e]
	if tv.Value != nil {
		return l.constant(tv.Value, subst(tv.Type, l.env), e.Pos())
	}
	if tv.IsType() {
		return l.typ(tv.Type, e.Pos())
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + l.expr(e.X) + ")"
	case *ast.Ident:
		return l.ident(e)
	case *ast.FuncLit:
		return l.funcLit(e)
	case *ast.CompositeLit:
		return l.composite(e)
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		if id := calleeIdent(e); id != nil {
			if _, ok := l.unit.info.Instances[id]; ok {
				return l.funcValue(id)
			}
		}
		index := l.expr(e.Index)
		if m, ok := l.typeOf(e.X).Underlying().(*types.Map); ok {
			l.checkKey(e.Index, m.Key())
			index = l.convert(e.Index, m.Key())
		}
		return l.expr(e.X) + "[" + index + "]"
	case *ast.IndexListExpr:
		return l.funcValue(calleeIdent(e))
	case *ast.SliceExpr:
		l.address(e.X)
		b := l.expr(e.X) + "["
		for i, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if i == 1 || i == 2 && e.Slice3 {
				b += ":"
			}
			if x != nil {
				b += l.expr(x)
			}
		}
		return b + "]"
	case *ast.TypeAssertExpr:
		return l.assert(l.expr(e.X), e.X, l.typeOf(e.Type), e.Pos())
	case *ast.CallExpr:
		return l.call(e)
	case *ast.StarExpr:
		return "(*" + l.expr(e.X) + ")"
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			l.address(e.X)
			if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				return "&" + l.composite(lit)
			}
			return "(&" + l.expr(e.X) + ")"
		}
		return "(" + e.Op.String() + l.expr(e.X) + ")"
	case *ast.BinaryExpr:
		x, y := l.expr(e.X), l.expr(e.Y)
		if e.Op == token.EQL || e.Op == token.NEQ {
			l.checkCompare(e)
		}
		return "(" + x + " " + e.Op.String() + " " + y + ")"
	}
	panic(fmt.Sprintf("yaegi: no form for the expression %T", e))
}

// address records that the address of a session variable is taken.
func (l *lowering) address(e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := l.unit.info.Uses[x].(*types.Var); ok && packageLevel(v) {
				put(l.w, l.w.pointers, types.Object(v), true)
			}
			return
		case *ast.SelectorExpr:
			if _, isPtr := l.typeOf(x.X).Underlying().(*types.Pointer); isPtr {
				return
			}
			e = x.X
		case *ast.IndexExpr:
			if _, isArray := l.typeOf(x.X).Underlying().(*types.Array); !isArray {
				return
			}
			e = x.X
		default:
			return
		}
	}
}

func packageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() || obj.Parent() != nil && obj.Parent().Parent() == types.Universe
}

// constant returns the source of a constant of a type. The checker has folded it, so the
// interpreter does no constant arithmetic itself.
func (l *lowering) constant(v constant.Value, t types.Type, pos token.Pos) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok { // a type parameter's core was substituted; an interface takes the default
		b = types.Default(defaultOf(v)).(*types.Basic)
		t = b
	}
	if b.Info()&types.IsUntyped != 0 {
		b = types.Default(b).Underlying().(*types.Basic)
		t = types.Default(t)
	}
	var s string
	plain := false
	switch {
	case b.Info()&types.IsBoolean != 0:
		s, plain = v.String(), b.Kind() == types.Bool
	case b.Info()&types.IsString != 0:
		s, plain = strconv.Quote(constant.StringVal(v)), b.Kind() == types.String
	case b.Info()&types.IsInteger != 0:
		s, plain = constant.ToInt(v).ExactString(), b.Kind() == types.Int
	case b.Info()&types.IsFloat != 0:
		s, plain = float(v), b.Kind() == types.Float64
	case b.Info()&types.IsComplex != 0:
		v = constant.ToComplex(v)
		s = fmt.Sprintf("%s(%s, %s)", l.host("Complex"), float(constant.Real(v)), float(constant.Imag(v)))
		plain = b.Kind() == types.Complex128
	default:
		refuse(pos, "package unsafe", "the fallback engine has no access to memory layout")
	}
	if _, named := types.Unalias(t).(*types.Named); plain && !named {
		if strings.HasPrefix(s, "-") {
			return "(" + s + ")"
		}
		return s
	}
	return l.typ(t, pos) + "(" + s + ")"
}

func defaultOf(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.UntypedBool]
	case constant.String:
		return types.Typ[types.UntypedString]
	case constant.Int:
		return types.Typ[types.UntypedInt]
	case constant.Float:
		return types.Typ[types.UntypedFloat]
	}
	return types.Typ[types.UntypedComplex]
}

// float returns the source of a floating-point constant that is read back exactly.
func float(v constant.Value) string {
	f, _ := constant.Float64Val(constant.ToFloat(v))
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if math.IsInf(f, 0) {
		s = constant.ToFloat(v).ExactString()
	}
	return s
}

func (l *lowering) ident(id *ast.Ident) string {
	if id.Name == "_" {
		return "_"
	}
	switch obj := l.unit.info.ObjectOf(id).(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		return l.variable(obj)
	case *types.Func:
		return l.funcValue(id)
	case *types.Builtin:
		return obj.Name()
	}
	panic(fmt.Sprintf("yaegi: no form for the name %s", id.Name))
}

// variable returns the source of a variable: its name, or a dereferenced pointer to it.
func (l *lowering) variable(v *types.Var) string {
	if s, ok := l.alias[v]; ok {
		return s
	}
	if v.Pkg() != nil && v.Pkg().Path() != "main" && packageLevel(v) && v.Exported() {
		return l.pkg(v.Pkg().Path(), v.Pos()) + "." + v.Name()
	}
	if !packageLevel(v) {
		if n, ok := l.locals[v]; ok {
			return n
		}
		n := l.w.fresh(v.Name())
		l.locals[v] = n
		return n
	}
	return l.w.name(v)
}

// calleeIdent returns the identifier that names a function.
func calleeIdent(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return calleeIdent(e.X)
	case *ast.IndexListExpr:
		return calleeIdent(e.X)
	}
	return nil
}

// function returns the source of a function that is named by id, instantiated if it is generic.
func (l *lowering) function(id *ast.Ident) string {
	fn := l.unit.info.Uses[id].(*types.Func)
	if inst, ok := l.unit.info.Instances[id]; ok {
		args := make([]types.Type, inst.TypeArgs.Len())
		for i := range args {
			args[i] = subst(inst.TypeArgs.At(i), l.env)
		}
		return l.instance(fn, args, id.Pos())
	}
	if path := fn.Pkg().Path(); path != "main" && fn.Exported() {
		return l.pkg(path, id.Pos()) + "." + fn.Name()
	}
	if fn.Pkg().Path() != "main" { // a helper of the standard library's generic functions
		return l.instance(fn, nil, id.Pos())
	}
	if l.literals > 0 {
		return l.late(l.w.name(fn), l.signature(fn.Signature(), id.Pos(), nil))
	}
	return l.w.name(fn)
}

// funcValue returns the source of a declared function as a value. A cell may keep the value. The
// value calls the newest version of the function, as a call by name would.
func (l *lowering) funcValue(id *ast.Ident) string {
	fn := l.unit.info.Uses[id].(*types.Func)
	name := l.function(id)
	if fn.Pkg().Path() != "main" || l.unit.number == 0 {
		return name
	}
	sig := l.typeOf(id).(*types.Signature)
	if l.w.emitted[name] != nil || l.w.names[fn] == name {
		name = l.late(name, l.signature(sig, id.Pos(), nil))
	}
	names, args := params(sig)
	return fmt.Sprintf("func%s { %s%s(%s) }", l.signature(sig, id.Pos(), names), returns(sig), name, strings.Join(args, ", "))
}

// selector returns the source of x.f in all its meanings.
func (l *lowering) selector(e *ast.SelectorExpr) string {
	if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
		if _, isPkg := l.unit.info.Uses[id].(*types.PkgName); isPkg {
			switch obj := l.unit.info.Uses[e.Sel].(type) {
			case *types.Func:
				return l.funcValue(e.Sel)
			default:
				return l.pkg(obj.Pkg().Path(), e.Pos()) + "." + obj.Name()
			}
		}
	}
	sel := l.unit.info.Selections[e]
	switch sel.Kind() {
	case types.FieldVal:
		obj, index, _ := types.LookupFieldOrMethod(l.typeOf(e.X), true, sel.Obj().Pkg(), e.Sel.Name)
		if obj == nil {
			panic("yaegi: no field " + e.Sel.Name)
		}
		return l.path(l.expr(e.X), l.typeOf(e.X), index)
	case types.MethodVal:
		recv, fn, m := l.receiver(e)
		sig := m.Signature()
		if l.isCompiled(m) {
			return recv + "." + m.Name()
		}
		names, args := params(sig)
		r := l.w.fresh("r")
		return fmt.Sprintf("func() func%s { %s := %s; return func%s { %s%s(%s) } }()",
			l.signature(sig, e.Pos(), nil), r, recv, l.signature(sig, e.Pos(), names), returns(sig), fn, strings.Join(append([]string{r}, args...), ", "))
	}
	// A method expression becomes a function of the receiver.
	sig := l.typeOf(e).(*types.Signature)
	names, args := params(sig)
	recvType := sig.Params().At(0).Type()
	recv, fn, m := l.receiverOf(names[0], recvType, sel.Obj().Pkg(), e.Sel.Name, true, e.Pos())
	call := recv + "." + m.Name() + "(" + strings.Join(args[1:], ", ") + ")"
	if !l.isCompiled(m) {
		call = fn + "(" + strings.Join(append([]string{recv}, args[1:]...), ", ") + ")"
	}
	return fmt.Sprintf("func%s { %s%s }", l.signature(sig, e.Pos(), names), returns(sig), call)
}

func returns(sig *types.Signature) string {
	if sig.Results().Len() > 0 {
		return "return "
	}
	return ""
}

// params returns names for the parameters, and arguments that pass these parameters to another
// function.
func params(sig *types.Signature) (names, args []string) {
	for i := range sig.Params().Len() {
		n := fmt.Sprintf("a%d", i)
		names = append(names, n)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			n += "..."
		}
		args = append(args, n)
	}
	return names, args
}

// path follows fields by index from x, a value of type t.
func (l *lowering) path(x string, t types.Type, index []int) string {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		x += "." + f.Name()
		t = f.Type()
	}
	return x
}

// pathType returns the type at the end of a path.
func pathType(t types.Type, index []int) types.Type {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

// isCompiled reports whether a method belongs to an interface or a compiled type. Such a method is
// called by its name.
func (l *lowering) isCompiled(m *types.Func) bool {
	recv := m.Signature().Recv().Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	if types.IsInterface(recv) {
		return true
	}
	n, ok := types.Unalias(recv).(*types.Named)
	return !ok || !l.own(n)
}

// receiver handles the method that e selects. It returns the receiver in the form that the method
// needs, and the function that replaces the method, if there is one.
func (l *lowering) receiver(e *ast.SelectorExpr) (recv, fn string, m *types.Func) {
	t := l.typeOf(e.X)
	if _, isPtr := t.Underlying().(*types.Pointer); !isPtr {
		obj, _, _ := types.LookupFieldOrMethod(t, true, l.unit.info.Selections[e].Obj().Pkg(), e.Sel.Name)
		if m, ok := obj.(*types.Func); ok {
			if _, ptr := m.Signature().Recv().Type().(*types.Pointer); ptr {
				l.address(e.X)
			}
		}
	}
	return l.receiverOf(l.expr(e.X), t, l.unit.info.Selections[e].Obj().Pkg(), e.Sel.Name, false, e.Pos())
}

func (l *lowering) receiverOf(x string, t types.Type, pkg *types.Package, name string, isCopy bool, pos token.Pos) (recv, fn string, m *types.Func) {
	obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	m, ok := obj.(*types.Func)
	if !ok {
		panic("yaegi: no method " + name)
	}
	fields := index[:len(index)-1]
	recv = l.path(x, t, fields)
	have := pathType(t, fields)
	if l.isCompiled(m) {
		return recv, "", m
	}
	_, havePtr := have.Underlying().(*types.Pointer)
	want := m.Signature().Recv().Type()
	wantPtr := false
	if p, ok := want.(*types.Pointer); ok {
		want, wantPtr = p.Elem(), true
	}
	switch {
	case havePtr && !wantPtr:
		recv = "(*" + recv + ")"
	case !havePtr && wantPtr:
		if isCopy {
			refuse(pos, "a method expression through an embedded value", "write a function literal")
		}
		recv = "(&" + recv + ")"
	}
	return recv, l.method(types.Unalias(want).(*types.Named), m), m
}

// composite returns the source of a composite literal with its type spelled out.
func (l *lowering) composite(e *ast.CompositeLit) string {
	t := l.typeOf(e)
	prefix := ""
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t, prefix = p.Elem(), "&"
	}
	parts := make([]string, len(e.Elts))
	for i, elt := range e.Elts {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				name := kv.Key.(*ast.Ident).Name
				for f := range u.Fields() {
					if f.Name() == name {
						parts[i] = name + ": " + l.convert(kv.Value, f.Type())
					}
				}
			} else {
				parts[i] = u.Field(i).Name() + ": " + l.convert(elt, u.Field(i).Type())
			}
		case *types.Map:
			kv := elt.(*ast.KeyValueExpr)
			l.checkKey(kv.Key, u.Key())
			parts[i] = l.convert(kv.Key, u.Key()) + ": " + l.convert(kv.Value, u.Elem())
		default:
			elem := u.(interface{ Elem() types.Type }).Elem()
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				parts[i] = l.expr(kv.Key) + ": " + l.convert(kv.Value, elem)
			} else {
				parts[i] = l.convert(elt, elem)
			}
		}
	}
	return prefix + l.typ(t, e.Pos()) + "{" + strings.Join(parts, ", ") + "}"
}

// convert returns the source of e as a value of type to.
func (l *lowering) convert(e ast.Expr, to types.Type) string {
	return l.converted(e, to, false)
}

// converted returns the source of e as a value of type to. If direct is true, compiled code gets
// the value immediately (see checkInterface).
func (l *lowering) converted(e ast.Expr, to types.Type, direct bool) string {
	to = subst(to, l.env)
	l.checkInterface(e, to, direct)
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok && l.inLoop() {
		// A function literal that is passed to compiled code does not capture the variables of this
		// iteration, so it would use the variables of a later iteration.
		return fmt.Sprintf("func() %s { return %s }()", l.typ(l.typeOf(e), e.Pos()), l.expr(lit))
	}
	return l.expr(e)
}

func (l *lowering) inLoop() bool {
	return slices.ContainsFunc(l.fn.flow, func(f *flow) bool { return f.loop })
}

func (l *lowering) funcLit(e *ast.FuncLit) string {
	var b strings.Builder
	outer := l.out
	l.out = &b
	fn := l.fn
	l.fn = &function{sig: l.unit.info.TypeOf(e).(*types.Signature), name: "func literal"}
	l.literals++
	head := "func" + l.header(e.Type, e.Body, l.fn)
	l.yield()
	l.block(e.Body.List)
	l.literals--
	l.fn = fn
	l.out = outer
	return head + " {\n" + b.String() + "}"
}
