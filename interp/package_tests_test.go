package interp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testedModule has a package with tests in the package and outside it, a helper of the tests that
// imports it, and a file that they read.
const testedModule = `
-- go.mod --
module here
go 1.24
require example.com/greet v1.1.0
-- stats/stats.go --
package stats
func mean(x []float64) (m float64) {
	for _, v := range x { m += v / float64(len(x)) }
	return m
}
func Mean(x ...float64) float64 { return mean(x) }
-- stats/stats_test.go --
package stats
import ("testing"; "os"; "flag")
var update = flag.Bool("update", false, "")
func TestMean(t *testing.T) {
	if got := mean([]float64{1, 3}); got != 2 { t.Errorf("mean is %v", got) }
}
func TestData(t *testing.T) {
	if b, err := os.ReadFile("testdata/a.txt"); err != nil || string(b) != "a\n" { t.Error(err) }
}
func TestWrong(t *testing.T) {
	t.Errorf("never right: %v", *update)
}
func BenchmarkMean(b *testing.B) { for b.Loop() { Mean(1, 2) } }
func Exported() string { return "of the tests" }
-- stats/outer_test.go --
package stats_test
import (
	"fmt"
	"os"
	"testing"
	"here/helper"
	"here/stats"
	"example.com/greet"
)
func TestStuck(t *testing.T) {
	r, _, err := os.Pipe()
	if err != nil || testing.Short() { t.SkipNow() }
	r.Read(make([]byte, 1))
}
func TestSame(t *testing.T) {
	if helper.Name() != stats.Exported() { t.Error("two packages") }
	if greet.Hello("Ada") != "good day, Ada" { t.Error("greet") }
}
func ExampleMean() {
	fmt.Println(stats.Mean(1, 2))
	// Output: 1.5
}
-- stats/testdata/a.txt --
a
-- helper/helper.go --
package helper
import "here/stats"
func Name() string { return stats.Exported() }
-- helper/export_test.go --
package helper
-- main/main.go --
package main
func main() {}
-- broken/b.go --
package broken
-- broken/b_test.go --
package broken
func TestX(t *testing.T) { undefined() }
`

func TestMagicTestOfPackages(t *testing.T) {
	// The helper needs declarations from the test files of the package.
	_, dir := folder(t, testedModule)
	n := open(t)
	for _, tt := range []struct{ cell, want, err string }{
		{"%test ./stats -run 'Mean|Data|Same'", `test         result
TestMean     pass
TestData     pass
TestSame     pass
ExampleMean  pass`, ""},
		{"%test here/stats TestStuck -timeout 1s", "test       result\nTestStuck  fail", "the tests have not ended after 1s: TestStuck"},
		{"%test here/stats -short", `test         result
TestMean     pass
TestData     pass
TestWrong    fail
    here/stats/stats_test.go:11: never right: false
TestStuck    skip
TestSame     pass
ExampleMean  pass`, "1 of 6 tests failed: TestWrong"},
		{"%test ./stats TestMean", "test      result\nTestMean  pass", ""},
		{"%test ./stats -bench . -benchtime 10x", "test           result\nBenchmarkMean  pass", ""},
		{"import \"here/stats\"\nstats.Mean(2, 4)", "", ""},
		{"stats.Exported()", "", "Exported"},
		{"%test ./helper", "", "Exported"},
		{"%test ./main", "", "is a program"},
		{"%test ./nowhere", "", "nowhere"},
		{"%test ./...", "", "give the path of one package"},
		{"%test encoding/json", "", "is compiled into the kernel, without its tests"},
		{"%test example.com/greet", "", "has no test files"},
		{"%test ./broken", "", "undefined: testing"},
	} {
		t.Run(tt.cell, func(t *testing.T) {
			n.tests(t, tt.cell, tt.want, tt.err)
		})
	}
	if at, err := os.Getwd(); err != nil || at != dir {
		t.Errorf("the working directory is %s, %v", at, err)
	}
	// The next run sees a change.
	file := filepath.Join(dir, "stats", "stats_test.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), `t.Errorf("never right: %v", *update)`, "", 1)
	if err := os.WriteFile(file, []byte(changed+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, out, err := n.eval(context.Background(), "%test ./stats TestWrong"); err != nil || !strings.Contains(strings.Join(out.shown, ""), "TestWrong  pass") {
		t.Errorf("after the change: %v, %v", out.shown, err)
	}
}
