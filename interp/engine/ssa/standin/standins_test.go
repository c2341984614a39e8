package standin

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
)

// Values without handles are dropped, and values with handles stay.
func TestUniqueValuesAreForgotten(t *testing.T) {
	var u uniqueValues
	kept := u.handle(reflect.ValueOf("kept"))
	nothing := u.handle(reflect.ValueOf(struct{}{}))
	const n = 1000
	for i := range n {
		u.handle(reflect.ValueOf(fmt.Sprint(i)))
	}
	count := func() int {
		u.mu.Lock()
		defer u.mu.Unlock()
		return len(u.copies)
	}
	for i := 0; count() > 3; i++ {
		if runtime.GC(); i == 1000 {
			t.Fatalf("%d of %d are kept", count(), n)
		}
	}
	if u.handle(reflect.ValueOf("kept")) != kept || u.handle(reflect.ValueOf(struct{}{})) != nothing {
		t.Error("a value has another handle")
	}
	if got := *(*string)(kept); got != "kept" {
		t.Errorf("got %q", got)
	}
}
