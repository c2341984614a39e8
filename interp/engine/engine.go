// Package engine is the interface between the frontend of a notebook session, which parses, checks
// and rewrites cells, and the engines, which run checked Go. All code that crosses the interface
// has passed go/types. An engine runs a cell as the Go specification says, or refuses the cell
// before any of it has run.
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

// Cell is a checked cell: a package of its own, whose scope also holds the visible objects of
// earlier cells.
type Cell struct {
	Number int // identifies the cell in the hooks
	Fset   *token.FileSet
	// Package has the path "main". The objects of earlier cells that the cell uses stay in the
	// packages of those cells.
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
	// Entry is the function without parameters and results that holds the cell's statements, or nil
	// if the cell has only declarations. Variables that the statements declare for the session are
	// package variables of the cell. Their declarations may have neither a type nor a value in the
	// syntax: the entry assigns them, and Info.Defs has their types.
	Entry *types.Func
	// Replaces maps an object of an earlier cell to its newer declaration with the identical type.
	// From now on, code uses the newer object, even if the code was compiled earlier or still names
	// the older object. A variable starts with the value of the variable that it replaces. The two
	// variables may share memory, since nothing holds the address of the older variable.
	//
	// A cell may declare a method of a type that an earlier cell declared. If the method is new to
	// the type, Info.Defs has the object in the type's method set, which belongs to this cell's
	// Package. Otherwise Info.Defs has another object, and Replaces maps the object in the method
	// set to it. Calls continue to use the object in the method set.
	Replaces map[types.Object]types.Object
	// Succeeds maps a type of an earlier cell to its declaration in this cell, which has the same
	// underlying type but different methods. A generic type stands for all its instances. From now
	// on, values of the older type are values of the newer type. Replaces may map a variable to a
	// variable whose type differs only by containing the newer type.
	Succeeds map[*types.Named]*types.Named
	// Preset lists the variables without an initializer that the session sets between Compile and
	// Run.
	Preset map[types.Object]bool
	// Packages lists the packages from source that the cell needs, each after its imports. Before
	// anything else in the cell, the engine initializes the packages that no earlier cell has
	// initialized.
	Packages []*Package
	// Evaluated means that a debugger runs the cell. The debugger does not stop the cell, and may
	// run it again.
	Evaluated bool
	// Note is set by Compile. It is a message for the user in addition to the result.
	Note string
}

// Package is a checked package with source that cells import.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Files []*ast.File
	Info  *types.Info
	// External holds the functions that have no body in the source, by name.
	External map[string]reflect.Value
	// Linked maps functions without a body, and variables, to the functions and variables of other
	// packages from source to which they are linked. Their types have the same memory layout. In
	// the type of a method, the receiver is the first parameter.
	Linked map[types.Object]types.Object
	// Preset lists the variables without an initializer that are set before the package is
	// initialized.
	Preset []Preset
}

// Preset is a variable whose value is provided.
type Preset struct {
	Var *types.Var
	Set func(v reflect.Value) error
}

// Engine compiles and runs cells of one session. Only one goroutine at a time may call its methods
// and the methods of Code, unless a method says otherwise.
type Engine interface {
	// Name returns "ssa" or "yaegi".
	Name() string
	// Compile prepares the cell to run, without running any of it. A *Refusal describes the
	// construct that cannot be evaluated. After a Refusal, the engine keeps nothing of the cell.
	Compile(cell *Cell) (Code, error)
	// Var returns the session variable v, addressable and settable.
	Var(v *types.Var) (reflect.Value, error)
	// Type returns the runtime type of t.
	Type(t types.Type) (reflect.Type, error)
	// Func returns the function f of the session, or of a package, as a value.
	Func(f *types.Func) (reflect.Value, error)
	Close() error
}

// StackWatcher is implemented by engines that end endless recursion by themselves, even through
// compiled code. For other engines, the session checks the stacks.
type StackWatcher interface{ WatchesStacks() }

// Crowded is implemented by engines that can make the goroutines of cells yield when very many of
// them are busy. Timers of the session call Stir, which does this.
type Crowded interface{ Stir() }

// Counter is implemented by engines that count the goroutines that run code of cells.
type Counter interface{ Goroutines() int }

// PanicCarrier is implemented by engines whose functions can panic through compiled code. If
// compiled code calls a function of a cell and the function panics, the panic reaches the compiled
// code. The functions of other engines return a zero value.
type PanicCarrier interface{ CarriesPanics() }

// Renewer is implemented by engines that support Cell.Succeeds.
type Renewer interface{ RenewsTypes() }

