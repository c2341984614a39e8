// Calls of small functions, which an engine may make part of their callers.
package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

type point struct{ x, y int }

func (p point) plus(q point) point { return point{p.x + q.x, p.y + q.y} }

func (p *point) move(dx, dy int) {
	p.x += dx
	p.y += dy
}

func (p *point) get() int { return p.x }

func swap(a, b int) (int, int) { return b, a }

func divide(a, b int) (q, r int, err error) {
	if b == 0 {
		return 0, 0, errors.New("division by zero")
	}
	return a / b, a % b, nil
}

func quotient(a, b int) int { return a / b }

func sign(x float64) int {
	if x < 0 {
		return -1
	} else if x > 0 {
		return 1
	}
	return 0
}

func at(s []int, i int) int { return s[i] }

func put(s []int, i, v int) { s[i] = v }

func double(n int) int {
	n *= 2
	return n
}

func shorten(s []int) []int {
	s = s[:len(s)-1]
	s[0]++
	return s
}

func first(m map[string]int, k string) (int, bool) {
	v, ok := m[k]
	return v, ok
}

func pick[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

func norm(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

func must(ok bool) {
	if !ok {
		panic("must")
	}
}

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			what, _, _ := strings.Cut(fmt.Sprint(r), " [")
			fmt.Println(name, "panics:", what)
		}
	}()
	f()
}

// order notes in which order arguments are evaluated.
type order struct{ log []string }

func (o *order) note(name string, v int) int {
	o.log = append(o.log, name)
	return v
}

func sub(a, b int) int { return a - b }

func main() {
	// The result goes where an argument came from.
	a, b := 1, 2
	for range 3 {
		a, b = swap(a, b)
		a = double(a)
	}
	fmt.Println(a, b)
	x := 3.0
	for i := 0; i < 3; i++ {
		x = norm(x, x)
	}
	fmt.Println(x)

	// Structs by value and by pointer.
	p, q := point{1, 2}, point{3, 4}
	r := p.plus(q).plus(p)
	p.move(10, 20)
	fmt.Println(p, q, r, p.plus(p) == point{22, 44})

	// Several results, of which some are wanted.
	for _, d := range []int{0, 3} {
		n, _, err := divide(7, d)
		_, m, _ := divide(7, d)
		fmt.Println(n, m, err)
	}
	fmt.Println(sign(-2), sign(0), sign(math.Inf(1)), sign(math.NaN()))
	fmt.Println(pick(true, "a", "b"), pick(false, 1, 2), pick(true, p, q))
	v, ok := first(map[string]int{"k": 1}, "k")
	w, none := first(nil, "k")
	fmt.Println(v, ok, w, none)

	// A parameter that is assigned to is not the argument.
	s := []int{1, 2, 3}
	t := shorten(s)
	n := 5
	fmt.Println(double(n), n, s, t, len(s))

	// Arguments in order, and with what earlier ones have changed.
	var o order
	fmt.Println(sub(o.note("a", 1), o.note("b", 2))-sub(o.note("c", 3), o.note("d", 4)), o.log)
	i := 0
	next := func() int { i++; return i }
	fmt.Println(sub(next(), next()), sub(next(), 10))
	put(s, sub(next(), 4), sub(s[1], s[2])*10)
	fmt.Println(s)

	// Closures share their variables.
	total := 0
	add := func(k int) int { total += k; return total }
	twice := func(k int) { total += 2 * k }
	for k := range 4 {
		if add(k)%2 == 1 {
			twice(add(1) + at(s, 0))
		}
	}
	fmt.Println(total)

	// Panics, also where nobody wants the result.
	try("an index", func() { fmt.Println(at(s, sub(1, 2))) })
	try("an unwanted index", func() { at(s, 9) })
	try("a division", func() { fmt.Println(1 + quotient(n, sub(n, 5))) })
	try("a nil receiver", func() { (*point)(nil).move(1, 1) })
	try("a nil receiver's field", func() { var p *point; fmt.Println(p.get() + 1) })
	try("a panic", func() { must(n > 4); must(n > 5); fmt.Println("never") })
	try("a store", func() { put(s, 3, at(s, 0)) })
	try("a nil map", func() { func(m map[int]int) { m[1] = 2 }(nil) })
	func() {
		defer func() { fmt.Println(recover() != nil, total) }()
		total = 7
		total += quotient(total, len(s)-len(s))
	}()
}
