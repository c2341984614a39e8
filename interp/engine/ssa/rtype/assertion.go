package rtype

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

// typeAssertionError has the layout of runtime.TypeAssertionError.
type typeAssertionError struct {
	static, have, want *Type
	method             string
}

// AssertionError returns the runtime's error for a failed type assertion. static is the type of the
// operand, and have is the operand's dynamic type, or nil if the operand is nil. If the runtime's
// error cannot be made, AssertionError returns an error with the same text.
func AssertionError(static, have, want *Type) error {
	if !assertionErrors() {
		return otherAssertionError{static, have, want}
	}
	return newAssertionError(static, have, want)
}

func newAssertionError(static, have, want *Type) error {
	e := new(runtime.TypeAssertionError)
	*(*typeAssertionError)(unsafe.Pointer(e)) = typeAssertionError{static, have, want, ""}
	return e
}

// assertionErrors reports whether the runtime's error is as expected: it must have the same fields,
// and a constructed error must have the same text as a raised error.
var assertionErrors = sync.OnceValue(func() (same bool) {
	real, known := reflect.TypeFor[runtime.TypeAssertionError](), reflect.TypeFor[typeAssertionError]()
	if real.Size() != known.Size() || real.NumField() != known.NumField() {
		return false
	}
	for i := range real.NumField() {
		r, k := real.Field(i), known.Field(i)
		if r.Offset != k.Offset || r.Type.Kind() != k.Type.Kind() {
			return false
		}
	}
	defer func() {
		raised, ok := recover().(error)
		made := newAssertionError(TypeOf(anyType), TypeOf(reflect.TypeFor[int]()), TypeOf(reflect.TypeFor[string]()))
		same = ok && raised.Error() == made.Error()
	}()
	var x any = 1
	return x.(string) == ""
})

// otherAssertionError has the text of the runtime's error.
type otherAssertionError struct{ static, have, want *Type }

func (otherAssertionError) RuntimeError() {}

func (e otherAssertionError) Error() string {
	static := "interface"
	if e.static != nil {
		static = e.static.String()
	}
	if e.have == nil {
		return fmt.Sprintf("interface conversion: %s is nil, not %v", static, e.want)
	}
	return fmt.Sprintf("interface conversion: %s is %v, not %v", static, e.have, e.want)
}
