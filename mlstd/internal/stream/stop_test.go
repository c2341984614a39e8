package stream

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/model"
)

// failing is a source one of whose tasks calls a function before it reads.
type failing struct {
	memory
	task int
	do   func() error
}

func (s *failing) Tasks(columns []string, tests []Test, count func(string, int), yield func(Task) error) error {
	n := 0
	return s.memory.Tasks(columns, tests, count, func(t Task) error {
		n++
		if n-1 != s.task {
			return yield(t)
		}
		return yield(Task{Read: func() (*frame.Frame, error) {
			if err := s.do(); err != nil {
				return nil, err
			}
			return t.Read()
		}})
	})
}

// shapes are plans with each step, for which l fails and r does not. The memory is so small that
// all of them write to the temporary file.
var shapes = map[string]func(l, r *lazy.Frame) *lazy.Frame{
	"rows":     func(l, _ *lazy.Frame) *lazy.Frame { return l.Where(l.Col("few").Greater(-9)) },
	"group":    func(l, _ *lazy.Frame) *lazy.Frame { return l.By("text").Agg(frame.Count(), frame.Mean("small")) },
	"median":   func(l, _ *lazy.Frame) *lazy.Frame { return l.By("text").Agg(frame.Median("small")) },
	"all":      func(l, _ *lazy.Frame) *lazy.Frame { return l.Agg(frame.Sum("small")) },
	"sort":     func(l, _ *lazy.Frame) *lazy.Frame { return l.Sort("text") },
	"top":      func(l, _ *lazy.Frame) *lazy.Frame { return l.Sort("text").Head(10) },
	"head":     func(l, _ *lazy.Frame) *lazy.Frame { return l.Head(1900) },
	"distinct": func(l, _ *lazy.Frame) *lazy.Frame { return l.Distinct("text") },
	"counts":   func(l, _ *lazy.Frame) *lazy.Frame { return l.Counts("text") },
	"left":     func(l, r *lazy.Frame) *lazy.Frame { return l.Join(r, "text") },
	"right":    func(l, r *lazy.Frame) *lazy.Frame { return r.LeftJoin(l, "text") },
	"several": func(l, r *lazy.Frame) *lazy.Frame {
		return l.Sort("wide").Join(r.Distinct("text"), "text").By("text").Agg(frame.Median("small"), frame.Count()).Sort("-count")
	},
}

// openFiles returns the temporary files that are open, with or without a name.
func openFiles(t *testing.T) []string {
	list, err := filepath.Glob(filepath.Join(os.TempDir(), "gokernel-scan-*"))
	if err != nil {
		t.Fatal(err)
	}
	fds, _ := filepath.Glob("/proc/self/fd/*")
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.Contains(to, "gokernel-scan-") {
			list = append(list, to)
		}
	}
	return list
}

// fail collects a plan, one of whose tasks fails, and returns the error or the value of the panic.
// It checks that neither goroutines nor temporary files are left.
func fail(t *testing.T, what string, shape func(l, r *lazy.Frame) *lazy.Frame, task int, do func() error) (panicked any, err error) {
	t.Helper()
	before := runtime.NumGoroutine()
	f := randomFrame(rand.New(rand.NewPCG(3, 4)), 2000)
	spills := 0
	engine := &tested{Options{Memory: 20_000, Rows: 64, Spills: &spills}}
	source := &failing{memory{f, 64}, task, do}
	func() {
		defer func() { panicked = recover() }()
		_, err = shape(lazy.FromSource(engine, source, f), lazy.FromSource(engine, &memory{f, 64}, f)).Collect()
	}()
	for runtime.NumGoroutine() > before { // those that have ended may still be counted
		runtime.Gosched()
	}
	if list := openFiles(t); len(list) > 0 {
		t.Errorf("%s: the temporary files %q are left", what, list)
	}
	return panicked, err
}

