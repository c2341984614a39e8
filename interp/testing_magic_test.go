package interp_test

import (
	"context"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/tests"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// seconds matches times and rates, which differ between runs.
var seconds = regexp.MustCompile(`(?m) +(time|\d+\.\d\d s|\d+ [0-9.]+ ns/op.*)$`)

// tests runs a cell with %test. It compares what the cell shows, without times, and its error; an
// empty fails means that the cell must succeed.
func (n *notebook) tests(t *testing.T, cell, want, fails string) *recorder {
	t.Helper()
	_, out, err := n.eval(context.Background(), cell)
	got := seconds.ReplaceAllString(strings.Join(out.shown, "\n"), "")
	msg := ""
	if err != nil {
		msg = err.Error()
	}
	if got != want || fails == "" && msg != "" || !strings.Contains(msg, fails) {
		t.Errorf("shown:\n%s\nerror %q\nwant:\n%s\nerror %q", got, msg, want, fails)
	}
	return out
}

// testSession has tests of every kind, including tests that fail in every possible way.
const testSession = `
func TestDouble(t *testing.T) {
	for _, c := range []struct{ name string; in, want int }{{"two", 2, 4}, {"three", 3, 7}} {
		t.Run(c.name, func(t *testing.T) {
			if got := double(c.in); got != c.want {
				t.Errorf("double(%d) is %d, want %d", c.in, got, c.want)
			}
		})
	}
}
func TestFine(t *testing.T) { t.Parallel(); t.Log("not shown"); fmt.Println("nor this") }
func TestLater(t *testing.T) { t.Skip("another day") }
func TestPanics(t *testing.T) { var s []int; i := 3; s[i]++ }
func Testify(t *testing.T) { panic("is no test") }
func ExampleDouble() {
	fmt.Println(double(2))
	// Output: 4
}
func ExampleWrong() {
	fmt.Println(double(3))
	// Output: 5
}
func ExamplePanics() {
	panic("in it")
	// Output: 5
}
func ExampleSilent() { panic("has no output to compare") }
func FuzzDouble(f *testing.F) {
	f.Add(1)
	f.Add(-4)
	f.Fuzz(func(t *testing.T, n int) {
		if double(n) < 0 {
			t.Errorf("double(%d) is negative", n)
		}
	})
}
func BenchmarkDouble(b *testing.B) {
	for b.Loop() {
		double(3)
	}
}`

func TestMagicTest(t *testing.T) {
	n := open(t)
	n.must("func double(n int) int { return 2 * n }\nkept := 42")
	n.must(testSession)
	for _, tt := range []struct{ magic, want, err string }{
		{"%test", `test           result
TestDouble     fail
  two          pass
  three        fail
    cell [2]:6: double(3) is 6, want 7
TestFine       pass
TestLater      skip
    cell [2]:12: another day
TestPanics     fail
    panic: runtime error: index out of range [3] with length 0
    	cell [2]:13
FuzzDouble     fail
  seed#0       pass
  seed#1       fail
    cell [2]:33: double(-4) is negative
ExampleDouble  pass
ExampleWrong   fail
    got:
    6
    want:
    5
ExamplePanics  fail
    got:
    panic: in it
    want:
    5`, "5 of 8 tests failed: TestDouble, TestPanics, FuzzDouble, ExampleWrong, ExamplePanics"},
		{"%test -run ^TestDouble/two", "test        result\nTestDouble  pass\n  two       pass", ""},
		{"%test TestFine -v", "test      result\nTestFine  pass\n        cell [2]:11: not shown\n    nor this", ""},
		{"%test TestFine ExampleDouble", "test           result\nTestFine       pass\nExampleDouble  pass", ""},
		{"%test -run 'Fine|Later' -count 1 -short", "test       result\nTestFine   pass\nTestLater  skip\n    cell [2]:12: another day", ""},
		{"%test -bench . -benchtime 10x", "test             result\nBenchmarkDouble  pass", ""},
		{"%test BenchmarkDouble -benchtime 10x", "test             result\nBenchmarkDouble  pass", ""},
		{"%test -run Nothing", "", "no test matches the pattern or name; the tests and benchmarks are TestDouble TestFine"},
		{"%test -run (", "", "missing closing )"},
		{"%test -fast", "", "flag provided but not defined: -fast; the flags are -run RE"},
		{"%test -bench . -benchtime soon", "", "-benchtime soon: invalid duration"},
	} {
		t.Run(tt.magic, func(t *testing.T) {
			out := n.tests(t, tt.magic, tt.want, tt.err)
			if text := out.stdout.String() + out.stderr.String(); text != "" {
				t.Errorf("printed %q", text)
			}
		})
	}
	if got := n.must("kept"); got != "42" {
		t.Errorf("kept is %s", got)
	}
}

// The session also finds tests in the cell with the magic, and uses the newest test of a name.
func TestMagicTestInTheSameCell(t *testing.T) {
	n := open(t)
	for _, result := range []string{"fail", "pass"} {
		body := map[string]string{"fail": "t.Fail()", "pass": ""}[result]
		_, out, err := n.eval(context.Background(), "func TestIt(t *testing.T) { "+body+" }\n%test\nafter := 1")
		if got := seconds.ReplaceAllString(strings.Join(out.shown, ""), ""); got != "test    result\nTestIt  "+result || (err != nil) != (result == "fail") {
			t.Errorf("%s: %s, %v", result, got, err)
		}
	}
	n.must("after")
	if _, _, err := open(t).eval(context.Background(), "%test"); err == nil || !strings.Contains(err.Error(), "declare func TestX(t *testing.T)") {
		t.Errorf("without tests: %v", err)
	}
}

// TestMain runs the tests. Neither its end nor a call of os.Exit ends the session.
func TestMagicTestMain(t *testing.T) {
	n := open(t)
	n.must("steps := []string{}\nfunc TestIt(t *testing.T) { steps = append(steps, `test`) }")
	for _, end := range []string{"os.Exit(m.Run())", "m.Run()", "syscall.Exit(m.Run())"} {
		n.must("func TestMain(m *testing.M) {\n\tsteps = append(steps, `before`)\n\tdefer func() { steps = append(steps, `after`) }()\n\t" + end + "\n}")
		_, out, err := n.eval(context.Background(), "steps = nil\n%test")
		if got := seconds.ReplaceAllString(strings.Join(out.shown, ""), ""); err != nil || got != "test    result\nTestIt  pass" {
			t.Errorf("%s: %s, %v", end, got, err)
		}
		want := "[before test]"
		if end == "m.Run()" {
			want = "[before test after]"
		}
		if got := n.must("fmt.Sprint(steps)"); got != `"`+want+`"` {
			t.Errorf("%s: steps %s, want %s", end, got, want)
		}
	}
	n.must("func TestMain(m *testing.M) {}")
	n.must("func TestExits(t *testing.T) { os.Exit(3) }\nfunc TestMain(m *testing.M) { m.Run() }")
	if _, _, err := n.eval(context.Background(), "%test"); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("os.Exit in a test: %v", err)
	}
	if got := n.must("fmt.Sprint(len(steps))"); got == "" {
		t.Error("the session has ended")
	}
}

