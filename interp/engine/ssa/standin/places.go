package standin

import (
	"log"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// libraryPlaces has positions in the standard library. Stacks of a compiled program show these
// positions at places where a cell has no call to show.
type libraryPlaces struct {
	callers       site // where runtime.Callers walks the stack
	gopanic       site // where a panic calls deferred functions
	output, print site // where package log calls a writer
	stack         site // where debug.Stack walks the stack
}

// library finds these positions in this binary, because line numbers differ between versions of Go.
var library = sync.OnceValue(func() (p libraryPlaces) {
	p.callers = frameOf("runtime.Callers")
	func() {
		defer func() {
			recover()
			p.gopanic = frameOf("runtime.gopanic")
		}()
		panic(p)
	}()
	log.New(writerFunc(func() {
		p.output = frameOf("log.(*Logger).output")
		p.print = frameOf("log.(*Logger).Print")
	}), "", 0).Print("x")
	p.stack = site{function: "runtime/debug.Stack", file: filepath.Join(runtimeDir(), "debug/stack.go")}
	if _, text, ok := strings.Cut(string(debug.Stack()), "stack.go:"); ok {
		digits, _, _ := strings.Cut(text, " ")
		p.stack.line, _ = strconv.Atoi(strings.TrimSpace(digits))
	}
	return p
})

// frameOf returns the innermost position in a function on the running stack.
func frameOf(function string) site {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		f, more := frames.Next()
		if f.Function == function {
			return site{function: function, file: f.File, line: f.Line}
		}
		if !more {
			return site{function: function, file: "??"}
		}
	}
}

// writerFunc is an io.Writer that calls a function.
type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}
