// Variables of struct and array types, which an engine may compute in place.
package main

import (
	"fmt"
	"strings"
)

type pair struct{ a, b int }

type mixed struct {
	name string
	at   pair
	next *mixed
}

type shape interface{ area() float64 }

type square struct{ side float64 }

type box struct {
	square
	w, h, d float64
	label   string
}

func (s square) area() float64 { s.side *= s.side; return s.side }

func (b box) area() float64 { b.w += b.h; return b.w * b.d }

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			what, _, _ := strings.Cut(fmt.Sprint(r), " [")
			fmt.Println("panics:", what)
		}
	}()
	f()
}

func fresh(i int) (p pair) {
	var q pair
	if i%2 == 0 {
		q.a = i
	}
	p.b = q.a + 1
	return p
}

var rows = []mixed{{"x", pair{1, 2}, nil}, {"y", pair{3, 4}, nil}}

func changes(p pair, m mixed, a [3]int) (pair, mixed, [3]int) {
	p.a, p.b = p.b, p.a
	m.at, m.name = p, m.name+"!"
	a[1] = p.a
	return p, m, a
}

func main() {
	// Each round has variables of its own.
	for i := range 4 {
		var p pair
		p.b += i
		q := p
		q.a = p.b + 1
		fmt.Print(p, q, fresh(i), " ")
	}
	fmt.Println()

	// A copy is separate from the original.
	s := []pair{{1, 2}, {3, 4}, {5, 6}}
	for i, p := range s {
		q := s[len(s)-1-i]
		s[i] = pair{q.b, p.a}
		p.a = 100
		q.b = 100
	}
	fmt.Println(s)
	x, y := s[0], s[1]
	x, y = y, x
	s[0], s[1] = x, s[0]
	fmt.Println(s, x, y)

	p, a := pair{1, 2}, [3]int{1, 2, 3}
	m := rows[1]
	p2, m2, a2 := changes(p, m, a)
	fmt.Println(p, m.name, m.at, a, p2, m2.name, m2.at, a2)
	r := rows[0]
	r.next = &rows[1]
	r.next.at.a = 7
	t := *r.next
	t.at.b = 9
	fmt.Println(rows[0].next == nil, rows[1].at, t.at)

	// Receivers by value, through interfaces too.
	b := box{square{2}, 1, 2, 3, "b"}
	shapes := []shape{b.square, b, &b, square{5}}
	sum := 0.0
	for range 2 {
		for _, v := range shapes {
			sum += v.area()
		}
	}
	fmt.Println(sum, b)

	// Matrices by rows that change.
	grid := [][]float64{{1, 2}, {3, 4}, {5, 6}}
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] += grid[len(grid)-1-i][j]
			if j == 0 {
				grid[i] = grid[i][:2:2]
			}
		}
	}
	grid[0], grid[2] = grid[2], grid[0]
	fmt.Println(grid)
	names := [][]string{{"a"}, {"b", "c"}}
	for i := range names {
		names[i][0] = names[i][len(names[i])-1] + names[1][1]
	}
	fmt.Println(names)

	// Panics in the middle of a statement.
	i, n := 2, 5
	try(func() { p := s[n]; fmt.Println(p) })
	try(func() { fmt.Println(grid[i][n]) })
	try(func() { fmt.Println(grid[n][i]) })
	try(func() { grid[i][n] = 1 })
	try(func() { grid[n][i] = float64(n) })
	try(func() { var q *mixed; r := *q; fmt.Println(r) })
	try(func() { var v shape; fmt.Println(v.area()) })

	// Strings and switches.
	counts := [5]int{}
	for i, c := range "añbc, e" {
		switch c {
		case 'a':
			counts[0] += i
		case 'b', 'c':
			counts[1] += i
		case 'ñ':
			counts[2] += i
		case 'e', 'f', 'g':
			counts[3] += i
		default:
			counts[4] += i
		}
	}
	fmt.Println(counts)
	for _, k := range []int{-9, 0, 3, 7, 8, 1 << 40} {
		switch k {
		case -9:
			fmt.Print("low ")
		case 3, 4, 5, 6:
			fmt.Print("some ")
		case 8:
			fmt.Print("eight ")
		default:
			fmt.Print(k, " ")
		}
	}
	fmt.Println()
	for range "éa" {
		for i := range "xyz" {
			fmt.Print(i)
		}
	}
	fmt.Println()
}
