package shapes

import "fmt"

// closures has functions in a map, which loops call. The functions share and change variables.
func closures(g *generator) string {
	t := of(g, integers...)
	var entries string
	for i := range g.between(2, 6) {
		switch g.IntN(4) {
		case 0:
			entries += fmt.Sprintf("\t\"f%d\": func(x %s) %s { return %s },\n", i, t, t, g.integer(t, 3, "x", "shared"))
		case 1:
			entries += fmt.Sprintf("\t\"f%d\": func(x %s) %s { shared += x; calls++; return %s },\n", i, t, t, g.integer(t, 2, "x", "shared"))
		case 2:
			entries += fmt.Sprintf("\t\"f%d\": adder(%d),\n", i, g.between(1, 100))
		default:
			entries += fmt.Sprintf("\t\"f%d\": twice(func(x %s) %s { return %s }),\n", i, t, t, g.integer(t, 2, "x", "shared"))
		}
	}
	return g.local(`shared, calls := %[1]s(1), 0
adder := func(by %[1]s) func(%[1]s) %[1]s {
	total := by
	return func(x %[1]s) %[1]s {
		total += x + by
		return total
	}
}
twice := func(f func(%[1]s) %[1]s) func(%[1]s) %[1]s {
	return func(x %[1]s) %[1]s { calls++; return f(f(x)) }
}
_, _ = adder, twice
table := map[string]func(%[1]s) %[1]s{
%[2]s}
var names []string
for name := range table {
	names = append(names, name)
}
sort.Strings(names)
sum := uint64(0)
x := %[1]s(2)
for i := range %[3]d {
	f := table[names[i%%len(names)]]
	x = f(x) + %[1]s(i)
	sum = mix(sum, x)
	if f := table["none"]; f != nil {
		sum++
	}
}
fmt.Println("closures", shared, calls, x, sum)`, t, entries, g.between(60, 250))
}

// counters has closures made in loops, each with its own variables, and local functions that change
// the variables around them.
func counters(g *generator) string {
	t := of(g, integers...)
	return g.local(`var next []func() %[1]s
sum := uint64(0)
for i := range %[2]d {
	n := %[1]s(i)
	next = append(next, func() %[1]s { n = %[3]s; i++; return n + %[1]s(i) })
}
depth, deepest := 0, 0
var visit func(n int) int
visit = func(n int) int {
	depth++
	deepest = max(deepest, depth)
	defer func() { depth-- }()
	if n <= 1 {
		return n
	}
	return visit(n/2) + visit(n-n/2-1) + 1
}
swap := func(a, b *%[1]s) { *a, *b = *b, *a }
a, b := %[1]s(1), %[1]s(2)
for i := range %[4]d {
	v := next[i%%len(next)]()
	sum = mix(sum, v)
	a += v
	swap(&a, &b)
	func() {
		if %[5]s {
			a++
			return
		}
		b ^= a
	}()
}
fmt.Println("counters", a, b, sum, visit(%[6]d), deepest, depth)`, t, g.between(2, 6), g.integer(t, 2, "n"), g.between(50, 200), condition(g, "a", "b"), g.between(10, 60))
}

// recovery has calls that panic in several ways in a loop, and recovers.
func recovery(g *generator) string {
	n := g.fresh()
	g.declare(`type @failure%[1]d struct{ code int }

func (f *@failure%[1]d) Error() string { return fmt.Sprint("failure ", f.code) }

func @risky%[1]d(i int, s []int, m map[string]int, p *@failure%[1]d, x any) (result int) {
	for k := range i%%5 + 1 {
		switch (i + k) %% %[2]d {
		case 0:
			result += s[i%%9]
		case 1:
			result += 100 / (i%%4 - k)
		case 2:
			result += p.code
		case 3:
			result += x.(int)
		case 4:
			if i%%3 == 0 {
				m["x"] = i
			}
			result += m["x"]
		case 5:
			result += len(s[i%%7 : 5])
		case 6:
			if i%%5 == 2 {
				panic(&@failure%[1]d{i})
			}
		case 7:
			result += s[len(s)-1-k] << uint(i%%70)
		case 8:
			result += [4]int{1, 2, 3, 4}[(i+k)%%6]
		}
	}
	return result
}

func @safe%[1]d(i int, s []int, m map[string]int, p *@failure%[1]d, x any) (result int, err error) {
	defer func() {
		if r := recover(); r != nil {
			result -= %[3]d
			if f, ok := r.(*@failure%[1]d); ok {
				err = f
				return
			}
			err = errors.New(text(r))
		}
	}()
	result = %[3]d
	result += @risky%[1]d(i, s, m, p, x)
	return result, nil
}`, n, g.between(3, 9), g.between(1, 50))
	return g.local(`sum, kinds := uint64(0), map[string]int{}
for i := range %[2]d {
	var p *@failure%[1]d
	if i%%4 != 1 {
		p = &@failure%[1]d{i}
	}
	var m map[string]int
	if i%%6 != 0 {
		m = map[string]int{"x": i}
	}
	x := []any{i, "no", nil, 2.5}[i%%4]
	r, err := @safe%[1]d(i, make([]int, i%%8), m, p, x)
	sum = mix(sum, r)
	if err != nil {
		kinds[err.Error()]++
		var f *@failure%[1]d
		if errors.As(err, &f) {
			sum = mix(sum, f.code)
		}
	}
}
var names []string
for k := range kinds {
	names = append(names, k)
}
sort.Strings(names)
for _, k := range names {
	fmt.Println("recovery", k, kinds[k])
}
fmt.Println("recovery", sum)`, n, g.between(60, 200))
}

