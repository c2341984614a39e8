// Package live knows where the values of a function are needed.
//
// It reads a function in go/ssa form and answers two questions. Which values
// may share one frame slot, because they are never needed at the same
// time ([Share])? And what is needed while an instruction runs, so that all
// else is garbage ([Flow])?
//
// It may import go/ssa and go/types. It must not know frames, slots, run-time
// types or the compiler: what these have decided about a value, it asks by the
// functions of a [Plan]. It keeps nothing between calls and takes no locks.
package live
