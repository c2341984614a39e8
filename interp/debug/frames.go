package debug

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/value"
)

// The filters for panics at which goroutines stop, with their names in JupyterLab's menu.
var panicFilters = []dap.ExceptionBreakpointsFilter{
	{Filter: "raised", Label: "Raised panics"},
	{Filter: "uncaught", Label: "Uncaught panics"},
}

// answerStopped handles requests about stopped cells; ok reports whether the request is one of
// these.
func (d *Debugger) answerStopped(ctx context.Context, m dap.Message) (body any, ok bool, err error) {
	if c, is := m.(*dumpCellRequest); is {
		d.stops.mu.Lock()
		defer d.stops.mu.Unlock()
		path := pathOf(c.Arguments.Code)
		if d.stops.texts == nil {
			d.stops.texts, d.stops.files, d.stops.paths = map[string]string{}, map[string][]string{}, map[string]string{}
		}
		d.stops.texts[path] = c.Arguments.Code
		return dumpCellBody{SourcePath: path}, true, nil
	}
	if s, is := m.(*dap.SourceRequest); is {
		body, err = d.source(s)
		return body, true, err
	}
	dbg, err := d.stops.attached()
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		body, err = d.setBreakpoints(m)
	case *dap.SetExceptionBreakpointsRequest:
		if err == nil {
			dbg.BreakOnPanics(panicStops(m.Arguments.Filters))
		}
	case *dap.ThreadsRequest:
		threads := []dap.Thread{}
		if err == nil {
			threads = threadsOf(dbg)
		}
		return dap.ThreadsResponseBody{Threads: threads}, true, nil
	case *dap.ContinueRequest:
		if err == nil {
			dbg.Continue()
		}
		body = dap.ContinueResponseBody{AllThreadsContinued: true}
	case *dap.NextRequest:
		err = step(dbg, err, m.Arguments.ThreadId, engine.StepOver)
	case *dap.StepInRequest:
		err = step(dbg, err, m.Arguments.ThreadId, engine.StepIn)
	case *dap.StepOutRequest:
		err = step(dbg, err, m.Arguments.ThreadId, engine.StepOut)
	case *dap.PauseRequest:
		if err == nil {
			dbg.Pause()
		}
	case *dap.StackTraceRequest:
		if err == nil {
			body = d.stackTrace(dbg, m.Arguments)
		}
	case *dap.ScopesRequest:
		body, err = d.scopes(m.Arguments.FrameId)
	case *dap.EvaluateRequest:
		body, err = d.evaluate(ctx, m.Arguments)
	case *dap.SetVariableRequest:
		body, err = d.setVariable(ctx, m.Arguments)
	case *dap.ExceptionInfoRequest:
		body, err = d.exceptionInfo()
	default:
		return nil, false, nil
	}
	return body, true, err
}

func step(dbg engine.Debugger, err error, goroutine int, kind engine.StepKind) error {
	if err == nil {
		dbg.Step(goroutine, kind)
	}
	return err
}

func panicStops(filters []string) engine.PanicStops {
	which := engine.NoPanics
	for _, f := range filters {
		switch f {
		case "raised":
			return engine.AllPanics
		case "uncaught":
			which = engine.UncaughtPanics
		}
	}
	return which
}

func threadsOf(dbg engine.Debugger) []dap.Thread {
	threads := []dap.Thread{}
	for _, g := range dbg.Goroutines() {
		name := "goroutine " + strconv.Itoa(g.ID)
		if g.First {
			name = "cell"
		} else if g.Func != "" {
			name += ", " + g.Func
		}
		threads = append(threads, dap.Thread{Id: g.ID, Name: name})
	}
	return threads
}

// stackTrace lists the stack frames of a goroutine.
func (d *Debugger) stackTrace(dbg engine.Debugger, args dap.StackTraceArguments) dap.StackTraceResponseBody {
	stack := dbg.Stack(args.ThreadId)
	s := &d.stops
	s.mu.Lock()
	defer s.mu.Unlock()
	body := dap.StackTraceResponseBody{StackFrames: []dap.StackFrame{}, TotalFrames: len(stack)}
	for i, f := range stack {
		s.frames = append(s.frames, f)
		if i < args.StartFrame || args.Levels > 0 && i >= args.StartFrame+args.Levels {
			continue
		}
		out := dap.StackFrame{Id: len(s.frames), Name: frameName(f.Func), Line: f.Pos.Line, Column: f.Pos.Column}
		if path, ok := s.paths[f.Pos.Filename]; ok {
			out.Source = &dap.Source{Name: f.Pos.Filename, Path: path}
		} else {
			out.Source = &dap.Source{Name: f.Pos.Filename, PresentationHint: "deemphasize"}
		}
		body.StackFrames = append(body.StackFrames, out)
	}
	return body
}

