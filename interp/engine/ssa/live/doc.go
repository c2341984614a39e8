// Package live computes where the values of a function are live.
//
// It reads a function in go/ssa form and answers two questions. Which values can share a frame
// slot, because they are never needed at the same time ([Share])? And which values are needed while
// an instruction runs, so that everything else is garbage ([Flow])? Both are liveness problems,
// which package dataflow solves.
//
// It imports dataflow, go/ssa and go/types. It does not know frames, slots, runtime types or the
// compiler: the functions of a [Plan] return the compiler's decisions about a value. It keeps
// nothing between calls and takes no locks.
package live
