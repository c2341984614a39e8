package tests

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine/testdeps"
)

// Set contains the tests to run.
type Set struct {
	Tests      []testing.InternalTest
	Benchmarks []testing.InternalBenchmark
	Fuzz       []testing.InternalFuzzTarget
	Examples   []testing.InternalExample
	Main       func(*testing.M) // TestMain, or nil if there is none
	Dir        string           // the folder in which they run; "" means the folder of the session
}

// Empty reports whether there are no tests.
func (s *Set) Empty() bool {
	return len(s.Tests)+len(s.Benchmarks)+len(s.Fuzz)+len(s.Examples) == 0
}

// Flags contains flags of go test by their names: "run", "bench", "count".
type Flags map[string]string

// timeout returns the maximum time of the tests; 0 means no limit.
func (f Flags) timeout() (time.Duration, error) {
	if f["timeout"] == "" {
		return 0, nil
	}
	return time.ParseDuration(f["timeout"])
}

// running is held while tests run: they use the flags of package testing and the standard output.
var running sync.Mutex

// Timeout is the error of tests that did not end in time.
type Timeout struct {
	Limit   time.Duration
	Running []string // tests that began and did not end
}

func (t *Timeout) Error() string {
	if len(t.Running) == 0 {
		return fmt.Sprintf("the tests have not ended after %v", t.Limit)
	}
	return fmt.Sprintf("the tests have not ended after %v: %s", t.Limit, strings.Join(t.Running, ", "))
}

// Run runs the tests and returns all results; results of subtests follow their tests. A test that
// panics fails, and os.Exit in TestMain ends the run. After the time of the flag timeout, Run calls
// late with the results so far. The function late must end the tests, because package testing
// itself would end the process.
func Run(ctx context.Context, s *Set, flags Flags, late func([]Result, *Timeout)) ([]Result, error) {
	limit, err := flags.timeout()
	if err != nil {
		return nil, err
	}
	running.Lock()
	m := testdeps.Start(nil, s.Tests, s.Benchmarks, s.Fuzz, guarded(ctx, s.Examples))
	out, end, err := begin(s.Dir, flags)
	if err != nil {
		return nil, err
	}
	defer end()
	// A test that was stopped in a compiled function may never return. Run must return anyway.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(leftTime, end) })()
	if limit > 0 {
		timer := time.AfterFunc(limit, func() {
			list := out.ordered()
			late(list, &Timeout{limit, unended(list)})
		})
		defer timer.Stop()
	}
	runMain(m, s.Main)
	end()
	<-out.done
	return out.ordered(), ctx.Err()
}

// leftTime is how long stopped tests may take to end before others may run.
const leftTime = time.Second

// begin sets the flags and the folder of package testing, and reads its output until end is called,
// which unlocks running.
func begin(dir string, flags Flags) (out *reader, end func(), err error) {
	restore, err := setFlags(flags)
	back := func() {}
	if err == nil && dir != "" {
		back, err = enter(dir)
	}
	var r, w *os.File
	if err == nil {
		r, w, err = os.Pipe()
	}
	if err != nil {
		back()
		restore()
		running.Unlock()
		return nil, nil, err
	}
	stdout, stderr := os.Stdout, os.Stderr // package testing merges the two
	os.Stdout = w
	out = newReader()
	go func() {
		out.read(r)
		r.Close()
		close(out.done)
	}()
	return out, sync.OnceFunc(func() {
		os.Stdout, os.Stderr = stdout, stderr
		w.Close()
		back()
		restore()
		running.Unlock()
	}), nil
}

// enter changes the working directory to a folder, as tests of a package expect.
func enter(dir string) (back func(), err error) {
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	// If the earlier folder no longer exists, there is nothing to return to.
	return func() { _ = os.Chdir(before) }, err
}

// exited is the panic value with which os.Exit ends interpreted code.
type exited interface{ Exited() int }

// runMain runs the tests, through TestMain if there is one.
func runMain(m *testing.M, main func(*testing.M)) {
	if main == nil {
		m.Run()
		return
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			r.Exited() // the tests have run; the cell continues
		default:
			panic(r)
		}
	}()
	main(m)
}

