package debug

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/interp/engine"
)

// Stopper allows cells to be stopped. A Host implements it if its engine supports it.
type Stopper interface {
	// Attach attaches to the engine. The error explains why that is not possible.
	Attach(engine.DebugEvents) (engine.Debugger, error)
	// Compile compiles an expression or an assignment for the variables of a function.
	Compile(code string, locals []engine.Local) (Expression, error)
	// CopyLocal declares a session variable, and gives it the value of a function's variable. The
	// second argument is the name of the session variable.
	CopyLocal(from engine.Local, to string) error
	// StopLines returns the lines at which a cell that has not run will stop.
	StopLines(code string) []int
}

// Expression is a compiled expression.
type Expression interface {
	// Value evaluates the expression with variables of the names and types for which it was
	// compiled. For an assignment it returns the zero Value. Only the end of the context stops it.
	Value(ctx context.Context, locals []engine.Local) (reflect.Value, error)
	// Close releases the resources of the expression.
	Close()
}

// evaluateLimit is the maximum time to evaluate an expression while a cell is stopped.
const evaluateLimit = 10 * time.Second

// stopReferences is the first reference number of variables of frames.
const stopReferences = 1 << 20

// stopping is the state of a debugger: the breakpoints and the stopped goroutine.
type stopping struct {
	engine.Debugger // nil if no frontend is attached

	mu      sync.Mutex
	refused error                             // why the engine was not attached, or nil
	texts   map[string]string                 // texts of cells, by path
	files   map[string][]string               // the engine's names of cells, by path
	paths   map[string]string                 // the paths, by the engine's names
	points  map[string][]dap.SourceBreakpoint // breakpoints by path
	set     map[string][]*breakpoint          // breakpoints set in the engine, by path
	lastID  int
	stop    *engine.Stop // nil while cells run
	frames  []engine.StackFrame
	tree    tree
}

// Begin records a cell before it is compiled: its name in positions, and its text.
func (d *Debugger) Begin(file, text string) {
	s := &d.stops
	s.mu.Lock()
	path := pathOf(text)
	if s.texts == nil {
		s.texts, s.files, s.paths = map[string]string{}, map[string][]string{}, map[string]string{}
	}
	if s.paths[file] != path {
		s.files[path] = append(s.files[path], file)
	}
	s.texts[path], s.paths[file] = text, path
	dbg, set := s.Debugger, s.set[path]
	for _, points := range s.set {
		for _, p := range points {
			p.forget() // the cell may declare a name in a condition
		}
	}
	s.mu.Unlock()
	if dbg != nil && len(set) > 0 {
		dbg.Breakpoints(file, enginePoints(set))
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused = err; err != nil {
		return err
	}
	s.Debugger, s.points, s.set = dbg, map[string][]dap.SourceBreakpoint{}, map[string][]*breakpoint{}
	return nil
}

// detachStops detaches from the engine, so that cells run without breakpoints.
func (d *Debugger) detachStops() {
	s := &d.stops
	s.mu.Lock()
	dbg, set := s.Debugger, s.set
	s.Debugger, s.points, s.set = nil, nil, nil
	s.mu.Unlock()
	for _, points := range set {
		for _, p := range points {
			p.forget()
		}
	}
	if dbg != nil {
		dbg.Detach()
	}
}

// attached returns the engine's debugger, or an error if there is none.
func (s *stopping) attached() (engine.Debugger, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Debugger == nil {
		return nil, cmp.Or(s.refused, errors.New("the debugger is not attached"))
	}
	return s.Debugger, nil
}

// stopped handles the event that a goroutine has stopped.
func (d *Debugger) stopped(stop engine.Stop) {
	lab := d.inJupyterLab()
	d.stops.mu.Lock()
	d.stops.stop, d.stops.frames, d.stops.tree = &stop, nil, tree{first: stopReferences, values: lab}
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

// continued handles the event that all goroutines continue.
func (d *Debugger) continued() {
	d.stops.mu.Lock()
	stop := d.stops.stop
	d.stops.stop, d.stops.frames, d.stops.tree = nil, nil, tree{first: stopReferences}
	d.stops.mu.Unlock()
	if stop != nil {
		d.tellBody("continued", dap.ContinuedEventBody{ThreadId: stop.Goroutine, AllThreadsContinued: true})
	}
}

// isStopped reports whether a goroutine is stopped.
func (d *Debugger) isStopped() bool {
	d.stops.mu.Lock()
	defer d.stops.mu.Unlock()
	return d.stops.stop != nil
}

// setBreakpoints replaces the breakpoints of a cell.
func (d *Debugger) setBreakpoints(m *dap.SetBreakpointsRequest) (any, error) {
	dbg, err := d.stops.attached()
	if err != nil {
		return nil, err
	}
	s := &d.stops
	path := m.Arguments.Source.Path
	s.mu.Lock()
	old := s.set[path]
	s.points[path], s.set[path] = m.Arguments.Breakpoints, d.breakpoints(m.Arguments.Breakpoints)
	files, set, text := slices.Clone(s.files[path]), s.set[path], s.texts[path]
	s.mu.Unlock()
	var lines []int
	for _, f := range files {
		lines = dbg.Breakpoints(f, enginePoints(set))
	}
	for _, p := range old {
		p.forget()
	}
	if len(files) == 0 {
		lines = linesOf(set, d.host.(Stopper).StopLines(text))
	}
	list := []dap.Breakpoint{}
	for i, p := range set {
		bp := dap.Breakpoint{Id: p.id, Line: p.Line, Verified: true, Source: &dap.Source{Path: path}}
		if lines[i] > 0 {
			bp.Line = lines[i]
		} else {
			bp.Verified, bp.Message = false, "no statement is at this line or after it"
		}
		list = append(list, bp)
	}
	return dap.SetBreakpointsResponseBody{Breakpoints: list}, nil
}

// linesOf returns the lines of breakpoints in a cell with statements at the given lines: the lines
// at which the statements begin, or 0 if there is none.
func linesOf(set []*breakpoint, statements []int) []int {
	lines := make([]int, len(set))
	for i, p := range set {
		for _, l := range statements {
			if l >= p.Line && (lines[i] == 0 || l < lines[i]) {
				lines[i] = l
			}
		}
	}
	return lines
}
