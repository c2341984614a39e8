package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// View shows how a function has been compiled: the frame slots of its values, and the instructions
// that are part of other instructions' ops. The JIT compiler reads it, so that its code works on
// the same frame as the ops.
type View struct{ b *body }

// View returns the view of a function that has been compiled, or nil if the function would be
// compiled differently now.
func (all *Compiler) View(c *machine.Code) *View {
	b := all.again(c)
	if b == nil {
		return nil
	}
	return &View{b}
}

// again recompiles a function to find out how its code was compiled. It returns nil if the values
// are in other frame slots now, because then nothing is known about the old slots.
func (all *Compiler) again(c *code) *body {
	scratch := &code{Fn: c.Fn, ID: c.ID, SSA: c.SSA, Inlines: c.Inlines, OwnCalls: c.OwnCalls}
	scratch.Analyze()
	b := &body{all: all, code: scratch, ssa: c.SSA, listening: true, delayed: map[ssa.Value]bool{}}
	b.compile()
	if !scratch.LaidOutAs(c) {
		if all.inspect != nil {
			panic(fmt.Sprintf("ssa: %s has another layout when it is compiled again\n%s", c.SSA, b.dump()))
		}
		return nil
	}
	return b
}

// Checks reports whether all functions are checked, as in tests.
func (all *Compiler) Checks() bool { return all.inspect != nil }

// Func returns the function.
func (v *View) Func() *ssa.Function { return v.b.ssa }

// Results returns the frame slots of the results.
func (v *View) Results() []layout.Slot { return v.b.returns }

// Code returns the code from the recompilation of the function.
func (v *View) Code() *machine.Code { return v.b.code }

// Signature returns the frame slots of parameters and results of functions of a type.
func (v *View) Signature(sig *types.Signature) (params, results []layout.Slot) {
	s := v.b.all.Machine.SignatureOf(sig)
	return s.Params, s.Results
}

// MethodIndex returns the index, in method tables, of the method that a call through an interface
// calls.
func (v *View) MethodIndex(call *ssa.CallCommon) int {
	return methodIndex(call.Value.Type(), call.Method)
}

// Targets returns a function that finds method i of a method table. That function returns the
// interpreted function of the method, whether the data word of an interface value is the method's
// receiver, and the receiver's slot. For a compiled method, fn is nil.
func (v *View) Targets() func(table unsafe.Pointer, i int) (fn *machine.Function, direct bool, receiver layout.Slot) {
	all := v.b.all
	return func(table unsafe.Pointer, i int) (*machine.Function, bool, layout.Slot) {
		t := all.target((*rtype.Itab)(table), i)
		return t.fn, t.direct, t.recv
	}
}

// First returns the number of the first op of a block, minus 1.
func (v *View) First(block int) int32 { return v.b.blocks[block].First }

// Ops returns the number of ops of a block.
func (v *View) Ops(block int) int { return len(v.b.blocks[block].Ops) }

// FirstOps returns, for each instruction of a block, the number of ops in the block before
// the instruction's own ops.
func (v *View) FirstOps(b *ssa.BasicBlock) []int {
	c := v.b
	first := int(c.blocks[b.Index].First)
	ops := map[ssa.Instruction]int{}
	for k := first; k < len(c.instrs) && c.instrs[k] != nil && c.instrs[k].Block() == b; k++ {
		ops[c.instrs[k]]++
	}
	starts, n := make([]int, len(b.Instrs)), 0
	for i, in := range b.Instrs {
		starts[i] = n
		n += ops[in]
	}
	return starts
}

// Fused reports whether a value is computed by the op of its only user.
func (v *View) Fused(x ssa.Value) bool { return v.b.fused(x) }

// Reevaluated reports whether a use of the value evaluates its instruction, and so reads the
// instruction's operands.
func (v *View) Reevaluated(x ssa.Value) bool {
	return v.b.fused(x) || v.b.delayed[x] || v.b.isLocal(x)
}

// Slot returns the frame slot of a value, if it has one.
func (v *View) Slot(x ssa.Value) (layout.Slot, bool) {
	switch x := x.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
		return slot{}, false
	case *ssa.Extract:
		if parts, ok := v.b.tuples[x.Tuple]; ok && parts[x.Index].Type != nil {
			return parts[x.Index], true
		}
		return slot{}, false
	}
	if s, ok := v.b.slots[x]; ok {
		return s, true
	}
	if of := v.b.class[x]; of != nil {
		s, ok := v.b.slots[of]
		return s, ok
	}
	return slot{}, false
}

// Tuple returns the frame slots of the results of a call. Slots without a type are not used.
func (v *View) Tuple(x ssa.Value) []layout.Slot { return v.b.tuples[x] }

// Static returns the frame offset of an address, if the address has the same frame offset in every
// call.
func (v *View) Static(addr ssa.Value) (uintptr, bool) { return v.b.staticAddr(addr) }

// Local returns the offset of a variable that is in the frame.
func (v *View) Local(a *ssa.Alloc) (uintptr, bool) {
	off, ok := v.b.local[a]
	return off, ok
}

