// Package yaegi is the fallback engine: it runs cells on the yaegi interpreter, on every platform
// that Go supports. It is the only importer of the interpreter.
//
// The interpreter runs parts of Go incorrectly without reporting an error. The package therefore
// first lowers a cell to constructs that the interpreter runs correctly. It writes a new program
// from the checked syntax tree. In that program, every name is used once, constants are folded,
// generics are instantiated, methods are replaced with functions, and constructs such as range over
// functions and per-iteration loop variables are expanded. Constructs that cannot be lowered and
// are known to go wrong are refused with their position.
package yaegi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/types"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traefik/yaegi/interp"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Notice is shown once to the user of a session that runs on this engine.
const Notice = "This session runs on the fallback engine (yaegi): it refuses some constructs of Go, is slower, and in rare cases differs from Go."

// stopWait is the maximum time that a stopped cell has to end.
const stopWait = 2 * time.Second

// Engine runs cells on the yaegi interpreter.
type Engine struct {
	hooks    engine.Hooks
	importer *symbols.Importer
	in       *interp.Interpreter
	world    *world
	sources  map[string]bool               // packages whose generic sources are known
	trace    lockedBuffer                  // the interpreter's notes on panics
	running  atomic.Int64                  // number of the running cell
	ended    chan struct{}                 // closed when the running cell's code has ended
	stopped  atomic.Pointer[chan struct{}] // closed when the running cell is stopped
	failed   atomic.Pointer[string]        // error of the interpreter itself
	serial   int
	types    map[string]reflect.Type
	used     map[string]bool // compiled packages that the interpreter has
}

// New makes an engine whose cells were checked with the packages of im.
func New(im *symbols.Importer, hooks engine.Hooks) (*Engine, error) {
	e := &Engine{hooks: hooks, importer: im, world: newWorld(), sources: map[string]bool{}, types: map[string]reflect.Type{}, used: map[string]bool{hostPath: true, instancesPath: true}}
	e.in = interp.New(interp.Options{Stderr: &e.trace, Unrestricted: true})
	if err := e.in.Use(e.host()); err != nil {
		return nil, fmt.Errorf("yaegi: %w", err)
	}
	if err := e.in.Use(instanceExports()); err != nil {
		return nil, fmt.Errorf("yaegi: %w", err)
	}
	if err := e.in.Use(wrapperExports()); err != nil {
		return nil, fmt.Errorf("yaegi: %w", err)
	}
	if _, err := e.in.Eval("var " + e.world.position + ", " + e.world.rounds + " int"); err != nil {
		return nil, fmt.Errorf("yaegi: %w", err)
	}
	return e, nil
}

// Name returns "yaegi".
func (e *Engine) Name() string { return "yaegi" }

// Close releases the session.
func (e *Engine) Close() error {
	e.in, e.world = nil, nil
	return nil
}

// Compile lowers the cell and compiles the lowered program. It refuses code that the interpreter
// does not accept.
func (e *Engine) Compile(cell *engine.Cell) (code engine.Code, err error) {
	u := &unit{number: cell.Number, fset: cell.Fset, info: cell.Info}
	l := &lowering{w: e.world, unit: u, generics: e.generics, imports: map[string]string{}}
	defer func() {
		if err != nil {
			e.world.rollback()
		}
	}()
	entry, err := lower(l, cell)
	if err != nil {
		return nil, err
	}
	program, err := e.program(l)
	if err != nil {
		return nil, &engine.Refusal{What: "this cell cannot be run by the fallback engine: " + err.Error(), Advice: "choose the default engine, or write it in another way"}
	}
	if _, err := e.in.Execute(program); err != nil {
		return nil, &engine.Refusal{What: "this cell cannot be run by the fallback engine: " + err.Error(), Advice: "choose the default engine, or write it in another way"}
	}
	e.world.commit()
	return &compiled{engine: e, cell: cell, entry: entry}, nil
}

// lower runs the lowering and returns a refusal as an error.
func lower(l *lowering, cell *engine.Cell) (entry string, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *engine.Refusal:
			err = r
		default:
			err = fmt.Errorf("yaegi: lowering cell %d: %v\n%s", cell.Number, r, debug.Stack())
		}
	}()
	return l.cell(cell), nil
}

// compile compiles a program of declarations.
func (e *Engine) compile(src string) (p *interp.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the interpreter failed: %v", r)
		}
	}()
	e.serial++
	name := fmt.Sprintf("cell%d.go", e.serial)
	f, err := parser.ParseFile(e.in.FileSet(), name, "package main\n"+src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the lowered program is broken: %w\n%s", err, src)
	}
	return e.in.CompileAST(f)
}

// program compiles the output of a lowering.
func (e *Engine) program(l *lowering) (*interp.Program, error) {
	var b strings.Builder
	for path, name := range l.imports {
		if err := e.use(path); err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "import %s %q\n", name, path)
	}
	b.WriteString(l.decls.String())
	return e.compile(b.String())
}

// generics returns the source of a package's generic functions.
func (e *Engine) generics(path string) (*types.Package, error) {
	g, err := e.importer.Generics(path)
	if err != nil || g == nil {
		return nil, err
	}
	if !e.sources[path] {
		e.sources[path] = true
		e.world.addSource(&unit{fset: g.Fset, info: g.Info}, g.Files)
	}
	return g.Package, nil
}

// compiled is a cell that is ready to run.
type compiled struct {
	engine *Engine
	cell   *engine.Cell
	entry  string
}

// Run runs the cell once.
func (c *compiled) Run(ctx context.Context) error {
	e := c.engine
	e.running.Store(int64(c.cell.Number))
	e.trace.Reset()
	e.ended = make(chan struct{})
	stopped := make(chan struct{})
	e.stopped.Store(&stopped)
	e.failed.Store(nil)
	program, err := e.compile(fmt.Sprintf("import host %q\nfunc run_%d() {\ndefer host.Done()\n%s()\n}\nfunc init() { run_%d() }", hostPath, e.serial, c.entry, e.serial))
	if err != nil {
		return fmt.Errorf("yaegi: %w", err)
	}
	_, err = e.in.ExecuteWithContext(ctx, program)
	if ctx.Err() != nil {
		close(stopped)
		select {
		case <-e.ended:
		case <-time.After(stopWait):
			// A compiled call does not check the context; it runs to its end.
		}
		return &engine.Stopped{Cause: context.Cause(ctx)}
	}
	var p interp.Panic
	if errors.As(err, &p) {
		err = e.failure(p.Value)
	}
	if text := e.failed.Load(); text != nil {
		return &engine.Refusal{What: "the fallback engine failed while this cell ran: " + *text, Advice: "choose the default engine, or write it in another way"}
	}
	return err
}

// done is called by interpreted code when a cell has ended, stopped or not.
func (e *Engine) done() { close(e.ended) }

// lockedBuffer is a buffer that several goroutines can use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b.Reset()
}

func (b *lockedBuffer) Lines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Split(strings.TrimSpace(b.b.String()), "\n")
}
