package ssa_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// noText has bodies of Error methods that return no text. It also has the text that the runtime
// prints for a panic with such a value, before it ends the program (preprintpanics in
// runtime/panic.go).
var noText = map[string][2]string{
	"panics":                   {`panic("again")`, "panic while printing panic value: again"},
	"panics with itself":       {`panic(e)`, "panic while printing panic value: type main.bad"},
	"ends the goroutine":       {`runtime.Goexit(); return ""`, "panic while printing panic value: runtime.Goexit called"},
	"calls itself":             {`return e.Error()`, "panic while printing panic value: stack overflow"},
	"calls itself through fmt": {`return fmt.Sprint(e)`, "panic while printing panic value: stack overflow"},
}

// A panic whose value cannot be printed is a fatal error of the cell and does not end the process.
func TestPanicsWithoutText(t *testing.T) {
	ended := make(chan *engine.Panic, 100)
	s := newSession(t, engine.Hooks{MaxDepth: 400, GoPanic: func(_ int, p *engine.Panic) { ended <- p }})
	check := func(name string, p *engine.Panic, want string) {
		t.Helper()
		if p.Text != want || p.Kind() != "fatal error" || len(p.Stack) == 0 || !strings.HasPrefix(p.Stack[0].Func, "fail") {
			t.Errorf("%s: %s: %q at %v, want %q", name, p.Kind(), p.Text, p.Stack, want)
		}
	}
	for name, tt := range noText {
		decl := `import ("fmt"; "runtime"; "sync"); var _, _, _ = fmt.Sprint, runtime.GC, sync.OnceFunc; type bad struct{}; func (e bad) Error() string { ` + tt[0] + ` }; ` +
			`func fail() { panic(bad{}) }; `
		var p *engine.Panic
		if _, err := s.run(t.Context(), decl+`func main() { fail() }`); !errors.As(err, &p) {
			t.Fatalf("%s: the cell ends with %v, want a panic", name, err)
		}
		check(name, p, tt[1])
		if _, err := s.run(t.Context(), decl+`func main() { defer func() { panic("more") }(); fail() }`); !errors.As(err, &p) || p.Text != tt[1] {
			t.Errorf("%s: with another panic behind it: %v, want %q", name, err, tt[1])
		}
		s.want(decl+`func main() { done := make(chan int); go func() { defer close(done); fail() }(); <-done; print(1) }`, "1")
		check(name+" in a goroutine", <-ended, tt[1])
		s.want(`func main() { print(2) }`, "2")
	}
	var exit *engine.Exit
	if _, err := s.run(t.Context(), `import "os"; type quits struct{}; func (quits) Error() string { os.Exit(3); return "" }; func main() { panic(quits{}) }`); !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("a method that calls os.Exit(3): %v", err)
	}
}

// A method that is called to print a panic and never returns is stopped with the cell.
func TestPanicWhoseTextNeverComes(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	for _, body := range []string{`for {}`, `<-make(chan int); return ""`, `for { func() { defer func() { recover() }(); for {} }() }`} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := s.run(ctx, `type slow struct{}; func (slow) Error() string { `+body+` }; func main() { panic(slow{}) }`)
		cancel()
		var stopped *engine.Stopped
		if !errors.As(err, &stopped) {
			t.Errorf("%s: %v, want that it was stopped", body, err)
		}
		s.want(`func main() { print(1) }`, "1")
	}
}

// A stopped cell still formats its panics with its own methods. The test retries, because on a busy
// machine such methods may take longer than a stopped cell allows.
func TestPanicOfStoppedCell(t *testing.T) {
	ended := make(chan *engine.Panic, 50)
	s := newSession(t, engine.Hooks{GoPanic: func(_ int, p *engine.Panic) { ended <- p }})
	for range 50 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := s.run(ctx, `type E int; func (E) Error() string { n := 0; for i := range 1000 { n += i }; return "own" }
func main() { go func() { defer func() { panic(E(1)) }(); for {} }(); for {} }`)
		cancel()
		var stopped *engine.Stopped
		if !errors.As(err, &stopped) {
			t.Fatalf("%v, want that it was stopped", err)
		}
		s.want(`func main() { print(1) }`, "1")
		select {
		case p := <-ended:
			if strings.Contains(p.Text, "own") {
				return
			}
		case <-time.After(time.Second): // stopped before its deferred call, which tells nobody
		}
	}
	t.Error("in no case did the goroutine end with its own text")
}
