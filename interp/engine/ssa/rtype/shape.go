package rtype

import (
	"go/types"
	"reflect"
	"strconv"
	"unsafe"
)

// shape returns a type with the size, alignment, pointer words and comparison of t, but without the
// types to which t may refer recursively. A placeholder replaces the types of pointer targets and
// slice elements. shape always terminates, since a type cannot contain itself by value. Because of
// shape, a named type has its final layout before any of the types in it exist.
func (ts *Types) shape(t types.Type) reflect.Type {
	t = types.Unalias(t)
	if rt, ok := ts.canon.At(t).(*Type); ok {
		return rt.Reflect()
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicTypes[u.Kind()]
	case *types.Pointer:
		return shapePointer
	case *types.Chan:
		return shapeChan
	case *types.Slice:
		return shapeSlice
	case *types.Map:
		return shapeMap
	case *types.Signature:
		return shapeFunc
	case *types.Interface:
		if u.NumMethods() == 0 {
			return anyType
		}
		return errorType
	case *types.Array:
		if int64(int(u.Len())) != u.Len() {
			fail("%s is too large", t)
		}
		return reflect.ArrayOf(int(u.Len()), ts.shape(u.Elem()))
	case *types.Struct:
		if n, ok := t.(*types.Named); ok {
			if rt := ts.compiled(n); rt != nil {
				return rt.Reflect()
			}
		}
		return ts.structShape(u)
	}
	fail("%s has no run-time type", t)
	return nil
}

func (ts *Types) structShape(t *types.Struct) reflect.Type {
	if rt := ts.hidden(t); rt != nil {
		return rt
	}
	fields := make([]reflect.StructField, t.NumFields())
	for i := range fields {
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: ts.shape(t.Field(i).Type())}
	}
	return reflect.StructOf(fields)
}

var (
	shapePointer = reflect.TypeFor[*unsafe.Pointer]()
	shapeChan    = reflect.TypeFor[chan int]()
	shapeSlice   = reflect.TypeFor[[]unsafe.Pointer]()
	shapeMap     = reflect.TypeFor[map[int]int]()
	shapeFunc    = reflect.TypeFor[func()]()
	anyType      = reflect.TypeFor[any]()
	errorType    = reflect.TypeFor[error]()
)
