package interp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/cellrt"
	"github.com/gokernel/gokernel/interp/debug"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Debug answers a debug request of a frontend.
func (s *Session) Debug(ctx context.Context, request json.RawMessage) (json.RawMessage, error) {
	return s.debugger.Answer(ctx, request)
}

// DebugEvents sets the function that receives the events of the debugger.
func (s *Session) DebugEvents(take func(event json.RawMessage)) { s.debugger.Events(take) }

// lookLimit is the maximum time to inspect variables: methods of cells that format values may never
// return.
const lookLimit = 5 * time.Second

// debugged is the session as its debugger sees it.
type debugged struct{ s *Session }

// Look implements [debug.Host].
func (h debugged) Look(ctx context.Context, f func()) error {
	id := cellrt.Register(func(func()) { f() })
	defer cellrt.Forget(id)
	return h.cell(ctx, fmt.Sprintf("import ǃcellrt \"github.com/gokernel/gokernel/interp/cellrt\"\nǃcellrt.Do(%d)", id))
}

// briefly is how long the debugger waits for its turn when no cell runs: another part of the
// session may hold the turn for a moment.
const briefly = 100 * time.Millisecond

// take takes the turn to run code of cells. While a cell runs, take returns [debug.ErrBusy] at
// once: a frontend asks for the variables often, and the request to pause waits after those
// requests.
func (h debugged) take() (back func(), err error) {
	back = func() { <-h.s.turn }
	h.s.auto.wanted.Add(1)
	defer h.s.auto.wanted.Add(-1)
	select {
	case h.s.turn <- struct{}{}:
		return back, nil
	default:
	}
	h.s.running.mu.Lock()
	busy := h.s.running.busy
	h.s.running.mu.Unlock()
	if busy {
		return nil, debug.ErrBusy
	}
	select {
	case h.s.turn <- struct{}{}:
		return back, nil
	case <-time.After(briefly):
		return nil, debug.ErrBusy
	}
}

// cell runs code that is not part of the notebook, unless a cell runs.
func (h debugged) cell(ctx context.Context, code string) error {
	back, err := h.take()
	if err != nil {
		return err
	}
	defer back()
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	defer h.s.outputs.lend(0, nowhere{})()
	_, err = h.s.eval(ctx, &scope.Source{Name: debugName, Text: code}, evaluator.Cell{Code: code, Silent: true}, nowhere{})
	return err
}

// debugName is the name of such code in positions.
const debugName = "debugger"

// Variables implements [debug.Host].
func (h debugged) Variables() []debug.Variable {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	var list []debug.Variable
	for _, name := range h.s.compiler.Scope.Names() {
		d := h.s.compiler.Scope.Lookup(name)
		o, ok := d.Obj.(*types.Var)
		if !ok || name == "_" {
			continue
		}
		if v, err := h.s.compiler.Engine.Var(o); err == nil {
			list = append(list, debug.Variable{Name: name, Type: scope.TypeString(o.Type()), Cell: d.Cell.Number, Value: v})
		}
	}
	return list
}

// Show implements [debug.Host].
func (h debugged) Show(ctx context.Context, name string) (display.Bundle, error) {
	if !token.IsIdentifier(name) {
		return display.Bundle{}, fmt.Errorf("%q is not the name of a variable", name)
	}
	back, err := h.take()
	if err != nil {
		return display.Bundle{}, err
	}
	defer back()
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	return h.s.expression(ctx, name)
}

// Copy implements [debug.Host].
func (h debugged) Copy(ctx context.Context, from, to string) error {
	if !token.IsIdentifier(from) || !token.IsIdentifier(to) {
		return fmt.Errorf("%q and %q must both be names of variables", from, to)
	}
	return h.cell(ctx, fmt.Sprintf("var %s = %s", to, from))
}

// Attach implements [debug.Stopper].
func (h debugged) Attach(events engine.DebugEvents) (engine.Debugger, error) {
	e, ok := h.s.compiler.Engine.(engine.Debuggable)
	if !ok {
		return nil, errors.New("the fallback engine cannot stop cells: choose the default engine")
	}
	return e.Debug(events)
}

// Compile implements [debug.Stopper].
func (h debugged) Compile(code string, locals []engine.Local) (debug.Expression, error) {
	run, _ := h.running()
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	e, err := h.s.compiler.Evaluation(run, code, locals)
	if err != nil {
		return nil, err
	}
	return evaluation{h.s, e}, nil
}

// running returns the run of the cell that runs, and its number in the notebook.
func (h debugged) running() (run, number int) {
	h.s.running.mu.Lock()
	defer h.s.running.mu.Unlock()
	return h.s.running.cell, h.s.running.number
}

// evaluation implements [debug.Expression].
type evaluation struct {
	s *Session
	*pipeline.Evaluation
}

// Value implements [debug.Expression].
func (e evaluation) Value(ctx context.Context, locals []engine.Local) (reflect.Value, error) {
	return e.Run(ctx, locals)
}

// Close implements [debug.Expression].
func (e evaluation) Close() {
	e.s.mu.Lock()
	defer e.s.mu.Unlock()
	e.Evaluation.Close()
}

// CopyLocal implements [debug.Stopper].
func (h debugged) CopyLocal(from engine.Local, to string) error {
	_, number := h.running()
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.compiler.CopyLocal(from, to, &scope.Source{Name: debugName, Number: number, Base: 1})
}

// StopLines implements [debug.Stopper].
func (h debugged) StopLines(code string) []int {
	fset := token.NewFileSet()
	cell, errs := split.Parse(code, token.Pos(split.Reserve(fset, "", code).Base()))
	if len(errs) > 0 || cell.Whole != nil {
		return nil
	}
	var nodes []ast.Node
	for _, d := range cell.Decls {
		nodes = append(nodes, d)
	}
	nodes = append(nodes, &ast.BlockStmt{List: cell.Stmts})
	var lines []int
	for _, n := range nodes {
		for _, pos := range engine.Stops(n) {
			lines = append(lines, fset.Position(pos).Line)
		}
	}
	return lines
}
