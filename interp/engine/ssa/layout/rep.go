package layout

import (
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Rep is the engine's representation of the values of a type. It determines the Go type in which a
// tree returns the values, and how they are copied.
type Rep uint8

const (
	Zero Rep = iota // no bytes at all
	Bool
	Int8
	Int16
	Int32
	Int64 // also int
	Uint8
	Uint16
	Uint32
	Uint64 // also uint and uintptr
	Float32
	Float64
	Complex64
	Complex128
	Pointer   // one pointer word: pointers, maps, channels, functions
	String    // string
	Slice     // rtype.Slice
	Interface // iface
	Memory    // anything else, in the frame only
)

// Iface is an interface value as two words. The first is the type, or the method table if the
// interface has methods; the second is the data.
type Iface struct{ Tab, Data unsafe.Pointer }

var repOfKind = [...]Rep{
	reflect.Bool: Bool, reflect.Int: Int64, reflect.Int8: Int8, reflect.Int16: Int16,
	reflect.Int32: Int32, reflect.Int64: Int64, reflect.Uint: Uint64, reflect.Uint8: Uint8,
	reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64, reflect.Uintptr: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64,
	reflect.Complex128: Complex128, reflect.Array: Memory, reflect.Chan: Pointer, reflect.Func: Pointer,
	reflect.Interface: Interface, reflect.Map: Pointer, reflect.Pointer: Pointer, reflect.Slice: Slice,
	reflect.String: String, reflect.Struct: Memory, reflect.UnsafePointer: Pointer,
}

// Of returns the representation of values of type t.
func Of(t *rtype.Type) Rep {
	r := repOfKind[t.Kind()]
	if r == Memory && t.Size() == 0 {
		return Zero
	}
	return r
}

// Copy copies one value of type t, whose representation is r.
func Copy(r Rep, t *rtype.Type, dst, src unsafe.Pointer) {
	switch r {
	case Zero:
	case Bool, Int8, Uint8:
		*(*uint8)(dst) = *(*uint8)(src)
	case Int16, Uint16:
		*(*uint16)(dst) = *(*uint16)(src)
	case Int32, Uint32, Float32:
		*(*uint32)(dst) = *(*uint32)(src)
	case Int64, Uint64, Float64:
		*(*uint64)(dst) = *(*uint64)(src)
	case Complex64:
		*(*complex64)(dst) = *(*complex64)(src)
	case Complex128:
		*(*complex128)(dst) = *(*complex128)(src)
	case Pointer:
		*(*unsafe.Pointer)(dst) = *(*unsafe.Pointer)(src)
	case String:
		*(*string)(dst) = *(*string)(src)
	case Slice:
		*(*rtype.Slice)(dst) = *(*rtype.Slice)(src)
	case Interface:
		*(*Iface)(dst) = *(*Iface)(src)
	default:
		Move(t, dst, src)
	}
}

// Move copies a struct or an array. If the value is small and has no pointers, such as a point or a
// pair of numbers, Move does not call the runtime.
func Move(t *rtype.Type, dst, src unsafe.Pointer) {
	switch Words(t) {
	case 1:
		*(*[1]uint64)(dst) = *(*[1]uint64)(src)
	case 2:
		*(*[2]uint64)(dst) = *(*[2]uint64)(src)
	case 3:
		*(*[3]uint64)(dst) = *(*[3]uint64)(src)
	case 4:
		*(*[4]uint64)(dst) = *(*[4]uint64)(src)
	default:
		rtype.Move(t, dst, src)
	}
}

// Words returns the size in words of a small struct or array without pointers, or 0 for other
// types.
func Words(t *rtype.Type) int {
	if size := t.Size(); t.PtrBytes() == 0 && size%8 == 0 && size <= 32 {
		return int(size / 8)
	}
	return 0
}

// FuncWord returns the pointer word of a func value.
func FuncWord(v reflect.Value) unsafe.Pointer {
	x := v.Interface()
	return (*Iface)(unsafe.Pointer(&x)).Data
}

// OfKind returns the representation of values of kind k, all of which have the same size.
func OfKind(k reflect.Kind) Rep { return repOfKind[k] }
