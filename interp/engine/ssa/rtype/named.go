package rtype

import (
	"go/types"
	"reflect"
	"unsafe"
)

// named returns the runtime type of a named type, which may be an instance of a generic type. It is
// the compiled type if there is one. Otherwise it is a new type, laid out immediately and completed
// from the build's queue.
func (ts *Types) named(t *types.Named) *Type {
	if rt := ts.compiled(t); rt != nil {
		fits(rt.Reflect(), t)
		ts.set(t, rt)
		return rt
	}
	if t.Obj().Pkg() == nil || t.TypeParams().Len() != t.TypeArgs().Len() {
		fail("%s has no run-time type", t)
	}
	under := t.Underlying()
	blk := ts.newBlock(t, t, under)
	ts.set(t, blk.typ)
	rt := blk.typ
	switch u := under.(type) {
	case *types.Struct:
		ts.later(func() { ts.completeStruct(rt, u) })
	case *types.Interface:
		ts.later(func() { ts.completeInterface(rt, u) })
	case *types.Basic:
	default:
		ts.later(func() { ts.completeFrom(rt, u) })
	}
	ts.later(func() { ts.addMethods(blk) })
	return rt
}

// completeFrom copies the part of a descriptor after the common part from the underlying type.
func (ts *Types) completeFrom(rt *Type, under types.Type) {
	src := ts.of(under)
	switch reflect.Kind(rt.kind) {
	case reflect.Array:
		copyTail[arrayType](rt, src)
	case reflect.Chan:
		copyTail[chanType](rt, src)
	case reflect.Map:
		copyTail[mapType](rt, src)
	case reflect.Pointer:
		copyTail[ptrType](rt, src)
	case reflect.Slice:
		copyTail[sliceType](rt, src)
	case reflect.Func:
		copyTail[funcType](rt, src)
		to, from := funcParams(rt), funcParams(src)
		copy(to, from)
	}
}

// copyTail copies a descriptor of the kind D, but keeps the common part.
func copyTail[D any](dst, src *Type) {
	common := *dst
	*(*D)(unsafe.Pointer(dst)) = *(*D)(unsafe.Pointer(src))
	*dst = common
}

// funcParams returns the parameter and result types of a func type, which follow its descriptor and
// uncommon part.
func funcParams(t *Type) []*Type {
	ft := (*funcType)(unsafe.Pointer(t))
	at := unsafe.Sizeof(*ft)
	if t.tflag&tflagUncommon != 0 {
		at += unsafe.Sizeof(uncommon{})
	}
	n := int(ft.inCount) + int(ft.outCount&(1<<15-1))
	if n == 0 {
		return nil // the address of an empty list may be outside the allocation
	}
	return unsafe.Slice((**Type)(unsafe.Add(unsafe.Pointer(t), at)), n)
}
