package standin

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"github.com/gokernel/gokernel/interp/engine/testdeps"
)

// Package testing ends the process after the last test, and if a test panics or ends its goroutine.
// In a cell, a test that panics or ends its goroutine fails, and the other tests continue. After
// the last test, the cell ends.

// testingOverrides returns the functions that run tests.
func testingOverrides() map[string]any {
	return map[string]any{
		"testing.Main": func(match func(pat, str string) (bool, error), tests []testing.InternalTest, benchmarks []testing.InternalBenchmark, examples []testing.InternalExample) {
			exit(runTests(match, tests, benchmarks, examples))
		},
		"testing.RunTests": func(match func(pat, str string) (bool, error), tests []testing.InternalTest) bool {
			return runTests(match, tests, nil, nil) == 0
		},
	}
}

// runTests runs tests, and returns the status with which a program of these tests would exit.
func runTests(match func(pat, str string) (bool, error), tests []testing.InternalTest, benchmarks []testing.InternalBenchmark, examples []testing.InternalExample) int {
	return testdeps.Start(match, tests, benchmarks, nil, examples).Run()
}

// testEnded reports to a test that its function has ended: by a panic with the value v, or by
// runtime.Goexit if v is nil.
func testEnded(r *machine.Run, th *machine.Thread, t testing.TB, v any) {
	switch v := v.(type) {
	case nil:
		if !t.Failed() && !t.Skipped() {
			fmt.Fprintln(t.Output(), "the test has called runtime.Goexit")
		}
	case machine.StopSignal:
	case machine.ExitSignal:
		r.GoroutineEnded(th, v)
	default:
		if _, ok := t.(*testing.B); ok { // whose log may not be shown
			r.GoroutineEnded(th, v)
			return
		}
		p := th.PanicError(v)
		fmt.Fprintf(t.Output(), "%v\n%s", p, places(p.Stack[:min(len(p.Stack), 10)]))
	}
}

// testOf returns the test, benchmark or fuzz target with which package testing has called a
// function, or nil if there is none. The function that a fuzz target runs has more parameters.
func testOf(call *rtype.Call) testing.TB {
	if t, of := machine.Argument[*testing.T](call); of >= 1 && calledBy("testing.tRunner") {
		return t
	}
	if f, of := machine.Argument[*testing.F](call); of == 1 && calledBy("testing.fRunner") {
		return f
	}
	if b, of := machine.Argument[*testing.B](call); of == 1 && calledBy("testing.(*B).runN") {
		return b
	}
	return nil
}

// calledBy reports whether a call of the named function is among the innermost 32 calls on the
// stack.
func calledBy(name string) bool {
	pcs := make([]uintptr, 32)
	fs := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		f, more := fs.Next()
		if f.Function == name {
			return true
		}
		if !more {
			return false
		}
	}
}

// logMethods returns replacements of the methods by which tests log. The original methods find
// their position on the stack of compiled code; the replacements use the position in the cell. For
// a call through an interface, the method's name contains the dynamic type.
func (s *Set) logMethods() map[string]reflect.Value {
	embedded, ok := reflect.TypeFor[testing.T]().FieldByName("common")
	if !ok {
		return nil
	}
	var helpers sync.Map
	all := map[string]reflect.Value{}
	for _, t := range []reflect.Type{embedded.Type, reflect.TypeFor[testing.T](), reflect.TypeFor[testing.B](), reflect.TypeFor[testing.F]()} {
		for name, then := range map[string]string{
			"Helper": "", "Log": "", "Logf": "", "Error": "Fail", "Errorf": "Fail", "Fatal": "FailNow", "Fatalf": "FailNow", "Skip": "SkipNow", "Skipf": "SkipNow",
		} {
			if m, ok := reflect.PointerTo(t).MethodByName(name); ok {
				all["(*testing."+t.Name()+")."+name] = s.logMethod(m, then, &helpers)
			}
		}
	}
	return all
}

// logMethod returns a replacement of a logging method. then is the method's action after logging.
func (s *Set) logMethod(m reflect.Method, then string, helpers *sync.Map) reflect.Value {
	return reflect.MakeFunc(m.Func.Type(), func(args []reflect.Value) []reflect.Value {
		var stack []engine.Frame
		if th := s.m.Thread(); th != nil {
			stack = machine.Frames(th.Trace())
		}
		if m.Name == "Helper" {
			if len(stack) > 0 {
				helpers.Store(stack[0].Func, true)
			}
			return nil
		}
		var text string
		if v := args[len(args)-1].Interface().([]any); strings.HasSuffix(m.Name, "f") {
			text = fmt.Sprintf(args[1].String(), v...)
		} else {
			text = fmt.Sprintln(v...)
		}
		for len(stack) > 1 {
			if _, ok := helpers.Load(stack[0].Func); !ok {
				break
			}
			stack = stack[1:]
		}
		if len(stack) > 0 {
			text = fmt.Sprintf("%s:%d: %s", stack[0].Pos.Filename, stack[0].Pos.Line, text)
		}
		logTest(s.m, args[0], strings.TrimSuffix(text, "\n")+"\n")
		if then != "" {
			args[0].MethodByName(then).Call(nil)
		}
		return nil
	})
}

// logTest writes to the log of a test. If a test is not run by package testing, it has no log, and
// its messages are shown.
func logTest(m *machine.Machine, test reflect.Value, text string) {
	out, ok := test.MethodByName("Output").Call(nil)[0].Interface().(io.Writer)
	if v := reflect.ValueOf(out); !ok || v.Kind() == reflect.Pointer && v.IsNil() {
		m.Current().Stdout([]byte(text))
		return
	}
	io.WriteString(out, text)
}
