package check

import (
	"go/types"
	"reflect"
	"unsafe"
)

// DropLastMethod undoes an AddMethod, for which go/types has no way: a cell that does
// not check must leave no trace. It changes nothing, and reports so, unless the method
// is the last one and the field is what it is in the Go that this was written for.
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
