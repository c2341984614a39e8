// Package engine is the border between the front of a notebook session, which
// parses, checks and rewrites cells, and what makes checked Go run. Everything
// that crosses it has been accepted by go/types; an engine runs it as the Go
// specification says, or refuses it before any of it has run.
package engine

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"reflect"
)

// Cell is one checked cell: a package of its own whose scope also holds the
// still visible objects of earlier cells.
type Cell struct {
	Number int // tells the cell to the hooks
	Fset   *token.FileSet
	// Package has the path "main". Objects of earlier cells that it uses keep
	// the package they were made in.
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
	// Entry is the function without parameters and results that holds the
	// cell's statements; nil when it has declarations only. Variables that the
	// statements declare for the session are package variables of the cell. Their
	// declarations may have neither a type nor a value in the syntax: the entry
	// assigns them, and Info.Defs has their types.
	Entry *types.Func
	// Replaces maps an object of an earlier cell to its newer declaration with
	// the identical type: code compiled earlier, and code compiled later that
	// still names the older object, uses the newer one from now on. A variable
	// begins with the value of the one that it replaces; the two may share their
	// place in memory, since nobody holds the address of the older one.
	//
	// A cell may declare a method of a type that an earlier cell declared. When it
	// is new to the type, Info.Defs has the object that the type's method set has
	// got, which belongs to this cell's Package. Otherwise Info.Defs has an object
	// of its own, and Replaces maps to it the one in the method set, by which calls
	// continue to name the method.
	Replaces map[types.Object]types.Object
	// Succeeds maps a type of an earlier cell, the generic one for all its instances,
	// to its declaration in this cell, which has the same underlying type and other
	// methods: values of the older type are values of the newer one from now on.
	// Replaces may map a variable to one whose type differs by such types.
	Succeeds map[*types.Named]*types.Named
	// Preset are the variables without an initializer that the session sets between
	// Compile and Run.
	Preset map[types.Object]bool
	// Packages are those from source that the cell needs, each behind what it imports.
	// The engine initializes those that no earlier cell has initialized before anything
	// else of the cell.
	Packages []*Package
	// Evaluated says that the cell is run for a debugger: it is not stopped, and may run
	// again.
	Evaluated bool
	// Note is set by Compile: what the user should know beside the result.
	Note string
}

// Package is a checked package whose source is at hand, which cells import.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Files []*ast.File
	Info  *types.Info
	// External are the functions that have no body in the source, by name.
	External map[string]reflect.Value
	// Linked are functions without a body, and variables, that are those of other packages
	// from source, whose types are the same in memory. A method has its receiver first.
	Linked map[types.Object]types.Object
	// Preset are variables without an initializer that are set before the package is
	// initialized.
	Preset []Preset
}

// Preset is a variable that is set from outside.
type Preset struct {
	Var *types.Var
	Set func(v reflect.Value) error
}

// Engine compiles and runs cells of one session. Its methods are called from
// one goroutine at a time, except those of Code that say otherwise.
type Engine interface {
	// Name is "ssa" or "yaegi".
	Name() string
	// Compile makes the cell ready to run, and runs none of it. A *Refusal says
	// what cannot be evaluated; then nothing of the cell is known to the engine.
	Compile(cell *Cell) (Code, error)
	// Var returns the session variable v, addressable and settable.
	Var(v *types.Var) (reflect.Value, error)
	// Type returns the run-time type of t.
	Type(t types.Type) (reflect.Type, error)
	// Func returns the function f of the session, or of a package, as a value.
	Func(f *types.Func) (reflect.Value, error)
	Close() error
}

// StackWatcher is implemented by engines that end by themselves what calls itself
// without end, through compiled code, too. The session watches the stacks of
// others.
type StackWatcher interface{ WatchesStacks() }

// Crowded is implemented by engines whose goroutines yield where hundreds of them compute.
// Stir, which timers of the session call, has them do so.
type Crowded interface{ Stir() }

// Counter is implemented by engines that know how many goroutines run code of cells.
type Counter interface{ Goroutines() int }

// PanicCarrier is implemented by engines whose functions, when compiled code calls
// them, panic as compiled functions do. From those of others a zero value comes back.
type PanicCarrier interface{ CarriesPanics() }

// Renewer is implemented by engines that know Cell.Succeeds.
type Renewer interface{ RenewsTypes() }

// PackageRunner is implemented by engines that know Cell.Packages.
type PackageRunner interface{ RunsPackages() }

