package check

import (
	"go/types"
	"reflect"
	"unsafe"
)

// DropLastMethod undoes an AddMethod, because a cell that fails the check must leave no trace.
// go/types has no function for this. DropLastMethod reports whether it has removed the method. It
// changes nothing if the method is not the last one, or if go/types keeps methods in a field of
// another type.
func DropLastMethod(named *types.Named, m *types.Func) bool {
	f := reflect.ValueOf(named).Elem().FieldByName("methods")
	if !f.IsValid() || f.Type() != reflect.TypeFor[[]*types.Func]() {
		return false
	}
	methods := (*[]*types.Func)(unsafe.Pointer(f.UnsafeAddr()))
	if n := len(*methods); n > 0 && (*methods)[n-1] == m {
		*methods = (*methods)[:n-1]
		return true
	}
	return false
}
