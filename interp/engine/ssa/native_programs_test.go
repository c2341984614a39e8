//go:build linux && (amd64 || arm64)

package ssa_test

// nativePrograms are cells whose functions named work are JIT-compiled.
var nativePrograms = map[string]string{
	"sums": `
func work(n int) (a int, b uint8, c float64, d int32) {
	for i := range n {
		a += i * i
		b += uint8(i)
		c += float64(i) / 3
		d -= int32(i) << 7
	}
	return
}
func main() { println(work(1000)) }`,
	"an index out of range": `
func work(a []int, n int) (s int) {
	for i := 0; i < n; i++ {
		s += a[i]
		a[i] = s
	}
	return s
}
func main() {
	a := make([]int, 5)
	for i := range a { a[i] = i * 3 }
	println(work(a, 5))
	defer func() { println(recover().(error).Error(), a[0], a[1], a[4]) }()
	work(a, 6)
}`,
	"a negative index, and one of another type": `
func work(a []int, from, to int8) (s int) {
	for i := from; i > to; i-- { s += a[i] }
	return s
}
func main() {
	println(work([]int{1, 2, 3}, 2, -1))
	defer func() { println(recover().(error).Error()) }()
	work([]int{1, 2, 3}, 2, -2)
}`,
	"a division by zero": `
func work(n int) (s int) {
	for i := n; ; i-- { s += 1000 / i; s += n % i }
}
func main() {
	defer func() { println(recover().(error).Error()) }()
	work(9)
}`,
	"results of a call behind an exit": `
func both(a int, x float64) (float64, int) { return x + 1, a ^ 5 }
func work(n int) (s float64, text string) {
	for i := range n {
		x, y := both(i, s)
		if i%3 == 0 {
			text = "k" + text[:min(i, 1)]
			s += x * float64(y)
		}
	}
	return
}
func main() { println(work(9)) }`,
	"numbers beside a struct that is set on the way out of a loop": `
type point struct { x, y float64; k int32 }
func both(a int, x float64) (float64, int) { return x + 1, a ^ 5 }
func work(ps []point, ints []int, n int, more bool) (int, point, int) {
	q, v, w := point{1, 2, 3}, -7, 100
	for at := 0; at < n; at++ {
		if at%64 == 29 { ints = append(ints, at) }
		if n > 2 {
			for k := 0; k < 6 && more; k++ {
				w &^= k + ints[w&7]
				ps[w&7].k = int32(k)
			}
			q = point{}
			_, v = both(at%(v|1), 0)
			break
		}
		w++
	}
	return v, q, w
}
func main() {
	v, q, w := work(make([]point, 8), make([]int, 8), 9, true)
	println(v, q.x, w)
}`,
	"a nil pointer": `
type node struct { v int; next *node }
func work(n *node) (s int) {
	for { s += n.v; n.v = s; n = n.next }
}
func main() {
	l := &node{1, &node{2, &node{3, nil}}}
	defer func() { println(recover().(error).Error(), l.v, l.next.v, l.next.next.v) }()
	work(l)
}`,
	"a negative shift": `
func work(n int) (s int) {
	for i := n; ; i-- { s += 1<<i + n>>i }
}
func main() {
	defer func() { println(recover().(error).Error()) }()
	work(70)
}`,
	"the least numbers": `
func work(a []int64, b []int32, c []int8, n int) (x, y, z int64) {
	for i := range n {
		x ^= a[i] / -a[i+1]; x += a[i] % a[i+2]
		y ^= int64(b[i] / b[i+1]); y += int64(b[i] % b[i+1])
		z ^= int64(c[i] / c[i+1]); z += int64(c[i] % c[i+1] * 3)
	}
	return
}
func main() {
	println(work([]int64{-1 << 63, 1, -1, -1 << 63, 3, 4}, []int32{-1 << 31, -1, 5, -1 << 31, -1}, []int8{-128, -1, 7, -128, -1}, 4))
}`,
	"divisions by constants": `
func work(from, to int) (s int, u uint64) {
	for i := from; i < to; i++ {
		s += i/8 + i%8*3 + i/1 + i%1 + i/-1 + i/7 + i%7 + i/-16 + i%-16
		u += uint64(i)/16 + uint64(i)%16 + uint64(i)/9
	}
	return
}
func main() { println(work(-100, 100)) }`,
	"a call that is not compiled in, before a return": `
type number struct { v *int; exp int }
var table [128]*int
func at(n int) *int {
	if n < len(table) { return table[n] }
	return new(int)
}
func (d number) work() number {
	n := 0
	for x := *d.v; x%10 == 0; x /= 10 { n++ }
	if n == 0 { return d }
	return number{at(n), d.exp + n}
}
func main() {
	for i := range table { table[i] = &i }
	for _, v := range []int{1500, 7, -20} {
		d := number{&v, 1}.work()
		println(*d.v, d.exp)
	}
}`,
	"a pointer that a call which is not compiled in has looked at": `
type node struct { v, w int }
var log []int
func noted(p *node, i int) int {
	if i > 2 { return p.v + p.w }
	log = append(log, i)
	return i
}
func sum(p *node, i int) int {
	if i > 2 { return p.v - p.w }
	return i * 2
}
func work(a []*node, n int) (s int) {
	for i := range n {
		p := a[i&3]
		if i%5 == 0 { s += noted(p, i&1) } else { s += sum(p, i) }
		s %= 1000
	}
	return
}
func main() {
	p := &node{3, 4}
	println(work([]*node{p, p, p, p}, 40), len(log))
	defer func() { println(recover().(error).Error(), len(log)) }()
	work([]*node{p, p, p, nil}, 40)
}`,
	"quotients of floats by constants": `
func work(a []float64, b []float32) (s, r float64, h, q float32) {
	for _, x := range a {
		s += x/8 + x/-0.25 + x/3 + x/1e300; s = s*0.5 + x/(1<<53)
		r = r/4 + x/0x1p1022 + x/0x1p-1022 + x/0x1p1023 + x/0x1p-1023 + x/0x1p-1074 + x/(1-0x1p-53)
	}
	for _, x := range b {
		h += x/16 + x/-0.5 + x/7
		q = q/2 + x/0x1p126 + x/0x1p-126 + x/0x1p127 + x/0x1p-127 + x/0x1p-149 + x/(1-0x1p-24)
	}
	return
}
func main() {
	for i := range 20 {
		x := float64(i*i-50) / 7
		println(work([]float64{x, x * 0x1p-1022, x * 0x1p1000, x * 0x1p-1070}, []float32{float32(x), float32(x) * 0x1p-126, float32(x) * 0x1p120}))
	}
}`,
	"shifts by all counts": `
func work(x int64, y uint64, z int16) (s int64, u uint64, v int16) {
	for i := range 70 {
		s += x << i; s ^= x >> i; u += y << uint(i); u ^= y >> uint8(i); v += z << i; v ^= z >> i
		s += x<<63 + x>>63 + x<<64 + x>>64; u += y<<64 + y>>63; v += z<<15 + z<<16 + z>>16
	}
	return
}
func main() { println(work(-0x123456789abcdef, 0xfedcba9876543210, -12345)) }`,
	"no number": `
func work(a []float64) (n int) {
	for _, x := range a {
		for _, y := range a {
			n *= 2
			if x < y { n++ }; if x <= y { n += 3 }; if x > y { n += 5 }; if x >= y { n += 7 }; if x == y { n += 11 }; if x != y { n += 13 }
			l, e, u := x < y, x == y, x != y
			if l != e && u { n ^= 17 }
			n %= 1000003
		}
	}
	return
}
func main() {
	zero := 0.0
	println(work([]float64{1, -1, zero, -zero, zero / zero, 1 / zero, -1 / zero, 3}))
}`,
	"conversions": `
func work(a []float64) (s int64, u uint64, v uint32, w int8, x int32) {
	for _, f := range a {
		s = s*3 + int64(f); u = u*3 + uint64(f); v = v*3 + uint32(f); w = w*3 + int8(f); x = x*3 + int32(f)
		s += int64(float32(f)) + int64(uint16(f)); u ^= uint64(float32(f))
		u += uint64(float64(u)) ^ uint64(float32(u)); s ^= int64(float32(s)) + int64(float64(x))
		s += int64(int8(s)) + int64(uint16(s)) + int64(uint32(s)) + int64(int32(s))
	}
	return
}
func main() {
	zero := 0.0
	println(work([]float64{0, 1.5, -1.5, 1e10, -1e10, 1e19, 9.3e18, -9.3e18, 1e30, zero / zero, 1 / zero, 127.9, 255.9, 65536.5, 1.8e19}))
}`,
	"rows, and lists": `
type row struct { xs []float64; next *row }
func work(m [][]float64, r *row) (s float64) {
	for i := range m {
		xs := m[i]
		for j := range xs { s += xs[j] * float64(len(xs)); xs[j] = s }
	}
	for ; r != nil; r = r.next {
		for _, x := range r.xs { s -= x }
		if s < 0 { print("-") }
	}
	return s
}
func main() {
	var m [][]float64
	var r *row
	for i := range 20 { m = append(m, make([]float64, i)); for j := range m[i] { m[i][j] = float64(i * j) }; r = &row{m[i], r} }
	println(work(m, r))
}`,
	"structs and arrays": `
type point struct { x, y, z float64; n int32 }
type grid struct { cells [4][4]int16; at [3]point }
func work(ps []point, g *grid) (s float64) {
	var count [8]int
	for i := range ps {
		p := ps[i]
		p.x += p.y
		ps[i] = p
		q := &ps[len(ps)-1-i]
		q.z = p.x - q.y
		g.cells[i&3][p.n&3] += int16(p.n)
		g.at[i%3].n -= p.n
		count[p.n&7]++
		s += p.z * float64(count[i&7])
	}
	return s
}
func main() {
	ps := make([]point, 30)
	for i := range ps { ps[i] = point{float64(i), 2, 3, int32(i * i)} }
	g := &grid{}
	println(work(ps, g), g.cells[1][1], g.cells[3][1], g.at[2].n, ps[7].z)
}`,
	"small functions": `
type acc struct { sum, n int }
func (a *acc) add(x int) { a.sum += x; a.n++ }
func (a acc) mean() int { if a.n == 0 { return -1 }; return a.sum / a.n }
func abs(x int) int { if x < 0 { return -x }; return x }
func both(a, b int) (int, int) { if a > b { return b, a }; return a, b }
func at(a []int, i int) int { return a[i] }
func work(a []int, t *acc) (s int) {
	for i := range a {
		t.add(abs(a[i]))
		lo, hi := both(a[i], i)
		s += hi*3 - lo + at(a, i) + min(lo, hi, 7) - max(i, lo)
	}
	return s
}
func main() {
	var t acc
	println(work([]int{3, -4, 5, -60, 7}, &t), t.mean(), t.sum)
	defer func() { println(recover().(error).Error()) }()
	work([]int{1}, nil)
}`,
	"a function that calls itself": `
func work(n int) int { if n < 2 { return n }; return work(n-1) + work(n-2) }
func main() { println(work(24)) }`,
	"functions that call each other": `
func even(n int) bool { if n == 0 { return true }; return odd(n - 1) }
func odd(n int) bool { if n == 0 { return false }; return even(n - 1) }
func gcd(a, b uint16) uint16 { if b == 0 { return a }; return gcd(b, a%b) }
func work(n int) (s int) {
	for i := range n {
		if even(i) { s += int(gcd(uint16(i*91), uint16(i+30))) }
	}
	return s
}
func main() { println(work(200)) }`,
	"calls deeper than the stack": `
func down(n int, x float64) float64 { if n == 0 { return x }; return down(n-1, x+1) + 1 }
func work(n int) float64 { return down(n, 0.5) + down(20, 1) }
func main() { println(work(10), work(30000), work(1)) }`,
	"a failure in a function that is called": `
func at(a []int, i int) int { if i > 3 { return at(a, i-1) + a[i] }; return a[i] }
func work(a []int, n int) (s int) {
	for i := range n { a[0]++; s += at(a, i) }
	return s
}
func main() {
	a := []int{1, 2, 3, 4, 5, 6}
	println(work(a, 6), a[0])
	defer func() { println(recover().(error).Error(), a[0]) }()
	work(a, 9)
}`,
	"a function that does more now and then": `
var notes []int
func f(n int) int {
	if n%17 == 3 { notes = append(notes, n) }
	if n < 3 { return 1 }
	return f(n-1) + f(n-3)
}
func work(n int) (s int) {
	for i := range n { s += f(i) * len(notes) }
	return s
}
func main() { println(work(22), len(notes), notes[len(notes)-1]) }`,
	"functions with loops": `
type list struct { v float64; next *list }
func dot(a, b []float64) (s float64) { for i, x := range a { s += x * b[i] }; return }
func last(l *list) *list { for l.next != nil { l = l.next }; return l }
func count(s string, c byte, from int) int { n := 0; for i := from; i < len(s); i++ { if s[i] == c { n++ } }; return n }
func work(m [][]float64, l *list) (s float64) {
	for i := range m {
		for j := range m { s += dot(m[i], m[j]) / 7 }
		last(l).v += s
		s -= float64(count("a string with several a", 'a', i%9))
	}
	return s
}
func main() {
	m := make([][]float64, 12)
	for i := range m { m[i] = make([]float64, 3000); for j := range m[i] { m[i][j] = float64(i*j%7) } }
	l := &list{1, &list{2, &list{3, nil}}}
	println(work(m, l), l.v, l.next.next.v)
}`,
	"compiled functions of package math": `
import "math"
func soft(x float64) float64 { return math.Log1p(math.Exp(-math.Abs(x))) + max0(x) }
func max0(x float64) float64 { if x > 0 { return x }; return 0 }
func work(rows [][]float64, n int) (s float64) {
	for k := range n {
		for _, row := range rows {
			for j, x := range row {
				row[j] = math.Pow(math.Abs(x), 0.9) + math.Sin(x)*math.Cos(float64(k))
				s += soft(x) - math.Mod(x, 3) + math.Tanh(row[j])
			}
		}
	}
	return s
}
func main() { println(work([][]float64{{1, -2, 3}, {4.5, 0}, {-7, 8, 1e300, 2}}, 50)) }`,
	"function literals": `
func work(n int) (s int, f float64) {
	count, seed := 0, uint32(7)
	step := func(k int) int { count += k; return count }
	next := func() float64 { seed = seed*1664525 + 1013904223; return float64(seed>>8) / (1 << 24) }
	square := func(x int) int { return x * x }
	for i := range n {
		s += step(i) / 2
		s -= square(i) + step(-1)
		if i%3 == 0 { f += next() + next()/float64(i%5+2); count-- }
	}
	return s + count, f
}
func main() { s, f := work(1000); println(s, f) }`,
	"the same again": `
type cell struct { a, b, c int }
func work(d [][]int, cs []cell, n int) (s int) {
	for k := range n {
		for i := range d {
			for j := range d {
				if through := d[i][k] + d[k][j]; through < d[i][j] { d[i][j] = through; s += d[i][j] - d[i][k] }
				cs[i].a += d[i][j]; cs[j].b -= cs[i].a; s += cs[i].a * cs[i].b
				x := d[i][j]; d[i][j]++; s += d[i][j] - x; d[i][j] = x
			}
		}
	}
	return s
}
func main() {
	var d [][]int
	for i := range 9 { d = append(d, nil); for j := range 9 { d[i] = append(d[i], (i*7+j*13)%31+1) } }
	cs := make([]cell, 9)
	println(work(d, cs, 9), cs[3].b)
	defer func() { println(recover().(error).Error(), cs[4].a) }()
	work(d[:5], cs, 9)
}`,
	"addresses that functions give": `
type tree struct { key int; left, right *tree; counts [3]int }
type hold struct { root *tree; a []int }
func (h *hold) find(key int) **tree {
	p := &h.root
	for *p != nil && (*p).key != key {
		if key < (*p).key { p = &(*p).left } else { p = &(*p).right }
	}
	return p
}
func (h *hold) at(i int) *int { return &h.a[i] }
func (t *tree) count(i int) *int { if i == 0 { return &t.key }; return &t.counts[i-1] }
func work(h *hold, n int) (s int) {
	for i := range n {
		if p := h.find(i * 7 % 31); *p != nil { s += (*p).key * i; *(*p).count(1 + i%3) += i }
		*h.at(i % 5) += s
		s += *h.at(i % 3)
	}
	return s
}
func main() {
	h := &hold{a: make([]int, 5)}
	for i := range 20 { *h.find(i * 11 % 31) = &tree{key: i * 11 % 31} }
	println(work(h, 100), h.a[4], h.root.counts[0], h.root.right.counts[2])
}`,
	"parts of what a select gives": `
func one(n *int) int { *n++; return *n }
func work(c chan int, n int) (s int) {
	calls := 0
	for i := range n {
		s += one(&calls) + i
		select {
		case x, ok := <-c:
			if ok { s += x - one(&calls) }
		default:
			s--
		}
		for j := range i { s += j * i }
	}
	return s
}
func main() { c := make(chan int, 9); for i := range 9 { c <- i * i }; println(work(c, 20)) }`,
	"the least and the most": `
func work(a []int, b []uint16, c []int8) (s int) {
	for i := range a {
		s = s*3 + min(a[i], a[0], 7) - max(a[i], 3, a[len(a)-1-i])
		s += int(min(b[i], b[0])) - int(max(b[i], 9, b[len(b)-1-i])) + int(max(c[i], -3)) - int(min(c[0], c[i], 5))
	}
	return s
}
func main() { println(work([]int{3, -9, 1 << 40, 0, -1 << 62}, []uint16{1, 65535, 7, 40000, 9}, []int8{-128, 127, 0, -4, 4})) }`,
	"functions of package math": `
import "math"
func work(a []float64) (s float64) {
	best, least := math.Inf(-1), 0.0
	for _, x := range a {
		least = math.Inf(1)
		s += math.Sqrt(x) - math.Abs(-x) + math.Floor(-x/3) + math.Ceil(x/3) + math.Trunc(-x/7) + math.RoundToEven(x/2)
		s += float64(math.Float64bits(x)>>40) + math.Float64frombits(uint64(math.Float32bits(float32(x)))<<30)
		if x > best { best = x }
		if x < least { least = x }
	}
	return s + best - least
}
func main() { println(work([]float64{1, 2.5, 7, 1e6, 3.5, 0.1}), math.IsNaN(work([]float64{-2}))) }`,
	"text": `
func work(a, b string, bs []byte) (n int) {
	for i := 0; i < len(a); i++ {
		for j := 0; j < len(b); j++ {
			if a[i] == b[j] { n += i * j; bs[i] ^= b[j] }
		}
	}
	return n
}
func main() {
	bs := []byte("0123456789")
	println(work("kitten", "sitting", bs), string(bs))
}`,
	"what machine code leaves for": `
func work(n int) (m map[int]int, l []string) {
	m = map[int]int{}
	for i := range n {
		s := 0
		for j := range i { s += j * j }
		m[i%7] += s
		if i%50 == 0 { l = append(l, string(rune('a'+i/50))) }
	}
	return
}
func main() { m, l := work(500); println(len(m), m[3], len(l), l[9]) }`,
	"variables of cells": `
var data []int
var total int
var grid [3][3]float64
func work() {
	for i := range data { total += data[i]; grid[i%3][i/3%3] += float64(total); data[i] = -total }
}
func main() {
	for i := range 30 { data = append(data, i) }
	work()
	println(total, data[29], grid[1][2])
}`,
	"many variables": `
func work(n int) int {
	a, b, c, d, e, f, g, h, i, j, k, l := 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
	x, y, z := 1.0, 2.0, 3.0
	for m := range n {
		a, b, c, d, e, f, g, h, i, j, k, l = b+m, c^m, d-m, e*3, f+a, g-b, h+c, i^d, j+e, k-f, l+g, a-h
		x, y, z = y+float64(a&15), z*0.5, x-float64(b&7)
		if a&b > c|d { a, l = l, a }
	}
	return a + b + c + d + e + f + g + h + i + j + k + l + int(x+y+z)
}
func main() { println(work(999)) }`,
	"pointers are stored": `
type node struct { key int; left, right *node; name string; tags []string; any any }
type pair struct { a, b *node; n int32; ok bool }
func work(n int) (s int) {
	var list, tree *node
	var last pair
	for i := range n {
		list = &node{key: i, left: list}
		list.name = "x"
		list.any = i
		list.tags = append(list.tags, list.name)
		p := pair{list, list.left, int32(i), i%2 == 0}
		last, p.n = p, 7
		if last.b != nil { last.b.right = last.a; s += last.b.right.key + int(last.n) - int(p.n) }
		at := &tree
		for *at != nil { if (*at).key*37%11 < i*37%11 { at = &(*at).left } else { at = &(*at).right } }
		*at = &node{key: i}
	}
	for l := list; l != nil; l = l.left { s += l.key + len(l.tags[0]) + l.any.(int) }
	var back *node
	for list != nil { list.left, back, list = back, list, list.left }
	for l := back; l != nil; l = l.left { s = s*3 + l.key }
	return
}
func main() { println(work(100)) }`,
	"operations that the interpreter runs": `
import ("fmt"; "strings"; "sort")
type point struct { x, y int }
type shape interface { area() int }
func (p point) area() int { return p.x * p.y }
func work(n int) (out []string) {
	count, seen := map[string]int{}, map[point]bool{}
	ch := make(chan int, 4)
	var all []shape
	text := ""
	for i := range n {
		k := fmt.Sprint(i % 3)
		count[k] += i
		p := point{i, i % 5}
		if _, ok := seen[p]; !ok { seen[p] = true; all = append(all, p) }
		ch <- i
		j, ok := <-ch
		if ok { text += string(rune('a' + j%26)) }
		f := func(x int) int { return x + i + j }
		out = append(out, fmt.Sprintf("%d %v", f(1)+f(len(text)), text[i/2:]))
		switch v := any(p).(type) { case fmt.Stringer: panic(v); case shape: i += v.area() }
	}
	for _, s := range all { out = append(out, fmt.Sprint(s.area())) }
	sum := 0
	for k, v := range count { sum += len(k) * v }
	return append(out, strings.ToUpper(text), fmt.Sprint(sum, len(seen)))
}
func loop(n int) (s int) {
	m := map[int][]int{}
	for i := range n {
		m[i%7] = append(m[i%7], i)
		a, b := i/2, i%3
		s += a*len(m[i%7]) + b
		c := a * b
		x := make([]int, c+1)
		s += c + len(x) + cap(x[:1])
	}
	keys := []int{}
	for k := range m { keys = append(keys, k) }
	sort.Ints(keys)
	for i, k := range keys { s = s*7 + k*i + len(m[k]) }
	return
}
func main() { println(strings.Join(work(30), "|"), loop(100)) }`,
	"strings are ranged over": `
func work(l []string) (n int, at int) {
	for _, s := range l {
		for i, r := range s { n = n*31 + int(r); at += i; if r == 'z' { break }; if r > 0x1000 { continue }; n++ }
		for i := range s { at = at*3 + i }
		for range s { n ^= 5 }
		b := 0
		for _, r := range s { if r == 'a' { b++ } else if r != 'b' { b-- } }
		at += b
	}
	return
}
func main() { println(work([]string{"", "abc", "grüße", "日本語", "a\xffb\xc3", "xyzxyz", "\U0001F600!"})) }`,
	"calls in frames": `
type shape interface { area() float64; grow(k int) shape }
type circle struct { r float64 }
type rect struct { name string; w, h float64 }
type count int
func (c circle) area() float64 { return c.r * c.r * 3 }
func (c circle) grow(k int) shape { return circle{c.r + float64(k)} }
func (r *rect) area() float64 { return r.w * r.h }
func (r *rect) grow(k int) shape { r.w += float64(k); return r }
func (c count) area() float64 { return float64(c) }
func (c count) grow(k int) shape { return c + count(k) }
type embedded struct { circle; n int }
type node struct { key int; left, right *node }
func insert(n *node, k int) *node {
	if n == nil { return &node{key: k} }
	if k < n.key { n.left = insert(n.left, k) } else { n.right = insert(n.right, k) }
	return n
}
func walk(n *node, visit func(int) bool) bool { return n == nil || walk(n.left, visit) && visit(n.key) && walk(n.right, visit) }
func divide(a, b int) (q, r int, text string) {
	if b == 0 { return 0, a, "none" }
	q, r = a/b, a%b
	text = "some"
	return
}
type vec struct { x, y float64; name string }
func (v vec) add(w vec) vec { return vec{v.x + w.x, v.y + w.y, v.name + w.name} }
func counter(step int) func() int { n := 0; return func() int { n += step; return n } }
func fill(a []int, k int, visit func([]int)) {
	if k == len(a) { visit(a); return }
	for i := range 3 { a[k] = i; fill(a, k+1, visit) }
}
func collatz(n int) int { if n == 1 { return 0 }; if n%2 == 0 { return 1 + collatz(n/2) }; return 1 + collatz(3*n+1) }
func variadic(base int, more ...int) (s int) { for _, m := range more { s = s*base + m }; return }
func apply[T any](l []T, f func(T) T) []T { var out []T; for _, x := range l { out = append(out, f(x)) }; return out }
func deep(n int, l []int) int { if n == 0 { return len(l) }; l[n%len(l)]++; return deep(n-1, l) + l[n%len(l)]%2 }
func may(n int) (err error) { if n%5 == 0 { return failure(n) }; return nil }
type failure int
func (f failure) Error() string { return "five" }
func caught(f func(int) int, n int) (s int) { defer func() { if r := recover(); r != nil { s = -n } }(); return f(n) }
func work(n int) (s float64) {
	shapes := []shape{circle{1}, &rect{"a", 2, 3}, count(4), embedded{circle{5}, 6}, &embedded{circle{7}, 8}}
	var tree *node
	next, sum := counter(3), vec{name: ""}
	lists := [][]int{{1}, {2}}
	var fact func(int) int
	fact = func(k int) int { if k < 2 { return 1 }; return k * fact(k-1) }
	for i := range n {
		for j, x := range shapes { s += x.area(); if i%10 == 0 { shapes[j] = x.grow(j) } }
		tree = insert(tree, i*7919%1009)
		q, r, t := divide(i, i%7)
		s += float64(q*r + len(t) + next() + fact(i%10) + collatz(i+1) + variadic(i, q, r, i))
		if i%20 == 0 { sum = sum.add(vec{1, float64(i), "x"}) }
		lists = apply(lists, func(l []int) []int { return append(l, i)[len(l)/2:] })
		if err := may(i); err != nil { s += float64(len(err.Error())) }
		s += float64(caught(func(k int) int { return 100 / (k % 4) }, i))
		func() { s += float64(i) }()
	}
	walk(tree, func(k int) bool { s = s/2 + float64(k); return k < 900 })
	fill(make([]int, 5), 0, func(a []int) { s += float64(a[0]*a[4] - a[2]) })
	s += float64(deep(3000, make([]int, 9))) + sum.x + sum.y + float64(len(sum.name)+len(lists[0])+lists[1][0])
	return
}
func main() { println(work(200)) }`,
	"a panic in a call in a frame": `
type list struct { v int; next *list }
func at(l *list, i int) int { if i == 0 { return l.v }; l.v++; return at(l.next, i-1) }
func try(l *list, i int) (v int, err any) { defer func() { err = recover() }(); return at(l, i), nil }
func work(n int) (s string) {
	var l *list
	for i := range n { l = &list{i, l} }
	for i := range 2 * n {
		v, err := try(l, i)
		if e, ok := err.(error); ok { s += e.Error()[:9] } else { s += string(rune('a' + v%26)) }
	}
	return
}
func main() { println(work(20)) }`,
}
