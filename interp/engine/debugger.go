package engine

import (
	"errors"
	"go/token"
	"go/types"
	"reflect"
)

// ErrDebugged says that a debugger is attached: there can be one at a time.
var ErrDebugged = errors.New("a debugger is attached already")

// Debuggable is implemented by engines that can stop the code of cells at its
// statements.
type Debuggable interface {
	// Debug attaches a debugger. Functions that are called from now on can be
	// stopped; those that run continue as they were compiled. The error is ErrDebugged.
	Debug(events DebugEvents) (Debugger, error)
}

// DebugEvents are told what happens, each from the goroutine of the code that it
// happens to, which continues when it returns. They may call the methods of the Debugger.
type DebugEvents struct {
	// Stopped is told that a goroutine has stopped. The others stop at their next
	// statement.
	Stopped func(Stop)
	// Continued is told that all continue.
	Continued func()
}

// Stop says why a goroutine has stopped.
type Stop struct {
	Goroutine   int
	Reason      StopReason
	Breakpoints []Breakpoint // that were hit
	Panic       any          // the value, when Reason is AtPanic
	Text        string       // of the panic, as Go prints it
}

// StopReason is why a goroutine has stopped.
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
	ID   int // the caller's
	Line int
	// When decides whether to stop for the innermost frame of the goroutine that has
	// come to the line; nil: always. Other goroutines may run meanwhile.
	When func(StackFrame) bool
}

// StepKind is how far a step goes.
type StepKind int

// The kinds of steps: to the next statement, to that in the same function or its
// caller, to that in the caller.
const (
	StepIn StepKind = iota
	StepOver
	StepOut
)

// PanicStops says at which panics goroutines stop.
type PanicStops int

// At none, at those that no deferred call which waits will recover, at all.
const (
	NoPanics PanicStops = iota
	UncaughtPanics
	AllPanics
)

// Debugger stops cells, looks at what has stopped and lets it continue. Its methods can be
// called at any time.
type Debugger interface {
	// Breakpoints sets those of a file, instead of all that it had, also of a cell
	// that is compiled later. It gives for each the line of the first statement at or
	// behind its line; 0 where there is none, or the file is not known.
	Breakpoints(file string, list []Breakpoint) (lines []int)
	// Lines returns the lines of a file at which code can stop, in order.
	Lines(file string) []int
	BreakOnPanics(PanicStops)
	// Pause stops all goroutines at their next statements.
	Pause()
	// Continue lets all goroutines continue.
	Continue()
	// Step lets all continue until the goroutine has made a step.
	Step(goroutine int, kind StepKind)
	// Goroutines returns those that run code of cells.
	Goroutines() []Goroutine
	// Stack returns the calls of a goroutine that has stopped or waits, innermost first;
	// nil when it runs.
	Stack(goroutine int) []StackFrame
	// Detach lets all continue, and code run as if it had never been attached.
	Detach()
}

// Goroutine is one that runs code of a cell.
type Goroutine struct {
	ID      int
	Cell    int    // whose it is
	First   bool   // it is the first of the cell
	Func    string // that it began with
	Stopped bool
}

// StackFrame is one call of a goroutine that has stopped.
type StackFrame struct {
	Frame
	Package *types.Package // of the function
	Scope   token.Pos      // of the statement; names are looked up there
	Locals  []Local        // what is in scope, the innermost last
}

// Local is a variable of a function.
type Local struct {
	Name     string
	Type     types.Type
	Value    reflect.Value // the variable itself, which can be set
	Captured bool          // it belongs to an enclosing function
}
