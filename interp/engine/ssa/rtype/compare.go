package rtype

import (
	"go/types"
	"unsafe"
)

// setEqual sets how values of a struct or an array are compared and hashed. Package reflect, which
// makes the shape of the type, compares blank fields, and compares each field by a call.
func setEqual(rt *Type, t types.Type) {
	if rt.equal == nil {
		return
	}
	rt.tflag &^= tflagRegularMemory
	switch {
	case isRegular(t):
		rt.tflag |= tflagRegularMemory
		rt.equal = equalMemory(rt.size)
	case hasBlank(t):
		rt.equal = equalParts(rt, t)
	}
}

// isRegular reports whether two values of type t are equal exactly if their memory is equal.
func isRegular(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return isRegular(u.Elem())
	case *types.Struct:
		used := int64(0)
		for f := range u.Fields() {
			if f.Name() == "_" || !isRegular(f.Type()) {
				return false
			}
			used += sizes.Sizeof(f.Type())
		}
		return used == sizes.Sizeof(u)
	}
	return false
}

// hasBlank reports whether values of type t contain blank fields.
func hasBlank(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasBlank(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" || hasBlank(f.Type()) {
				return true
			}
		}
	}
	return false
}

// equalMemory returns a function that compares size bytes.
func equalMemory(size uintptr) func(p, q unsafe.Pointer) bool {
	switch size {
	case 8:
		return func(p, q unsafe.Pointer) bool { return *(*[8]byte)(p) == *(*[8]byte)(q) }
	case 16:
		return func(p, q unsafe.Pointer) bool { return *(*[16]byte)(p) == *(*[16]byte)(q) }
	}
	return func(p, q unsafe.Pointer) bool {
		return unsafe.String((*byte)(p), size) == unsafe.String((*byte)(q), size)
	}
}

// equalParts returns a function that compares two values of type t, and ignores their blank fields.
// rt has the layout of t.
func equalParts(rt *Type, t types.Type) func(p, q unsafe.Pointer) bool {
	if !hasBlank(t) {
		return rt.equal
	}
	if array, ok := t.Underlying().(*types.Array); ok {
		elem := as[arrayType](rt).elem
		equal, size, n := equalParts(elem, array.Elem()), elem.size, uintptr(array.Len())
		return func(p, q unsafe.Pointer) bool {
			for i := range n {
				if !equal(unsafe.Add(p, i*size), unsafe.Add(q, i*size)) {
					return false
				}
			}
			return true
		}
	}
	type part struct {
		equal  func(p, q unsafe.Pointer) bool
		offset uintptr
	}
	var parts []part
	fields := as[structType](rt).fields
	for i := range fields {
		if f := t.Underlying().(*types.Struct).Field(i); f.Name() != "_" {
			parts = append(parts, part{equalParts(fields[i].typ, f.Type()), fields[i].offset})
		}
	}
	return func(p, q unsafe.Pointer) bool {
		for _, f := range parts {
			if !f.equal(unsafe.Add(p, f.offset), unsafe.Add(q, f.offset)) {
				return false
			}
		}
		return true
	}
}
