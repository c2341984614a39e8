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

const (
	heapMetric  = "/memory/classes/heap/objects:bytes"
	stackMetric = "/memory/classes/heap/stacks:bytes"
)

// stackLimit is the size of all stacks at which a cell is stopped: the runtime
// ends the process at 1 GB of one, and an engine that counts calls never comes
// near.
const stackLimit = 384 << 20

// StackError is the cause with which a cell is stopped whose calls nest without
// end.
type StackError struct{}

func (StackError) Error() string { return "a function of the cell called itself without end" }

// watchMemory stops the running cell when the heap or the stacks grow over their
// limits.
func (s *Session) watchMemory() (stop func()) {
	s.running.mu.Lock()
	cancel := s.running.cancel
	s.running.mu.Unlock()
	done := make(chan struct{})
	ticker := time.NewTicker(watchInterval)
	go func() {
		defer ticker.Stop()
		sample := []metrics.Sample{{Name: heapMetric}, {Name: stackMetric}}
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			metrics.Read(sample)
			if sample[1].Value.Uint64() > stackLimit {
				cancel(StackError{})
				return
			}
			if sample[0].Value.Uint64() <= s.limit {
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
