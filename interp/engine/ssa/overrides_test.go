package ssa_test

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gokernel/gokernel/interp/engine"
)

// Functions that ask for their caller get the line of the cell, even if the functions are compiled.
func TestCallersAreLinesOfTheCell(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"log": {`import "log"
func main() {
	log.SetFlags(log.Lshortfile)
	log.Print("x")
}`, "cell [1]:4: x"},
		"logger in an interface": {`import ("log"; "os")
type printer interface{ Println(...any) }
func main() {
	var p printer = log.New(os.Stdout, "p ", log.Llongfile)
	p.Println("x")
}`, "p cell [1]:5: x"},
		"writer of a logger": {`import ("log"; "runtime")
type writer struct{}
func (writer) Write(b []byte) (int, error) {
	var pcs [1]uintptr
	runtime.Callers(4, pcs[:]) // without itself, Write, and two calls of package log
	f, _ := runtime.CallersFrames(pcs[:]).Next()
	print(f.Function, f.Line)
	return len(b), nil
}
func main() {
	log.New(writer{}, "", 0).Print("x")
}`, "main.main11"},
		"slog by default": {`import ("log"; "log/slog")
func main() {
	log.SetFlags(log.Lshortfile)
	slog.Info("hello", "n", 1)
	slog.With("a", 2).WithGroup("g").Warn("w", "b", 3)
	slog.Debug("not shown")
}`, "cell [1]:4: INFO hello n=1\ncell [1]:5: WARN w a=2 g.b=3"},
		"slog text": {`import ("fmt"; "log/slog"; "strings")
var out strings.Builder
func main() { defer func() { fmt.Print(out.String()) }()
	h := slog.NewTextHandler(&out, &slog.HandlerOptions{AddSource: true, ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		if a.Key == "time" { return slog.Attr{} }
		return a
	}})
	l := slog.New(h)
	l.Error("e", "x", 1)
	func() { l.WithGroup("g").LogAttrs(nil, slog.LevelInfo, "i", slog.Int("y", 2)) }()
}`, "level=ERROR source=\"cell [1]:9\" msg=e x=1\nlevel=INFO source=\"cell [1]:10\" msg=i g.y=2"},
		"slog json": {`import ("fmt"; "log/slog"; "strings"; "context")
type logger interface{ WarnContext(context.Context, string, ...any) }
var out strings.Builder
func main() { defer func() { fmt.Print(out.String()) }()
	var l logger = slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{AddSource: true, ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		if a.Key == "time" { return slog.Attr{} }
		return a
	}}))
	l.WarnContext(context.Background(), "w", "a", 1)
}`, `{"level":"WARN","source":{"function":"main.main","file":"cell [1]","line":9},"msg":"w","a":1}`},
		"slog through a handler of the cell": {`import ("log/slog"; "strings"; "context"; "fmt")
type handler struct{ slog.Handler }
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	fmt.Print(r.Source().Line, " ")
	r.Time = r.Time.AddDate(-r.Time.Year()+1, 0, 0)
	r.Time = r.Time.Truncate(1<<62)
	return h.Handler.Handle(ctx, r)
}
var out strings.Builder
func main() { defer func() { fmt.Print(out.String()) }()
	l := slog.New(handler{slog.NewTextHandler(&out, &slog.HandlerOptions{AddSource: true})})
	l.Info("i")
}`, `12 level=INFO source="cell [1]:12" msg=i`},
		"slog as the writer of log": {`import ("fmt"; "log"; "log/slog"; "strings")
var out strings.Builder
func main() { defer func() { fmt.Print(out.String()) }()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		if a.Key == "time" { return slog.Attr{} }
		return a
	}})))
	log.Print("through")
}`, `level=INFO msg=through`},
		"runtime.Caller": {`import ("fmt"; "runtime")
func where() string { _, file, line, ok := runtime.Caller(1); return fmt.Sprint(file, ":", line, ok) }
func main() {
	fmt.Println(where())
	pcs := make([]uintptr, 9)
	fs := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	f, _ := fs.Next()
	fmt.Println(f.Function, f.File, f.Line)
}`, "cell [1]:4 true\nmain.main cell [1] 6"},
		"deep calls": {`import ("bytes"; "fmt"; "runtime"; "strings")
func deep(r rune) rune {
	if r > 0 {
		bytes.Map(deep, []byte(string(r - 1)))
		return 0
	}
	pcs := make([]uintptr, 1000)
	n := 0
	for fs := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)]); ; {
		f, more := fs.Next()
		if strings.HasSuffix(f.Function, ".deep") { n++ }
		if !more { break }
	}
	_, _, line, ok := runtime.Caller(501)
	_, _, _, more := runtime.Caller(900)
	fmt.Println(n, len(pcs[:runtime.Callers(100, pcs[:300])]), line, ok, more)
	return 0
}
func main() {
	deep(500)
}`, "501 300 20 true false"},
		"debug.Stack": {`import ("fmt"; "runtime/debug"; "strings")
func inner() string { return string(debug.Stack()) }
func main() {
	s := inner()
	fmt.Println(strings.Contains(s, "main.inner()\n\tcell [1]:2"), strings.Contains(s, "main.main()\n\tcell [1]:4"), strings.Contains(s, "engine"))
}`, "true true false"},
	} {
		t.Run(name, func(t *testing.T) {
			keepLogging(t)
			newSession(t, engine.Hooks{}).want(c.src, c.want)
		})
	}
}

