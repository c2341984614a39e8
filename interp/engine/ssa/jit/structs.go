package jit

import (
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"golang.org/x/tools/go/ssa"
)

// The function itself keeps structs in the frame, where the interpreter has them. Inlined calls and
// callees have no frame. They keep structs, and variables whose address does not escape, in
// registers: one register for each number or pointer.

// maxParts is the maximum number of registers for a struct.
const maxParts = 8

// parts splits a struct into numbers and pointers. It returns nil for an array, and for a struct
// that has an array or is too large.
func (l *lowering) parts(t types.Type) []piece {
	if l.view.Rep(t) != layout.Memory {
		return nil
	}
	all, ok := partsOf(nil, l.view.Type(t).Reflect(), 0)
	if !ok {
		return nil
	}
	return all
}

func partsOf(all []piece, t reflect.Type, at uintptr) ([]piece, bool) {
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			var ok bool
			if all, ok = partsOf(all, t.Field(i).Type, at+t.Field(i).Offset); !ok {
				return nil, false
			}
		}
		return all, true
	}
	if t.Kind() == reflect.Array {
		return nil, false
	}
	for _, w := range nativeTypes[layout.OfKind(t.Kind())] {
		all = append(all, piece{w, int32(at)})
		at += uintptr(w.Size())
	}
	return all, len(all) <= maxParts
}

// wordTypes returns the types of the registers that hold a value in an inlined call or a callee. It
// reports whether registers can hold the value.
func (l *lowering) wordTypes(t types.Type) (list []native.Type, ok bool) {
	r := l.view.Rep(t)
	if r == layout.Zero {
		return nil, true
	}
	if r != layout.Memory {
		return nativeTypes[r], nativeTypes[r] != nil
	}
	for _, p := range l.parts(t) {
		list = append(list, p.t)
	}
	return list, list != nil
}

// argWords returns registers that hold an argument of an inlined call or a callee. It loads structs
// of the function itself from the frame.
func (l *lowering) argWords(v ssa.Value) (words []native.Reg, ok bool) {
	types, ok := l.wordTypes(v.Type())
	if !ok || len(types) == 0 {
		return nil, ok
	}
	_, isConst := v.(*ssa.Const)
	if isConst || l.view.Rep(v.Type()) != layout.Memory || l.nested != nil && l.nested.owns(v) {
		return l.words(v), true
	}
	s, ok := l.view.Slot(v)
	if !ok {
		return nil, false
	}
	return l.loadParts(v.Type(), native.Mem{Base: native.Frame, Disp: int32(s.Off)}), true
}

// loadParts loads the parts of a struct into new registers.
func (l *lowering) loadParts(t types.Type, from native.Mem) (words []native.Reg) {
	for _, p := range l.parts(t) {
		m := from
		m.Disp += p.off
		words = append(words, l.temp(p.t, native.Instr{Op: native.Load, Type: p.t, Mem: m}))
	}
	return words
}

// storeParts stores the parts of a struct.
func (l *lowering) storeParts(t types.Type, words []native.Reg, to native.Mem) {
	for i, p := range l.parts(t) {
		m := to
		m.Disp += p.off
		l.storeWord(p.t, words[i], m)
	}
}

