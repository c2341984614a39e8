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

// Set is what there is to run.
type Set struct {
	Tests      []testing.InternalTest
	Benchmarks []testing.InternalBenchmark
	Fuzz       []testing.InternalFuzzTarget
	Examples   []testing.InternalExample
	Main       func(*testing.M) // TestMain; nil if there is none
	Dir        string           // where they run; "" is where the session is
}

// Empty reports whether there is nothing to run.
func (s *Set) Empty() bool {
	return len(s.Tests)+len(s.Benchmarks)+len(s.Fuzz)+len(s.Examples) == 0
}

// Flags are settings of go test by their names: "run", "bench", "count".
type Flags map[string]string

// timeout is how long the tests may take; 0 means as long as they want.
func (f Flags) timeout() (time.Duration, error) {
	if f["timeout"] == "" {
		return 0, nil
	}
	return time.ParseDuration(f["timeout"])
}

// running is held while tests run: package testing has its flags and the standard
// output for itself.
var running sync.Mutex

// Timeout says that tests have not ended in the time that they were given.
type Timeout struct {
	Limit   time.Duration
	Running []string // those that had begun and not ended
}

func (t *Timeout) Error() string {
	if len(t.Running) == 0 {
		return fmt.Sprintf("the tests have not ended after %v", t.Limit)
	}
	return fmt.Sprintf("the tests have not ended after %v: %s", t.Limit, strings.Join(t.Running, ", "))
}

// Run runs the tests and gives the ends of all, those of subtests behind their
// tests. Tests that panic fail; os.Exit in TestMain is its end. When the time of the flag
// timeout is over, late is called with what there is by then, and must end the tests: package
// testing itself would end the process.
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
	// A test that was stopped in a compiled function may never return, nor would this.
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

// leftTime is how long tests that were stopped may take to end, before others may run.
const leftTime = time.Second

// begin returns package testing its flags and its folder, and takes what it prints, until end
// is called, which unlocks running.
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
	stdout, stderr := os.Stdout, os.Stderr // package testing makes the two one
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

// enter makes a folder the working directory, as tests of a package expect theirs to be.
func enter(dir string) (back func(), err error) {
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	// Where the folder is gone meanwhile, there is nothing to go back to.
	return func() { _ = os.Chdir(before) }, err
}

// exited is the panic with which os.Exit ends interpreted code.
type exited interface{ Exited() int }

// runMain runs the tests, by TestMain if there is one.
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

// guarded lets examples that panic fail: package testing would end with the first.
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

// setFlags returns the flags of package testing their values for one run, and a function
// that gives them back what they had.
func setFlags(flags Flags) (restore func(), err error) {
	all := map[string]string{
		"v": "test2json", "run": "", "skip": "", "bench": "", "benchtime": "1s", "benchmem": "false", "count": "1", "short": "false",
		"fuzz": "", "list": "", "testlogfile": "", "failfast": "false", "shuffle": "off", "timeout": "0", "fullpath": "false",
	}
	for name, v := range flags {
		if name != "timeout" { // it is for Run
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

// Add adds a function by its name and type; what is no test is left out, and so is an
// example whose text has no output to compare.
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

// Result is how a test has ended.
type Result struct {
	Name   string
	Action string // "pass", "fail", "skip"; "" for one that has not ended
	Time   string // in seconds, "0.01"; of a benchmark what it measured
	Output string // what it has printed and logged
}

// Bench reports whether it is of a benchmark.
func (r *Result) Bench() bool { return strings.HasPrefix(r.Name, "Benchmark") }

// unended returns the tests that have begun and not ended, those with subtests by these.
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

// Names returns the names of all that there is.
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
