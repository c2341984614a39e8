// Package jit is the JIT compiler: it compiles hot functions of cells to machine code.
//
// The interpreter (package machine) counts how often a function loops and is called. Once a
// function is hot, [Compiler.Compile] lowers it from go/ssa to the form of package native, which
// allocates registers and emits the code. The code works on the same frame as the ops of package
// compile. It can therefore deoptimize at any op: a side exit stores the registers that the
// interpreter needs in their frame slots, and the interpreter resumes at the op. If a check fails
// in the middle of an op that fuses several instructions, the side exit leads to the start of the
// op. The interpreter then repeats the check and panics.
//
// An unsupported op becomes a call-out: the interpreter runs the op, and then enters the code after
// the op.
//
//   - lower.go goes through the blocks and emits branches, side exits and safepoints;
//   - callouts.go has call-outs, and branches by the steps of range loops;
//   - instructions.go and values.go have the instructions, and say which are not supported;
//   - operands.go has registers, constants and memory operands;
//   - inline.go has calls that are inlined;
//   - builtins.go has built-in functions and functions of package math;
//   - callees.go has calls of functions that do not change memory;
//   - frames.go lowers all other calls.
//
// Package jit imports compile, layout, machine, native and rtype; compile and machine do not import
// it. All that it knows about a compiled function comes from [compile.View].
package jit
