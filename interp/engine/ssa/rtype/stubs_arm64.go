package rtype

import (
	"encoding/binary"
	"unsafe"
)

// The registers of Go's internal calling convention, and the size of a stub.
const (
	intRegs   = 16
	floatRegs = 16
	stubSize  = 8
)

// The numbers of closureEntry's frame that the assembly code needs: the size of the frame, the
// offset of the Call in it, and the number of pointers at its end.
const (
	entryFrame    = 416
	entryCall     = 24
	entryPointers = 18
)

// These declarations do not compile if the numbers are wrong. The calculation includes the link
// register.
const (
	_ = -(entryFrame + 8 - entryCall - unsafe.Sizeof(Call{}))
	_ = -(unsafe.Sizeof(Call{}) - unsafe.Offsetof(Call{}.pointers) - 8*entryPointers)
)

// isStub reports whether the code at pc is MOVZ $(n+1), R20.
func isStub(pc, n uintptr) bool {
	return binary.LittleEndian.Uint32(codeAt(pc, 4)) == 0xd2800014|uint32(n+1)<<5
}
