package interp_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTestsInCells runs tests that end in every possible way. The session continues after each.
func TestTestsInCells(t *testing.T) {
	// The inner runs share the flags of this process, whose log file they would close.
	if f := flag.Lookup("test.testlogfile"); f != nil && f.Value.String() != "" {
		file := f.Value.String()
		flag.Set("test.testlogfile", "")
		defer flag.Set("test.testlogfile", file)
	}
	// The output of the inner runs must not mix with the output of this run.
	stdout := os.Stdout
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = null
	defer func() { os.Stdout = stdout; null.Close() }()
	n := open(t)
	n.must(`x := 42
func all(string, string) (bool, error) { return true, nil }
func run(f func(t *testing.T)) bool { return testing.RunTests(all, []testing.InternalTest{{"TestIt", f}}) }
log := ""
func logged(t *testing.T, s string) { t.Helper(); log += s; t.Log(s) }`)
	for _, tt := range []struct{ name, code, want, err string }{
		{"passes", "run(func(t *testing.T) { logged(t, `fine`) })", "true", ""},
		{"fails", "run(func(t *testing.T) { t.Errorf(`bad %d`, 1) })", "false", ""},
		{"fatal", "run(func(t *testing.T) { t.Fatal(`bad`) })", "false", ""},
		{"skips", "run(func(t *testing.T) { t.Skip(`later`) })", "true", ""},
		{"panics", "run(func(t *testing.T) { var s []int; i := 5; s[i]++ })", "false", ""},
		{"panics with an error", "run(func(t *testing.T) { panic(io.EOF) })", "false", ""},
		{"panics in a subtest", "run(func(t *testing.T) { t.Run(`sub`, func(t *testing.T) { t.Parallel(); var m map[int]int; m[1]++ }) })", "false", ""},
		{"recovers a fault", "run(func(t *testing.T) { defer func() { log = fmt.Sprint(recover()) }(); s, k := make([]int, 2, 4), 6; _ = s[:k] })\nlog", `"runtime error: slice bounds out of range [:6] with capacity 4"`, ""},
		{"ends its goroutine", "run(func(t *testing.T) { runtime.Goexit() })", "false", ""},
		{"recurses", "run(func(t *testing.T) { var f func(int) int; f = func(k int) int { return 1 + f(k+1) }; f(0) })", "false", ""},
		{"exits", "run(func(t *testing.T) { os.Exit(3) })", "", "exit status 3"},
		{"Main", "testing.Main(all, []testing.InternalTest{{`TestIt`, func(t *testing.T) { t.Fail() }}}, nil, nil)", "", "exit status 1"},
		{"a benchmark that panics", "testing.Benchmark(func(b *testing.B) { panic(`in it`) })\nx", "42", "in it"},
		{"a benchmark", "testing.Benchmark(func(b *testing.B) { for b.Loop() { } }).N > 0", "true", ""},
		{"Exec", "syscall.Exec(`/bin/true`, nil, nil)", "", "would replace the process that holds the session"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, out, err := n.eval(context.Background(), tt.code)
			msg := ""
			if err != nil {
				msg = err.Error()
			} else if text != tt.want {
				t.Errorf("%s, want %s", text, tt.want)
			}
			if out.stderr.Len() > 0 {
				msg += out.stderr.String()
			}
			if !strings.Contains(msg, tt.err) || tt.err == "" && msg != "" {
				t.Errorf("error %q, want %q", msg, tt.err)
			}
			if got := n.must("x"); got != "42" {
				t.Errorf("x is %s afterwards", got)
			}
		})
	}
	t.Run("stopped", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(30*time.Millisecond, cancel)
		if _, _, err := n.eval(ctx, "run(func(t *testing.T) { for {} })"); err == nil {
			t.Error("the cell ended by itself")
		}
		if got := n.must("x"); got != "42" {
			t.Errorf("x is %s afterwards", got)
		}
	})
	t.Run("no test", func(t *testing.T) {
		_, out, err := n.eval(context.Background(), "func TestIt(t *testing.T) {\n\tlogged(t, `a`)\n\tt.Errorf(`b %d`, 1)\n}\nTestIt(&testing.T{})")
		if got, want := out.stdout.String(), ":2: a\n"; err != nil || !strings.Contains(got, want) || !strings.Contains(got, ":3: b 1\n") {
			t.Errorf("%q, error %v", got, err)
		}
	})
}