// inRegisters reports whether registers can hold a variable of an inlined call or a callee. They
// can if its address is only used to load and store the variable or its fields.
func (l *lowering) inRegisters(a *ssa.Alloc) bool {
	if a.Heap {
		return false
	}
	var only func(addr ssa.Value) bool
	only = func(addr ssa.Value) bool {
		for _, r := range *addr.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
			case *ssa.Store:
				if r.Val == addr {
					return false
				}
			case *ssa.FieldAddr:
				if !only(r) {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return only(a)
}

// nestedAlloc lowers a variable of an inlined call or a callee.
func (l *lowering) nestedAlloc(in *ssa.Alloc) bool {
	t := in.Type().Underlying().(*types.Pointer).Elem()
	list, ok := l.wordTypes(t)
	if !ok || !l.inRegisters(in) {
		return false
	}
	v := variable{parts: l.parts(t)}
	if v.parts == nil {
		off := int32(0)
		for _, w := range list {
			v.parts = append(v.parts, piece{w, off})
			off += int32(w.Size())
		}
	}
	for _, w := range list {
		r := l.f.Var(native.Var{Type: w})
		v.regs = append(v.regs, r)
		l.emit(native.Instr{Op: native.Move, D: r, X: l.constant(w, 0)})
	}
	l.vars[in] = v
	return true
}

// variable is a variable in registers.
type variable struct {
	parts []piece
	regs  []native.Reg
}

// variable returns the registers of the variable or field at an address, and reports whether it is
// in registers.
func (l *lowering) variable(addr ssa.Value) (regs []native.Reg, ok bool) {
	if l.nested == nil || !l.nested.owns(addr) {
		return nil, false
	}
	off := int32(0)
	for at := addr; ; {
		switch v := at.(type) {
		case *ssa.FieldAddr:
			off += int32(l.view.FieldOffset(v))
			at = v.X
			continue
		case *ssa.Alloc:
			of, ok := l.vars[v]
			if !ok {
				return nil, false
			}
			end := off + int32(l.view.Type(addr.Type().Underlying().(*types.Pointer).Elem()).Size())
			for i, p := range of.parts {
				if p.off >= off && p.off < end {
					regs = append(regs, of.regs[i])
				}
			}
			return regs, true
		}
		return nil, false
	}
}

// copyRegs emits parallel moves.
func (l *lowering) copyRegs(to, from []native.Reg) {
	var moves [][2]native.Reg
	for i := range to {
		if to[i] != from[i] {
			moves = append(moves, [2]native.Reg{to[i], from[i]})
		}
	}
	l.moveAll(moves)
}

// nestedLoad lowers *p in an inlined call or a callee, if p is a variable in registers or points to
// a struct.
func (l *lowering) nestedLoad(in *ssa.UnOp) (done, ok bool) {
	if regs, ok := l.variable(in.X); ok {
		l.copyRegs(l.set(in), regs)
		return true, true
	}
	if l.view.Rep(in.Type()) != layout.Memory {
		return false, true
	}
	if l.parts(in.Type()) == nil {
		return true, false
	}
	m, ok := l.mem(in.X, in)
	if ok {
		l.copyRegs(l.set(in), l.loadParts(in.Type(), m))
	}
	return true, ok
}

// nestedField lowers a field of a struct that is a value of an inlined call or a callee.
func (l *lowering) nestedField(in *ssa.Field) bool {
	all := l.parts(in.X.Type())
	if all == nil {
		return false
	}
	field := l.view.Type(in.X.Type()).Reflect().Field(in.Field)
	words, ok := l.argWords(in.X)
	if !ok {
		return false
	}
	var from []native.Reg
	for i, p := range all {
		if off := uintptr(p.off); off >= field.Offset && off < field.Offset+field.Type.Size() {
			from = append(from, words[i])
		}
	}
	l.copyRegs(l.set(in), from)
	return true
}

// copyPhis sets, for the edge from one predecessor, the phis of a block that are structs or arrays
// in the frame. It reads everything before it writes.
func (l *lowering) copyPhis(s *ssa.BasicBlock, from int) {
	if l.nested != nil {
		return
	}
	type word struct {
		t    native.Type
		of   native.Reg
		home native.Mem
	}
	var words []word
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if l.view.Rep(phi.Type()) != layout.Memory {
			continue
		}
		to, _ := l.view.Slot(phi)
		at, inFrame := l.view.Slot(phi.Edges[from])
		if inFrame && at.Off == to.Off {
			continue
		}
		for _, p := range copied(to.Type) {
			w := word{t: p.t, home: native.Mem{Base: native.Frame, Disp: int32(to.Off) + p.off}}
			if inFrame {
				w.of = l.temp(p.t, native.Instr{Op: native.Load, Type: p.t, Mem: native.Mem{Base: native.Frame, Disp: int32(at.Off) + p.off}})
			} else { // the zero value
				w.of = l.constant(p.t, 0)
			}
			words = append(words, w)
		}
	}
	for _, w := range words {
		l.storeWord(w.t, w.of, w.home)
	}
}

// nestedExtract lowers a result of a call that has been inlined in an inlined call.
func (l *lowering) nestedExtract(in *ssa.Extract) bool {
	all, ok := l.tuples[in.Tuple]
	if ok {
		l.values[in] = all[in.Index]
	}
	return ok
}
