package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"testing"
)

func TestRenew(t *testing.T) {
	w := declare(t, `
type Point struct{ x, y int }
type Line struct { a Point; b *Line }
type Other struct { l []int }
type Namer interface { Name(Point) string }
func (l *Line) First() Point
var m map[string][]Point
`, map[string]func(*Call){"String": func(c *Call) { result(c, 0, "a point") }})
	other := w.typ("Other")
	old := reflect.New(w.typ("Point")).Elem().Interface()
	line := reflect.New(w.typ("Line"))
	if _, ok := old.(fmt.Stringer); ok {
		t.Fatal("Point has a method already")
	}
	oldMap, oldNamer := w.typ("m"), w.typ("Namer")
	_, leftBefore := fmt.Sprint(old, line), StubsLeft()

	named := w.pkg.Scope().Lookup("Point").Type().(*types.Named)
	recv := types.NewVar(0, w.pkg, "p", named)
	str := types.NewVar(0, w.pkg, "", types.Typ[types.String])
	named.AddMethod(types.NewFunc(0, w.pkg, "String", types.NewSignatureType(recv, nil, nil, nil, types.NewTuple(str), false)))
	w.types.Renew(named)

	point := w.typ("Point")
	renewed := reflect.NewAt(point, reflect.New(point).UnsafePointer()).Elem().Interface()
	if got := fmt.Sprint(renewed, []any{renewed}); got != "a point [a point]" {
		t.Errorf("the new method gives %q", got)
	}
	newLine := reflect.NewAt(w.typ("Line"), line.UnsafePointer())
	if got := newLine.Elem().Field(0).Type(); got != point {
		t.Errorf("a field has the type %v", got)
	}
	if w.typ("Line") == line.Type().Elem() || w.typ("m") == oldMap || w.typ("Namer") == oldNamer {
		t.Error("a type that is made of the renewed one has stayed")
	}
	if w.typ("Other") != other {
		t.Error("a type that has nothing to do with it has been renewed")
	}
	for _, old := range []reflect.Type{reflect.TypeOf(old), line.Type(), oldMap, oldNamer} {
		if l := w.types.Latest(TypeOf(old)); l == TypeOf(old) || l.String() != old.String() {
			t.Errorf("%v is not known to have been renewed", old)
		}
	}
	if w.types.Latest(TypeOf(point)) != TypeOf(point) || w.types.Latest(TypeOf(errorType)) != TypeOf(errorType) {
		t.Error("a current type is said to have been renewed")
	}
	if used := leftBefore - StubsLeft(); used != 2 {
		t.Errorf("renewing used %d stubs, want those of the new method", used)
	}
}
