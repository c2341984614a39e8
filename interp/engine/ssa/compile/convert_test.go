package compile

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// unsafe.Pointer(u) sets a slot that the garbage collector scans. While the collector marks, the
// store needs a write barrier, like all stores of pointers. The op must therefore be the op that
// moves pointers; ops that move numbers have no barrier.
func TestPointersOfNumbersAreTold(t *testing.T) {
	l := layout.New(8, 0)
	p := l.Place(rtype.TypeOf(reflect.TypeFor[unsafe.Pointer]()))
	u := l.Place(rtype.TypeOf(reflect.TypeFor[uintptr]()))
	c := &body{}
	code := func(o op) uintptr { return reflect.ValueOf(o).Pointer() }
	pointers, numbers := code(movePointer(0, 0)), code(move[uint64](0, 0))
	if pointers == numbers {
		t.Fatal("the ops that move pointers and numbers are one")
	}
	if got := code(c.convertInstr(p, u)); got != pointers {
		t.Error("a pointer made of a number is set behind the collector's back")
	}
	if got := code(c.convertInstr(p, p)); got != pointers {
		t.Error("a pointer made of a pointer is set behind the collector's back")
	}
	if got := code(c.convertInstr(u, p)); got == pointers {
		t.Error("a number made of a pointer is set as a pointer")
	}
}