// keepLogging restores the process's loggers after a test whose cells set them.
func keepLogging(t *testing.T) {
	l, flags, w := slog.Default(), log.Flags(), log.Writer()
	t.Cleanup(func() {
		slog.SetDefault(l)
		log.SetFlags(flags)
		log.SetOutput(w)
	})
}

// Calls that would end the process end the cell instead, and the session keeps its variables.
func TestEndsOfTheProcessEndTheCell(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want error
	}{
		"os.Exit":             {`import "os"; func main() { defer print("no"); os.Exit(3) }`, &engine.Exit{Code: 3}},
		"in goroutine":        {`import "os"; func main() { go os.Exit(4); select {} }`, &engine.Exit{Code: 4}},
		"in callback":         {`import ("os"; "sort"); func main() { sort.Slice([]int{2, 1}, func(i, j int) bool { os.Exit(5); return true }) }`, &engine.Exit{Code: 5}},
		"syscall.Exit":        {`import "syscall"; func main() { syscall.Exit(6) }`, &engine.Exit{Code: 6}},
		"log.Fatal":           {`import ("log"; "io"); func main() { log.New(io.Discard, "", 0).Fatal("x") }`, &engine.Exit{Code: 1}},
		"flag":                {`import ("flag"; "io"); func main() { f := flag.NewFlagSet("f", flag.ExitOnError); f.SetOutput(io.Discard); f.Parse([]string{"-x"}) }`, &engine.Exit{Code: 2}},
		"flag help":           {`import ("flag"; "io"); func main() { f := flag.NewFlagSet("f", flag.ExitOnError); f.SetOutput(io.Discard); f.Parse([]string{"-h"}) }`, &engine.Exit{Code: 0}},
		"Goexit":              {`import "runtime"; func main() { defer print("yes"); runtime.Goexit() }`, nil},
		"Goexit in goroutine": {`import "runtime"; func main() { done := make(chan bool); go func() { defer close(done); runtime.Goexit() }(); <-done; print("yes") }`, nil},
		"Breakpoint":          {`import "runtime"; func main() { defer func() { print(recover() != nil) }(); runtime.Breakpoint() }`, nil},
		"SetMaxStack":         {`import "runtime/debug"; func f(n int) int { if n == 0 { return 0 }; return 1 + f(n-1) }; func main() { debug.SetMaxStack(1 << 16); debug.SetMaxThreads(2); print(f(10000), debug.SetMaxStack(5)) }`, nil},
		"LockOSThread":        {`import "runtime"; func main() { runtime.LockOSThread(); c := make(chan int); go func() { c <- 1 }(); print(<-c) }`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, engine.Hooks{})
			s.want(`var kept = 7`, "")
			out, err := s.run(t.Context(), c.src)
			if diff := cmp.Diff(c.want, err, cmpopts.IgnoreFields(engine.Exit{}, "Stack")); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if strings.Contains(out, "no") {
				t.Errorf("a deferred call ran: %q", out)
			}
			s.want(`func main() { print(kept) }`, "7")
		})
	}
}

// A successful Parse sets the flags and keeps the error handling.
func TestFlagsAreParsed(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`import ("flag"; "fmt")
func main() {
	f := flag.NewFlagSet("prog", flag.ExitOnError)
	n := f.Int("n", 1, "")
	fmt.Println(f.Parse([]string{"-n", "5", "rest"}), *n, f.Args(), f.Name(), f.ErrorHandling() == flag.ExitOnError)
}`, "<nil> 5 [rest] prog true")
}

// A panic in a goroutine is reported with the stack of the cell and does not end the session.
func TestPanicsOfGoroutines(t *testing.T) {
	told := make(chan *engine.Panic, 1)
	s := newSession(t, engine.Hooks{GoPanic: func(_ int, p *engine.Panic) { told <- p }})
	s.want(`func f() { panic("x") }; func main() { go f() }`, "")
	p := <-told
	if p.Text != "x" || len(p.Stack) == 0 || p.Stack[0].Func != "f" {
		t.Errorf("told %q with the stack %v, want x in f", p.Text, p.Stack)
	}
	s.want(`func main() { print(1) }`, "1")
}

