package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// Session is a notebook session as the evaluator process runs it. Eval and
// Expression are called by one goroutine at a time; the questions about code
// (Complete, Inspect, IsComplete) may come at any time, also while a cell runs.
// Offsets are bytes.
type Session interface {
	// Eval runs one cell. It returns a *CellError when the cell fails, and
	// returns soon after ctx is canceled.
	Eval(ctx context.Context, cell Cell, out Output) (Result, error)
	// Expression evaluates one expression for its value.
	Expression(ctx context.Context, code string) (display.Bundle, error)
	// Complete lists what may stand at the cursor.
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	// Inspect documents the name at the cursor; false means there is none.
	Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error)
	// IsComplete tells whether code is a whole cell.
	IsComplete(code string) Completeness
	// Close frees what the session holds.
	Close() error
}

// Cell is the code of one cell and how it is to be run.
type Cell struct {
	Code   string
	Number int  // the number that the cell has in the notebook, such as 3 in In[3]
	Silent bool // no value is shown
	// AllowStdin tells whether the cell may ask for input.
	AllowStdin bool
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

// Result is the value of a cell; Value is nil when there is none to show.
type Result struct {
	Value *display.Bundle
}

// CellError is the failure of a cell as the user reads it.
type CellError struct {
	Name      string   // "panic", "compile error", "interrupted"
	Value     string   // one line
	Traceback []string // lines, with ANSI colors
}

func (e *CellError) Error() string { return e.Name + ": " + e.Value }

// Completion lists the texts that may replace code[Start:End].
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

// Completeness tells whether a cell is whole: Status is complete, incomplete,
// invalid or unknown, and Indent is what the next line of an incomplete one
// starts with.
type Completeness struct {
	Status string
	Indent string
}

// The names of the errors that this package makes.
const (
	nameLost        = "session lost"
	nameInterrupted = "interrupted"
)

// lostCells tells what went with an evaluator that has run the cells.
func lostCells(cells []int) string {
	switch n := len(cells); n {
	case 0:
		return "The session was lost; no cell had declared anything yet."
	case 1:
		return fmt.Sprintf("The session was lost, and with it what cell [%d] declared: run it again.", cells[0])
	default:
		return fmt.Sprintf("The session was lost, and with it what the cells from [%d] to [%d] declared: run them again.", slices.Min(cells), slices.Max(cells))
	}
}

// advice says how the faults that end a process are avoided.
func advice(cause string) []string {
	switch {
	case strings.Contains(cause, "concurrent map"):
		return []string{"Two goroutines used a map at the same time: let a sync.Mutex guard it, or take a sync.Map."}
	case strings.Contains(cause, "unlock of unlocked"):
		return []string{"Unlock was called for a mutex that nobody had locked."}
	case cause == "out of memory":
		return []string{"The cell asked for more memory than there is."}
	}
	return nil
}

func newError(name, value string, lines ...string) *CellError {
	const red, reset = "\x1b[31m", "\x1b[0m"
	tb := append([]string{red + name + reset + ": " + value}, lines...)
	return &CellError{Name: name, Value: strings.ReplaceAll(value, "\n", " "), Traceback: tb}
}
