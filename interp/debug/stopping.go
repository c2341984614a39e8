package debug

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/value"
)

// Stopper lets cells be stopped. A Host implements it when its engine can.
type Stopper interface {
	// Attach attaches to the engine. The error says why that cannot be.
	Attach(engine.DebugEvents) (engine.Debugger, error)
	// Evaluate gives the value of an expression among variables of a function; the zero
	// Value for an assignment. Nothing stops it but the end of the context.
	Evaluate(ctx context.Context, code string, locals []engine.Local) (reflect.Value, error)
}

// evaluateLimit bounds what is evaluated while a cell stands still.
const evaluateLimit = 10 * time.Second

// stopReferences is where the numbers of variables of frames begin.
const stopReferences = 1 << 20

// stopping is what a debugger knows of breakpoints and of what has stopped.
type stopping struct {
	engine.Debugger // nil when no front end is attached

	mu     sync.Mutex
	texts  map[string]string                 // of cells, by path
	files  map[string][]string               // the engine's names of cells, by path
	paths  map[string]string                 // the paths, by the engine's names
	points map[string][]dap.SourceBreakpoint // by path
	hits   map[int]int                       // of breakpoints, by number
	lastID int
	stop   *engine.Stop // nil while cells run
	frames []engine.StackFrame
	tree   tree
}

// Begin is told of a cell before it is compiled: its name in positions, and its text.
func (d *Debugger) Begin(file, text string) {
	s := &d.stops
	s.mu.Lock()
	path := pathOf(text)
	if s.texts == nil {
		s.texts, s.files, s.paths = map[string]string{}, map[string][]string{}, map[string]string{}
	}
	s.texts[path], s.paths[file] = text, path
	if !slices.Contains(s.files[path], file) {
		s.files[path] = append(s.files[path], file)
	}
	dbg, points := s.Debugger, d.breakpoints(s.points[path])
	s.mu.Unlock()
	if dbg != nil && len(points) > 0 {
		dbg.Breakpoints(file, points)
	}
}

// attachStops attaches to the engine.
func (d *Debugger) attachStops() error {
	h, ok := d.host.(Stopper)
	if !ok {
		return errors.New("cells of this session cannot be stopped")
	}
	s := &d.stops
	s.mu.Lock()
	attached := s.Debugger != nil
	s.mu.Unlock()
	if attached {
		return nil
	}
	dbg, err := h.Attach(engine.DebugEvents{Stopped: d.stopped, Continued: d.continued})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.Debugger, s.points, s.hits = dbg, map[string][]dap.SourceBreakpoint{}, map[int]int{}
	s.mu.Unlock()
	return nil
}

// detachStops lets everything run as if no front end had come.
func (d *Debugger) detachStops() {
	s := &d.stops
	s.mu.Lock()
	dbg := s.Debugger
	s.Debugger, s.points = nil, nil
	s.mu.Unlock()
	if dbg != nil {
		dbg.Detach()
	}
}

// attached gives the engine's debugger, or says that there is none.
func (s *stopping) attached() (engine.Debugger, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Debugger == nil {
		return nil, errors.New("the debugger is not attached")
	}
	return s.Debugger, nil
}

// stopped is told that a goroutine has stopped.
func (d *Debugger) stopped(stop engine.Stop) {
	d.stops.mu.Lock()
	d.stops.stop, d.stops.frames, d.stops.tree = &stop, nil, tree{first: stopReferences}
	d.stops.mu.Unlock()
	body := dap.StoppedEventBody{ThreadId: stop.Goroutine, AllThreadsStopped: true, PreserveFocusHint: false}
	switch stop.Reason {
	case engine.AtBreakpoint:
		body.Reason = "breakpoint"
		for _, p := range stop.Breakpoints {
			body.HitBreakpointIds = append(body.HitBreakpointIds, p.ID)
		}
	case engine.AtStep:
		body.Reason = "step"
	case engine.AtPause:
		body.Reason = "pause"
	case engine.AtPanic:
		body.Reason, body.Description, body.Text = "exception", "panic", stop.Text
	}
	d.tellBody("stopped", body)
}

// continued is told that all go on.
func (d *Debugger) continued() {
	d.stops.mu.Lock()
	stop := d.stops.stop
	d.stops.stop, d.stops.frames, d.stops.tree = nil, nil, tree{first: stopReferences}
	d.stops.mu.Unlock()
	if stop != nil {
		d.tellBody("continued", dap.ContinuedEventBody{ThreadId: stop.Goroutine, AllThreadsContinued: true})
	}
}

// isStopped reports whether a goroutine stands still.
func (d *Debugger) isStopped() bool {
	d.stops.mu.Lock()
	defer d.stops.mu.Unlock()
	return d.stops.stop != nil
}

