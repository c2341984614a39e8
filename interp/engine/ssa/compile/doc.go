// Package compile compiles a function in go/ssa form to a machine.Code: a graph of blocks, whose
// ops are Go closures over the function's frame.
//
// A [Compiler] serves one session, and calls the rest of the engine through its [World]. A body is
// one function being compiled. The files of this package, in the order in which to read them:
//
//   - compile.go visits the blocks, instruction.go their instructions.
//   - compiler.go is the API for the engine.
//   - operand.go, expr.go and address.go return the operands of an instruction: a frame slot,
//     a constant, or the tree of another instruction.
//   - fuse.go decides what becomes part of a tree.
//   - coalesce.go and variables.go let values share frame slots.
//   - uses.go finds dead slots (package live computes liveness).
//   - arith.go, convert.go, shift.go, length.go, memory.go, update.go, slices.go,
//     maps.go, channels.go, interfaces.go, ranges.go, builtin.go and print.go
//     have the instructions.
//   - call.go, invoke.go, closures.go, external.go, floatcalls.go, goroutines.go
//     and defers.go have the calls.
//   - inline.go inlines calls.
//   - literals.go makes one array for a slice literal that is only read.
//   - sorted.go and standard.go have calls and conversions that are compiled differently for cells.
//   - loops.go and chain.go optimize the ends of blocks once all blocks are compiled.
//   - view.go shows the JIT compiler (package jit) how a function has been compiled.
//   - rooms.go has short names for declarations of other packages.
//   - gen writes the files that end in _gen.go.
//
// check.go checks all functions that tests of the engine compile. Slots must be in the frame, and
// their pointers in its bitmap. Values that share a slot must never be live at the same time. Ops
// must have unique numbers. dump.go prints a function.
//
// Package compile may import engine, outcall, layout, live, machine, rtype and standin, and go/ssa.
// It must not know the session: the World provides packages, cells and their variables. It holds no
// lock while it calls another package, starts no goroutine, and changes nothing of a function once
// its code is finished. The state of an op is in its closure, which is compiled once and shared by
// all goroutines, so a closure writes only to its frame.
package compile
