package jit

import (
	"encoding/binary"
	"go/constant"

	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// compareStrings emits a comparison of strings, and returns the test of the comparison's result.
func (l *lowering) compareStrings(x, y ssa.Value, cond native.Cond) native.Test {
	a, b := l.words(x), l.words(y)
	if k, ok := y.(*ssa.Const); ok {
		switch text := constant.StringVal(k.Value); {
		case text == "":
			return native.Test{Type: native.Int64, Cond: cond, X: a[1]} // only the length counts
		case len(text) <= maxCompared && (cond == native.Equal || cond == native.NotEqual):
			return l.compareConst(a, text, cond)
		}
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

// maxCompared is the maximum length of a constant string that is compared without a function.
const maxCompared = 32

// compareConst emits a comparison of a string with a constant that is not empty, for Equal or
// NotEqual. If the lengths are equal, it compares words, of which the last two may overlap.
func (l *lowering) compareConst(x []native.Reg, text string, cond native.Cond) native.Test {
	result := l.f.Var(native.Var{Type: native.Int64})
	l.emit(native.Instr{Op: native.Const, Type: native.Int64, D: result, Imm: 1})
	from, next, join := l.cur, l.newBlock(), l.newBlock()
	b := &l.f.Blocks[from]
	b.End, b.Test, b.Next = native.Branch, native.Test{Type: native.Int64, Cond: native.Equal, X: x[1], Imm: int64(len(text))}, [2]int{next, join}
	l.cur = next
	t := native.Uint8
	for _, wider := range [...]native.Type{native.Uint16, native.Uint32, native.Uint64} {
		if wider.Size() <= len(text) {
			t = wider
		}
	}
	differs := native.None
	for at := 0; at < len(text); at += t.Size() {
		at := min(at, len(text)-t.Size())
		var word [8]byte
		copy(word[:t.Size()], text[at:])
		part := l.temp(t, native.Instr{Op: native.Load, Type: t, Mem: native.Mem{Base: x[0], Disp: int32(at)}})
		want := l.constant(native.Uint64, int64(binary.LittleEndian.Uint64(word[:])))
		part = l.temp(native.Uint64, native.Instr{Op: native.Xor, Type: native.Uint64, X: part, Y: want})
		if differs != native.None {
			part = l.temp(native.Uint64, native.Instr{Op: native.Or, Type: native.Uint64, X: differs, Y: part})
		}
		differs = part
	}
	l.emit(native.Instr{Op: native.Move, D: result, X: differs})
	l.f.Blocks[l.cur].End, l.f.Blocks[l.cur].Next[0] = native.Jump, join
	l.cur = join
	return native.Test{Type: native.Int64, Cond: cond, X: result}
}
