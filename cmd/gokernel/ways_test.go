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
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// quiet takes what cells show.
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

// The ways in which a cell could end the evaluator. A row that does not say why a Go
// program ends, too, keeps the variables.
var ways = []struct {
	name      string
	declare   string
	code      string // "expression:" begins one that is none of the notebook's
	interrupt bool   // when it has called ready
	want      string // begins the error
	goEnds    string // why the evaluator ends: a compiled program would
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
	// What shows a value.
	{"String spins", "type S struct{}\nfunc (S) String() string { ready(); for {} }", "S{}", true, "interrupted: ", ""},
	{"String sleeps", "type S struct{}\nfunc (S) String() string { ready(); time.Sleep(time.Hour); return `` }", "S{}", true, "interrupted: ", ""},
	{"Error waits", "type S struct{}\nfunc (S) Error() string { ready(); <-make(chan int); return `` }", "S{}", true, "interrupted: ", ""},
	{"Display spins", "type S struct{}\nfunc (S) Display() (display.Bundle, error) { ready(); for {} }", "S{}", true, "interrupted: ", ""},
	{"MarshalJSON spins", "type S struct{}\nfunc (S) MarshalJSON() ([]byte, error) { ready(); for {} }", "display.Bundle{Data: map[string]any{`application/json`: S{}}}", true, "interrupted: ", ""},
	{"String exits", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }", "S{}", false, "exit: ", ""},
	{"String exits in Show", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }", "Show(S{})", false, "exit: ", ""},
	{"String exits in Println", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }", "fmt.Println(S{})", false, "exit: ", ""},
	{"String exits in %who", "type S struct{}\nfunc (S) String() string { os.Exit(3); return `` }\ns := S{}", "%who", false, "exit: ", ""},
	{"String ends the goroutine", "type S struct{}\nfunc (S) String() string { runtime.Goexit(); return `` }", "S{}", false, "error: the goroutine", ""},
	{"String in an expression spins", "type S struct{}\nfunc (S) String() string { ready(); for {} }", "expression:S{}", true, "interrupted: ", ""},
	{"unlock in String", "var mu sync.Mutex\ntype S struct{}\nfunc (S) String() string { mu.Unlock(); return `` }", "fmt.Println(S{})", false, "fatal error: ", ""},
	// Stops that compiled code recovers.
	{"fuzz target", "func FuzzSpins(f *testing.F) {\n\tready()\n\tfor {\n\t}\n}", "%test", true, "interrupted: ", ""},
	{"function of a fuzz target", "func FuzzSpins(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) {\n\t\tready()\n\t\tfor {\n\t\t}\n\t})\n}", "%test", true, "interrupted: ", ""},
	{"sub-test", "func TestSpins(t *testing.T) {\n\tt.Run(`a`, func(t *testing.T) {\n\t\tt.Cleanup(func() {})\n\t\tready()\n\t\tfor {\n\t\t}\n\t})\n}", "%test", true, "interrupted: ", ""},
	{"template", "", "template.Must(template.New(``).Funcs(template.FuncMap{`f`: func() string { ready(); for {} }}).Parse(`{{f}}`)).Execute(os.Stdout, nil)", true, "interrupted: ", ""},
	{"sync.OnceFunc", "", "sync.OnceFunc(func() { ready(); for {} })()", true, "interrupted: ", ""},
	{"json", "type S struct{}\nfunc (S) MarshalJSON() ([]byte, error) { ready(); for {} }", "json.Marshal(S{})", true, "interrupted: ", ""},
	// Faults with which Go ends a program, and cells do not.
	{"deadlock", "", "<-make(chan int)", false, "fatal error: all goroutines are asleep", ""},
	{"endless recursion", "func f(n int) int { return f(n+1) + 1 }", "f(0)", false, "stack overflow", ""},
	{"unlock", "var mu sync.Mutex", "mu.Unlock()", false, "fatal error: ", ""},
	{"nil pointer by unsafe", "", "*(*int)(unsafe.Pointer(uintptr(8)))", false, "panic: ", ""},
	// Faults with which the evaluator ends.
	{"concurrent map writes", "m := map[int]int{}", "for i := range 8 {\n\tgo func() {\n\t\tfor n := 0; ; n++ {\n\t\t\tm[n%100] = i\n\t\t}\n\t}()\n}\nselect {}", false, "session lost: fatal error: concurrent map", "the runtime cannot say what the map holds"},
	{"kill", "", "syscall.Kill(os.Getpid(), syscall.SIGKILL)\nselect {}", false, "session lost: ", "the system ends a process that is killed"},
	{"wild pointer", "", "*(*int)(unsafe.Pointer(uintptr(1 << 40)))", false, "session lost: ", "memory that is not the program's"},
}

// TestWaysToEndTheEvaluator runs cells that could end the process that holds all variables.
func TestWaysToEndTheEvaluator(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "checkpoint")
			c, err := worker.Start(worker.Options{
				Args:       append(evaluatorArgs(defaultEngine), "--max-memory", fmt.Sprint(256<<20), "--checkpoint", file),
				Checkpoint: file, Dir: dir,
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
				return c.Eval(t.Context(), evaluator.Cell{Code: code, Number: number}, &quiet{})
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

// await waits until something is so.
func await(t *testing.T, or string, so func() bool) {
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Error(or)
			return
		}
	}
}
