package interp

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// MemoryError is the cause with which a cell is stopped that asked for too much.
type MemoryError struct{ Limit uint64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the cell asked for more than %.3g GiB", float64(e.Limit)/(1<<30))
}

// watchInterval is how often the heap of a running cell is looked at: a cell
// can allocate some hundred megabytes between two looks.
const watchInterval = 10 * time.Millisecond

const heapMetric = "/memory/classes/heap/objects:bytes"

// watchMemory stops the running cell when the heap grows over the limit.
func (s *Session) watchMemory() (stop func()) {
	s.running.mu.Lock()
	cancel := s.running.cancel
	s.running.mu.Unlock()
	done := make(chan struct{})
	ticker := time.NewTicker(watchInterval)
	go func() {
		defer ticker.Stop()
		sample := []metrics.Sample{{Name: heapMetric}}
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			if metrics.Read(sample); sample[0].Value.Uint64() <= s.limit {
				continue
			}
			// Garbage that nobody has collected yet does not count.
			runtime.GC()
			if metrics.Read(sample); sample[0].Value.Uint64() > s.limit {
				cancel(&MemoryError{s.limit})
				return
			}
		}
	}()
	return func() { close(done) }
}

// fallbackMemoryLimit is the limit where the machine's memory is not known.
const fallbackMemoryLimit = 6 << 30
