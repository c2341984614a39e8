package shapes

import (
	"fmt"
	"strings"
)

// widths has variables of all integer types, which overflow and are converted to each other.
func widths(g *generator) string {
	var vars, steps, show strings.Builder
	for _, t := range integers {
		if g.IntN(2) == 0 {
			continue
		}
		other := of(g, integers...)
		fmt.Fprintf(&vars, "v%s, w%s := %s(%d), %s(i0 %s %d)\n", t, t, t, g.IntN(128), t, of(g, "+", "-", "*"), g.IntN(1000))
		fmt.Fprintf(&steps, "\tv%s, w%s = %s, %s\n", t, t, g.integer(t, 3, "v"+t, "w"+t, t+"(i)"), g.integer(t, 2, "w"+t, "v"+t))
		fmt.Fprintf(&steps, "\tif %s {\n\t\tw%s ^= %s(%s(v%s)) + %d\n\t}\n", condition(g, "v"+t, "w"+t), t, t, other, t, g.IntN(100))
		fmt.Fprintf(&steps, "\tsum = mix(sum, v%s)\n", t)
		fmt.Fprintf(&show, ", v%s, w%s", t, t)
	}
	return fmt.Sprintf(`i0, sum := %d, uint64(0)
%sfor i := range %d {
	i0 += i
%s}
fmt.Println("widths", i0, sum%s)`, g.IntN(1000), vars.String(), g.between(50, 300), steps.String(), show.String())
}

// shifts has shifts by counts of all types and sizes, and rotations.
func shifts(g *generator) string {
	t, u := of(g, integers...), of(g, "uint8", "uint16", "uint", "uint64", "int", "int8", "int64")
	bits := sizes[t]
	return g.local(`x, y, sum := %[1]s(%[3]d), ^%[1]s(0), uint64(0)
for i := range %[4]d {
	n := %[2]s(i %% %[5]d)
	x = x<<n | x>>(%[6]d-n&%[7]d)
	y = y>>(n&%[7]d) ^ x<<(n/2)
	y <<= %[8]d
	y |= x >> %[9]d
	x += y * %[1]s(n+1)
	sum = mix(mix(sum, x), y)
	sum = mix(sum, -1<<n>>1)
	sum = mix(sum, uint8(1)<<n)
	sum = mix(sum, int16(-300)>>n)
}
func() {
	defer func() { fmt.Println("shifts", text(recover())) }()
	for i := %[10]d; ; i-- {
		sum = mix(sum, x<<i)
	}
}()
fmt.Println("shifts", x, y, sum)`, t, u, g.IntN(128), g.between(60, 250), of(g, 9, 40, 70, 100, 127), bits, bits-1, g.IntN(bits+3), g.IntN(bits+3), g.between(1, 20))
}

// floats has NaN, infinities and signed zeros in arithmetic, comparisons and conversions.
func floats(g *generator) string {
	n := g.fresh()
	g.declare(`func @f%[1]d(x, y float64) float64 {
	if %[2]s {
		return %[3]s
	}
	return %[4]s
}

func @g%[1]d(x, y float32) float32 { return (x - y) * %[5]s / (x + 0.5) }`, n, condition(g, "x", "y"), g.float(3, "x", "y"), g.float(3, "x", "y"), of(g, "x", "y", "3"))
	return g.local(`values := []float64{0, negative, 1, -1, infinity, -infinity, notANumber, 0.1, 1e300, 5e-324, 3, -7.5}
sum, orders := uint64(0), [7]int{}
x, y, s := 0.5, 2.0, float32(1)
for i := range %[2]d {
	a, b := values[i%%len(values)], values[(i/len(values))%%len(values)]
	x, y = @f%[1]d(a, y), @f%[1]d(x, b)
	s = @g%[1]d(s, float32(a))
	for k, c := range []bool{a < b, a <= b, a == b, a != b, a > b, a >= b, !(a < b)} {
		if c {
			orders[k]++
		}
	}
	switch {
	case a == 0 && 1/a < 0:
		sum = mix(sum, 17)
	case a != a:
		sum = mix(sum, 19)
	}
	sum = mix(sum, bits(x))
	sum = mix(sum, bits(y))
	sum = mix(sum, bits(float64(s)))
	sum = mix(sum, bits(%[3]s))
	sum = mix(sum, whole(a)+whole(x*10))
	if s != s || s > 1e10 || s < -1e10 {
		s = float32(i)
	}
	if x != x || small(x) != x {
		x = float64(i) / 3
	}
	if y != y || small(y) != y {
		y = -float64(i) / 7
	}
}
fmt.Println("floats", bits(x), bits(y), s, orders, sum)`, n, g.between(144, 300), g.float(3, "a", "b"))
}

