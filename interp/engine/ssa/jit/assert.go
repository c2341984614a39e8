package jit

import (
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// assert lowers x.(T) for a type T that is not an interface. If the assertion fails, the
// interpreter raises the panic. The interpreter also decides whether a type that a cell has
// declared again counts as T.
func (l *lowering) assert(in *ssa.TypeAssert) bool {
	want, empty, renewals, ok := l.view.Asserts(in)
	if !ok || l.nested != nil || len(l.pending) > 0 || l.ops != 1 || l.op+1 > l.view.Ops(l.block) {
		return false
	}
	r := l.view.Rep(in.AssertedType)
	if r == layout.Zero || want.Direct() != (r == layout.Pointer) || r == layout.Memory && want.Size() > maxCopy {
		return false
	}
	var value layout.Slot
	var found []native.Reg // registers of the second result
	if in.CommaOk {
		parts := l.view.Tuple(in)
		value = parts[0]
		if parts[1].Type != nil {
			found = l.slotWords(parts[1])
		}
	} else if value, ok = l.view.Slot(in); !ok {
		return false
	}
	x := l.words(in.X)
	defs := append(l.slotWords(value), found...)
	exit := l.exit(in)
	l.f.Exits[exit].Ops = 1
	pointer := func(p unsafe.Pointer) native.Reg {
		return l.temp(native.Pointer, native.Instr{Op: native.Move, X: l.pointer(p)})
	}
	branch := func(t native.Test) (yes, no int) {
		from := l.cur
		yes, no = l.newBlock(), l.newBlock()
		l.f.Blocks[from].End, l.f.Blocks[from].Test, l.f.Blocks[from].Next = native.Branch, t, [2]int{yes, no}
		return yes, no
	}
	var none []int // blocks in which x does not hold a T
	dynamic := x[0]
	if !empty {
		yes, no := branch(native.Test{Type: native.Pointer, Cond: native.NotEqual, X: x[0]})
		none = append(none, no)
		l.cur = yes
		dynamic = l.temp(native.Pointer, native.Instr{Op: native.Load, Type: native.Pointer, Mem: native.Mem{Base: x[0], Disp: int32(compile.ItabType)}})
	}
	hit, miss := branch(native.Test{Type: native.Pointer, Cond: native.Equal, X: dynamic, Y: pointer(unsafe.Pointer(want))})
	l.cur = miss
	n := l.temp(native.Int32, native.Instr{Op: native.Load, Type: native.Int32, Mem: native.Mem{Base: pointer(unsafe.Pointer(renewals))}})
	slow, no := branch(native.Test{Type: native.Int32, Cond: native.NotEqual, X: n})
	none = append(none, no)
	l.cur = slow
	l.emit(native.Instr{Op: native.CallOut, Exit: exit, Defs: defs})
	l.resume(exit)
	slow = l.cur
	join := l.newBlock()
	to := func(from, next int) { l.f.Blocks[from].End, l.f.Blocks[from].Next[0] = native.Jump, next }
	to(slow, join)
	for _, b := range none {
		if l.cur = b; !in.CommaOk {
			l.emit(native.Instr{Op: native.Leave, Exit: l.exit(in)})
			l.f.Blocks[b].End = native.Stop
			continue
		}
		l.setAsserted(value, r, func(t native.Type, _ int32, i int) native.Reg { return l.constant(t, 0) })
		if found != nil {
			l.emit(native.Instr{Op: native.Move, D: found[0], X: l.constant(native.Uint8, 0)})
		}
		to(b, join)
	}
	l.cur = hit
	l.setAsserted(value, r, func(t native.Type, off int32, _ int) native.Reg {
		if r == layout.Pointer {
			return x[1]
		}
		return l.temp(t, native.Instr{Op: native.Load, Type: t, Mem: native.Mem{Base: x[1], Disp: off}})
	})
	if found != nil {
		l.emit(native.Instr{Op: native.Move, D: found[0], X: l.constant(native.Uint8, 1)})
	}
	to(hit, join)
	l.cur = join
	return true
}

// setAsserted sets the value of an assertion to the words that get returns, if the value is used.
func (l *lowering) setAsserted(s layout.Slot, r layout.Rep, get func(t native.Type, off int32, i int) native.Reg) {
	if s.Type == nil {
		return
	}
	var all []piece
	if r == layout.Memory {
		all = copied(s.Type)
	} else {
		off := int32(0)
		for _, t := range nativeTypes[r] {
			all = append(all, piece{t, off})
			off += int32(t.Size())
		}
	}
	var words []native.Reg
	for i, p := range all {
		words = append(words, get(p.t, p.off, i))
	}
	if r != layout.Memory {
		l.copyRegs(l.slotWords(s), words)
		return
	}
	for i, p := range all {
		l.storeWord(p.t, words[i], native.Mem{Base: native.Frame, Disp: int32(s.Off) + p.off})
	}
}
