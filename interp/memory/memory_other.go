//go:build !linux

package memory

// defaultMemoryLimit is one that most machines can give.
func defaultMemoryLimit() uint64 { return fallbackMemoryLimit }