// guarded makes an example fail if it panics. Otherwise package testing would end at the first
// panic.
func guarded(ctx context.Context, examples []testing.InternalExample) []testing.InternalExample {
	list := make([]testing.InternalExample, len(examples))
	for i, e := range examples {
		list[i] = e
		list[i].F = func() {
			defer func() {
				r := recover()
				if _, exits := r.(exited); exits || ctx.Err() != nil && r != nil {
					panic(r)
				}
				if r != nil {
					fmt.Fprintf(os.Stdout, "panic: %v\n", r)
				}
			}()
			e.F()
		}
	}
	return list
}

// setFlags sets the flags of package testing for one run. The function restore sets them to their
// earlier values.
func setFlags(flags Flags) (restore func(), err error) {
	all := map[string]string{
		"v": "test2json", "run": "", "skip": "", "bench": "", "benchtime": "1s", "benchmem": "false", "count": "1", "short": "false",
		"fuzz": "", "list": "", "testlogfile": "", "failfast": "false", "shuffle": "off", "timeout": "0", "fullpath": "false",
	}
	for name, v := range flags {
		if name != "timeout" { // Run handles the timeout
			all[name] = v
		}
	}
	before := map[*flag.Flag]string{}
	restore = func() {
		for f, v := range before {
			f.Value.Set(v)
		}
	}
	for name, v := range all {
		f := flag.Lookup("test." + name)
		if f == nil {
			return restore, errors.New("package testing has no flag -" + name)
		}
		before[f] = f.Value.String()
		if err := f.Value.Set(v); err != nil {
			return restore, fmt.Errorf("-%s %s: %w", name, v, err)
		}
	}
	if !flag.Parsed() {
		flag.CommandLine.Parse(nil)
	}
	return restore, nil
}

// Add adds a function by its name and type. It ignores a function that is not a test, and an
// example without an expected output.
func (s *Set) Add(name string, f reflect.Value, text string) {
	switch f := f.Interface().(type) {
	case func(*testing.T):
		if isTest(name, "Test") {
			s.Tests = append(s.Tests, testing.InternalTest{Name: name, F: f})
		}
	case func(*testing.B):
		if isTest(name, "Benchmark") {
			s.Benchmarks = append(s.Benchmarks, testing.InternalBenchmark{Name: name, F: f})
		}
	case func(*testing.F):
		if isTest(name, "Fuzz") {
			s.Fuzz = append(s.Fuzz, testing.InternalFuzzTarget{Name: name, Fn: f})
		}
	case func(*testing.M):
		if name == "TestMain" {
			s.Main = f
		}
	case func():
		if e, ok := example(name, text); ok {
			e.F = f
			s.Examples = append(s.Examples, e)
		}
	}
}

// Result is the result of a test.
type Result struct {
	Name   string
	Action string // "pass", "fail", "skip", or "" if the test has not ended
	Time   string // in seconds, "0.01"; the measurements of a benchmark
	Output string // the output and the log
}

// Bench reports whether it is the result of a benchmark.
func (r *Result) Bench() bool { return strings.HasPrefix(r.Name, "Benchmark") }

// unended returns the tests that began and did not end. If a subtest did not end, the list has the
// subtest instead of its test.
func unended(list []Result) []string {
	var names []string
	for i, r := range list {
		open := r.Action == ""
		for _, sub := range list[i+1:] {
			if !strings.HasPrefix(sub.Name, r.Name+"/") {
				break
			}
			open = open && sub.Action != ""
		}
		if open {
			names = append(names, r.Name)
		}
	}
	return names
}

// Names returns the names of all tests.
func (s *Set) Names() []string {
	var names []string
	for _, t := range s.Tests {
		names = append(names, t.Name)
	}
	for _, t := range s.Fuzz {
		names = append(names, t.Name)
	}
	for _, t := range s.Examples {
		names = append(names, t.Name)
	}
	for _, t := range s.Benchmarks {
		names = append(names, t.Name)
	}
	return names
}
