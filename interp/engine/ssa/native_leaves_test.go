//go:build linux && (amd64 || arm64)

package ssa_test

import "maps"

func init() { maps.Copy(nativePrograms, leafPrograms) }

// leafPrograms call, through func values and interfaces, functions that need no frame.
var leafPrograms = map[string]string{
	"func values without frames": `
type op func(a, b int) int
func apply(f op, n int) (s int) { for i := range n { s = f(s, i) }; return }
func floats(f func(float64, float32) (float32, float64), n int) (s float64) {
	x := float32(0.5)
	for i := range n { var y float64; x, y = f(float64(i), x); s = s/2 + y }
	return s + float64(x)
}
func texts(f func(string, []int, byte) (string, []int, bool), n int) (s int) {
	t, l := "", []int{1, 2, 3, 4, 5, 6, 7}
	for i := range n {
		var ok bool
		u, m, ok := f("hello, world", l[i%3:], byte(i))
		if ok { t = u }
		s = s*3 + len(t) + len(m) + cap(m)
	}
	return
}
func small(f func(int8, uint16, bool) (int8, uint16, bool), n int) (s int) {
	a, b, c := int8(1), uint16(2), false
	for range n { a, b, c = f(a, b, c); s = s*5 + int(a) + int(b); if c { s++ } }
	return
}
func one(f func(int) int32, n int) (s int) { for i := range n { f(i); s += int(f(-i)) }; return }
func visit(l []int, f func(int)) { for _, x := range l { f(x) } }
func drop(l []int, f func(int) (int, bool)) (s int) { for _, x := range l { y, _ := f(x); _, ok := f(y); if ok { s += y } }; return }
func work(n int) (s int, t float64, all string) {
	total, count, last := 0, 0, ""
	k := n % 7
	s = apply(func(a, b int) int { return a*3 + b ^ k }, n) + apply(func(a, b int) int { if a > 1000 { return b }; return a + b*k }, n)
	t = floats(func(a float64, b float32) (float32, float64) { return b*0.5 + float32(a), a - float64(b) }, n)
	s += texts(func(t string, l []int, b byte) (string, []int, bool) { last = t[b%5:]; return last, l[:len(l)/2], b%3 == 0 }, n)
	s += small(func(a int8, b uint16, c bool) (int8, uint16, bool) { return a*3 + 7, b<<1 ^ uint16(a), !c }, n)
	s += one(func(i int) int32 { return int32(i) << 25 }, n)
	l := make([]int, n)
	for i := range l { l[i] = i * 7 % 13 }
	visit(l, func(x int) { count++; total = (total + x*count) % 1009 })
	visit(l, func(x int) { if x%2 == 0 { l[x%len(l)] += x; return }; count -= x })
	s += drop(l, func(x int) (int, bool) { return x * k, x%3 == 1 })
	p := &l[0]
	visit(l, func(x int) { if x%5 == 0 { p = &l[x%len(l)] }; *p += x })
	f := []op{func(a, b int) int { return a + b }, func(a, b int) int { return a - b*k }, min2}
	for i := range n { s = f[i%3](s, i); if i%50 == 49 { f[i%3] = f[(i+1)%3] } }
	return s + total*count + len(last), t, last
}
func min2(a, b int) int { return min(a, b) }
func main() { s, t, all := work(300); println(s, t, all) }`,
	"structs of func values without frames": `
type place struct { x, y int; name string }
type mixed struct { a int8; b float32; p *int; c bool; d float64 }
type large struct { a [3]int; b [4]float64 }
func best(l []place, less func(a, b place) bool) (m place) {
	m = l[0]
	for _, x := range l[1:] { if less(x, m) { m = x } }
	return
}
func turn(l []place, f func(place, int) place) { for i, x := range l { l[i] = f(x, i) } }
func mix(l []mixed, f func(mixed, *mixed) (int, mixed)) (s int) {
	for i := range l { n, m := f(l[i], &l[len(l)-1-i]); l[i] = m; s = s*3%1_000_003 + n }
	return
}
func bulk(l []large, f func(a, b large) large) (s float64) {
	for i := range l { c := f(l[i], l[0]); l[i] = c; s = s/2 + c.b[i%4] }
	return
}
type ranked interface { above(q place, by mixed) (place, mixed) }
type one int
type two struct { u, v int }
func (o one) above(q place, by mixed) (place, mixed) { q.x += int(o); by.a--; return q, by }
func (t *two) above(q place, by mixed) (place, mixed) { if q.y > by.c2() { q.name = "two" }; t.u++; return q, by }
func (t two) times(q place, i int) place { q.y *= t.v - i%2; return q }
func (m mixed) c2() int { if m.c { return 2 }; return int(m.a) }
func work(n int) (s int, t float64, all string) {
	l := make([]place, n)
	for i := range l { l[i] = place{i * 7 % 31, i * 11 % 17, "abcdefgh"[i%8:]} }
	k, calls := 3, 0
	b := best(l, func(a, b place) bool { return a.x*a.x+a.y > b.x*b.x+b.y })
	b2 := best(l, func(a, b place) bool { calls++; if a.name != b.name { return a.name < b.name }; return a.x < b.x })
	turn(l, func(p place, i int) place { p.x, p.y = p.y*k, p.x-i; return p })
	turn(l, func(p place, i int) place { if p.x > 20 { return place{} }; p.name = p.name[len(p.name)/2:]; return p })
	turn(l, two{1, 3}.times)
	m := make([]mixed, n)
	for i := range m { m[i] = mixed{int8(i * 5), float32(i) / 3, &l[i].x, i%3 == 0, float64(i)} }
	s = mix(m, func(a mixed, b *mixed) (int, mixed) { if a.c { return int(a.a), a }; a.b += float32(b.d); a.p = b.p; return -int(a.a) + int(b.b), a })
	s += mix(m, func(a mixed, b *mixed) (int, mixed) { a.d = float64(a.b) - a.d; a.c = !b.c; *a.p++; return *b.p, a })
	r := make([]large, n)
	for i := range r { r[i].b[i%4] = float64(i); r[i].a[i%3] = i }
	t = bulk(r, func(a, b large) large { a.b[3] += b.b[2] + float64(a.a[1]); return a })
	list := []ranked{one(3), &two{4, 5}, one(-1), &two{}}
	for i := range l { l[i], m[i] = list[i%4].above(l[i], m[(i+1)%n]) }
	for i, p := range l { s = (s*31 + p.x + p.y*7 + len(p.name) + int(m[i].a) + *m[i].p) % 1_000_003; t += m[i].d + float64(m[i].b) }
	return s + calls, t, b.name + b2.name
}
func main() { s, t, all := work(300); println(s, t, all) }`,
	"func values that give up": `
import "fmt"
func each(l []int, f func(int) int) (s int) { for _, x := range l { s += f(x) }; return }
func try(f func() int) (s string) {
	defer func() { if r := recover(); r != nil { s = fmt.Sprint(r) } }()
	return fmt.Sprint(f())
}
func work(n int) (all string) {
	l := make([]int, n)
	for i := range l { l[i] = (i + n - 3) % n }
	count, d := 0, 3
	table := []int{1, 2, 3}
	var p *int
	all += try(func() int { return each(l, func(x int) int { count++; return 100 / (x - d) }) })
	all += try(func() int { return each(l, func(x int) int { v := table[x%4]; count += v; return v }) })
	all += try(func() int { return each(l, func(x int) int { count += 2; if x > 3 { panic(fmt.Sprint("large ", x)) }; return count }) })
	all += try(func() int { return each(l, func(x int) int { count += 5; return *p + x }) })
	all += try(func() int { return each(l, nil) })
	var f func(int) int
	all += try(func() int { return each(l, func(x int) int { if x > 4 { return f(x) }; return x }) })
	return all + fmt.Sprint(count)
}
func main() { println(work(8)) }`,
	"methods of interfaces without frames": `
type shape interface { area() float64; name() string; grow(by float64); pair(k int) (int, bool) }
type circle struct { r float64; n int }
type square float64
type point struct { a, b int32; tag string; on bool }
type shared map[string]int
type fn func() int
type boxed struct { p *int }
func (c *circle) area() float64 { return 3 * c.r * c.r }
func (c *circle) name() string { return "circle" }
func (c *circle) grow(by float64) { c.n++; c.r += by }
func (c *circle) pair(k int) (int, bool) { return c.n * k, c.n > k }
func (s square) area() float64 { return float64(s * s) }
func (s square) name() string { return "square"[int(s)%3:] }
func (s square) grow(by float64) {}
func (s square) pair(k int) (int, bool) { return k ^ int(s), true }
func (p point) area() float64 { return float64(p.a) * float64(p.b) }
func (p point) name() string { return p.tag }
func (p point) grow(by float64) { p.a += int32(by) }
func (p point) pair(k int) (int, bool) { p.b += int32(k); return int(p.a + p.b), p.on }
func (s shared) area() float64 { return float64(len(s)) }
func (s shared) name() string { return "shared" }
func (s shared) grow(by float64) { s["x"]++ }
func (s shared) pair(k int) (int, bool) { return s["x"] + k, s != nil }
func (f fn) area() float64 { return 1.5 }
func (f fn) name() string { if f == nil { return "none" }; return "fn" }
func (f fn) grow(by float64) {}
func (f fn) pair(k int) (int, bool) { return k, f == nil }
func (b boxed) area() float64 { return float64(*b.p) }
func (b boxed) name() string { return "boxed" }
func (b boxed) grow(by float64) { *b.p += int(by) }
func (b boxed) pair(k int) (int, bool) { return *b.p, b.p != nil }
type all struct { circle; more int }
func work(n int) (s float64, k int, names string) {
	x, g := 5, fn(nil)
	sq, h := square(2), fn(func() int { return 1 })
	list := []shape{&circle{1, 0}, square(3), point{2, 3, "tag", true}, &point{4, 5, "p", false}, shared{}, g, &g, h, &h, boxed{&x}, &boxed{&x}, &sq, &all{}}
	for i := range n {
		a := list[i*5%len(list)]
		s = s/3 + a.area()
		k = k*7 + len(a.name())
		a.grow(float64(i % 3))
		v, ok := a.pair(i)
		k += v
		if ok { k++ }
		if i < 26 { names += a.name() }
	}
	return
}
func main() { println(work(2000)) }`,
	"type assertions": `
import ("fmt"; "os")
type shape interface { area() int }
type circle struct { r int }
type block struct { a, b, c int; s string; p *int }
type number int
type small uint8
type empty struct{}
type wrap struct { p *int }
func (c *circle) area() int { return c.r }
func (b block) area() int { return b.a * b.b }
func (n number) area() int { return int(n) }
func (n small) area() int { return int(n) + 1 }
func (empty) area() int { return 7 }
func (w wrap) area() int { return *w.p }
func kind(x any) (n int) {
	switch x := x.(type) {
	case nil: return 1
	case int: return x
	case string: return len(x)
	case []int: return len(x) + 100
	case error: return 200
	case *circle: return x.r + 300
	case block: return x.a + len(x.s) + 400
	case float32: return int(x) + 500
	case complex128: return int(real(x)) + 600
	case func() int: return x() + 700
	case empty: return 800
	case *os.File: return 900
	case shape: return x.area() + 1000
	}
	return -1
}
func try(f func() int) (s string) {
	defer func() { if r := recover(); r != nil { s = fmt.Sprint(r) } }()
	return fmt.Sprint(f())
}
func work(n int) (s int, all string) {
	y := 9
	list := []shape{&circle{3}, block{2, 3, 4, "abc", &y}, number(5), small(6), empty{}, wrap{&y}, nil}
	more := []any{nil, 1, "text", []int{1}, fmt.Errorf("x"), &circle{4}, block{s: "q"}, float32(2.5), 3i + 4, func() int { return y }, empty{}, os.Stdout, number(3), small(4), int8(3), wrap{&y}}
	for i := range n {
		a := list[i%len(list)]
		if c, ok := a.(*circle); ok { s += c.r; c.r++ }
		if b, ok := a.(block); ok { s += b.c + *b.p } else { s += len(b.s) + b.a }
		v, ok := a.(number)
		s = s*3 + int(v)
		if !ok { s++ }
		if _, ok := a.(small); ok { s += 11 }
		if w, ok := a.(wrap); ok { s += *w.p }
		if _, ok := a.(empty); ok { s += 13 }
		s = s*5 + kind(more[i%len(more)])
		if i%len(list) == 2 { s += int(a.(number)) }
		if i%len(list) == 1 { s += a.(block).b }
	}
	for _, a := range list { all += try(func() int { return a.(*circle).r }) + try(func() int { return a.(block).b }) + "\n" }
	for _, a := range more { all += try(func() int { return len(a.(string)) }) + try(func() int { return int(a.(int8)) }) + "\n" }
	return
}
func main() { println(work(700)) }`,
}
