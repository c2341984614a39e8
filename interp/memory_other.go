//go:build !linux

package interp

// defaultMemoryLimit is one that most machines can give.
func defaultMemoryLimit() uint64 { return fallbackMemoryLimit }
