package compile

import (
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// moveOp returns the op that copies between two frame slots.
func moveOp(r rep, t *rtype.Type, dst, src uintptr) op {
	switch r {
	case layout.Zero:
		return nil
	case layout.Bool, layout.Int8, layout.Uint8:
		return move[uint8](dst, src)
	case layout.Int16, layout.Uint16:
		return move[uint16](dst, src)
	case layout.Int32, layout.Uint32, layout.Float32:
		return move[uint32](dst, src)
	case layout.Int64, layout.Uint64, layout.Float64:
		return move[uint64](dst, src)
	case layout.Complex64:
		return move[complex64](dst, src)
	case layout.Complex128:
		return move[complex128](dst, src)
	case layout.Pointer:
		return move[unsafe.Pointer](dst, src)
	case layout.String:
		return move[string](dst, src)
	case layout.Slice:
		return move[rtype.Slice](dst, src)
	case layout.Interface:
		return move[iface](dst, src)
	}
	switch layout.Words(t) {
	case 1:
		return move[[1]uint64](dst, src)
	case 2:
		return move[[2]uint64](dst, src)
	case 3:
		return move[[3]uint64](dst, src)
	case 4:
		return move[[4]uint64](dst, src)
	}
	return func(fp frame) { layout.Move(t, unsafe.Add(fp, dst), unsafe.Add(fp, src)) }
}

func move[T any](dst, src uintptr) op {
	return func(fp frame) { *ref[T](fp, dst) = *ref[T](fp, src) }
}

// movePointer sets a slot that the garbage collector scans, with a write barrier. The source may be
// declared as another type: unsafe.Pointer(u) reads a number.
//
//go:noinline
func movePointer(dst, src uintptr) op { return move[unsafe.Pointer](dst, src) }
