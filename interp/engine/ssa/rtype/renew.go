package rtype

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A type of a notebook can get methods after it has been used. The runtime remembers forever which
// interfaces a type does not implement, so the engine replaces the type, and all types that contain
// it, with new ones. The layout stays the same: variables keep their memory. Migrate changes values
// in interfaces to the newer type. For values that it does not reach, Latest maps the older type to
// the newer type.

// Renew must be called when the method set of a named type may have changed. The types that Of
// returns from then on have the new methods. It reports whether any type has been replaced.
func (ts *Types) Renew(t *types.Named) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	rt, ok := ts.canon.At(t).(*Type)
	if !ok {
		return false
	}
	if ptr := resolveTypeOff(rt, rt.ptrToThis); ptr != nil && countMethods(ptr) == len(ts.methodSet(types.NewPointer(t))) {
		return false
	}
	return ts.renew(func(k types.Type) bool { return k == types.Type(t) })
}

// Succeed must be called when a named type, or a generic type with all its instances, has been
// declared again with the same underlying type. From then on, types that contain the old type
// contain the new type. It reports whether any type has been replaced.
func (ts *Types) Succeed(old, now *types.Named) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.successors[old] = now
	return ts.renew(func(k types.Type) bool {
		n, ok := k.(*types.Named)
		return ok && n.Origin() == old
	})
}

// renew discards the runtime types for which meant returns true, and all types that contain them.
func (ts *Types) renew(meant func(types.Type) bool) bool {
	var stale typeutil.Map
	gone := map[*Type]bool{}
	for again := true; again; {
		again = false
		ts.canon.Iterate(func(k types.Type, v any) {
			rt := v.(*Type)
			if stale.At(k) == nil && (gone[rt] || meant(k) || ts.mentions(k, &stale)) {
				stale.Set(k, true)
				gone[rt] = ts.back[rt] != nil
				again = true
			}
		})
	}
	stale.Iterate(func(k types.Type, _ any) {
		rt := ts.canon.At(k).(*Type)
		if ts.back[rt] == nil {
			ts.back[rt] = k
		}
		ts.renewed.Store(rt, ts.epoch)
		ts.canon.Delete(k)
	})
	return stale.Len() > 0
}

// successor returns the type whose declaration has replaced the declaration of t. The type t may be
// an instance of a generic type.
func (ts *Types) successor(t *types.Named) *types.Named {
	now, ok := ts.successors[t.Origin()]
	if !ok {
		return nil
	}
	if t.TypeArgs().Len() == 0 {
		return now
	}
	var args []types.Type
	for a := range t.TypeArgs().Types() {
		args = append(args, ts.current(a))
	}
	inst, err := types.Instantiate(nil, now, args, false)
	if err != nil {
		return nil
	}
	return inst.(*types.Named)
}

// current returns a type argument in which successors replace all named types.
func (ts *Types) current(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if now := ts.successor(t); now != nil {
			return ts.current(now)
		}
	case *types.Pointer:
		return types.NewPointer(ts.current(t.Elem()))
	case *types.Slice:
		return types.NewSlice(ts.current(t.Elem()))
	case *types.Array:
		return types.NewArray(ts.current(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(ts.current(t.Key()), ts.current(t.Elem()))
	}
	return t
}

func countMethods(t *Type) int {
	if t.tflag&tflagUncommon == 0 {
		return 0
	}
	return int(uncommonOf(t).mcount)
}

// mentions reports whether a type contains a stale type. For named types it inspects the underlying
// type, the type arguments and the methods.
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

// Latest returns the type that has replaced t since its method set, or the method set of a type
// that it contains, changed. It returns t if no type has replaced t.
func (ts *Types) Latest(t *Type) *Type {
	if _, ok := ts.renewed.Load(t); !ok {
		return t
	}
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
