//go:build linux && (amd64 || arm64)

package ssa_test

import "maps"

func init() { maps.Copy(nativePrograms, structPrograms) }

// structPrograms have structs that are in registers in inlined calls and callees.
var structPrograms = map[string]string{
	"structs in inlined calls": `
type vector struct{ x, y, z float64 }
func (a vector) plus(b vector) vector { return vector{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vector) times(f float64) (r vector) { r = a; r.x *= f; r.y *= f; if f > 1 { r.z *= f }; return }
func (a vector) dot(b vector) float64 { return a.x*b.x + a.y*b.y + a.z*b.z }
type mixed struct { a int8; b uint16; c bool; s string; p *int; d float32; e int32 }
func (m mixed) next(i int) mixed { m.a += int8(i); m.b ^= uint16(i * 77); m.c = !m.c; m.d += 0.5; m.e -= int32(i) << 20; return m }
func (m mixed) named(s string, p *int) mixed { m.s = s[len(s)/2:]; m.p = p; return m }
func (m *mixed) set(o mixed) { *m = o; m.e++ }
func (m mixed) sum() int { n := int(m.a) + int(m.b) + len(m.s) + int(m.d) + int(m.e); if m.c { n++ }; if m.p != nil { n += *m.p }; return n }
type inner struct { lo, hi uint8 }
type outer struct { in inner; v inner; w int }
func (o outer) turned() outer { o.in, o.v = o.v, inner{o.in.hi, o.in.lo}; o.w += int(o.in.lo); return o }
func both(o outer) (inner, outer, int) { if o.w%3 == 0 { return o.in, outer{v: o.in}, 1 }; return o.v, o, o.w }
func choose(c bool, a, b inner) inner { r := a; if c { r = b; r.lo++ }; return r }
func quotient(a inner, d uint8) inner { return inner{a.lo / d, a.hi % d} }
func work(n int) (s float64, k int) {
	v, step := vector{1, 2, 3}, vector{0.5, -0.25, 1e-3}
	m, o := mixed{a: 3, s: "abc"}, outer{inner{1, 2}, inner{3, 4}, 5}
	last, before := inner{7, 9}, inner{}
	list := []mixed{m, m}
	for i := range n {
		v = v.plus(step.times(float64(i%3))).times(0.99)
		if i%7 == 0 { v, step = step, v }
		s = s/2 + v.dot(step)
		m = m.next(i).named("hello world"[i%5:], &k)
		list[i%2].set(m)
		k = k*3 + list[(i+1)%2].sum() - m.sum()
		o = o.turned()
		a, b, c := both(o)
		o.w = c + int(b.v.hi)
		last, before = choose(i%2 == 0, a, before), last
		k = k*5 + int(last.lo)*3 + int(before.hi) + int(quotient(last, uint8(i%11+1)).hi)
		if last == before { k++ }
	}
	return
}
func main() { s, k := work(500); println(s, k) }`,
	"panics in inlined calls with structs": `
import "fmt"
type pair struct { a, b int }
func (p pair) div() pair { return pair{p.a / p.b, p.a % p.b} }
func at(l []pair, i int) pair { return l[i] }
func of(p *pair) pair { return *p }
func try(f func() pair) (s string) {
	defer func() { if r := recover(); r != nil { s = fmt.Sprint(r) } }()
	return fmt.Sprint(f())
}
func work(n int) (all string) {
	l := []pair{{7, 2}, {9, 0}, {-5, 3}}
	for i := range n {
		all += try(func() pair { p := at(l, i); return p.div() })
		all += try(func() pair { var p *pair; if i != 1 { p = &l[0] }; q := of(p); q.a += i; return q }) + "\n"
	}
	return
}
func main() { println(work(5)) }`,
	"callees with structs": `
type point struct { x, y int }
func far(p, q point, depth int) int {
	if depth == 0 { return (p.x-q.x)*(p.x-q.x) + (p.y-q.y)*(p.y-q.y) }
	m := point{(p.x + q.x) / 2, p.y ^ q.y}
	if depth%2 == 0 { m.x, m.y = m.y, m.x }
	return far(p, m, depth-1) + far(m, q, depth-1)%1000
}
func loop(p point, n int) (s int) {
	for q := p; q.x < n; q.x++ { q = point{q.x, q.y*3 + 1}; if q.y > 1000 { q.y -= 990 }; s += q.y }
	return
}
func work(n int) (s int) {
	for i := range n { s = s*7 + far(point{i, -i}, point{n, i}, i%7) + loop(point{i / 2, i}, n) }
	return
}
func main() { println(work(60)) }`,
	"callees that change memory": `
type node struct { key int; left, right *node }
func insert(n *node, key int) *node {
	if n == nil { return &node{key: key} }
	if key < n.key { n.left = insert(n.left, key) } else if key > n.key { n.right = insert(n.right, key) }
	return n
}
func even(n int, log *[]int) bool { if n == 0 { return true }; return odd(n-1, log) }
func odd(n int, log *[]int) bool { if n == 0 { return false }; if n%5 == 0 { *log = append(*log, n) }; return even(n-1, log) }
func height(n *node) int { if n == nil { return 0 }; return 1 + max(height(n.left), height(n.right)) }
func checked(n int) int { if n < 0 { panic("negative") }; if n < 2 { return n }; return checked(n-1) + checked(n-2) }
func work(n int) (s int) {
	var root *node
	var log []int
	for i := range n {
		root = insert(root, i*7919%1009)
		if even(i, &log) { s += len(log) }
		s = s*3 + height(root) + checked(i%12)
	}
	return
}
func main() { println(work(200)) }`,
	"memory of frames": `
type cell struct { a, b int32; c int64 }
func swap(c cell) cell { c.a, c.b = c.b, c.a; return c }
func work(n int) (s int) {
	var array [4]cell
	var bytes [16]uint8
	x, y := cell{1, 2, 3}, cell{4, 5, 6}
	for i := range n {
		array[i%4] = x
		array[1].c += int64(array[(i+1)%4].a)
		x, y = swap(y), array[i*3%4]
		bytes[i%16] = uint8(x.a)
		bytes[3] ^= bytes[i*5%16]
		z := array
		z[i%4].b++
		p := &array[2]
		p.c -= int64(bytes[3])
		s = s*3 + int(x.a) + int(y.b) + int(array[2].c) + int(z[3].b) + int(z[i%4].b)
	}
	return
}
func main() { println(work(300)) }`,
}
