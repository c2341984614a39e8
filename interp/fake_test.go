package interp

import (
	"bytes"
	"context"
	"errors"
	"go/printer"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/engine"
)

// printEngine does not run cells: it records the Go code generated for them.
type printEngine struct{ printed bytes.Buffer }

func (e *printEngine) Name() string { return "print" }

func (e *printEngine) Compile(c *engine.Cell) (engine.Code, error) {
	for _, f := range c.Files {
		if err := printer.Fprint(&e.printed, c.Fset, f); err != nil {
			return nil, err
		}
	}
	return printedCode{}, nil
}

func (e *printEngine) Var(v *types.Var) (reflect.Value, error) {
	return reflect.Value{}, errors.New("nothing runs here")
}
func (e *printEngine) Type(types.Type) (reflect.Type, error) {
	return nil, errors.New("nothing runs here")
}
func (e *printEngine) Func(*types.Func) (reflect.Value, error) {
	return reflect.Value{}, errors.New("nothing runs here")
}
func (e *printEngine) Close() error { return nil }

type printedCode struct{}

func (printedCode) Run(context.Context) error { return nil }

// record records what a cell shows.
type record struct {
	stdout, stderr bytes.Buffer
	shown          []display.Bundle
}

func (r *record) Stdout(s string)                 { r.stdout.WriteString(s) }
func (r *record) Stderr(s string)                 { r.stderr.WriteString(s) }
func (r *record) Display(b display.Bundle) error  { r.shown = append(r.shown, b); return nil }
func (r *record) Update(b display.Bundle) error   { r.shown = append(r.shown, b); return nil }
func (r *record) Clear(bool) error                { return nil }
func (r *record) Page(b display.Bundle) error     { r.shown = append(r.shown, b); return nil }
func (r *record) SetNextInput(string, bool) error { return nil }
func (r *record) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("no input")
}

func newPrinting() (*Session, *printEngine) {
	e := &printEngine{}
	return newSession(e, 0), e
}
