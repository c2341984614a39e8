// Package evaluator has the words in which the kernel and what evaluates cells
// speak of them: cells and their outputs, results and errors, and answers about
// code. The kernel, the pipe between the two processes and the session of cells
// share these types, and nothing is converted on the way. They stand below the
// kernel, which says what it needs, and import display alone.
package evaluator

import (
	"context"
	"encoding/json"

	"github.com/gokernel/gokernel/display"
)

// Session evaluates the cells of one notebook. Eval and Expression are called by
// one goroutine at a time; the questions about code (Complete, Inspect,
// IsComplete) may come at any time, also while a cell runs. Offsets are bytes.
type Session interface {
	// Eval runs one cell. It returns an *Error when the cell fails, and returns
	// soon after ctx is canceled.
	Eval(ctx context.Context, cell Cell, out Output) (Result, error)
	// Expression evaluates one expression for its value, as frontends ask for
	// beside a cell.
	Expression(ctx context.Context, code string) (display.Bundle, error)
	// Complete lists what may stand at the cursor.
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	// Inspect documents the name at the cursor; false means that there is none.
	// Detail 1 adds the source.
	Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error)
	// IsComplete reports whether code is a whole cell.
	IsComplete(code string) Completeness
	// Close frees what the session holds.
	Close() error
}

// Widgets is implemented by sessions whose cells show widgets.
type Widgets interface {
	// Comm takes a message of the frontend over a comm, at any time, also while a
	// cell runs.
	Comm(ctx context.Context, m display.CommMessage) (CommReply, error)
	// Callbacks runs what messages have made wait, as Eval runs a cell. What fails is
	// shown where its widget is; the error says that it could not be run at all.
	Callbacks(ctx context.Context, out Output) error
}

// Debugger is implemented by sessions that let frontends look into them by the Debug
// Adapter Protocol with Jupyter's additions. Messages are JSON, as they travel.
type Debugger interface {
	// Debug answers a request with its response, at any time, also while a cell runs.
	// The error says that there is no response, not that the request failed.
	Debug(ctx context.Context, request json.RawMessage) (response json.RawMessage, err error)
	// DebugEvents sets what takes the events, one after another and in their order.
	DebugEvents(take func(event json.RawMessage))
}

// CommReply is what a message of the frontend leads to.
type CommReply struct {
	Messages []display.CommMessage // to be sent on the comm of the message
	Waiting  bool                  // something waits for Callbacks
}

// Cell is the code of one cell and how it is to be run.
type Cell struct {
	Code   string
	Number int  // the execution count that the cell has or, when silent, would have: 3 in In[3]
	Silent bool // no value is shown
	// AllowStdin reports whether the cell may ask for input.
	AllowStdin bool
	// Dialogs reports whether the cell may ask by widgets: its frontend shows them, and
	// their messages come while it runs.
	Dialogs bool
}

// Output takes what a cell shows. Its methods are safe for concurrent use and
// may be called after Eval has returned, by goroutines that the cell left
// behind: the output still belongs to that cell.
type Output interface {
	display.Sink
	Stdout(text string)
	Stderr(text string)
	// Input asks the user for a line and waits for it. io.EOF means that the
	// user ended the input.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// Result is what a cell that succeeded is worth: Value is the bundle to show as
// Out[n], nil when there is none.
type Result struct {
	Value *display.Bundle
}

// Error is a failed cell as the user reads it; Eval returns one for every
// failure that is the cell's own.
type Error struct {
	Name      string   // "panic", "compile error", "interrupted": the ename of Jupyter
	Value     string   // one line: the evalue
	Traceback []string // lines with ANSI colors, Name and Value among them
}

// Error returns the name and the value.
func (e *Error) Error() string { return e.Name + ": " + e.Value }

// Completion lists the texts that may replace code[Start:End].
type Completion struct {
	Start, End int
	Matches    []Match
}

// Match is one completion.
type Match struct {
	Text      string
	Kind      string // function, method, type, module, field, variable, constant, keyword, magic, file
	Signature string
}

// Completeness is what a console needs to know when Enter was pressed.
type Completeness struct {
	Status string // complete, incomplete, invalid or unknown
	Indent string // what the next line of an incomplete cell starts with
}
