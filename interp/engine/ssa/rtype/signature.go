package rtype

import (
	"reflect"
	"unsafe"
)

// Signature is the calling convention for the arguments and results of a func type. The assembly
// code reads its first three fields.
type Signature struct {
	pointers uint32 // bit set of the integer registers that hold pointers on entry
	stack    uint32 // not 0: something is passed on the stack
	floats   uint32 // not 0: something is passed in floating-point registers

	types    *Types
	typ      *Type // type of the function
	form     recvForm
	params   []place
	results  []place
	withRecv *Type // the function type with the receiver, if something is on the stack
}

type sigKey struct {
	typ, recv *Type
	form      recvForm
}

// place holds the registers of a value.
type place struct {
	typ    *Type
	pieces []piece
}

// piece is the part of a value in one register.
type piece struct {
	kind   pieceKind
	reg    uint8
	offset uintptr
}

type pieceKind uint8

const (
	pieceInt8 pieceKind = iota
	pieceInt16
	pieceInt32
	pieceInt64
	piecePointer
	pieceFloat32
	pieceFloat64
)

// Signature returns the calling convention of a func type.
func (ts *Types) Signature(t *Type) *Signature {
	ts.mu.RLock()
	s := ts.sigs[sigKey{typ: t}]
	ts.mu.RUnlock()
	if s != nil {
		return s
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.signature(t, nil, recvNone)
}

// MethodSignature returns the calling convention of the methods of a func type that are called
// through an interface: the interface's data word, as an unsafe.Pointer, precedes the parameters.
func (ts *Types) MethodSignature(t *Type) *Signature {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.signature(t, nil, recvWord)
}

// Type returns the type of the function, without a receiver.
func (s *Signature) Type() *Type { return s.typ }

func (ts *Types) signature(t, recv *Type, form recvForm) *Signature {
	key := sigKey{t, recv, form}
	if form == recvWord || form == recvPointed {
		key.recv = nil // all words and pointers are alike
	}
	if s := ts.sigs[key]; s != nil {
		return s
	}
	s := &Signature{types: ts, typ: t, form: form}
	var in, out assignment
	rt := t.Reflect()
	ins := make([]reflect.Type, 0, rt.NumIn()+1)
	switch form {
	case recvPlain:
		ins = append(ins, recv.Reflect())
	case recvWord, recvPointed:
		ins = append(ins, shapePointer)
	}
	for p := range rt.Ins() {
		ins = append(ins, p)
	}
	outs := make([]reflect.Type, 0, rt.NumOut())
	for p := range rt.Outs() {
		outs = append(outs, p)
	}
	for _, p := range ins {
		s.params = append(s.params, in.assign(p))
	}
	for _, p := range outs {
		s.results = append(s.results, out.assign(p))
	}
	s.pointers = in.pointers
	s.floats = uint32(in.floats + out.floats)
	if in.stack || out.stack {
		s.stack = 1
		s.withRecv = TypeOf(reflect.FuncOf(ins, outs, rt.IsVariadic()))
	}
	ts.sigs[key] = s
	return s
}

// assignment assigns registers to values in order, following the specification of Go's internal
// calling convention.
type assignment struct {
	ints, floats uint8
	pointers     uint32
	stack        bool
}

func (a *assignment) assign(t reflect.Type) place {
	before := *a
	p := place{typ: TypeOf(t)}
	if !a.add(&p, t, 0) {
		*a = before
		a.stack = true
		p.pieces = nil
	}
	return p
}

func (a *assignment) add(p *place, t reflect.Type, offset uintptr) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return a.integer(p, pieceInt8, offset)
	case reflect.Int16, reflect.Uint16:
		return a.integer(p, pieceInt16, offset)
	case reflect.Int32, reflect.Uint32:
		return a.integer(p, pieceInt32, offset)
	case reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64, reflect.Uintptr:
		return a.integer(p, pieceInt64, offset)
	case reflect.Float32:
		return a.float(p, pieceFloat32, offset)
	case reflect.Float64:
		return a.float(p, pieceFloat64, offset)
	case reflect.Complex64:
		return a.float(p, pieceFloat32, offset) && a.float(p, pieceFloat32, offset+4)
	case reflect.Complex128:
		return a.float(p, pieceFloat64, offset) && a.float(p, pieceFloat64, offset+8)
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func:
		return a.integer(p, piecePointer, offset)
	case reflect.String:
		return a.integer(p, piecePointer, offset) && a.integer(p, pieceInt64, offset+8)
	case reflect.Interface:
		return a.integer(p, piecePointer, offset) && a.integer(p, piecePointer, offset+8)
	case reflect.Slice:
		return a.integer(p, piecePointer, offset) && a.integer(p, pieceInt64, offset+8) &&
			a.integer(p, pieceInt64, offset+16)
	case reflect.Array:
		switch t.Len() {
		case 0:
			return true
		case 1:
			return a.add(p, t.Elem(), offset)
		}
		return false
	case reflect.Struct:
		st := (*structType)(unsafe.Pointer(TypeOf(t)))
		for _, f := range st.fields {
			if !a.add(p, f.typ.Reflect(), offset+f.offset) {
				return false
			}
		}
		return true
	}
	return false
}

