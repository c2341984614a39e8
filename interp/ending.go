package interp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/advice"
	"github.com/gokernel/gokernel/interp/cellrt"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/memory"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/tests"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/mlstd/model"
)

// How cells end: this file converts the engine's errors to the errors that the user reads.

// text returns the source of a cell for an excerpt.
func (s *Session) text(filename string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.compiler.Scope.Text(filename)
}

// failure converts the error with which the engine ended a cell to the error that the user sees.
func (s *Session) failure(ctx context.Context, p *pipeline.Program, err error) *evaluator.Error {
	var (
		pan  *engine.Panic
		exit *engine.Exit
	)
	switch {
	case errors.As(err, &pan):
		if f, ok := pan.Value.(*cellrt.Failure); ok && ctx.Err() != nil && slices.Contains(f.Chain, ctx.Err()) {
			return s.stopped(context.Cause(ctx), &engine.Stopped{Cause: f.Err, Stack: pan.Stack})
		}
		return s.panicked(p, pan)
	case errors.As(err, &exit):
		return fault.Stopped("exit", fmt.Sprintf("the cell ended the program with exit status %d", exit.Code), exit.Stack, s.text,
			"the session continues and the variables are kept")
	case ctx.Err() != nil:
		return s.stopped(context.Cause(ctx), err)
	}
	return fault.Plain("error", err.Error())
}

// stopped describes the end of a stopped cell: the cause, and what the cell was doing.
func (s *Session) stopped(cause, err error) *evaluator.Error {
	var (
		stack []engine.Frame
		end   *engine.Stopped
		much  *memory.LimitError
		deep  memory.StackError
		late  *tests.Timeout
	)
	if errors.As(err, &end) {
		stack = own(end.Stack)
	}
	switch {
	case errors.As(cause, &much):
		return fault.Stopped("out of memory", much.Error(), stack, s.text, "the variables are kept; set large variables to nil to free their memory")
	case errors.As(cause, &deep):
		return fault.Stopped("stack overflow", deep.Error(), stack, s.text, "the variables are kept")
	case errors.As(cause, &late):
		return fault.Stopped("timeout", late.Error(), stack, s.text)
	case errors.Is(cause, context.DeadlineExceeded):
		return fault.Stopped("timeout", "the cell reached its time limit", stack, s.text)
	}
	return fault.Stopped("interrupted", "the cell was stopped", stack, s.text, "variables keep the values that the cell had set by then")
}

// own returns a stack without the frames that rewriting added at the top.
func own(stack []engine.Frame) []engine.Frame {
	if len(stack) > 1 && rewrite.IsMust(stack[0].Func) {
		return stack[1:]
	}
	return stack
}

// panicked distinguishes the panics of rewritten cells from the panics of the user's code.
func (s *Session) panicked(p *pipeline.Program, pan *engine.Panic) *evaluator.Error {
	switch v := pan.Value.(type) {
	case *cellrt.Failure:
		pan.Stack = own(pan.Stack)
		if pan.Fatal { // its text is not available
			break
		}
		for _, err := range v.Chain {
			if _, misuse := err.(*model.Error); misuse {
				return fault.Misuse(pan.Text, pan.Stack, s.text)
			}
		}
		return fault.Failed(pan.Text, pan.Stack, s.text)
	case *model.Error:
		return fault.Misuse(v.Error(), pan.Stack, s.text)
	case engine.NoRoom:
		return s.stopped(v.Err, &engine.Stopped{Cause: v.Err, Stack: pan.Stack})
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
			// As in a Go program, all other goroutines of the cell stop too.
			cancel(&goPanicked{p})
		}
	}
	s.running.mu.Unlock()
	if current {
		return
	}
	// The cell has ended, so the session can only show the text of the error.
	s.tell(cell, inGoroutine, p)
}

// inGoroutine describes a panic outside the cell's own statements.
const inGoroutine = "in a goroutine"

// tell shows a panic that does not fail its cell.
func (s *Session) tell(cell int, where string, p *engine.Panic) {
	text := strings.Join(fault.Panic(p, where, s.text).Traceback, "\n") + "\n"
	if where == engine.WhileShown && !s.newlyTold(text) {
		return // a method is called for each form of the value
	}
	if out := s.outputs.of(cell); out != nil {
		out.Stderr(text)
	}
}

// newlyTold reports whether the running cell has not yet reported this text.
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

// shapeError describes an operation on vectors or matrices whose shapes don't match.
func (s *Session) shapeError(e *cellrt.ShapeError, pan *engine.Panic) *evaluator.Error {
	s.mu.Lock()
	site, ok := s.compiler.Sites[e.Site]
	s.mu.Unlock()
	if !ok {
		return fault.Panic(pan, "", s.text)
	}
	msg := fmt.Sprintf("%s is %s, %s is %s: %s", site.Left, e.Left, site.Right, e.Right, e.Why)
	d := fault.Diagnostic{Pos: s.compiler.Fset.Position(site.Pos), Len: advice.SpanLen(s.compiler.Fset, site.Pos, site.End)}
	switch {
	case strings.Contains(e.Why, "lengths do not match"):
		d.Hint = "give both the same length"
	case strings.Contains(e.Why, "columns do not fit"):
		d.Hint = "A * B needs as many columns in A as rows in B; A.T() exchanges rows and columns"
	}
	return fault.At("shapes do not fit", msg, d, pan.Stack, s.text)
}
