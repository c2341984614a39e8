//go:build (linux || darwin) && (amd64 || arm64)

package rtype

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A type of a notebook can get methods after it has been used. The runtime
// remembers for ever which interfaces a type does not implement, so the type
// becomes a new one then, with all types that are made of it. Variables keep
// their memory, since the layout stays the same; what interfaces hold already
// keeps the older type, of which Latest knows the newer one.

// Renew says that the method set of a named type may have changed. The types
// that Of gives from now on have the new methods.
func (ts *Types) Renew(t *types.Named) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	rt, ok := ts.canon.At(t).(*Type)
	if !ok {
		return
	}
	ts.msets = typeutil.MethodSetCache{}
	if ptr := resolveTypeOff(rt, rt.ptrToThis); ptr != nil && countMethods(ptr) == len(ts.methodSet(types.NewPointer(t))) {
		return
	}
	var stale typeutil.Map
	stale.Set(t, true)
	for {
		n := stale.Len()
		ts.canon.Iterate(func(k types.Type, rt any) {
			if stale.At(k) == nil && ts.mentions(k, &stale) {
				stale.Set(k, true)
			}
		})
		if stale.Len() == n {
			break
		}
	}
	stale.Iterate(func(k types.Type, _ any) {
		if rt, ok := ts.canon.At(k).(*Type); ok {
			ts.back[rt] = k
			ts.canon.Delete(k)
		}
	})
}

func countMethods(t *Type) int {
	if t.tflag&tflagUncommon == 0 {
		return 0
	}
	return int(uncommonOf(t).mcount)
}

// mentions says whether a type is made of a stale one. Of named types it looks
// at the underlying type, the type arguments and the methods.
func (ts *Types) mentions(t types.Type, stale *typeutil.Map) bool {
	in := func(t types.Type) bool {
		t = types.Unalias(t)
		if _, named := t.(*types.Named); named {
			return stale.At(t) != nil
		}
		return ts.mentions(t, stale)
	}
	switch t := t.(type) {
	case *types.Pointer:
		return in(t.Elem())
	case *types.Slice:
		return in(t.Elem())
	case *types.Array:
		return in(t.Elem())
	case *types.Chan:
		return in(t.Elem())
	case *types.Map:
		return in(t.Key()) || in(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if in(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return in(t.Params()) || in(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if in(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if in(m.Type()) {
				return true
			}
		}
	case *types.Named:
		if rt, ok := ts.canon.At(t).(*Type); !ok || ts.back[rt] == nil {
			return false // compiled
		}
		for arg := range t.TypeArgs().Types() {
			if in(arg) {
				return true
			}
		}
		for m := range t.Methods() {
			if in(m.Signature()) {
				return true
			}
		}
		return in(t.Underlying())
	}
	return false
}

// Latest gives the type that has taken the place of t since its method set, or
// that of a type it is made of, has changed; t itself when nothing has.
func (ts *Types) Latest(t *Type) *Type {
	origin, ok := ts.Origin(t)
	if !ok {
		return t
	}
	latest, err := ts.Of(origin)
	if err != nil {
		return t
	}
	return latest
}
