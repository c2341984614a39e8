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
	if cond != native.Equal && cond != native.NotEqual {
		return native.Test{Type: native.Int64, Cond: cond, X: help(native.HelperCompare, a[0], a[1], b[0], b[1])}
	}
	if l.nested != nil {
		return native.Test{Type: native.Int64, Cond: cond, X: help(native.HelperCompare, a[0], a[1], b[0], b[1])}
	}
	// Strings of different lengths differ.
	differs := l.f.Var(native.Var{Type: native.Int64})
	l.emit(native.Instr{Op: native.Const, Type: native.Int64, D: differs, Imm: 1})
	from, same := l.cur, l.newBlock()
	join := l.newBlock()
	l.f.Blocks[from].End, l.f.Blocks[from].Next = native.Branch, [2]int{same, join}
	l.f.Blocks[from].Test = native.Test{Type: native.Int64, Cond: native.Equal, X: a[1], Y: b[1]}
	l.cur = same
	r := help(native.HelperEqual, a[0], b[0], a[1])
	l.emit(native.Instr{Op: native.Xor, Type: native.Int64, D: differs, X: r, Imm: 1})
	l.f.Blocks[same].End, l.f.Blocks[same].Next[0] = native.Jump, join
	l.cur = join
	return native.Test{Type: native.Int64, Cond: cond, X: differs}
}