// setBreakpoints sets those of a cell, in place of those that it had.
func (d *Debugger) setBreakpoints(m *dap.SetBreakpointsRequest) (any, error) {
	dbg, err := d.stops.attached()
	if err != nil {
		return nil, err
	}
	s := &d.stops
	path := m.Arguments.Source.Path
	s.mu.Lock()
	s.points[path] = m.Arguments.Breakpoints
	files := slices.Clone(s.files[path])
	points := d.breakpoints(m.Arguments.Breakpoints)
	s.mu.Unlock()
	var lines []int
	for _, f := range files {
		lines = dbg.Breakpoints(f, points)
	}
	list := []dap.Breakpoint{}
	for i, b := range m.Arguments.Breakpoints {
		// A cell that has not run has its breakpoints when it does.
		bp := dap.Breakpoint{Id: points[i].ID, Line: b.Line, Verified: true, Source: &dap.Source{Path: path}}
		if lines != nil && lines[i] > 0 {
			bp.Line = lines[i]
		} else if lines != nil {
			bp.Verified, bp.Message = false, "no statement is at this line or behind it"
		}
		list = append(list, bp)
	}
	return dap.SetBreakpointsResponseBody{Breakpoints: list}, nil
}

// breakpoints gives the engine what a front end wants. The lock of stops is held.
func (d *Debugger) breakpoints(list []dap.SourceBreakpoint) []engine.Breakpoint {
	var points []engine.Breakpoint
	for _, b := range list {
		d.stops.lastID++
		p := engine.Breakpoint{ID: d.stops.lastID, Line: b.Line}
		if b.Condition != "" || b.HitCondition != "" || b.LogMessage != "" {
			p.When = func(f engine.StackFrame) bool { return d.when(p.ID, b, f) }
		}
		points = append(points, p)
	}
	return points
}

// when decides whether a breakpoint stops: its condition holds, often enough, and it does
// not log instead.
func (d *Debugger) when(id int, b dap.SourceBreakpoint, f engine.StackFrame) bool {
	fail := func(what string, err error) bool {
		d.tellBody("output", dap.OutputEventBody{Category: "stderr", Output: fmt.Sprintf("%s of the breakpoint at line %d: %v\n", what, b.Line, err)})
		return true
	}
	if b.Condition != "" {
		v, err := d.evaluateIn(context.Background(), b.Condition, f.Locals)
		if err == nil && (!v.IsValid() || v.Kind() != reflect.Bool) {
			err = fmt.Errorf("%s is no condition", b.Condition)
		}
		if err != nil {
			return fail("the condition", err)
		}
		if !v.Bool() {
			return false
		}
	}
	d.stops.mu.Lock()
	d.stops.hits[id]++
	n := d.stops.hits[id]
	d.stops.mu.Unlock()
	if b.HitCondition != "" {
		hit, err := oftenEnough(b.HitCondition, n)
		if err != nil {
			return fail("the hit count", err)
		}
		if !hit {
			return false
		}
	}
	if b.LogMessage == "" {
		return true
	}
	d.tellBody("output", dap.OutputEventBody{Category: "console", Output: d.message(b.LogMessage, f) + "\n"})
	return false
}

// oftenEnough reports whether a hit is one that a condition wants: "5", ">= 3", "% 10".
func oftenEnough(condition string, n int) (bool, error) {
	rest := strings.TrimSpace(condition)
	op := strings.TrimRight(rest, "0123456789 ")
	k, err := strconv.Atoi(strings.TrimSpace(rest[len(op):]))
	if err != nil || k < 0 || k == 0 && op == "%" {
		return false, fmt.Errorf("%q is no hit count: write 5, >= 5, > 5, < 5, <= 5 or %% 5", condition)
	}
	switch strings.TrimSpace(op) {
	case "", "=", "==":
		return n == k, nil
	case ">=":
		return n >= k, nil
	case ">":
		return n > k, nil
	case "<=":
		return n <= k, nil
	case "<":
		return n < k, nil
	case "%":
		return n%k == 0, nil
	}
	return false, fmt.Errorf("%q is no hit count: write 5, >= 5, > 5, < 5, <= 5 or %% 5", condition)
}

// message puts the values of the expressions in braces into a text.
func (d *Debugger) message(text string, f engine.StackFrame) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		expr, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(text[len(before):])
			return b.String()
		}
		if v, err := d.evaluateIn(context.Background(), expr, f.Locals); err != nil {
			fmt.Fprintf(&b, "{%s: %v}", expr, err)
		} else if v.IsValid() {
			b.WriteString(value.Line(v))
		}
		text = after
	}
}

// evaluateIn evaluates among the variables of a frame.
func (d *Debugger) evaluateIn(ctx context.Context, code string, locals []engine.Local) (reflect.Value, error) {
	h, ok := d.host.(Stopper)
	if !ok {
		return reflect.Value{}, errors.New("cells of this session cannot be stopped")
	}
	ctx, cancel := context.WithTimeout(ctx, evaluateLimit)
	defer cancel()
	return h.Evaluate(ctx, code, locals)
}
