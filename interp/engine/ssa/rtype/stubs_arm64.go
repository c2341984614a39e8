//go:build linux || darwin

package rtype

// The registers of Go's internal calling convention, and the size of a stub.
const (
	intRegs   = 16
	floatRegs = 16
	stubSize  = 8
)
