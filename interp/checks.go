package interp

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display/homework"
	"github.com/gokernel/gokernel/internal/far"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/mlstd/model"
)

// runChecks runs the homework checks among the values of a cell. Each call is a separate run, so
// one can be stopped without the others.
func (s *Session) runChecks(ctx context.Context, run int, vals []reflect.Value) error {
	for _, v := range vals {
		if !v.IsValid() || !v.CanInterface() {
			continue
		}
		if it, ok := v.Interface().(homework.Item); ok && !reflect.ValueOf(it).IsNil() {
			if err := it.Run(&checking{s, ctx, run}); err != nil {
				return err
			}
		}
	}
	return nil
}

// checking implements homework.Session: the session as checks see it.
type checking struct {
	session *Session
	ctx     context.Context
	run     int
}

// Call implements [homework.Session].
func (c *checking) Call(limit time.Duration, f func()) (failed string, stopped error) {
	s := c.session
	if _, ok := s.compiler.Engine.(engine.PanicCarrier); !ok {
		return "", fmt.Errorf("the engine %s cannot check functions, since their panics would be lost: choose the default engine", s.compiler.Engine.Name())
	}
	s.mu.Lock()
	code, err := s.compiler.Caller(c.run, "", f)
	s.mu.Unlock()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeoutCause(c.ctx, limit, errTooLong)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s.running.mu.Lock()
	whole := s.running.cancel
	s.running.cancel, s.running.ctx, s.running.panics = end, ctx, nil
	s.running.mu.Unlock()
	defer func() {
		s.running.mu.Lock()
		s.running.cancel, s.running.ctx, s.running.panics = whole, c.ctx, nil
		s.running.mu.Unlock()
	}()
	unwatch := s.memory.Start(end)
	err = code.Run(ctx)
	unwatch()
	if pan := s.firstGoPanic(); pan != nil {
		return panics(pan) + " in a goroutine", nil
	}
	return c.sentence(ctx, err, limit)
}

var errTooLong = errors.New("the call reached its time limit")

// sentence describes what ended a call.
func (c *checking) sentence(ctx context.Context, err error, limit time.Duration) (failed string, stopped error) {
	var (
		pan  *engine.Panic
		exit *engine.Exit
	)
	switch {
	case err == nil:
		return "", nil
	case c.ctx.Err() != nil:
		return "", err
	case errors.As(err, &exit):
		return fmt.Sprintf("ends the program with exit status %d", exit.Code), nil
	case errors.Is(context.Cause(ctx), errTooLong):
		return homework.TooLong(limit), nil
	case ctx.Err() != nil:
		return "is stopped: " + context.Cause(ctx).Error(), nil
	case errors.As(err, &pan):
		return panics(pan), nil
	}
	return "fails: " + err.Error(), nil
}

// panics describes a panic of a function and its position.
func panics(p *engine.Panic) string {
	text := "panics: " + fault.FirstLine(p.Text)
	switch e := p.Value.(type) {
	case *model.Error:
		text = "fails: " + e.Error()
	case *far.Failure:
		text = "fails: " + e.Text
	}
	if p.Overflow != "" {
		text = "calls itself without end"
	}
	if where := calls(p.Stack); where != "" {
		text += " (" + where + ")"
	}
	return text
}

// Done implements [homework.Session].
func (c *checking) Done() <-chan struct{} { return c.ctx.Done() }

// Uses implements [homework.Session].
func (c *checking) Uses(function string) map[string]bool {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	return c.session.compiler.Uses(function)
}

// calls describes the positions of a stack in cells, innermost first: "cell [2], line 3, called
// from line 8". It shortens a long stack to the first calls.
func calls(stack []engine.Frame) string {
	const most = 4
	text, told := "", 0
	var last token.Position
	for _, f := range stack {
		at := f.Pos
		if !strings.HasPrefix(at.Filename, "cell [") || at.Filename == last.Filename && at.Line == last.Line {
			continue
		}
		if told++; told > most {
			return text + ", and so on"
		}
		place := fmt.Sprintf("line %d", at.Line)
		if at.Filename != last.Filename {
			place = at.Filename + ", " + place
		}
		if text != "" {
			text += ", called from "
		}
		text += place
		last = at
	}
	return text
}
