package rtype

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
)

const pointSource = `
type Point struct { X, Y int; name string }
func (p Point) String() string
func (p *Point) Move(dx int, factor float64) (int, error)
func (p Point) rows(a [3]int) [2]string
`

type point struct {
	X, Y int
	name string
}

var errMoved = errors.New("moved")

var pointMethods = map[string]func(*Call){
	"String": func(c *Call) {
		p := arg[point](c, 0)
		result(c, 0, fmt.Sprintf("(%d, %d)", p.X, p.Y))
	},
	"Move": func(c *Call) {
		p, dx, factor := arg[*point](c, 0), arg[int](c, 1), arg[float64](c, 2)
		p.X += int(float64(dx) * factor)
		result(c, 0, p.X)
		result(c, 1, errMoved)
	},
	"rows": func(c *Call) {
		a := arg[[3]int](c, 1)
		result(c, 0, [2]string{fmt.Sprint(a), arg[point](c, 0).name})
	},
}

func TestMethodsFromCompiledCode(t *testing.T) {
	w := declare(t, pointSource, pointMethods)
	v := reflect.New(w.typ("Point"))
	v.Elem().Field(0).SetInt(3)
	v.Elem().Field(1).SetInt(4)

	if got, want := fmt.Sprint(v.Elem().Interface(), v.Interface(), []any{v.Elem().Interface()}), "(3, 4) (3, 4) [(3, 4)]"; got != want {
		t.Errorf("fmt prints %s, want %s", got, want)
	}
	m, ok := v.Interface().(interface {
		Move(int, float64) (int, error)
	})
	if !ok {
		t.Fatalf("*Point has no method Move")
	}
	if x, err := m.Move(5, 1.4); x != 10 || err != errMoved {
		t.Errorf("Move gave %d, %v", x, err)
	}
	if _, ok := v.Elem().Interface().(interface {
		Move(int, float64) (int, error)
	}); ok {
		t.Error("Point has the method of *Point")
	}
	out := v.Elem().Type().Method(0).Func.Call([]reflect.Value{v.Elem()})
	if got := out[0].String(); got != "(10, 4)" {
		t.Errorf("method expression gave %s", got)
	}
}
