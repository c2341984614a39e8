package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/checkpoint"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// quiet discards what cells show.
type quiet struct{}

func (q *quiet) Stdout(string)                   {}
func (q *quiet) Stderr(string)                   {}
func (q *quiet) Display(display.Bundle) error    { return nil }
func (q *quiet) Update(display.Bundle) error     { return nil }
func (q *quiet) Clear(bool) error                { return nil }
func (q *quiet) Page(display.Bundle) error       { return nil }
func (q *quiet) SetNextInput(string, bool) error { return nil }
func (q *quiet) Input(ctx context.Context, _ string, _ bool) (string, error) {
	<-ctx.Done()
	return "", io.EOF
}

// busy declares a function that calls f again and again, and ready when n goroutines do.
const busy = "var begun atomic.Int64\nfunc work(n int64, f func()) {\n\tif begun.Add(1) == n {\n\t\tready()\n\t}\n\tfor {\n\t\tf()\n\t}\n}"

// twice returns a cell that runs code in two goroutines, numbered n.
func twice(code string) string {
	return "for range 2 {\n\tgo func() {\n\t\tn := begun.Add(1)\n\t\tif n == 2 {\n\t\t\tready()\n\t\t}\n" + code + "\n\t}()\n}\nselect {}"
}

// The ways in which a cell could end the evaluator. A row keeps the variables unless it explains
// why a Go program also ends.
var ways = []struct {
	name      string
	declare   string
	code      string // "expression:" is the prefix of an expression outside the notebook
	interrupt bool   // when it has called ready
	want      string // prefix of the error
	goEnds    string // why the evaluator ends, as a compiled program would
}{
	// More memory at once than there is.
	{"make", "", "xs := make([]float64, 1e10)", false, "out of memory: ", ""},
	{"make of a map", "", "m := make(map[int]int, 1<<32)\nlen(m)", false, "out of memory: ", ""},
	{"make of a channel", "", "c := make(chan [1000]float64, 10000000)\ncap(c)", false, "out of memory: ", ""},
	{"new", "", "p := new([1 << 34]float64)\nlen(p)", false, "out of memory: ", ""},
	{"large variable", "", "var v [1 << 34]float64\nv[5]", false, "out of memory: ", ""},
	{"append", "s := make([]byte, 1<<26)", "for range 3 {\n\ts = append(s, s...)\n}\nlen(s)", false, "out of memory: ", ""},
	{"concatenation", "", "s := `text`\nfor {\n\ts += s\n}", false, "out of memory: ", ""},
	{"strings.Repeat", "", "n := 10_000_000_000\nlen(strings.Repeat(`x`, n))", false, "out of memory: ", ""},
	{"bytes.Buffer.Grow", "var b bytes.Buffer", "b.Grow(10_000_000_000)", false, "out of memory: ", ""},
	{"mat.NewDense", "n := 200_000", "d := mat.NewDense(n, n, nil)\nd.At(0, 0)", false, "out of memory: ", ""},
	{"reflect.MakeSlice", "", "reflect.MakeSlice(reflect.TypeOf([]int{}), 1e10, 1e10).Len()", false, "out of memory: ", ""},
	{"big.Int.Lsh", "n := uint(1) << 42", "new(big.Int).Lsh(big.NewInt(1), n).BitLen()", false, "out of memory: ", ""},
	{"big.Int.SetBit", "n := 1 << 42", "new(big.Int).SetBit(new(big.Int), n, 1).BitLen()", false, "out of memory: ", ""},
	// Exits and panics.
	{"init exits", "", "func init() { os.Exit(3) }\n1", false, "exit: ", ""},
	{"syscall.Exit", "", "syscall.Exit(3)", false, "exit: ", ""},
	{"log.Fatal", "", "log.Fatal(`the end`)", false, "exit: ", ""},
	{"exit in a comparison", "", "sort.Slice([]int{3, 2, 1}, func(i, j int) bool { os.Exit(4); return false })", false, "exit: ", ""},
	{"exit in a goroutine", "", "go os.Exit(5)\nselect {}", false, "exit: ", ""},
	{"panic in a goroutine", "", "go panic(`there`)\nselect {}", false, "panic: ", ""},
	{"panic in a timer", "", "time.AfterFunc(time.Millisecond, func() { panic(`late`) })\ntime.Sleep(time.Hour)", false, "panic: ", ""},
	{"breakpoint", "", "runtime.Breakpoint()", false, "panic: ", ""},
	{"wait group below zero", "var wg sync.WaitGroup", "wg.Done()", false, "panic: ", ""},
	{"unsafe.Slice of nil", "", "unsafe.Slice((*byte)(nil), 5)", false, "panic: ", ""},
	{"panic on a fault", "", "debug.SetPanicOnFault(true)\n*(*int)(unsafe.Pointer(uintptr(1 << 40)))", false, "panic: ", ""},
	{"small stacks", "func f(n int) int { return f(n+1) + 1 }", "debug.SetMaxStack(1 << 16)\nf(0)", false, "stack overflow: ", ""},
	{"recursion by way of sort", "type L []int\nfunc (l L) Len() int { return 2 }\nfunc (l L) Swap(i, j int) {}\nfunc (l L) Less(i, j int) bool { sort.Sort(l); return true }", "sort.Sort(L{1, 2})", false, "stack overflow: ", ""},
	// Code that formats a value.
	{"String spins", "type S struct{}\nfunc (S) String() string { ready(); for {} }", "S{}", true, "interrupted: ", ""},
	{"String sleeps", "type S struct{}\nfunc (S) String() string { ready(); time.Sleep(time.Hour); return `` }", "S{}", true, "interrupted: ", ""},
	{"Error waits", "type S struct{}\nfunc (S) Error() string { ready(); <-make(chan int); return `` }", "S{}", true, "interrupted: ", ""},
	{"Display spins", "type S struct{}\nfunc (S) Display() (display.Bundle, error) { ready(); for {} }", "S{}", true, "interrupted: ", ""},
	{"MarshalJSON spins", "type S struct{}\nfunc (S) MarshalJSON() ([]byte, error) { ready(); for {} }", "display.Bundle{Data: map[string]any{`application/json`: S{}}}", true, "interrupted: ", ""},
	{"String exits", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }", "S{}", false, "exit: ", ""},
	{"String exits in Show", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }", "Show(S{})", false, "exit: ", ""},
	{"String exits in Println", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }", "fmt.Println(S{})", false, "exit: ", ""},
	{"String exits in %who", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }\ns := S{}", "%who", false, "exit: ", ""},
	{"String ends the goroutine", "type S struct{}\nfunc (S) String() string { runtime.Goexit(); return `` }", "S{}", false, "error: the value cannot be shown: its goroutine called runtime.Goexit", ""},
	{"String in an expression spins", "type S struct{}\nfunc (S) String() string { ready(); for {} }", "expression:S{}", true, "interrupted: ", ""},
	{"unlock in String", "var mu sync.Mutex\ntype S struct{}\nfunc (S) String() string { mu.Unlock(); return `` }", "fmt.Println(S{})", false, "fatal error: ", ""},
	// Stops that compiled code recovers.
	{"fuzz target", "func FuzzSpins(f *testing.F) {\n\tready()\n\tfor {\n\t}\n}", "%test", true, "interrupted: ", ""},
	{"function of a fuzz target", "func FuzzSpins(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) {\n\t\tready()\n\t\tfor {\n\t\t}\n\t})\n}", "%test", true, "interrupted: ", ""},
	{"sub-test", "func TestSpins(t *testing.T) {\n\tt.Run(`a`, func(t *testing.T) {\n\t\tt.Cleanup(func() {})\n\t\tready()\n\t\tfor {\n\t\t}\n\t})\n}", "%test", true, "interrupted: ", ""},
	{"template", "", "template.Must(template.New(``).Funcs(template.FuncMap{`f`: func() string { ready(); for {} }}).Parse(`{{f}}`)).Execute(os.Stdout, nil)", true, "interrupted: ", ""},
	{"sync.OnceFunc", "", "sync.OnceFunc(func() { ready(); for {} })()", true, "interrupted: ", ""},
	{"json", "type S struct{}\nfunc (S) MarshalJSON() ([]byte, error) { ready(); for {} }", "json.Marshal(S{})", true, "interrupted: ", ""},
	// Crowds: the goroutine that reads the interrupt is in one run queue with a thousand others.
	{"300 busy goroutines", busy, "for range 300 {\n\tgo work(300, func() {})\n}\nselect {}", true, "interrupted: the cell was stopped", ""},
	{"1,000 busy goroutines", busy, "for range 1000 {\n\tgo work(1000, func() {})\n}\nfor {\n}", true, "interrupted: the cell was stopped", ""},
	{"1,000 goroutines that compute", busy, "for range 1000 {\n\tgo work(1000, func() { x := 0; for i := range 1000 { x += i * i } })\n}\nselect {}", true, "interrupted: the cell was stopped", ""},
	{"300 busy goroutines and a waiting cell", busy, "var wg sync.WaitGroup\nfor range 300 {\n\twg.Go(func() { work(300, func() {}) })\n}\nwg.Wait()", true, "interrupted: the cell was stopped", ""},
	{"300 goroutines that hash", busy + "\nvar data = make([]byte, 1<<16)", "for range 300 {\n\tgo work(300, func() { sha256.Sum256(data) })\n}\nselect {}", true, "interrupted: the cell was stopped", ""},
	{"300 busy goroutines and sleepers", busy, "for range 50 {\n\tgo func() {\n\t\tfor {\n\t\t\ttime.Sleep(time.Millisecond)\n\t\t}\n\t}()\n}\nfor range 300 {\n\tgo work(300, func() {})\n}\nselect {}", true, "interrupted: the cell was stopped", ""},
	// Questions.
	{"two lines", busy, twice("var s string\nfmt.Scanln(&s)"), true, "interrupted: ", ""},
	{"two questions", busy, twice("Input(`name`)"), true, "interrupted: ", ""},
	{"a line and a password", busy, twice("if n == 1 {\n\tvar s string\n\tfmt.Scanln(&s)\n} else {\n\tPassword(`key`)\n}"), true, "interrupted: ", ""},
	{"a line by bufio and a choice", busy, twice("if n == 1 {\n\tbufio.NewReader(os.Stdin).ReadString('\\n')\n} else {\n\tChoose(`one`, `a`, `b`)\n}"), true, "interrupted: ", ""},
	// Errors that end a Go program, but not a cell.
	{"deadlock", "", "<-make(chan int)", false, "fatal error: all goroutines are asleep", ""},
	{"endless recursion", "func f(n int) int { return f(n+1) + 1 }", "f(0)", false, "stack overflow", ""},
	{"unlock", "var mu sync.Mutex", "mu.Unlock()", false, "fatal error: ", ""},
	{"unlock of a reader", "var mu sync.RWMutex", "mu.RUnlock()", false, "fatal error: ", ""},
	{"nil pointer by unsafe", "", "*(*int)(unsafe.Pointer(uintptr(8)))", false, "panic: ", ""},
	// Errors that end the evaluator.
	{"concurrent map writes", "m := map[int]int{}", "for i := range 8 {\n\tgo func() {\n\t\tfor n := 0; ; n++ {\n\t\t\tm[n%100] = i\n\t\t}\n\t}()\n}\nselect {}", false, "session lost: fatal error: concurrent map", "the runtime cannot say what the map holds"},
	{"kill", "", "syscall.Kill(os.Getpid(), syscall.SIGKILL)\nselect {}", false, "session lost: ", "the system ends a process that is killed"},
	{"terminate", "", "syscall.Kill(os.Getpid(), syscall.SIGTERM)\nselect {}", false, "session lost: ", "the system tells a process to end"},
	{"fault signal", "", "syscall.Kill(os.Getpid(), syscall.SIGSEGV)\nselect {}", false, "session lost: SIGSEGV", "the system ends a process that has a fault"},
	{"exit by the system", "", "syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 3, 0, 0)", false, "session lost: exit status 3", "the system ends a process that asks for it"},
	{"map written while it is ranged over", "m := map[int]int{1: 1, 2: 2}", "go func() {\n\tfor n := 0; ; n++ {\n\t\tm[n%2000] = n\n\t}\n}()\nfor {\n\tfor range m {\n\t}\n}", false, "session lost: fatal error: concurrent map", "the runtime cannot say what the map holds"},
	{"read-only page", "", "page, _ := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)\npage[0] = 1", false, "session lost: ", "memory that is not to be written"},
	{"wild pointer", "", "*(*int)(unsafe.Pointer(uintptr(1 << 40)))", false, "session lost: ", "memory that is not the program's"},
}

