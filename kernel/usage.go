package kernel

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
)

// usageMeter remembers the last reading of the CPU time.
type usageMeter struct {
	mu   sync.Mutex
	at   time.Time
	used time.Duration
}

// percent returns the CPU time since the last call, in percent of one core. The first call
// returns 0.
func (u *usageMeter) percent(used time.Duration, now time.Time) float64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	var p float64
	if elapsed := now.Sub(u.at); !u.at.IsZero() && elapsed > 0 {
		p = max(0, 100*float64(used-u.used)/float64(elapsed))
	}
	u.at, u.used = now, used
	return p
}

// usageRequest reports the CPU time and memory of the kernel and its child processes.
func (s *Server) usageRequest(_ context.Context, r *request) error {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	used, memory := processUsage()
	s.reply(r, "usage_reply", msg.UsageReply{
		Status:       msg.OK,
		Hostname:     host,
		PID:          os.Getpid(),
		KernelCPU:    s.usage.percent(used, time.Now()),
		KernelMemory: memory,
		CPUCount:     runtime.NumCPU(),
		HostMemory:   hostMemory(),
	})
	return nil
}
