package outcall

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// call calls f, a func value, with arguments from a frame. It returns the result, and whether the
// arguments were passed in registers.
func call(f any, args ...any) (any, bool) {
	l := layout.New(0, 0)
	t := reflect.TypeOf(f)
	var in []layout.Slot
	for i := range args {
		in = append(in, l.Place(rtype.TypeOf(t.In(i))))
	}
	res := []layout.Slot{l.Place(rtype.TypeOf(t.Out(0)))}
	shape := l.Shape()
	fp := unsafe.Add(rtype.Alloc(shape.Type), shape.Start)
	at := func(s layout.Slot) reflect.Value {
		return reflect.NewAt(s.Type.Reflect(), unsafe.Add(fp, s.Off)).Elem()
	}
	for i, s := range in {
		at(s).Set(reflect.ValueOf(args[i]))
	}
	Call(t, in, res)(fp, layout.FuncWord(reflect.ValueOf(f)))
	return at(res[0]).Interface(), ByRegisters(in, []reflect.Type{t.Out(0)}, res) != nil
}

type (
	tail   struct{ A, B int }
	padded struct {
		A int
		Z struct{}
	}
	inside struct {
		A int8
		P padded
	}
	small struct {
		A, B int8
		F    float32
	}
)

//go:noinline
func sumPadded(a, b padded, c, d int) int {
	runtime.Gosched() // the arguments are spilled to the caller's space during this
	return a.A + 10*b.A + 100*c + 1000*d
}

func TestCall(t *testing.T) {
	for _, test := range []struct {
		name      string
		f         any
		args      []any
		want      any
		registers bool
	}{
		{"words", func(a tail, c int) int { return a.A + 10*a.B + 100*c }, []any{tail{1, 2}, 3}, 321, true},
		{"parts of a word", func(a small, c int8) float32 { return float32(a.A) + float32(a.B) + a.F + float32(c) }, []any{small{1, 2, .5}, int8(4)}, float32(7.5), true},
		{"a last field without size", sumPadded, []any{padded{A: 1}, padded{A: 2}, 3, 4}, 4321, false},
		{"one inside", func(a inside, c int) int { return int(a.A) + 10*a.P.A + 100*c }, []any{inside{1, padded{A: 2}}, 3}, 321, false},
		{"arrays", func(a [2]int, c int) int { return a[0] + a[1] + c }, []any{[2]int{1, 2}, 3}, 6, false},
		{"variadic", func(a string, more ...int) int { return len(a) + len(more) }, []any{"abc", []int{1, 2}}, 5, true},
	} {
		got, registers := call(test.f, test.args...)
		if got != test.want || registers != test.registers {
			t.Errorf("%s: %v, by registers %v; want %v, %v", test.name, got, registers, test.want, test.registers)
		}
	}
}
