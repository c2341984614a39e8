package machine

import (
	"maps"
	"reflect"
	"runtime/metrics"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// The runtime ends a program whose goroutines all wait for one another. It can't see this for a
// cell, because the session runs in the same process. The machine therefore checks a cell that has
// waited for a while. The cell is deadlocked when, in several checks,
//
//   - its first goroutine and all other goroutines of cells, earlier cells included, wait in
//     the same operations: on channels that interpreted code has made, on locks, wait groups or
//     conditions. Only running code can end such a wait;
//   - none of them has been woken and is about to run;
//   - no compiled code runs another goroutine for a cell, such as an HTTP server or a wait for
//     a child process;
//   - nothing remains that calls interpreted code later: a timer, a function that waits for
//     a context, a finalizer, a signal.
//
// Where one of these cannot be determined, the cell keeps waiting, and can be interrupted.

// The first and the longest interval between checks of a waiting cell. The interval grows if the
// check that found no deadlock was costly.
const (
	firstLook = 250 * time.Millisecond
	lastLook  = 16 * time.Second
	// Number of checks of a cell whose goroutines are all asleep, and the interval between them.
	restLooks = 10
	restTime  = 5 * time.Millisecond
)

// slumber holds the sequence number of the operation in which each thread waits.
type slumber map[*Thread]uint64

// slumber returns the operations in which all goroutines of cells wait. It returns false if any
// goroutine, such as the first goroutine of the run, may continue.
func (m *Machine) slumber(r *Run) (slumber, bool) {
	if m.world.Pending() {
		return nil, false
	}
	s := slumber{}
	for _, th := range m.threads() {
		if th.wait.Load() != Asleep {
			return nil, false
		}
		s[th] = th.waits.Load()
	}
	first := r.main.Load()
	_, waits := s[first]
	return s, waits
}

// watch checks a run from time to time.
type watch struct {
	*time.Ticker
	r      *Run
	every  time.Duration
	before slumber // at the last check
}

func newWatch(r *Run) *watch {
	return &watch{Ticker: time.NewTicker(firstLook), r: r, every: firstLook}
}

// look returns an error if the run is deadlocked.
func (w *watch) look() *engine.Panic {
	m := w.r.M
	now, asleep := m.slumber(w.r)
	if !asleep || !maps.Equal(w.before, now) {
		w.before = now
		return nil
	}
	if m.goroutines() == len(now) && m.staysAsleep(w.r, now) {
		return w.r.deadlock()
	}
	w.every = min(2*w.every, lastLook)
	w.Reset(w.every)
	return nil
}

// staysAsleep reports whether goroutines wait in the same operations for a while that includes a
// moment at which no goroutine was runnable. A goroutine that has been woken, for example because
// it has got a lock, counts as waiting until it runs. On a busy machine, that can take long.
func (m *Machine) staysAsleep(r *Run, s slumber) bool {
	rest := false
	for range restLooks {
		time.Sleep(restTime)
		if again, _ := m.slumber(r); !maps.Equal(again, s) {
			return false
		}
		rest = rest || atRest()
	}
	return rest
}

// atRest reports whether no goroutine is runnable. The caller's own goroutine is running and does
// not count.
func atRest() bool {
	s := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}}
	metrics.Read(s)
	return s[0].Value.Kind() == metrics.KindUint64 && s[0].Value.Uint64() == 0
}

// goroutines returns the number of goroutines that have inherited the label of interpreted code.
// Interpreted code has started them, directly or through compiled code. It returns -1 if they
// cannot be identified.
func (m *Machine) goroutines() int {
	all, ok := goroutine.Stacks(labelKey, m.label)
	if !ok {
		return -1
	}
	n := 0
	for _, g := range all {
		n += g.N
	}
	return n
}

// deadlock returns the error of a deadlocked run.
func (r *Run) deadlock() *engine.Panic {
	p := &engine.Panic{Value: deadlockError{}, Text: deadlockError{}.Error(), Fatal: true}
	first := r.main.Load()
	first.inspect(func() { p.Stack = Frames(first.Trace()) })
	return p
}

type deadlockError struct{}

func (deadlockError) Error() string { return "all goroutines are asleep - deadlock!" }
func (deadlockError) RuntimeError() {}

// onlyCells reports whether only interpreted code can end a wait for channels.
func onlyCells(cases []reflect.SelectCase) bool {
	for _, c := range cases {
		if p := c.Chan.UnsafePointer(); p != nil && !rtype.ChanMarked(p) {
			return false
		}
	}
	return true
}
