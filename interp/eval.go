package interp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/ask"
	"github.com/gokernel/gokernel/interp/cellrt"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/value"
	"github.com/gokernel/gokernel/mlstd/model"
)

// running is the cell that runs.
type running struct {
	mu     sync.Mutex
	cell   int // its run
	ctx    context.Context
	cancel context.CancelCauseFunc
	// panics of the cell's goroutines while it runs.
	panics []*engine.Panic
	told   string // what the user was told last of a value that panicked
}

// Eval runs one cell. The error is an *Error when the cell fails: it did not
// compile, and then changed nothing, or it panicked, was stopped or ended the
// program, and then what it had declared by then is kept.
func (s *Session) Eval(ctx context.Context, cell Cell, out Output) (Result, error) {
	s.runs++
	s.outputs.set(s.runs, out)
	if s.notice != "" {
		out.Stderr(s.notice + "\n")
		s.notice = ""
	}
	return s.eval(ctx, &source{name: cellName(cell.Number), number: cell.Number, run: s.runs, text: cell.Code}, cell, out)
}

func (s *Session) eval(ctx context.Context, src *source, cell Cell, out Output) (Result, error) {
	ctx, stop := s.begin(ctx, src.run, cell, out)
	defer stop()

	s.mu.Lock()
	p, failed := s.compileSafely(src, func(p *program) *Error { return s.prepareMagics(ctx, p, out) })
	s.mu.Unlock()
	if failed != nil {
		return Result{}, failed
	}
	defer p.forget()
	for _, note := range p.notes {
		out.Stderr(note + "\n")
	}
	if p.cell.Whole != nil {
		return s.wholeMagic(ctx, p, cell, out)
	}
	if failed := s.run(ctx, p); failed != nil {
		return Result{}, failed
	}
	if len(p.unit.Results) == 0 {
		return Result{}, nil
	}
	defer s.release(p)
	if cell.Silent {
		return Result{}, nil
	}
	b, err := s.result(p)
	if err != nil {
		if n := len(p.cell.Stmts); n > 0 {
			d := fault.Diagnostic{Pos: s.position(p.cell.Stmts[n-1].Pos())}
			return Result{}, fault.At("error", err.Error(), d, nil, s.text)
		}
		return Result{}, fault.Plain("error", err.Error())
	}
	return Result{Value: b}, nil
}

// compileSafely is compile for cells that find a fault of the session itself:
// it is an error of the cell, and not the end of all variables.
func (s *Session) compileSafely(src *source, magics func(p *program) *Error) (p *program, failed *Error) {
	defer func() {
		if r := recover(); r != nil {
			failed = fault.Plain("internal error", fmt.Sprintf("the session failed on this cell before it ran: %v", r),
				"  this is a fault of gokernel; the variables are kept")
		}
	}()
	return s.compile(src, magics)
}

// begin makes the cell the running one: fits of the course library look at its
// context, and what it shows goes to out.
func (s *Session) begin(ctx context.Context, run int, cell Cell, out Output) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.running.mu.Lock()
	s.running.cell, s.running.ctx, s.running.cancel, s.running.panics = run, ctx, cancel, nil
	s.running.told = ""
	s.running.mu.Unlock()
	previous := display.SetSink(out)
	if cell.AllowStdin {
		ask.SetHandler(func(prompt string, password bool) (string, error) { return input(ctx, out, prompt, password) })
	}
	progress := &fitProgress{}
	model.SetAmbient(&model.Ambient{
		Context: func() context.Context { return ctx },
		OnStep:  progress.step,
		Done:    progress.done,
	})
	return ctx, func() {
		cancel(nil) // first: a goroutine may wait for input, which nobody else may read then
		ask.SetHandler(nil)
		model.SetAmbient(nil)
		progress.end()
		display.SetSink(previous)
	}
}

// interruptDelay is how long the interrupt of a cell may come behind that of its
// input, which goes another way.
const interruptDelay = time.Second