// TestFailures checks that a run with an error, a panic, an interrupt or an ended goroutine ends,
// with all its goroutines and its temporary file, wherever that happens.
func TestFailures(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	broken := errors.New("broken")
	for name, shape := range shapes {
		for _, task := range []int{0, 13, 29} {
			p, err := fail(t, name, shape, task, func() error { return broken })
			if err != broken || p != nil {
				t.Errorf("%s: error %v, panic %v", name, err, p)
			}
			if p, err = fail(t, name, shape, task, func() error { panic("oops") }); p != "oops" {
				t.Errorf("%s: error %v, panic %v, want the panic", name, err, p)
			}
			p, err = fail(t, name, shape, task, func() error { panic(model.Errorf("Agg", "a mistake")) })
			if err == nil || !strings.Contains(err.Error(), "a mistake") || p != nil {
				t.Errorf("%s: error %v, panic %v, want the mistake", name, err, p)
			}
			p, err = fail(t, name, shape, task, func() error { runtime.Goexit(); return nil })
			if err != errEnded || p != nil {
				t.Errorf("%s: error %v, panic %v, want %v", name, err, p, errEnded)
			}
			ctx, cancel := context.WithCancel(t.Context())
			model.SetAmbient(&model.Ambient{Context: func() context.Context { return ctx }})
			p, err = fail(t, name, shape, task, func() error { cancel(); return nil })
			model.SetAmbient(nil)
			if !errors.Is(err, context.Canceled) || p != nil {
				t.Errorf("%s: error %v, panic %v, want the interrupt", name, err, p)
			}
		}
	}
}

// TestUserFailures checks the same for functions of the user, and for the consumer of the rows.
func TestUserFailures(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	none := func() error { return nil }
	for name, do := range map[string]func(){"panic": func() { panic("oops") }, "goexit": runtime.Goexit} {
		n := 0
		p, err := fail(t, name, func(l, _ *lazy.Frame) *lazy.Frame {
			return l.By("text").Agg(frame.AggColumn("small", func(*frame.Column) any {
				if n++; n == 500 {
					do()
				}
				return 1.0
			}))
		}, -1, none)
		if name == "panic" && p != "oops" || name == "goexit" && err != errEnded {
			t.Errorf("%s: error %v, panic %v", name, err, p)
		}
	}
	before := runtime.NumGoroutine()
	for name, shape := range shapes {
		if name == "all" || name == "top" { // one batch
			continue
		}
		f := randomFrame(rand.New(rand.NewPCG(3, 4)), 500)
		l := lazy.FromSource(&tested{}, &memory{f, 64}, f)
		for _, stop := range []error{errors.New("enough"), nil} {
			n := 0
			got := func() (err any) {
				defer func() {
					if p := recover(); p != nil {
						err = p
					}
				}()
				return Run(shape(l, l.Distinct()), Options{Memory: 10_000, Rows: 5}, func(*frame.Frame) error {
					if n++; n < 2 {
						return nil
					}
					if stop == nil {
						panic("oops")
					}
					return stop
				})
			}()
			if got != any(stop) && (stop != nil || got != "oops") {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
	if list := openFiles(t); len(list) > 0 {
		t.Errorf("the temporary files %q are left", list)
	}
}

// TestTemporaryFile checks the errors for a folder without a place for the temporary file.
func TestTemporaryFile(t *testing.T) {
	f := randomFrame(rand.New(rand.NewPCG(3, 4)), 2000)
	l := lazy.FromSource(&tested{Options{Memory: 20_000, Rows: 64}}, &memory{f, 64}, f)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	for name, shape := range shapes {
		if name == "rows" || name == "head" || name == "all" || name == "top" {
			continue
		}
		_, err := shape(l, l).Collect()
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(e.What, "no temporary file can be made") || !strings.Contains(e.Hint, "TMPDIR") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}

	full, err := os.Open(os.DevNull) // cannot be written
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	e := &exec{ctx: t.Context(), file: &spillFile{file: full}}
	if _, err := e.spill(f); err == nil || !strings.Contains(err.Error(), "cannot be written") || !strings.Contains(err.Error(), "TMPDIR") {
		t.Error(err)
	}
}
