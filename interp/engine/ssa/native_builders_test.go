//go:build linux && (amd64 || arm64)

package ssa_test

import "maps"

func init() { maps.Copy(nativePrograms, builderPrograms) }

// builderPrograms call methods of compiled types that JIT-compiled code has itself, make callbacks,
// and defer calls in functions with loops.
var builderPrograms = map[string]string{
	"builders": `
import ("bytes"; "fmt"; "strings"; "errors")
type page struct { title string; b strings.Builder; n int }
type out interface { WriteString(string) (int, error); WriteByte(byte) error; WriteRune(rune) (int, error); String() string; Len() int }
var global strings.Builder
func fill(o out, n int) { for i := range n { o.WriteByte(byte('a'+i%26)); o.WriteString("xyz"[i%4:]); o.WriteRune(rune(i*37)) } }
func lengths(n int) string {
	var b strings.Builder
	var c bytes.Buffer
	text := strings.Repeat("0123456789abcdef", 5)
	b.Grow(200)
	for i := range n {
		k, err := b.WriteString(text[i%7:i%7+i%70])
		m, err2 := c.WriteString(text[:i%70])
		if err != nil || err2 != nil || k != m { b.WriteByte('!') }
		r, err := b.WriteRune(rune(i*i*13%0x11ffff - 9))
		s, _ := c.WriteRune(rune(i))
		if c.WriteByte(byte(r+s)) != nil || err != nil { return "" }
		if b.Len() > 300 { global.WriteString(b.String()); b.Reset() }
		if c.Len() > 300 { x := c.Next(40); global.Write(x); if c.UnreadByte() == nil { global.WriteByte('u') }; c.WriteByte(1); if c.UnreadByte() != nil { global.WriteRune('\u00e4') } }
	}
	return b.String() + c.String()
}
func pages(n int) (s string) {
	l := make([]page, 3)
	for i := range n {
		p := &l[i%3]
		p.b.WriteString(p.title)
		p.b.WriteByte(byte(i))
		if p.title = p.b.String()[p.b.Len()/2:]; len(p.title) > 40 { p.title = p.title[:i%9] }
		if p.n++; p.n%9 == 0 { s += p.title; p.b = strings.Builder{} }
	}
	return
}
func fails(n int) (s string) {
	defer func() { if r := recover(); r != nil { s = fmt.Sprint(r) + s } }()
	var b strings.Builder
	l := []*strings.Builder{&b, &b, &b, nil}
	for i := range n { l[i].WriteByte('x'); s = b.String() }
	return
}
func copied(n int) (s string) {
	defer func() { s += fmt.Sprint(recover()) }()
	var b strings.Builder
	for range n { b.WriteByte('x'); if b.Len() > 5 { c := b; s = c.String(); c.WriteString("y") } }
	return
}
func work(n int) (h int, all []string) {
	fill(&strings.Builder{}, 5)
	var b strings.Builder
	fill(&b, n)
	var c bytes.Buffer
	fill(&c, n)
	for i := range n { global.WriteString(b.String()[i:i+i%40]); global.WriteRune(rune(i)) }
	all = append(all, b.String(), c.String(), lengths(n), pages(n), fails(4), copied(9), global.String())
	for _, t := range all { for i := range len(t) { h = (h*31 + int(t[i])) % 1_000_003 }; h += len(t) }
	global.Reset()
	if !errors.Is(nil, nil) { h = 0 }
	return
}
func main() { h, all := work(300); println(h, len(all), all[4], all[5]) }`,
	"slices of arrays": `
type point struct { x, y int }
type grid struct { cells [4][4]point; n int }
var table = [...]string{"a", "b", "c", "d"}
func sum(l []int) (s int) { for _, x := range l { s = s*3 + x }; return s % 10007 }
func try(f func() int) (s string) { defer func() { if r := recover(); r != nil { s = r.(error).Error() } }(); f(); return "" }
func work(n int) (s int, t string) {
	g := &grid{}
	var none *[5]int
	for i := range n {
		a := [...]int{i, i + 1, i * i, -i}
		l := []int{7, i, 9}
		m := a[i%4:]
		m = append(m, l...)
		s = (s*7 + sum(a[:]) + sum(m) + sum(l[:2]) + cap(a[1:2:3]) + len(a[2:])) % 1_000_003
		row := g.cells[i%4][:]
		row[i%3].x += i
		for _, p := range g.cells[i%2][1:] { s += p.x }
		t = table[1:][i%3] + []string{"x", "y"}[i%2]
		if i == n/2 { none = new([5]int) }
		if none != nil { s += len(none[i%5:]) + sum(none[:3]) }
	}
	return s, t + fail(n%2+4) + fail(2)
}
func fail(k int) (s string) {
	var none *[3]int
	a := [3]int{1, 2, 3}
	s = try(func() int { t := 0; for i := range 5 { t += len(none[i:]) }; return t })
	s += try(func() int { t := 0; for i := range 9 { t += len(a[i:k]) }; return t })
	return s + try(func() int { t := 0; for i := range 9 { t += len(a[:i]) }; return t })
}
func main() { s, t := work(300); println(s, t) }`,
	"callbacks without frames": `
import ("sort"; "fmt"; "strings")
type person struct { name string; age int; weight float64; ok bool }
func try(f func()) (s string) { defer func() { if r := recover(); r != nil { s = fmt.Sprint(r) } }(); f(); return }
func check(l []person) (s int) { for i, p := range l { s = (s*31 + p.age*i + len(p.name) + int(p.name[0])) % 1_000_003; if p.ok { s++ } }; return }
func byAge(i, j int) bool { return people[i].age < people[j].age }
var people []person
func work(n int) (s int, t string) {
	for i := range n { people = append(people, person{strings.Repeat(string(rune('a'+i*7%26)), 1+i%3), i * 13 % 41, float64(i*i%17) / 3, i%2 == 0}) }
	l := people
	calls := 0
	for k := range 4 {
		sort.Slice(l, func(i, j int) bool { if l[i].age != l[j].age { return l[i].age < l[j].age }; if l[i].name != l[j].name { return l[i].name > l[j].name }; return l[i].weight < l[j].weight })
		s += check(l)
		sort.SliceStable(l, func(i, j int) bool { calls++; return l[i].name < l[j].name })
		s = s*3 + check(l) + calls
		sort.SliceStable(l, byAge)
		s = s*3%1_000_003 + check(l)
		sort.SliceStable(l, func(i, j int) bool { return l[i].ok && !l[j].ok })
		if sort.SliceIsSorted(l, func(i, j int) bool { return l[i].weight < l[j].weight }) { s++ }
		s = s*3%1_000_003 + check(l) + sort.Search(n, func(i int) bool { return i*i >= calls%n*k })
	}
	t += try(func() { sort.Slice(l, func(i, j int) bool { return l[i].age/(l[j].age-7) > 3 }) })
	t += try(func() { sort.Slice(l, func(i, j int) bool { calls++; if calls%50 == 0 { panic(fmt.Sprint("stop ", i)) }; return l[i].weight < l[j].weight }) })
	t += try(func() { sort.Search(n*2, func(i int) bool { return l[i].age < 0 }) })
	people = people[:0]
	return s + check(l), t
}
func main() { s, t := work(200); println(s, t) }`,
	"loops with deferred calls": `
import ("fmt"; "sync")
func plain(n int, log *[]int) (s int) {
	defer func() { *log = append(*log, s) }()
	for i := range n { s += i * i % 7 }
	return s * 2
}
func unnamed(n int, log *[]int) int {
	s := 0
	defer func() { *log = append(*log, s) }()
	for i := range n { s += i % 3; if s > 1000 { return s } }
	return -s
}
func recovers(l []int, n int) (s int, err error) {
	defer func() { if r := recover(); r != nil { err = fmt.Errorf("%v at %d", r, s) } }()
	for i := range n { s += l[i] / (i - 50) }
	return
}
func every(n int) (s int) {
	for i := range n { defer func() { s = s*3%1009 + i }(); if i%10 == 9 { defer addTo(&s, i) } }
	return n
}
func addTo(p *int, k int) { *p += k }
func nested(l []int, n int) (s int) {
	defer func() { if recover() != nil { s += 7 } }()
	for i := range n { a, err := recovers(l, i%60); if err != nil { s += len(err.Error()) }; s += a; if i == 90 { l = nil; s += l[3] } }
	return
}
func locked(m *sync.Mutex, t map[int]int, n int) (s int) {
	m.Lock(); defer m.Unlock()
	for i := range n { t[i%5] += i; s += t[i%3] }
	return
}
func work(n int) (s int, t string) {
	var log []int
	var m sync.Mutex
	l := make([]int, 70)
	for i := range l { l[i] = i * 3 }
	for k := range 20 { s = (s*7 + plain(n-k, &log) + unnamed(n*k, &log) + every(k*3) + nested(l, n) + locked(&m, map[int]int{}, n)) % 1_000_003 }
	a, err := recovers(l, 100)
	b, err2 := recovers(l, 40)
	for _, x := range log { s = (s*3 + x) % 1_000_003 }
	return s + a + b, fmt.Sprint(err, err2)
}
func main() { s, t := work(100); println(s, t) }`,
	"channels in loops": `
import "fmt"
type item struct { k int; s string; p *int }
func produce[T any](n int, c chan<- T, f func(int) T) { defer close(c); for i := range n { c <- f(i) } }
func double(in <-chan int, out chan<- int) { defer close(out); for x := range in { out <- 2 * x } }
func work(n int) (s int, t string) {
	a, b := make(chan int), make(chan int, 3)
	go produce(n, a, func(i int) int { return i })
	go double(a, b)
	for x := range b { s = (s*31 + x) % 1_000_003 }
	c := make(chan item)
	go produce(n, c, func(i int) item { return item{i, fmt.Sprint(i), &i} })
	for x := range c { s = (s*7 + x.k + len(x.s) + *x.p) % 1_000_003 }
	d := make(chan [6]int)
	go produce(n, d, func(i int) [6]int { return [6]int{i, 5: i * i} })
	for { x, ok := <-d; if !ok { s += x[5]; break }; s = (s*3 + x[0] + x[5]) % 1_000_003 }
	e, done := make(chan struct{}), make(chan any)
	go count(e, done)
	go produce(n, e, nothing)
	s += (<-done).(int)
	f := make(chan bool, 2)
	go func() { for i := range n { f <- i%3 == 0 }; close(f) }()
	for x := range f { if x { s++ } }
	return s, closed(n)
}
func count(e <-chan struct{}, done chan<- any) { k := 0; for range e { k++ }; done <- k }
func nothing(int) struct{} { return struct{}{} }
func take(g, end chan int, n int) { for range n { <-g }; close(g); close(end) }
func closed(n int) (t string) {
	defer func() { t = fmt.Sprint(recover()) }()
	g, end := make(chan int), make(chan int)
	go take(g, end, 3)
	for i := range n { if i == 3 { <-end }; g <- i }
	return
}
func main() { s, t := work(300); println(s, t) }`,
}
