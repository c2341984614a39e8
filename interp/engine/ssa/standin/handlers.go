package standin

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Outside returns the Caller for a call from compiled code on a goroutine of its own. A panic of
// the call would end the process, unless compiled code recovers the panic.
func Outside(call *rtype.Call) machine.Caller {
	test := testOf(call)
	return func(call *rtype.Call, r *machine.Run, th *machine.Thread, v any) (leave func()) {
		switch {
		case test != nil:
			testEnded(r, th, test, v)
			if !test.Skipped() {
				return test.FailNow
			}
			return nil
		case v == nil:
			return nil // runtime.Goexit continues
		}
		switch recoveredBy(v, call) {
		case server:
			v = handlerPanicked(r, th, call, v)
		case display:
			if hook := r.M.Hooks.Recovered; hook != nil {
				hook(r.Number, engine.WhileShown, th.PanicError(v))
			}
		case cleaner:
			r.GoroutineEnded(th, v)
			return nil
		case nobody:
			r.GoroutineEnded(th, v)
			return runtime.Goexit
		}
		return func() { panic(v) }
	}
}

// A recoverer is the code that recovers a panic of interpreted code on a goroutine that compiled
// code has started.
type recoverer int

const (
	nobody recoverer = iota
	somebody
	server  // net/http: the panic ends a request
	display // package display: the value gets another representation
	cleaner // the runtime, for finalizers and cleanups: it does not recover
)

// recoveredBy returns the recoverer of a panic with the value v. The panic has unwound the frames
// that call has entered; the running goroutine still runs call. If the names below are not as
// expected, it assumes that the panic is not recovered: the goroutine ends, and the cell is
// notified.
func recoveredBy(v any, call *rtype.Call) recoverer {
	final := false
	switch v.(type) {
	case machine.StopSignal, machine.ExitSignal, machine.FatalError, engine.NoRoom:
		final = true
	}
	pcs := make([]uintptr, 256)
	fs := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		f, more := fs.Next()
		switch f.Function {
		case "runtime.runFinalizers", "runtime.runCleanups":
			return cleaner
		}
		if final {
			if !more {
				return nobody
			}
			continue
		}
		switch {
		case strings.HasPrefix(f.Function, "net/http") && (isHandler(call) || serves(f.Function)):
			return server
		case strings.HasPrefix(f.Function, "github.com/gokernel/gokernel/display."):
			return display
		}
		for _, path := range []string{"fmt.", "text/template.", "log/slog.", "iter.Pull"} {
			if strings.HasPrefix(f.Function, path) {
				return somebody
			}
		}
		if !more {
			return nobody
		}
	}
}

// isHandler reports whether a call is the call of a handler. Package net/http recovers a handler's
// panics, no matter which function of the package makes the call.
func isHandler(call *rtype.Call) bool {
	_, writer := machine.Argument[http.ResponseWriter](call)
	_, request := machine.Argument[*http.Request](call)
	return writer > 0 && request > 0
}

// serves reports whether net/http uses the function to handle a request. These functions call more
// than handlers: they also call functions that configure a server, and the methods of a writer that
// a handler wraps.
func serves(function string) bool {
	switch function {
	case "net/http.(*conn).serve", "net/http.(*http2serverConn).runHandler", "net/http/internal/http2.(*serverConn).runHandler":
		return true
	}
	return strings.HasPrefix(function, "net/http.(*timeoutHandler).")
}

// handlerPanicked reports a panic of a handler. It returns the value with which package net/http
// ends the request without printing a stack, which would be the engine's.
func handlerPanicked(r *machine.Run, th *machine.Thread, call *rtype.Call, v any) any {
	hook := r.M.Hooks.Recovered
	if hook == nil || v == any(http.ErrAbortHandler) {
		return v
	}
	p := th.PanicError(v)
	if req := requestOf(call); req != nil {
		if s, ok := req.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
			s.ErrorLog.Printf("http: panic serving %v: %v\n%s", req.RemoteAddr, p.Text, places(p.Stack))
			return http.ErrAbortHandler
		}
	}
	hook(r.Number, engine.InHandler, p)
	return http.ErrAbortHandler
}

// requestOf returns the request that was passed to a handler, or nil if the call has none.
func requestOf(call *rtype.Call) *http.Request {
	req, _ := machine.Argument[*http.Request](call)
	return req
}

// places returns the positions of the calls of a stack.
func places(stack []engine.Frame) string {
	var b strings.Builder
	for _, f := range stack {
		fmt.Fprintf(&b, "\t%s:%d\n", f.Pos.Filename, f.Pos.Line)
	}
	return b.String()
}