// mixed has a loop over numbers of several types in a struct, with conversions between them.
func mixed(g *generator) string {
	n, t, u := g.fresh(), of(g, integers...), of(g, integers...)
	g.declare(`type @state%[1]d struct {
	a %[2]s
	f float64
	b %[3]s
	h float32
	ok bool
	c [2]%[2]s
}

func @advance%[1]d(s @state%[1]d, i int) @state%[1]d {
	s.a, s.b = %[4]s, s.b+%[3]s(s.a)
	s.f = small(%[5]s)
	s.h = s.h/2 + float32(s.a)
	s.ok = %[6]s
	s.c[i&1] ^= s.a
	return s
}`, n, t, u, g.integer(t, 3, "s.a", t+"(i)", "s.c[0]"), g.float(3, "s.f", "float64(s.a)", "float64(i)"), condition(g, "s.b", u+"(i)"))
	return g.local(`s, sum := @state%[1]d{a: 1, f: 0.5}, uint64(0)
past := make([]@state%[1]d, 3)
for i := range %[2]d {
	s = @advance%[1]d(s, i)
	if s.ok {
		past[i%%3] = s
	} else if past[(i+1)%%3] == s || s.f != s.f {
		s = @state%[1]d{b: s.b}
	}
	p := &past[i%%3]
	p.a += s.a
	sum = mix(mix(sum, p.a), s.b)
	sum = mix(sum, bits(s.f))
}
fmt.Println("mixed", s.a, bits(s.f), s.b, bits(float64(s.h)), s.ok, s.c, past[1].a, sum)`, n, g.between(100, 400))
}

// complexes has arithmetic of complex numbers.
func complexes(g *generator) string {
	t, f := "complex128", "float64"
	if g.IntN(3) == 0 {
		t, f = "complex64", "float32"
	}
	var expr func(depth int) string
	expr = func(depth int) string {
		if depth == 0 {
			return of(g, "z", "w", "z", t+"(complex(x, 1))")
		}
		a, b := expr(depth-1), expr(g.IntN(depth))
		switch g.IntN(6) {
		case 0, 1:
			return fmt.Sprintf("(%s %s %s)", a, of(g, "+", "-"), b)
		case 2, 3:
			return fmt.Sprintf("(%s * %s)", a, b)
		case 4:
			return fmt.Sprintf("(%s / (%s + 3))", a, b)
		}
		return fmt.Sprintf("(-%s)", a)
	}
	return g.local(`var z, w %[1]s = complex(0.5, -0.25), 1i
x, sum, escaped := %[2]s(0.125), uint64(0), 0
history := []%[1]s{}
for i := range %[3]d {
	z, w = %[4]s, %[5]s
	x = real(z) - imag(w)/2
	if real(z)*real(z)+imag(z)*imag(z) > 1e4 || z != z || w != w || real(w) > 1e4 || real(w) < -1e4 || imag(w) > 1e4 || imag(w) < -1e4 {
		escaped++
		z, w = complex(%[2]s(i%%7)/7, x*0), 1-0.5i
	}
	if z == w {
		escaped += 100
	}
	if x != x || x > 1e6 || x < -1e6 {
		x = 1
	}
	if i%%10 == 0 {
		history = append(history, z*w)
	}
	sum = mix(sum, bits(float64(real(z))))
	sum = mix(sum, bits(float64(imag(w))))
}
fmt.Println("complexes", z, w, escaped, len(history), history[len(history)-1], sum)`, t, f, g.between(80, 300), expr(3), expr(2))
}

