// Package ssa is the default engine of a session. It translates checked Go to go/ssa form, and this
// form to trees of Go closures over typed frames.
//
// # How it works
//
// The engine compiles a function when it is first called. The frame of a function is one heap
// object with its own pointer bitmap (package layout). Parameters, results, SSA values that need a
// frame slot, and local variables whose address does not escape have fixed offsets in it. Values
// have the memory layout of compiled Go, and types are real runtime types (package rtype), so
// pointers, interfaces and function values pass into compiled code unchanged.
//
// An SSA value that is used once, in its own basic block, has no frame slot if its user can
// evaluate it in place. It becomes part of the expression tree of the user (compile/fuse.go). A
// tree is a closure of type expr[T] that returns the value. A statement is an op. The end of a
// basic block is a closure that returns the next block. Operators are specialized for operands in
// the frame, constants and trees (compile/arith_gen.go). Operators of int and float64 are also
// specialized for variables, fields and elements (loads_gen.go). x op= y is one op (update.go).
//
// Calls of small leaf functions are inlined (inline.go). The end of a loop is one branch that steps
// the counter and compares it. The closure of a loop of one block runs all iterations (loops.go).
// Variables of struct types are computed in their own memory (variables.go).
//
// A goroutine of interpreted code has a machine.Thread. The thread has one stack of frames per
// function, the call depth, and the state that code polls to see stop requests. Each frame holds
// its depth and the index of the running op, so a panic reads the stack trace from the frames, and
// a trace costs nothing before a panic.
//
// With GOKERNEL_JIT=on, the engine JIT-compiles hot functions (packages jit and native). The
// machine code works on the frame of the function, so it can let the interpreter run any op, or
// deoptimize at any op (machine/native.go).
//
// # Packages
//
// The packages below are parts of the engine. The doc.go of each package lists the packages that it
// may import. Imports run one way, and none of these packages imports package ssa;
// cmd/gokernel/testdata/imports.txt lists them.
//
//	goroutine  identity, stack, state and local data of goroutines
//	rtype      run-time types and func values
//	dataflow   sets and liveness on control-flow graphs
//	live       which values of a function are needed where
//	layout     frame slots
//	native     an intermediate form and its machine code: linux, amd64 and arm64
//	outcall    calls of compiled functions
//	machine    threads, runs, panics, traces; the order of all locks
//	standin    replacements for compiled functions
//	compile    compiles functions of go/ssa to ops over frames
//	jit        compiles hot functions to the form of native
//
// Package ssa has the [Engine], which connects these packages to a session (engine.go). It also
// has:
//
//   - the packages of the go/ssa program (resolve.go, unfinished.go)
//   - the refusal of unsupported code before a cell runs (refusals.go)
//   - the order of reads and calls in a statement (order.go, reads.go, temporary.go)
//   - lookup of compiled functions (external.go)
//   - types that generic functions declare (locals.go)
//   - types that get methods in later cells (renew.go)
//   - the form of cells that a debugger stops (instrument.go, debugform.go, debugger.go)
//
// To learn the engine, read engine.go first, then package machine, then compile.
//
// # Dumping compiled code
//
// All tests of this package run with the checks of package compile.
//
//	go test ./interp/engine/ssa -run TestDump -v -dump cell.go
//
// prints the blocks, ops and frame slots of the functions of a cell. The cell is a file with
// declarations and a func main, without a package clause.
package ssa

//go:generate go run ./gen
