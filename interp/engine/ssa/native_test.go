//go:build linux && (amd64 || arm64)

package ssa_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest"
	"github.com/gokernel/gokernel/interp/engine/enginetest/progen"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
)

// nativeVariable is the environment variable that determines when the engine JIT-compiles.
const nativeVariable = engine.JITVariable

// Cells behave the same without JIT compilation and with JIT compilation of all code that supports
// it.

func TestSuiteNative(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	enginetest.Suite{New: newEngine}.Run(t)
}

func TestRandomProgramsNative(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	enginetest.RandomPrograms{}.Run(t)
}

func TestRandomLoopsNative(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	enginetest.RandomPrograms{Source: progen.Loops}.Run(t)
}

func TestGeneratedProgramsNative(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	enginetest.GeneratedPrograms(t)
}

func TestStoppedCellsTellWhereNative(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	TestStoppedCellsTellWhere(t)
}

// nativeRun runs a cell. It returns the cell's output, and how often the JIT-compiled code of work
// was entered. If main contains the code of work, the entries of main count.
func nativeRun(t *testing.T, mode, src string) (out string, entered int64) {
	t.Helper()
	t.Setenv(nativeVariable, mode)
	s := newSession(t, engine.Hooks{})
	out, err := s.run(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	now, functions, err := s.e.JIT()
	if err != nil || now.String() != mode {
		t.Errorf("%s: %v, %v", mode, now, err)
	}
	for _, f := range functions {
		if f.Func == "main" || f.Func == "work" || strings.HasSuffix(f.Func, ".work") {
			entered += f.Entered
		}
		if f.Func != "main" && f.Why != "" && strings.HasSuffix(f.Func, "work") {
			t.Errorf("%s is interpreted: %s", f.Func, f.Why)
		}
	}
	return out, entered
}

func TestNative(t *testing.T) {
	for name, src := range nativePrograms {
		t.Run(name, func(t *testing.T) {
			want, none := nativeRun(t, "off", src)
			got, entered := nativeRun(t, "force", src)
			if none != 0 || entered == 0 {
				t.Errorf("machine code was entered %d times where there was to be none, and %d times else", none, entered)
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// During a garbage collection, pointers are stored with the write barrier.
func TestNativeWithBarrier(t *testing.T) {
	defer native.ForceBarrier()()
	TestNative(t)
}

// The report has the lines at which JIT-compiled code deoptimizes, and the reason why a function
// was not JIT-compiled.
func TestNativeTellsWhy(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	s := newSession(t, engine.Hooks{})
	s.want(`func work(n int) (l []int) {
	for i := range n {
		if i%100 == 0 {
			l = append(l, i)
		}
	}
	return l
}
func main() { println(len(work(1000))) }`, "10\n")
	_, functions, err := s.e.JIT()
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, f := range functions {
		text := f.Why
		for _, l := range f.Exits {
			text += fmt.Sprintf("%d: %s", l.Pos.Line-f.Pos.Line, l.Why)
		}
		told[f.Func] = text
		if (f.Size == 0) != (f.Why != "") || f.Func == "work" && (f.Entered == 0 || f.Size == 0) {
			t.Errorf("%+v", f)
		}
	}
	if !strings.Contains(told["work"], "3: calls append") || !strings.Contains(told["main"], "0: calls println") {
		t.Errorf("told %q", told)
	}
}

// Calls of inlined functions call the current declaration.
func TestNativeDeclaredAgain(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	s := newSession(t, engine.Hooks{})
	s.want(`
func f(x int) int { return x + 1 }
func work() (s int) { for i := range 10 { s += f(i) }; return }
func main() { println(work()) }`, "55\n")
	s.want(`func f(x int) int { return x * 100 }
func main() { println(work()) }`, "4500\n")
}

// FuzzNative compares the interpreter and the JIT compiler on two programs: one loops over numbers,
// and one uses the whole language. TestNativeAsInterpreted compares them for the seeds in the
// flags.
func FuzzNative(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed << 40)
	}
	f.Fuzz(asInterpreted)
}

func TestNativeAsInterpreted(t *testing.T) {
	for seed := range enginetest.RandomSeeds() {
		asInterpreted(t, seed)
	}
}

func asInterpreted(t *testing.T, seed uint64) {
	for name, src := range map[string]string{"loops": string(progen.Loops(seed)), "file": progen.File([]uint64{seed})} {
		src = strings.TrimPrefix(src, "package main\n")
		t.Setenv(nativeVariable, "off")
		want := newSession(t, engine.Hooks{}).printed(src)
		t.Setenv(nativeVariable, "force")
		if got := newSession(t, engine.Hooks{}).printed(src); got != want {
			t.Errorf("seed %d, %s: %s", seed, name, firstDifference(got, want))
		}
	}
}

// firstDifference returns the first line that differs between two texts.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got %s, want %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// An attached debugger can stop a function that was JIT-compiled, because the code is not entered
// while a debugger is attached. A later cell is JIT-compiled again.
func TestNativeDebugged(t *testing.T) {
	t.Setenv(nativeVariable, "force")
	s := newSession(t, engine.Hooks{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	entered := func() (n int64) {
		_, functions, err := s.e.JIT()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range functions {
			n += f.Entered
		}
		return n
	}
	more := func(before int64) {
		t.Helper()
		for start := time.Now(); entered() <= before; time.Sleep(time.Millisecond) {
			if time.Since(start) > 20*time.Second {
				t.Fatal("no machine code is entered")
			}
		}
	}
	d := &debugged{session: s, ended: make(chan error, 1)}
	d.start(ctx, `
func work(n int) (s int) {
	for i := range n {
		s += i
	}
	return s
}
func main() { for { work(1000) } }`)
	more(0)
	a := attach(t, s)
	a.ended = d.ended
	a.breakAt(1, 4)
	st := a.stop()
	if at := a.at(st); !strings.HasPrefix(at, "work:4") {
		t.Errorf("stopped at %s", at)
	}
	before := entered()
	for range 3 {
		a.Step(st.Goroutine, engine.StepOver)
		st = a.stop()
	}
	if now := entered(); now != before {
		t.Errorf("machine code was entered %d times under the debugger", now-before)
	}
	a.breakAt(1)
	a.Detach()
	cancel()
	var stopped *engine.Stopped
	if err := a.end(); !errors.As(err, &stopped) {
		t.Errorf("ended with %v", err)
	}
	s.want("func main() { println(work(1000) + work(10)) }", "499545")
	more(before)
}