// cleanup has deferred calls, in loops and in sequence, that change named results, and deferred
// calls that panic.
func cleanup(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`func @work%[1]d(n int, log *[]int) (result %[2]s) {
	for i := range n %% 5 {
		defer func() {
			*log = append(*log, i)
			result = %[3]s
		}()
	}
	defer func(x %[2]s) { result += x }(result + 1)
	if n%%%[4]d == 0 {
		defer func() {
			r := recover()
			*log = append(*log, len(fmt.Sprint(r)))
			if n%%%[5]d == 0 {
				panic(fmt.Sprint("again ", r))
			}
		}()
		panic(n)
	}
	for k := range n {
		result ^= %[2]s(k)
	}
	return result * 2
}`, n, t, g.integer(t, 2, "result", t+"(i)"), g.between(2, 5), g.between(2, 9))
	return g.local(`var log []int
sum := uint64(0)
for n := range %[2]d {
	func() {
		defer func() {
			if r := recover(); r != nil {
				sum = mix(sum, len(text(r)))
			}
		}()
		sum = mix(sum, @work%[1]d(n, &log))
	}()
	if len(log) > 30 {
		log = slices.Clone(log[25:])
	}
}
fmt.Println("cleanup", sum, log)`, n, g.between(40, 150))
}

// methods has method values, method expressions and fields of function types.
func methods(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`type @machine%[1]d struct {
	state %[2]s
	op    func(%[2]s) %[2]s
	after []func(*@machine%[1]d)
}

func (m *@machine%[1]d) up(x %[2]s) %[2]s   { m.state += x; return m.state }
func (m *@machine%[1]d) down(x %[2]s) %[2]s { m.state -= x / 2; return %[3]s }
func (m @machine%[1]d) peek(x %[2]s) %[2]s  { m.state = 99; return %[4]s }
func (m *@machine%[1]d) run(x %[2]s) %[2]s {
	y := m.op(x)
	for _, f := range m.after {
		f(m)
	}
	return y
}`, n, t, g.integer(t, 2, "m.state", "x"), g.integer(t, 2, "m.state", "x"))
	return g.local(`m := &@machine%[1]d{state: 5}
ops := []func(%[2]s) %[2]s{m.up, m.down, m.peek}
bound := (*m).peek
expressions := []func(*@machine%[1]d, %[2]s) %[2]s{(*@machine%[1]d).up, (*@machine%[1]d).down, func(m *@machine%[1]d, x %[2]s) %[2]s { return m.peek(x) }}
m.after = append(m.after, func(m *@machine%[1]d) { m.state ^= %[3]d }, func(m *@machine%[1]d) { m.op = ops[int(m.state&1)] })
m.op = ops[2]
sum := uint64(0)
for i := range %[4]d {
	sum = mix(sum, ops[i%%3](%[2]s(i)))
	sum = mix(sum, expressions[i%%3](m, %[2]s(i)))
	sum = mix(sum, m.run(bound(%[2]s(i))))
	if i%%%[5]d == 0 {
		bound = m.peek
	}
}
fmt.Println("methods", m.state, sum)`, n, t, g.between(1, 100), g.between(50, 200), g.between(3, 20))
}

