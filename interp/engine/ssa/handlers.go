//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// What recovers a panic of interpreted code on a goroutine that compiled code has
// started.
type recoverer int

const (
	nobody recoverer = iota
	somebody
	server  // net/http: the panic ends a request
	display // of a value, which is shown in another way
	tester  // package testing: the panic fails a test
	cleaner // the runtime, which calls finalizers and cleanups: nobody, but others are to come
)

// recoveredBy says to what a panic with the value v will come on the running
// goroutine.
func recoveredBy(v any) recoverer {
	final := false
	switch v.(type) {
	case stopSignal, exitSignal, fatalError:
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
		switch f.Function {
		case "net/http.(*conn).serve", "net/http.(*http2serverConn).runHandler":
			return server
		}
		switch {
		case strings.HasPrefix(f.Function, "net/http.(*timeoutHandler)."):
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

// handlerPanicked tells of a panic of a handler. It gives the value with which
// package net/http ends the request and does not write down a stack, which would
// be the engine's.
func (r *cellRun) handlerPanicked(th *thread, call *rtype.Call, v any) any {
	hook := r.engine.cfg.Hooks.Recovered
	if hook == nil || v == any(http.ErrAbortHandler) {
		return v
	}
	p := th.panicError(v)
	if req := requestOf(call); req != nil {
		if s, ok := req.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
			s.ErrorLog.Printf("http: panic serving %v: %v\n%s", req.RemoteAddr, p.Text, places(p.Stack))
			return http.ErrAbortHandler
		}
	}
	hook(r.number(), engine.InHandler, p)
	return http.ErrAbortHandler
}

// requestOf gives the request that a handler was called with; nil if the call has
// none.
func requestOf(call *rtype.Call) *http.Request {
	f := (*function)(call.Func())
	for i, p := range f.sig.params {
		if p.typ.Reflect() == reflect.TypeFor[*http.Request]() {
			var req *http.Request
			call.Arg(i, unsafe.Pointer(&req))
			return req
		}
	}
	return nil
}

// places writes where the calls of a stack are.
func places(stack []engine.Frame) string {
	var b strings.Builder
	for _, f := range stack {
		fmt.Fprintf(&b, "\t%s:%d\n", f.Pos.Filename, f.Pos.Line)
	}
	return b.String()
}
