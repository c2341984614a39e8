package rtype

import (
	"go/types"
	"strconv"
	"strings"
)

// typeString returns t as the compiler writes it into the type's descriptor: with the names of
// packages, but with their paths inside the brackets of a generic instance. Inside the brackets,
// the name of a type that a function declares ends in a number.
func (ts *Types) typeString(t types.Type) string {
	w := typeWriter{enclosing: ts.cfg.Enclosing}
	w.typ(t)
	return w.String()
}

type typeWriter struct {
	strings.Builder
	inArgs    bool
	enclosing func(*types.TypeName) []types.Type
}

func (w *typeWriter) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		w.WriteString(basicTypes[t.Kind()].String())
	case *types.Named:
		w.named(t)
	case *types.Pointer:
		w.WriteByte('*')
		w.typ(t.Elem())
	case *types.Slice:
		w.WriteString("[]")
		w.typ(t.Elem())
	case *types.Array:
		w.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		w.typ(t.Elem())
	case *types.Map:
		w.WriteString("map[")
		w.typ(t.Key())
		w.WriteByte(']')
		w.typ(t.Elem())
	case *types.Chan:
		w.channel(t)
	case *types.Signature:
		w.WriteString("func")
		w.signature(t)
	case *types.Interface:
		w.iface(t)
	case *types.Struct:
		w.structure(t)
	default:
		fail("%s has no run-time type", t)
	}
}

func (w *typeWriter) named(t *types.Named) {
	obj := t.Obj()
	if obj.Pkg() != nil {
		w.qualifier(obj.Pkg())
	}
	w.WriteString(obj.Name())
	w.typeArgs(t)
	if w.inArgs && isLocal(obj) {
		w.WriteString("·" + strconv.Itoa(localNumber(obj)))
	}
}

// typeArgs writes the arguments of a generic type, after the arguments of the generic function that
// declares the type.
func (w *typeWriter) typeArgs(t *types.Named) {
	var all []types.Type
	if w.enclosing != nil && isLocal(t.Obj()) {
		all = w.enclosing(t.Obj())
	}
	outer := len(all)
	for arg := range t.TypeArgs().Types() {
		all = append(all[:len(all):len(all)], arg)
	}
	if len(all) == 0 {
		return
	}
	nested := w.inArgs
	w.inArgs = true
	w.WriteByte('[')
	for i, arg := range all {
		switch {
		case i == 0:
		case i == outer:
			w.WriteByte(';')
		default:
			w.WriteByte(',')
		}
		w.typ(arg)
	}
	w.WriteByte(']')
	w.inArgs = nested
}

// isLocal reports whether a function declares the type. Types of instances of generic functions
// have no scope.
func isLocal(obj *types.TypeName) bool {
	return obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope()
}

// localNumber returns the number of types that functions of the package declare, in source order,
// up to obj.
func localNumber(obj *types.TypeName) int {
	n := 0
	var visit func(s *types.Scope, top bool)
	visit = func(s *types.Scope, top bool) {
		if !top {
			for _, name := range s.Names() {
				if t, ok := s.Lookup(name).(*types.TypeName); ok && isDefined(t) && t.Pos() <= obj.Pos() {
					n++
				}
			}
		}
		for c := range s.Children() {
			visit(c, false)
		}
	}
	visit(obj.Pkg().Scope(), true)
	return n
}

// isDefined reports whether a name was declared as a defined type.
func isDefined(t *types.TypeName) bool {
	if _, param := t.Type().(*types.TypeParam); param {
		return false
	}
	return !t.IsAlias()
}

func (w *typeWriter) qualifier(pkg *types.Package) {
	if w.inArgs {
		w.WriteString(pkg.Path())
	} else {
		w.WriteString(pkg.Name())
	}
	w.WriteByte('.')
}

func (w *typeWriter) channel(t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		w.WriteString("chan<- ")
	case types.RecvOnly:
		w.WriteString("<-chan ")
	default:
		w.WriteString("chan ")
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
			w.WriteByte('(')
			w.typ(e)
			w.WriteByte(')')
			return
		}
	}
	w.typ(t.Elem())
}

func (w *typeWriter) signature(t *types.Signature) {
	w.WriteByte('(')
	for i := range t.Params().Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		p := t.Params().At(i).Type()
		if s, ok := p.(*types.Slice); ok && t.Variadic() && i == t.Params().Len()-1 {
			w.WriteString("...")
			p = s.Elem()
		}
		w.typ(p)
	}
	w.WriteByte(')')
	switch n := t.Results().Len(); {
	case n == 1:
		w.WriteByte(' ')
		w.typ(t.Results().At(0).Type())
	case n > 1:
		w.WriteString(" (")
		for i := range n {
			if i > 0 {
				w.WriteString(", ")
			}
			w.typ(t.Results().At(i).Type())
		}
		w.WriteByte(')')
	}
}

func (w *typeWriter) iface(t *types.Interface) {
	ms := methodsOf(t)
	if len(ms) == 0 {
		w.WriteString("interface {}")
		return
	}
	w.WriteString("interface { ")
	for i, m := range ms {
		if i > 0 {
			w.WriteString("; ")
		}
		if !m.Exported() && m.Pkg() != nil {
			w.qualifier(m.Pkg())
		}
		w.WriteString(m.Name())
		w.signature(m.Type().(*types.Signature))
	}
	w.WriteString(" }")
}

func (w *typeWriter) structure(t *types.Struct) {
	if t.NumFields() == 0 {
		w.WriteString("struct {}")
		return
	}
	w.WriteString("struct { ")
	for i := range t.NumFields() {
		if i > 0 {
			w.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			if w.inArgs && !f.Exported() && f.Pkg() != nil {
				w.qualifier(f.Pkg())
			}
			w.WriteString(f.Name() + " ")
		}
		w.typ(f.Type())
		if tag := t.Tag(i); tag != "" {
			w.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.WriteString(" }")
}