// packageCell is a cell with a package and its tests, which %test runs as "scores".
const packageCell = `%%package scores
var made int

// Best returns the largest.
func Best(xs ...int) int { return slices.Max(xs) }

func TestMain(m *testing.M) { made = 7; m.Run() }

func TestBest(t *testing.T) {
	for _, n := range []int{3, 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := Best(n, 4, made); got != n {
				t.Errorf("best is %d, want %d", got, n)
			}
		})
	}
}
func ExampleBest() {
	fmt.Println(Best(1, 2))
	// Output: 2
}
func FuzzBest(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { Best(n) })
}
func BenchmarkBest(b *testing.B) {
	for b.Loop() {
		Best(1, 2, 3)
	}
}
func Made() int { return made }`

// Tests within a package that a cell has declared run in that package itself.
func TestMagicTestOfPackageCells(t *testing.T) {
	_, dir := folder(t, "-- go.mod --\nmodule here\ngo 1.24\n")
	n := open(t)
	n.must(packageCell)
	n.must("%%package plain\nfunc F() {}")
	for _, tt := range []struct{ cell, want, err string }{
		{"%test scores", `test         result
TestBest     fail
  3          fail
    cell [1]:13: best is 7, want 3
  5          fail
    cell [1]:13: best is 7, want 5
FuzzBest     pass
  seed#0     pass
ExampleBest  pass`, "1 of 3 tests failed: TestBest"},
		{"%test scores ExampleBest", "test         result\nExampleBest  pass", ""},
		{"%test -bench . -benchtime 10x scores", "test           result\nBenchmarkBest  pass", ""},
		{"%test scores Nothing", "", "the tests and benchmarks are TestBest FuzzBest ExampleBest BenchmarkBest"},
		{"%test scores plain", "", "give the path of one package"},
		{"%test", "", "no cell declares a test, except in a package; to run the tests of package plain, use %test plain"},
		{"%test plain", "", "package plain has no test"},
	} {
		t.Run(tt.cell, func(t *testing.T) {
			n.tests(t, tt.cell, tt.want, tt.err)
		})
	}
	if got := n.must("import `scores`\nscores.Made()"); got != "7" {
		t.Errorf("the variable of the package is %s", got)
	}
	// When the cell runs again with other tests, they also see the package as cells have changed
	// it.
	n.must(strings.Replace(packageCell, "made = 7", "made = 0", 1))
	_, out, err := n.eval(context.Background(), "%test scores -run TestBest/5")
	if got := seconds.ReplaceAllString(strings.Join(out.shown, "\n"), ""); err != nil || got != "test      result\nTestBest  pass\n  5       pass" {
		t.Errorf("after the change: %s, %v", got, err)
	}
	if at, err := os.Getwd(); err != nil || at != dir {
		t.Errorf("the working directory is %s, %v", at, err)
	}
}

