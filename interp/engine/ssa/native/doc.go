// Package native compiles functions in an intermediate form to machine code, and runs it.
//
// A [Func] is a control-flow graph over virtual registers: integers, floats and pointers.
// Most registers have a home, a frame slot of the interpreted function. [Compile] returns the
// code of a Func. [Code.Run] enters it at one of its entries. A run ends in one of four ways:
//
//   - the function has returned; its results are in the frame;
//   - it has taken a side exit (deoptimization): an instruction is not supported, or a check has
//     failed. The registers that the interpreter needs have been written to their homes;
//   - it has come to a call-out: the interpreter runs some ops, and enters the code after them;
//   - it has run a few thousand instructions and left at a safepoint in a loop header, to be
//     entered there again.
//
// # Limits of the code
//
// The runtime does not know the code. So the code stores pointers only while the write barrier is
// off, allocates nothing and cannot fault: its [Func] has checks for nil and for bounds. If a
// signal arrives while the code runs, the runtime finds no function at the program counter. It
// therefore neither preempts the goroutine nor scans its stack before the code leaves. Safepoints
// limit that time (work.go). The code keeps values on the stack of a [Context], not on the
// goroutine's stack.
//
// Callees (bodies) are functions that the code calls on that stack. They do not change memory, so
// they can be abandoned at any time. The function then takes a side exit at its call. If all
// pointers of the code are also in the frame, the code can stop at a safepoint in a callee and
// resume there. The code calls functions of package math on the goroutine's stack. The goroutine is
// not preempted while they run (callGo).
//
// A collection cannot begin or end while the code runs, so the entry reads whether the write
// barrier is on. While the barrier is on, a Go function stores the pointers (StorePtr, land).
//
// # Files
//
// ir.go declares the intermediate form. repeat.go does value numbering, work.go places safepoints,
// liveness.go and allocate.go allocate registers (linear scan), and emit.go, calls.go and
// calling.go emit code. frames.go describes calls in frames. memory_linux.go allocates pages that
// are first writable and then executable, never both. run.go enters and leaves the code. These
// files depend on the processor: encode_amd64.go and package arm64 (encodings), target_amd64.go and
// target_arm64.go (registers, checks, branches), instr_amd64.go and instr_arm64.go (all other
// instructions), enter_amd64.s and enter_arm64.s (entry).
//
// Of the engine's packages, package native imports only dataflow and goroutine; it does not import
// go/ssa. Machine code is available on linux, on amd64 and arm64: see [Supported].
package native
