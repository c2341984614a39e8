// Package interp implements a notebook session: it runs cells and returns values, output and
// errors. Each stage of a cell is a package. Package split parses the text of a cell, and check
// type-checks it in the scope of the notebook. Package rewrite translates the cell language to Go,
// an engine compiles and runs the Go code, and value formats the result. Packages complete and
// inspect answer queries about code from the same types.
package interp

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/interp/debug"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/export"
	"github.com/gokernel/gokernel/interp/memory"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Options configure a session.
type Options struct {
	// Engine creates the engine that runs the cells. Packages that cells import come from the
	// importer, which the engine must also use to find packages.
	Engine func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)
	// Fallback creates the engine if Engine fails; the first cell reports that. It may be nil.
	Fallback func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)
	// MemoryLimit is the size in bytes of the heap at which a cell is stopped. 0 means three
	// quarters of the machine's memory.
	MemoryLimit uint64
	// Modules configures how the session finds packages that are not part of the kernel.
	Modules Modules
	// Graded restricts cells to what a homework submission may do. They can't declare the verbs
	// that check it, run shell commands, or import a package that is not on the list.
	Graded bool
	// Allowed lists packages that a graded session may import in addition to the list.
	Allowed []string
	// Judge resets the variables of the session before each autograder cell.
	Judge bool
	// Warn reports code in cells that compiles but is probably a mistake. The magic %warn turns the
	// warnings on and off.
	Warn bool
	// Checkpoint is the file that keeps the values of variables when the process ends; "" means
	// none. CheckpointLimit is their maximum size in bytes.
	Checkpoint      string
	CheckpointLimit int64
}

// Session is a notebook session. Only one goroutine at a time may call Eval or Expression.
// Complete, Inspect and IsComplete may be called at any time.
type Session struct {
	turn     chan struct{} // holds one element while code of cells runs; a debugger waits for it to be empty
	debugger *debug.Debugger

	mu       sync.Mutex // held while the compiler works or answers queries
	compiler *pipeline.Compiler

	runs    int           // number of cells so far
	ran     []export.Cell // cells that have run without an error
	outputs outputs
	running running
	memory  memory.Watch
	notice  string // note for the first cell
	profile profiling
	capture capturing
	auto    checkpoints
	judging judging

	machineCode atomic.Pointer[func(evaluator.MachineCode)] // receives JIT-compiled code

	recorded bool            // whether the notebook's metadata records the versions of modules
	told     map[string]bool // module versions for which the session has explained how to keep them
}

// New opens a session.
func New(opt Options) (*Session, error) {
	if opt.Engine == nil {
		return nil, errors.New("interp: a session needs an engine: set Options.Engine")
	}
	s := newSession(nil, opt.MemoryLimit)
	eng, err := opt.Engine(s.hooks(), s.compiler.Packages)
	if err != nil && opt.Fallback != nil {
		why := err
		eng, err = opt.Fallback(s.hooks(), s.compiler.Packages)
		if err == nil {
			s.notice = fmt.Sprintf("This session runs on the engine %s, which is slower and refuses more Go: %v.", eng.Name(), why)
		}
	}
	if err != nil {
		return nil, err
	}
	s.compiler.Engine = eng
	s.compiler.Graded, s.compiler.Allowed, s.compiler.Warn = opt.Graded, opt.Allowed, opt.Warn
	s.judging.on = opt.Judge
	s.compiler.Sources.Env, s.compiler.Sources.Kept, s.recorded = opt.Modules.Env, opt.Modules.Kept, opt.Modules.Recorded
	_, s.memory.HeapOnly = eng.(engine.StackWatcher)
	if c, ok := eng.(engine.Crowded); ok {
		s.memory.Stir = c.Stir
	}
	if err := s.auto.open(opt.Checkpoint, opt.CheckpointLimit); err != nil {
		return nil, err
	}
	course.Install()
	return s, nil
}

func newSession(eng engine.Engine, limit uint64) *Session {
	s := &Session{compiler: pipeline.New(symbols.NewImporter()), turn: make(chan struct{}, 1)}
	s.compiler.Engine = eng
	s.memory.Limit = limit
	s.debugger = debug.New(debugged{s})
	return s
}

// Close ends the session and everything that still runs in it.
func (s *Session) Close() error {
	s.auto.stop()
	s.outputs.close()
	return s.compiler.Engine.Close()
}
