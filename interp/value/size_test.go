package value

import (
	"reflect"
	"testing"
	"unsafe"
)

type node struct {
	next *node
	name string
}

func TestSize(t *testing.T) {
	ring := &node{name: "ring"}
	ring.next = ring
	shared := make([]float64, 1000)
	for _, tt := range []struct {
		name string
		v    any
		want int64
	}{
		{"int", 1, 8},
		{"string", "four", 16 + 4},
		{"slice", shared, 24 + 8000},
		{"room of a slice", make([]float64, 1, 10), 24 + 80},
		{"rows that are the same", [][]float64{shared, shared}, 24 + 2*24 + 8000},
		{"array", [3]int32{}, 12},
		{"ring", ring, 8 + int64(unsafe.Sizeof(node{})) + 4},
		{"interface", []any{1.5, "ab"}, 24 + 2*16 + 8 + 16 + 2},
		{"nil", (*node)(nil), 8},
		{"map", map[string]int{"a": 1, "bc": 2}, 8 + 2*(16+8+1)*8/7 + 3},
		{"struct", struct {
			a byte
			b []byte
		}{1, []byte("xyz")}, 32 + 3},
	} {
		if got, whole := Size(reflect.ValueOf(tt.v)); got != tt.want || !whole {
			t.Errorf("%s: %d bytes, whole: %v, want %d", tt.name, got, whole, tt.want)
		}
	}
	if got, whole := Size(reflect.ValueOf(make([]*node, 300_000))); whole || got < 8*300_000 {
		t.Errorf("300,000 pointers: %d bytes, whole: %v, want at least those of the pointers, and not whole", got, whole)
	}
}
