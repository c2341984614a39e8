package kernel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gokernel/gokernel/display"
)

// Cell is one execute_request as the evaluator sees it.
type Cell struct {
	Code   string
	Number int  // the execution count that the cell has or, when silent, would have
	Silent bool // no result is shown
	// AllowStdin tells whether the cell may ask for input.
	AllowStdin bool
}

// Output is where a running cell's output goes. Its methods are safe for
// concurrent use and may be called after Eval has returned, by goroutines that
// the cell left behind.
type Output interface {
	display.Sink
	Stdout(text string)
	Stderr(text string)
	// Input asks the user for a line and waits for it. io.EOF means the user
	// ended the input.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// Result is the value of a cell that succeeded.
type Result struct {
	// Value is the bundle to show as Out[n]; nil when there is none.
	Value *display.Bundle
}

// CellError is a failed cell as the user reads it; Eval returns one for every
// failure that is the cell's own.
type CellError struct {
	Name      string   // ename: "panic", "compile error", "interrupted" ...
	Value     string   // evalue: one line
	Traceback []string // lines with ANSI colors; holds Name and Value too
}

// Error returns the name and the value.
func (e *CellError) Error() string { return e.Name + ": " + e.Value }

// Completion is the answer to a complete_request, in byte offsets of the code.
type Completion struct {
	Start, End int
	Matches    []Match
}

// Match is one completion.
type Match struct {
	Text      string
	Kind      string // function, method, type, module, field, variable, constant, keyword, magic
	Signature string
}

// questionLimit bounds questions about code: behind one that is never answered
// the channel would wait for ever, and no interrupt reaches it.
const questionLimit = 10 * time.Second

// question calls f, which asks the evaluator, for no longer than questionLimit.
func question[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, questionLimit)
	defer cancel()
	v, err := f(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("kernel: the evaluator has not answered within %v: ask again, or restart the kernel", questionLimit)
	}
	return v, err
}

// Completeness is the answer to an is_complete_request.
type Completeness struct {
	Status string // complete, incomplete, invalid, unknown
	Indent string // for incomplete
}

// Evaluator runs cells, one at a time, and answers questions about code, also
// while a cell runs. Offsets are bytes; the kernel converts code points.
type Evaluator interface {
	Eval(ctx context.Context, cell Cell, out Output) (Result, error)
	// Expression evaluates one of an execute_request's user_expressions.
	Expression(ctx context.Context, code string) (display.Bundle, error)
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error)
	IsComplete(code string) Completeness
	// Interrupt stops the running cell: softly at first; a second call, or
	// nothing yielding for a while, replaces the evaluator behind the session.
	// It returns at once and does nothing when no cell runs.
	Interrupt()
	Close() error
}
