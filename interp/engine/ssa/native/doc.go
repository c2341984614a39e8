// Package native makes machine code of functions in a form of its own, and runs it.
//
// A [Func] is a graph of blocks of instructions over variables of simple types:
// integers, floats and words that point. Most variables have a home, a place in the
// frame of the interpreted function. [Compile] gives the code of it, which is entered
// at one of its entries by [Code.Run] and ends in one of three ways:
//
//   - the function has returned, its results are in the frame;
//   - it has left at an exit: something is to be done that machine code does not do, or
//     a check has failed. The variables that are needed there are in their homes again;
//   - it has run for long enough, a few thousand instructions, and has left at the head of
//     a loop, to be entered there again.
//
// # What the code may do
//
// The runtime knows nothing of the code. So it never writes a pointer into memory,
// allocates nothing and cannot fault: its [Func] has checks for nil
// and for bounds. A signal that arrives while it runs finds no function at the
// program counter, so that the goroutine is not preempted and its stack not looked at
// before the code leaves; no wait for that is longer than the work that Compile allows
// (work.go). It keeps values on a stack of its own, that of a [Context].
//
// Bodies are functions that the code calls on that stack. They change no memory, so that they
// can be given up at any time: the function then leaves at the call that it has made. Where
// nothing of the code has pointers that the frame does not have, it can also stop within a body and continue
// there. Functions of package math are called on the stack of the goroutine, which is not
// preempted meanwhile (callGo).
//
// Pointers that the code has read or computed and that are needed behind an exit are
// handed to the Go side as arguments of a call, which puts them into the frame with
// the barriers of the collector (land).
//
// # Files
//
// ir.go is the form; repeat.go takes out what is computed twice; work.go says how long the code runs; liveness.go and allocate.go give variables registers;
// emit.go and calls.go make code of it; memory_linux.go keeps pages that are written first and then run, never
// both; run.go goes in and out. What depends on the processor: encode_amd64.go and package arm64 have the
// instructions; target_amd64.go and target_arm64.go the registers, the checks and the branches; instr_amd64.go and
// instr_arm64.go the rest; enter_amd64.s and enter_arm64.s the way in.
//
// Of the engine it imports package rtype alone, for what it needs of the runtime, and it knows no go/ssa. Only linux has machine code, on amd64
// and arm64; [Supported] tells.
package native
