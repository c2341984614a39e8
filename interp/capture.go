package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// captured records the output of a cell instead of showing it.
type captured struct {
	evaluator.Output // for Input, which asks the user
	mu               sync.Mutex
	text             strings.Builder
}

func (c *captured) Stdout(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text.WriteString(s)
}

func (c *captured) Stderr(string)                   {}
func (c *captured) Display(display.Bundle) error    { return nil }
func (c *captured) Update(display.Bundle) error     { return nil }
func (c *captured) Clear(bool) error                { return nil }
func (c *captured) Page(display.Bundle) error       { return nil }
func (c *captured) SetNextInput(string, bool) error { return nil }

func (c *captured) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// capturing is the function that ends the capture of the running cell, or nil if nothing is
// captured.
type capturing struct {
	mu  sync.Mutex
	end func() string
}

// set stores the function that ends the capture and returns the previous one.
func (c *capturing) set(end func() string) (before func() string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, c.end = c.end, end
	return before
}

// prepareCapture compiles a cell whose output becomes a string variable instead of being shown.
func (s *Session) prepareCapture(p *pipeline.Program, calls *callbacks, m *split.Magic, out evaluator.Output) *evaluator.Error {
	name := m.Args
	if name != "" && !token.IsIdentifier(name) {
		return s.compiler.Advice.Present(p.Src, []check.Error{{
			Pos: m.Pos, End: m.Pos + token.Pos(len(m.Text)), Msg: fmt.Sprintf("%%%%capture: NAME must be the name of a variable, got %q", name),
		}}, nil)
	}
	if name != "" {
		p.Cell.Decls = append(p.Cell.Decls, rewrite.StringVar(name, m.Pos))
	}
	p.Cell.Hidden = true
	run := s.runs
	around(p, calls, m, true, func() {
		c := &captured{Output: out}
		back, sink := s.outputs.lend(run, c), display.SetSink(c)
		s.capture.set(func() string {
			display.SetSink(sink)
			back()
			return c.String()
		})
	}, func() {
		end := s.capture.set(nil)
		if end == nil {
			return
		}
		if text := end(); name != "" {
			s.setText(name, text)
		}
	})
	return nil
}

// setText sets a string variable of the session.
func (s *Session) setText(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.compiler.Scope.Lookup(name); d != nil {
		if v, ok := d.Obj.(*types.Var); ok {
			if rv, err := s.compiler.Engine.Var(v); err == nil && rv.CanSet() {
				rv.SetString(text)
			}
		}
	}
}

// endCapture shows the captured output of a cell that failed.
func (s *Session) endCapture(out evaluator.Output) {
	if end := s.capture.set(nil); end != nil {
		out.Stdout(end())
	}
}
