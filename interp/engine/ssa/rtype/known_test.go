package rtype

import (
	"reflect"
	"testing"
)

func TestAssertionError(t *testing.T) {
	if !assertionErrors() {
		t.Fatal("runtime.TypeAssertionError is not what it is known to be: see assertion.go")
	}
	static, have, want := TypeOf(anyType), TypeOf(reflect.TypeFor[int]()), TypeOf(reflect.TypeFor[string]())
	for _, have := range []*Type{have, nil} {
		real, other := newAssertionError(static, have, want), otherAssertionError{static, have, want}
		if real.Error() != other.Error() {
			t.Errorf("got %q, the runtime has %q", other, real)
		}
	}
}
