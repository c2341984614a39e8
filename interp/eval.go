package interp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/widget"
	"github.com/gokernel/gokernel/interp/ask"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/value"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/mlstd/model"
)

// running is the cell that runs.
type running struct {
	mu     sync.Mutex
	busy   bool
	cell   int // the number of its run
	number int // number in the notebook
	ctx    context.Context
	cancel context.CancelCauseFunc
	// panics of the cell's goroutines while it runs.
	panics []*engine.Panic
	told   string // the last message about a value that panicked
}

// Eval runs one cell. If the cell fails, the error is an *evaluator.Error. A cell that does not
// compile changes nothing. If the cell panics, is stopped or ends the program, the session keeps
// what the cell had declared by then.
func (s *Session) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	defer s.take()()
	defer s.checkpointLater(cell.Number)
	s.runs++
	s.outputs.set(s.runs, out)
	if s.notice != "" {
		out.Stderr(s.notice + "\n")
		s.notice = ""
	}
	s.debugger.Begin(pipeline.CellName(cell.Number), cell.Code)
	defer s.keep()
	res, err := s.eval(ctx, &scope.Source{Name: pipeline.CellName(cell.Number), Number: cell.Number, Run: s.runs, Text: cell.Code, Trusted: cell.Trusted}, cell, out)
	if err == nil && !cell.Silent {
		s.remember(cell)
	}
	return res, err
}

// eval runs the stages of a cell.
func (s *Session) eval(ctx context.Context, src *scope.Source, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	ctx, end := s.begin(ctx, src.Run, cell, out)
	defer end()
	// A profile is also useful for a stopped cell.
	defer func() { _ = s.endProfile(out) }()
	defer s.endCapture(out)
	var calls callbacks
	defer calls.forget()
	p, failed := s.compile(ctx, src, &calls, out)
	if failed == nil && p.Cell.Whole != nil {
		var text string
		if text, failed = s.magicGo(p, out); text != "" {
			short := *src
			short.Text = text
			p, failed = s.compile(ctx, &short, &calls, out)
		}
	}
	if failed != nil {
		return evaluator.Result{}, failed
	}
	for _, note := range slices.Concat(p.Notes, p.Warnings) {
		out.Stderr(note + "\n")
	}
	if p.Cell.Whole != nil {
		return s.wholeMagic(ctx, p, out)
	}
	if failed := s.run(ctx, p); failed != nil {
		return evaluator.Result{}, failed
	}
	return s.show(ctx, p, cell.Silent)
}

// compile runs the stages from the text of the cell to the engine. If the cell triggers a bug in
// the session itself, compile returns an error of the cell, so that no variables are lost.
func (s *Session) compile(ctx context.Context, src *scope.Source, calls *callbacks, out evaluator.Output) (p *pipeline.Program, failed *evaluator.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			failed = fault.Plain("internal error", fmt.Sprintf("the session failed before it ran this cell: %v", r),
				"  this is a bug in gokernel; the variables are kept")
		}
	}()
	s.compiler.Prepare = nil
	if !s.compiler.Graded { // homework may import the packages compiled into the kernel
		s.compiler.Prepare = s.preparer(ctx, out)
	}
	defer func() {
		if failed != nil && ctx.Err() != nil {
			failed = s.stopped(context.Cause(ctx), ctx.Err())
		}
	}()
	p, failed = s.compiler.Compile(src, func(p *pipeline.Program) *evaluator.Error { return s.prepareMagics(ctx, p, calls, out) })
	if failed == nil {
		s.reset(p)
	}
	return p, failed
}

