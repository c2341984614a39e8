package rtype

import (
	"go/types"
	"unsafe"
)

// setEqual sets how values of a struct or an array are compared and hashed. Package reflect, which
// makes the shape rt of the type, compares blank fields, and compares each field by a call.
func (ts *Types) setEqual(rt *Type, t types.Type) {
	if rt.equal == nil {
		return
	}
	rt.tflag &^= tflagRegularMemory
	switch {
	case ts.isRegular(rt, t):
		rt.tflag |= tflagRegularMemory
		rt.equal = equalMemory(rt.size)
	case ts.hasBlank(t):
		rt.equal = ts.equalParts(rt, t)
	}
}

// isCompiled reports whether t is a type of compiled code. Its export data may lack fields.
func (ts *Types) isCompiled(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return ts.compiled(t) != nil
	case *types.Struct:
		return ts.hidden(t) != nil
	}
	return false
}

// isRegular reports whether two values of type t, whose shape is rt, are equal exactly if their
// memory is equal.
func (ts *Types) isRegular(rt *Type, t types.Type) bool {
	if ts.isCompiled(t) {
		return rt.tflag&tflagRegularMemory != 0
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return ts.isRegular(as[arrayType](rt).elem, u.Elem())
	case *types.Struct:
		used := uintptr(0)
		for i, part := range as[structType](rt).fields {
			if f := u.Field(i); f.Name() == "_" || !ts.isRegular(part.typ, f.Type()) {
				return false
			}
			used += part.typ.size
		}
		return used == rt.size
	}
	return false
}

// hasBlank reports whether values of type t contain blank fields that their shape compares.
func (ts *Types) hasBlank(t types.Type) bool {
	if ts.isCompiled(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return ts.hasBlank(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" || ts.hasBlank(f.Type()) {
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
func (ts *Types) equalParts(rt *Type, t types.Type) func(p, q unsafe.Pointer) bool {
	if !ts.hasBlank(t) {
		return rt.equal
	}
	if array, ok := t.Underlying().(*types.Array); ok {
		elem := as[arrayType](rt).elem
		equal, size, n := ts.equalParts(elem, array.Elem()), elem.size, uintptr(array.Len())
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
			parts = append(parts, part{ts.equalParts(fields[i].typ, f.Type()), fields[i].offset})
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
