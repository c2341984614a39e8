package ssa_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

var dumpFlag = flag.String("dump", "", "with -run TestDump -v: a file with a cell, declarations with a func main, whose compiled functions are written down")

func TestDump(t *testing.T) {
	cell := `func sum(xs []float64) (s float64) {
	for _, x := range xs {
		s += x * x
	}
	return s
}
func main() { sum(nil) }`
	if *dumpFlag != "" {
		text, err := os.ReadFile(*dumpFlag)
		if err != nil {
			t.Fatal(err)
		}
		cell = string(text)
	}
	s := newSession(t, engine.Hooks{})
	var all []string
	s.e.Dumped(func(text string) { all = append(all, text) })
	out, err := s.run(t.Context(), cell)
	text := strings.Join(all, "\n")
	if *dumpFlag != "" {
		t.Logf("printed %q, ended with %v\n%s", out, err, text)
		return
	}
	for _, want := range []string{
		`main\.sum: \d+ bytes before the header, \d+ from the header on; pointers after the header at \[\d+`,
		`\d+  \[\]float64    parameter xs\n`,
		`-\d+  float64      result\n`,
		`block \d, rangeindex\.body:\n(.*\n)* +\d+  line 3 +t\d+ = t\d \+ t\d+\n +t\d+ = t\d \* t\d\n`,
		`  ends with a branch:\n`,
		`block \d, rangeindex\.done:\n(.*\n)*  returns\n`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("the dump does not match %s:\n%s", want, text)
		}
	}
}