// Forgetter is implemented by engines that give back the cells of which the session
// needs nothing more. What runs of such a cell, or can still be called, continues.
type Forgetter interface {
	// Forget is told that no name leads to what the package of a cell declares, and
	// that it declares neither types nor methods.
	Forget(pkg *types.Package)
}

// Idler is implemented by engines that know whether any code of cells is running.
type Idler interface {
	// Idle reports whether no cell, and no goroutine that a cell has started, is
	// running or waits.
	Idle() bool
}

// Code is a compiled cell, to be run once.
type Code interface {
	// Run initialises the cell's package variables in the order of the
	// specification and then calls its entry. The error is nil, a *Panic, a
	// *Exit, or a *Stopped when the context ended; when it returns, nothing of the
	// cell runs on but the goroutines it started, unless it was stopped: then
	// those have been told to end too.
	Run(ctx context.Context) error
}

// Caller is implemented by engines that run a compiled function as a cell: with the same
// ends, also of what the function calls of the cells' code. No debugger stops it. Panics
// of code that it calls are told to Hooks.Recovered with a place, unless that is "".
type Caller interface {
	Caller(cell int, where string, f func()) Code
}

// Hooks lets the session take part in what running code does. Any may be nil.
type Hooks struct {
	// GoPanic is told of a panic that ended a goroutine of the cell.
	GoPanic func(cell int, p *Panic)
	// Recovered is told of a panic that ends something else than the cell: where
	// is InHandler or WhileShown.
	Recovered func(cell int, where string, p *Panic)
	// Stdout and Stderr take what interpreted code of the cell prints by the
	// fmt.Print family, print and println, package log, and to os.Stdout and
	// os.Stderr.
	Stdout, Stderr func(cell int, text []byte)
	// Stdin is what interpreted code reads from os.Stdin.
	Stdin io.Reader
	// Room is asked before code of cells allocates so many bytes at once, when they are
	// many. An error ends the code: the value of its panic wraps it.
	Room func(bytes uint64) error
	// MaxDepth bounds the nesting of interpreted calls; 0 means the default.
	MaxDepth int
}

// Where a panic was that does not end its cell.
const (
	InHandler  = "in an HTTP handler"
	WhileShown = "while a value was shown"
)

// Refusal says that a construct cannot be evaluated correctly by this engine.
type Refusal struct {
	Pos    token.Pos
	What   string // "defer inside a range-over-func loop"
	Advice string // what to write instead
}

func (r *Refusal) Error() string {
	if r.Advice == "" {
		return r.What
	}
	return r.What + "; " + r.Advice
}

// Frame is one call of interpreted code on a stack.
type Frame struct {
	Func string // "depth", "(*Node).Sum", "func literal in main"
	Pos  token.Position
}

// Panic is a panic that no cell code recovered.
type Panic struct {
	Value any
	Text  string  // as Go prints it behind "panic: ", re-panics and Goexit included
	Stack []Frame // innermost first, cell code only
	// Overflow names the function that recursed too deep, if that is the cause.
	Overflow string
	// Fatal says that the program could not continue: its text stands behind "fatal
	// error: ", and no code was able to recover.
	Fatal bool
	// Depth is the depth of calls at which the overflow was noticed.
	Depth int
}

// Kind returns what Go prints before the text.
func (p *Panic) Kind() string {
	if p.Fatal {
		return "fatal error"
	}
	return "panic"
}

func (p *Panic) Error() string { return p.Kind() + ": " + p.Text }

// NoRoom is the value of the panic that ends code which has asked for more memory at once
// than there is, for the reason that Hooks.Room gave. Cell code cannot recover it.
type NoRoom struct{ Err error }

func (e NoRoom) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e NoRoom) Unwrap() error { return e.Err }

// RuntimeError marks e as a [runtime.Error].
func (NoRoom) RuntimeError() {}

// Stopped is the end of a cell whose context has ended.
type Stopped struct {
	Cause error   // why the context has ended
	Stack []Frame // what the cell was doing, innermost first; nil when it is not known
}

func (s *Stopped) Error() string { return s.Cause.Error() }

// Unwrap returns the cause.
func (s *Stopped) Unwrap() error { return s.Cause }

// Exit is the end of a cell that called os.Exit, log.Fatal or the like.
type Exit struct {
	Code  int
	Stack []Frame // of the call, innermost first; nil when it is not known
}

func (e *Exit) Error() string { return fmt.Sprintf("exit status %d", e.Code) }
