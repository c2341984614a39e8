package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// stderr records what a cell writes to its error stream, and ignores the rest.
type stderr struct {
	evaluator.Output
	text string
}

func (s *stderr) Stderr(text string) { s.text += text }

// TestPortableEngineTakesOver opens a session as on a platform that the default engine does not
// support.
func TestPortableEngineTakesOver(t *testing.T) {
	opt := options(defaultEngine)
	opt.Engine = func(engine.Hooks, *symbols.Importer) (engine.Engine, error) {
		return nil, errors.New("no such platform")
	}
	s, err := interp.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out := &stderr{}
	res, err := s.Eval(context.Background(), evaluator.Cell{Code: "6 * 7", Number: 1}, out)
	if err != nil || res.Value == nil || res.Value.Data["text/plain"] != "42" {
		t.Errorf("got %+v, %v, want 42", res, err)
	}
	if got := out.text; !strings.Contains(got, "engine yaegi") || !strings.Contains(got, "no such platform") {
		t.Errorf("the first cell says %q, want the engine and the reason", got)
	}
	if opt := options("yaegi"); opt.Fallback != nil {
		t.Error("an engine that was asked for has a substitute")
	}
}