// SetAtOnce reports whether a variable gets its first value before anything reads it.
func (v *View) SetAtOnce(a *ssa.Alloc) bool { return v.b.setAtOnce(a) }

// Type returns the runtime type of t.
func (v *View) Type(t types.Type) *rtype.Type { return v.b.typ(t) }

// Rep returns the representation of values of type t in a frame.
func (v *View) Rep(t types.Type) layout.Rep { return v.b.repOf(t) }

// Numeric reports whether t is a type of numbers.
func (v *View) Numeric(t types.Type) bool { return v.b.numeric(t) }

// FieldOffset returns the offset of a field in its struct.
func (v *View) FieldOffset(x *ssa.FieldAddr) uintptr { return v.b.fieldOffset(x) }

// OnlyRangedOver reports whether a load has no op of its own, since only range loops use it.
func (v *View) OnlyRangedOver(in *ssa.UnOp) bool { return v.b.onlyRangedOver(in) }

// Stepped reports whether the branch at the end of the step's block makes the step of a range loop.
func (v *View) Stepped(in *ssa.Next) bool { return v.b.stepped[in] }

// Table returns the data and the length of a slice literal of constants that is only read.
func (v *View) Table(in *ssa.Slice) (data unsafe.Pointer, n int, ok bool) {
	t, ok := v.b.tables[in]
	return t.data, t.n, ok
}

// Omitted reports whether an instruction has no op because it makes the array of a table.
func (v *View) Omitted(in ssa.Instruction) bool { return v.b.omitted[in] }

// NoOp reports whether a store has no op of its own that writes to memory.
func (v *View) NoOp(in *ssa.Store) bool {
	return v.b.soleStore(in) || v.b.toDeferStack(in) || !v.b.fused(in.Val) && toBlank(in)
}

// OnlyArgument returns the only argument v of append(s, v), given the slice of the arguments, if
// append reads v from v's own slot. It returns nil if append reads v from an array.
func (v *View) OnlyArgument(args ssa.Value) ssa.Value { return v.b.onlyArgument(args) }

// Arguments returns the number of values of append(s, values...), given the slice of the arguments,
// and the frame offset of the array of these values. It returns false if they are not in the frame.
func (v *View) Arguments(args ssa.Value) (off uintptr, n int, ok bool) { return v.b.arguments(args) }

// SoleStore reports whether a store sets the only argument of an append that reads the argument
// from its own slot.
func (v *View) SoleStore(in *ssa.Store) bool { return v.b.soleStore(in) }

// FloatFunc reports whether fn takes one or two float64 values and returns a float64.
func (v *View) FloatFunc(fn *ssa.Function) bool { return v.b.floatFunc(fn) }

// Global returns the address of a package variable.
func (v *View) Global(g *ssa.Global) unsafe.Pointer { return v.b.all.Global(g) }

// FuncWord returns the word that is the func value of a function.
func (v *View) FuncWord(fn *ssa.Function) unsafe.Pointer { return v.b.all.funcWord(fn) }

// External returns the word that is the func value of a function without a body.
func (v *View) External(fn *ssa.Function, at token.Pos) unsafe.Pointer {
	return layout.FuncWord(v.b.all.External(fn, at))
}

// Function returns the machine's function for fn and announces the types that fn declares.
func (v *View) Function(fn *ssa.Function) *machine.Function { return v.b.all.Machine.Function(fn) }

// NoteLocals announces the types that fn declares. It must be called before their use.
func (v *View) NoteLocals(fn *ssa.Function) { v.b.all.NoteLocals(fn) }

// OnlyAddressed reports whether an address is used by loads, stores and further addresses only.
func OnlyAddressed(v ssa.Value) bool { return onlyAddressed(v) }

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool { return isNil(v) }

// IsNegative reports whether a constant is a negative integer.
func IsNegative(k *ssa.Const) bool { return isNegative(k) }

// SetConst writes a constant of type t to p.
func SetConst(t *rtype.Type, p unsafe.Pointer, k *ssa.Const) { setConst(t, p, k) }

// Elem returns the type of the variable that a pointer points to, or of the elements of a
// collection.
func Elem(t types.Type) types.Type { return elemOf(t) }

// Asserts describes how to make a type assertion. It returns the type to compare with the operand's
// dynamic type, and whether the operand's first word is that type and not a method table. It also
// returns the number of renewed types: if the number isn't 0, other types may count as the same
// type. It returns false if only the interpreter can make the assertion.
func (v *View) Asserts(in *ssa.TypeAssert) (want *rtype.Type, empty bool, renewals *atomic.Int32, ok bool) {
	if isInterface(in.AssertedType) {
		return nil, false, nil, false
	}
	want = v.b.typ(in.AssertedType)
	return want, isEmpty(in.X.Type()), v.b.all.Renewals, want != fileType
}

// ItabType is the offset of the dynamic type in a method table.
const ItabType = rtype.ItabType
