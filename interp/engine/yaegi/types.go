package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// typ returns the source of a type in the interpreter's form.
func (l *lowering) typ(t types.Type, pos token.Pos) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			refuse(pos, "package unsafe", "the fallback engine has no access to memory layout")
		}
		return types.Default(t).String()
	case *types.TypeParam:
		if a, ok := l.env[t]; ok {
			return l.typ(a, pos)
		}
		refuse(pos, "a type that is declared inside a generic function and uses its type parameters", "declare it outside, as a generic type")
	case *types.Pointer:
		return "*" + l.typ(t.Elem(), pos)
	case *types.Slice:
		return "[]" + l.typ(t.Elem(), pos)
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), l.typ(t.Elem(), pos))
	case *types.Map:
		return "map[" + l.typ(t.Key(), pos) + "]" + l.typ(t.Elem(), pos)
	case *types.Chan:
		elem := l.typ(t.Elem(), pos)
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + elem
		case types.RecvOnly:
			return "<-chan " + elem
		}
		return "chan (" + elem + ")"
	case *types.Signature:
		return "func" + l.signature(t, pos, nil)
	case *types.Struct:
		return l.structure(t, "", pos)
	case *types.Interface:
		return l.iface(t, pos)
	case *types.Named:
		return l.named(t, pos)
	}
	panic(fmt.Sprintf("yaegi: no form for the type %v", t))
}

// signature returns the source of parameters and results. names are the names of the parameters, if
// there are any.
func (l *lowering) signature(s *types.Signature, pos token.Pos, names []string) string {
	var b strings.Builder
	b.WriteString("(")
	for i := range s.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		if names != nil {
			b.WriteString(names[i] + " ")
		}
		t := subst(s.Params().At(i).Type(), l.env)
		if s.Variadic() && i == s.Params().Len()-1 {
			if sl, ok := t.Underlying().(*types.Slice); ok {
				b.WriteString("..." + l.typ(sl.Elem(), pos))
				continue
			}
		}
		b.WriteString(l.typ(t, pos))
	}
	b.WriteString(")")
	return b.String() + l.results(s, pos, nil)
}

func (l *lowering) results(s *types.Signature, pos token.Pos, names []string) string {
	n := s.Results().Len()
	if n == 0 {
		return ""
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = l.typ(s.Results().At(i).Type(), pos)
		if names != nil {
			parts[i] = names[i] + " " + parts[i]
		}
	}
	if n == 1 && names == nil {
		return " " + parts[0]
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// structure returns the source of a struct type. A mark, if there is one, goes into the tag of the
// first field. Without a mark, the interpreter treats two named types with the same fields as
// identical.
func (l *lowering) structure(t *types.Struct, mark string, pos token.Pos) string {
	var b strings.Builder
	b.WriteString("struct {")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteString("; ")
		}
		f := t.Field(i)
		typ := l.typ(f.Type(), pos)
		switch {
		case f.Embedded() && l.embeddable(f, typ):
			b.WriteString(typ)
		default:
			b.WriteString(f.Name() + " " + typ)
		}
		tag := t.Tag(i)
		if i == 0 && mark != "" {
			if tag != "" {
				tag += " "
			}
			tag += fmt.Sprintf("cell:%q", mark)
		}
		if tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	b.WriteString("}")
	return b.String()
}

// embeddable reports whether the field can stay embedded. The field's name must be the name of its
// type, but types of cells are renamed.
func (l *lowering) embeddable(f *types.Var, typ string) bool {
	typ = strings.TrimPrefix(typ, "*")
	return typ[strings.LastIndex(typ, ".")+1:] == f.Name()
}

func (l *lowering) iface(t *types.Interface, pos token.Pos) string {
	if t.NumMethods() == 0 {
		return "interface{}"
	}
	var parts []string
	for i := range t.NumMethods() {
		m := t.Method(i)
		parts = append(parts, m.Name()+l.signature(m.Signature(), pos, nil))
	}
	return "interface{" + strings.Join(parts, "; ") + "}"
}

// named returns the name of a declared type, and declares the type if it is a new instance.
func (l *lowering) named(t *types.Named, pos token.Pos) string {
	obj := t.Obj()
	if obj.Pkg() == nil {
		return obj.Name() // error, comparable
	}
	if !l.own(t) {
		if !obj.Exported() {
			refuse(pos, fmt.Sprintf("the type %s.%s, which has no exported name", obj.Pkg().Path(), obj.Name()), "declare the variable by :=")
		}
		return l.pkg(obj.Pkg().Path(), pos) + "." + obj.Name()
	}
	if t.TypeArgs().Len() == 0 {
		if _, ok := l.w.names[obj]; !ok {
			l.declareType(t, l.w.name(obj), pos)
		}
		return l.w.names[obj]
	}
	args := make([]string, t.TypeArgs().Len())
	for i := range args {
		args[i] = l.typ(t.TypeArgs().At(i), pos)
	}
	if obj.Pkg().Path() == "iter" {
		return l.typ(subst(t, l.env).Underlying(), pos)
	}
	if obj.Pkg().Path() != "main" && !l.w.sources[obj] {
		refuse(pos, fmt.Sprintf("the generic type %s.%s", obj.Pkg().Path(), obj.Name()), "use the type for one element type, such as atomic.Value")
	}
	key := l.w.name(obj) + "[" + strings.Join(args, ",") + "]"
	if n, ok := l.w.types[key]; ok {
		return n
	}
	n := l.w.fresh(obj.Name())
	put(l.w, l.w.types, key, n)
	l.declareType(subst(t, l.env).(*types.Named), n, pos)
	return n
}

// declareType writes the declaration of a type and of its methods. The methods that the interpreter
// sees call plain functions, which are four times as fast and can be replaced.
func (l *lowering) declareType(t *types.Named, name string, pos token.Pos) {
	env, unit := l.env, l.unit
	l.env = nil
	form := ""
	if s, ok := t.Underlying().(*types.Struct); ok {
		form = l.structure(s, name, pos)
	} else {
		form = l.typ(t.Underlying(), pos)
	}
	l.env, l.unit = env, unit
	l.top("type %s %s", name, form)
	if _, isInterface := t.Underlying().(*types.Interface); isInterface {
		return
	}
	for _, m := range l.w.methods[t.Origin().Obj()] {
		l.declareMethod(t, name, m)
	}
	l.declarePromoted(t, name)
}

// declareMethod writes a method of the type that calls its function.
func (l *lowering) declareMethod(t *types.Named, typeName string, m *types.Func) {
	l.later = append(l.later, func() {
		sig := l.methodSignature(t, m)
		recv := typeName
		if _, ok := m.Signature().Recv().Type().(*types.Pointer); ok {
			recv = "*" + recv
		}
		names := make([]string, sig.Params().Len())
		for i := range names {
			names[i] = fmt.Sprintf("p%d", i)
		}
		args := append([]string{"recv"}, names...)
		if sig.Variadic() {
			args[len(args)-1] += "..."
		}
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(append([]*types.Var{types.NewParam(m.Pos(), nil, "", receiverType(t, m))}, vars(sig.Params())...)...), sig.Results(), sig.Variadic())
		l.top("func (recv %s) %s%s {\n%s%s(%s)\n}", recv, m.Name(), l.signature(sig, m.Pos(), names), ret, l.late(l.method(t, m), l.signature(whole, m.Pos(), nil)), strings.Join(args, ", "))
	})
}

