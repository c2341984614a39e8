//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// rep says how the engine holds values of a type: as which Go type a tree
// returns them, and how they are copied.
type rep uint8

const (
	repZero rep = iota // no bytes at all
	repBool
	repInt8
	repInt16
	repInt32
	repInt64 // also int
	repUint8
	repUint16
	repUint32
	repUint64 // also uint and uintptr
	repFloat32
	repFloat64
	repComplex64
	repComplex128
	repPtr    // one pointer word: pointers, maps, channels, functions
	repString // string
	repSlice  // rtype.Slice
	repIface  // iface
	repMem    // anything else, in the frame only
)

// iface is an interface value as two words: the type, or the table of the
// type's methods when the interface has methods, and the data.
type iface struct{ tab, data unsafe.Pointer }

var repOfKind = [...]rep{
	reflect.Bool: repBool, reflect.Int: repInt64, reflect.Int8: repInt8, reflect.Int16: repInt16,
	reflect.Int32: repInt32, reflect.Int64: repInt64, reflect.Uint: repUint64, reflect.Uint8: repUint8,
	reflect.Uint16: repUint16, reflect.Uint32: repUint32, reflect.Uint64: repUint64, reflect.Uintptr: repUint64,
	reflect.Float32: repFloat32, reflect.Float64: repFloat64, reflect.Complex64: repComplex64,
	reflect.Complex128: repComplex128, reflect.Array: repMem, reflect.Chan: repPtr, reflect.Func: repPtr,
	reflect.Interface: repIface, reflect.Map: repPtr, reflect.Pointer: repPtr, reflect.Slice: repSlice,
	reflect.String: repString, reflect.Struct: repMem, reflect.UnsafePointer: repPtr,
}

// repOf gives the representation of values of type t.
func repOf(t *rtype.Type) rep {
	r := repOfKind[t.Kind()]
	if r == repMem && t.Size() == 0 {
		return repZero
	}
	return r
}

// copyValue copies one value of type t, whose representation is r.
func copyValue(r rep, t *rtype.Type, dst, src unsafe.Pointer) {
	switch r {
	case repZero:
	case repBool, repInt8, repUint8:
		*(*uint8)(dst) = *(*uint8)(src)
	case repInt16, repUint16:
		*(*uint16)(dst) = *(*uint16)(src)
	case repInt32, repUint32, repFloat32:
		*(*uint32)(dst) = *(*uint32)(src)
	case repInt64, repUint64, repFloat64:
		*(*uint64)(dst) = *(*uint64)(src)
	case repComplex64:
		*(*complex64)(dst) = *(*complex64)(src)
	case repComplex128:
		*(*complex128)(dst) = *(*complex128)(src)
	case repPtr:
		*(*unsafe.Pointer)(dst) = *(*unsafe.Pointer)(src)
	case repString:
		*(*string)(dst) = *(*string)(src)
	case repSlice:
		*(*rtype.Slice)(dst) = *(*rtype.Slice)(src)
	case repIface:
		*(*iface)(dst) = *(*iface)(src)
	default:
		moveMemory(t, dst, src)
	}
}

// moveMemory copies a struct or an array. Small ones without pointers, points
// and pairs of numbers, need not ask the runtime.
func moveMemory(t *rtype.Type, dst, src unsafe.Pointer) {
	switch words(t) {
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

// moveOp gives the op that copies between two places of the frame.
func moveOp(r rep, t *rtype.Type, dst, src uintptr) op {
	switch r {
	case repZero:
		return nil
	case repBool, repInt8, repUint8:
		return move[uint8](dst, src)
	case repInt16, repUint16:
		return move[uint16](dst, src)
	case repInt32, repUint32, repFloat32:
		return move[uint32](dst, src)
	case repInt64, repUint64, repFloat64:
		return move[uint64](dst, src)
	case repComplex64:
		return move[complex64](dst, src)
	case repComplex128:
		return move[complex128](dst, src)
	case repPtr:
		return move[unsafe.Pointer](dst, src)
	case repString:
		return move[string](dst, src)
	case repSlice:
		return move[rtype.Slice](dst, src)
	case repIface:
		return move[iface](dst, src)
	}
	switch words(t) {
	case 1:
		return move[[1]uint64](dst, src)
	case 2:
		return move[[2]uint64](dst, src)
	case 3:
		return move[[3]uint64](dst, src)
	case 4:
		return move[[4]uint64](dst, src)
	}
	return func(fp frame) { moveMemory(t, unsafe.Add(fp, dst), unsafe.Add(fp, src)) }
}

// words gives the size in words of a small struct or array without pointers, 0
// for other types.
func words(t *rtype.Type) int {
	if size := t.Size(); t.PtrBytes() == 0 && size%8 == 0 && size <= 32 {
		return int(size / 8)
	}
	return 0
}

func move[T any](dst, src uintptr) op {
	return func(fp frame) { *ref[T](fp, dst) = *ref[T](fp, src) }
}
