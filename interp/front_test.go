package interp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// brokenEngine fails in ways that the session must survive.
type brokenEngine struct{ printEngine }

func (*brokenEngine) Compile(*engine.Cell) (engine.Code, error) { panic("a fault of ours") }

func TestFaultOfTheSessionIsAnErrorOfTheCell(t *testing.T) {
	s := newSession(&brokenEngine{}, 0)
	_, err := s.Eval(context.Background(), evaluator.Cell{Code: "x := 1", Number: 1}, &record{})
	var failed *evaluator.Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Value, "a fault of ours") {
		t.Fatalf("got %v", err)
	}
	// The session's lock is free again.
	if _, err := s.Complete(context.Background(), "x", 1); err != nil {
		t.Error(err)
	}
}
