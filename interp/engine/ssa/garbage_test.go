//go:build (linux || darwin) && (amd64 || arm64)

package ssa_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// collected is the part that the programs of TestDeadValuesAreGarbage share:
// object gives a value with a finalizer that says so on gone, and died whether
// it has run after a garbage collection.
const collected = `
import ("runtime"; "time"; "context"; "fmt"; "sync/atomic")
type T struct{ x, y *T; n int }
var gone = make(chan int, 10)
func object(n int) *T {
	t := &T{n: n}
	runtime.SetFinalizer(t, func(t *T) { gone <- t.n })
	return t
}
func died() bool {
	runtime.GC()
	select {
	case <-gone:
		return true
	case <-time.After(5 * time.Second):
		return false
	}
}
func use(t *T) int { return t.n }
func two() (*T, *T) { return object(1), nil }
func (t *T) wait(c chan int) int { return t.n + <-c }
func (t *T) waitContext(ctx context.Context, c chan int) int { n := t.n; select { case <-ctx.Done(): return n; case n = <-c: return n } }
var _, _ = fmt.Sprint, atomic.LoadInt32
`

// A value that is not used any more is garbage for runtime.GC, although the
// function that held it has not returned.
func TestDeadValuesAreGarbage(t *testing.T) {
	for name, body := range map[string]string{
		"variable":         `t := object(1); use(t); print(died())`,
		"temporary":        `use(object(1)); print(died())`,
		"results":          `a, _ := two(); use(a); print(died())`,
		"struct":           `var s struct{ t *T; n int }; s.t = object(1); s.n = use(s.t); print(died())`,
		"array":            `var a [3]*T; i := len(gone); a[i] = object(1); p := a[i]; use(p); print(died())`,
		"variadic":         `f := func(ts ...*T) {}; f(object(1)); print(died())`,
		"interface":        `var x any = object(1); _, ok := x.(*T); print(ok && died())`,
		"captured":         `t := object(1); func() { use(t) }(); print(died())`,
		"loop":             `for i := 0; i < 3; i++ { use(object(i)); if !died() { print("no") } }; print(true)`,
		"defer":            `t := object(1); use(t); defer func() { print(died()) }()`,
		"compiled defer":   `t := object(1); use(t); defer fmt.Sprint("late"); print(died())`,
		"panic":            `func() { defer func() { recover() }(); t := object(1); panic(use(t)) }(); print(died())`,
		"string":           `b := make([]byte, 1000); runtime.SetFinalizer(&b[0], func(*byte) { gone <- 1 }); s := string(b); print(len(s) == 1000 && died())`,
		"waiting receiver": `c := make(chan int); go object(1).wait(c); time.Sleep(20 * time.Millisecond); print(died())`,
		"waiting select":   `c := make(chan int); ctx := context.Background(); t := object(1); go func() { n := t.waitContext(ctx, c); fmt.Sprint(n) }(); time.Sleep(20 * time.Millisecond); print(died())`,
		"waiting caller":   `c := make(chan int); go func() { t := object(1); use(t); func() { <-c }() }(); time.Sleep(20 * time.Millisecond); print(died())`,
		"sleeping":         `go func() { use(object(1)); time.Sleep(time.Hour) }(); time.Sleep(20 * time.Millisecond); print(died())`,
		"running":          `var done atomic.Bool; go func() { t := object(1); use(t); func() { for !done.Load() { runtime.Gosched() } }() }(); time.Sleep(20 * time.Millisecond); print(died()); done.Store(true)`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			s.want(collected+`func main() { `+body+` }`, "true")
		})
	}
}

// What is still used stays.
func TestLiveValuesAreNotGarbage(t *testing.T) {
	for name, body := range map[string]string{
		"variable":   `t := object(7); runtime.GC(); print(use(t))`,
		"field":      `var s struct{ t *T; n int }; s.t = object(7); p := &s; runtime.GC(); print(use(p.t))`,
		"array":      `var a [3]*T; i := len(gone); a[i] = object(7); runtime.GC(); print(use(a[i]))`,
		"element":    `var a [3]*T; i := len(gone); p := &a[i]; *p = object(7); runtime.GC(); print(use(*p))`,
		"loop":       `var t *T; for i := 0; i < 3; i++ { if t == nil { t = object(7) }; runtime.GC() }; print(use(t))`,
		"argument":   `f := func(t *T, n int) int { return use(t) + n }; print(f(object(7), func() int { runtime.GC(); return 0 }()))`,
		"expression": `s := "a"; n := 7; f := func() string { runtime.GC(); return "b" }; u := s + f() + fmt.Sprint(n); print(u == "ab7", " "); print(7)`,
		"recovered":  `f := func() (t *T) { defer func() { recover(); runtime.GC() }(); t = object(7); panic(1) }; print(use(f()))`,
		"captured":   `t := object(7); f := func() int { return use(t) }; runtime.GC(); print(f())`,
		"append":     `var ts []*T; ts = append(ts, object(1), object(7)); runtime.GC(); print(use(ts[1]))`,
		"receiver":   `c := make(chan int); r := make(chan int); go func() { r <- object(7).wait(c) }(); time.Sleep(20 * time.Millisecond); runtime.GC(); c <- 0; print(<-r)`,
		"sender":     `c := make(chan *T); go func() { c <- object(7) }(); time.Sleep(20 * time.Millisecond); runtime.GC(); print(use(<-c))`,
		"running":    `var done atomic.Bool; r := make(chan int); go func() { t := object(7); func() { for !done.Load() { runtime.Gosched() } }(); r <- use(t) }(); time.Sleep(20 * time.Millisecond); runtime.GC(); done.Store(true); print(<-r)`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			want := "7"
			if name == "expression" {
				want = "true 7"
			}
			s.want(collected+`func main() { `+body+` }`, want)
		})
	}
}
