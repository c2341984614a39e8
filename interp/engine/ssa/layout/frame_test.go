package layout

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

func typeOf[T any]() *rtype.Type { return rtype.TypeOf(reflect.TypeFor[T]()) }

// A span of one word that is cleared is a pointer. Lengths (which are next to pointers that stay)
// and numbers in structs are not cleared.
func TestClearsArePointers(t *testing.T) {
	l := New(16, 2)
	l.Place(typeOf[int]())
	s := l.Place(typeOf[string]())
	k := l.PlaceConst(typeOf[string]())
	n := l.Place(typeOf[struct {
		N int
		P *int
		M int
	}]())
	l.PlaceConst(typeOf[*int]())
	m := l.Place(typeOf[[]int]())
	want := []Span{{s.Off, s.Off + 8}, {n.Off + 8, n.Off + 16}, {m.Off, m.Off + 8}}
	if diff := cmp.Diff(want, l.Clears()); diff != "" {
		t.Errorf("words to clear (-want +got):\n%s", diff)
	}
	if k.Off != s.Off+16 {
		t.Errorf("the constant is at %d", k.Off)
	}
}

func TestWithout(t *testing.T) {
	got := Without([]Span{{16, 64}}, []Span{{24, 32}, {48, 56}})
	if diff := cmp.Diff([]Span{{16, 24}, {32, 48}, {56, 64}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The runtime sees exactly the pointers of a frame.
func TestShape(t *testing.T) {
	l := New(16, 1)
	l.Place(typeOf[[3]byte]())
	l.Place(typeOf[any]())
	l.Place(typeOf[string]())
	shape := l.Shape()
	if shape.Start != 8 {
		t.Errorf("the header begins at %d, want 8", shape.Start)
	}
	var words []bool
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Struct:
			for f := range t.Fields() {
				visit(f.Type)
			}
		case reflect.Array:
			for range t.Len() {
				visit(t.Elem())
			}
		default:
			words = append(words, t.Kind() == reflect.UnsafePointer)
		}
	}
	visit(shape.Type.Reflect())
	if diff := cmp.Diff([]bool{false, true, false, true, true, true, false}, words); diff != "" {
		t.Errorf("pointers (-want +got):\n%s", diff)
	}
}
