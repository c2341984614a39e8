// Package compile makes a machine.Code of a function in go/ssa form: a graph of
// blocks, whose ops are Go closures over the function's frame.
//
// A [Compiler] serves one session, and asks the rest of the engine by its
// [World]. A body is one function under way. Its files, in the order in which a
// newcomer reads them:
//
//   - compile.go goes through the blocks; instruction.go through their
//     instructions; compiler.go is what the engine sees;
//   - operand.go, expr.go and address.go give what an instruction works on: a
//     frame slot, a constant, or the tree of another instruction;
//   - fuse.go finds what becomes part of a tree; coalesce.go and variables.go
//     give values places to share; uses.go tells which are dead (package live
//     does the reckoning);
//   - arith.go, convert.go, shift.go, length.go, memory.go, update.go, slices.go,
//     maps.go, channels.go, interfaces.go, ranges.go, builtin.go and print.go
//     have the instructions;
//   - call.go, invoke.go, closures.go, external.go, floatcalls.go, goroutines.go
//     and defers.go have the calls, inline.go those that are compiled in;
//     sorted.go and standard.go what cells get in another way;
//   - loops.go and chain.go look at the ends of blocks once all are there;
//   - view.go shows the JIT compiler (package jit) how a function has been compiled;
//   - rooms.go has short names for what other rooms declare; the files that end
//     in _gen.go are written by gen.
//
// All functions that tests of the engine compile go through check.go: places lie
// in the frame, their pointers in its map, values that share a place are never
// needed at once, ops have numbers of their own. dump.go writes a function down.
//
// It may import outcall, layout, live, machine, rtype and standin, and go/ssa.
// It must not know the session: packages, cells and their variables come by the
// World. It holds no lock while it asks another room, starts no goroutine, and
// changes nothing of a function once its code is finished. What an op keeps, it
// keeps in its closure, which is compiled once and shared by all goroutines: a
// closure writes to its frame alone.
package compile
