package jit

import (
	"go/constant"

	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// compareStrings emits a comparison of strings, and returns the test of the comparison's result.
func (l *lowering) compareStrings(x, y ssa.Value, cond native.Cond) native.Test {
	a, b := l.words(x), l.words(y)
	if k, ok := y.(*ssa.Const); ok && constant.StringVal(k.Value) == "" {
		return native.Test{Type: native.Int64, Cond: cond, X: a[1]} // only the length counts
	}
	help := func(number int64, args ...native.Reg) native.Reg {
		return l.temp(native.Int64, native.Instr{Op: native.CallHelper, Type: native.Int64, Imm: number, Args: args})
	}
	if l.nested != nil && !l.nested.callee {
		return native.Test{Type: native.Int64, Cond: cond, X: help(native.HelperCompare, a[0], a[1], b[0], b[1])}
	}
	// Most strings differ in their lengths or in their first bytes.
	result := l.f.Var(native.Var{Type: native.Int64})
	equal := cond == native.Equal || cond == native.NotEqual
	slow, join := l.newBlock(), l.newBlock()
	branch := func(t native.Test, yes, no int) {
		b := &l.f.Blocks[l.cur]
		b.End, b.Test, b.Next = native.Branch, t, [2]int{yes, no}
	}
	first := func(text native.Reg) native.Reg {
		return l.temp(native.Uint8, native.Instr{Op: native.Load, Type: native.Uint8, Mem: native.Mem{Base: text}})
	}
	next := l.newBlock()
	if equal {
		l.emit(native.Instr{Op: native.Const, Type: native.Int64, D: result, Imm: 1})
		branch(native.Test{Type: native.Int64, Cond: native.Equal, X: a[1], Y: b[1]}, next, join)
		l.cur, next = next, l.newBlock()
		branch(native.Test{Type: native.Int64, Cond: native.NotEqual, X: a[1]}, next, slow)
		l.cur = next
		branch(native.Test{Type: native.Uint8, Cond: native.Equal, X: first(a[0]), Y: first(b[0])}, slow, join)
	} else {
		branch(native.Test{Type: native.Int64, Cond: native.NotEqual, X: a[1]}, next, slow)
		l.cur, next = next, l.newBlock()
		branch(native.Test{Type: native.Int64, Cond: native.NotEqual, X: b[1]}, next, slow)
		l.cur, next = next, l.newBlock()
		x, y := first(a[0]), first(b[0])
		branch(native.Test{Type: native.Uint8, Cond: native.NotEqual, X: x, Y: y}, next, slow)
		l.cur = next
		l.emit(native.Instr{Op: native.Sub, Type: native.Int64, D: result, X: x, Y: y})
		l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Next[0] = native.Jump, join
	}
	l.cur = slow
	if equal {
		r := help(native.HelperEqual, a[0], b[0], a[1])
		l.emit(native.Instr{Op: native.Xor, Type: native.Int64, D: result, X: r, Imm: 1})
	} else {
		l.emit(native.Instr{Op: native.Move, D: result, X: help(native.HelperCompare, a[0], a[1], b[0], b[1])})
	}
	l.f.Blocks[slow].End, l.f.Blocks[slow].Next[0] = native.Jump, join
	l.cur = join
	return native.Test{Type: native.Int64, Cond: cond, X: result}
}
