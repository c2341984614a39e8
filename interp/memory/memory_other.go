//go:build !linux

package memory

// available is what most machines have.
func available() uint64 { return fallback }
