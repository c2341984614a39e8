package ssa_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gokernel/gokernel/interp/engine"
)

func TestCellsShareVariablesFunctionsAndTypes(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`var x = 1`, "")
	s.want(`import "fmt"; var y = x + 1; func f(a int) int { return a + y }; func main() { x = 10; fmt.Println(x, y, f(3)) }`, "10 2 5")
	s.want(`import "fmt"; type P struct{ a int }; func (p P) String() string { return fmt.Sprintf("P%d", p.a) }; var p = P{3}`, "")
	s.want(`import "fmt"; func main() { fmt.Println(p, []P{p}, map[string]P{"k": p}, x) }`, "P3 [P3] map[k:P3] 10")
}

func TestRedeclaredFunctionIsSeenByEarlierCode(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`func g() int { return 1 }; func f() int { return 10 * g() }; var h = g`, "")
	s.want(`import "fmt"; func main() { fmt.Println(f(), h()) }`, "10 1")
	s.want(`func g() int { return 2 }`, "")
	s.want(`import "fmt"; func main() { fmt.Println(f(), h()) }`, "20 2")
	s.want(`func g() int { return 3 }`, "")
	s.want(`import "fmt"; func main() { fmt.Println(f(), h()) }`, "30 3")
}

func TestPanicHasTextAndStackOfTheCell(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	_, err := s.run(t.Context(), `
func at(a []int, i int) int {
	return a[i]
}
func main() {
	at(nil, 3)
}`)
	var p *engine.Panic
	if !errors.As(err, &p) {
		t.Fatalf("error is %v, want a panic", err)
	}
	type frame struct {
		Func string
		Line int
	}
	var got []frame
	for _, f := range p.Stack {
		got = append(got, frame{f.Func, f.Pos.Line})
	}
	want := []frame{{"at", 3}, {"main", 6}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stack (-want +got):\n%s", diff)
	}
	if p.Text != "runtime error: index out of range [3] with length 0" {
		t.Errorf("text is %q", p.Text)
	}
}

func TestStop(t *testing.T) {
	for name, src := range map[string]string{
		"loop":       `func main() { for { } }`,
		"recursion":  `func f(n int) int { if n == 0 { return 0 }; return f(n-1) + f(n-1) }; func main() { f(60) }`,
		"recover":    `func main() { for { func() { defer func() { recover() }(); for { } }() } }`,
		"channel":    `func main() { <-make(chan int) }`,
		"nil":        `func main() { var c chan int; <-c }`,
		"select":     `func main() { select {} }`,
		"sleep":      `import "time"; func main() { time.Sleep(time.Hour) }`,
		"mutex":      `import "sync"; func main() { var m sync.Mutex; m.Lock(); m.Lock() }`,
		"callback":   `import "sort"; func main() { a := make([]int, 9); for { sort.Slice(a, func(i, j int) bool { return a[i] < a[j] }) } }`,
		"in a defer": `func main() { defer func() { for { } }() }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			done := make(chan error, 1)
			go func() { _, err := s.run(ctx, src); done <- err }()
			select {
			case err := <-done:
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error is %v, want that of the context", err)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("the cell runs on")
			}
		})
	}
}

func TestRecursionPastTheLimitIsAPanic(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	_, err := s.run(t.Context(), `var kept = 5; func depth(n int) int { return 1 + depth(n+1) }; func main() { depth(0) }`)
	var p *engine.Panic
	if !errors.As(err, &p) || p.Overflow != "depth" {
		t.Fatalf("error is %#v, want an overflow in depth", err)
	}
	s.want(`import "fmt"; func main() { fmt.Println(kept) }`, "5")
}

// Endless recursion ends the cell, as it would end a Go program. That holds even if the recursion
// passes through compiled code that recovers panics, or if the cell tries to recover.
func TestRecursionIsNotRecovered(t *testing.T) {
	for _, src := range []string{
		`import "fmt"; type T int; func (t T) String() string { return fmt.Sprint(t) }; func main() { fmt.Println(T(1)) }`,
		`func depth(n int) int { return 1 + depth(n+1) }; func main() { defer func() { print(recover()) }(); depth(0) }`,
		`func depth(n int) int { defer func() { recover() }(); return 1 + depth(n+1) }; func main() { depth(0) }`,
	} {
		s := newSession(t, engine.Hooks{MaxDepth: 500})
		_, err := s.run(t.Context(), src)
		var p *engine.Panic
		if !errors.As(err, &p) || p.Overflow == "" {
			t.Errorf("%s: ended with %v, want an overflow", src, err)
		}
		s.want(`func main() { print(1) }`, "1")
	}
}

func TestExit(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	_, err := s.run(t.Context(), `import "os"; import "fmt"; func main() { defer fmt.Println("not run"); os.Exit(3) }`)
	if diff := cmp.Diff(&engine.Exit{Code: 3}, err, cmpopts.IgnoreFields(engine.Exit{}, "Stack")); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}
