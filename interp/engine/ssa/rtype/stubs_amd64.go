package rtype

import (
	"encoding/binary"
	"unsafe"
)

// The registers of Go's internal calling convention, and the size of a stub.
const (
	intRegs   = 9
	floatRegs = 15
	stubSize  = 16
)

// The numbers of closureEntry's frame that the assembly code needs: the size of the frame, the
// offset of the Call in it, and the number of pointers at its end.
const (
	entryFrame    = 288
	entryCall     = 8
	entryPointers = 11
)

// These declarations do not compile if the numbers are wrong.
const (
	_ = -(entryFrame - entryCall - unsafe.Sizeof(Call{}))
	_ = -(unsafe.Sizeof(Call{}) - unsafe.Offsetof(Call{}.pointers) - 8*entryPointers)
)

// isStub reports whether the code at pc is MOVL $n, R12.
func isStub(pc, n uintptr) bool {
	code := codeAt(pc, 6)
	return string(code[:2]) == "\x41\xbc" && binary.LittleEndian.Uint32(code[2:]) == uint32(n)
}