// cellFunc is the name of the function with the statements of a cell.
const cellFunc = "ǃcell"

// frameName returns the name of a function for the user; the function of a cell's statements has a
// generated name.
func frameName(f string) string {
	return strings.ReplaceAll(f, cellFunc, "cell")
}

// ofCell reports whether a frame belongs to the statements of a cell, whose variables are those of
// the session.
func ofCell(f *engine.StackFrame) bool { return f.Func == cellFunc }

// frame returns the frame with a number.
func (d *Debugger) frame(id int) (engine.StackFrame, error) {
	d.stops.mu.Lock()
	defer d.stops.mu.Unlock()
	if d.stops.stop == nil || id < 1 || id > len(d.stops.frames) {
		return engine.StackFrame{}, fmt.Errorf("there is no frame %d: the stopped code has continued", id)
	}
	return d.stops.frames[id-1], nil
}

// scopes returns the reference numbers of a frame's variables.
func (d *Debugger) scopes(id int) (any, error) {
	f, err := d.frame(id)
	if err != nil {
		return nil, err
	}
	d.stops.mu.Lock()
	defer d.stops.mu.Unlock()
	t := &d.stops.tree
	list := []dap.Scope{}
	for _, name := range []string{"Locals", "Globals"} {
		t.nodes = append(t.nodes, node{frame: &f, scope: name})
		list = append(list, dap.Scope{Name: name, PresentationHint: map[string]string{"Locals": "locals"}[name], VariablesReference: t.first + len(t.nodes), Expensive: name == "Globals"})
	}
	return dap.ScopesResponseBody{Scopes: list}, nil
}

// evaluate returns the value of an expression in a frame, or in the session.
func (d *Debugger) evaluate(ctx context.Context, args dap.EvaluateArguments) (any, error) {
	var f engine.StackFrame
	if args.FrameId != 0 {
		var err error
		if f, err = d.frame(args.FrameId); err != nil {
			return nil, err
		}
	} else if !d.isStopped() {
		return nil, errors.New("no goroutine has stopped: evaluate the expression in a cell")
	}
	v, err := d.evaluateIn(ctx, args.Expression, f.Locals)
	if err != nil {
		return nil, err
	}
	if !v.IsValid() {
		return dap.EvaluateResponseBody{}, nil
	}
	var out dap.Variable
	err = d.within(func() {
		d.stops.mu.Lock()
		defer d.stops.mu.Unlock()
		d.stops.tree.frame = &f
		out = d.stops.tree.variable("", "", v)
	})
	return dap.EvaluateResponseBody{Result: out.Value, Type: out.Type, VariablesReference: out.VariablesReference,
		NamedVariables: out.NamedVariables, IndexedVariables: out.IndexedVariables}, err
}

// within calls f with a time limit, because f may call methods of cells that format values.
func (d *Debugger) within(f func()) error {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	ctx, cancel := context.WithTimeout(context.Background(), evaluateLimit)
	defer cancel()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("formatting the values did not finish: a String method may be waiting for a stopped goroutine")
	}
}

// setVariable sets a variable of a frame, or a component of one.
func (d *Debugger) setVariable(ctx context.Context, args dap.SetVariableArguments) (any, error) {
	d.stops.mu.Lock()
	n, err := d.stops.tree.node(args.VariablesReference)
	d.stops.mu.Unlock()
	if err != nil {
		return nil, err
	}
	target := args.Name
	switch {
	case n.scope != "":
	case n.Kind() == reflect.Struct:
		target = n.part("." + args.Name)
	default:
		target = n.part("[" + args.Name + "]")
	}
	if target == "" || n.frame == nil {
		return nil, fmt.Errorf("%s cannot be set, because it has no name", args.Name)
	}
	if _, err := d.evaluateIn(ctx, target+" = "+args.Value, n.frame.Locals); err != nil {
		return nil, err
	}
	v, err := d.evaluateIn(ctx, target, n.frame.Locals)
	if err != nil {
		return nil, err
	}
	var text string
	err = d.within(func() { text = value.Line(v) })
	return dap.SetVariableResponseBody{Value: text}, err
}

// exceptionInfo describes the panic at which a goroutine has stopped.
func (d *Debugger) exceptionInfo() (any, error) {
	d.stops.mu.Lock()
	defer d.stops.mu.Unlock()
	stop := d.stops.stop
	if stop == nil || stop.Reason != engine.AtPanic {
		return nil, errors.New("no goroutine has stopped at a panic")
	}
	return dap.ExceptionInfoResponseBody{ExceptionId: fmt.Sprintf("%T", stop.Panic), Description: stop.Text, BreakMode: "always"}, nil
}

