package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/gokernel/gokernel/kernel/msg"
)

// openSession opens a session on the engine, in the evaluator process.
func openSession(engine string) (worker.Session, error) {
	if err := checkEngine(engine); err != nil {
		return nil, err
	}
	s, err := interp.New(options(engine))
	if err != nil {
		return nil, err
	}
	return session{s}, nil
}

// options are those of a session on the engine. Where the default engine cannot
// run, the portable one takes its place, and the first cell says so.
func options(engine string) interp.Options {
	opt := interp.Options{Engine: engines.ByName[engine]}
	if engine == defaultEngine {
		opt.Fallback = engines.Yaegi
	}
	return opt
}

func checkEngine(name string) error {
	if engines.ByName[name] == nil {
		return fmt.Errorf("there is no engine %q: choose one of %s", name, engineNames())
	}
	return nil
}

func engineNames() string {
	return strings.Join(slices.Sorted(maps.Keys(engines.ByName)), ", ")
}

// session gives a notebook session the shape that the worker wants.
type session struct{ *interp.Session }

func (s session) Eval(ctx context.Context, cell worker.Cell, out worker.Output) (worker.Result, error) {
	res, err := s.Session.Eval(ctx, interp.Cell(cell), jsonOutput{out})
	if err == nil && res.Value != nil {
		var b display.Bundle
		b, err = asJSON(*res.Value)
		res.Value = &b
	}
	return worker.Result(res), cellError(err)
}

// jsonOutput encodes what is JSON as messages hold it before it leaves for the
// kernel process: NaN and infinities, which JSON has no form for, are null.
type jsonOutput struct{ worker.Output }

// Display implements display.Sink.
func (o jsonOutput) Display(b display.Bundle) error { return encoded(b, o.Output.Display) }

// Update implements display.Sink.
func (o jsonOutput) Update(b display.Bundle) error { return encoded(b, o.Output.Update) }

// Page implements display.Sink.
func (o jsonOutput) Page(b display.Bundle) error { return encoded(b, o.Output.Page) }

func encoded(b display.Bundle, show func(display.Bundle) error) error {
	b, err := asJSON(b)
	if err != nil {
		return err
	}
	return show(b)
}

// asJSON returns b with its values that are neither texts nor bytes encoded.
func asJSON(b display.Bundle) (display.Bundle, error) {
	cloned := false
	for mime, v := range b.Data {
		switch v.(type) {
		case string, []byte, json.RawMessage:
			continue
		}
		raw, err := msg.Marshal(v)
		if err != nil {
			return b, fmt.Errorf("display: %s: %w", mime, err)
		}
		if !cloned {
			b.Data, cloned = maps.Clone(b.Data), true
		}
		b.Data[mime] = json.RawMessage(raw)
	}
	return b, nil
}

func (s session) Expression(ctx context.Context, code string) (display.Bundle, error) {
	b, err := s.Session.Expression(ctx, code)
	if err == nil {
		b, err = asJSON(b)
	}
	return b, cellError(err)
}

func (s session) Complete(ctx context.Context, code string, cursor int) (worker.Completion, error) {
	c, err := s.Session.Complete(ctx, code, cursor)
	res := worker.Completion{Start: c.Start, End: c.End, Matches: make([]worker.Match, len(c.Matches))}
	for i, m := range c.Matches {
		res.Matches[i] = worker.Match(m)
	}
	return res, err
}

func (s session) IsComplete(code string) worker.Completeness {
	return worker.Completeness(s.Session.IsComplete(code))
}

func cellError(err error) error {
	if e := (*interp.Error)(nil); errors.As(err, &e) {
		return &worker.CellError{Name: e.Name, Value: e.Value, Traceback: e.Traceback}
	}
	return err
}