// A panic on a goroutine that compiled code started is reported, too, unless that code recovers it.
func TestPanicsOfCompiledGoroutines(t *testing.T) {
	told := make(chan string, 1)
	s := newSession(t, engine.Hooks{GoPanic: func(_ int, p *engine.Panic) { told <- p.Text }})
	s.want(`import "sync"; var wg sync.WaitGroup; func main() { wg.Go(func() { panic("in Go") }); wg.Wait() }`, "")
	if text := <-told; text != "in Go" {
		t.Errorf("told %q, want in Go", text)
	}
	s.want(`import "time"; func main() { time.AfterFunc(1, func() { panic("in AfterFunc") }) }`, "")
	if text := <-told; text != "in AfterFunc" {
		t.Errorf("told %q, want in AfterFunc", text)
	}
	s.want(`import ("io"; "log"; "net/http"; "net/http/httptest")
func main() {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("in a handler") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	defer s.Close()
	_, err := http.Get(s.URL)
	print(err != nil)
}`, "true")
	_, err := s.run(t.Context(), `import ("sync"; "os"); func main() { var wg sync.WaitGroup; wg.Go(func() { os.Exit(3) }); wg.Wait() }`)
	if diff := cmp.Diff(&engine.Exit{Code: 3}, err, cmpopts.IgnoreFields(engine.Exit{}, "Stack")); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	select {
	case text := <-told:
		t.Errorf("told %q of a panic that was recovered", text)
	default:
	}
}

// Package testing measures functions of cells.
func TestMeasuring(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`import ("fmt"; "testing")
var sink []byte
func main() {
	n := testing.AllocsPerRun(100, func() { sink = make([]byte, 1<<16) })
	runs := 0
	r := testing.Benchmark(func(b *testing.B) { for b.Loop() { runs++ } })
	fmt.Println(n >= 1, r.N > 0, r.N == runs)
}`, "true true true")
}

// Profiler labels do not change the behavior of a cell.
func TestProfilerLabels(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	const labels = `import ("context"; "os"; "runtime/pprof"); func main() { ctx := context.Background(); `
	for _, set := range []string{
		`pprof.Do(ctx, pprof.Labels("a", "b"), func(ctx context.Context) { v, _ := pprof.Label(ctx, "a"); print(v); `,
		`func() { pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels("a", "b"))); print("b"); `,
	} {
		end := "})"
		if strings.HasPrefix(set, "func") {
			end = "}()"
		}
		var p *engine.Panic
		if out, err := s.run(t.Context(), labels+set+`_ = os.Args; panic("here") `+end+` }`); !errors.As(err, &p) || p.Text != "here" || out != "b" {
			t.Errorf("a panic: printed %q and ended with %v", out, err)
		}
		var exit *engine.Exit
		if _, err := s.run(t.Context(), labels+set+`os.Exit(3) `+end+` }`); !errors.As(err, &exit) || exit.Code != 3 {
			t.Errorf("os.Exit: ended with %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := s.run(ctx, labels+set+`_ = os.Args; for { } `+end+` }`)
		cancel()
		var stopped *engine.Stopped
		if !errors.As(err, &stopped) || len(stopped.Stack) == 0 {
			t.Errorf("a loop: ended with %v", err)
		}
	}
}

// With panicnil=1 in GODEBUG, panic(nil) behaves as before Go 1.21: recover ends the panic, but
// returns nil.
func TestPanicOfNil(t *testing.T) {
	const src = `import ("errors"; "fmt"; "runtime"; "strings")
func try(f func()) (done bool, v any) {
	defer func() { v = recover() }()
	f()
	return true, nil
}
func main() {
	for _, f := range []func(){
		func() { panic(nil) },
		func() { var e error; panic(e) },
		func() { defer panic(nil) },
		func() { strings.Map(func(rune) rune { panic(nil) }, "through compiled code") },
		func() { defer func() { panic(fmt.Sprint("then ", recover())) }(); panic(nil) },
	} {
		done, v := try(f)
		err, _ := v.(error)
		var nilError *runtime.PanicNilError
		fmt.Print(done, v != nil, errors.As(err, &nilError), " ")
	}
	ended := make(chan bool)
	go func() { defer close(ended); runtime.Goexit() }()
	<-ended
}`
	s := newSession(t, engine.Hooks{})
	s.want(src, "false true true false true true false true true false true true false true false ")
	t.Setenv("GODEBUG", "panicnil=0,panicnil=1")
	s.want(src, "false false false false false false false false false false false false false true false ")
	var p *engine.Panic
	if _, err := s.run(t.Context(), `func main() { panic(nil) }`); !errors.As(err, &p) || p.Text != "nil" || p.Value != nil {
		t.Errorf("it ended with %v", err)
	}
	t.Setenv("GODEBUG", "panicnil=1,panicnil=0")
	s.want(src, "false true true false true true false true true false true true false true false ")
}
