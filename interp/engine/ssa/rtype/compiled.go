package rtype

import (
	"go/types"
	"reflect"
)

// compiled returns the binary's descriptor of a named type, or nil if the binary has none or the
// descriptor cannot be found.
func (ts *Types) compiled(t *types.Named) *Type {
	obj := t.Obj()
	pkg := obj.Pkg()
	if pkg == nil {
		if obj.Name() == "error" {
			return TypeOf(errorType)
		}
		if obj.Name() == "comparable" || obj.Name() == "any" {
			return TypeOf(anyType)
		}
		return nil
	}
	if obj.Parent() != nil && obj.Parent() != pkg.Scope() {
		return nil // declared in a function
	}
	if ts.cfg.FromSource != nil && ts.cfg.FromSource(pkg) {
		return nil // a compiled package of that path is a different package
	}
	if t.TypeArgs().Len() == 0 {
		if rt := ts.known(pkg.Path(), obj.Name()); rt != nil {
			return TypeOf(rt)
		}
	}
	if ts.cfg.Roots == nil {
		return nil
	}
	ts.walk(pkg.Path())
	if rt := ts.found[pkg.Path()+" "+ts.typeString(t)]; rt != nil {
		return TypeOf(rt)
	}
	return nil
}

// known returns the compiled type that the engine has under that name.
func (ts *Types) known(path, name string) reflect.Type {
	if ts.cfg.Lookup == nil {
		return nil
	}
	return ts.cfg.Lookup(path, name)
}

// lookup returns the compiled type with a path and a name, which may be unexported, or nil if the
// type cannot be found. The type must not be generic.
func (ts *Types) lookup(path, name string) reflect.Type {
	if rt := ts.known(path, name); rt != nil || ts.cfg.Roots == nil {
		return rt
	}
	ts.walk(path)
	for _, rt := range ts.found {
		if rt.PkgPath() == path && rt.Name() == name {
			return rt
		}
	}
	return nil
}

// walk records the named types in the roots of a package.
func (ts *Types) walk(path string) {
	if ts.walks[path] {
		return
	}
	ts.walks[path] = true
	seen := make(map[reflect.Type]bool)
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if t.Name() != "" {
			if t.PkgPath() == "" {
				return
			}
			ts.found[t.PkgPath()+" "+t.String()] = t
			if t.PkgPath() != path {
				return
			}
		}
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			visit(t.Elem())
		case reflect.Map:
			visit(t.Key())
			visit(t.Elem())
		case reflect.Func:
			for in := range t.Ins() {
				visit(in)
			}
			for out := range t.Outs() {
				visit(out)
			}
		case reflect.Struct:
			for f := range t.Fields() {
				visit(f.Type)
			}
		}
		visitMethods(t, visit)
	}
	for _, t := range ts.cfg.Roots(path) {
		visit(t)
	}
}

func visitMethods(t reflect.Type, visit func(reflect.Type)) {
	if t.Kind() == reflect.Interface {
		for m := range t.Methods() {
			visit(m.Type)
		}
		return
	}
	for m := range methodTypes(TypeOf(t)) {
		visit(m.Reflect())
	}
	if t.Name() != "" {
		for m := range methodTypes(TypeOf(reflect.PointerTo(t))) {
			visit(m.Reflect())
		}
	}
}
