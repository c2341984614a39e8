package main

import (
	"context"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// counted counts the expressions that are evaluated.
type counted struct {
	evaluator.Session
	expressions int
}

func (c *counted) Expression(ctx context.Context, code string) (display.Bundle, error) {
	c.expressions++
	return c.Session.Expression(ctx, code)
}

func TestWarm(t *testing.T) {
	s, err := openSession(defaultEngine, sessionRules{}, moduleRules{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := &counted{Session: s}
	w := &warmed{Session: c}
	w.warm()
	if c.expressions == 0 {
		t.Error("a session that nobody has used was not warmed")
	}
	res, err := w.Eval(context.Background(), evaluator.Cell{Code: "x := 40\nx + 2", Number: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Value.Data["text/plain"]; got != "42" {
		t.Errorf("a cell after warming: got %v, want 42", got)
	}
	before := c.expressions
	if w.warm(); c.expressions != before {
		t.Error("a session was warmed after its first cell")
	}
}
