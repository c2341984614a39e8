// Package ssa is the default engine of a session: checked Go to go/ssa form,
// and that to trees of Go closures over typed frames.
//
// # How it works
//
// A function is compiled when it is first called. Its frame is one heap object
// with a pointer bitmap of its own (package layout); parameters, results, SSA values
// that need a place and local variables whose address does not escape lie at
// fixed offsets. Values are laid out as compiled Go lays them out, and the
// types are real runtime types (package rtype), so that a pointer, an
// interface or a function value crosses into compiled code as it is.
//
// An SSA value that is used once, in its own block, by something that can take
// it so, has no frame slot: it becomes part of the expression tree of
// its user (compile/fuse.go). A tree is a closure of type expr[T] that returns the
// value; a statement is an op; the end of a block is a closure that gives the
// next block. Operators are specialised for operands in the frame, constants
// and trees (compile/arith_gen.go), those of int and float64 also for variables, fields
// and elements (loads_gen.go). x op= y is one op (update.go).
//
// Calls of small functions that call nothing are compiled into their callers
// (inline.go). The end of a loop is one branch that steps and compares, and a
// loop of one block runs itself (loops.go). Variables of struct types are
// computed where they lie (variables.go).
//
// A goroutine of interpreted code has a machine.Thread, which keeps its frames on
// one stack per function, its call depth and the poll for stop requests. The
// depth and the number of the running op are in each frame, so that a stack
// trace is read from the frames when something panics and costs nothing before.
//
// With GOKERNEL_NATIVE=on, a function that is hot and has a loop without
// allocations and stores of pointers, or calls functions that change no memory, becomes
// machine code (package native, compile/native.go). It works on the frame of the function and leaves to any op, so that
// all else stays with the closures (machine/native.go).
//
// # Packages
//
// The packages below are parts of the engine. The doc.go of each says what it may import.
// Imports run one way, and no package imports this one; cmd/gokernel/testdata/imports.txt
// lists them.
//
//	goroutine  identity, stack, state and local data of goroutines
//	rtype      run-time types and func values
//	dataflow   sets and liveness on control-flow graphs
//	live       which values of a function are needed where
//	layout     frame slots
//	native     machine code of functions in a form of its own: linux, amd64 and arm64
//	outcall    calls of compiled functions
//	machine    threads, runs, panics, traces; the order of all locks
//	standin    replacements for compiled functions
//	compile    compiles functions of go/ssa to ops over frames
//	jit        compiles hot functions to the form of native
//
// Here is the [Engine] that joins them to a session (engine.go): which packages
// the go/ssa program has (resolve.go, unfinished.go), what is refused before a
// cell runs (refusals.go), in which order a statement reads and calls (order.go, reads.go, temporary.go), which compiled functions there are (external.go), the
// types that generic functions declare (locals.go), types that get methods in
// later cells (renew.go), and the form of cells that a debugger stops
// (instrument.go, debugform.go, debugger.go). A newcomer reads engine.go first, then package
// machine, then compile.
//
// # Looking at what was compiled
//
// All tests of this package run with the checks of package compile.
//
//	go test ./interp/engine/ssa -run TestDump -v -dump cell.go
//
// writes down the blocks, ops and places of the functions of a cell: a file with
// declarations and a func main, without a package clause.
package ssa

//go:generate go run ./gen
