// Program order reads variables beside calls that change them, in the order of compiled Go: it
// makes the calls first, and reads variables when they are needed.
package main

import "fmt"

type node struct {
	key         int
	left, right int
	children    []int
}

var nodes []node

func add(key int) int {
	nodes = append(nodes, node{key: key, left: -1, right: -1})
	return len(nodes) - 1
}

// grow makes a tree in one slice, whose elements move while it is made.
func grow(depth int) int {
	n := add(depth)
	if depth > 0 {
		nodes[n].left = grow(depth - 1)
		nodes[n].right = grow(depth - 1)
		nodes[n].children = append(nodes[n].children, grow(depth-2), add(-depth))
	}
	return n
}

type list struct {
	items []string
	next  *list
	count int
	byKey map[string]int
	fixed [3]int
}

func (l *list) add(s string) string {
	l.items = append(l.items, s)
	l.count++
	return s + "!"
}

func (l *list) more() *list {
	l.next = &list{count: 100, byKey: map[string]int{}}
	return l.next
}

type point struct{ x, y int }

type shape interface{ area(scale int) int }

func (p point) area(scale int) int  { return p.x * p.y * scale }
func (p *point) move(by int) *point { p.x += by; return p }

var (
	global  = 1
	shapes  = []shape{point{1, 2}, point{3, 4}}
	current shape
)

func bump(by int) int { global += by; return by }

func pair() (int, int) { global *= 2; return global, -global }

func sum(list ...int) (n int) {
	for _, x := range list {
		n = 10*n + x
	}
	return n
}

func swap(to int) int { current = shapes[to]; return to + 1 }

func places() {
	l := &list{byKey: map[string]int{}, items: []string{"a"}}
	l.items[0] = l.add("b")
	fmt.Println(l.items, l.count)
	l.items = append(l.items, l.add("c"), l.items[0])
	fmt.Println(l.items)
	was := l
	change := func() int { l = l.more(); return l.count }
	l.count = change()
	fmt.Println(was.count, l.count)
	l, was = was, l
	l.count += change()
	fmt.Println(was.count, l.count)
	l.byKey["x"] = change()
	l.fixed[l.count%3] = l.more().count
	fmt.Println(l.byKey, l.fixed)
	i := 0
	set := func(to int) int { i = to; return to * to }
	a := []int{1, 2, 3, 4}
	a[i] = set(2)
	a[i] += set(3)
	a[set(1)] = set(0)
	a[i], i = set(3), 1
	fmt.Println(a, i)
	a[i]++
	a[set(1)]--
	p, q := &a[0], new(int)
	other := func() int { p = q; return 9 }
	*p = other()
	fmt.Println(a, *q)
	m := map[int][]int{}
	m[i] = append(m[i], set(2), i)
	fmt.Println(m)
	var x, y int
	x, y = i, set(5)
	fmt.Println(x, y)
	a[0], a[1] = pair()
	m[i], _ = m[set(2)]
	fmt.Println(a, m)
}

func operands() {
	x := 1
	set := func(to int) int { x = to; return 10 * to }
	fmt.Println(x+set(2), set(3)+x, x, set(4), x)
	v := []int{x, set(5), x}
	w := [2]int{x, set(6)}
	s := struct{ a, b int }{x, set(7)}
	m := map[int]int{x: set(8)}
	fmt.Println(v, w, s, m, &point{x, set(9)})
	fmt.Println(sum(x, set(1), x), sum(append([]int{x}, set(2), x)...))
	text := "a"
	say := func() string { text += "b"; return "-" }
	text = text + say() + text
	fmt.Println(text, text[:1]+say(), len(text)+len(say()))
	if x+set(3) > 32 && x == 3 {
		fmt.Println("if", x)
	}
	if n := x; n+set(4) == 43 {
		fmt.Println("with", x)
	}
	if n := x + set(6); n == 0 {
	} else if n == 66 && x+set(7) == 77 {
		fmt.Println("neither", n, x)
	} else if n := x + set(8); n == 88 {
		fmt.Println("else", n, x)
	} else if x+set(9) == 99 {
		fmt.Println("at last", n, x)
	}
	switch n := x + set(1); n + set(2) {
	case 31:
		fmt.Println("tag", n, x)
	}
	switch x + set(5) {
	case 55:
		fmt.Println("switch", x)
	}
	for i := range x + set(6) - 64 {
		fmt.Println("range", i)
	}
	ok := x > 6 || set(7) == 70
	fmt.Println(ok, x, x == 7 && set(8) > 0 && x == 8, x)
	const always, never = true, false
	fmt.Println(x, always && set(1) > 10, x, never || set(2) == 20, x, never && set(3) > 0, always || set(4) > 0, x)
	p := point{1, 2}
	fmt.Println(p, p.move(3), p, p.area(2)+p.move(1).area(1), p.x)
	fmt.Println(p.x+p.move(1).x, *p.move(1), p)
	current = shapes[0]
	fmt.Println(current.area(swap(1)), current)
	var f func(int) int
	f = func(n int) int { f = set; return n }
	fmt.Println(f(f(3)), x)
	c := make(chan int, 3)
	send := func() int { c <- x; return x }
	c <- send()
	x = 50
	fmt.Println(x+<-c, <-c, x)
	var e any = x
	put := func() int { e = "changed"; return 1 }
	fmt.Println(e, put(), e)
	t, isText := e.(string)
	fmt.Println(t, isText, global+bump(5), global, bump(6))
}

