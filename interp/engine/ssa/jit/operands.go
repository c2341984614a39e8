package jit

import (
	"go/types"
	"math"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/compile"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// nativeTypes lists the types of the words of a value by its representation.
var nativeTypes = map[layout.Rep][]native.Type{
	layout.Bool: {native.Uint8}, layout.Int8: {native.Int8}, layout.Int16: {native.Int16}, layout.Int32: {native.Int32}, layout.Int64: {native.Int64},
	layout.Uint8: {native.Uint8}, layout.Uint16: {native.Uint16}, layout.Uint32: {native.Uint32}, layout.Uint64: {native.Uint64},
	layout.Float32: {native.Float32}, layout.Float64: {native.Float64},
	layout.Complex64: {native.Float32, native.Float32}, layout.Complex128: {native.Float64, native.Float64},
	layout.Pointer: {native.Pointer}, layout.String: {native.Pointer, native.Int64},
	layout.Slice: {native.Pointer, native.Int64, native.Int64}, layout.Interface: {native.Pointer, native.Pointer},
}

// scalarType returns the type of values that consist of one number, bool or pointer.
func (l *lowering) scalarType(t types.Type) (native.Type, bool) {
	words := nativeTypes[l.view.Rep(t)]
	if len(words) != 1 {
		return 0, false
	}
	return words[0], true
}

// slotWords returns the registers whose home is a frame slot.
func (l *lowering) slotWords(s layout.Slot) []native.Reg {
	var list []native.Reg
	off := s.Off
	for _, t := range nativeTypes[s.Rep] {
		r, ok := l.at[off]
		if !ok {
			r = l.f.Var(native.Var{Type: t, Placed: true, Home: int32(off)})
			l.at[off] = r
		}
		if l.f.Vars[r].Type != t {
			panic(unsupported("a frame slot has values of several types"))
		}
		list = append(list, r)
		off += uintptr(t.Size())
	}
	return list
}

// homes returns the registers of a value that has a frame slot, or nil for other values.
func (l *lowering) homes(v ssa.Value) []native.Reg {
	if l.nested != nil && l.nested.owns(v) || l.view.Fused(v) {
		return nil
	}
	s, ok := l.view.Slot(v)
	if !ok {
		return nil
	}
	return l.slotWords(s)
}

// fresh makes registers without a home for a value.
func (l *lowering) fresh(v ssa.Value) []native.Reg {
	var list []native.Reg
	types, _ := l.wordTypes(v.Type())
	for _, t := range types {
		list = append(list, l.f.Var(native.Var{Type: t}))
	}
	l.values[v] = list
	return list
}

// set returns the registers to which the code writes a value.
func (l *lowering) set(v ssa.Value) []native.Reg {
	if words := l.homes(v); words != nil {
		return words
	}
	if words := l.values[v]; words != nil {
		return words
	}
	return l.fresh(v)
}

// words returns the registers that hold a value.
func (l *lowering) words(v ssa.Value) []native.Reg {
	if words, ok := l.values[v]; ok {
		return words
	}
	switch v := v.(type) {
	case *ssa.Const:
		return l.constWords(v)
	case *ssa.Global:
		return []native.Reg{l.pointer(l.view.Global(v))}
	case *ssa.Function:
		return []native.Reg{l.pointer(l.view.FuncWord(v))}
	}
	if words := l.homes(v); words != nil {
		return words
	}
	if m, ok := l.mems[v]; ok {
		return []native.Reg{l.temp(native.Pointer, native.Instr{Op: native.Address, Mem: m})}
	}
	if l.nested == nil {
		panic(unsupported("a value has no register"))
	}
	return l.fresh(v) // in code that is never reached
}

// reg returns the register of a value of one word.
func (l *lowering) reg(v ssa.Value) native.Reg { return l.words(v)[0] }

// pointer returns the address of an object that stays where it is.
func (l *lowering) pointer(p unsafe.Pointer) native.Reg {
	l.keep = append(l.keep, p)
	return l.constant(native.Pointer, int64(uintptr(p)))
}

// constant returns a register that holds a constant.
func (l *lowering) constant(t native.Type, v int64) native.Reg {
	k := literal{t, v}
	r, ok := l.consts[k]
	if !ok {
		r = l.f.Var(native.Var{Type: t, Const: true, Value: v})
		l.consts[k] = r
	}
	return r
}

// constWords returns a constant as words.
func (l *lowering) constWords(k *ssa.Const) []native.Reg {
	if bits, ok := l.constBits(k); ok {
		t, _ := l.scalarType(k.Type())
		return []native.Reg{l.constant(t, bits)}
	}
	r := l.view.Rep(k.Type())
	if r == layout.Memory { // the zero value
		var list []native.Reg
		for _, p := range l.parts(k.Type()) {
			list = append(list, l.constant(p.t, 0))
		}
		return list
	}
	if r == layout.String {
		var s string
		compile.SetConst(l.view.Type(k.Type()), unsafe.Pointer(&s), k)
		return []native.Reg{l.pointer(unsafe.Pointer(unsafe.StringData(s))), l.constant(native.Int64, int64(len(s)))}
	}
	var words [2]uint64
	if k.Value != nil {
		compile.SetConst(l.view.Type(k.Type()), unsafe.Pointer(&words), k)
	}
	var list []native.Reg
	for i, w := range nativeTypes[r] {
		v := words[i%2]
		if r == layout.Complex64 {
			v = words[0] >> (32 * i) & 0xffffffff
		}
		list = append(list, l.constant(w, int64(v)))
	}
	return list
}

// constBits returns a constant of one word, sign-extended or zero-extended.
func (l *lowering) constBits(k *ssa.Const) (int64, bool) {
	t, ok := l.scalarType(k.Type())
	if !ok {
		return 0, false
	}
	var word uint64
	compile.SetConst(l.view.Type(k.Type()), unsafe.Pointer(&word), k)
	switch t {
	case native.Int8:
		return int64(int8(word)), true
	case native.Int16:
		return int64(int16(word)), true
	case native.Int32:
		return int64(int32(word)), true
	case native.Pointer:
		return 0, word == 0
	}
	return int64(word), true
}

// mem returns the memory operand for a pointer, and emits the checks for nil and for index bounds.
// It returns false if the address is not supported.
func (l *lowering) mem(v ssa.Value, in ssa.Instruction) (native.Mem, bool) {
	if l.nested == nil || !l.nested.owns(v) {
		if off, ok := l.view.Static(v); ok {
			return native.Mem{Base: native.Frame, Disp: int32(off)}, true
		}
	}
	if m, ok := l.mems[v]; ok {
		return m, true
	}
	if g, ok := v.(*ssa.Global); ok {
		return native.Mem{Base: l.reg(g)}, true
	}
	if _, ok := l.scalarType(v.Type()); !ok {
		return native.Mem{}, false
	}
	p := l.reg(v)
	_, captured := v.(*ssa.FreeVar) // the address of a variable
	if !captured && l.notNil[p] != l.cur+1 {
		l.emit(native.Instr{Op: native.CheckSet, X: p, Exit: l.exit(in)})
		l.notNil[p] = l.cur + 1
	}
	return native.Mem{Base: p}, true
}

// address lowers an instruction that computes an address: the address is folded into its uses, or
// gets a register.
func (l *lowering) address(v ssa.Value, in ssa.Instruction) bool {
	inside := l.nested != nil
	if _, ok := l.variable(v); ok {
		return true
	}
	if !inside {
		if _, ok := l.view.Static(v); ok && compile.OnlyAddressed(v) {
			return true
		}
	}
	var m native.Mem
	ok := false
	switch v := v.(type) {
	case *ssa.FieldAddr:
		if m, ok = l.mem(v.X, in); ok {
			off := l.view.FieldOffset(v)
			if int64(m.Disp)+int64(off) > math.MaxInt32 {
				return false
			}
			m.Disp += int32(off)
		}
	case *ssa.IndexAddr:
		m, ok = l.element(v, in)
	}
	if !ok {
		return false
	}
	if inside && compile.OnlyAddressed(v) || !inside && l.view.Fused(v) {
		l.mems[v] = m
		return true
	}
	l.emit(native.Instr{Op: native.Address, D: l.set(v)[0], Mem: m})
	return true
}

// element returns the memory operand of an element of a slice or an array.
func (l *lowering) element(v *ssa.IndexAddr, in ssa.Instruction) (native.Mem, bool) {
	if _, ok := v.X.Type().Underlying().(*types.Slice); ok {
		words := l.words(v.X)
		i := l.reg(v.Index)
		l.emit(native.Instr{Op: native.CheckBelow, X: i, Y: words[1], Exit: l.exit(in)})
		return l.scaled(native.Mem{Base: words[0]}, i, l.view.Type(compile.Elem(v.X.Type())).Size())
	}
	m, ok := l.mem(v.X, in)
	if !ok {
		return m, false
	}
	array := l.view.Type(compile.Elem(v.X.Type())).Reflect()
	return l.member(m, v.Index, array.Len(), array.Elem().Size(), in)
}

// member returns the memory operand of an element of the array at m.
func (l *lowering) member(m native.Mem, index ssa.Value, n int, size uintptr, in ssa.Instruction) (native.Mem, bool) {
	if k, ok := index.(*ssa.Const); ok {
		i, _ := l.constBits(k)
		off := int64(m.Disp) + i*int64(size)
		if i < 0 || i >= int64(n) || off > math.MaxInt32 {
			return m, false
		}
		m.Disp = int32(off)
		return m, true
	}
	i := l.reg(index)
	if n == 0 || n > math.MaxInt32 {
		return m, false
	}
	l.emit(native.Instr{Op: native.CheckBelow, X: i, Imm: int64(n), Exit: l.exit(in)})
	return l.scaled(m, i, size)
}

// scaled adds a scaled index to a memory operand.
func (l *lowering) scaled(m native.Mem, i native.Reg, size uintptr) (native.Mem, bool) {
	if size > math.MaxInt32 {
		return m, false
	}
	if m.Index != native.None {
		p := l.f.Var(native.Var{Type: native.Pointer})
		l.emit(native.Instr{Op: native.Address, D: p, Mem: m})
		m = native.Mem{Base: p}
	}
	switch size {
	case 1, 2, 4, 8:
		m.Index, m.Scale = i, uint8(size)
	default:
		t := l.f.Var(native.Var{Type: native.Int64})
		l.emit(native.Instr{Op: native.Mul, Type: native.Int64, D: t, X: i, Imm: int64(size)})
		m.Index, m.Scale = t, 1
	}
	return m, true
}

// loadWords emits the loads of the words of a value.
func (l *lowering) loadWords(to []native.Reg, r layout.Rep, m native.Mem) {
	for i, t := range nativeTypes[r] {
		l.emit(native.Instr{Op: native.Load, Type: t, D: to[i], Mem: m})
		m.Disp += int32(t.Size())
	}
}

// maxCopy is the maximum size of a struct or an array that JIT-compiled code copies.
const maxCopy = 64

// piece is a part of a struct or an array that a register holds.
type piece struct {
	t   native.Type
	off int32
}

// pieces splits a type into pieces.
func pieces(t *rtype.Type) (all []piece) {
	var pointers layout.Layout
	pointers.MarkType(t)
	for off, size := uintptr(0), t.Size(); off < size; {
		p := piece{native.Uint64, int32(off)}
		switch left := size - off; {
		case left < 2 || off%2 != 0:
			p.t = native.Uint8
		case left < 4 || off%4 != 0:
			p.t = native.Uint16
		case left < 8 || off%8 != 0:
			p.t = native.Uint32
		case pointers.Pointer(off):
			p.t = native.Pointer
		}
		all = append(all, p)
		off += uintptr(p.t.Size())
	}
	return all
}

// copied splits a type into pieces that have the types of its words, if there are few words.
func copied(t *rtype.Type) []piece {
	if all, ok := partsOf(nil, t.Reflect(), 0); ok && len(all) > 0 {
		return all
	}
	return pieces(t)
}

// copyMemory copies a struct or an array. It reads everything before it writes, since source and
// destination may overlap.
func (l *lowering) copyMemory(to, from native.Mem, t *rtype.Type) {
	all := copied(t)
	var regs []native.Reg
	for _, p := range all {
		r := l.f.Var(native.Var{Type: p.t})
		regs = append(regs, r)
		m := from
		m.Disp += p.off
		l.emit(native.Instr{Op: native.Load, Type: p.t, D: r, Mem: m})
	}
	for i, p := range all {
		m := to
		m.Disp += p.off
		l.storeWord(p.t, regs[i], m)
	}
}
