//go:build linux

package sandbox

// ownRefused are system calls that are refused and that other architectures do not have.
var ownRefused = []uint32{}