// TestWaysToEndTheEvaluator runs cells that could end the process that holds all variables.
func TestWaysToEndTheEvaluator(t *testing.T) { testWays(t, "off") }

// TestWaysToEndTheEvaluatorJIT runs them JIT-compiled, where that is possible.
func TestWaysToEndTheEvaluatorJIT(t *testing.T) { testWays(t, "force") }

func testWays(t *testing.T, jit string) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "checkpoint")
			c, err := worker.Start(worker.Options{
				Args:       append(evaluatorArgs(defaultEngine), "--max-memory", fmt.Sprint(256<<20), "--checkpoint", file),
				Checkpoint: file, Dir: dir, Env: append(os.Environ(), engine.JITVariable+"="+jit),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			number := 0
			eval := func(code string) (evaluator.Result, error) {
				number++
				if x, ok := strings.CutPrefix(code, "expression:"); ok {
					b, err := c.Expression(t.Context(), x)
					return evaluator.Result{Value: &b}, err
				}
				return c.Eval(t.Context(), evaluator.Cell{Code: code, Number: number, AllowStdin: true}, &quiet{})
			}
			if _, err := eval("keep := map[string][]int{`a`: {1, 2}}\nfunc ready() { os.WriteFile(`ready`, nil, 0o600) }\n" + w.declare); err != nil {
				t.Fatal(err)
			}
			if w.goEnds != "" {
				await(t, "no checkpoint is written", func() bool {
					s, err := checkpoint.Summary(file)
					return err == nil && len(s.Variables) > 0
				})
			}
			if w.interrupt {
				go func() {
					await(t, "the cell is not ready", func() bool { _, err := os.Stat(filepath.Join(dir, "ready")); return err == nil })
					c.Interrupt()
				}()
			}
			_, err = eval(w.code)
			var failed *evaluator.Error
			if !errors.As(err, &failed) || !strings.HasPrefix(failed.Error(), w.want) {
				t.Fatalf("the error is %v, want %q", err, w.want)
			}
			if w.goEnds != "" {
				if text := strings.Join(failed.Traceback, "\n"); !strings.Contains(text, "%session restore") {
					t.Errorf("the error does not say how variables come back:\n%s", text)
				}
				if _, err := eval("%session restore"); err != nil {
					t.Fatal(err)
				}
			}
			res, err := eval("keep[`a`][1]")
			if err != nil || res.Value.Data["text/plain"] != "2" {
				t.Errorf("afterwards keep is %v, %v", res.Value, err)
			}
		})
	}
}

// await waits until a condition is true.
func await(t *testing.T, or string, so func() bool) {
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Error(or)
			return
		}
	}
}
