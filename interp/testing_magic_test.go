package interp_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/tests"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// seconds and rates are what differs from run to run.
var seconds = regexp.MustCompile(`(?m) +(time|\d+\.\d\d s|\d+ [0-9.]+ ns/op.*)$`)

// testSession has tests of every kind, some of which fail in every way.
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
		{"%test -run Nothing", "", "nothing of that name; there are TestDouble TestFine"},
		{"%test -run (", "", "missing closing )"},
		{"%test -fast", "", "flag provided but not defined: -fast; there are -run RE"},
		{"%test -bench . -benchtime soon", "", "-benchtime soon: invalid duration"},
	} {
		t.Run(tt.magic, func(t *testing.T) {
			_, out, err := n.eval(context.Background(), tt.magic)
			got := seconds.ReplaceAllString(strings.Join(out.shown, "\n"), "")
			msg := ""
			if err != nil {
				msg = err.Error()
			}
			if got != tt.want || tt.err == "" && msg != "" || !strings.Contains(msg, tt.err) {
				t.Errorf("shown:\n%s\nerror %q\nwant:\n%s\nerror %q", got, msg, tt.want, tt.err)
			}
			if text := out.stdout.String() + out.stderr.String(); text != "" {
				t.Errorf("printed %q", text)
			}
		})
	}
	if got := n.must("kept"); got != "42" {
		t.Errorf("kept is %s", got)
	}
}

// Tests are found in the cell of the magic too, and the newest of a name is meant.
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

// TestMain runs the tests, and neither its end nor that of the process it asks for is
// one of the session.
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

// On the portable engine a failing test would end the process.
func TestMagicTestOnThePortableEngine(t *testing.T) {
	s := engineCases[1].open(t)
	_, err := s.Eval(context.Background(), evaluator.Cell{Code: "func TestGood(t *testing.T) {}\n%test", Number: 1}, &recorder{})
	if err == nil || !strings.Contains(err.Error(), "the default engine runs them") {
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
