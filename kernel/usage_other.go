//go:build !linux

package kernel

import (
	"runtime"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
)

// processUsage returns the memory of the Go runtime. CPU time is not available on this platform.
func processUsage() (used time.Duration, memory uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return 0, m.Sys
}

// hostMemory is not available on this platform.
func hostMemory() *msg.Memory { return nil }
