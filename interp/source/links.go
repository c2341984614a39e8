package source

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// With go:linkname, a function without a body, or a variable, refers to an object of another
// package. Either the directive has the linker name of the other object, or a directive in the
// other package gives this name to the object. Between packages from source, the loader resolves
// these names.

// want is an object that a package lacks until it is linked to other packages.
type want struct {
	obj    types.Object
	symbol string // the linker name
	err    *bodiless
}

// Link resolves go:linkname between packages, first within the list and then with other loaded
// packages. It returns an error for a package with an unresolved name.
func Link(list, others []*Package) error {
	all := slices.Concat(list, others)
	for _, p := range list {
		for _, w := range p.wants {
			if err := join(p, w, all); err != nil {
				return err
			}
		}
		p.wants = nil
	}
	return nil
}

// join resolves one name of a package.
func join(p *Package, w want, all []*Package) error {
	from, to := find(w.symbol, all, nil)
	if to == nil || from == p && to == w.obj {
		return w.err
	}
	if v, ok := from.External[to.Name()]; ok {
		p.setExternal(w.obj.Name(), v)
		return nil
	}
	here, there := typeOf(w.obj), typeOf(to)
	if !sameLayout(here, there) {
		w.err.how = fmt.Sprintf("is linked to %s by go:linkname, but with another type: %s here, %s there", w.symbol,
			types.TypeString(here, types.RelativeTo(p.Types)), types.TypeString(there, types.RelativeTo(from.Types)))
		return w.err
	}
	if p.Linked == nil {
		p.Linked = map[types.Object]types.Object{}
	}
	p.Linked[w.obj] = to
	p.links = append(p.links, from)
	return nil
}

// find returns the object with a linker name and its package, or nil if there is none. The object
// may itself be linked to another name; tried lists the names so far.
func find(symbol string, all []*Package, tried []string) (*Package, types.Object) {
	symbol = plainSymbol(symbol)
	if slices.Contains(tried, symbol) {
		return nil, nil
	}
	for _, p := range all {
		if obj := p.gives[symbol]; obj != nil {
			return p, obj
		}
	}
	for _, p := range all {
		name, ok := strings.CutPrefix(symbol, p.Types.Path()+".")
		if !ok {
			continue
		}
		obj := p.named(name)
		if obj == nil {
			continue
		}
		if to := p.Linked[obj]; to != nil {
			i := slices.IndexFunc(p.links, func(q *Package) bool { return q.Types == to.Pkg() })
			return p.links[i], to
		}
		if i := slices.IndexFunc(p.wants, func(w want) bool { return w.obj == obj }); i >= 0 {
			return find(p.wants[i].symbol, all, append(tried, symbol))
		}
		return p, obj
	}
	return nil, nil
}

// plainSymbol returns the linker name without the escapes for dots in the last element of a path.
func plainSymbol(symbol string) string { return strings.ReplaceAll(symbol, "%2e", ".") }

// named returns the function, variable or method with a linker name. The linker name of a method is
// T.M or (*T).M.
func (p *Package) named(name string) types.Object {
	of, method, ok := strings.Cut(name, ".")
	if !ok {
		switch obj := p.Types.Scope().Lookup(name).(type) {
		case *types.Func, *types.Var:
			return obj
		}
		return nil
	}
	plain := strings.TrimSuffix(strings.TrimPrefix(of, "(*"), ")")
	t, ok := p.Types.Scope().Lookup(plain).(*types.TypeName)
	if !ok {
		return nil
	}
	named, ok := t.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil
	}
	for m := range named.Methods() {
		_, pointer := m.Signature().Recv().Type().(*types.Pointer)
		if m.Name() == method && pointer == (plain != of) {
			return m
		}
	}
	return nil
}

// typeOf returns the type of a variable or a function, with a receiver as the first parameter.
func typeOf(obj types.Object) types.Type {
	sig, ok := obj.Type().(*types.Signature)
	if _, function := obj.(*types.Func); !ok || !function || sig.Recv() == nil {
		return obj.Type()
	}
	params := append([]*types.Var{sig.Recv()}, slices.Collect(sig.Params().Variables())...)
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// sameLayout reports whether values of two types, or the arguments and results of two functions,
// have the same memory layout.
func sameLayout(a, b types.Type) bool {
	if types.Identical(a, b) {
		return true
	}
	a, b = a.Underlying(), b.Underlying()
	if f, ok := a.(*types.Signature); ok {
		g, ok := b.(*types.Signature)
		return ok && f.TypeParams() == nil && g.TypeParams() == nil && sameTuple(f.Params(), g.Params()) && sameTuple(f.Results(), g.Results())
	}
	if isWord(a) && isWord(b) {
		return true
	}
	switch a := a.(type) {
	case *types.Basic:
		b, ok := b.(*types.Basic)
		const number = types.IsInteger | types.IsFloat | types.IsComplex
		return ok && a.Info()&number != 0 && a.Info()&number == b.Info()&number && sizes.Sizeof(a) == sizes.Sizeof(b)
	case *types.Slice:
		_, ok := b.(*types.Slice)
		return ok
	case *types.Interface:
		b, ok := b.(*types.Interface)
		return ok && a.Empty() == b.Empty()
	case *types.Array:
		b, ok := b.(*types.Array)
		return ok && a.Len() == b.Len() && sameLayout(a.Elem(), b.Elem())
	case *types.Struct:
		b, ok := b.(*types.Struct)
		if !ok || a.NumFields() != b.NumFields() {
			return false
		}
		for i := range a.NumFields() {
			if !sameLayout(a.Field(i).Type(), b.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

func sameTuple(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !passedAlike(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return true
}

// passedAlike is sameLayout for an argument, where a function is a pointer.
func passedAlike(a, b types.Type) bool {
	_, f := a.Underlying().(*types.Signature)
	_, g := b.Underlying().(*types.Signature)
	return f && g || sameLayout(a, b)
}

// isWord reports whether values of a type are an address, or an integer that can hold one.
func isWord(t types.Type) bool {
	switch t := t.(type) {
	case *types.Pointer, *types.Map, *types.Chan:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr
	}
	return false
}
