package engine

import (
	"errors"
	"go/token"
	"go/types"
	"reflect"
)

// ErrDebugged means that a debugger is attached already: there can be only one at a time.
var ErrDebugged = errors.New("a debugger is attached already")

// Debuggable is implemented by engines that can stop code of cells before each statement.
type Debuggable interface {
	// Debug attaches a debugger. Functions called from now on can be stopped; functions that are
	// already running can't be stopped. The only possible error is ErrDebugged.
	Debug(events DebugEvents) (Debugger, error)
}

// DebugEvents receives events, each on the goroutine in which the event occurs. The goroutine
// continues when the function returns. The functions may call the methods of the Debugger.
type DebugEvents struct {
	// Stopped is called when a goroutine has stopped. The other goroutines stop at their next
	// statements.
	Stopped func(Stop)
	// Continued is called when all goroutines continue.
	Continued func()
}

// Stop describes the stop of a goroutine.
type Stop struct {
	Goroutine   int
	Reason      StopReason
	Breakpoints []Breakpoint // breakpoints that were hit
	Panic       any          // the value, when Reason is AtPanic
	Text        string       // text of the panic, as Go prints it
}

// StopReason is the reason why a goroutine has stopped.
type StopReason int

// The reasons to stop.
const (
	AtBreakpoint StopReason = iota
	AtStep
	AtPause
	AtPanic
)

// Breakpoint is a line at which code stops.
type Breakpoint struct {
	ID   int // chosen by the caller
	Line int
	// When decides whether to stop, given the innermost frame of the goroutine that has reached the
	// line. Nil means always. Other goroutines may run while When runs.
	When func(StackFrame) bool
}

// StepKind is the extent of a step.
type StepKind int

// The kinds of steps: to the next statement, to the next statement in the same function or its
// caller, and to the next statement in the caller.
const (
	StepIn StepKind = iota
	StepOver
	StepOut
)

// PanicStops selects the panics at which goroutines stop.
type PanicStops int

// Goroutines stop at no panics, at panics that no pending deferred call will recover, or at all
// panics.
const (
	NoPanics PanicStops = iota
	UncaughtPanics
	AllPanics
)

// Debugger stops cells, inspects stopped goroutines and lets them continue. Its methods can be
// called at any time.
type Debugger interface {
	// Breakpoints replaces all breakpoints of a file. The cell of the file may be compiled later.
	// For each breakpoint, it returns the line of the first statement at or after the breakpoint's
	// line. It returns 0 if there is no such statement or the file is not known.
	Breakpoints(file string, list []Breakpoint) (lines []int)
	// Lines returns the lines of a file at which code can stop, in order.
	Lines(file string) []int
	BreakOnPanics(PanicStops)
	// Pause stops all goroutines at their next statements.
	Pause()
	// Continue lets all goroutines continue.
	Continue()
	// Step lets all goroutines continue until the given goroutine has made a step.
	Step(goroutine int, kind StepKind)
	// Goroutines returns the goroutines that run code of cells.
	Goroutines() []Goroutine
	// Stack returns the calls of a goroutine that has stopped or waits, innermost first. It returns
	// nil if the goroutine runs.
	Stack(goroutine int) []StackFrame
	// Detach lets all goroutines continue. From then on, code runs as if no debugger had been
	// attached.
	Detach()
}

// Goroutine is a goroutine that runs code of a cell.
type Goroutine struct {
	ID      int
	Cell    int    // number of its cell
	First   bool   // it is the first goroutine of the cell
	Func    string // function that it began with
	Stopped bool
}

// StackFrame is one call of a goroutine that has stopped.
type StackFrame struct {
	Frame
	Package *types.Package // package of the function
	Scope   token.Pos      // scope of the statement, for looking up names
	Locals  []Local        // variables in scope, innermost last
}

// Local is a variable of a function.
type Local struct {
	Name     string
	Type     types.Type
	Value    reflect.Value // the variable itself, which can be set
	Captured bool          // it belongs to an enclosing function
}
