//go:build linux && (amd64 || arm64)

package ssa_test

import "maps"

func init() { maps.Copy(nativePrograms, valuePrograms) }

// valuePrograms have slices, strings and complex numbers in registers.
var valuePrograms = map[string]string{
	"slice literals": sliceLiterals,
	"strings are compared": `
type pair struct { name string; n int }
func less(a, b pair) bool { if a.name != b.name { return a.name < b.name }; return a.n < b.n }
func same(a, b string) (k int) {
	if a == b { k |= 1 }; if a != b { k |= 2 }; if a < b { k |= 4 }; if a <= b { k |= 8 }; if a > b { k |= 16 }; if a >= b { k |= 32 }
	if a == "" { k |= 64 }; if "" != b { k |= 128 }; if a < "b" { k |= 256 }; if "b" <= b { k |= 512 }; if a == "ab" { k |= 1024 }; if "" < a { k |= 2048 }
	eq, lt := a == b, a+"x" < b
	if eq { k += 5000 }; if lt && !eq || b >= a { k += 7000 }
	return
}
func work(l []string) (n int, found []string, where map[string]int) {
	where = map[string]int{}
	for i, a := range l {
		for j, b := range l {
			n = (n*31 + same(a, b)) % 1_000_003
			if less(pair{a, i}, pair{b, j}) { n++ }
			switch a[:len(a)/2] { case b: n += 3; case "gr", "a": n += 5; default: n ^= 1 }
			if a+b == b+a { where[a+b]++ }
		}
		if i > 0 && l[i-1] > a { found = append(found, l[i-1]) }
	}
	return
}
func main() {
	n, found, where := work([]string{"", "a", "ab", "abc", "b", "gr\u00fc\u00dfe", "gr\u00fc", "ba", "\x00", "a\x00", "abcabcabcabcabcabcabc", "abcabcabcabcabcabcabd"})
	println(n, len(found), len(where))
	for _, f := range found { println(f) }
}`,
	"calls back from compiled Go": `
import ("sort"; "strings"; "container/heap"; "slices")
type item struct { name string; rank int; next *item }
type queue []*item
func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].rank < q[j].rank }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any) { *q = append(*q, x.(*item)) }
func (q *queue) Pop() any { old := *q; x := old[len(old)-1]; *q = old[:len(old)-1]; return x }
func fails(l []item) (s int) {
	defer func() { s = len(recover().(error).Error()) }()
	sort.Slice(l, func(i, j int) bool { var none []int; if i > 0 { return none[i] > 0 }; return l[i].rank > l[j].rank })
	return
}
func rank(n int) int { if n < 2 { return n }; return rank(n-1)*3%101 + rank(n-2)%7 }
func work(n int) (s int) {
	var l []item
	q := &queue{}
	for i := range n { l = append(l, item{name: string(rune('a'+i*7%26)), rank: rank(i % 12) * i % 53}) }
	calls := 0
	sort.Slice(l, func(i, j int) bool { calls++; if l[i].name != l[j].name { return l[i].name < l[j].name }; return l[i].rank < l[j].rank })
	for i := range l { heap.Push(q, &l[i]); s = s*7%1_000_003 + l[i].rank }
	(*q)[0].rank = 60; heap.Fix(q, 0); heap.Remove(q, q.Len()/2)
	sort.Sort(sort.Reverse(queue(*q)))
	for i, x := range *q { s = (s*3 + x.rank*i) % 1_000_003 }
	heap.Init(q)
	for q.Len() > 0 { x := heap.Pop(q).(*item); x.next = &l[0]; s = (s*5 + x.rank) % 1_000_003 }
	slices.SortStableFunc(l, func(a, b item) int { return strings.Compare(b.name, a.name) })
	at := sort.Search(len(l), func(i int) bool { return rank(i%10)+i > n/2 })
	text := strings.Map(func(r rune) rune { if r == 'b' { return -1 }; return r + rune(at%2) }, strings.Repeat("abc\u00e4", n))
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == 'c' })
	return s + calls*len(fields) + at + fails(l)
}
func main() { for n := range 40 { println(work(n+2)) }; println(work(3000)) }`,
	"slice expressions": `
type part struct { a, b, c int16 }
func try(f func() int) (s string) {
	defer func() { if r := recover(); r != nil { s = r.(error).Error() } }()
	return string(rune('a' + f()%26))
}
func cut(a []int, i, j, k int) int { b := a[i:j:k]; return len(b)*100 + cap(b) }
func text(s string, i, j int) int { t := s[i:j]; return len(t) }
func tail(s string, i uint8) int { return len(s[i:]) }
func head(a []part, j uint64) int { b := a[:j]; return len(b)*100 + cap(b) }
func work(n int) (s int, all string) {
	a := make([]int, n, 2*n)
	for i := range a { a[i] = i }
	for i := range n { b := a[i:]; s = s*3 + len(b) + cap(b); if len(b) > 0 { s += b[0] + b[len(b)-1] } }
	for i := range 2*n + 1 { b := a[:i]; c := b[i/2:i:i]; s = s*3 + len(c) + cap(c[:0]) }
	p := make([]part, n)
	for i := range p { p[i] = part{int16(i), 2, int16(n)} }
	for q := p; len(q) > 0; q = q[1:] { s += int(q[0].a*q[0].c) }
	for q := p; len(q) > 1; q = q[1:len(q)-1] { s += int(q[len(q)-1].a) }
	e := a[2*n:2*n]
	s += len(e) + cap(e)
	t := "hello, wörld"
	for i := range len(t) + 1 { u, v := t[i:], t[:i]; s += len(u)*len(v); if u < v { s++ }; if u+v == t { s += 7 } }
	for len(t) > 0 { s = s*5 + int(t[0]); t = t[1:] }
	var none []int
	s += len(none[0:]) + len(none[:0:0])
	for i := -1; i < 6; i++ { for j := -1; j < 6; j++ {
		all += try(func() int { return cut(a[:3:4], i, j, 4) }) + try(func() int { return cut(a[:3:4], 0, i, j) })
		all += try(func() int { return text("abcd", i, j) }) + try(func() int { return tail("abc", uint8(i)) })
		all += try(func() int { return head(p[:2], uint64(i)) }) + "\n"
	} }
	return
}
func main() { println(work(20)) }`,
	"appends": `
type pair struct { a, b int }
func work(n int) (s int) {
	var a []int; var b []byte; var c []string; var d [][]int; var e []*int; var f []pair; var g []float32; var h []any; var k []int16; var o []bool
	z := make([]int, 0, n/2)
	for i := range n {
		a = append(a, i)
		b = append(b, byte(i))
		c = append(c, "xyz"[i%3:])
		d = append(d, a[i/2:])
		e = append(e, &a[i])
		f = append(f, pair{i, i + 1})
		g = append(g, float32(i)/3)
		h = append(h, i)
		k = append(k, int16(i*1000))
		o = append(o, i%3 == 0)
		z = append(z, i*i)
		y := append(z[:len(z)/2], -i)
		s = s*3 + y[len(y)-1] + len(y)
		if i%5 == 0 { a = append(a[:i/2], a[i/2:]...) }
		s += cap(a[:0]) + len(c[i]) + len(d[i]) + *e[i/2] + f[i].b + int(g[i]) + h[i].(int) + int(k[i])
		if o[i] { s++ }
	}
	for _, x := range z { s = s*7 + x }
	return s + int(b[n-1])
}
func main() { println(work(300)) }`,
	"appends of listed values": `
type pair struct { a int; b string; c float32 }
func work(n int) (s int) {
	var a []byte; var b []pair; var c []any; var d []int16; var e []complex128; var f [][2]int; var g []struct{}; var h []*int; var k []string; var o []bool
	for i := range n {
		x, y := i*7%23, &i
		a = append(a, byte(x%10))
		a = append(a, byte(x), byte(x>>1), byte(i))
		b = append(b, pair{i, "xyz"[i%3:], float32(x) / 3})
		b = append(b, pair{x, "u", 1}, pair{c: float32(i)})
		c = append(c, x, a[i], nil)
		c = append(c, y)
		d = append(d, int16(x*1000), int16(-x))
		e = append(e, complex(float64(x), -1))
		f = append(f, [2]int{i, x}, [2]int{x, i})
		g = append(g, struct{}{})
		h = append(h, y, nil, &d0[x%3])
		k = append(k, "abc"[:x%4], "d")
		o = append(o, x%3 == 0, i%2 == 0)
		l := append(a[:i/2:i], 1, byte(x))
		l = append(l[:len(l)-1], 2, 3)
		s = (s*31 + len(l) + cap(l)%64 + int(l[len(l)/2]) + int(a[i]) + b[i].a + len(b[i].b) + int(b[i].c) + int(d[i]) + f[i][1]) % 1_000_003
		if p, ok := c[i].(*int); ok { s += *p }
		if h[i] != nil { s += *h[i] }
		if o[i] { s += len(k[i]) }
	}
	for i, z := range e { s = (s*7 + int(real(z)-imag(z)) + *h[3*i]) % 1_000_003 }
	return s + len(c) + len(f) + len(g) + len(h) + len(o)
}
var d0 [3]int
func main() { println(work(300)) }`,
	"complex numbers": `
import ("fmt"; "math")
func work(n int) (s complex128, t complex64, l []string) {
	z, w := complex(0.5, -0.25), complex64(complex(3, 4))
	for i := range n {
		c := complex(float64(i)/7, -float64(i)/3)
		z = z*z + c
		if real(z)*real(z)+imag(z)*imag(z) > 4 { z = c / complex(10, 1) }
		s += z - c*complex(0, 1)
		w = w*complex64(complex(0.9, 0.1)) - complex64(c)*0.5
		t += w * w
		if z == c || w != t { s -= -z }
		t = complex(imag(t), real(t)/2)
	}
	inf := math.Inf(1)
	for _, a := range []complex128{0, complex(inf, -1), complex(math.NaN(), 2), complex(math.Copysign(0, -1), 1), complex(1e300, 1e300)} {
		for _, b := range []complex128{1, complex(0, inf), complex(-1, math.NaN()), complex(1e300, -1e-300)} {
			l = append(l, fmt.Sprint(a*b, a+b, a-b, complex64(a)*complex64(b)))
		}
	}
	return
}
func main() { s, t, l := work(100); fmt.Println(s, t, l) }`,
}
