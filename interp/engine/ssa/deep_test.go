package ssa_test

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// recursions call themselves endlessly in many ways. The first string of each pair has
// declarations, the second statements.
var recursions = map[string][2]string{
	"plain":     {`func f(n int) int { return 1 + f(n+1) }`, `f(0)`},
	"recover":   {`func f(n int) int { defer func() { recover() }(); return 1 + f(n+1) }`, `f(0)`},
	"deferring": {`func f(n int) int { defer print(); return 1 + f(n+1) }`, `f(0)`},
	"fmt":       {`import "fmt"; type T int; func (t T) String() string { return fmt.Sprint(t) }`, `fmt.Println(T(1))`},
	"json":      {`import "encoding/json"; type T int; func (t T) MarshalJSON() ([]byte, error) { return json.Marshal(t) }`, `json.Marshal(T(1))`},
	"sort": {`import "sort"; type T []int; func (t T) Len() int { return 2 }; func (t T) Swap(i, j int) {}; func (t T) Less(i, j int) bool { sort.Sort(t); return false }`,
		`sort.Sort(T(nil))`},
	"template": {`import ("fmt"; "io"; "text/template"); type T int; func (t T) String() string { return fmt.Sprint(t) }`,
		`template.Must(template.New("").Parse("{{.}}")).Execute(io.Discard, T(1))`},
}

// An endless recursion that the engine has ended does not harm later cells, no matter how it was
// detected, and prints nothing.
func TestRecursionsLeaveTheSessionAlone(t *testing.T) {
	var ended atomic.Int32
	s := newSession(t, engine.Hooks{MaxDepth: 400, GoPanic: func(_ int, p *engine.Panic) {
		if p.Overflow != "" {
			ended.Add(1)
		}
	}})
	for range 15 {
		for name, src := range recursions {
			out, err := s.run(t.Context(), src[0]+`; func main() { `+src[1]+` }`)
			var p *engine.Panic
			if !errors.As(err, &p) || p.Overflow == "" || len(p.Stack) == 0 {
				t.Fatalf("%s ended with %v, want an overflow with its place", name, err)
			}
			if out != "" {
				t.Errorf("%s printed %q", name, out)
			}
			before := ended.Load()
			s.want(src[0]+`; func main() { done := make(chan int); go func() { defer close(done); `+src[1]+` }(); <-done; print(2) }`, "2")
			// The goroutine reports its end when its deferred calls have run.
			for deadline := time.Now().Add(10 * time.Second); ended.Load() == before && time.Now().Before(deadline); {
				runtime.Gosched()
			}
			s.want(`import "fmt"; func main() { fmt.Println(1) }`, "1")
		}
	}
	if want := int32(15 * len(recursions)); ended.Load() != want {
		t.Errorf("%d goroutines ended with an overflow, want %d", ended.Load(), want)
	}
}

// The engine also checks the stack if something other than interpreted calls fills it.
func TestDeepStackOfCompiledCalls(t *testing.T) {
	for _, name := range []string{"json", "fmt"} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{MaxDepth: 1 << 30})
			_, err := s.run(t.Context(), recursions[name][0]+`; func main() { `+recursions[name][1]+` }`)
			var p *engine.Panic
			if !errors.As(err, &p) || !strings.HasPrefix(p.Overflow, "T.") {
				t.Fatalf("ended with %v, want an overflow", err)
			}
			s.want(`import "time"; func main() { time.Sleep(30 * time.Millisecond); print(1) }`, "1")
		})
	}
}

// A panic passes many deferred calls in time linear in their number.
func TestPanicPassesManyDeferredCalls(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
func f(n int, calls *int) {
	defer func() { *calls++ }()
	if n == 0 { panic("deep") }
	f(n-1, calls)
}
func main() {
	calls := 0
	func() {
		defer func() { print(recover().(string)) }()
		f(60_000, &calls)
	}()
	print(calls)
}`, "deep60001")
}

// A panic in a deferred call replaces runtime.Goexit until it is recovered.
func TestPanicDuringGoexit(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import "runtime"
func raise() { defer func() { print("x") }(); panic("b") }
func main() {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { print("y"); if recover() != nil { print("not again") } }()
		defer func() { print(recover().(string)) }()
		defer func() { func() { defer print("in "); raise() }() }()
		func() { defer print("a"); runtime.Goexit() }()
		print("not reached")
	}()
	<-done
}`, "axin by")
}