// When the -timeout expires, the cell ends with the results so far.
func TestMagicTestTimeout(t *testing.T) {
	n := open(t)
	n.must(`kept := 42
block := make(chan bool)
func TestFine(t *testing.T) {}
func TestOf(t *testing.T) { t.Run("part", func(t *testing.T) { t.Run("good", func(*testing.T) {}); for {} }) }
func TestWaits(t *testing.T) { t.Parallel(); <-block }
func TestSleeps(t *testing.T) { time.Sleep(time.Hour) }
func TestStuck(t *testing.T) { r, _, _ := os.Pipe(); r.Read(make([]byte, 1)) }
func TestDeadline(t *testing.T) { if _, ok := t.Deadline(); ok { t.Error("package testing would end the process") } }`)
	for _, tt := range []struct{ cell, want, err string }{
		{"%test -timeout 1m TestFine TestDeadline", "test          result\nTestFine      pass\nTestDeadline  pass", ""},
		{"%test -timeout 0 TestFine", "test      result\nTestFine  pass", ""},
		{"%test -timeout 1s -run 'Fine|Of'", "test      result\nTestFine  pass\nTestOf    fail\n  part    fail\n    good  pass", "the tests have not ended after 1s: TestOf/part"},
		{"%test -timeout 1s TestWaits TestFine", "test       result\nTestFine   pass\nTestWaits  fail", "the tests have not ended after 1s: TestWaits"},
		{"%test -timeout 1s TestSleeps", "test        result\nTestSleeps  fail", "the tests have not ended after 1s: TestSleeps"},
		{"%test -timeout 1s TestStuck", "test       result\nTestStuck  fail", "the tests have not ended after 1s: TestStuck"},
		{"%test -short TestFine", "test      result\nTestFine  pass", ""},
		{"%test -timeout soon", "", "the flags are -run RE"},
		{"%test -timeout -1s", "", "-timeout must not be negative, got -1s"},
	} {
		t.Run(tt.cell, func(t *testing.T) {
			n.tests(t, tt.cell+"\nkept = 0", tt.want, tt.err)
			if got := n.must("kept"); (got == "0") != (tt.err == "") {
				t.Errorf("kept is %s", got)
			}
			n.must("kept = 42")
		})
	}
}

// The timeout also ends benchmarks, even before package testing has collected garbage and printed
// their name.
func TestMagicTestTimeoutOfBenchmarks(t *testing.T) {
	n := open(t)
	n.must("func BenchmarkLong(b *testing.B) { for {} }")
	if _, _, err := n.eval(context.Background(), "%test -timeout 200ms -bench ."); err == nil || !strings.Contains(err.Error(), "the tests have not ended after 200ms") {
		t.Errorf("it ended with %v", err)
	}
	// The benchmark may take a moment to notice. Until then, this process has its flags and would
	// run its own benchmarks at the end.
	for deadline := time.Now().Add(time.Minute); flag.Lookup("test.bench").Value.String() != ""; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the flags are those of the benchmark still")
		}
	}
}

// On the fallback engine, a failing test would end the process.
func TestMagicTestOnThePortableEngine(t *testing.T) {
	s := engineCases[1].open(t)
	_, err := s.Eval(context.Background(), evaluator.Cell{Code: "func TestGood(t *testing.T) {}\n%test", Number: 1}, &recorder{})
	if err == nil || !strings.Contains(err.Error(), "choose the default engine") {
		t.Errorf("it ended with %v", err)
	}
}

func TestResultsAsAPage(t *testing.T) {
	b := tests.Show([]tests.Result{{Name: "TestA", Action: "fail", Time: "0.10"}, {Name: "TestA/b<c", Action: "fail", Output: "    x.go:3: 1 < 2\n"}}, false)
	page, _ := b.Data[display.MIMEHTML].(string)
	for _, want := range []string{"<code>TestA</code>", "<code>b&lt;c</code>", "0.10 s", "x.go:3: 1 &lt; 2</pre>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in %s", want, page)
		}
	}
}
