// Program assignments assigns several values at once, in every order that the
// specification distinguishes, and ranges over strings.
package main

import "fmt"

const c32a = 0x00aa00dd

func add32a(x uint32) uint32 { return x + c32a }

const alphanum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

type T struct{}

func (T) cplx() complex128 { return complex(1, 0) }
func cp() complex128       { return complex(0, 1) }

func f2() (a, b int) {
	a, b = 1, 2
	return b, a
}

func Keys[K comparable, V any](m map[K]V) []K {
	r := make([]K, 0, len(m))
	for k := range m {
		r = append(r, k)
	}
	return r
}

func keys(m map[int]bool) []int {
	r := make([]int, 0, len(m))
	for k := range m {
		r = append(r, k)
	}
	return r
}
func eq[E comparable](a, b []E) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

type Set[E comparable] struct{ m map[E]struct{} }

func (s Set[E]) Values() []E {
	r := make([]E, 0, len(s.m))
	for v := range s.m {
		r = append(r, v)
	}
	return r
}

func main() {
	tests := []struct{ x uint32 }{{0x11111111}}
	for _, test := range tests {
		want := test.x + 0x00aa00dd
		fmt.Println(add32a(test.x) == want, want)
	}
	var bytes = []byte{10, 20, 30}
	for i, b := range bytes {
		bytes[i] = alphanum[b%byte(len(alphanum))]
	}
	fmt.Println(bytes)
	for _, b := range bytes {
		switch {
		case '0' <= b && b <= '9', 'A' <= b && b <= 'Z':
			fmt.Println("ok")
		default:
			fmt.Println("bad")
		}
	}
	fmt.Println(T{}.cplx(), real(cp()), cp())
	n := 0
	for range "abc" {
		n++
	}
	for _ = range "abc" {
		n++
	}
	for _, _ = range "abc" {
		n++
	}
	fmt.Println(n)
	fmt.Println(f2())
	m := map[int]int{0: 1}
	i := 0
	i, m[i] = 1, 2
	fmt.Println(i, m)
	a := []int{1, 2, 3}
	i = 0
	i, a[i] = 2, 9
	fmt.Println(i, a)
	a[0], a[1] = a[1], a[0]
	fmt.Println(a)
	x, y, z := 1, 2, 3
	x, y, z = y, z, x
	fmt.Println(x, y, z)
	for i, j := 0, 2; i < j; i, j = i+1, j-1 {
		a[i], a[j] = a[j], a[i]
	}
	fmt.Println(a)
	s := "a\xc0b"
	for i, c := range s {
		fmt.Println(i, c)
	}
	var neg float64
	neg = -neg
	fmt.Println(1/neg, neg-0)
	var e1 error
	b := 5
	g := func() int { b--; return -b }
	var p, q int
	p, b, q = g(), g(), g()
	fmt.Println(p, b, q, e1)
	set := Set[int]{map[int]struct{}{1: {}}}
	if vals, want := set.Values(), []int{1}; !eq(vals, want) {
		fmt.Println("bad", vals, want)
	}
	fmt.Println(Keys(map[int]bool{1: true}), keys(map[int]bool{2: true}))
}
