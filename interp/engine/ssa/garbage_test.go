package ssa_test

import (
	"sync/atomic"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// collected is shared by the programs of TestDeadValuesAreGarbage: object returns a value whose
// finalizer sends on the channel gone; died collects garbage, and reports whether the finalizer has
// run.
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
	for i := 0; i < 200; i++ { // a goroutine may not have come to where it waits
		runtime.GC()
		select {
		case <-gone:
			return true
		case <-time.After(50 * time.Millisecond):
		}
	}
	return false
}
func use(t *T) int { return t.n }
func two() (*T, *T) { return object(1), nil }
func (t *T) wait(c chan int) int { n := t.n; return n + <-c }
func (t *T) waitContext(ctx context.Context, c chan int) int { n := t.n; select { case <-ctx.Done(): return n; case n = <-c: return n } }
var _, _ = fmt.Sprint, atomic.LoadInt32
`

// A value that is not used any more is garbage for runtime.GC, although the function that held it
// has not returned.
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
		"waiting receiver": `c := make(chan int); go object(1).wait(c); print(died())`,
		"waiting select":   `c := make(chan int); ctx := context.Background(); t := object(1); go func() { n := t.waitContext(ctx, c); fmt.Sprint(n) }(); print(died())`,
		"waiting caller":   `c := make(chan int); go func() { t := object(1); use(t); func() { <-c }() }(); print(died())`,
		"sleeping":         `go func() { use(object(1)); time.Sleep(time.Hour) }(); print(died())`,
		"running":          `var done atomic.Bool; go func() { t := object(1); use(t); func() { for !done.Load() { runtime.Gosched() } }() }(); print(died()); done.Store(true)`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			s.want(collected+`func main() { `+body+` }`, "true")
		})
	}
}

// A value that is still used stays alive.
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

// Finalizers and cleanups run, even after one of them has panicked.
func TestFinalizersAfterOneThatPanics(t *testing.T) {
	for name, src := range map[string]string{
		"finalizer": `runtime.SetFinalizer(b, func(b *big) { done(b.a[0]) })`,
		"cleanup":   `runtime.AddCleanup(b, done, n)`,
	} {
		t.Run(name, func(t *testing.T) {
			var panics atomic.Int32
			s := newSession(t, engine.Hooks{GoPanic: func(_ int, p *engine.Panic) {
				if p.Text == "in the first" {
					panics.Add(1)
				}
			}})
			s.want(`type big struct{ a [100]int }; var ran = make(chan int, 10);
				func done(n int) { if n == 0 { panic("in the first") }; ran <- n }`, "")
			s.want(`import "runtime"; func mark(n int) { b := &big{}; b.a[0] = n; `+src+` }; func main() { mark(0); runtime.GC() }`, "")
			for range 100 {
				if panics.Load() > 0 {
					break
				}
				s.want(`import ("runtime"; "time"); func main() { runtime.GC(); time.Sleep(10 * time.Millisecond) }`, "")
			}
			s.want(`import ("runtime"; "time"); func main() {
				mark(1)
				for range 500 {
					runtime.GC()
					select {
					case n := <-ran: print(n); return
					case <-time.After(10 * time.Millisecond):
					}
				}
				print("nothing ran")
			}`, "1")
			if panics.Load() != 1 {
				t.Errorf("%d panics were told of, want 1", panics.Load())
			}
		})
	}
}
