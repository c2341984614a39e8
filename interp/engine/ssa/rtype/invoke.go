//go:build (linux || darwin) && (amd64 || arm64)

package rtype

import (
	"reflect"
	"unsafe"
)

// registers is internal/abi.RegArgs: the registers of a call that
// runtime.reflectcall makes.
type registers struct {
	ints          [intRegs]uintptr
	floats        [floatRegs]uint64
	pointers      [intRegs]unsafe.Pointer
	resultPointer [(intRegs + 7) / 8]uint8 // result registers that hold pointers
}

//go:noescape
//go:linkname reflectcall runtime.reflectcall
func reflectcall(stackType *Type, fn, stack unsafe.Pointer, stackSize, resultOffset, frameSize uint32, regs *registers)

// Invoke calls the compiled function that the func value fn points to, with the
// arguments at args, and copies the results to results, variables of their
// types. A nil function panics as in Go.
func (s *Signature) Invoke(fn unsafe.Pointer, args, results []unsafe.Pointer) {
	_ = *(*uintptr)(fn)
	if s.stack != 0 {
		s.invokeSlowly(fn, args, results)
		return
	}
	var r registers
	for i := range s.params {
		s.params[i].pass(&r, args[i])
	}
	r.resultPointer = s.resultPointers
	reflectcall(nil, fn, nil, 0, 0, s.spill, &r)
	for i := range s.results {
		s.results[i].take(&r, results[i])
	}
}

// invokeSlowly calls through package reflect, which knows how to use the stack.
func (s *Signature) invokeSlowly(fn unsafe.Pointer, args, results []unsafe.Pointer) {
	ft := s.typ
	if s.withRecv != nil {
		ft = s.withRecv
	}
	f := reflect.NewAt(ft.Reflect(), unsafe.Pointer(&fn)).Elem()
	in := make([]reflect.Value, len(args))
	for i := range in {
		in[i] = reflect.NewAt(s.params[i].typ.Reflect(), args[i]).Elem()
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	for i, v := range call(in) {
		reflect.NewAt(v.Type(), results[i]).Elem().Set(v)
	}
}

// pass copies the value at src to the registers of a call.
func (p *place) pass(r *registers, src unsafe.Pointer) {
	for i := range p.pieces {
		x := &p.pieces[i]
		at := unsafe.Add(src, x.offset)
		switch x.kind {
		case pieceInt8:
			r.ints[x.reg] = uintptr(*(*uint8)(at))
		case pieceInt16:
			r.ints[x.reg] = uintptr(*(*uint16)(at))
		case pieceInt32:
			r.ints[x.reg] = uintptr(*(*uint32)(at))
		case pieceInt64:
			r.ints[x.reg] = uintptr(*(*uint64)(at))
		case piecePointer:
			r.pointers[x.reg] = *(*unsafe.Pointer)(at)
			r.ints[x.reg] = *(*uintptr)(at)
		case pieceFloat32:
			r.floats[x.reg] = uint64(*(*uint32)(at))
		case pieceFloat64:
			r.floats[x.reg] = *(*uint64)(at)
		}
	}
}

// take copies a result from the registers to dst.
func (p *place) take(r *registers, dst unsafe.Pointer) {
	for i := range p.pieces {
		x := &p.pieces[i]
		at := unsafe.Add(dst, x.offset)
		switch x.kind {
		case pieceInt8:
			*(*uint8)(at) = uint8(r.ints[x.reg])
		case pieceInt16:
			*(*uint16)(at) = uint16(r.ints[x.reg])
		case pieceInt32:
			*(*uint32)(at) = uint32(r.ints[x.reg])
		case pieceInt64:
			*(*uint64)(at) = uint64(r.ints[x.reg])
		case piecePointer:
			*(*unsafe.Pointer)(at) = r.pointers[x.reg]
		case pieceFloat32:
			*(*uint32)(at) = uint32(r.floats[x.reg])
		case pieceFloat64:
			*(*uint64)(at) = r.floats[x.reg]
		}
	}
}
