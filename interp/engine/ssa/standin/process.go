package standin

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// Cells run in a process that also holds the session. Calls that would end the process end the cell
// instead, and limits that would crash it do not reach the runtime.

// process replaces functions that end the process or limit it.
type process struct {
	// The latest values that cells have set. Only cells read these values.
	maxStack, maxThreads atomic.Int64
}

func newProcess() *process {
	p := &process{}
	p.maxStack.Store(1_000_000_000) // the runtime's initial value
	p.maxThreads.Store(10_000)
	return p
}

// overrides returns the replacements by the names of the replaced functions. The engine finds its
// thread by the profiler labels of a goroutine, so the labels that a cell sets are kept only in its
// context.Context.
func (p *process) overrides() map[string]any {
	return map[string]any{
		"os.Exit":                     exit,
		"syscall.Exit":                exit,
		"syscall.Exec":                exec,
		"runtime.Breakpoint":          func() { panic(machine.PlainError("runtime.Breakpoint: no debugger is attached to cells")) },
		"runtime/debug.SetMaxStack":   func(bytes int) int { return int(p.maxStack.Swap(int64(bytes))) },
		"runtime/debug.SetMaxThreads": func(n int) int { return int(p.maxThreads.Swap(int64(n))) },
		"runtime/pprof.Do": func(ctx context.Context, labels pprof.LabelSet, f func(context.Context)) {
			f(pprof.WithLabels(ctx, labels))
		},
		"runtime/pprof.SetGoroutineLabels": func(context.Context) {},
		"flag.Parse":                       func() { parse(flag.CommandLine, os.Args[1:]) },
		"(*flag.FlagSet).Parse":            parse,
	}
}

// exec returns an error, because it must not replace the program that holds the session.
func exec(argv0 string, _, _ []string) error {
	return fmt.Errorf("syscall.Exec: %s would replace the process that holds the session: start it as another process, with exec.Command(%q).Run() or !%[1]s", argv0, argv0)
}

// exit ends the running cell.
func exit(code int) {
	machine.End(machine.ExitSignal{Exit: &engine.Exit{Code: code, Stack: machine.StackHere()}})
}

// parse is the Parse method of a flag set. If the flag set ends the process on an error, parse ends
// the cell instead.
func parse(f *flag.FlagSet, args []string) error {
	if f.ErrorHandling() != flag.ExitOnError {
		return f.Parse(args)
	}
	f.Init(f.Name(), flag.ContinueOnError)
	defer f.Init(f.Name(), flag.ExitOnError)
	switch err := f.Parse(args); {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		exit(0)
	default:
		exit(2)
	}
	return nil
}
