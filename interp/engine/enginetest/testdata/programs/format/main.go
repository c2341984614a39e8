// Program format prints declared types of any depth with package fmt.
package main

import (
	"fmt"
	"os"
)

type Celsius float64

func (c Celsius) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }

type point struct{ X, Y int }

func (p point) String() string { return fmt.Sprintf("(%d|%d)", p.X, p.Y) }

type secret string

func (secret) Format(f fmt.State, verb rune) {
	w, ok := f.Width()
	fmt.Fprintf(f, "<%c %d %t %t>", verb, w, ok, f.Flag('+'))
}

type goer struct{ n int }

func (g goer) GoString() string { return fmt.Sprintf("goer!%d", g.n) }

type byPointer struct{ n int }

func (b *byPointer) String() string { return fmt.Sprint("ptr ", b.n) }

type boom struct{}

func (boom) String() string { panic("no string") }

type nilSafe struct{ n int }

func (n *nilSafe) Error() string { return fmt.Sprint("error ", n.n) }

type tree struct {
	left, right *tree
	value       Celsius
	Temp        Celsius
	labels      map[string]point
	Labels      map[string]point
	any         any
	Any         any
	f           func()
	ch          chan point
}

type level int

const (
	low level = iota
	high
)

func (l level) String() string { return [...]string{"low", "high"}[l] }

type grid [2][2]level
type list []Celsius
type alias = map[level]list
type generic[K comparable, V any] struct {
	Key K
	Val V
	in  []generic[K, V]
}

func main() {
	t := tree{value: 1, Temp: 2, labels: map[string]point{"a": {1, 2}}, Labels: map[string]point{"b": {3, 4}}, any: point{5, 6}, Any: point{7, 8}}
	t.left = nil
	vs := []any{
		Celsius(21.5), point{1, 2}, &point{3, 4}, []point{{1, 2}, {3, 4}}, map[point]Celsius{{1, 2}: 3},
		[]*byPointer{}, byPointer{1}, &byPointer{2}, []any{Celsius(1), point{}, nil, "s", high},
		t, grid{{low, high}, {high, low}}, list{1, 2}, alias{low: {3}, high: nil},
		generic[string, point]{"k", point{1, 1}, []generic[string, point]{{"n", point{}, nil}}},
		struct {
			A Celsius
			b point
			C any
		}{1, point{1, 1}, high},
		goer{3}, []goer{{4}}, map[string]goer{"x": {5}}, [2]bool{true}, (*point)(nil), (*nilSafe)(nil),
		error(&nilSafe{3}), [3]byte{1, 2, 3}, []byte("hi"), level(1), &[]int{1}, &map[string]int{"a": 1}, &struct{ P *int }{},
		complex(1, -2), int8(-4), uintptr(9), 'x', func() error { return nil } == nil,
	}
	for _, v := range vs {
		fmt.Printf("%v ¦ %+v ¦ %T\n", v, v, v)
	}
	for _, v := range vs[:9] {
		fmt.Printf("%#v\n", v)
	}
	fmt.Printf("%#v %#v %#v\n", goer{1}, []goer{{2}}, generic[level, *int]{})
	fmt.Printf("%s %d %x %q %8.2f|%-10v|%10v|%06d\n", point{1, 2}, point{1, 2}, Celsius(3), point{1, 2}, Celsius(2), high, high, high)
	fmt.Printf("%v %+8s %T\n", secret("s"), secret("s"), secret("s"))
	fmt.Println(boom{})
	mistaken := "%d %s %v %!\n"
	fmt.Printf(mistaken, "x", 3, []any{boom{}, 1})
	fmt.Printf("%T %T %T %T %T\n", main, t.f, t.ch, struct{ X, y int }{}, []interface{ M(int) string }{})
	fmt.Printf("%v %v\n", fmt.Sprint(point{1, 2}, Celsius(1), "a", "b", 1, 2), fmt.Sprintln(high, nil))
	fmt.Fprintln(os.Stdout, fmt.Errorf("wrapped %w and %w", &nilSafe{1}, os.ErrNotExist))
	var e error
	var s fmt.Stringer = high
	fmt.Printf("%v %T %v %T\n", e, e, s, s)
	type local struct{ n level }
	fmt.Printf("%v %T %T\n", local{high}, local{}, map[local][]local{})
}
