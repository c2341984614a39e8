//go:build linux && (amd64 || arm64)

package ssa_test

import "maps"

func init() { maps.Copy(nativePrograms, inlinePrograms) }

// inlinePrograms call functions that the JIT compiler inlines in part or in other inlined calls.
var inlinePrograms = map[string]string{
	"append in inlined methods": `
type stack[T any] struct { n int; items []T; last *T }
func (s *stack[T]) push(x T) { s.n++; s.items = append(s.items, x); s.last = &s.items[len(s.items)-1] }
func (s *stack[T]) add(x T) { s.n += 2; s.items = append(s.items, x) }
func (s *stack[T]) pop() (x T, ok bool) {
	if len(s.items) == 0 { return x, false }
	x = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}
func (s *stack[T]) peek() T { return s.items[len(s.items)-1] }
type pair struct { a int; b string }
type wide struct { a, b, c, d, e, f, g, h, i, j int }
func work(n int) (sum int, text string) {
	var ints stack[int]; var texts stack[string]; var pairs stack[pair]; var small stack[int8]; var wides stack[wide]; var refs stack[*int]
	for i := range n {
		ints.push(i); ints.add(i * 3); texts.add("x"[:i%2]); pairs.add(pair{i, "yz"}); pairs.push(pair{b: "w"}); small.add(int8(i)); small.add(int8(i + 1)); wides.add(wide{c: i}); refs.add(&sum)
		if i%3 == 0 {
			x, ok := ints.pop(); sum += x; if !ok { sum++ }
			s, _ := texts.pop(); text += s
			p, _ := pairs.pop(); sum += len(p.b) + p.a
			_, ok = small.pop(); if !ok { sum-- }
			w, _ := wides.pop(); sum += w.c + wides.n
			r, _ := refs.pop(); *r += 1
		}
		sum += ints.peek() + int(small.peek()) + *ints.last
	}
	for { x, ok := ints.pop(); if !ok { break }; sum = sum*3 + x }
	for { x, ok := small.pop(); if !ok { break }; sum = sum*3 + int(x) }
	return sum + ints.n + texts.n + len(pairs.items) + cap(small.items)*0, text
}
func main() { println(work(500)); println(work(0)) }`,
	"appends to nil, to shared arrays and to themselves": `
type box struct { l []int; m []int; f []float64; all [][]int }
func (b *box) put(x int) { b.l = append(b.l, x) }
func (b *box) cross(x int) { b.m = append(b.l, x) }
func (b *box) twice(x int) { b.l = append(b.l, x); b.m = append(b.m, x+1) }
func (b *box) nest(x []int) { b.all = append(b.all, x) }
func grown(l []int, x int) []int { return append(l, x) }
func fresh(x int) []int { return append([]int(nil), x) }
func work(n int) (s int) {
	b := &box{l: make([]int, 0, 5)}
	for i := range n {
		b.put(i); b.cross(-i); s += b.m[len(b.m)-1] * i
		b.twice(i); b.nest(b.l); b.nest(fresh(i))
		b.m = grown(b.m[:0], s)
		s = s%100003 + len(b.l) + len(b.all[i]) + b.all[2*i+1][0] + b.m[0]
	}
	return
}
func main() { println(work(300)) }`,
	"stores before checks in inlined calls": `
import "fmt"
type account struct { balance int; history []int; other *account; count int8; name string; limits [3]int }
func (a *account) deposit(x int) { a.balance += x; a.count++; a.history = append(a.history, x) }
func (a *account) move(x int) { a.balance -= x; a.other.balance += x; a.count++ }
func (a *account) both(x int) int { a.balance = x; a.other.balance = x + 1; return a.balance }
func (a *account) index(i int) int { a.balance = i; return a.history[i] }
func (a *account) set(i, x int) { a.limits[0] = x; a.limits[i] = x + 1; a.limits[1] += a.limits[0] }
func swap(p, q *int) { *p, *q = *q, *p }
func chain(p, q *int) int { *p = 1; *q = 2; *p += *q; return *p }
func parts(a *account) (int, int8) { a.count = -128; a.count--; return int(a.count), a.count }
func transfer(a, b *account, x int) bool {
	if a.withdraw(x) { b.deposit(x); return true }
	return false
}
func (a *account) withdraw(x int) bool {
	if x > a.balance { return false }
	a.balance -= x
	a.history = append(a.history, -x)
	return true
}
func try(f func()) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	f()
	return
}
func work(n int) (s int) {
	a := &account{}; a.other = a
	b := &account{other: a}
	for i := range n {
		a.deposit(i); b.deposit(2 * i); a.move(1); b.move(2)
		if transfer(a, b, i*7%50) { s++ }
		if transfer(b, a, i*5%70) { s += 3 }
		s += a.both(i) + b.both(i) + b.index(i%3) + chain(&a.balance, &a.balance) + chain(&a.balance, &b.balance)
		a.set(i%3, i); b.set(2, i); swap(&a.limits[0], &a.limits[2]); swap(&a.balance, &a.balance)
		x, y := parts(a); s += x + int(y) + a.limits[1] + b.limits[2] - a.limits[2]
	}
	return s + len(a.history)*3 + len(b.history) + a.balance + int(b.count)
}
func wrong(n int) (s int) {
	a := &account{history: []int{1, 2}}
	texts := ""
	texts += try(func() { for i := range n { s += a.index(i) } })
	s += a.balance
	texts += try(func() { for i := range n { a.set(i, i) } })
	s += a.limits[0]*100 + a.limits[1]
	texts += try(func() { for i := range n { a.move(i) } })
	s += a.balance
	texts += try(func() { for range n { a.both(5) } })
	println(texts, a.balance, a.count)
	return s + a.balance
}
func main() { println(work(400), wrong(6)) }`,
	"inlined calls in inlined calls": `
type v struct { x, y float64 }
func (a v) plus(b v) v { return v{a.x + b.x, a.y + b.y} }
func (a v) times(k float64) v { return v{a.x * k, a.y * k} }
func mix(a, b v, k float64) v { return a.times(k).plus(b.times(1 - k)) }
func divmod(a, b int) (int, int) { return a / b, a % b }
func digits(a int) (int, int, string) { q, r := divmod(a, 10); p, s := divmod(q, 7); return p + r, s, name(s > 3) }
func name(b bool) string { if b { return "big" }; return "no" }
func clamp(x, lo, hi int) int { return least(most(x, lo), hi) }
func least(a, b int) int { if a < b { return a }; return b }
func most(a, b int) int { if a > b { return a }; return b }
type grid struct { w, h int; cells []int }
func (g *grid) at(i, j int) int { return g.cells[g.index(i, j)] }
func (g *grid) index(i, j int) int { return clamp(i, 0, g.h-1)*g.w + clamp(j, 0, g.w-1) }
func (g *grid) put(i, j, x int) { if g.at(i, j) != x { g.cells[g.index(i, j)] = x } }
func work(n int) (s int, f float64, t string) {
	a, b := v{1, 2}, v{-3, 0.5}
	g := &grid{5, 4, make([]int, 20)}
	for i := range n {
		a = mix(a, b, 0.25); f += a.x*a.y
		x, y, z := digits(i); s += x*3 + y; t = z
		s += clamp(i, 3, 40)
		g.put(i%6-1, i%7-1, g.at(i%5, i%4)+i)
		s += g.at(i%9-3, i%8-2)
	}
	return
}
func main() { println(work(300)) }`,
	"recursion that is inlined in part": `
func sort(a []int, low, high int) {
	if low >= high { return }
	p, i, j := a[(low+high)/2], low, high
	for i <= j {
		for a[i] < p { i++ }
		for a[j] > p { j-- }
		if i <= j { a[i], a[j] = a[j], a[i]; i++; j-- }
	}
	sort(a, low, j); sort(a, i, high)
}
type node struct { key int; left, right *node }
func (n *node) insert(key int) *node {
	if n == nil { return &node{key: key} }
	if key < n.key { n.left = n.left.insert(key) } else if key > n.key { n.right = n.right.insert(key) }
	return n
}
func (n *node) walk(f func(int)) { if n == nil { return }; n.left.walk(f); f(n.key); n.right.walk(f) }
var calls int
func hanoi(n, from, to int) { if n == 0 { return }; hanoi(n-1, from, 6-from-to); calls += from*3 + to; hanoi(n-1, 6-from-to, to) }
func fill(a []int, i, x int) bool { if i < 0 || i >= len(a) || a[i] != 0 { return false }; a[i] = x; return fill(a, i+1, x+1) || fill(a, i-2, x+2) }
func deep(n int, l []int) int { if n == len(l) { return l[n-1] }; l[n]++; return deep(n+1, l) }
func work(n int) (s int) {
	a := make([]int, n)
	for i := range a { a[i] = i * 7919 % 1009 }
	sort(a, 0, n-1)
	var root *node
	for i := range n { root = root.insert(i * 31 % 257) }
	root.walk(func(k int) { s = (s*3 + k) % 1000003 })
	hanoi(8, 1, 3)
	b := make([]int, n)
	for i := range 9 { if fill(b, i*i, i) { s++ } }
	for i, x := range b { s += x * i }
	l := make([]int, 3000)
	for range 3 { s += deep(1, l) }
	return s + a[n/2] + calls
}
func main() { println(work(600)) }`,
	"local functions that are inlined in part": `
import "fmt"
func try(f func()) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	f()
	return
}
func work(n int) (s int, all string) {
	grid := make([]int, n*n)
	for i := range grid { grid[i] = i * i % 7 % 2 }
	area, seen := 0, make([]bool, n*n)
	var visit func(i, j int)
	visit = func(i, j int) {
		if i < 0 || j < 0 || i >= n || j >= n || seen[i*n+j] || grid[i*n+j] == 0 { return }
		seen[i*n+j] = true
		area++
		visit(i+1, j); visit(i-1, j); visit(i, j+1); visit(i, j-1)
	}
	count := func(i int) int { area = 0; visit(i/n, i%n); return area }
	for i := range n * n { s = s*2%10007 + count(i) }
	var odd, even func(k int) bool
	odd = func(k int) bool { if k == 0 { return false }; s++; return even(k - 1) }
	even = func(k int) bool { if k == 0 { return true }; s += 2; return odd(k - 1) }
	for i := range 50 { if even(i) { s += 5 } }
	f := func(k int) int { if k%2 == 0 { return k }; s++; all += "."; return -k }
	g := f
	for i := range 40 {
		if i == 20 { f = func(k int) int { s += k; return 2 * k } }
		if i == 30 { f, g = g, f }
		s += f(i) + g(i)
	}
	fs := []func(int) int{}
	for k := range 4 { var h func(int) int; h = func(i int) int { if i <= k { return k }; s++; return h(i-1) + k }; fs = append(fs, h) }
	for i := range 60 { s += fs[i%4](i % 13) }
	var none func(int) int
	late := func(i int) (r int) {
		call := func(i int) int { return none(i) + 1 }
		for j := range 40 { r += call(i + j) }
		return r
	}
	all += try(func() { s += late(1) })
	none = func(i int) int { if i < 100 { return i }; all += "!"; return i / 2 }
	s += late(2) + late(90)
	return
}
func main() { println(work(12)) }`,
	"functions that are passed": `
import "fmt"
type op func(float64) float64
func integrate(f func(float64) float64, from, to float64, steps int) (sum float64) {
	width := (to - from) / float64(steps)
	for i := 0; i < steps; i++ { sum += f(from+(float64(i)+0.5)*width) * width }
	return
}
func polynomial(a, b, c float64) func(float64) float64 { return func(x float64) float64 { return a*x*x + b*x + c } }
func compose(f, g func(float64) float64) func(float64) float64 { return func(x float64) float64 { return f(g(x)) } }
func named(x float64) float64 { return x / 2 }
func each[T any](l []T, f func(T)) { for _, x := range l { f(x) } }
func fold[T, A any](l []T, a A, f func(A, T) A) A { for _, x := range l { a = f(a, x) }; return a }
func filter[T any](l []T, keep func(T) bool) (r []T) { for _, x := range l { if keep(x) { r = append(r, x) } }; return }
type tree struct { l, r *tree; k int }
func (t *tree) walk(f func(int) bool) bool { return t == nil || t.l.walk(f) && f(t.k) && t.r.walk(f) }
func pick(k int) func(int) int {
	if k%2 == 0 { return func(i int) int { return i + k } }
	return func(i int) int { k++; return i * k }
}
func twice(f func(int) int, x int) int { for range 3 { x = f(f(x)) % 1009 }; return x }
func index(l []int, f func(int) int) (s int) { for i := range l { s += l[f(i)] }; return }
func call(f func() int) int { s := 0; for range 5 { s += f() }; return s }
func try(f func()) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	f()
	return
}
func work(n int) (s int, t float64, all string) { for range 2 { s, t, all = rest(n) }; return }
func rest(n int) (s int, t float64, all string) {
	square := func(x float64) float64 { return x * x }
	calls := 0
	for range 2 {
		t += integrate(square, 0, 3, n) + integrate(polynomial(1, -2, 0.5), -1, 1, n) + integrate(compose(square, polynomial(0, 3, 1)), 0, 1, n)
		t += integrate(named, 0, 1, n) + integrate(func(x float64) float64 { calls++; return x * float64(calls) }, 1, 2, n)
		t += integrate(op(square), 0, 1, n) + integrate(compose(compose(square, square), named), 0, 1, n)
		t += integrate(func(x float64) float64 { if x > 0.5 { return integrate(square, 0, x, 3) }; return x }, 0, 1, n)
	}
	l := make([]int, n)
	for i := range l { l[i] = i * 37 % 101 }
	var kept []int
	each(l, func(x int) { s += x; kept = append(kept, x) })
	each(kept, func(x int) { if x%2 == 0 { s -= x }; all = all[:len(all)*x%2] + "ab" })
	s += fold(l, 0, func(a, x int) int { return a*3%1009 + x }) + len(fold(l, "", func(a string, x int) string { return a + "xy"[x%2:] }))
	s += len(filter(l, func(x int) bool { return x%3 == calls%3 })) + len(filter(l, func(x int) bool { calls++; return x > 50 }))
	var root *tree
	for i, x := range l { p := &root; for *p != nil && i > 0 { if x < (*p).k { p = &(*p).l } else { p = &(*p).r } }; *p = &tree{k: x} }
	root.walk(func(k int) bool { s = (s*7 + k) % 1000003; return k < 90 })
	for i := range 40 { s += twice(pick(i), i) }
	all += try(func() { s += index(l, func(i int) int { return i }) }) + try(func() { s += index(l, func(i int) int { s++; return i + 1 }) })
	all += try(func() { s += index(l, func(i int) int { return l[i] / (50 - i) }) }) + try(func() { call(nil) })
	s += call(func() int { s += 3; return s % 10 }) + call(func() int { return len(all) })
	return s + calls, t, all
}
func main() { println(work(80)); println(work(81)) }`,
}
