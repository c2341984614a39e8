package rtype

import (
	"reflect"
	"sync"
	"unsafe"
)

// PassesOn reports whether a compiled func value does nothing but pass its call
// on: a method value or a made function of package reflect, or a method of a
// built type. What it comes to may recover as if it had been called itself.
func PassesOn(fv unsafe.Pointer) bool {
	code := *(*uintptr)(fv)
	return methodAt(code) != nil || code == reflectCode().method || code == reflectCode().made
}

// reflectCode has the code pointers of the func values of package reflect that
// pass calls on.
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
