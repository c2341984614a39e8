package ssa_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// debugged is a session with a debugger.
type debugged struct {
	*session
	engine.Debugger
	stops     chan engine.Stop
	continued chan struct{}
	ended     chan error
}

// attach attaches a debugger to a session.
func attach(t *testing.T, s *session) *debugged {
	t.Helper()
	d := &debugged{session: s, stops: make(chan engine.Stop, 100), continued: make(chan struct{}, 100), ended: make(chan error, 1)}
	var err error
	d.Debugger, err = s.e.Debug(engine.DebugEvents{
		Stopped:   func(st engine.Stop) { d.stops <- st },
		Continued: func() { d.continued <- struct{}{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// breakAt sets breakpoints in a file.
func (d *debugged) breakAt(cell int, lines ...int) []int {
	var list []engine.Breakpoint
	for _, l := range lines {
		list = append(list, engine.Breakpoint{Line: l})
	}
	return d.Breakpoints(fmt.Sprintf("cell [%d]", cell), list)
}

// start runs a cell.
func (d *debugged) start(ctx context.Context, src string) {
	d.t.Helper()
	code, err := d.compile(src)
	if err != nil {
		d.t.Fatal(err)
	}
	go func() { d.ended <- code.Run(ctx) }()
}

// stop waits until code stops.
func (d *debugged) stop() engine.Stop {
	d.t.Helper()
	select {
	case st := <-d.stops:
		return st
	case err := <-d.ended:
		d.t.Fatalf("the cell has ended: %v", err)
	case <-time.After(20 * time.Second):
		d.t.Fatal("nothing has stopped")
	}
	return engine.Stop{}
}

// end waits for the end of the cell.
func (d *debugged) end() error {
	d.t.Helper()
	select {
	case err := <-d.ended:
		return err
	case st := <-d.stops:
		d.t.Fatalf("stopped: %+v at %s", st, d.at(st))
	case <-time.After(20 * time.Second):
		d.t.Fatal("the cell has not ended")
	}
	return nil
}

// at returns the position of a stop and its calls, as in "f:3 main:7".
func (d *debugged) at(st engine.Stop) string {
	var all []string
	for _, f := range d.Stack(st.Goroutine) {
		all = append(all, fmt.Sprintf("%s:%d", f.Func, f.Pos.Line))
	}
	return strings.Join(all, " ")
}

// locals returns the variables of the innermost frame as text.
func (d *debugged) locals(st engine.Stop) string {
	return written(d.Stack(st.Goroutine)[0])
}

func written(f engine.StackFrame) string {
	var all []string
	for _, l := range f.Locals {
		all = append(all, fmt.Sprintf("%s=%v", l.Name, l.Value))
	}
	return strings.Join(all, " ")
}

// wantStop fails unless the next stop is at a position with these variables.
func (d *debugged) wantStop(at, locals string) engine.Stop {
	d.t.Helper()
	st := d.stop()
	if got := d.at(st); got != at {
		d.t.Errorf("stopped at %s, want %s", got, at)
	}
	if got := d.locals(st); got != locals {
		d.t.Errorf("at %s the variables are %s, want %s", at, got, locals)
	}
	return st
}

const perceptron = `
type P struct { w []float64; b float64 }
func (p *P) score(x []float64) float64 {
	s := p.b
	for i, v := range x {
		s += p.w[i] * v
	}
	return s
}
func (p *P) update(x []float64, y float64) bool {
	if y*p.score(x) > 0 {
		return false
	}
	for i := range x {
		p.w[i] += y * x[i]
	}
	p.b += y
	return true
}
func train(xs [][]float64, ys []float64) (mistakes int) {
	p := &P{w: make([]float64, 2)}
	for i, x := range xs {
		if p.update(x, ys[i]) {
			mistakes++
		}
	}
	return mistakes
}`

func TestDebugStepsThroughAPerceptron(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	d.want(perceptron, "")
	if got := d.breakAt(1, 10, 20); fmt.Sprint(got) != "[11 21]" {
		t.Errorf("breakpoints are at %v", got)
	}
	d.start(t.Context(), `import "fmt"
func main() {
	fmt.Println(train([][]float64{{1, 2}, {-1, 1}}, []float64{1, -1}))
}`)
	st := d.wantStop("train:21 main:3", "xs=[[1 2] [-1 1]] ys=[1 -1] mistakes=0")
	d.Continue()
	st = d.wantStop("(*P).update:11 train:23 main:3", "p=&{[0 0] 0} x=[1 2] y=1")
	d.Step(st.Goroutine, engine.StepIn)
	d.wantStop("(*P).score:4 (*P).update:11 train:23 main:3", "p=&{[0 0] 0} x=[1 2]")
	d.Step(st.Goroutine, engine.StepOver)
	d.wantStop("(*P).score:5 (*P).update:11 train:23 main:3", "p=&{[0 0] 0} x=[1 2] s=0")
	d.Step(st.Goroutine, engine.StepOut)
	d.wantStop("(*P).update:14 train:23 main:3", "p=&{[0 0] 0} x=[1 2] y=1")
	d.Step(st.Goroutine, engine.StepOver)
	d.wantStop("(*P).update:15 train:23 main:3", "p=&{[0 0] 0} x=[1 2] y=1 i=0")
	frames := d.Stack(st.Goroutine)
	if got := written(frames[1]); got != "xs=[[1 2] [-1 1]] ys=[1 -1] mistakes=0 p=&{[0 0] 0} i=0 x=[1 2]" {
		t.Errorf("in train the variables are %s", got)
	}
	for _, l := range frames[0].Locals {
		if l.Name == "y" {
			l.Value.SetFloat(3)
		}
	}
	d.Step(st.Goroutine, engine.StepOver)
	d.wantStop("(*P).update:15 train:23 main:3", "p=&{[3 0] 0} x=[1 2] y=3 i=1")
	d.Breakpoints("cell [1]", nil)
	d.Continue()
	if err := d.end(); err != nil {
		t.Error(err)
	}
	if got := d.out.String(); strings.TrimSpace(got) != "2" {
		t.Errorf("printed %q", got)
	}
}

// The debugger also stops functions of earlier cells that were compiled before it was attached, and
// redeclared versions of these functions.
func TestDebugEarlierCellsAndRedeclarations(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`func g(n int) int {
	m := 2 * n
	return m
}
var h = func(a int) int {
	return g(a) + 1
}`, "")
	d := attach(t, s)
	d.breakAt(1, 3, 6)
	d.start(t.Context(), `func main() { print(h(4)) }`)
	d.wantStop("func literal in init:6 main:1", "a=4")
	d.Continue()
	d.wantStop("g:3 func literal in init:6 main:1", "n=4 m=8")
	d.Continue()
	if err := d.end(); err != nil {
		t.Fatal(err)
	}
	d.breakAt(1)
	d.breakAt(3, 2)
	d.want(`func g(n int) int {
	return 7 * n
}`, "9")
	d.start(t.Context(), `func main() { print(h(4)) }`)
	d.wantStop("g:2 func literal in init:6 main:1", "n=4")
	d.Detach()
	if err := d.end(); err != nil {
		t.Fatal(err)
	}
	s.want(`func main() { print(h(5)) }`, "2936")
	again := attach(t, s)
	again.breakAt(3, 2)
	again.start(t.Context(), `func main() { print(h(4)) }`)
	again.wantStop("g:2 func literal in init:6 main:1", "n=4")
	again.Continue()
	if err := again.end(); err != nil {
		t.Fatal(err)
	}
}

func TestDebugInterrupt(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	ctx, cancel := context.WithCancel(t.Context())
	d.breakAt(1, 3)
	d.start(ctx, `var n = 1
func main() {
	n = 2
	n = 3
}`)
	d.wantStop("main:3", "")
	cancel()
	var stopped *engine.Stopped
	if err := d.end(); !errors.As(err, &stopped) {
		t.Fatalf("ended with %v", err)
	}
	select {
	case <-d.continued:
	case <-time.After(20 * time.Second):
		t.Fatal("the debugger was not told")
	}
	d.breakAt(1)
	d.want(`func main() { print(n) }`, "1")
}

func TestDebugPanic(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	d.BreakOnPanics(engine.UncaughtPanics)
	src := `
func at(a []int, i int) int {
	j := i + 1
	return a[j]
}
func try(i int) (err any) {
	defer func() { err = recover() }()
	return at([]int{1, 2}, i)
}
func main() {
	try(7)
	at(nil, 3)
}`
	d.start(t.Context(), src)
	st := d.wantStop("at:4 main:12", "a=[] i=3 j=4")
	if st.Reason != engine.AtPanic || st.Text != "runtime error: index out of range [4] with length 0" {
		t.Errorf("stop is %+v", st)
	}
	d.Continue()
	var p *engine.Panic
	if err := d.end(); !errors.As(err, &p) {
		t.Errorf("ended with %v", err)
	}
	d.BreakOnPanics(engine.AllPanics)
	d.start(t.Context(), src)
	d.wantStop("at:4 try:8 main:11", "a=[1 2] i=7 j=8")
	d.BreakOnPanics(engine.NoPanics)
	d.Continue()
	if err := d.end(); !errors.As(err, &p) {
		t.Errorf("ended with %v", err)
	}
}

func TestDebugGoroutines(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	d.breakAt(1, 5)
	d.start(t.Context(), `import "sync"
var total int
func work(k int, mu *sync.Mutex) {
	mu.Lock()
	total += k
	mu.Unlock()
}
func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for k := range 3 {
		wg.Go(func() { work(k+1, &mu) })
	}
	wg.Wait()
	print(total)
}`)
	seen := map[int]bool{}
	for range 3 {
		st := d.stop()
		seen[st.Goroutine] = true
		if len(d.Goroutines()) < 2 {
			t.Errorf("goroutines are %+v", d.Goroutines())
		}
		d.Continue()
	}
	if err := d.end(); err != nil {
		t.Error(err)
	}
	if len(seen) != 3 || d.out.String() != "6" {
		t.Errorf("stopped in %v, printed %s", seen, d.out.String())
	}
}

func TestDebugPause(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	d.start(t.Context(), `import "sync/atomic"
var stop atomic.Bool
func main() {
	for n := 0; !stop.Load(); n++ {
	}
}`)
	d.Pause()
	st := d.stop()
	if st.Reason != engine.AtPause {
		t.Errorf("stop is %+v", st)
	}
	if d.Stack(st.Goroutine)[0].Func != "main" {
		t.Errorf("stopped at %s", d.at(st))
	}
	d.start(t.Context(), `func main() { stop.Store(true) }`)
	d.Continue()
	for range 2 {
		if err := <-d.ended; err != nil {
			t.Error(err)
		}
	}
}

// A condition can use the variables, and the cell stops when the condition is true.
func TestDebugConditions(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	d.Breakpoints("cell [1]", []engine.Breakpoint{{ID: 5, Line: 4, When: func(f engine.StackFrame) bool {
		for _, l := range f.Locals {
			if l.Name == "i" && l.Value.Int() == 70 {
				return true
			}
		}
		return false
	}}})
	d.start(t.Context(), `func main() {
	s := 0
	for i := range 100 {
		s += i
	}
	print(s)
}`)
	st := d.wantStop("main:4", "s=2415 i=70")
	if len(st.Breakpoints) != 1 || st.Breakpoints[0].ID != 5 {
		t.Errorf("stop is %+v", st)
	}
	d.Continue()
	if err := d.end(); err != nil {
		t.Error(err)
	}
}

// Instances of generic functions stop, and closures show their captured variables. A variable is in
// scope after its declaration, and shadows another variable of the same name.
func TestDebugScopes(t *testing.T) {
	d := attach(t, newSession(t, engine.Hooks{}))
	d.breakAt(1, 4, 9, 11, 14)
	d.start(t.Context(), `func apply[T any](list []T, f func(T) T) (out []T) {
	for _, x := range list {
		y := f(x)
		out = append(out, y)
	}
	return
}
func main() {
	x := 3
	if x := x + 1; x > 2 {
		x++
	}
	apply([]string{"a"}, func(s string) string {
		return s + string(rune('a'+x))
	})
	switch v := any(x).(type) {
	case string:
		_ = v
	case int:
		print(v)
	}
}`)
	d.wantStop("main:9", "")
	d.Continue()
	d.wantStop("main:11", "x=4")
	d.Continue()
	d.wantStop("func literal in main:14 apply[string]:3 main:13", "x=3 s=a")
	d.Continue()
	st := d.stop()
	if got := d.locals(st); !strings.HasPrefix(got, "list=[a] f=0x") || !strings.HasSuffix(got, " out=[] x=a y=ad") || d.at(st) != "apply[string]:4 main:13" {
		t.Errorf("stopped at %s with %s", d.at(st), got)
	}
	d.breakAt(1, 20)
	d.Continue()
	st = d.wantStop("main:20", "x=3 v=3")
	d.Step(st.Goroutine, engine.StepOver)
	d.wantStop("main:22", "x=3")
	d.Continue()
	if err := d.end(); err != nil {
		t.Error(err)
	}
}

// BenchmarkDebugged runs programs without a debugger and with a debugger that stops nothing.
func BenchmarkDebugged(b *testing.B) {
	for name, src := range map[string]string{
		"loop":       `func work() { s := 0; for i := range 1000000 { s += i % 7 }; sink = s }`,
		"fib":        `func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }; func work() { sink = fib(23) }`,
		"matrix":     `func work() { n := 60; a := make([][]float64, n); for i := range a { a[i] = make([]float64, n) }; for i := 0; i < n; i++ { for j := 0; j < n; j++ { s := 0.0; for k := 0; k < n; k++ { s += a[i][k] * a[k][j] }; a[i][j] = s } } }`,
		"perceptron": perceptron + `; func work() { xs := make([][]float64, 5000); ys := make([]float64, 5000); for i := range xs { xs[i] = []float64{float64(i % 13), float64(i % 7)}; ys[i] = float64(2*(i%2) - 1) }; sink = train(xs, ys) }`,
		"method":     `type T struct { n int }; func (t *T) add(k int) { t.n += k }; func work() { t := &T{}; for i := range 200000 { t.add(i) }; sink = t.n }`,
	} {
		for _, on := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/debugged=%v", name, on), func(b *testing.B) {
				s := newSession(b, engine.Hooks{})
				if on {
					s.e.Debugged()
				}
				s.want("var sink int; "+src, "")
				code, err := s.compile(fmt.Sprintf("func main() { for range %d { work() } }", b.N))
				if err != nil {
					b.Fatal(err)
				}
				b.ResetTimer()
				if err := code.Run(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
