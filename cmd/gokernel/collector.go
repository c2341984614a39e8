package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// roomForGarbage is the number of bytes allocated before a garbage collection while the heap is
	// small. The smallest cell allocates 30 KB: with the runtime's default of 4 MB, one in seventy
	// cells waits for a collection.
	roomForGarbage = 8 << 20
	defaultPercent = 100
	// startHeap is the heap size to which the runtime applies the percentage before the first
	// collection.
	startHeap = 4 << 20
)

// collector applies roomForGarbage to small heaps and leaves large ones to the runtime's own rule,
// which lets a heap double.
type collector struct{ percent uint64 }

// tuneCollector adjusts the garbage collector while the process lives, unless GOGC is set.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	c := &collector{percent: defaultPercent}
	c.set(startHeap)
	c.watch()
}

// collectBefore starts a collection before the heap, garbage included, is more than a sixth larger
// than the limit at which a cell is stopped. Otherwise the heap could double before a collection,
// and the system would end the process although no cell has used too much memory. The environment
// variable GOMEMLIMIT overrides this.
func collectBefore(limit uint64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(min(limit, math.MaxInt64/7) / 6 * 7))
	}
}

// sentinel is garbage whose finalizer runs at each collection.
type sentinel struct{ _ *int }

func (c *collector) watch() {
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		// A cell may have set its own percentage.
		if sample[1].Value.Uint64() == c.percent {
			c.set(sample[0].Value.Uint64())
		}
		c.watch()
	})
}

// set sets the percentage for a heap of the given size in bytes.
func (c *collector) set(live uint64) {
	percent := max(defaultPercent, 100*roomForGarbage/max(1, live))
	// Each change stops the world, so avoid small ones.
	if percent*10 >= c.percent*9 && percent*9 <= c.percent*10 {
		return
	}
	c.percent = percent
	debug.SetGCPercent(int(percent))
}

const (
	// settled is the delay between the end of the last cell and the return of memory to the system.
	settled = time.Second
	// worthGiving is the minimum growth of the process's memory, since memory was last returned,
	// for which another return is worthwhile.
	worthGiving = 64 << 20
)

// giver returns memory that cells no longer use, such as that of large outputs and deep stacks, to
// the system. The runtime would keep this memory for minutes, or until there is as much garbage
// again.
type giver struct {
	mu    sync.Mutex
	timer *time.Timer
	last  uint64 // the memory after the last return
}

// soon starts the timer. When the timer fires, memory is returned if idle reports that no cell
// runs.
func (r *giver) soon(idle func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer == nil {
		r.timer = time.AfterFunc(settled, func() {
			if idle() {
				r.give()
			}
		})
		return
	}
	r.timer.Reset(settled)
}

func (r *giver) give() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if taken() > r.last+max(worthGiving, r.last/4) {
		debug.FreeOSMemory()
		r.last = taken()
	}
}

// taken returns the number of bytes that the runtime has obtained from the system and not returned.
func taken() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