// methodSignature returns the signature of a method of t with t's type arguments substituted.
func (l *lowering) methodSignature(t *types.Named, m *types.Func) *types.Signature {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, m.Pkg(), m.Name())
	return obj.(*types.Func).Signature()
}

// pkg returns the name of an imported package in the interpreter.
func (l *lowering) pkg(path string, pos token.Pos) string {
	if path == "unsafe" {
		refuse(pos, "package unsafe", "the fallback engine has no access to memory layout")
	}
	n, ok := l.w.imports[path]
	if !ok {
		n = l.w.fresh("p")
		put(l.w, l.w.imports, path, n)
	}
	l.imports[path] = n
	return n
}

// typeOf returns the type of an expression with type arguments substituted.
func (l *lowering) typeOf(e ast.Expr) types.Type {
	t := l.unit.info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return subst(t, l.env)
}

// receiverType returns t or a pointer to it, depending on the method's receiver.
func receiverType(t *types.Named, m *types.Func) types.Type {
	if _, ok := m.Signature().Recv().Type().(*types.Pointer); ok {
		return types.NewPointer(t)
	}
	return t
}

func vars(t *types.Tuple) []*types.Var {
	list := make([]*types.Var, t.Len())
	for i := range list {
		list[i] = t.At(i)
	}
	return list
}

// declarePromoted writes the promoted methods of a struct for fields that are no longer embedded
// because their types have other names in the interpreter.
func (l *lowering) declarePromoted(t *types.Named, typeName string) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	inValue := types.NewMethodSet(t)
	for sel := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		index := sel.Index()
		if len(index) == 1 {
			continue
		}
		f := s.Field(index[0])
		m := sel.Obj().(*types.Func)
		l.later = append(l.later, func() {
			if l.embeddable(f, l.typ(f.Type(), f.Pos())) {
				return
			}
			recv, recvType := "*"+typeName, types.Type(types.NewPointer(t))
			if inValue.Lookup(m.Pkg(), m.Name()) != nil {
				recv, recvType = typeName, t
			}
			sig := sel.Type().(*types.Signature)
			names, args := params(sig)
			x, fn, m := l.receiverOf("recv", recvType, m.Pkg(), m.Name(), false, m.Pos())
			call := x + "." + m.Name() + "(" + strings.Join(args, ", ") + ")"
			if fn != "" {
				call = fn + "(" + strings.Join(append([]string{x}, args...), ", ") + ")"
			}
			l.top("func (recv %s) %s%s {\n%s%s\n}", recv, m.Name(), l.signature(sig, m.Pos(), names), returns(sig), call)
		})
	}
}

// own reports whether the interpreter makes the type, because the type is declared in a cell or in
// the generic sources, or is an instance.
func (l *lowering) own(n *types.Named) bool { return fromCell(n) || l.w.sources[n.Obj()] }
