package shapes

import (
	"fmt"
	"strings"
)

// records has a slice of structs whose methods change them by value and by pointer.
func records(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`type @record%[1]d struct {
	name  string
	count %[2]s
	total float64
	tags  []string
	flag  bool
}

func (r *@record%[1]d) add(x %[2]s) {
	y := r.count
	r.count = %[3]s
	r.total = small(r.total + float64(x)/3)
	if %[4]s {
		r.flag = !r.flag
		r.tags = append(r.tags, r.name)
	}
}

func (r @record%[1]d) changed(x %[2]s) @record%[1]d {
	r.count -= x
	r.name += "!"
	if len(r.name) > 12 {
		r.name = r.name[3:]
	}
	return r
}

func (r @record%[1]d) weight() %[2]s {
	if r.flag {
		return r.count
	}
	return %[2]s(len(r.name) + len(r.tags))
}`, n, t, g.integer(t, 3, "x", "y", "r.count"), condition(g, "y", "x"))
	return g.local(`var all []@record%[1]d
for i := range %[3]d {
	all = append(all, @record%[1]d{name: string(rune('a' + i)), count: %[2]s(i * 37)})
}
sum := uint64(0)
for i := range %[4]d {
	r := &all[i%%len(all)]
	r.add(%[2]s(i))
	c := all[(i*7)%%len(all)].changed(%[2]s(i + 1))
	sum = mix(sum, c.weight())
	if i%%%[5]d == 0 {
		all[(i+1)%%len(all)] = c
	}
	if len(r.tags) > 20 {
		r.tags = r.tags[10:]
	}
}
for _, r := range all {
	fmt.Println(r.name, r.count, bits(r.total), len(r.tags), r.flag)
}
fmt.Println("records", sum)`, n, t, g.between(2, 7), g.between(100, 400), g.between(2, 9))
}

// embedding has structs in structs, with promoted fields and methods.
func embedding(g *generator) string {
	n, t, u := g.fresh(), of(g, integers...), of(g, integers...)
	star, address := "", "" // embedded as a value, or as a pointer
	if g.IntN(2) == 0 {
		star, address = "*", "&"
	}
	g.declare(`type @base%[1]d struct {
	id   %[2]s
	past [3]%[2]s
}

func (b *@base%[1]d) move(by %[2]s) {
	b.past[2], b.past[1], b.past[0] = b.past[1], b.past[0], b.id
	b.id = %[4]s
}

func (b @base%[1]d) sum() (s %[2]s) {
	for _, x := range b.past {
		s += x
	}
	return s ^ b.id
}

type @outer%[1]d struct {
	%[5]s@base%[1]d
	size %[3]s
	next *@outer%[1]d
}

func (o *@outer%[1]d) step(i int) {
	o.move(%[2]s(i) + %[2]s(o.size))
	o.size += %[3]s(o.sum())
	if o.next != nil {
		o.next.id ^= o.id
	}
}`, n, t, u, g.integer(t, 2, "by", "b.id", "b.past[2]"), star)
	return g.local(`head := &@outer%[1]d{@base%[1]d: %[2]s@base%[1]d{id: 1}}
for i := range %[3]d {
	head = &@outer%[1]d{@base%[1]d: %[2]s@base%[1]d{id: %[4]s(i)}, next: head}
}
for i := range %[5]d {
	for o := head; o != nil; o = o.next {
		o.step(i)
	}
}
for o := head; o != nil; o = o.next {
	fmt.Println("embedding", o.id, o.past, o.size, o.sum())
}`, n, address, g.between(1, 4), t, g.between(50, 150))
}

