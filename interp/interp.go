// Package interp is a notebook session: cells go in; values, output and errors
// come out. The stages of a cell are packages of their own: split takes its text
// apart, check type-checks it in the scope of the notebook, rewrite turns the
// cell language into Go, an engine compiles and runs it, value shows what it is
// worth. complete and inspect answer questions about code from the same types.
package interp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/interp/debug"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/export"
	"github.com/gokernel/gokernel/interp/memory"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Options are what a session needs.
type Options struct {
	// Engine makes the engine that runs the cells. Packages that cells import
	// come from the importer, which the engine must use too where it looks
	// packages up.
	Engine func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)
	// Fallback makes the engine where Engine fails; the first cell says so. It
	// may be nil.
	Fallback func(hooks engine.Hooks, packages *symbols.Importer) (engine.Engine, error)
	// MemoryLimit is the size in bytes of the heap at which a cell is stopped; 0
	// means three quarters of the machine's memory.
	MemoryLimit uint64
	// Modules says how packages that are not compiled in are found.
	Modules Modules
	// Graded refuses what a submission of homework may not do: declare the verbs that
	// check it, run commands of the shell, or import a package that is not on the list.
	Graded bool
	// Allowed are packages that a graded session may import beside those of the list.
	Allowed []string
	// Judge resets the variables of cells before each cell with checks.
	Judge bool
	// Warn lets cells be checked for what compiles and is hardly meant. The magic %warn
	// turns it on and off.
	Warn bool
	// Checkpoint is the file that keeps the values of variables for when the process ends;
	// "" for none. CheckpointLimit is how large they may be, in bytes.
	Checkpoint      string
	CheckpointLimit int64
}

// Session is a notebook session. Eval and Expression are called by one goroutine
// at a time; Complete, Inspect and IsComplete at any time.
type Session struct {
	turn     chan struct{} // holds one element while code of cells runs; a debugger looks when none does
	debugger *debug.Debugger

	mu       sync.Mutex // held while the compiler works or is asked
	compiler *pipeline.Compiler

	runs    int           // cells so far
	ran     []export.Cell // those that have run without an error
	outputs outputs
	running running
	memory  memory.Watch
	notice  string // for the first cell
	profile profiling
	capture capturing
	auto    checkpoints
	judging judging

	recorded bool            // the notebook's metadata will have the versions of modules
	told     map[string]bool // versions of modules that the user was told how to keep
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
