//go:build linux || darwin

package rtype

import "encoding/binary"

// The registers of Go's internal calling convention, and the size of a stub.
const (
	intRegs   = 9
	floatRegs = 15
	stubSize  = 16
)

// isStub reports whether the code at pc is MOVL $n, R12.
func isStub(pc, n uintptr) bool {
	code := codeAt(pc, 6)
	return string(code[:2]) == "\x41\xbc" && binary.LittleEndian.Uint32(code[2:]) == uint32(n)
}
