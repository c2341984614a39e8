// Package memory stops cells that take more memory than there is.
package memory

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// LimitError is the cause with which a cell is stopped that asked for too much.
type LimitError struct{ Limit uint64 }

func (e *LimitError) Error() string {
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
// ends the process at 1 GB of one. A stack grows by a copy of twice its size, so
// that one of 256 MB, which an engine that counts calls may reach, takes 384 MB
// for a moment.
const stackLimit = 448 << 20

// StackError is the cause with which a cell is stopped whose calls nest without
// end.
type StackError struct{}

func (StackError) Error() string { return "a function of the cell called itself without end" }

// Watch looks at the memory of the cell that runs. Its timer continues for one
// interval after a cell, so that short cells in a row do not start it each.
type Watch struct {
	Limit    uint64 // of the heap, in bytes; 0 means DefaultLimit
	HeapOnly bool   // the engine watches the stacks
	Stir     func() // is called at each look, unless it is nil; see engine.Crowded

	mu     sync.Mutex
	cancel context.CancelCauseFunc // of the running cell; nil between cells
	timer  *time.Timer
	armed  bool
	sample [2]metrics.Sample
	stacks uint64 // the size of all stacks when the cell began
}

// DefaultLimit is that of a session that is given none: three quarters of the memory of
// the machine, or of the container where that has less.
func DefaultLimit() uint64 { return available() / 4 * 3 }

// Start watches a cell, which cancel stops when the heap or the stacks grow over
// their limits, until the function that it returns is called.
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

// Room reports, as an error, that there is no room for so many more bytes under the limit.
func (w *Watch) Room(bytes uint64) error {
	w.mu.Lock()
	limit := w.Limit
	w.mu.Unlock()
	sample := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(sample)
	if limit == 0 || sample[0].Value.Uint64()+bytes <= limit {
		return nil
	}
	runtime.GC() // as in excess
	if metrics.Read(sample); sample[0].Value.Uint64()+bytes > limit {
		return &LimitError{limit}
	}
	return nil
}

// look is called by the timer of the watch.
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

// excess returns the error of a cell that has taken too much memory, nil as long
// as it has not. What was on stacks before it is not the cell's.
func (w *Watch) excess(sample []metrics.Sample) error {
	sample[0].Name, sample[1].Name = heapMetric, stackMetric
	metrics.Read(sample)
	if !w.HeapOnly && sample[1].Value.Uint64() > stackLimit+w.stacks {
		return StackError{}
	}
	if sample[0].Value.Uint64() <= w.Limit {
		return nil
	}
	// Garbage that nobody has collected yet does not count.
	runtime.GC()
	if metrics.Read(sample); sample[0].Value.Uint64() > w.Limit {
		return &LimitError{w.Limit}
	}
	return nil
}

// fallback is taken where the machine's memory is not known.
const fallback = 8 << 30
