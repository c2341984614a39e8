package worker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

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

func newError(name, value string, lines ...string) *evaluator.Error {
	const bold, reset = "\x1b[1m", "\x1b[0m"
	tb := append([]string{bold + name + reset + ": " + value}, lines...)
	return &evaluator.Error{Name: name, Value: strings.ReplaceAll(value, "\n", " "), Traceback: tb}
}
