package scope

import (
	"go/types"
)

// TypeMentions reports whether a type names one of the objects.
func TypeMentions(t types.Type, objs map[types.Object]bool) bool {
	seen := map[types.Type]bool{}
	var walk func(t types.Type) bool
	tuple := func(tu *types.Tuple) bool {
		for v := range tu.Variables() {
			if walk(v.Type()) {
				return true
			}
		}
		return false
	}
	walk = func(t types.Type) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			return objs[t.Obj()] || walk(types.Unalias(t))
		case *types.Named:
			if objs[t.Obj()] || objs[t.Origin().Obj()] {
				return true
			}
			for a := range t.TypeArgs().Types() {
				if walk(a) {
					return true
				}
			}
			return false
		case *types.Pointer:
			return walk(t.Elem())
		case *types.Slice:
			return walk(t.Elem())
		case *types.Array:
			return walk(t.Elem())
		case *types.Chan:
			return walk(t.Elem())
		case *types.Map:
			return walk(t.Key()) || walk(t.Elem())
		case *types.Signature:
			for tp := range t.TypeParams().TypeParams() {
				if walk(tp.Constraint()) {
					return true
				}
			}
			return tuple(t.Params()) || tuple(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if walk(f.Type()) {
					return true
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if walk(m.Type()) {
					return true
				}
			}
			for e := range t.EmbeddedTypes() {
				if walk(e) {
					return true
				}
			}
		case *types.Union:
			for term := range t.Terms() {
				if walk(term.Type()) {
					return true
				}
			}
		}
		return false
	}
	return walk(t)
}

// TypeString formats a type as in cells.
func TypeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}
