// Package interp is a notebook session: cells go in; values, output and errors
// come out. The stages of a cell are packages of their own: split takes its text
// apart, check type-checks it in the scope of the notebook, rewrite turns the
// cell language into Go, an engine compiles and runs it, value shows what it is
// worth. complete and inspect answer questions about code from the same types.
package interp

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/symbols"
)

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
// behind.
type Output interface {
	display.Sink
	Stdout(text string)
	Stderr(text string)
	// Input asks the user for a line and waits for it. io.EOF means that the
	// user ended the input.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// Result is what a cell is worth; Value is nil when there is nothing to show.
type Result struct {
	Value *display.Bundle
}

// Error is a failed cell as the user reads it; Eval returns no other.
type Error = fault.Error

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
}

// Session is a notebook session. Eval and Expression are called by one goroutine
// at a time; Complete, Inspect and IsComplete at any time.
type Session struct {
	engine   engine.Engine
	packages *symbols.Importer
	limit    uint64

	mu    sync.Mutex // guards what follows: the front's state
	fset  *token.FileSet
	scope scope
	sites map[int]rewrite.Site // operations on vectors, by the position of the operator

	runs    int // cells so far
	outputs outputs
	running running
	watch   watch
	notice  string // for the first cell
}

// New opens a session.
func New(opt Options) (*Session, error) {
	if opt.Engine == nil {
		return nil, errors.New("interp: a session needs an engine: set Options.Engine")
	}
	s := newSession(nil, opt.MemoryLimit)
	eng, err := opt.Engine(s.hooks(), s.packages)
	if err != nil && opt.Fallback != nil {
		why := err
		eng, err = opt.Fallback(s.hooks(), s.packages)
		if err == nil {
			s.notice = fmt.Sprintf("This session runs on the engine %s, which is slower and refuses more Go: %v.", eng.Name(), why)
		}
	}
	if err != nil {
		return nil, err
	}
	s.engine = eng
	course.Install()
	return s, nil
}

func newSession(eng engine.Engine, limit uint64) *Session {
	if limit == 0 {
		limit = defaultMemoryLimit()
	}
	return &Session{
		engine:   eng,
		packages: symbols.NewImporter(),
		limit:    limit,
		fset:     token.NewFileSet(),
		scope:    newScope(),
		sites:    map[int]rewrite.Site{},
	}
}

// Close ends the session and everything that still runs in it.
func (s *Session) Close() error {
	s.outputs.close()
	return s.engine.Close()
}

// visible gives the object that a name of the session stands for.
func (s *Session) visible(name string) types.Object {
	if d := s.scope.names[name]; d != nil {
		return d.obj
	}
	return s.prelude(name)
}
