package worker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/checkpoint"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// The names of the errors that this package creates.
const (
	nameLost        = "session lost"
	nameInterrupted = "interrupted"
)

// whatIsLost explains what was lost with an evaluator that ran the cells, and how to restore it.
func (c *Client) whatIsLost(cells []int) []string {
	saved, err := checkpoint.Summary(checkpoint.LostFile(c.opts.Checkpoint))
	if err != nil || len(saved.Variables)+len(saved.Declarations) == 0 {
		return []string{lostCells(cells)}
	}
	lines := []string{"The session was lost, but a checkpoint has " + saved.Describe() + ": type %session restore to get them back."}
	if n := len(saved.Lost); n > 0 {
		var names []string
		for _, l := range saved.Lost[:min(n, maxNames)] {
			names = append(names, l.Name+" ("+l.Why+")")
		}
		if n > maxNames {
			names = append(names, fmt.Sprintf("%d more", n-maxNames))
		}
		lines = append(lines, "Not in it: "+strings.Join(names, ", ")+".")
	}
	return lines
}

// maxNames is the maximum number of lost variables to name.
const maxNames = 8

// lostCells explains what was lost with an evaluator that ran the cells.
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

// advice explains how to avoid the error that ended a process. Code is the JIT-compiled code in
// which the process crashed, or nil.
func advice(cause string, code *evaluator.MachineCode) []string {
	switch {
	case code != nil:
		return []string{
			"The crash was in code that the JIT had compiled from " + code.Func + ".",
			"Run `" + code.Off + "` in the new session, so that this code is interpreted. If the crash doesn't happen then, please report a bug of the JIT.",
		}
	case strings.Contains(cause, "concurrent map"):
		return []string{"Two goroutines used a map at the same time: let a sync.Mutex guard it, or use a sync.Map."}
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