// begin makes the cell the running one: fits of the course library poll its context, and its output
// goes to out.
func (s *Session) begin(ctx context.Context, run int, cell evaluator.Cell, out evaluator.Output) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.running.mu.Lock()
	s.running.cell, s.running.ctx, s.running.cancel, s.running.panics = run, ctx, cancel, nil
	s.running.told, s.running.busy, s.running.number = "", true, cell.Number
	s.running.mu.Unlock()
	previous := display.SetSink(out)
	if cell.AllowStdin {
		var dialogs ask.Dialogs
		if cell.Dialogs {
			dialogs = widget.Dialog{Context: ctx}
		}
		ask.SetHandler(func(prompt string, password bool) (string, error) { return input(ctx, out, prompt, password) }, dialogs)
	}
	progress := &fitProgress{}
	model.SetAmbient(&model.Ambient{
		Context: func() context.Context { return ctx },
		OnStep:  progress.step,
		Done:    progress.done,
		Password: func(prompt string) (typed string, asked bool, err error) {
			if typed, err = ask.Password(prompt); errors.Is(err, ask.ErrNobody) {
				return "", false, nil
			}
			return typed, true, err
		},
	})
	return ctx, func() {
		cancel(nil) // first: a goroutine may be waiting for input
		ask.SetHandler(nil, nil)
		model.SetAmbient(nil)
		progress.end()
		display.SetSink(previous)
		s.running.mu.Lock()
		s.running.busy = false
		s.running.mu.Unlock()
	}
}

// interruptDelay is the maximum delay between the interrupt of a cell's input and the interrupt of
// the cell itself, which takes another path.
const interruptDelay = time.Second

// input asks the user. If the frontend withdraws the question, the cell is about to be stopped, and
// input does not return before that.
func input(ctx context.Context, out evaluator.Output, prompt string, password bool) (string, error) {
	line, err := out.Input(ctx, prompt, password)
	if errors.Is(err, context.Canceled) {
		select {
		case <-ctx.Done():
		case <-time.After(interruptDelay):
		}
	}
	return line, err
}

// run runs a compiled cell to its end.
func (s *Session) run(ctx context.Context, p *pipeline.Program) *evaluator.Error {
	failed := s.watched(ctx, p, p.Run)
	if failed != nil && s.firstGoPanic() == nil {
		s.mu.Lock()
		s.compiler.Unreach(p)
		s.mu.Unlock()
	}
	return failed
}

// watched runs a function that calls code of the cell, and describes what ends it.
func (s *Session) watched(ctx context.Context, p *pipeline.Program, run func(context.Context) error) *evaluator.Error {
	unwatch := s.memory.Start(s.running.cancel)
	err := run(ctx)
	unwatch()
	if pan := s.firstGoPanic(); pan != nil {
		return fault.Panic(pan, inGoroutine, s.text)
	}
	if err == nil {
		return nil
	}
	return s.failure(ctx, p, err)
}

// call runs f on the engine as it runs a cell. The function f is compiled, and calls code of the
// cell. An interrupt, an exit, a panic or excessive memory use ends it.
func (s *Session) call(ctx context.Context, p *pipeline.Program, f func()) *evaluator.Error {
	s.mu.Lock()
	code, err := s.compiler.Caller(p.Src.Run, engine.WhileShown, f)
	s.mu.Unlock()
	if err != nil {
		return fault.Plain("error", err.Error())
	}
	return s.watched(ctx, p, code.Run)
}

// show returns what Out[n] shows for the values of the cell's last expression, and releases the
// values. It may call methods of cells, such as String, Error, Format, Display and MarshalJSON.
func (s *Session) show(ctx context.Context, p *pipeline.Program, silent bool) (evaluator.Result, error) {
	if !p.HasValue() {
		return evaluator.Result{}, nil
	}
	defer s.compiler.Release(p)
	if silent {
		return evaluator.Result{}, nil
	}
	vals, err := s.compiler.Values(p)
	if err != nil {
		return evaluator.Result{}, fault.Plain("error", err.Error())
	}
	if err := s.runChecks(ctx, p.Src.Run, vals); err != nil {
		return evaluator.Result{}, s.failure(ctx, p, err)
	}
	var (
		b   *display.Bundle
		end = errors.New("the value cannot be shown: its goroutine called runtime.Goexit")
	)
	if failed := s.call(ctx, p, func() {
		b, end = value.Of(vals)
		if end != nil {
			end = errors.New(end.Error()) // its method may be declared in the cell
		}
	}); failed != nil {
		return evaluator.Result{}, failed
	}
	if end != nil {
		return evaluator.Result{}, fault.At("error", end.Error(), fault.Diagnostic{Pos: s.compiler.LastLine(p)}, nil, s.text)
	}
	return evaluator.Result{Value: b}, nil
}
