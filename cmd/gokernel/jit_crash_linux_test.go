//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// The error of a cell that crashes in JIT-compiled code names the function and the magic that turns
// the JIT off for it. The cells take the right to execute the code from its pages.
func TestCrashInCompiledCode(t *testing.T) {
	c, err := worker.Start(worker.Options{
		Args: evaluatorArgs(defaultEngine), Dir: t.TempDir(), Env: append(os.Environ(), engine.JITVariable+"=on"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	eval := func(code string) error {
		_, err := c.Eval(t.Context(), evaluator.Cell{Code: code}, &quiet{})
		return err
	}
	for _, code := range []string{
		`import "syscall"
// executable returns the start and end of each range of executable addresses.
func executable() map[string]string {
	all := map[string]string{}
	text, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(text)) {
		if w := strings.Fields(line); w[1] == "r-xp" {
			start, end, _ := strings.Cut(w[0], "-")
			all[start] = end
		}
	}
	return all
}
before := executable()
func spin(n int) (s int) {
	for i := range n {
		s += i * i % 7
	}
	return s
}`,
		"spin(300_000_000)", // long enough to become hot
		`for start, end := range executable() {
	for s, e := range before { // Linux joins adjacent ranges
		if s == start {
			start = e
		} else if e == end {
			end = s
		}
	}
	if start != end {
		first, _ := strconv.ParseUint(start, 16, 64)
		last, _ := strconv.ParseUint(end, 16, 64)
		syscall.RawSyscall(syscall.SYS_MPROTECT, uintptr(first), uintptr(last-first), syscall.PROT_READ)
	}
}`,
	} {
		if err := eval(code); err != nil {
			t.Fatalf("%s\n%v", code, err)
		}
	}
	var failed *evaluator.Error
	if err := eval("spin(10)"); !errors.As(err, &failed) {
		t.Fatalf("got %v", err)
	}
	text := strings.Join(failed.Traceback, "\n")
	for _, want := range []string{"session lost", "code that the JIT had compiled from spin (cell ", "line 15)", "Run `%jit off spin` in the new session"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if err := eval("1 + 1"); err != nil {
		t.Errorf("the next cell: %v", err)
	}
}
