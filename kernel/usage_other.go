//go:build !linux

package kernel

import (
	"runtime"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
)

// processUsage returns what the Go runtime holds; processor time is not known
// here.
func processUsage() (used time.Duration, memory uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return 0, m.Sys
}

// hostMemory is not known here.
func hostMemory() *msg.Memory { return nil }
