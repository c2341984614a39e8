// Comparison and hashing of declared types, as keys of maps and in interfaces.
package main

import (
	"fmt"
	"math"
	"sort"
)

type id string
type key struct {
	a int
	b string
	_ float64
	c any
}
type floats struct{ x, y float64 }
type arr [2]id
type shape interface{ area() float64 }
type sq struct{ s float64 }

func (s sq) area() float64 { return s.s * s.s }

type ptr struct{ p *int }
type nest struct {
	k key
	m interface{ area() float64 }
	f floats
	c chan int
}
type bad struct{ f []int }

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
			_, ok := r.(error)
			fmt.Println(ok)
		}
	}()
	f()
}

func main() {
	m := map[any]int{}
	n := 1
	c := make(chan int)
	vals := []any{id("x"), "x", key{a: 1, b: "b", c: id("c")}, key{a: 1, b: "b", c: "c"}, floats{0, 1}, arr{"p", "q"},
		sq{2}, &n, ptr{&n}, nest{key{c: 3}, sq{1}, floats{1, 2}, c}, 1, int8(1), uint(1), 1.0, 'x', [2]string{"p", "q"},
		struct{ a int }{1}, struct{ a, b int }{1, 2}, nil, true, complex(1, 2), [0]int{}, struct{}{}}
	for i, v := range vals {
		m[v] = i
	}
	for i, v := range vals {
		if m[v] != i {
			fmt.Println("lost", i, v)
		}
	}
	fmt.Println(len(m), m[key{a: 1, b: "b", c: id("c")}], m[floats{math.Copysign(0, -1), 1}], m[struct{ a int }{1}])
	_, ok := m[key{a: 2}]
	fmt.Println(ok)
	byShape := map[shape]string{sq{1}: "one", sq{2}: "two"}
	fmt.Println(byShape[sq{2}], byShape[nil] == "")
	nan := map[floats]int{}
	for range 3 {
		nan[floats{math.NaN(), 0}]++
	}
	fmt.Println(len(nan))
	byKey := map[key]int{}
	for i := range 1000 {
		byKey[key{a: i % 7, b: fmt.Sprint(i % 3), c: i % 2}] += i
	}
	var sums []int
	for _, v := range byKey {
		sums = append(sums, v)
	}
	sort.Ints(sums)
	fmt.Println(len(byKey), sums[0], sums[len(sums)-1])
	fmt.Println(any(id("x")) == any("x"), any(sq{1}) == shape(sq{1}), any(arr{"a"}) == any(arr{"a"}), any(1) == any(1.0))
	var s1, s2 shape
	fmt.Println(s1 == s2, s1 == nil, s1 == shape(sq{}))
	try("slice key", func() { m[[]int{1}] = 1 })
	try("bad key", func() { m[bad{}] = 1 })
	try("compare", func() { fmt.Println(any(bad{}) == any(bad{})) })
	try("func", func() { fmt.Println(any(main) == any(main)) })
	try("nil map", func() { var z map[id]int; z["a"] = 1 })
	big := map[[40]int64]nest{}
	big[[40]int64{39: 7}] = nest{f: floats{1, 2}}
	fmt.Println(big[[40]int64{39: 7}].f, len(big))
	clear(big)
	fmt.Println(len(big))
}