func (a *assignment) integer(p *place, k pieceKind, offset uintptr) bool {
	if a.ints == intRegs {
		return false
	}
	if k == piecePointer {
		a.pointers |= 1 << a.ints
	}
	p.pieces = append(p.pieces, piece{k, a.ints, offset})
	a.ints++
	return true
}

func (a *assignment) float(p *place, k pieceKind, offset uintptr) bool {
	if a.floats == floatRegs {
		return false
	}
	p.pieces = append(p.pieces, piece{k, a.floats, offset})
	a.floats++
	return true
}

// load copies the value in the registers to dst.
func (p *place) load(c *Call, dst unsafe.Pointer) {
	for i := range p.pieces {
		x := &p.pieces[i]
		at := unsafe.Add(dst, x.offset)
		switch x.kind {
		case pieceInt8:
			*(*uint8)(at) = uint8(c.ints[x.reg])
		case pieceInt16:
			*(*uint16)(at) = uint16(c.ints[x.reg])
		case pieceInt32:
			*(*uint32)(at) = uint32(c.ints[x.reg])
		case pieceInt64:
			*(*uint64)(at) = uint64(c.ints[x.reg])
		case piecePointer:
			*(*unsafe.Pointer)(at) = c.pointers[x.reg]
		case pieceFloat32:
			*(*uint32)(at) = uint32(c.floats[x.reg])
		case pieceFloat64:
			*(*uint64)(at) = c.floats[x.reg]
		}
	}
}

// store copies the value at src to the registers. It stores pointers twice: c.pointers keeps their
// targets alive until the return, and the return loads c.ints.
func (p *place) store(c *Call, src unsafe.Pointer) {
	for i := range p.pieces {
		x := &p.pieces[i]
		at := unsafe.Add(src, x.offset)
		switch x.kind {
		case pieceInt8:
			c.ints[x.reg] = uintptr(*(*uint8)(at))
		case pieceInt16:
			c.ints[x.reg] = uintptr(*(*uint16)(at))
		case pieceInt32:
			c.ints[x.reg] = uintptr(*(*uint32)(at))
		case pieceInt64:
			c.ints[x.reg] = uintptr(*(*uint64)(at))
		case piecePointer:
			c.pointers[x.reg] = *(*unsafe.Pointer)(at)
			c.ints[x.reg] = *(*uintptr)(at)
		case pieceFloat32:
			c.floats[x.reg] = uint64(*(*uint32)(at))
		case pieceFloat64:
			c.floats[x.reg] = *(*uint64)(at)
		}
	}
}
