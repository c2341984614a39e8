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
	// roomForGarbage is what may be allocated before garbage is collected while
	// the heap is small. The smallest cell allocates 30 KB: with the 4 MB that the
	// runtime gives, one of seventy waits for a collection.
	roomForGarbage = 8 << 20
	defaultPercent = 100
	// startHeap is the heap that the runtime scales by the percentage as long as
	// nothing has been collected.
	startHeap = 4 << 20
)

// collector gives small heaps roomForGarbage and leaves large ones to the
// runtime's own rule, which lets a heap double.
type collector struct{ percent uint64 }

// tuneCollector sees to the collector for as long as the process lives, unless
// GOGC tells how it is to work.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	c := &collector{percent: defaultPercent}
	c.set(startHeap)
	c.watch()
}

// collectBefore has garbage collected before what is in use and garbage together come to
// more than a sixth above the limit at which a cell is stopped: without that a heap
// doubles, and the system ends the process although no cell has taken too much.
// GOMEMLIMIT says otherwise.
func collectBefore(limit uint64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(min(limit, math.MaxInt64/7) / 6 * 7))
	}
}

// sentinel is garbage, which each collection comes upon.
type sentinel struct{ _ *int }

func (c *collector) watch() {
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		// A cell may have chosen a percentage of its own.
		if sample[1].Value.Uint64() == c.percent {
			c.set(sample[0].Value.Uint64())
		}
		c.watch()
	})
}

// set chooses the percentage for a heap of so many bytes.
func (c *collector) set(live uint64) {
	percent := max(defaultPercent, 100*roomForGarbage/max(1, live))
	// Each change stops the world: small ones are not worth it.
	if percent*10 >= c.percent*9 && percent*9 <= c.percent*10 {
		return
	}
	c.percent = percent
	debug.SetGCPercent(int(percent))
}

const (
	// settled is how long no cell must have ended before memory is given back.
	settled = time.Second
	// worthGiving is by how much the memory of the process must have grown since it was last.
	worthGiving = 64 << 20
)

// giver gives back to the system what a cell has taken and does not use any more: large
// outputs, deep stacks. The runtime would keep it for minutes, or until there is as much
// garbage again.
type giver struct {
	mu    sync.Mutex
	timer *time.Timer
	last  uint64 // the memory after it was given back
}

// soon arms it; idle reports whether no cell runs.
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

// taken is the memory that the runtime has from the system.
func taken() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
