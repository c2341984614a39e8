package rtype

import (
	"go/types"
	"reflect"
	"runtime"
)

// sizes is the memory layout of compiled code.
var sizes = types.SizesFor("gc", runtime.GOARCH)

// fits ends the build if a compiled type differs from the type that the checker knows. Otherwise,
// code for the checker's type would read and write the wrong fields. The types differ if the export
// data belongs to another version of the package than the linked code.
func fits(rt reflect.Type, t *types.Named) {
	if misfit := differs(rt, t.Underlying()); misfit != "" {
		fail("%s is not the type that cells are checked against: %s", rt, misfit)
	}
}

// differs describes how a compiled type differs from t in its own layout and methods. It returns ""
// if it does not differ.
func differs(rt reflect.Type, t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		if basicTypes[t.Kind()].Kind() != rt.Kind() {
			return "it is a " + rt.Kind().String()
		}
	case *types.Interface:
		if rt.Kind() != reflect.Interface || rt.NumMethod() != t.NumMethods() {
			return "it has other methods"
		}
		for i, m := range methodsOf(t) {
			if rt.Method(i).Name != m.Name() {
				return "it has no method " + m.Name()
			}
		}
	case *types.Struct:
		return differsStruct(rt, t)
	}
	return ""
}

func differsStruct(rt reflect.Type, t *types.Struct) string {
	if rt.Kind() != reflect.Struct || rt.NumField() != t.NumFields() {
		return "it has other fields"
	}
	fields := make([]*types.Var, t.NumFields())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	offsets := sizes.Offsetsof(fields)
	for i, f := range fields {
		if rf := rt.Field(i); rf.Name != f.Name() || int64(rf.Offset) != offsets[i] {
			return "its field " + rf.Name + " is at another offset"
		}
	}
	if int64(rt.Size()) != sizes.Sizeof(t) {
		return "it has another size"
	}
	return ""
}