// PackageRunner is implemented by engines that support Cell.Packages.
type PackageRunner interface{ RunsPackages() }

// Forgetter is implemented by engines that can release cells that the session does not need any
// more. Code of such a cell that is running, or can still be called, continues to work.
type Forgetter interface {
	// Forget releases the package of a cell. No name may refer to the package's declarations any
	// more, and the package must declare neither types nor methods.
	Forget(pkg *types.Package)
	// Retire releases all of a package except its types, their methods, and the functions and
	// variables that the methods use, because values of these types may still exist. No name may
	// refer to the declarations of the package any more. Retire returns false if the engine still
	// needs the whole package.
	Retire(pkg *types.Package) bool
}

// Idler is implemented by engines that know whether any code of cells is running.
type Idler interface {
	// Idle reports whether no cell, and no goroutine started by a cell, runs or waits.
	Idle() bool
}

// Code is a compiled cell, to be run once.
type Code interface {
	// Run initializes the cell's package variables in the order of the specification and then calls
	// its entry. The error is nil, a *Panic, a *Exit, or a *Stopped if the context ended. When Run
	// returns, the cell's entry no longer runs, but goroutines that the cell started may still run.
	// If the cell was stopped, they have been told to end, too.
	Run(ctx context.Context) error
}

// Caller is implemented by engines that can run a compiled function as a cell. The run has the same
// outcomes as a cell, even in code of cells that the function calls, and no debugger stops it.
// Panics in code that the function calls are passed to Hooks.Recovered with where, unless where is
// "".
type Caller interface {
	Caller(cell int, where string, f func()) Code
}

// Hooks lets the session handle events of running code. Each hook may be nil.
type Hooks struct {
	// GoPanic is called with a panic that ended a goroutine of the cell.
	GoPanic func(cell int, p *Panic)
	// Recovered is called with a panic that ends something other than the cell; where is InHandler
	// or WhileShown.
	Recovered func(cell int, where string, p *Panic)
	// Stdout and Stderr receive the text that interpreted code of the cell prints with the
	// fmt.Print functions, print, println and package log, and the text that it writes to os.Stdout
	// and os.Stderr.
	Stdout, Stderr func(cell int, text []byte)
	// Stdin provides the input that interpreted code reads from os.Stdin.
	Stdin io.Reader
	// Room is called before code of cells allocates many bytes at once. If Room returns an error,
	// the code panics with a value that wraps the error.
	Room func(bytes uint64) error
	// Compiled is called after a function was JIT-compiled and before its code runs. It may be nil.
	Compiled func(c JITCode)
	// MaxDepth limits the nesting of interpreted calls; 0 means the default.
	MaxDepth int
}

// The places where a panic does not end its cell.
const (
	InHandler  = "in an HTTP handler"
	WhileShown = "while a value was shown"
)

// Refusal is the error for a construct that this engine cannot evaluate correctly.
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
	Text  string  // what Go prints after "panic: ", including re-panics and Goexit
	Stack []Frame // innermost first, cell code only
	// Overflow is the name of the function that recursed too deep, if that is the cause.
	Overflow string
	// Fatal means that the program could not continue: Go prints its text after "fatal error: ",
	// and no code could recover.
	Fatal bool
	// Depth is the depth of calls at which the overflow was detected.
	Depth int
}

// Kind returns the prefix that Go prints before the text.
func (p *Panic) Kind() string {
	if p.Fatal {
		return "fatal error"
	}
	return "panic"
}

func (p *Panic) Error() string { return p.Kind() + ": " + p.Text }

// NoRoom is the panic value that ends code that requests more memory at once than is available.
// NoRoom wraps the error that Hooks.Room returned. Cell code cannot recover it.
type NoRoom struct{ Err error }

func (e NoRoom) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e NoRoom) Unwrap() error { return e.Err }

// RuntimeError marks e as a [runtime.Error].
func (NoRoom) RuntimeError() {}

// Stopped is the error of a cell whose context has ended.
type Stopped struct {
	Cause error   // why the context has ended
	Stack []Frame // what the cell was doing, innermost first; nil when it is not known
}

func (s *Stopped) Error() string { return s.Cause.Error() }

// Unwrap returns the cause.
func (s *Stopped) Unwrap() error { return s.Cause }

// Exit is the error of a cell that called os.Exit, log.Fatal or the like.
type Exit struct {
	Code  int
	Stack []Frame // stack of the call, innermost first; nil when it is not known
}

func (e *Exit) Error() string { return fmt.Sprintf("exit status %d", e.Code) }