// input asks the user. When the question was withdrawn, the cell is about to be
// stopped: it does not go on before.
func input(ctx context.Context, out Output, prompt string, password bool) (string, error) {
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
func (s *Session) run(ctx context.Context, p *program) *Error {
	if p.code == nil {
		return nil
	}
	unwatch := s.watchMemory()
	err := p.code.Run(ctx)
	unwatch()
	if pan := s.firstGoPanic(); pan != nil {
		return fault.Panic(pan, inGoroutine, s.text)
	}
	if err == nil {
		return nil
	}
	s.mu.Lock()
	s.unreach(p)
	s.mu.Unlock()
	return s.failure(ctx, p, err)
}

// text gives the source of a cell for an excerpt.
func (s *Session) text(filename string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scope.text(filename)
}

// failure presents the error with which the engine ended a cell.
func (s *Session) failure(ctx context.Context, p *program, err error) *Error {
	var (
		pan  *engine.Panic
		exit *engine.Exit
	)
	switch {
	case errors.As(err, &pan):
		if f, ok := pan.Value.(*cellrt.Failure); ok && ctx.Err() != nil && errors.Is(f.Err, ctx.Err()) {
			return s.stopped(context.Cause(ctx), &engine.Stopped{Cause: f.Err, Stack: pan.Stack})
		}
		return s.panicked(p, pan)
	case errors.As(err, &exit):
		return fault.Stopped("exit", fmt.Sprintf("the cell ended the program with exit status %d", exit.Code), exit.Stack, s.text,
			"the session goes on and the variables are kept")
	case ctx.Err() != nil:
		return s.stopped(context.Cause(ctx), err)
	}
	return fault.Plain("error", err.Error())
}

// stopped presents the end of a cell that was told to stop: for what, and what it
// was doing.
func (s *Session) stopped(cause, err error) *Error {
	var (
		stack  []engine.Frame
		end    *engine.Stopped
		memory *MemoryError
		deep   StackError
	)
	if errors.As(err, &end) {
		stack = own(end.Stack)
	}
	switch {
	case errors.As(cause, &memory):
		return fault.Stopped("out of memory", memory.Error(), stack, s.text, "the variables are kept; set those that are large to nil to free them")
	case errors.As(cause, &deep):
		return fault.Stopped("stack overflow", deep.Error(), stack, s.text, "the variables are kept")
	case errors.Is(cause, context.DeadlineExceeded):
		return fault.Stopped("timeout", "the cell took longer than it was given", stack, s.text)
	}
	return fault.Stopped("interrupted", "the cell was stopped", stack, s.text, "what it had set by then is kept")
}

// own gives a stack without what rewriting has put on top of it.
func own(stack []engine.Frame) []engine.Frame {
	if len(stack) > 1 && rewrite.IsMust(stack[0].Func) {
		return stack[1:]
	}
	return stack
}

// panicked tells the panics that rewritten cells raise from the user's own.
func (s *Session) panicked(p *program, pan *engine.Panic) *Error {
	switch v := pan.Value.(type) {
	case *cellrt.Failure:
		pan.Stack = own(pan.Stack)
		var misuse *model.Error
		if errors.As(v.Err, &misuse) {
			return fault.Misuse(v.Err, pan.Stack, s.text)
		}
		return fault.Failed(v.Err, pan.Stack, s.text)
	case *model.Error:
		return fault.Misuse(v, pan.Stack, s.text)
	case *cellrt.ShapeError:
		return s.shapeError(v, pan)
	}
	return fault.Panic(pan, "", s.text)
}

func (s *Session) goPanic(cell int, p *engine.Panic) {
	s.running.mu.Lock()
	current := s.running.cell == cell && s.running.ctx != nil && s.running.ctx.Err() == nil
	if current {
		s.running.panics = append(s.running.panics, p)
		if cancel := s.running.cancel; cancel != nil {
			// As in a Go program, the rest stops too.
			cancel(&goPanicked{p})
		}
	}
	s.running.mu.Unlock()
	if current {
		return
	}
	// The cell has ended: the text of the error is all that can be shown.
	s.tell(cell, inGoroutine, p)
}

// inGoroutine says of a panic that it was not in the cell's own statements.
const inGoroutine = "in a goroutine"

// tell shows a panic of a cell that it does not fail.
func (s *Session) tell(cell int, where string, p *engine.Panic) {
	text := strings.Join(fault.Panic(p, where, s.text).Traceback, "\n") + "\n"
	if where == engine.WhileShown && !s.newlyTold(text) {
		return // a method is called for each form of the value
	}
	if out := s.outputs.of(cell); out != nil {
		out.Stderr(text)
	}
}

// newlyTold says whether the running cell has not been told this yet.
func (s *Session) newlyTold(text string) bool {
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	told := s.running.told
	s.running.told = text
	return told != text
}

// goPanicked is the cause with which a goroutine's panic stops its cell.
type goPanicked struct{ p *engine.Panic }

func (g *goPanicked) Error() string { return g.p.Error() }

func (s *Session) firstGoPanic() *engine.Panic {
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	if len(s.running.panics) == 0 {
		return nil
	}
	return s.running.panics[0]
}

// unreach takes back the definitions that a failed cell did not come to: their
// names stand for what they stood for before.
func (s *Session) unreach(p *program) {
	v, err := s.variable(p, rewrite.ReachedName)
	if err != nil {
		return // it has no definitions
	}
	reached := int(v.Int())
	for name, n := range p.unit.Definitions() {
		if n <= reached {
			continue
		}
		s.restore(p, name)
	}
}

// restore lets a name stand for what it stood for before the cell.
func (s *Session) restore(p *program, name string) {
	now, old := s.scope.names[name], p.old[name]
	if now == nil {
		return
	}
	if old != nil && replaces(old.obj, now.obj) {
		return // it has had the old value since the start
	}
	s.scope.drop(now)
	delete(s.scope.names, name)
	if old != nil {
		s.scope.names[name] = old
		s.scope.track(old)
	}
}

// result shows the value of the cell.
func (s *Session) result(p *program) (*display.Bundle, error) {
	var vals []reflect.Value
	for _, name := range p.unit.Results {
		v, err := s.variable(p, name)
		if err != nil {
			return nil, err
		}
		vals = append(vals, v)
	}
	return value.Of(vals)
}

// release lets go of the value of the cell, which nothing else may hold.
func (s *Session) release(p *program) {
	for _, name := range p.unit.Results {
		if v, err := s.variable(p, name); err == nil {
			v.SetZero()
		}
	}
}
