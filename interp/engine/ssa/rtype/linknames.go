package rtype

import (
	"reflect"
	"unsafe"
)

// Linknames returns functions and variables of the runtime and of package reflect by their linker
// names. The map has the functions and variables that packages use through go:linkname and that Go
// keeps open to these packages (go.dev/issue/67401). Where such a package declares its own copy of
// a runtime type, the signatures here have a word of the same size instead of the type or of a
// pointer to it. The map is empty if Check fails.
func Linknames() map[string]any {
	if !linked {
		return nil
	}
	all := map[string]any{
		"reflect.unsafe_New":      unsafeNew,
		"reflect.unsafe_NewArray": unsafeNewArray,
		"reflect.typedmemmove":    typedmemmove,
		"reflect.typedmemclr":     typedmemclr,
		"reflect.typedslicecopy":  typedslicecopy,
		"reflect.typehash":        typehash,
		"reflect.typelinks":       typelinks,
		"reflect.resolveTypeOff":  resolveTypeOff,
		"reflect.resolveNameOff":  resolveNameOff,
		"reflect.toType":          toType,
		"reflect.ifaceIndir":      func(t *Type) bool { return !t.Direct() },
		"reflect.ifaceE2I":        ifaceE2I,
		"reflect.makemap":         func(t *Type, n int) unsafe.Pointer { return makemap(t, n, nil) },
		"reflect.maplen":          maplen,
		"reflect.mapclear":        mapclear,
		"reflect.mapdelete":       mapdelete,
		"reflect.mapaccess":       mapValue,
		"reflect.mapassign":       setMapValue,
		"reflect.mapiterinit":     mapiterinit,
		"reflect.mapiternext":     mapiternext,
		"reflect.mapiterkey":      func(it *MapIter) unsafe.Pointer { return it.Key },
		"reflect.mapiterelem":     func(it *MapIter) unsafe.Pointer { return it.Elem },
		"runtime.mapiterinit":     mapiterinit,
		"runtime.mapiternext":     mapiternext,
		"runtime.mapassign":       mapassign,
		"runtime.mapassign_faststr": func(t *Type, m unsafe.Pointer, key string) unsafe.Pointer {
			return mapassign(t, m, unsafe.Pointer(&key))
		},
		"runtime.memhash":       memhash,
		"runtime.strhash":       strhash,
		"runtime.traceAdvance":  traceAdvance,
		"runtime.traceClockNow": traceClockNow,
	}
	// Go also provides the methods of reflect.Type under such names.
	rtype := reflect.TypeOf(reflect.TypeFor[int]())
	for m := range rtype.Methods() {
		all["reflect.(*rtype)."+m.Name] = m.Func.Interface()
	}
	return all
}

func toType(t *Type) reflect.Type {
	if t == nil {
		return nil
	}
	return t.Reflect()
}

// ifaceE2I sets a variable of the interface type t to a value that implements t.
func ifaceE2I(t *Type, v any, to unsafe.Pointer) {
	reflect.NewAt(t.Reflect(), to).Elem().Set(reflect.ValueOf(v))
}

// mapValue returns the address of the value of a key, or nil if the map has none.
func mapValue(t *Type, m, key unsafe.Pointer) unsafe.Pointer {
	if v, ok := mapaccess2(t, m, key); ok {
		return v
	}
	return nil
}

func setMapValue(t *Type, m, key, value unsafe.Pointer) {
	typedmemmove(TypeOf(t.Reflect().Elem()), mapassign(t, m, key), value)
}
