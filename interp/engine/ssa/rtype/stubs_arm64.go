//go:build linux || darwin

package rtype

import "encoding/binary"

// The registers of Go's internal calling convention, and the size of a stub.
const (
	intRegs   = 16
	floatRegs = 16
	stubSize  = 8
)

// isStub reports whether the code at pc is MOVZ $(n+1), R20.
func isStub(pc, n uintptr) bool {
	return binary.LittleEndian.Uint32(codeAt(pc, 4)) == 0xd2800014|uint32(n+1)<<5
}
