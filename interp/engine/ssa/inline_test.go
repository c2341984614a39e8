package ssa_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/interp/engine"
)

// The stack trace of a panic contains inlined calls.
func TestStackThroughSmallFunctions(t *testing.T) {
	type frame struct {
		Func string
		Line int
	}
	for _, test := range []struct {
		name, cell string
		want       []frame
	}{
		{"in an expression", `
func at(a []int, i int) int { return a[i] }
func main() {
	println(1 +
		at(nil, 3))
}`, []frame{{"at", 2}, {"main", 5}}},
		{"in a statement", `
type T struct{ n int }
func (t *T) set(n int) {
	n++
	t.n = n
}
func main() {
	var t *T
	t.set(1)
}`, []frame{{"(*T).set", 5}, {"main", 9}}},
		{"in one of several blocks", `
func pick(a []int, i int) int {
	if i < 3 {
		return a[0]
	}
	return a[i]
}
func main() {
	println(pick([]int{1}, 2) + pick(nil, 3))
}`, []frame{{"pick", 6}, {"main", 9}}},
		{"in a closure", `
func main() {
	n := 0
	half := func(k int) { n = k / n }
	half(3)
	println(n)
}`, []frame{{"func literal in main", 4}, {"main", 5}}},
		{"in the argument, which is the caller's", `
func twice(n int) int { return 2 * n }
func main() {
	var a []int
	println(twice(
		a[2]))
}`, []frame{{"main", 6}}},
		{"behind the call", `
func first(a []int) int { return a[0] }
func main() {
	a := []int{4}
	for range 2 {
		println(first(a) /
			(first(a) - 4))
	}
}`, []frame{{"main", 6}}},
		{"in a loop of one statement", `
type T struct{ sum int }
func (t *T) add(a []int, i int) { t.sum += a[i] }
func main() {
	t, a := &T{}, make([]int, 5)
	for i := 0; i < 9; i++ {
		t.add(a, i)
	}
}`, []frame{{"(*T).add", 3}, {"main", 7}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := newSession(t, engine.Hooks{}).run(t.Context(), test.cell)
			var p *engine.Panic
			if !errors.As(err, &p) {
				t.Fatalf("error is %v, want a panic", err)
			}
			var got []frame
			for _, f := range p.Stack {
				got = append(got, frame{f.Func, f.Pos.Line})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("stack (-want +got):\n%s", diff)
			}
		})
	}
}

// A running loop calls the new version of a function that a later cell redeclares.
func TestRedeclaredFunctionIsSeenByRunningCode(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`
func step(n int) int { return n + 1 }
func note(n int) { last = n }
var last int
var ask, answer = make(chan int), make(chan int)
func serve() {
	for n := range ask {
		note(n)
		answer <- last + step(n)
	}
}`, "")
	s.want(`import "fmt"; func main() { go serve(); ask <- 1; fmt.Println(<-answer) }`, "3")
	s.want(`func step(n int) int { return 10 * n }`, "")
	s.want(`import "fmt"; func main() { ask <- 2; fmt.Println(<-answer) }`, "22")
	s.want(`func note(n int) { last = -n }`, "")
	s.want(`import "fmt"; func main() { ask <- 3; fmt.Println(<-answer) }`, "27")
}

// Values that the body of an inlined function allocated are garbage when the function returns.
func TestSmallFunctionKeepsNothingAlive(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import ("fmt"; "runtime"; "time")
type big struct { data [1 << 16]byte; n int }
func size(n int) int { b := &big{n: n}; kept = b; m := kept.n; kept = nil; return m + len(b.data) }
var kept *big
func main() {
	w := make(chan bool, 1)
	n := size(1)
	p := &big{n: n}
	runtime.SetFinalizer(p, func(*big) { w <- true })
	n += use(p)
	p = nil
	runtime.GC()
	select {
	case <-w:
		fmt.Println(n)
	case <-time.After(5 * time.Second):
		fmt.Println("alive")
	}
}
func use(p *big) int { q := p; q.n++; return q.n }
`, "131075")
}

// Variables that a closure captured stay alive as long as the closure is called, even where its
// body is inlined.
func TestInlinedClosureKeepsWhatItHasCaptured(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import ("fmt"; "runtime")
func main() {
	sum, names := 0, []string{}
	add := func(k int) int { sum += k; names = append(names, "n"); return sum }
	for i := range 3 {
		runtime.GC()
		add(i)
		runtime.GC()
	}
	runtime.GC()
	fmt.Println(add(4), names)
}
`, "7 [n n n n]")
}

// An inlined body reads a struct argument from the caller's variable, unless the body changes the
// parameter. Either way, the caller's variable keeps its value.
func TestInlinedBodyLeavesArgumentsAlone(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import "fmt"
type node struct { next *node; at [2]int; n int }
func (v node) read(i int) int { return v.n + v.at[i] + v.next.n }
func (v node) write(k int) int { v.n, v.at[0] = k, k; return v.n + v.at[0] + v.next.n }
func pick(a, b node) int {
	if a.n > b.n {
		return a.next.n
	}
	b.next = a.next
	return b.next.n + b.n
}
func main() {
	end := &node{n: 100}
	vs := []node{{end, [2]int{1, 2}, 3}, {end, [2]int{4, 5}, 6}}
	one := vs[0]
	for i, v := range vs {
		one.n += v.read(i) + v.write(i) + one.read(0) + one.write(1) + pick(v, one) + pick(one, v)
		fmt.Println(v.n, v.at, v.next.n, one.n, one.at, one.next.n, vs[i].read(1))
	}
}
`, `3 [1 2] 100 619 [1 2] 100 105
6 [4 5] 100 2473 [1 2] 100 111`)
}

// The result of an inlined function may be stored in the variable that was its argument.
func TestResultInPlaceOfArgument(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import "fmt"
func next(a, b int) int { return a*2 + b }
func grow(s string) string { return s + s }
func keep[T any](x T) T { return x }
func main() {
	a, b, s := 1, 1, "x"
	for range 4 {
		a, b = next(a, b), next(b, a)
		s = grow(s)
		a = keep(a)
		a = next(a, a)
	}
	fmt.Println(a, b, len(s), keep(s)[:2])
}
`, "2817 609 16 xx")
}
