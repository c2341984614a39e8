package jit

import (
	"go/token"

	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// hasUnable reports whether the op of an instruction computes a value that is not supported.
func (l *lowering) hasUnable(in ssa.Instruction) bool {
	for _, o := range in.Operands(nil) {
		if *o != nil && l.unable[*o] {
			return true
		}
	}
	return false
}

// callOut lets the interpreter run the ops of an instruction. The code after the call-out reads the
// results from their homes. It recomputes the values of the ops that have not run, as the
// interpreter does.
func (l *lowering) callOut(in ssa.Instruction) {
	if l.ops == 0 {
		return // it is part of another op
	}
	if l.op+l.ops > l.view.Ops(l.block) {
		panic(unsupported("the step of a loop is not supported"))
	}
	l.out(in)
	l.op, l.ops = l.op+l.ops, 0
	for _, v := range l.pending {
		delete(l.values, v)
		delete(l.mems, v)
		delete(l.unable, v)
		if in := v.(ssa.Instruction); l.hasUnable(in) || !l.instr(in) {
			l.unable[v] = true
		}
	}
}

// out emits the call-out of an instruction or, if it is a call, the call in a frame.
func (l *lowering) out(in ssa.Instruction) {
	exit := l.exit(in)
	x := &l.f.Exits[exit]
	x.Ops, x.Waits = l.ops, l.waits(in)
	var defs []native.Reg
	if v, ok := in.(ssa.Value); ok {
		defs = append(defs, l.homes(v)...)
		for _, s := range l.view.Tuple(v) {
			if s.Type != nil {
				defs = append(defs, l.slotWords(s)...)
			}
		}
	}
	out := native.Instr{Op: native.CallOut, Exit: exit, Defs: defs}
	if call, ok := in.(*ssa.Call); ok {
		if c, fv, args := l.frameCall(call, x); c != nil {
			out.Op, out.Frame, out.X, out.Y, out.Args = native.CallFrame, c, fv[0], fv[1], args
			l.calls = true
		}
	}
	if out.Op == native.CallOut {
		l.note(in)
	}
	l.emit(out)
	l.resume(exit)
}

// waits reports whether an instruction, or another instruction that is part of its op, may wait or
// run the user's code.
func (l *lowering) waits(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
			return true
		}
	case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			return true
		}
	}
	for _, o := range in.Operands(nil) {
		if part, ok := (*o).(ssa.Instruction); ok && l.view.Reevaluated(*o) && l.waits(part) {
			return true
		}
	}
	return false
}

// resume begins the block after a call-out.
func (l *lowering) resume(exit int32) {
	next := l.newBlock()
	l.f.Exits[exit].Next = next
	l.resumes = append(l.resumes, next)
	b := &l.f.Blocks[l.cur]
	b.End, b.Next[0] = native.Jump, next
	l.cur = next
}

// leave ends the block with a side exit before an instruction.
func (l *lowering) leave(in ssa.Instruction) {
	l.note(in)
	l.emit(native.Instr{Op: native.Leave, Exit: l.exit(in)})
	l.f.Blocks[l.cur].End = native.Stop
}

// note records why an instruction is not supported.
func (l *lowering) note(in ssa.Instruction) { l.why[in.Pos()] = l.reason(in) }

// step returns the step of a range loop that a branch takes, or nil.
func (l *lowering) step(in *ssa.If) *ssa.Next {
	if more, ok := in.Cond.(*ssa.Extract); ok && l.nested == nil {
		if next, ok := more.Tuple.(*ssa.Next); ok && l.view.Stepped(next) {
			return next
		}
	}
	return nil
}

// branchByStep is like branch, for the step of a range loop. It compiles steps through strings; the
// interpreter runs all other steps.
func (l *lowering) branchByStep(b *ssa.BasicBlock, in *ssa.If, next *ssa.Next) {
	l.op = l.view.Ops(l.block)
	l.after = append(l.after, b.Succs...)
	l.why[in.Pos()] = "ranges over a map"
	iter, ok := l.view.Slot(next.Iter)
	movable := l.phisMove(b.Succs[0]) && l.phisMove(b.Succs[1])
	if !next.IsString || !ok || !movable {
		l.emit(native.Instr{Op: native.Leave, Exit: l.exit(in)})
		l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Test = native.Branch, native.Test{}
		l.f.Blocks[l.cur].Next = [2]int{l.blockOf(b.Succs[0]), l.blockOf(b.Succs[1])}
		return
	}
	word := func(i int32) native.Mem { return native.Mem{Base: native.Frame, Disp: int32(iter.Off) + 8*i} }
	load := func(t native.Type, m native.Mem) native.Reg {
		r := l.f.Var(native.Var{Type: t})
		l.emit(native.Instr{Op: native.Load, Type: t, D: r, Mem: m})
		return r
	}
	at, n := load(native.Int64, word(2)), load(native.Int64, word(1))
	from := l.cur
	l.f.Blocks[from].End, l.f.Blocks[from].Test = native.Branch, native.Test{Type: native.Uint64, Cond: native.Less, X: at, Y: n}
	yes := l.newBlock()
	l.f.Blocks[from].Next[0], l.cur = yes, yes
	text := load(native.Pointer, word(0))
	c := load(native.Uint8, native.Mem{Base: text, Index: at, Scale: 1})
	r := l.f.Var(native.Var{Type: native.Int32})
	after := l.f.Var(native.Var{Type: native.Int64})
	ascii, other, join := l.newBlock(), l.newBlock(), l.newBlock()
	l.f.Blocks[yes].End, l.f.Blocks[yes].Next = native.Branch, [2]int{ascii, other}
	l.f.Blocks[yes].Test = native.Test{Type: native.Uint8, Cond: native.Less, X: c, Imm: 128}
	l.cur = ascii
	l.emit(native.Instr{Op: native.Move, D: r, X: c})
	l.emit(native.Instr{Op: native.Add, Type: native.Int64, D: after, X: at, Imm: 1})
	l.f.Blocks[ascii].End, l.f.Blocks[ascii].Next[0] = native.Jump, join
	l.cur = other
	both := l.temp(native.Int64, native.Instr{Op: native.CallHelper, Type: native.Int64, Imm: native.HelperRune, Args: []native.Reg{text, n, at}})
	width := l.temp(native.Int64, native.Instr{Op: native.Shr, Type: native.Int64, X: both, Imm: 32})
	l.emit(native.Instr{Op: native.Extend, Type: native.Int64, To: native.Int32, D: r, X: both})
	l.emit(native.Instr{Op: native.Add, Type: native.Int64, D: after, X: at, Y: width})
	l.f.Blocks[other].End, l.f.Blocks[other].Next[0] = native.Jump, join
	l.cur = join
	parts := l.view.Tuple(next)
	if parts[1].Type != nil {
		l.emit(native.Instr{Op: native.Move, D: l.slotWords(parts[1])[0], X: at})
	}
	if parts[2].Type != nil {
		l.emit(native.Instr{Op: native.Move, D: l.slotWords(parts[2])[0], X: r})
	}
	l.emit(native.Instr{Op: native.Store, Type: native.Int64, Z: after, Mem: word(2)})
	l.jump(b, b.Succs[0])
	l.cur = from
	l.cur = l.newBlock()
	l.f.Blocks[from].Next[1] = l.cur
	l.jump(b, b.Succs[1])
}
