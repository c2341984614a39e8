// Package machine runs compiled functions of cells.
//
// Callers refer to a [Function]. Its [Code] is compiled when the code is first needed, and consists
// of a graph of [Block]s of [Op]s. A goroutine of interpreted code has a [Thread] with one [Stack]
// of frames for each function. The threads of a cell belong to its [Run]. Calls from outside any
// cell belong to the background run, for example a call of a String method to show a value. This
// package also has:
//
//   - panics and deferred calls (panics.go)
//   - stack traces (trace.go)
//   - stopping a run (stopping.go)
//   - deadlocks (deadlock.go)
//   - excessively deep recursion (deep.go)
//   - crowds of goroutines (crowd.go)
//   - dead frame slots (tidy.go)
//   - profiles (sampling.go)
//   - JIT-compiled code (native.go)
//   - stops and inspection for a debugger (sites.go, debugging.go, inspecting.go)
//
// Package machine may import engine, goroutine, layout, native and rtype, and go/ssa to name
// functions and find their positions. It must not inspect the instructions of a function to run it:
// it asks the compiler through its [World]. It must not depend on which compiled functions are
// replaced for cells; the replacements depend on the machine.
//
// # Locks
//
// The order in which locks may be held together:
//
//  1. the once of a Code, while its function is compiled;
//  2. building of the engine: nothing is compiled or run while it is held;
//  3. mu of the engine, of its variables and cells;
//  4. mu of rtype.Types, which calls back only Enclosing;
//  5. mu of the engine's local types;
//  6. mu of a Machine, of its functions: nothing is called while it is held;
//  7. mu of a Debugging, then mu of a Run, of its threads;
//  8. mu of the set of runs.
//
// The locks of stand-ins come last, and are held only for a lookup in their tables. The one
// exception is the lock of a logger: as in package log, it is held while the logger's writer works.
// Cell code runs under no other lock.
//
// The frames of a thread belong to its goroutine. Another goroutine may read them in three cases.
// In the first case, the thread waits and is kept waiting (Thread.inspect). In the second case, its
// run is stopped and the thread is in compiled code, after which it waits for mu of the Run
// (Run.leftIn). In the third case, the thread has ended. Only fields of atomic types may be set by
// other goroutines at any time.
//
// A frame is a heap object; its Stack in the Thread keeps it alive. No frame is on the stack of a
// goroutine, and nothing in a frame points to such a stack. The only stack value that reaches this
// package is an rtype.Call, which follows the same rule here: it is passed down the call stack,
// never kept.
package machine