// source returns the text of a cell.
func (d *Debugger) source(m *dap.SourceRequest) (any, error) {
	path := ""
	if m.Arguments.Source != nil {
		path = m.Arguments.Source.Path
	}
	d.stops.mu.Lock()
	defer d.stops.mu.Unlock()
	text, ok := d.stops.texts[path]
	if !ok {
		return nil, fmt.Errorf("there is no cell %q", path)
	}
	return dap.SourceResponseBody{Content: text, MimeType: "text/x-go"}, nil
}

// variablesStopped lists the components of a value in a frame.
func (d *Debugger) variablesStopped(args dap.VariablesArguments) (any, error) {
	var list []dap.Variable
	var found error
	err := d.within(func() {
		d.stops.mu.Lock()
		defer d.stops.mu.Unlock()
		t := &d.stops.tree
		n, err := t.node(args.VariablesReference)
		if err != nil {
			found = err
			return
		}
		list = []dap.Variable{}
		if n.scope != "Globals" {
			list, found = t.parts(args)
		}
		if n.scope == "Globals" || n.scope == "Locals" && ofCell(n.frame) {
			t.frame = n.frame
			list = d.withSession(t, list)
		}
	})
	if err := cmp.Or(err, found); err != nil {
		return noVariables, err
	}
	return dap.VariablesResponseBody{Variables: list}, nil
}

// withSession adds the variables of the session to a list, except hidden ones.
func (d *Debugger) withSession(t *tree, list []dap.Variable) []dap.Variable {
	hidden := map[string]bool{}
	for _, v := range list {
		hidden[v.Name] = true
	}
	for _, v := range d.host.Variables() {
		if !hidden[v.Name] {
			dv := t.variable(v.Name, v.Name, v.Value)
			t.setType(&dv, v.Type)
			list = append(list, dv)
		}
	}
	return list
}

// show returns a variable of the session or of a frame as Out[n] would show it.
func (d *Debugger) show(ctx context.Context, args richInspectVariablesArguments) (display.Bundle, error) {
	if args.FrameID == 0 && !d.isStopped() {
		return d.host.Show(ctx, args.VariableName)
	}
	if !token.IsIdentifier(args.VariableName) {
		return display.Bundle{}, fmt.Errorf("%q is not the name of a variable", args.VariableName)
	}
	var f engine.StackFrame
	if args.FrameID != 0 {
		var err error
		if f, err = d.frame(args.FrameID); err != nil {
			return display.Bundle{}, err
		}
	}
	v, err := d.evaluateIn(ctx, args.VariableName, f.Locals)
	if err != nil {
		return display.Bundle{}, err
	}
	var b *display.Bundle
	var failed error
	if err := d.within(func() { b, failed = value.Of([]reflect.Value{v}) }); err != nil {
		return display.Bundle{}, err
	}
	if failed != nil {
		return display.Bundle{}, failed
	}
	return *b, nil
}

// copyToGlobals declares a variable of the session with the value of another variable, or of a
// frame's variable.
func (d *Debugger) copyToGlobals(ctx context.Context, args copyToGlobalsArguments) error {
	if args.SrcFrameID == 0 {
		return d.host.Copy(ctx, args.SrcVariableName, args.DstVariableName)
	}
	f, err := d.frame(args.SrcFrameID)
	if err != nil {
		return err
	}
	for _, l := range f.Locals {
		if l.Name == args.SrcVariableName {
			return d.host.(Stopper).CopyLocal(l, args.DstVariableName)
		}
	}
	ofSession := func(v Variable) bool { return v.Name == args.SrcVariableName }
	if ofCell(&f) && args.SrcVariableName == args.DstVariableName && slices.ContainsFunc(d.host.Variables(), ofSession) {
		return nil // it already exists
	}
	return fmt.Errorf("%s has no variable %q", frameName(f.Func), args.SrcVariableName)
}

// info lists the breakpoints by cell, and the goroutine that has stopped.
func (s *stopping) info() (points []any, stopped []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	points, stopped = []any{}, []int{}
	for _, path := range slices.Sorted(maps.Keys(s.points)) {
		if len(s.points[path]) > 0 {
			points = append(points, map[string]any{"source": path, "breakpoints": s.points[path]})
		}
	}
	if s.stop != nil {
		stopped = append(stopped, s.stop.Goroutine)
	}
	return points, stopped
}