// windows has slices of one array, and appends to them, copies them and reslices them.
func windows(g *generator) string {
	t := of(g, integers...)
	var steps strings.Builder
	for i := range g.between(4, 8) {
		a, b := of(g, "a", "b", "c"), of(g, "a", "b", "c")
		fmt.Fprintf(&steps, "\tcase %d:\n", i)
		switch g.IntN(9) {
		case 0:
			fmt.Fprintf(&steps, "\t\tif len(%s) > 2 {\n\t\t\t%s = %s[1 : len(%s)-1]\n\t\t}\n", a, b, a, a)
		case 1:
			fmt.Fprintf(&steps, "\t\t%s = append(%s, %s(i), %s(len(%s)))\n", a, b, t, t, a)
		case 2:
			fmt.Fprintf(&steps, "\t\tif len(%s) > 3 {\n\t\t\t%s = append(%s[:1], %s[2:]...)\n\t\t}\n", a, a, a, a)
		case 3:
			fmt.Fprintf(&steps, "\t\tcopied += copy(%s, %s)\n", a, b)
		case 4:
			fmt.Fprintf(&steps, "\t\tif len(%s) > 4 {\n\t\t\t%s = %s[1:3:4]\n\t\t}\n", a, b, a)
		case 5:
			fmt.Fprintf(&steps, "\t\tif n := len(%s); n > 1 {\n\t\t\t%s[i%%n], %s[n-1] = %s[n-1], %s[i%%n]\n\t\t}\n", a, a, a, a, a)
		case 6:
			fmt.Fprintf(&steps, "\t\tfor k := range %s {\n\t\t\t%s[k] += %s(k)\n\t\t\tif k > 5 {\n\t\t\t\tbreak\n\t\t\t}\n\t\t}\n", a, a, t)
		case 7:
			fmt.Fprintf(&steps, "\t\t%s = %s[:min(len(%s)+2, cap(%s))]\n", a, a, a, a)
		default:
			fmt.Fprintf(&steps, "\t\tif len(%s) > 0 {\n\t\t\tx := &%s[len(%s)/2]\n\t\t\t*x = %s\n\t\t}\n", a, a, a, g.integer(t, 2, "*x", t+"(i)"))
		}
	}
	return g.local(`base := make([]%[1]s, %[2]d, %[3]d)
for i := range base {
	base[i] = %[1]s(i * 11)
}
a, b, c := base, base[1:], base[2:3]
copied := 0
sum := uint64(0)
for i := range %[4]d {
	switch i * 7 %% %[5]d {
%[6]s	}
	if len(a) > 40 {
		a = a[20:]
	}
	if len(b) > 40 {
		b = b[:len(b)/2]
	}
	if len(c) > 40 {
		c = c[5:20]
	}
	for _, s := range [][]%[1]s{a, b, c} {
		sum = mix(sum, len(s))
		for _, x := range s {
			sum = mix(sum, x)
		}
	}
}
fmt.Println("windows", a, b, c, base[:3], copied, sum, cap(base))`, t, g.between(4, 12), g.between(12, 30), g.between(60, 200), g.between(4, 11), steps.String())
}

// grids has slices of slices, in which several rows are the same slice.
func grids(g *generator) string {
	t := of(g, integers...)
	rows, columns := g.between(3, 8), g.between(3, 8)
	return g.local(`m := make([][]%[1]s, %[2]d)
for i := range m {
	m[i] = make([]%[1]s, %[3]d)
	if i > 0 && i%%%[4]d == 0 {
		m[i] = m[i-1]
	}
}
flat := make([]%[1]s, %[2]d*%[3]d)
for i := range %[2]d {
	if i%%2 == 1 {
		m[i] = flat[i*%[3]d : (i+1)*%[3]d]
	}
}
for k := range %[5]d {
	for i := range m {
		for j := range m[i] {
			x, y := m[i][j], m[(i+k)%%len(m)][(j+1)%%len(m[0])]
			m[i][j] = %[6]s
			if %[7]s {
				m[i][j] ^= %[1]s(i * j)
			} else {
				m[(i+1)%%len(m)][j]++
			}
		}
	}
	m[k%%len(m)], m[0] = m[0], m[k%%len(m)]
}
fmt.Println("grids", m, flat)`, t, rows, columns, g.between(2, 4), g.between(5, 20), g.integer(t, 3, "x", "y"), condition(g, "x", "y"))
}

// arrays has arrays as values. The program copies them, compares them, indexes them by variables,
// and changes them while it ranges over them.
func arrays(g *generator) string {
	n, t, size := g.fresh(), of(g, integers...), g.between(2, 7)
	g.declare(`type @block%[1]d [%[2]d]%[3]s

func (b @block%[1]d) turned() @block%[1]d {
	first := b[0]
	for i := 1; i < len(b); i++ {
		b[i-1] = b[i]
	}
	b[len(b)-1] = first
	return b
}

func (b *@block%[1]d) fill(x %[3]s) {
	for i := range b {
		b[i] = %[4]s
	}
}`, n, size, t, g.integer(t, 2, "x", "b[i]"))
	return g.local(`var b @block%[1]d
history := [4]@block%[1]d{}
sum, same := uint64(0), 0
for i := range %[2]d {
	b.fill(%[3]s(i))
	c := b
	b = b.turned()
	for k, x := range b { // a copy
		b[(k+1)%%len(b)] += x
		sum = mix(sum, x)
	}
	for k := range &b {
		sum = mix(sum, b[k])
	}
	if c == b || history[i%%4] == c {
		same++
	}
	history[i%%4], history[(i+1)%%4] = c, history[i%%4]
	p := &history[i%%4]
	p[i%%len(p)]--
}
fmt.Println("arrays", b, history, sum, same)`, n, g.between(80, 250), t)
}

