package rtype

import (
	"reflect"
	"sync"
	"unsafe"
)

// PassesOn reports whether a compiled func value only forwards its call. Such func values are
// method values of package reflect, functions that reflect.MakeFunc made, and methods of built
// types. The function that it calls may recover as if it had been called directly.
func PassesOn(fv unsafe.Pointer) bool {
	code := *(*uintptr)(fv)
	return methodAt(code) != nil || code == reflectCode().method || code == reflectCode().made
}

// reflectCode holds the code pointers of the func values of package reflect that forward calls.
var reflectCode = sync.OnceValue(func() (pcs struct{ method, made uintptr }) {
	pcs.method = codeOf(reflect.ValueOf(reflect.Value{}).MethodByName("IsValid"))
	pcs.made = codeOf(reflect.MakeFunc(reflect.TypeFor[func()](), nil))
	return pcs
})

// codeOf returns the code pointer of a func value.
func codeOf(v reflect.Value) uintptr {
	f := v.Interface()
	return *(*uintptr)((*words)(unsafe.Pointer(&f)).data)
}
