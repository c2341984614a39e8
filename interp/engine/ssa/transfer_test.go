package ssa_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// blockedCells wait in an operation of a channel in a loop or a call, after they have printed.
var blockedCells = map[string]string{
	"receive":          `c := make(chan int); ready(); <-c`,
	"receive of none":  `var c chan string; ready(); <-c`,
	"receive in loop":  `c := make(chan int, 9); for i := range 9 { c <- i }; ready(); s := 0; for { s += <-c }`,
	"range":            `c := make(chan [9]string); ready(); for x := range c { print(x[0]) }`,
	"receive with ok":  `c := make(chan *int); ready(); p, ok := <-c; print(p, ok)`,
	"send":             `c := make(chan struct{}); ready(); c <- struct{}{}`,
	"send to none":     `var c chan any; ready(); c <- 1`,
	"send in loop":     `c := make(chan int, 9); ready(); for i := 0; ; i++ { c <- i }`,
	"select":           `a, b := make(chan int), make(chan int); ready(); select { case <-a: case b <- 1: }`,
	"recovering":       `defer func() { recover() }(); c := make(chan int); ready(); <-c`,
	"pipeline":         `a, b := make(chan int), make(chan int); go func() { for x := range a { b <- x } }(); ready(); for i := 0; ; i++ { a <- i }`,
	"several":          `c := make(chan int); for range 20 { go func() { c <- <-c }() }; ready(); <-c`,
	"deferred receive": `c := make(chan int); defer func() { <-c }(); ready(); c <- 1`,
}

// A cell that waits for a channel can be interrupted: its deferred functions run, and the session
// keeps its variables and channels.
func TestInterruptOfBlockedChannels(t *testing.T) {
	for _, mode := range []string{"off", "force"} {
		t.Setenv(nativeVariable, mode)
		for name, src := range blockedCells {
			t.Run(fmt.Sprint(name, "/", mode), func(t *testing.T) {
				ready := make(chan struct{})
				s := newSession(t, engine.Hooks{})
				s.wrote = sync.OnceFunc(func() { close(ready) })
				// The sleeping goroutine keeps the engine from reporting a deadlock.
				code, err := s.compile("import (\"fmt\"; \"time\"); var kept = make(chan int, 2); func ready() { go time.Sleep(time.Hour); kept <- 7; fmt.Println() }; " +
					"func main() { defer func() { kept <- 8 }(); " + src + " }")
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- code.Run(ctx) }()
				<-ready
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Errorf("error is %v, want that of the context", err)
				}
				s.want(`func main() { print(<-kept); print(<-kept); print(len(kept)) }`, "780")
			})
		}
	}
}

// transfers moves values of many sizes through channels whose receivers wait, while the collector
// runs. A value that the receiver gets is the value that was sent; a closed channel yields zeros.
const transfers = `
import ("fmt"; "runtime")
type pair struct { s string; p *int }
type wide struct { a [4]uint64; p *wide }
func check[T any](n int, make1 func(int) T, same func(T, int) bool, c chan T) (wrong int) {
	more := make(chan bool)
	go func() { for i := range n { <-more; runtime.Gosched(); c <- make1(i) }; close(c) }()
	for i := range n {
		more <- true
		if i%8 == 0 { go runtime.GC() }
		if x, ok := <-c; !ok || !same(x, i) { wrong++ }
	}
	var zero T
	x, ok := <-c
	y := <-c
	if ok || fmt.Sprint(x) != fmt.Sprint(zero) || fmt.Sprint(y) != fmt.Sprint(zero) { wrong += 1000 }
	return
}
func full(i int) (w [4]uint64) { for k := range w { w[k] = uint64(i+k) << 40 }; return }
func main() {
	const n = 24
	for size := range 2 {
		fmt.Print(
			check(n, func(i int) int { return -i }, func(x, i int) bool { return x == -i }, make(chan int, size)),
			check(n, func(i int) bool { return i%2 == 0 }, func(x bool, i int) bool { return x == (i%2 == 0) }, make(chan bool, size)),
			check(n, func(int) struct{} { return struct{}{} }, func(struct{}, int) bool { return true }, make(chan struct{}, size)),
			check(n, full, func(x [4]uint64, i int) bool { return x == full(i) }, make(chan [4]uint64, size)),
			check(n, func(i int) [5]int32 { return [5]int32{4: int32(i)} }, func(x [5]int32, i int) bool { return x == [5]int32{4: int32(i)} }, make(chan [5]int32, size)),
			check(n, func(i int) [9]float64 { return [9]float64{float64(i), 8: 1} }, func(x [9]float64, i int) bool { return x[0] == float64(i) && x[8] == 1 }, make(chan [9]float64, size)),
			check(n, func(i int) string { return fmt.Sprint(i) }, func(x string, i int) bool { return x == fmt.Sprint(i) }, make(chan string, size)),
			check(n, func(i int) *int { return &i }, func(x *int, i int) bool { return *x == i }, make(chan *int, size)),
			check(n, func(i int) any { return []int{i} }, func(x any, i int) bool { return x.([]int)[0] == i }, make(chan any, size)),
			check(n, func(i int) pair { return pair{fmt.Sprint(i), &i} }, func(x pair, i int) bool { return x.s == fmt.Sprint(*x.p) && *x.p == i }, make(chan pair, size)),
			check(n, func(i int) wide { return wide{full(i), &wide{a: full(i)}} }, func(x wide, i int) bool { return x.a == full(i) && x.p.a == full(i) }, make(chan wide, size)),
			check(n, func(i int) func() int { return func() int { return i } }, func(x func() int, i int) bool { return x() == i }, make(chan func() int, size)),
			";")
	}
}`

func TestTransfers(t *testing.T) {
	for _, mode := range []string{"off", "force"} {
		t.Setenv(nativeVariable, mode)
		newSession(t, engine.Hooks{}).want(transfers, strings.Repeat("0 0 0 0 0 0 0 0 0 0 0 0;", 2))
	}
}

// Of several channels that are ready, a select chooses each about equally often, and it never
// chooses a nil channel.
func TestSelectIsFair(t *testing.T) {
	for _, mode := range []string{"off", "force"} {
		t.Setenv(nativeVariable, mode)
		newSession(t, engine.Hooks{}).want(`
import "fmt"
func main() {
	a, b, c := make(chan int), make(chan bool), make(chan string, 1)
	close(a)
	close(b)
	var none chan int
	var n [5]int
	for range 4000 {
		select {
		case <-a: n[0]++
		case <-b: n[1]++
		case c <- "": n[2]++; <-c
		case <-none: n[3]++
		case none <- 1: n[4]++
		}
	}
	for _, k := range n[:3] { fmt.Print(k > 1100 && k < 1600) }
	fmt.Print(n[3:])
}`, "truetruetrue[0 0]")
	}
}