// tables has maps with keys of several types; they are read in the order of sorted keys.
func tables(g *generator) string {
	n := g.fresh()
	g.declare("type @key%d struct {\n\ta int8\n\tb string\n}", n)
	key, order := "int", "a < b"
	make := "i * 7 % " + fmt.Sprint(g.between(5, 60))
	switch g.IntN(6) {
	case 1:
		key, make = "string", `fmt.Sprint("k", i%`+fmt.Sprint(g.between(5, 40))+`)`
	case 2:
		key, order = g.local("@key%d", n), "a.a < b.a || a.a == b.a && a.b < b.b"
		make = g.local(`@key%d{int8(i), "xyz"[i%%3:]}`, n)
	case 3:
		key, order, make = "[2]uint16", "a[0] < b[0] || a[0] == b[0] && a[1] < b[1]", "[2]uint16{uint16(i % 9), uint16(i % 4)}"
	case 4:
		key, make = "float64", "float64(i%17) / 4 * negative" // 0 and -0 are one key
	case 5:
		key, order, make = "any", "fmt.Sprint(a) < fmt.Sprint(b)", `[]any{i % 5, "s" + fmt.Sprint(i%7), 1.5, nil, int8(i % 5), true}[i%6]`
		order = `fmt.Sprintf("%T%v", a, a) < fmt.Sprintf("%T%v", b, b)`
	}
	return g.local(`m := map[%[1]s]int{}
lists := map[%[1]s][]int{}
missing := 0
for i := range %[2]d {
	k := %[3]s
	m[k] += i
	if v, ok := m[k]; ok && v%%%[4]d == 0 {
		delete(m, k)
	} else if !ok {
		missing++
	}
	if len(lists[k]) < 5 {
		lists[k] = append(lists[k], i)
	}
	m[k]++
}
for k, v := range m {
	if v%%5 == 0 {
		delete(m, k)
	}
}
var keys []%[1]s
for k := range lists {
	keys = append(keys, k)
}
sort.Slice(keys, func(i, j int) bool { a, b := keys[i], keys[j]; return %[5]s })
sum := uint64(0)
for _, k := range keys {
	v, ok := m[k]
	sum = mix(sum, v+len(lists[k]))
	if ok {
		sum = mix(sum, lists[k][0])
	}
}
fmt.Println("tables", len(m), len(lists), missing, sum)`, key, g.between(50, 300), make, g.between(2, 9), order)
}

// lists has linked nodes whose pointers are rewritten in loops.
func lists(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`type @item%[1]d struct {
	value       %[2]s
	next, other *@item%[1]d
}

func @length%[1]d(l *@item%[1]d) (n int) {
	for ; l != nil; l = l.next {
		n++
	}
	return n
}

func @insert%[1]d(p **@item%[1]d, x %[2]s) {
	for *p != nil && %[3]s {
		p = &(*p).next
	}
	*p = &@item%[1]d{x, *p, nil}
}`, n, t, condition(g, "(*p).value", "x"))
	return g.local(`var l *@item%[1]d
state := %[2]s(%[3]d)
for i := range %[4]d {
	state = %[5]s
	@insert%[1]d(&l, state)
	if i%%%[6]d == 0 {
		var back *@item%[1]d
		for x := l; x != nil; {
			x.next, back, x = back, x, x.next
		}
		l = back
	}
	if i%%11 == 10 && l != nil {
		l = l.next
	}
	for a, b := l, l; b != nil && b.next != nil; a, b = a.next, b.next.next {
		a.other = b.next
	}
}
sum := uint64(0)
for x := l; x != nil; x = x.next {
	sum = mix(sum, x.value)
	if x.other != nil {
		sum = mix(sum, x.other.value)
	}
}
fmt.Println("lists", @length%[1]d(l), sum)`, n, t, g.between(1, 100), g.between(30, 90), g.integer(t, 3, "state", t+"(i)"), g.between(2, 8))
}