func results() (int, int, point) {
	x := 1
	set := func(to int) int { x = to; return 10 * to }
	p := point{1, 1}
	return x, set(2), *p.move(x)
}

func control() {
	x := 1
	set := func(to int) int { x = to; return to }
	func() {
		defer fmt.Println("deferred", x, set(2), x)
		x = 3
	}()
	done := make(chan bool)
	go func(a, b int) { fmt.Println("go", a, b); done <- true }(x, set(4))
	<-done
again:
	x += set(x + 1)
	if x < 12 {
		goto again
	}
	fmt.Println(x)
outer:
	for i := range 3 {
		switch x + set(i) {
		case 2:
			continue outer
		case 4:
			break outer
		}
		fmt.Println("turn", i, x)
	}
	var calls int
	call := func() int { calls++; return 1 }
	for name, f := range []func(){
		func() { var e []int; e[3] = call() },
		func() { var e *node; e.key = call() },
		func() { var e map[string]int; e["x"] = call() },
		func() { var e *int; *e += call() },
		func() { var z int; fmt.Println(call() / z) },
	} {
		func() {
			defer func() { fmt.Println(name, recover(), calls) }()
			f()
		}()
	}
}

type stack[T any] struct{ list []T }

func (s *stack[T]) push(x T) int { s.list = append(s.list, x); return len(s.list) }

func fill[T any](s *stack[T], x, y T) (T, int) {
	s.push(x)
	s.list[0], s.list[len(s.list)-1] = y, s.list[s.push(y)-2]
	return s.list[0], len(s.list) + s.push(x)
}

var initial = global + bump(1) + global

type lexer struct {
	source string
	at     int
	kind   uint8
	seen   map[string]int
	last   any
}

func (l *lexer) scan() int {
	l.at += 3
	l.kind++
	l.seen["a"]++
	l.last = l.at
	return l.at
}

func show(list ...any) string { return fmt.Sprint(list...) }

// temporaries has what the compiler evaluates at once: bounds of slices, conditions, and
// what it needs an address of. Elements of maps are read late.
func temporaries() {
	l := &lexer{source: "0123456789abcdefghijklmnopqrstuvwxyz", at: 1, seen: map[string]int{}}
	fmt.Println(l.source[l.at-1:l.scan()], l.source[l.at:l.scan()+3], l.seen["a"]*10+l.scan())
	fmt.Println(l.at > 10 && l.kind > 3, l.scan(), l.at > 10, l.scan(), uint8(l.at), l.scan())
	fmt.Println(show(point{l.at, 1}, l.scan()), show(&point{l.at, 1}, l.scan()), show(l.at+1, l.scan()))
	fmt.Println(map[string]int{"a": l.at, "b": l.scan()}, l.scan(), point{l.at, 1} == point{l.scan(), 1})
	kinds, all := map[uint8]int{}, map[any]int{}
	kinds[l.kind], kinds[l.kind+1] = l.scan(), l.at
	all[l.at], all[l.last] = l.scan(), l.at
	fmt.Println(kinds, all)
	for i := 0; l.at+i < l.scan(); i++ {
		fmt.Println("never")
	}
	c := make(chan int, 1)
	select {
	case c <- l.at*100 + l.scan():
		fmt.Println(<-c)
	}
	switch x := any(l.at*100 + l.scan()).(type) {
	case int:
		fmt.Println(x)
	}
	fmt.Println(func() (any, any) { return point{l.at, 1}, l.scan() }())
}

func main() {
	grow(3)
	for i, n := range nodes {
		fmt.Println(i, n)
	}
	places()
	operands()
	fmt.Println(results())
	control()
	fmt.Println(fill(&stack[string]{}, "x", "y"))
	fmt.Println(fill(&stack[float64]{}, 1, 2))
	fmt.Println(initial)
	temporaries()
}