// generics has generic functions with closures, for several types.
func generics(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`func @each%[1]d[T, U any](s []T, f func(T) U) []U {
	r := make([]U, 0, len(s))
	for _, x := range s {
		r = append(r, f(x))
	}
	return r
}

func @keep%[1]d[S ~[]T, T any](s S, f func(T) bool) (r S) {
	for i := range s {
		if f(s[i]) {
			r = append(r, s[i])
		}
	}
	return r
}

func @fold%[1]d[T, A any](s []T, a A, f func(A, T) A) A {
	for _, x := range s {
		a = f(a, x)
	}
	return a
}

func @sum%[1]d[T number](s ...T) (sum T) {
	for _, x := range s {
		sum += x*x + T(len(s))
	}
	return sum
}

type @ids%[1]d []%[2]s`, n, t)
	return g.local(`ids := @ids%[1]d{}
for i := range %[3]d {
	ids = append(ids, %[2]s(i*i))
}
sum, offset := uint64(0), %[2]s(0)
for round := range %[4]d {
	some := @keep%[1]d(ids, func(x %[2]s) bool { y := x + %[2]s(round); return %[5]s })
	texts := @each%[1]d(some, func(x %[2]s) string { offset++; return fmt.Sprint(x + offset) })
	numbers := @each%[1]d(some, func(x %[2]s) float64 { return float64(x) / 2 })
	sum = mix(sum, @fold%[1]d(texts, 0, func(n int, s string) int { return n*3 + len(s) }))
	sum = mix(sum, bits(@sum%[1]d(numbers...)))
	sum = mix(sum, @sum%[1]d(some...))
	sum = mix(sum, @sum%[1]d(int8(round), 100, 27))
	sum = mix(sum, bits(float64(@sum%[1]d(float32(round), 0.1))))
	ids[round%%len(ids)] += offset
}
fmt.Println("generics", len(ids), offset, sum)`, n, t, g.between(5, 30), g.between(5, 25), condition(g, g.integer(t, 1, "x", "y"), "y"))
}

// containers has generic types: a stack, a pair and a tree.
func containers(g *generator) string {
	n := g.fresh()
	g.declare(`type @stack%[1]d[T any] struct{ items []T }

func (s *@stack%[1]d[T]) push(x T) { s.items = append(s.items, x) }
func (s *@stack%[1]d[T]) pop() (x T, ok bool) {
	if len(s.items) == 0 {
		return x, false
	}
	x = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}

type @pair%[1]d[A comparable, B number] struct {
	first  A
	second B
}

func (p @pair%[1]d[A, B]) more(by B) @pair%[1]d[A, B] { p.second += by; return p }

type @node%[1]d[K integer, V any] struct {
	key         K
	value       V
	left, right *@node%[1]d[K, V]
}

func (n *@node%[1]d[K, V]) put(key K, value V) *@node%[1]d[K, V] {
	switch {
	case n == nil:
		return &@node%[1]d[K, V]{key: key, value: value}
	case key < n.key:
		n.left = n.left.put(key, value)
	case key > n.key:
		n.right = n.right.put(key, value)
	default:
		n.value = value
	}
	return n
}

func (n *@node%[1]d[K, V]) walk(f func(K, V)) {
	if n != nil {
		n.left.walk(f)
		f(n.key, n.value)
		n.right.walk(f)
	}
}`, n)
	k, v := of(g, integers...), of(g, "int", "float64", "uint8", "int16")
	return g.local(`var root *@node%[1]d[%[2]s, @pair%[1]d[string, %[3]s]]
s, t := &@stack%[1]d[%[2]s]{}, &@stack%[1]d[any]{}
key := %[2]s(%[4]d)
for i := range %[5]d {
	key = %[6]s
	root = root.put(key, @pair%[1]d[string, %[3]s]{fmt.Sprint(i), %[3]s(i)}.more(2))
	s.push(key)
	if i%%3 == 1 {
		x, ok := s.pop()
		t.push(x)
		t.push(ok)
	}
	if i%%%[7]d == 0 {
		x, _ := t.pop()
		if n, ok := x.(%[2]s); ok {
			s.push(n + 1)
		}
	}
}
sum, count := uint64(0), 0
root.walk(func(k %[2]s, p @pair%[1]d[string, %[3]s]) {
	count++
	sum = mix(mix(sum, k), len(p.first)+whole(float64(p.second)))
})
fmt.Println("containers", count, sum, len(s.items), len(t.items))`, n, k, v, g.IntN(128), g.between(40, 150), g.integer(k, 2, "key", k+"(i)"), g.between(2, 6))
}

