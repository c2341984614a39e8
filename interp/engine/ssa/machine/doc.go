// Package machine runs the functions that the compiler has made.
//
// A [Function] is what callers know; its [Code] is compiled when it is first
// needed and consists of a graph of [Block]s of [Op]s. A goroutine of
// interpreted code has a [Thread] with one [Stack] of frames for each function.
// The threads of a cell belong to its [Run]; what is called outside of cells, a
// method String while a value is shown, to the run in the background. Panics
// and deferred calls (panics.go), traces (trace.go), stopping a run
// (stopping.go), deadlocks (deadlock.go), too deep recursions (deep.go), crowds of
// goroutines (crowd.go), dead slots (tidy.go), profiles (sampling.go), machine code (native.go) and what a debugger stops and looks at
// (sites.go, debugging.go, inspecting.go) are here.
//
// It may import engine, layout, native and rtype, and go/ssa to name functions and find
// their places. It must not look into the instructions of a function to run
// it: what it needs of the compiler, it asks by its [World]. It must not know
// which compiled functions cells get others for; these know it.
//
// # Locks
//
// In the order in which they may be held together:
//
//  1. the once of a Code, while its function is compiled;
//  2. building of the engine: nothing is compiled or run while it is held;
//  3. mu of the engine, of its variables and cells;
//  4. mu of rtype.Types, which calls back Enclosing alone;
//  5. mu of the engine's local types;
//  6. mu of a Machine, of its functions; nothing is called while it is held;
//  7. mu of a Debugging, then mu of a Run, of its threads;
//  8. mu of the set of runs.
//
// The locks of stand-ins come last, and are held for the time of a look into
// their tables; the one exception is that of a logger, which is held while its
// writer works, as package log holds it. Cell code runs under no other lock.
//
// The frames of a thread belong to its goroutine. Another may look at them in
// three cases: the thread waits and is held there (Thread.inspect), its run is
// stopped and it is in compiled code, behind which it waits for mu of the Run
// (Run.leftIn), or it has ended. Only the fields of atomic types may be set
// from outside at any time.
//
// A frame is an object of the heap, which its stack in the Thread keeps alive; no
// frame lies on the stack of a goroutine, and nothing in a frame points to one. The
// one thing from there that comes to this package is an rtype.Call, and its rule
// holds here: it is handed down, never kept.
package machine
