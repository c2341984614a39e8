package main

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// warmDelay is how long a session waits for a first cell before it prepares for one: a program that
// runs a notebook sends the first cell at once, but a person doesn't.
const warmDelay = 200 * time.Millisecond

// warmed is a session that, while it is idle, does the work that the first cell would have to wait
// for.
type warmed struct {
	evaluator.Session

	turn    sync.Mutex // held while the session evaluates
	used    bool       // a cell has arrived
	release giver
}

// Eval implements evaluator.Session.
func (w *warmed) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	w.used = true
	defer w.release.soon(w.idle)
	return w.Session.Eval(ctx, cell, out)
}

// idle reports whether the session evaluates nothing.
func (w *warmed) idle() bool {
	free := w.turn.TryLock()
	if free {
		w.turn.Unlock()
	}
	return free
}

// Expression implements evaluator.Session.
func (w *warmed) Expression(ctx context.Context, code string) (display.Bundle, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.Session.Expression(ctx, code)
}

var _ evaluator.Widgets = (*warmed)(nil)

// Comm implements evaluator.Widgets.
func (w *warmed) Comm(ctx context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	s, ok := w.Session.(evaluator.Widgets)
	if !ok {
		return evaluator.CommReply{}, nil
	}
	return s.Comm(ctx, m)
}

// Callbacks implements evaluator.Widgets.
func (w *warmed) Callbacks(ctx context.Context, out evaluator.Output) error {
	s, ok := w.Session.(evaluator.Widgets)
	if !ok {
		return nil
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	return s.Callbacks(ctx, out)
}

var _ evaluator.Debugger = (*warmed)(nil)

// Debug implements evaluator.Debugger.
func (w *warmed) Debug(ctx context.Context, request json.RawMessage) (json.RawMessage, error) {
	s, ok := w.Session.(evaluator.Debugger)
	if !ok {
		return nil, errors.New("this session has no debugger")
	}
	return s.Debug(ctx, request)
}

// DebugEvents implements evaluator.Debugger.
func (w *warmed) DebugEvents(take func(event json.RawMessage)) {
	if s, ok := w.Session.(evaluator.Debugger); ok {
		s.DebugEvents(take)
	}
}

var _ evaluator.JIT = (*warmed)(nil)

// CompiledCode implements evaluator.JIT.
func (w *warmed) CompiledCode(take func(evaluator.MachineCode)) {
	if s, ok := w.Session.(evaluator.JIT); ok {
		s.CompiledCode(take)
	}
}

// warm reads the declarations of the packages that most cells use, and releases the memory that
// this work and the start of the process no longer need.
func (w *warmed) warm() {
	w.turn.Lock()
	defer w.turn.Unlock()
	if w.used {
		return
	}
	ctx := context.Background()
	const member = "ml."
	// If this fails, it fails again when a cell needs the result, and the cell shows the error.
	_, _ = w.Session.Expression(ctx, "fmt.Sprint(1)")
	_, _ = w.Session.Complete(ctx, member, len(member))
	debug.FreeOSMemory()
	releaseProgram()
}