// figures has calls of methods of several types through interfaces, with switches and assertions.
func figures(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`type @figure%[1]d interface {
	area() float64
	grow(by %[2]s) @figure%[1]d
}

type @named%[1]d interface {
	@figure%[1]d
	fmt.Stringer
}

type @square%[1]d struct{ side %[2]s }
type @disc%[1]d struct{ radius float64 }
type @line%[1]d %[2]s

func (s @square%[1]d) area() float64 { return float64(s.side) * float64(s.side) }
func (s @square%[1]d) grow(by %[2]s) @figure%[1]d { x := s.side; return @square%[1]d{%[3]s ^ x} }
func (s @square%[1]d) String() string { return fmt.Sprint("square ", s.side) }
func (d *@disc%[1]d) area() float64 { return d.radius * d.radius * 3 }
func (d *@disc%[1]d) grow(by %[2]s) @figure%[1]d { d.radius = small(d.radius + float64(by)); return d }
func (l @line%[1]d) area() float64 { return 0 }
func (l @line%[1]d) grow(by %[2]s) @figure%[1]d { return l + @line%[1]d(by) }

func @size%[1]d(x any) int {
	switch x := x.(type) {
	case nil:
		return -1
	case @square%[1]d:
		return int(x.side)
	case @named%[1]d:
		return len(x.String())
	case @figure%[1]d:
		return whole(x.area())
	case int, %[4]s:
		return 7
	case func() int:
		return x()
	case []int:
		return len(x)
	case error:
		return len(x.Error())
	}
	return 0
}`, n, t, g.integer(t, 2, "x", "by"), of(g, "int8, string", "bool", "float64, string", "uint16"))
	return g.local(`figures := []@figure%[1]d{@square%[1]d{1}, &@disc%[1]d{1}, @line%[1]d(3), nil}
others := []any{nil, 1, "two", 3.0, []int{4}, errors.New("five"), func() int { return 6 }, @line%[1]d(7), (*@disc%[1]d)(nil), true, int8(1), uint16(2)}
sum, equal := uint64(0), 0
for i := range %[2]d {
	f := figures[i%%4]
	if f == nil {
		figures[3] = figures[i%%3]
		figures[i%%3] = @square%[1]d{%[3]s(i)}
		continue
	}
	sum = mix(sum, whole(f.area()))
	figures[i%%4] = f.grow(%[3]s(i))
	if s, ok := f.(fmt.Stringer); ok {
		sum = mix(sum, len(s.String()))
	}
	if i%%%[4]d == 0 {
		figures[3] = nil
	}
	x := others[i%%len(others)]
	if d, ok := x.(*@disc%[1]d); !ok || d != nil {
		sum = mix(sum, @size%[1]d(x))
	}
	sum = mix(sum, @size%[1]d(f))
	if s, ok := f.(@square%[1]d); ok && f == @figure%[1]d(s) {
		equal++
	}
	if i%%8 != 4 && i%%12 != 4 && i%%12 != 6 && x == others[1] {
		equal += 1000
	}
}
fmt.Println("figures", sum, equal)
func() {
	defer func() { fmt.Println("figures", strings.ReplaceAll(text(recover()), %[5]q, "")) }()
	var f @figure%[1]d = @line%[1]d(1)
	for i := range 3 {
		if i == 2 {
			_ = f.(@named%[1]d)
		}
	}
}()`, n, g.between(60, 250), t, g.between(5, 30), g.prefix)
}
