// Package memory stops cells that use too much memory.
package memory

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// LimitError is the reason for stopping a cell that requested too much memory.
type LimitError struct{ Limit uint64 }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the cell asked for more than %.3g GiB", float64(e.Limit)/(1<<30))
}

// watchInterval is the interval at which the heap of a running cell is checked. A cell can allocate
// a few hundred megabytes between two checks.
const watchInterval = 10 * time.Millisecond

const (
	heapMetric  = "/memory/classes/heap/objects:bytes"
	stackMetric = "/memory/classes/heap/stacks:bytes"
)

// stackLimit is the total stack size at which a cell is stopped, because the runtime ends the
// process if one stack reaches 1 GB. A stack grows by copying to twice its size. A stack of 256 MB,
// which an engine that counts calls may reach, therefore needs 384 MB for a moment.
const stackLimit = 448 << 20

// StackError is the reason for stopping a cell whose calls are nested too deeply.
type StackError struct{}

func (StackError) Error() string { return "a function of the cell called itself without end" }

// Watch monitors the memory of the running cell. Its timer continues for one interval after a cell,
// so that consecutive short cells do not each start it.
type Watch struct {
	Limit    uint64 // limit of the heap, in bytes; 0 means DefaultLimit
	HeapOnly bool   // whether the engine monitors the stacks
	Stir     func() // called at each check unless nil; see engine.Crowded

	mu     sync.Mutex
	cancel context.CancelCauseFunc // cancels the running cell; nil between cells
	timer  *time.Timer
	armed  bool
	sample [2]metrics.Sample
	stacks uint64 // the size of all stacks at the start of the cell
}

// DefaultLimit returns the limit of a session without an explicit one: three quarters of the memory
// of the machine, or of the container if that has less.
func DefaultLimit() uint64 { return available() / 4 * 3 }

// Start monitors a cell until the returned function is called. If the heap or the stacks exceed
// their limits, the monitor calls cancel.
func (w *Watch) Start(cancel context.CancelCauseFunc) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Limit == 0 {
		w.Limit = DefaultLimit()
	}
	w.cancel = cancel
	w.stacks = stacks()
	if !w.armed {
		w.armed = true
		if w.timer == nil {
			w.timer = time.AfterFunc(watchInterval, w.look)
		} else {
			w.timer.Reset(watchInterval)
		}
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cancel = nil
	}
}

// Room returns an error if there is not enough memory below the limit for the given number of
// bytes.
func (w *Watch) Room(bytes uint64) error {
	w.mu.Lock()
	limit := w.Limit
	w.mu.Unlock()
	sample := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(sample)
	if limit == 0 || sample[0].Value.Uint64()+bytes <= limit {
		return nil
	}
	runtime.GC() // garbage does not count, as in excess
	if metrics.Read(sample); sample[0].Value.Uint64()+bytes > limit {
		return &LimitError{limit}
	}
	return nil
}

// look is called by the timer.
func (w *Watch) look() {
	if w.Stir != nil {
		w.Stir()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel == nil {
		w.armed = false
		return
	}
	if cause := w.excess(w.sample[:]); cause != nil {
		w.cancel(cause)
		w.cancel = nil
	}
	w.timer.Reset(watchInterval)
}

// stacks returns the size of all stacks.
func stacks() uint64 {
	sample := []metrics.Sample{{Name: stackMetric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// excess returns the error of a cell that uses too much memory, or nil. Stacks from before the cell
// don't count.
func (w *Watch) excess(sample []metrics.Sample) error {
	sample[0].Name, sample[1].Name = heapMetric, stackMetric
	metrics.Read(sample)
	if !w.HeapOnly && sample[1].Value.Uint64() > stackLimit+w.stacks {
		return StackError{}
	}
	if sample[0].Value.Uint64() <= w.Limit {
		return nil
	}
	// Garbage that has not been collected yet does not count.
	runtime.GC()
	if metrics.Read(sample); sample[0].Value.Uint64() > w.Limit {
		return &LimitError{w.Limit}
	}
	return nil
}

// fallback is the memory size used if the machine's is not known.
const fallback = 8 << 30