// recursion has functions that call themselves and each other, with several results.
func recursion(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`func @tree%[1]d(n int, x %[2]s, memo map[int]%[2]s) (%[2]s, int) {
	if n <= 0 {
		return x, 1
	}
	if y, ok := memo[n]; ok && n%%3 == 0 {
		return y ^ x, 0
	}
	a, i := @tree%[1]d(n-1, x+1, memo)
	b, k := @tree%[1]d(n-%[3]d, %[4]s, memo)
	if memo != nil {
		memo[n] = a
	}
	return %[5]s ^ b, i + k + 1
}

func @even%[1]d(n %[2]s) bool { return n == 0 || @odd%[1]d(n-1) }
func @odd%[1]d(n %[2]s) bool  { return n != 0 && @even%[1]d(n-1) }

func @power%[1]d(x %[2]s, n uint) %[2]s {
	if n == 0 {
		return 1
	}
	y := @power%[1]d(x, n/2)
	if y *= y; n%%2 == 1 {
		y *= x
	}
	return y
}

func @ackermann%[1]d(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return @ackermann%[1]d(m-1, 1)
	}
	return @ackermann%[1]d(m-1, @ackermann%[1]d(m, n-1))
}`, n, t, g.between(2, 4), g.integer(t, 1, "x", "a"), g.integer(t, 2, "a", "b", "x"))
	return g.local(`sum := uint64(0)
for i := range %[2]d {
	var memo map[int]%[3]s
	if i%%2 == 1 {
		memo = map[int]%[3]s{}
	}
	x, n := @tree%[1]d(i%%12, %[3]s(i), memo)
	sum = mix(mix(sum, x), n)
	if @even%[1]d(%[3]s(i %% 100)) {
		sum = mix(sum, @power%[1]d(x|1, uint(i)))
	}
}
fmt.Println("recursion", sum, @ackermann%[1]d(2, %[4]d))`, n, g.between(20, 60), t, g.between(2, 12))
}

// sequences has range-over-func loops that end early, are nested and have defers.
func sequences(g *generator) string {
	n, t := g.fresh(), of(g, integers...)
	g.declare(`func @upto%[1]d(n %[2]s, log *int) func(func(int, %[2]s) bool) {
	return func(yield func(int, %[2]s) bool) {
		defer func() { *log++ }()
		x := n
		for i := range %[3]d {
			x = %[4]s
			if !yield(i, x) {
				*log += 100
				return
			}
		}
	}
}

func @find%[1]d(n %[2]s, log *int) (at int, ok bool) {
	for i, x := range @upto%[1]d(n, log) {
		for k, y := range @upto%[1]d(x, log) {
			if %[5]s {
				return i*100 + k, true
			}
			if k > i {
				break
			}
		}
	}
	return -1, false
}`, n, t, g.between(3, 12), g.integer(t, 2, "x", "n", t+"(i)"), condition(g, "x", "y"))
	return g.local(`log, sum := 0, uint64(0)
for i := range %[2]d {
	at, ok := @find%[1]d(%[3]s(i), &log)
	sum = mix(sum, at)
	if !ok {
		continue
	}
	for k, x := range @upto%[1]d(%[3]s(at), &log) {
		if k%%2 == 1 {
			continue
		}
		sum = mix(sum, x)
	}
}
fmt.Println("sequences", log, sum)`, n, g.between(20, 80), t)
}

// selects has buffered channels of which exactly one is ready, and workers that answer in turn.
func selects(g *generator) string {
	t := of(g, integers...)
	return g.local(`a, b, results := make(chan %[1]s, %[2]d), make(chan %[1]s, %[2]d), make(chan int, 1)
done := make(chan struct{})
sum, full, idle := uint64(0), 0, 0
go func() {
	n := 0
	for x := range b {
		n += int(x & 0xf)
	}
	results <- n
	close(done)
}()
var none chan %[1]s
for i := range %[3]d {
	select {
	case a <- %[1]s(i):
	default:
		full++
		for range len(a) / 2 {
			x := <-a
			sum = mix(sum, x)
		}
	}
	if i%%%[4]d == 0 {
		select {
		case x, ok := <-a:
			if ok {
				b <- %[5]s
			}
		case x := <-none:
			sum = mix(sum, x)
		default:
			idle++
		}
	}
}
close(a)
for x := range a {
	sum = mix(sum, x)
}
x, ok := <-a
close(b)
<-done
fmt.Println("selects", sum, full, idle, <-results, x, ok, len(b), cap(a))`, t, g.between(1, 20), g.between(50, 300), g.between(2, 7), g.integer(t, 1, "x"))
}
