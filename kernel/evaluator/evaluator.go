// Package evaluator declares the types that the kernel and the evaluator of cells share: cells,
// outputs, results, errors, and answers to queries about code. The kernel, the pipe between the
// two processes and the session all use these types, so nothing is converted on the way. The
// package imports only display.
package evaluator

import (
	"context"
	"encoding/json"

	"github.com/gokernel/gokernel/display"
)

// Session evaluates the cells of one notebook. Only one goroutine at a time calls Eval and
// Expression. The queries about code (Complete, Inspect, IsComplete) can come at any time, even
// while a cell runs. Offsets are in bytes.
type Session interface {
	// Eval runs one cell. It returns an *Error if the cell fails. It returns soon after ctx is
	// canceled.
	Eval(ctx context.Context, cell Cell, out Output) (Result, error)
	// Expression evaluates one user expression of an execute_request and returns its value.
	Expression(ctx context.Context, code string) (display.Bundle, error)
	// Complete lists the completions at the cursor.
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	// Inspect returns the documentation of the name at the cursor, and false if there is no such
	// name. Detail 1 adds the source.
	Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error)
	// IsComplete reports whether code is a complete cell.
	IsComplete(code string) Completeness
	// Close releases the resources of the session.
	Close() error
}

// Widgets is implemented by sessions whose cells show widgets.
type Widgets interface {
	// Comm handles a message from the frontend on a comm. It can be called at any time, even while
	// a cell runs.
	Comm(ctx context.Context, m display.CommMessage) (CommReply, error)
	// Callbacks runs the callbacks that messages have triggered, as Eval runs a cell. The error of
	// a callback is shown at its widget; Callbacks returns an error only if the callbacks could not
	// be run at all.
	Callbacks(ctx context.Context, out Output) error
}

// Debugger is implemented by sessions that support the Debug Adapter Protocol with Jupyter's
// additions. Messages are the JSON that goes over the wire.
type Debugger interface {
	// Debug returns the response to a request. It can be called at any time, even while a cell
	// runs. An error means that there is no response; a failed request has a response.
	Debug(ctx context.Context, request json.RawMessage) (response json.RawMessage, err error)
	// DebugEvents sets the function that receives the events, one after another and in order.
	DebugEvents(take func(event json.RawMessage))
}

// JIT is implemented by sessions that compile cells to machine code while they run.
type JIT interface {
	// CompiledCode sets the function that is called for each piece of machine code before it runs.
	CompiledCode(take func(MachineCode))
}

// MachineCode is machine code that a session has compiled.
type MachineCode struct {
	Func       string // what it was compiled from: spin (cell [1] line 2)
	Off        string // the magic that turns off its compilation
	Start, End uint64 // the addresses of its first byte and after its last byte
}

// CommReply is the result of a message from the frontend.
type CommReply struct {
	Messages []display.CommMessage // to send on the comm of the message
	Waiting  bool                  // a callback waits to be run by Callbacks
}

// Cell is the code of one cell, with the settings for its run.
type Cell struct {
	Code   string
	Number int  // the execution count, as in In[3]; a silent cell has the count that it would get if it were not silent
	Silent bool // show no value
	// Trusted exempts the cell from the rules of a graded session, because the cell is the
	// lecturer's.
	Trusted bool
	// AllowStdin reports whether the cell can ask for input.
	AllowStdin bool
	// Dialogs reports whether the cell can show dialogs made of widgets: its frontend shows
	// widgets and can send their messages while the cell runs.
	Dialogs bool
}

// Output receives the output of a cell. Its methods are safe for concurrent use. Goroutines that
// outlive the cell can call them after Eval has returned; the output still belongs to that cell.
type Output interface {
	display.Sink
	Stdout(text string)
	Stderr(text string)
	// Input asks the user for a line and waits for it. It returns io.EOF if the user ended the
	// input.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// Result is the result of a cell that succeeded. Value is the bundle to show as Out[n], or nil if
// there is none.
type Result struct {
	Value *display.Bundle
}

// Refused begins the value of the error for code that is valid but can't be evaluated.
const Refused = "this cannot be evaluated: "

// Error is the error of a cell as the user reads it. Eval returns an Error for every failure that
// the cell caused.
type Error struct {
	Name      string   // "panic", "compile error", "interrupted": Jupyter's ename
	Value     string   // one line: Jupyter's evalue
	Traceback []string // lines with ANSI colors, including Name and Value
}

// Error returns "Name: Value".
func (e *Error) Error() string { return e.Name + ": " + e.Value }

// Completion lists the strings that can replace code[Start:End].
type Completion struct {
	Start, End int
	Matches    []Match
}

// Match is one completion.
type Match struct {
	Text      string
	Kind      string // function, method, type, module, field, variable, constant, keyword, magic, file
	Signature string
	// Import is the path of a package that the cell must import to use the name, or "". Only a
	// query about a draft of a notebook returns such names.
	Import string
}

// Completeness tells a console whether to run the code when the user has pressed Enter.
type Completeness struct {
	Status string // complete, incomplete, invalid or unknown
	Indent string // indentation for the next line of an incomplete cell
}
